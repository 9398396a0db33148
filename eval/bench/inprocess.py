"""Whole turns in one process with a model that takes no time: what the desk itself costs."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from celery import Celery
from django.test.utils import override_settings

from conversations.agent import turn
from conversations.agent.protocol import Model
from conversations.models import Turn
from conversations.nudge import RUN_TURN
from conversations.operations import post_customer_message, start_conversation
from deskagent.celery import app as product
from eval.bench import shop
from eval.bench.counters import CommitCounter, counting_queries
from eval.bench.scripted import ScriptedModel
from eval.database import temporary_database
from orders.interchange import load

PLENTY = Decimal(1_000_000)


class Inbox(Celery):
    """Takes what the desk sends to its workers; the measurement is the worker."""

    def __init__(self) -> None:
        super().__init__("bench", set_as_current=False)
        self.due: list[int] = []

    def send_task(self, name: str, args: Any = None, kwargs: Any = None, **options: Any) -> Any:  # type: ignore[override]
        if name == RUN_TURN:
            self.due.append(kwargs["turn_id"])


@dataclass(frozen=True, kw_only=True)
class Cost:
    """One turn: the desk's own seconds from the customer's words to the stored reply, its processor time, and what
    its worker cost the database where that was counted."""

    seconds: float
    cpu: float
    commits: int = 0
    queries: int = 0


@dataclass(kw_only=True)
class Desk:
    """A desk in this process, with nobody else on its database."""

    inbox: Inbox
    model: Model = field(default_factory=ScriptedModel)
    said: int = 0

    def open_chat(self) -> UUID:
        return start_conversation(address="bench")[0].pk

    def say(self, chat: UUID, words: str) -> Cost:
        """One turn, timed."""
        self.said += 1
        before, used, started = self.spent, time.process_time(), time.perf_counter()
        post_customer_message(conversation_id=chat, client_id=f"c{self.said}", text=words)
        self.work()
        taken = time.perf_counter() - started
        spent = self.spent - before
        return Cost(seconds=taken - spent, cpu=time.process_time() - used - spent)

    @property
    def spent(self) -> float:
        """The scripted model's own seconds so far; any other's are the desk's as far as this can tell."""
        return self.model.spent if isinstance(self.model, ScriptedModel) else 0.0

    def count(self, chat: UUID, words: str, commits: CommitCounter) -> Cost:
        """One turn, its worker's commits and queries counted."""
        self.said += 1
        post_customer_message(conversation_id=chat, client_id=f"c{self.said}", text=words)
        commits.mark()
        with counting_queries() as queries:
            self.work()
        return Cost(seconds=0.0, cpu=0.0, commits=commits.count(), queries=len(queries))

    def work(self) -> None:
        """Do what waits, as a worker would."""
        while self.inbox.due:
            turn_id = self.inbox.due.pop(0)
            turn.run(turn_id=turn_id, model=self.model)

    def talk(self, place: int) -> list[Cost]:
        """The three turns of one conversation."""
        chat = self.open_chat()
        return [self.say(chat, words) for words in shop.list_turns(place)]


class WentWrong(Exception):
    """The conversation did not end as it must, so its figures measure nothing."""


def check_all_done() -> None:
    """Raises `WentWrong` unless every turn was answered by the agent."""
    odd = Turn.objects.exclude(state=Turn.State.DONE)
    if odd.exists():
        raise WentWrong(f"{odd.count()} turns ended as {sorted(set(odd.values_list('state', flat=True)))}")


@contextmanager
def desk(*, orders: int = shop.ORDERS, large: int = shop.LARGE) -> Iterator[Desk]:
    """A desk with the measured shop, on a temporary database and without limits."""
    room = override_settings(
        DESKAGENT_SPEND_CAP_USD=PLENTY,
        DESKAGENT_SPEND_CAP_VISITOR_USD=PLENTY,
        DESKAGENT_SPEND_CAP_CONVERSATION_USD=PLENTY,
        DESKAGENT_TURNS_CONVERSATION=10_000,
    )
    inbox = Inbox()
    with room, temporary_database(), TemporaryDirectory() as folder:
        shop.write_shop(Path(folder), orders=orders, large=large)
        load(folder=Path(folder), replace=True)
        inbox.set_current()
        try:
            yield Desk(inbox=inbox)
        finally:
            product.set_current()
