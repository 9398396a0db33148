"""What an audit entry may say about a person: pseudonyms and masks, with a keyed digest to prove the full text.

Known values (this customer's own name, e-mail, address) are masked wherever they stand; e-mails, card numbers
and phone numbers are masked by their shape, since a message may hold somebody else's.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from django.conf import settings

from audit.plain import map_names, spell_int
from audit.shapes import Span, find_known, find_shapes, fold, known_pattern

# Argument names whose whole value is personal, whoever it belongs to; written without marks and in lower case.
PERSONAL = {
    *("email", "firstname", "lastname", "name", "fullname", "phone", "summary"),
    *("zip", "address", "address1", "address2", "city", "state"),
}
# The words of our tools' and arguments' names: a customer called Order must not blot out `order_id`.
TRADE = {
    *("address", "address1", "address2", "agents", "all", "by", "calculate", "cancel", "city", "country", "delivered"),
    *("details", "email", "exchange", "expression", "find", "first", "get", "human", "id", "ids", "item", "items"),
    *("last", "list", "method", "modify", "name", "new", "order", "payment", "pending", "product", "reason", "return"),
    *("state", "summary", "to", "transfer", "types", "user", "zip", "search", "help", "center", "query"),
}
# A digest covers this many parts of a value: far more than a reply can hold, and never without end.
MOST_PARTS = 1_000_000


def secret() -> bytes:
    """The audit key, for hashes of the log alone."""
    return str(settings.DESKAGENT_AUDIT_KEY).encode()


def key_id() -> str:
    """Names the key in use without giving it away; entries carry it."""
    return hashlib.sha256(b"deskagent audit key id\0" + secret()).hexdigest()[:16]


def sign(text: str) -> str:
    """Keyed hash of a text, 64 hex digits."""
    return hmac.digest(secret(), text.encode("utf-8", "surrogatepass"), "sha256").hex()


def pseudonym(customer: str) -> str:
    """The same 16 hex digits for a customer in every entry; without the key they name nobody."""
    return "customer:" + sign("pseudonym\0" + customer)[:16]


def digest(value: Any) -> str:
    """Keyed digest of full arguments, so that a later dispute can prove what they were; of any value at all."""
    return sign("arguments\0" + "\n".join(_spell(value)))


def redact(value: Any, known: Iterable[str] = ()) -> Any:
    """The JSON value with personal text masked, at every depth. `known`: this customer's own personal strings."""
    return _redact(value, known_pattern(known))


def redact_name(name: str, known: Iterable[str] = ()) -> str:
    """A tool's or argument's name with personal text masked; the words of our own names stay readable."""
    return _redact_name(name, known_pattern(known))


def _redact(value: Any, known: re.Pattern[str] | None) -> Any:
    if isinstance(value, dict):
        items = [(str(name), _redact_named(str(name), item, known)) for name, item in value.items()]
        return map_names(items, lambda name: _redact_name(name, known))
    if isinstance(value, list | tuple):
        return [_redact(item, known) for item in value]
    if isinstance(value, str):
        return _mask(value, known)
    if isinstance(value, int | float) and not isinstance(value, bool):
        text = spell_int(value) if isinstance(value, int) else repr(value)
        masked = _mask(text, known)
        return value if masked == text else masked
    return value


def _redact_named(name: str, value: Any, known: re.Pattern[str] | None) -> Any:
    plain = "".join(letter for letter in name.lower() if letter.isalnum())
    if plain == "userid" and value:
        # A customer id may be made of a name, so it is a pseudonym wherever it is given as an argument.
        return pseudonym(value) if isinstance(value, str) else "[personal]"
    return "[personal]" if plain in PERSONAL and value else _redact(value, known)


def _redact_name(name: str, known: re.Pattern[str] | None) -> str:
    return _mask(name, known, spared=TRADE)


def _mask(text: str, known: re.Pattern[str] | None, *, spared: Collection[str] = ()) -> str:
    """Spans are found in the folded text and masked in the text as it was written; where two overlap, both go."""
    folded = fold(text)
    found = [*find_shapes(folded.text), *find_known(folded.text, known, spared)]
    pieces, done = [], 0
    for start, end, mask in _join(sorted(found, key=lambda span: (span[0], -span[1]))):
        if mask:
            first, last = folded.span(start, end)
            pieces += [text[done:first], mask]
            done = last
    return "".join([*pieces, text[done:]])


def _join(spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for start, end, mask in spans:
        if not joined or start >= joined[-1][1]:
            joined.append((start, end, mask))
        elif end > joined[-1][1]:
            first, _, before = joined.pop()
            joined.append((first, end, before or mask))
    return joined


def _spell(value: Any) -> Iterator[str]:
    """The value's parts in one fixed order; a container says how many follow, so no two values spell the same.

    Without recursion: no depth breaks it.
    """
    waiting = [value]
    for _ in range(MOST_PARTS):
        if not waiting:
            return
        part = waiting.pop()
        if isinstance(part, dict):
            yield f"{{{len(part)}"
            for name in sorted(part, key=str, reverse=True):
                waiting += [part[name], str(name)]
        elif isinstance(part, list | tuple):
            yield f"[{len(part)}"
            waiting += reversed(part)
        elif isinstance(part, int) and not isinstance(part, bool):
            # In hex, because Python refuses to write a very long number in decimal.
            yield hex(part)
        else:
            yield json.dumps(part, ensure_ascii=True, default=str)
