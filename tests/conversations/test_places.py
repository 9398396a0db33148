"""Only so many turns of a process compute at a time, in the order in which they asked; whoever waits takes no place."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial

import pytest
from django.db import connection
from pytest_django.fixtures import Settings

from conversations import connections
from conversations.agent import turn
from conversations.agent.protocol import ModelReply, ModelRequest, Usage
from conversations.connections import SPARE_CONNECTIONS, Places, waiting, working
from conversations.models import Turn
from tests.factories import start_chat

PATIENCE = 10


@pytest.fixture
def one_place(settings: Settings) -> Iterator[None]:
    settings.DESKAGENT_DATABASE_CONNECTIONS = 1 + SPARE_CONNECTIONS
    connections._places.cache_clear()
    yield
    connections._places.cache_clear()


def wait_for(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.001)


def test_places_are_given_in_the_order_of_asking_and_first_to_those_who_come_back() -> None:
    places, served = Places(1), []
    asked = [(number, number in (3, 6)) for number in range(8)]

    def ask(number: int, returning: bool) -> None:
        places.enter(returning=returning)
        served.append(number)
        places.leave()

    places.enter()
    threads = [threading.Thread(target=ask, args=one) for one in asked]
    for waiting_so_far, thread in enumerate(threads, 1):
        thread.start()
        wait_for(partial(is_queue, places, waiting_so_far))
    places.leave()
    for thread in threads:
        thread.join(PATIENCE)
    assert served == [3, 6, 0, 1, 2, 4, 5, 7]
    # None is lost on the way: the next one enters without waiting.
    places.enter()
    assert count_waiting(places) == 0


def count_waiting(places: Places) -> int:
    return len(places._returning) + len(places._coming)


def is_queue(places: Places, length: int) -> bool:
    return count_waiting(places) == length


@pytest.mark.parametrize("amount", [1, 3])
def test_never_more_than_the_amount_are_inside(amount: int) -> None:
    places, lock = Places(amount), threading.Lock()
    inside, most = 0, 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(50):
            places.enter()
            with lock:
                inside += 1
                most = max(most, inside)
            time.sleep(0)
            with lock:
                inside -= 1
            places.leave()

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(work) for _ in range(8)]:
            done.result(PATIENCE)
    assert most == amount


def test_a_place_is_free_while_its_owner_waits_and_taken_again_after(one_place: None) -> None:
    def work() -> str:
        with working():
            return "worked"

    with ThreadPoolExecutor(1) as pool, working():
        blocked = pool.submit(work)
        wait_for(lambda: count_waiting(connections._places()) == 1)
        with waiting():
            assert blocked.result(PATIENCE) == "worked"
        again: Future[str] = pool.submit(work)
        wait_for(lambda: count_waiting(connections._places()) == 1)
        assert not again.done()


@pytest.mark.parametrize("while_waiting", [False, True])
def test_a_place_comes_back_from_what_fails(one_place: None, while_waiting: bool) -> None:
    with pytest.raises(ZeroDivisionError), working(), waiting() if while_waiting else nullcontext():
        raise ZeroDivisionError
    with working():
        assert count_waiting(connections._places()) == 0


def test_whoever_never_had_a_place_waits_without_one(one_place: None) -> None:
    with waiting():
        pass
    with working():
        assert count_waiting(connections._places()) == 0


class Meeting:
    """Speaks once so many turns listen at the same time."""

    name = "meeting"

    def __init__(self, parties: int) -> None:
        self.barrier = threading.Barrier(parties)

    def stream(self, request: ModelRequest, on_text: Callable[[str], None]) -> ModelReply:
        self.barrier.wait(PATIENCE)
        on_text("Hello.")
        content = [{"type": "text", "text": "Hello."}]
        return ModelReply(
            content=content, stop_reason="end_turn", usage=Usage(), model=self.name, first_token_ms=1, latency_ms=1
        )


def test_turns_whose_models_speak_at_once_share_one_place(desk: None, one_place: None) -> None:
    chats = [start_chat() for _ in range(3)]
    for chat in chats:
        chat.send("What do you sell?")
    model = Meeting(len(chats))

    def work(turn_id: int) -> None:
        try:
            with working():
                turn.run(turn_id=turn_id, model=model)
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        for done in [pool.submit(work, pk) for pk in Turn.objects.values_list("pk", flat=True)]:
            done.result(3 * PATIENCE)
    assert [chat.texts() for chat in chats] == [["Hello."]] * 3
