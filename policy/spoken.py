"""Consent by words alone, without a card: the agent's last message named the action, and the customer's reply is a yes.

For measuring against benchmarks whose customers see no cards. What was agreed to is what the agent wrote, so a shop
does not run this way.
"""

import re
from dataclasses import dataclass
from typing import assert_never

from policy.actions import (
    Action,
    CancelPendingOrder,
    ExchangeDeliveredOrderItems,
    ModifyPendingOrderAddress,
    ModifyPendingOrderItems,
    ModifyPendingOrderPayment,
    ModifyUserAddress,
    ReturnDeliveredOrderItems,
)
from policy.consent import Reading, read

_SENTENCE = re.compile(r"[.!?;:]+(?:\s|$)|\n+")
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´′", "'"))
# "I cannot cancel …" names no action that a yes could set going. A reason like "no longer needed" does not deny it.
_DENIED = re.compile(r"\b(?:not|cannot|unable|never|impossible|already|\w+n't)\b")
# What is to be done; "was cancelled" and "items returned" tell of something else.
_CANCEL = re.compile(r"\b(?:cancel|cancell?ing|cancell?ation)\b")
_RETURN = re.compile(r"\breturn(?:s|ing)?\b")
_EXCHANGE = re.compile(r"\bexchang(?:e|es|ing)\b")
_CHANGE = re.compile(
    r"\b(?:chang(?:e|es|ing)|updat(?:e|es|ing)|modif(?:y|ying|ications?)|switch(?:ing)?|swap(?:ping)?|replac(?:e|ing)"
    r"|substitut(?:e|ing)|set|us(?:e|ing)|ship|send)\b"
)
_ADDRESS = re.compile(r"\baddress\b")
_PROFILE = re.compile(r"\b(?:default|account|profile|user|your)\b")
_PAYMENT = re.compile(r"\b(?:payment|pay|paypal|card)\b")
_ITEM = re.compile(r"\b(?:items?|products?|variants?|options?|swap(?:ping)?|replac(?:e|ing)|exchang(?:e|ing))\b")


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """The agent's last message, all that the customer said since, and the message's number: a yes to it counts once."""

    asked: str
    reply: str
    number: int


def is_yes_to(action: Action, exchange: Exchange) -> bool:
    """Whether the customer agreed to this action on this order (of a profile: to this field); every doubt is a no."""
    return names(action, exchange.asked) and read(asked=exchange.asked, reply=exchange.reply) is Reading.YES


def names(action: Action, text: str) -> bool:
    """Whether a message of the agent names the action and the order, in a sentence that does not deny it."""
    plain = text.translate(_APOSTROPHES).casefold()
    if not isinstance(action, ModifyUserAddress) and not _names_order(action.order_id, plain):
        return False
    return any(_says(action, sentence) for sentence in _SENTENCE.split(plain) if not _DENIED.search(sentence))


def describe(action: Action) -> str:
    """What the agent has to name before it asks."""
    match action:
        case CancelPendingOrder():
            return f"the cancellation of order {action.order_id}"
        case ReturnDeliveredOrderItems():
            return f"the return of items of order {action.order_id}"
        case ExchangeDeliveredOrderItems():
            return f"the exchange of items of order {action.order_id}"
        case ModifyPendingOrderAddress():
            return f"the change of the address of order {action.order_id}"
        case ModifyPendingOrderItems():
            return f"the change of items of order {action.order_id}"
        case ModifyPendingOrderPayment():
            return f"the change of the payment method of order {action.order_id}"
        case ModifyUserAddress():
            return "the change of the default address"
        case _:
            assert_never(action)


def _names_order(number: str, text: str) -> bool:
    bare = re.escape(number.casefold().lstrip("#"))
    return bool(bare) and re.search(rf"(?<!\w)#?{bare}(?!\w)", text) is not None


def _says(action: Action, sentence: str) -> bool:
    match action:
        case CancelPendingOrder():
            return bool(_CANCEL.search(sentence))
        case ReturnDeliveredOrderItems():
            return bool(_RETURN.search(sentence))
        case ExchangeDeliveredOrderItems():
            return bool(_EXCHANGE.search(sentence))
        case ModifyPendingOrderAddress():
            return _says_all(sentence, _CHANGE, _ADDRESS)
        case ModifyPendingOrderItems():
            elsewhere = _ADDRESS.search(sentence) or _PAYMENT.search(sentence)
            changes = _CHANGE.search(sentence) or _EXCHANGE.search(sentence)
            return bool(changes and (_ITEM.search(sentence) or not elsewhere))
        case ModifyPendingOrderPayment():
            return _says_all(sentence, _CHANGE, _PAYMENT) or "pay with" in sentence
        case ModifyUserAddress():
            return _says_all(sentence, _CHANGE, _ADDRESS, _PROFILE)
        case _:
            assert_never(action)


def _says_all(sentence: str, *words: re.Pattern[str]) -> bool:
    return all(word.search(sentence) for word in words)
