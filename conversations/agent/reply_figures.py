"""Order numbers, amounts, dates, parcels and the like in a reply that no row of the conversation shows."""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from conversations.agent.reply_books import NUMBER, Books, bare, read_figure
from conversations.agent.reply_fault import Fault
from conversations.agent.reply_text import Plain

_SMALL = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
WORDS = {word: number for number, word in enumerate(_SMALL.split(" "), 1)}
WORDS |= {word: number * 10 for number, word in enumerate(_TENS.split(" "), 2)} | {"hundred": 100, "a hundred": 100}
_WORD = "|".join(sorted(WORDS, key=len, reverse=True))
AMOUNT = re.compile(
    r"[$€£]\s?(\d[\d,]{0,20}(?:\.\d+)?)"
    r"|(?<![\w.,])(\d[\d,]{0,20}(?:\.\d+)?)\s?(?:dollars?|usd|euros?|eur|bucks|pounds?|cents?)\b"
    r"|(?<![\w.,/:-])(\d[\d,]{0,20}\.\d\d)(?![\w%]|[.,]\d)"
    rf"|\b((?:{_WORD})(?:[ -](?:{_WORD}))?) (?:dollars?|euros?|bucks|pounds?)\b"
)
MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH = "|".join(sorted({*MONTHS, *(month[:3] for month in MONTHS), "sept"}, key=len, reverse=True))
DATE = re.compile(
    rf"\b(?:(?P<month>{_MONTH})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b"
    rf"|(?P<day2>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<month2>{_MONTH})\b"
    r"|(?P<iso>\d{4}-\d\d-\d\d)|(?P<slash>(?!24/7\b)\d{1,2}/\d{1,2}(?:/\d{2,4})?))"
)
ISO = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)")
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_COMING = re.compile(
    r"\b(?:arrives?|arriving|delivered|deliver|delivery|ships?|shipped|be (?:there|with you|back)|receive|reach"
    r"|refund(?:ed)?|money|on your card|by)\b[^.?!]{0,40}\b"
    r"(?P<when>tomorrow|tonight|today|next week|this week|(?:the|this|next) weekend"
    rf"|(?:the )?end of (?:the|this) (?:week|month)|this (?:evening|afternoon)|{'|'.join(DAYS)})\b"
)
_COUNT = rf"\d+|{'|'.join(_SMALL.split(' ')[:12])}"
SPAN = re.compile(
    rf"\b({_COUNT})(?: ?(?:to|-|or|and) ?({_COUNT}))?[ -](?:business |working |full )?"
    r"(minute|hour|day|week|month|year)s?\b(?! ago)"
)
PARCEL = re.compile(r"(?<![\w.,$])\d{8,}(?![\w])|\b1z[0-9a-z]{16}\b")
# Called a number or reference of something: short ones too.
REFERENCE = re.compile(
    r"\b(?:reference|ref|rma|confirmation|case|ticket|claim|receipt|invoice|return|refund|tracking)\b"
    r"(?:,? (?:number|no\.?|code|id|reference))?(?: is| are|:|,)? ?(?:rma |no\.? |number |#)?"
    r"(?P<what>(?=[a-z\d-]*\d{3})(?:[a-z]{1,4}-?)?\d[\d-]{2,20}[a-z]?)(?![\w.,]*\d)(?! (?:usd|eur|dollars?|euros?)\b)"
)
CODE = re.compile(r"(?<![\w-])(?P<what>[a-z]{2,4}-\d{4,}|\d{4,}-[a-z\d]{1,5})\b")
CLOCK = re.compile(r"(?<![\d:])(?P<what>\d{1,2}:\d\d)(?![\d:])")
STREET = re.compile(
    r"(?<![\w-])(?P<what>\d{1,5} (?:[a-z]+ ){1,2}(?:lane|street|row|road|avenue|drive|court|place|square|boulevard))\b"
)
ZIP = re.compile(r"\b[a-z]{2},? (?P<what>\d{5}(?:-\d{4})?)\b(?! (?:usd|eur|dollars?|business|days?)\b)")
_REFERENCES = (
    *((REFERENCE, "the number"), (CODE, "the number"), (ZIP, "the zip code")),
    *((CLOCK, "the time"), (STREET, "the address")),
)
ENDING = re.compile(r"\bending (?:in |with |on )?(\d{2,4})\b|(?<![x•.])[x•.]{2,20}\s?(\d{4})\b")
MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")


