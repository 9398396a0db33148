"""Appending to the audit log."""

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db import connection
from django.utils import timezone

from audit.chains import GENESIS, SHOP, conversation_chain
from audit.models import Entry, Head
from audit.redaction import digest, key_id, redact, sign

# Free text in an entry is bounded; the digest covers the whole.
LONGEST = 2_000
# A tool's name is the model's word: what is no plain letter cannot stand in a column on both engines.
PRINTABLE = re.compile(r"[^\x20-\x7e]")


@dataclass(frozen=True, kw_only=True)
class Details:
    """What one entry says beside its event: what was asked, what was decided and by which rule and versions."""

    action: str = ""
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
    chain = SHOP if subject == SHOP else conversation_chain(subject)
    Head.objects.bulk_create([Head(chain=chain, count=0, hash=GENESIS)], ignore_conflicts=True)
    # Read from the locked row, never sub-selected: a sub-select forks the chain under load.
    head = Head.objects.select_for_update().get(chain=chain)
    columns = {
        "chain": chain,
        "position": head.count + 1,
        "event": event,
        "at": timezone.now().isoformat(timespec="microseconds"),
        "conversation": "" if subject == SHOP else subject,
        "actor": actor,
        "action": PRINTABLE.sub("?", details.action)[:60],
        "rule": details.rule,
        "verdict": details.verdict[:40],
        "policy_version": details.policy_version,
        "key_id": key_id(),
        "previous_hash": head.hash,
    }
    canonical = canonical_text(columns | _evidence(details, known))
    head_hash = sign(canonical)
    Entry.objects.create(**columns, canonical=canonical, hash=head_hash)
    Head.objects.filter(pk=head.pk).update(count=head.count + 1, hash=head_hash)


def canonical_text(fields: dict[str, Any]) -> str:
    """The exact text that is hashed: JSON with sorted keys, no spaces, ASCII only, equal on every machine."""
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def _evidence(details: Details, known: Iterable[str]) -> dict[str, Any]:
    fields = asdict(details)
    redacted = redact({"arguments": fields["arguments"], "result": fields["result"]}, known)
    return {
        "arguments": _bounded(redacted["arguments"]),
        "arguments_digest": digest(fields["arguments"]),
        "prompt_version": details.prompt_version,
        "model": details.model,
        "result": redacted["result"][:LONGEST],
        "facts": fields["facts"],
    }


def _bounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name[:60]: _bounded(item) for name, item in list(value.items())[:40]}
    if isinstance(value, list):
        return [_bounded(item) for item in value[:100]]
    return value[:LONGEST] if isinstance(value, str) else value
