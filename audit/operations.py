"""Appending to the audit log."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from django.utils import timezone

from audit.chains import GENESIS, SHOP, conversation_chain
from audit.crash_points import reach
from audit.models import Entry, Head
from audit.plain import make_plain, make_text, map_names
from audit.redaction import digest, key_id, redact, redact_name, sign

# Free text in an entry is bounded, after masking; the digest covers the whole.
LONGEST, LONGEST_NAME = 2_000, 60
WIDTHS = {column.name: column.max_length for column in Entry._meta.fields}


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
    known = list(known)
    chain = SHOP if subject == SHOP else conversation_chain(subject)
    head = _lock_head(chain)
    columns = {
        "chain": chain,
        "position": head.count + 1,
        "event": event,
        "at": timezone.now().isoformat(timespec="microseconds"),
        "conversation": "" if subject == SHOP else subject,
        "actor": _fit("actor", actor),
        "action": _fit("action", redact_name(details.action, known)),
        "rule": _fit("rule", details.rule),
        "verdict": _fit("verdict", details.verdict),
        "policy_version": details.policy_version,
        "key_id": key_id(),
        "previous_hash": head.hash,
    }
    canonical = canonical_text(columns | _evidence(details, known))
    head_hash = sign(canonical)
    Entry.objects.create(**columns, canonical=canonical, hash=head_hash)
    Head.objects.filter(pk=head.pk).update(count=head.count + 1, hash=head_hash)
    reach("audit written")


def _lock_head(chain: str) -> Head:
    """Read from the locked row, never sub-selected: a sub-select forks the chain under load."""
    heads = Head.objects.select_for_update()
    head = heads.filter(chain=chain).first()
    if head is not None:
        return head
    Head.objects.bulk_create([Head(chain=chain, count=0, hash=GENESIS)], ignore_conflicts=True)
    return heads.get(chain=chain)


def canonical_text(fields: dict[str, Any]) -> str:
    """The exact text that is hashed: JSON with sorted keys, no spaces, ASCII only, equal on every machine."""
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def _fit(column: str, text: str) -> str:
    """The text as its column can hold it on both engines."""
    return make_text(text)[: WIDTHS[column]]


def _evidence(details: Details, known: Iterable[str]) -> dict[str, Any]:
    return {
        "arguments": _shorten(redact(make_plain(details.arguments), known)),
        "result": _shorten(redact(make_plain(details.result), known)),
        "arguments_digest": digest(details.arguments),
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
