"""What an entry's canonical text says, and the hash that binds it to the entry before it: in two forms, because an
entry keeps the form it was written in.

The first form is known by its hash of 64 hex digits; its text repeats the chain's name and the hash before it. In the
second one both are part of the key that the text is hashed with, and what is empty is left out.
"""

import base64
import hmac
import json
from typing import Any, cast

from audit.redaction import key_id, secret, sign

# The second form's names; a text without `n` is of the first. Whoever reads gets the long names in either.
SHORT = {
    "action": "do",
    "actor": "by",
    "arguments": "args",
    "arguments_digest": "digest",
    "at": "at",
    "event": "event",
    "facts": "facts",
    "key_id": "key",
    "model": "model",
    "policy_version": "policy",
    "position": "n",
    "prompt_version": "prompt",
    "result": "result",
    "rule": "rule",
    "verdict": "verdict",
}
LONG = {short: name for name, short in SHORT.items()}
EMPTY: dict[str, Any] = dict.fromkeys(SHORT, "") | {"arguments": {}, "facts": {}, "policy_version": None}
OLD_HASH = 64
# So much of a key's id tells one key from another.
KEY_LETTERS = 8


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


class Unreadable(Exception):
    """The text is no entry's."""


def canonical_text(fields: dict[str, Any]) -> str:
    """The exact text that is hashed: JSON with sorted keys, no spaces, ASCII only, equal on every machine."""
    return _CANONICAL.encode(fields)


def write_fields(fields: dict[str, Any]) -> str:
    """The second form of what an entry says; `key_id` is added."""
    said = fields | {"key_id": key_id()[:KEY_LETTERS]}
    if said.get("arguments_digest"):
        said["arguments_digest"] = _spell(bytes.fromhex(said["arguments_digest"]))
    return canonical_text({SHORT[name]: said[name] for name in said if said[name] != EMPTY[name]})


def read_fields(canonical: str) -> dict[str, Any]:
    """All that an entry says, under the long names; raises `Unreadable`."""
    try:
        found = json.loads(canonical)
    except (ValueError, RecursionError) as error:
        raise Unreadable("the text is no JSON") from error
    if not isinstance(found, dict):
        raise Unreadable("the text is no object")
    if SHORT["position"] not in found:
        return cast(dict[str, Any], found)
    said = EMPTY | {LONG[short]: value for short, value in found.items() if short in LONG}
    try:
        return said | {"arguments_digest": base64.urlsafe_b64decode(said["arguments_digest"] + "=").hex()}
    except (ValueError, TypeError) as error:
        raise Unreadable("its digest is none") from error


def hash_entry(*, chain: str, previous: str, canonical: str) -> str:
    """The second form's hash: of the canonical bytes, under a key that only this place of this chain has."""
    place = hmac.digest(secret(), f"entry\0{chain}\0{previous}".encode("utf-8", "surrogatepass"), "sha256")
    return _spell(hmac.digest(place, canonical.encode("utf-8", "surrogatepass"), "sha256"))


def find_fault(*, chain: str, previous: str, canonical: str, entry_hash: str, columns: dict[str, Any]) -> str:
    """Why the text is not what was hashed at this place, or which column is not what it says; nothing where all is."""
    old = len(entry_hash) == OLD_HASH
    expected = sign(canonical) if old else hash_entry(chain=chain, previous=previous, canonical=canonical)
    if not hmac.compare_digest(expected.encode(), entry_hash.encode()):
        return _explain(canonical)
    try:
        fields = read_fields(canonical)
    except Unreadable:
        # Signed with the key, for something else.
        return "the stored text is no entry's"
    if old and fields.get("previous_hash") != previous:
        return "it does not continue the entry before it"
    if old:
        columns = columns | {"chain": chain}
    wrong = next((name for name, value in columns.items() if fields.get(name) != value), "")
    return f"column {wrong} is not what was hashed" if wrong else ""


def is_own_key(written_with: str) -> bool:
    """Whether an entry that names this key id was written with the key in use."""
    return len(written_with) >= KEY_LETTERS and key_id().startswith(written_with)


def _spell(found: bytes) -> str:
    """43 letters for what 64 hex digits would say."""
    return base64.urlsafe_b64encode(found).rstrip(b"=").decode()


def _explain(canonical: str) -> str:
    try:
        written_with = read_fields(canonical).get("key_id")
    except Unreadable:
        written_with = None
    if isinstance(written_with, str) and not is_own_key(written_with):
        return f"it was written with another key, {written_with[:16]}"
    return "the stored bytes do not match the hash, or do not continue the entry before it"
