"""Every effect with what proves it: its request, its bookings, and the audit log's words about both."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from approvals.models import ActionRequest
from audit.queries import list_events
from eval.books.gateway_ledger import ProviderEffect, read_ledger
from orders.models import Effect, Payment, PaymentMethod, Refund


@dataclass(frozen=True, kw_only=True)
class Said:
    """One audit entry about an effect or request."""

    event: str
    chain: str
    position: int
    at: datetime
    actor: str
    policy_version: int | None
    digest: str
    facts: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Read once for all checks of effects. The ledger's file is read first, so rows know more than it, never less."""

    now: datetime
    ledger: tuple[ProviderEffect, ...] | None = None
    ledger_read_at: datetime | None = None
    effects: list[Effect] = field(default_factory=list)

    @cached_property
    def requests(self) -> dict[str, ActionRequest]:
        return {str(row.pk): row for row in ActionRequest.objects.select_related("session", "decided_by")}

    @cached_property
    def bookings(self) -> dict[str, list[Payment]]:
        """By effect key."""
        found: dict[str, list[Payment]] = defaultdict(list)
        for row in Payment.objects.filter(effect__isnull=False).select_related("effect", "method"):
            found[row.effect.key if row.effect else ""].append(row)
        return found

    @cached_property
    def refunds(self) -> dict[int, list[Refund]]:
        """What went through a remote gateway, by effect."""
        found: dict[int, list[Refund]] = defaultdict(list)
        for row in Refund.objects.order_by("pk"):
            found[row.effect_id].append(row)
        return found

    @cached_property
    def alone(self) -> dict[tuple[str, str], list[Effect]]:
        """What was granted without a person, by the conversation, order and customer that it counts along for."""
        found: dict[tuple[str, str], list[Effect]] = defaultdict(list)
        for effect in self.effects:
            if not effect.approved_by and effect.state != Effect.State.FAILED:
                found["conversation", str(effect.conversation)].append(effect)
                found["user", effect.user_id].append(effect)
                if effect.order_number:
                    found["order", effect.order_number].append(effect)
        return found

    @cached_property
    def writes(self) -> dict[str, list[Said]]:
        """`write_ok` by effect key."""
        return _group("write_ok", "effect_key")

    @cached_property
    def ends(self) -> dict[str, list[Said]]:
        """What was said of a remote refund's end, by the refund's key."""
        found = _group("refund_settled", "refund_key")
        for key, entries in _group("write_failed", "refund_key").items():
            found[key] += entries
        return found

    @cached_property
    def approvals(self) -> dict[str, list[Said]]:
        """`approval_granted` by request."""
        return _group("approval_granted", "request")


def gather(*, now: datetime, ledger_file: Path | None, ledger_read_at: datetime | None) -> Evidence:
    ledger = tuple(read_ledger(ledger_file)) if ledger_file else None
    return Evidence(
        now=now, ledger=ledger, ledger_read_at=ledger_read_at, effects=list(Effect.objects.order_by("created_at", "pk"))
    )


def sent(row: Payment) -> bool:
    """A refund that goes through the gateway; a gift card's balance is the shop's own row."""
    return row.kind == Payment.Kind.REFUND and row.method.source != PaymentMethod.Source.GIFT_CARD and row.amount > 0


def _group(event: str, fact: str) -> dict[str, list[Said]]:
    found: dict[str, list[Said]] = defaultdict(list)
    for entry in list_events(event).iterator(chunk_size=1_000):
        fields = entry.fields
        if not entry.at:
            # Somebody wrote there: the history's line names it, and here it proves nothing.
            continue
        facts = fields["facts"] or {}
        found[str(facts.get(fact, ""))].append(
            Said(
                event=entry.event,
                chain=entry.chain,
                position=entry.position,
                at=datetime.fromisoformat(entry.at),
                actor=entry.actor,
                policy_version=entry.policy_version,
                digest=str(fields["arguments_digest"]),
                facts=facts,
            )
        )
    return found
