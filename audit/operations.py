"""Appending to the audit log."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.db import connection

from audit.chains import GENESIS, SHOP, conversation_chain
from audit.crash_points import reach
from audit.cursors import open_cursor
from audit.forms import hash_entry, write_fields
from audit.models import Head
from audit.plain import make_plain, make_text, map_names
from audit.redaction import digest, redact, redact_name
from audit.statements import Slot, Tuples

# Free text in an entry is bounded, after masking; the digest covers the whole.
LONGEST, LONGEST_NAME = 2_000, 60
WIDTHS = {"actor": 120, "action": 60, "rule": 8, "verdict": 40}

# By hand, because one entry costs the ORM more time to phrase than the database to write.
ADD_ENTRY = "INSERT INTO audit_entry (chain, position, event, hash, canonical) VALUES (%s, %s, %s, %s, %s)"
ADD_HEAD = "INSERT INTO audit_head (chain, count, hash, anchored) VALUES (%s, %s, %s, 0) ON CONFLICT (chain) DO NOTHING"
MOVE_HEAD = "UPDATE audit_head SET count = %s, hash = %s WHERE chain = %s AND count = %s AND hash = %s"
_CHAIN = Slot("chain", Head._meta.get_field("chain"))
_END = Tuples(lambda: Head.objects.select_for_update().filter(chain=_CHAIN).values_list("count", "hash"))

# Where this process saw each chain end. A guess, whatever became of its transaction: a head moves only from there.
seen_ends: dict[str, tuple[int, str]] = {}
MOST_ENDS = 10_000


@dataclass(frozen=True, kw_only=True)
class Details:
    """What one entry says beside its event: what was asked, what was decided and by which rule and versions."""

    action: str = ""
    # The model's own words, whatever they are; `record` takes any value.
    arguments: dict[str, Any] = field(default_factory=dict)
    rule: str = ""
    verdict: str = ""
    policy_version: int | None = None
    prompt_version: str = ""
    model: str = ""
    result: str = ""
    # Public numbers of the request, effect and ticket this entry is about, amounts and the like. Never free text.
    facts: dict[str, Any] = field(default_factory=dict)


def record(*, event: str, subject: str, actor: str, details: Details, known: Iterable[str] = ()) -> None:
    """Append one entry to the chain of `subject`: a conversation's id, or `SHOP`.

    Call it inside the transaction of the change it proves, as the last lock taken: the chain's head stays locked
    until commit. `known` are this customer's names, addresses and contacts, used for masking and never stored.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("audit.record must run inside the transaction of the change it proves")
    known = tuple(known)
    fields = {
        "event": event,
        "at": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}",
        "actor": _fit("actor", actor),
        "action": _fit("action", redact_name(details.action, known)),
        "rule": _fit("rule", details.rule),
        "verdict": _fit("verdict", details.verdict),
        "policy_version": details.policy_version,
    }
    _append(SHOP if subject == SHOP else conversation_chain(subject), fields | _evidence(details, known))
    reach("audit written")


def _append(chain: str, fields: dict[str, Any]) -> None:
    """The next entry of the chain: its head moves first, and only from the very entry that this one follows.

    So neither two writers at once nor a guess from a transaction that was rolled back can fork the chain.
    """
    end = seen_ends.get(chain) or _lock_end(chain)
    while True:
        count, previous = end or (0, GENESIS)
        position = count + 1
        canonical = write_fields(fields | {"position": position})
        found = hash_entry(chain=chain, previous=previous, canonical=canonical)
        cursor = open_cursor(connection)
        if end is None:
            cursor.execute(ADD_HEAD, (chain, position, found))
        else:
            cursor.execute(MOVE_HEAD, (position, found, chain, count, previous))
        if cursor.rowcount == 1:
            break
        end = _lock_end(chain)
    open_cursor(connection).execute(ADD_ENTRY, (chain, position, fields["event"], found, canonical))
    if len(seen_ends) >= MOST_ENDS:
        seen_ends.clear()
    seen_ends[chain] = (position, found)


def _lock_end(chain: str) -> tuple[int, str] | None:
    """Read from the locked row, never sub-selected: a sub-select forks the chain under load."""
    found: tuple[int, str] | None = _END.first(chain=chain)
    return found


def _fit(name: str, text: str) -> str:
    return make_text(text)[: WIDTHS[name]]


def _evidence(details: Details, known: Iterable[str]) -> dict[str, Any]:
    return {
        "arguments": _shorten(redact(make_plain(details.arguments), known)),
        "result": _shorten(redact(make_plain(details.result), known)),
        # Without arguments there is nothing to prove.
        "arguments_digest": digest(details.arguments) if details.arguments != {} else "",
        "prompt_version": make_text(details.prompt_version),
        "model": make_text(details.model),
        "facts": make_plain(details.facts),
    }


def _shorten(value: Any) -> Any:
    if isinstance(value, dict):
        return map_names([(name, _shorten(item)) for name, item in value.items()], lambda name: name[:LONGEST_NAME])
    if isinstance(value, list):
        return [_shorten(item) for item in value]
    return value[:LONGEST] if isinstance(value, str) else value
