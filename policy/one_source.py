"""Whether a text states another number than the policy for the same rule: a window, a limit, a count.

A text is read clause by clause. A number counts only beside the words of its rule, and not where it is about something
else that shops also write days and amounts about: delivery, how long money travels, prices, opening hours.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from policy.diffs import NOT_SET
from policy.limits import Limits
from policy.money import spoken, to_minor

WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "fourteen": 14, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "sixty": 60, "ninety": 90,
}  # fmt: skip
UNITS = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}


def _any_of(lines: str) -> re.Pattern[str]:
    """Matches any of the patterns, one or more a line, as whole words."""
    patterns = [part.strip() for line in lines.splitlines() for part in line.split(" / ") if part.strip()]
    return re.compile(rf"\b(?:{'|'.join(patterns)})\b", re.IGNORECASE)


# Every repetition is bounded: texts come from people and files.
_COUNT = rf"(?P<count>\d{{1,4}}|an?|{'|'.join(WORDS)})"
_DIGITS = r"\d[\d,]{0,14}(?:\.\d{1,2})?"
PERIOD = re.compile(
    rf"\b{_COUNT}[\s-]{{0,3}}(?:(?:calendar|full)[\s-]{{1,3}})?(?P<unit>{'|'.join(UNITS)})s?\b", re.IGNORECASE
)
AMOUNT = re.compile(
    rf"[$€£]\s?(?P<before>{_DIGITS})|(?<![\d.,])(?P<after>{_DIGITS})\s?(?:USD|EUR|GBP|dollars?|euros?)\b", re.IGNORECASE
)
# Two numbers of one span ("5 to 7 business days") are no window of a rule.
SPAN = re.compile(
    r"\b\d{1,3}\s?(?:-|–|to|or)\s?\d{1,3}[\s-]?(?:(?:business|working) )?(?:day|week|month)", re.IGNORECASE
)
# A new thought: a number belongs to the words of its own.
CLAUSE = re.compile(r"(?<=[.!?])\s|\n|;|:(?=\s)|\s[–—]\s|,\s(?:and|but|while|whereas)\s|\s(?:but|while|whereas)\s")
PLACEHOLDER = re.compile(r"\{\{[^{}]{0,200}\}\}")

RETURNING = _any_of(r"return(?:s|ed|ing)? / send(?:ing)? (?:it|them|items?|goods) back / exchang(?:e|es|ed|ing)")
BROKEN = _any_of(r"""
    damaged? / defect(?:ive|s)? / faulty / broken / not as ordered / wrong (?:item|product|article|size|colou?r)
""")
WINDOW = _any_of(r"within / up to / for / have / has / after / until / window / policy / period / no later / days?")
# What else is counted in days.
TRAVELS = _any_of(r"""
    arriv\w* / ship(?:s|ped|ping)? / transit / business / working / process\w* / bank\w* / credited
    delivery takes / deliver(?:ed)? (?:in|within) / on your (?:card|account|statement)
    (?:takes?|took|up to) (?:about |around )?\S{1,12} (?:to \S{1,12} )?days? (?:to|for|until|before)
    refund(?:s|ed)? (?:appear|show|reach|arrive)\w* / reply / answer / respond\w* / warranty / guarantee / open
    gift cards? (?:expire|are valid) / confirmation / reminder / password / code / newsletter
""")
REFUNDING = _any_of(r"refunds? / refunded / money back / cancel\w* / amounts? / returns?")
BY_PERSON = _any_of(r"""
    person / people / colleague / team / staff / human / someone / somebody / manually
    reviews? / reviewed / approv\w+ / check / checked / look at / looked at
""")
ABOVE = _any_of(r"above / over / more than / greater than / larger than / exceed\w* / beyond / higher than / from")
BELOW = _any_of(r"up to / below / under / less than / at most / no more than / smaller than")
BY_ITSELF = _any_of(r"""
    automatic\w* / instant\w* / at once / right away / immediately
    without (?:a |any )?(?:person|review|check|approval)\w*
