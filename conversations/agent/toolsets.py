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

MARK = "+"
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


def mark(version: str, intent: str) -> str:
    """The version of a scoped prompt for a segment of this intent, which names its toolset."""
    return f"{version}{MARK}{toolset_of(intent)}"


def split(version: str) -> tuple[str, str]:
    """The prompt's own version and the toolset; without a mark the segment has every tool of its profile."""
    base, _, toolset = version.partition(MARK)
    return base, toolset


def offers(version: str, tool: str) -> bool:
    """Whether a segment of this version may see the tool, as far as its subject goes."""
    _, toolset = split(version)
    return not toolset or tool not in ACTIONS or tool in TOOLSETS[toolset]