def list_amounts(text: str) -> list[Decimal]:
    """The sums of money in plain text."""
    return [_read_amount(found) for found in AMOUNT.finditer(text)]


def find_faults(plain: Plain, books: Books) -> Iterator[Fault]:
    for start, end, what in _list_unknown(plain.text, books):
        said = plain.text[start:end].strip()
        yield Fault("figure", plain.place(start), plain.place(end), f"no row of this chat shows {what} {said}")


def _list_unknown(text: str, books: Books) -> Iterator[tuple[int, int, str]]:
    for found in NUMBER.finditer(text):
        if bare(found[0]).lower() not in books.shown:
            yield found.start(), found.end(), "the order"
    for found in AMOUNT.finditer(text):
        # "0.75 l" is a price only where it is called one; as shown it is no news.
        shown = found[3] is not None and found[3] in books.shown
        if not shown and _read_amount(found) not in books.figures:
            yield found.start(), found.end(), "the amount"
    for pattern, what in ((PARCEL, "the number"), (MAIL, "the address")):
        for found in pattern.finditer(text):
            if found[0] not in books.shown:
                yield found.start(), found.end(), what
    for found in ENDING.finditer(text):
        if not re.search(rf"(?<!\d){found[1] or found[2]}(?!\d)", books.shown):
            yield found.start(), found.end(), "anything"
    yield from _list_unknown_references(text, books)
    yield from _list_unknown_times(text, books)


def _list_unknown_references(text: str, books: Books) -> Iterator[tuple[int, int, str]]:
    for pattern, what in _REFERENCES:
        for found in pattern.finditer(text):
            if found["what"] not in books.shown:
                yield found.start("what"), found.end("what"), what


def _list_unknown_times(text: str, books: Books) -> Iterator[tuple[int, int, str]]:
    for found in DATE.finditer(text):
        if not _is_shown(found, books.shown):
            yield found.start(), found.end(), "the date"
    for found in SPAN.finditer(text):
        if _read_span(found) not in {_read_span(one) for one in SPAN.finditer(books.shown)}:
            yield found.start(), found.end(), "the time"
    for found in _COMING.finditer(text):
        if found["when"] not in books.shown and found["when"] not in _weekdays(books.shown):
            yield found.start("when"), found.end(), "the day"


def _read_amount(found: re.Match[str]) -> Decimal:
    if found[4]:
        first, _, second = found[4].replace("-", " ").rpartition(" ")
        ahead = WORDS.get(first, 0)
        return Decimal(ahead * 100 if second == "hundred" and ahead else ahead + WORDS.get(second, 0))
    return read_figure(found[1] or found[2] or found[3])


def _read_span(found: re.Match[str]) -> tuple[str, str, str]:
    return _count(found[1]), _count(found[2] or ""), found[3]


def _count(word: str) -> str:
    return str(WORDS.get(word, word))


def _is_shown(found: re.Match[str], shown: str) -> bool:
    if found["iso"] or found["slash"]:
        return found[0] in shown
    month = next(number for number, name in enumerate(MONTHS, 1) if (found["month"] or found["month2"])[:3] == name[:3])
    day = int(found["day"] or found["day2"])
    if any((int(one[2]), int(one[3])) == (month, day) for one in ISO.finditer(shown)):
        return True
    return any(
        (one["month"] or one["month2"] or "")[:3] == MONTHS[month - 1][:3] and int(one["day"] or one["day2"]) == day
        for one in DATE.finditer(shown)
        if one["month"] or one["month2"]
    )


def _weekdays(shown: str) -> set[str]:
    days = set()
    for one in ISO.finditer(shown):
        try:
            days.add(DAYS[date(int(one[1]), int(one[2]), int(one[3])).weekday()])
        except ValueError:
            # Thirteen months and the like: no day of any week.
            continue
    return days
