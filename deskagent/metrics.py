"""What `/metrics` says: read from the rows at each scrape, so that every process gives the same figures."""

from collections.abc import Iterable

from django.db import connection, transaction
from django.utils import timezone
from prometheus_client import Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from approvals.queries import list_waiting
from conversations.models import Turn
from conversations.queries import Work, count_work
from orders.models import Effect
from orders.queries import count_effects

MOST_MILLISECONDS = 2_000


class DeskCollector(Collector):
    def collect(self) -> Iterable[Metric]:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    # Sums over all calls grow with the shop; a scrape must not.
                    cursor.execute(f"SET LOCAL statement_timeout = {MOST_MILLISECONDS}")
            work, effects, waiting = count_work(), count_effects(), list_waiting().count()
        yield _by_state("deskagent_turns", "Turns by state.", Turn.State.values, work.turns)
        yield GaugeMetricFamily(
            "deskagent_oldest_queued_turn_age_seconds",
            "Age of the oldest turn that no worker has begun; 0 without one.",
            value=_age(work),
        )
        yield GaugeMetricFamily(
            "deskagent_open_tickets", "Chats in which a person must reply.", value=work.open_tickets
        )
        yield GaugeMetricFamily(
            "deskagent_requests_awaiting_staff", "Requests that a person must decide.", value=waiting
        )
        yield _by_state("deskagent_effects", "Changes by state.", Effect.State.values, effects)
        yield CounterMetricFamily("deskagent_model_calls", "Calls of the model.", value=work.model_calls)
        tokens = CounterMetricFamily(
            "deskagent_model_tokens", "Tokens by the kind they are billed as.", labels=["kind"]
        )
        for kind, count in work.tokens.items():
            tokens.add_metric([kind], count)
        yield tokens


def render() -> bytes:
    """Prometheus text. Raises `DatabaseError` where the figures cannot be read in time."""
    return generate_latest(DeskCollector())


def _by_state(name: str, text: str, states: list[str], counts: dict[str, int]) -> GaugeMetricFamily:
    """Every state is named, also those that nothing is in: a missing series looks like a missing desk."""
    family = GaugeMetricFamily(name, text, labels=["state"])
    for state in states:
        family.add_metric([state], counts.get(state, 0))
    return family


def _age(work: Work) -> float:
    if work.oldest_queued_at is None:
        return 0.0
    return max(0.0, (timezone.now() - work.oldest_queued_at).total_seconds())
