"""Which sentences of a reply say what would happen, and not what did: after "if I cancel it", in a list of choices."""

import re
from collections.abc import Iterator

from conversations.agent.reply_text import Plain, Sentence
from conversations.agent.reply_words import CONDITION

IN_GENERAL = re.compile(r"\s*(?:and |while |most |gift )*(?:cards|payments|purchases|orders|items) are\b[^\d$]*$")
_DEED = re.compile(
    r"\b(?:cancel\w*|return\w*|exchang\w*|refund\w*|swap\w*|confirm\w*|agree|press|yes|go(?:es)? ahead|change\w*)\b"
)
_OF_DEEDS = re.compile(r"\s*\w+ing (?:\w+ ){0,3}means\b")
_CHOICES = re.compile(r"\b(?:options?|choices?|ways|would|could|what happens|how (?:it|this|that) works)\b")
_OFFERED = re.compile(
    r"\b(?:you|i|we) (?:can|could|may) (?:\w+ ){0,2}(?:cancel|return|exchange|swap)\b"
    r"|^(?:cancel|return|exchange|swap)\b(?!\S*ed)"
)
_LISTED = re.compile(r"\s*(?:[-\u2022]|\d{1,2}[.)])\s")


def list_supposed(plain: Plain) -> Iterator[tuple[Sentence, bool]]:
    """Each sentence, and whether it says what would happen: after "if I cancel it", in a list of choices, or after an
    offer in the same line."""
    return ((sentence, by_itself or offered) for sentence, by_itself, offered in list_reasons(plain))


def list_reasons(plain: Plain) -> Iterator[tuple[Sentence, bool, bool]]:
    """Each sentence, whether it says so by itself or in a list of choices, and whether an offer stands before it."""
    line, in_choices, offered = -1, False, False
    for sentence in plain.sentences:
        begins = plain.text.rfind("\n", 0, sentence.start) + 1
        listed = bool(_LISTED.match(plain.text, begins))
        if begins != line:
            line, offered, in_choices = begins, False, in_choices and listed
        deed = any(CONDITION.match(clause.text) and _DEED.search(clause.text) for clause in sentence.clauses())
        general = deed or bool(_OF_DEEDS.match(sentence.text))
        yield sentence, general or in_choices, offered
        offered = offered or bool(_OFFERED.search(sentence.text))
        if sentence.text.rstrip().endswith(":") and (general or _CHOICES.search(sentence.text)):
            in_choices = True