""")
NO_RETURN = _any_of(r"""
    without (?:a |any |the )?return(?:ing)? / no return / returnless / keep (?:it|the item|them)
    need not (?:be )?(?:sent|send|return)\w*
""")
HOW_MANY = re.compile(rf"\b(?P<many>\d{{1,3}}|{'|'.join(WORDS)})\s{{1,3}}refunds?\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Contradiction:
    """A number in a text, the words around it, and what the policy says instead."""

    path: str
    stated: str
    policy: str
    sentence: str


def find_contradictions(text: str, limits: Limits) -> list[Contradiction]:
    """Every number of the text that speaks about a rule of the policy and says something else, in their order.

    Numbers that come from the policy by a placeholder cannot contradict it, so placeholders are left out.
    """
    found: dict[tuple[str, str, str], Contradiction] = {}
    plain = re.sub(r"[ \t]+", " ", PLACEHOLDER.sub(" ", text))
    for clause in CLAUSE.split(plain):
        for one in _read(clause.strip(), limits):
            found.setdefault((one.path, one.stated, one.sentence), one)
    return list(found.values())


def _read(clause: str, limits: Limits) -> Iterator[Contradiction]:
    counted = HOW_MANY.search(clause)
    if counted:
        yield from _read_count(clause, counted["many"], limits)
        return
    yield from _read_periods(clause, limits)
    yield from _read_amounts(clause, limits)


def _read_count(clause: str, many: str, limits: Limits) -> Iterator[Contradiction]:
    """`two refunds in 90 days`: both numbers are R5's."""
    refunds, period = limits.refunds, next(_list_periods(clause), None)
    if period is None:
        return
    number, (days, stated) = _number(many), period
    told: int | None
    if NO_RETURN.search(clause):
        told, path = refunds.no_return_person_from - 1, "refunds.no_return_person_from"
    else:
        told, path = refunds.most, "refunds.most"
    if number != told:
        yield Contradiction(path=path, stated=many, policy=_say(told), sentence=clause)
    if days != refunds.window_days:
        said = f"{refunds.window_days} days"
        yield Contradiction(path="refunds.window_days", stated=stated, policy=said, sentence=clause)


def _read_periods(clause: str, limits: Limits) -> Iterator[Contradiction]:
    if TRAVELS.search(clause) or SPAN.search(clause) or not WINDOW.search(clause):
        return
    if BROKEN.search(clause):
        path, told = "windows.reasons_days", limits.windows.reasons_days
    elif RETURNING.search(clause):
        path, told = "windows.returns_days", limits.windows.returns_days
    else:
        return
    for days, stated in _list_periods(clause):
        if days != told:
            said = NOT_SET if told is None else f"{told} days"
            yield Contradiction(path=path, stated=stated, policy=said, sentence=clause)


def _read_amounts(clause: str, limits: Limits) -> Iterator[Contradiction]:
    """An amount above which a person looks, or up to which none does."""
    limited = (ABOVE.search(clause) and BY_PERSON.search(clause)) or (BELOW.search(clause) and BY_ITSELF.search(clause))
    if not limited or not REFUNDING.search(clause):
        return
    told, path = limits.person_above, "person_above"
    if NO_RETURN.search(clause):
        told, path = limits.refunds.no_return_person_above, "refunds.no_return_person_above"
    for found in AMOUNT.finditer(clause):
        stated = Decimal((found["before"] or found["after"]).replace(",", ""))
        if stated != told:
            said = spoken(to_minor(told), limits.currency)
            yield Contradiction(path=path, stated=found[0].strip(), policy=said, sentence=clause)


def _list_periods(clause: str) -> Iterator[tuple[int, str]]:
    for found in PERIOD.finditer(clause):
        yield _number(found["count"]) * UNITS[found["unit"].lower()], found[0]


def _number(word: str) -> int:
    return int(word) if word.isdigit() else WORDS.get(word.lower(), 1)


def _say(number: int | None) -> str:
    return NOT_SET if number is None else str(number)
