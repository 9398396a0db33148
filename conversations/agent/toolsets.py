"""Which tools a subject has: the intent of a segment names its toolset, and the prompt's version carries the name.

Reads are in every set. So a chat about a refund has no tool that changes an address, whatever it is talked into.
"""

from policy.actions import (
    ACTIONS,
    CancelPendingOrder,
    ExchangeDeliveredOrderItems,
    IssueRefund,
    ModifyPendingOrderAddress,
    ModifyPendingOrderItems,
    ModifyPendingOrderPayment,
    ModifyUserAddress,
    ResendReceipt,
    ReturnDeliveredOrderItems,
    UpdatePreference,
)

MARK, AND = "+", "."
# What a segment may do that is about nothing in particular yet.
READING = "reading"
_SENDING_BACK = (
    ReturnDeliveredOrderItems,
    ExchangeDeliveredOrderItems,
    IssueRefund,
    ModifyPendingOrderItems,
    CancelPendingOrder,
)
TOOLSETS: dict[str, frozenset[str]] = {
    name: frozenset(kind.name for kind in kinds)
    for name, kinds in {
        READING: (),
        "cancelling": (CancelPendingOrder,),
        "changing": (
            ModifyPendingOrderItems,
            ModifyPendingOrderAddress,
            ModifyPendingOrderPayment,
            ExchangeDeliveredOrderItems,
            CancelPendingOrder,
        ),
        "sending-back": _SENDING_BACK,
        "address": (ModifyPendingOrderAddress, ModifyUserAddress),
        "paying": (ModifyPendingOrderPayment, ResendReceipt),
        "receipts": (ResendReceipt,),
        "messages": (UpdatePreference,),
    }.items()
}
BY_INTENT = {
    "cancel": "cancelling",
    "modify": "changing",
    "return": "sending-back",
    "exchange": "sending-back",
    "refund": "sending-back",
    "damaged_or_missing": "sending-back",
    "address": "address",
    "payment": "paying",
    "invoice": "receipts",
    "preference": "messages",
}
# Whose tool it is first of all, where nothing else speaks for another subject.
OWNER = {
    CancelPendingOrder.name: "cancel",
    ModifyPendingOrderItems.name: "modify",
    ReturnDeliveredOrderItems.name: "return",
    ExchangeDeliveredOrderItems.name: "exchange",
    IssueRefund.name: "damaged_or_missing",
    ModifyPendingOrderAddress.name: "address",
    ModifyUserAddress.name: "address",
    ModifyPendingOrderPayment.name: "payment",
    ResendReceipt.name: "invoice",
    UpdatePreference.name: "preference",
}


def toolset_of(intent: str) -> str:
    return BY_INTENT.get(intent, READING)


def has(intent: str, tool: str) -> bool:
    """Whether a chat of this intent has this action."""
    return tool in TOOLSETS[toolset_of(intent)]


def mark(version: str, *intents: str) -> str:
    """The version of a scoped prompt for a segment of these intents, which names its toolsets in a fixed order."""
    names = sorted({toolset_of(intent) for intent in intents})
    return f"{version}{MARK}{AND.join(name for name in names if name != READING or len(names) == 1)}"


def split(version: str) -> tuple[str, list[str]]:
    """The prompt's own version and the toolsets; without a mark the segment has every tool of its profile."""
    base, _, names = version.partition(MARK)
    return base, names.split(AND) if names else []


def offers(version: str, tool: str) -> bool:
    """Whether a segment of this version may see the tool, as far as its subject goes."""
    _, names = split(version)
    return not names or tool not in ACTIONS or any(tool in TOOLSETS[name] for name in names)
