"""What an audit entry may say about a person: pseudonyms and masks, with a keyed digest to prove the full text.

Known values (this customer's own name, e-mail, address) are masked wherever they stand; e-mails, card numbers
and phone numbers are masked by their shape, since a message may hold somebody else's.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Iterable
from typing import Any

from django.conf import settings

EMAIL = re.compile(r"[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
CARD = re.compile(r"(?<![\w#])\d(?:[ -]?\d){12,18}(?!\w)")
PHONE = re.compile(r"(?<![\w#])(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\)|\d{3})[ .-]\d{3}[ .-]\d{3,4}(?!\w)")
SHAPES = ((EMAIL, "[email]"), (CARD, "[card]"), (PHONE, "[phone]"))
# Argument names whose whole value is personal, whoever it belongs to.
PERSONAL = {"email", "first_name", "last_name", "zip", "address1", "address2", "city", "state", "summary"}


def key_id() -> str:
    """Names the key in use without giving it away; entries carry it."""
    return hashlib.sha256(b"deskagent audit key id\0" + _key()).hexdigest()[:16]


def sign(text: str) -> str:
    """Keyed hash of a text, 64 hex digits."""
    return hmac.new(_key(), text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def pseudonym(customer: str) -> str:
    """The same 16 hex digits for a customer in every entry; without the key they name nobody."""
    return "customer:" + sign("pseudonym\0" + customer)[:16]


def digest(value: Any) -> str:
    """Keyed digest of full arguments, so that a later dispute can prove what they were."""
    return sign("arguments\0" + json.dumps(value, sort_keys=True, ensure_ascii=True, default=str))


def redact(value: Any, known: Iterable[str] = ()) -> Any:
    """The JSON value with personal text masked, at every depth. `known`: this customer's own personal strings."""
    words = sorted({word for word in known if len(word) >= 2}, key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words), re.IGNORECASE)
    return _redact(value, pattern if words else None)


def _redact(value: Any, known: re.Pattern[str] | None) -> Any:
    if isinstance(value, dict):
        return {str(name): _redact_named(str(name), item, known) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_redact(item, known) for item in value]
    if not isinstance(value, str):
        return value
    for shape, mask in SHAPES:
        value = shape.sub(mask, value)
    return known.sub("[personal]", value) if known else value


def _redact_named(name: str, value: Any, known: re.Pattern[str] | None) -> Any:
    # A customer id may be made of a name, so it is a pseudonym wherever it is given as an argument.
    if name == "user_id" and isinstance(value, str) and value:
        return pseudonym(value)
    return "[personal]" if name in PERSONAL and value else _redact(value, known)


def _key() -> bytes:
    return str(settings.DESKAGENT_AUDIT_KEY).encode()
