"""Consent by words alone, without a card: the agent's last message named the action, and the customer's reply is a yes.

For measuring against benchmarks whose customers see no cards. What was agreed to is what the agent wrote, so a shop
does not run this way.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from policy.actions import Action
from policy.consent import Reading, read

_SENTENCE = re.compile(r"[.!?;:]+(?:\s|$)|\n+")
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´′", "'"))
# "I cannot cancel …" names no action that a yes could set going. A reason like "no longer needed" does not deny it.
_DENIED = re.compile(r"\b(?:not|cannot|unable|never|impossible|already|\w+n't)\b")


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
    naming = NAMINGS.get(action.name)
    plain = text.translate(_APOSTROPHES).casefold()
    number = _get_order(action)
    if naming is None or (number and not _names_order(number, plain)):
        return False
    sentences = [sentence for sentence in _SENTENCE.split(plain) if not _DENIED.search(sentence)]
    return any(all(word.search(sentence) for word in way) for sentence in sentences for way in naming.ways)


def describe(action: Action) -> str:
    """What the agent has to name before it asks."""
    naming, number = NAMINGS.get(action.name), _get_order(action)
    phrase = naming.phrase if naming else action.name
    return f"{phrase} of order {number}" if number else phrase


def _get_order(action: Action) -> str:
    return str(action.arguments().get("order_id", ""))


def _names_order(number: str, text: str) -> bool:
    bare = re.escape(number.casefold().lstrip("#"))
    return bool(bare) and re.search(rf"(?<!\w)#?{bare}(?!\w)", text) is not None


@dataclass(frozen=True, kw_only=True)
class _Naming:
    """How one kind of action is named: all words of one way, in one sentence."""

    phrase: str
    ways: tuple[tuple[re.Pattern[str], ...], ...]


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})\b")


# What is to be done; "was cancelled" and "items returned" tell of something else.
_CHANGE = _words(
    "chang(?:e|es|ing)|updat(?:e|es|ing)|modif(?:y|ying|ications?)|switch(?:ing)?|swap(?:ping)?|replac(?:e|ing)"
    "|substitut(?:e|ing)|exchang(?:e|ing)|set|us(?:e|ing)|ship|send"
)
_ADDRESS = _words("address")
_PAYMENT = _words("payment|pay|paypal|card")
_ABOUT_NEITHER = re.compile(r"\A(?!.*\b(?:address|payment|pay|paypal|card)\b)")

# An action that is not listed cannot be agreed to by words.
NAMINGS: Mapping[str, _Naming] = {
    "cancel_pending_order": _Naming(
        phrase="the cancellation",
        ways=((_words("cancel|cancell?ing|cancell?ation"),),),
    ),
    "return_delivered_order_items": _Naming(
        phrase="the return of the items",
        ways=((_words("return(?:s|ing)?"),),),
    ),
    "exchange_delivered_order_items": _Naming(
        phrase="the exchange of the items",
        ways=((_words("exchang(?:e|es|ing)"),),),
    ),
    "modify_pending_order_address": _Naming(
        phrase="the change of the address",
        ways=((_CHANGE, _ADDRESS),),
    ),
    "modify_pending_order_items": _Naming(
        phrase="the change of the items",
        ways=(
            (_CHANGE, _words("items?|products?|variants?|options?|swap(?:ping)?|replac(?:e|ing)|exchang(?:e|ing)")),
            (_CHANGE, _ABOUT_NEITHER),
        ),
    ),
    "modify_pending_order_payment": _Naming(
        phrase="the change of the payment method",
        ways=((_CHANGE, _PAYMENT),),
    ),
    "modify_user_address": _Naming(
        phrase="the change of the default address",
        ways=((_CHANGE, _ADDRESS, _words("default|account|profile|user|your")),),
    ),
    "issue_refund": _Naming(
        phrase="the refund",
        ways=((_words("refund(?:s|ing)?"),),),
    ),
    "resend_receipt": _Naming(
        phrase="sending the receipt again",
        ways=((_words("send(?:ing)?|resend(?:ing)?"), _words("receipt")),),
    ),
    "update_preference": _Naming(
        phrase="the change of the preference",
        ways=((_CHANGE, _words("preferences?")),),
    ),
}
