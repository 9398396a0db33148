"""Reserving and settling: rows that never pass their cap, whatever a call, a worker or a process does."""

import os
import random
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from celery.signals import worker_shutdown
from django.db import transaction
from django.utils import timezone
from pytest_django.fixtures import Settings

from approvals.models import CustomerSession
from approvals.sessions import verify
from audit.models import Entry
from conversations.agent import budget, prices
from conversations.agent.protocol import Usage
from conversations.models import ModelCall, Spend, Turn
from conversations.operations import claim, purse
from conversations.operations.blocks import Purse
from conversations.operations.spending import CapReached, close_unseen
from orders.models import Customer
from tests.conversations.helpers import at_once
from tests.conversations.spending import (
    HAIKU,
    MOST,
    REQUEST,
    cap,
    cost_of_calls,
    make_turn,
    reserve,
    settle,
    spent,
    visitor_at,
)

pytestmark = pytest.mark.usefixtures("desk")
SCOPES = ["conversation", "visitor", "shop", "total"]
SOME = Usage(input_tokens=100, output_tokens=10)
SOME_COST = prices.price(HAIKU, SOME)


@pytest.fixture(autouse=True)
def _own_purse() -> Iterator[None]:
    """The rows are new in each test, so what this process took from others is not its any more."""
    purse.forget()
    yield
    purse.forget()


def all_spent() -> list[int]:
    purse.give_back()
    return [spent(scope) for scope in SCOPES]


@pytest.mark.parametrize("scope", SCOPES)
def test_a_cap_lets_a_call_that_fits_exactly_pass_and_not_one_billionth_more(settings: Settings, scope: str) -> None:
    turn = make_turn()
    cap(settings, **{scope: 2 * MOST - 1})
    reserve(turn)
    with pytest.raises(CapReached) as refused:
        reserve(turn)
    assert refused.value.scope.value == scope
    assert (ModelCall.objects.count(), all_spent()) == (1, [MOST] * 4)
    cap(settings, **{scope: 2 * MOST})
    reserve(turn)
    assert (ModelCall.objects.count(), all_spent()) == (2, [2 * MOST] * 4)


def test_a_settled_call_costs_what_it_took_everywhere() -> None:
    held = reserve(make_turn())
    assert held.nano == MOST
    settle(held, SOME)
    assert all_spent() == [SOME_COST] * 4
    call = ModelCall.objects.get()
    assert (call.cost_nano, call.open, call.input_tokens, call.output_tokens) == (SOME_COST, False, 100, 10)
    assert '"cost_nano":15000' in Entry.objects.get(event="model_call").canonical


def test_the_offline_model_costs_nothing_and_books_nothing() -> None:
    settle(reserve(make_turn(), model="offline"), SOME)
    call = ModelCall.objects.get()
    assert (call.cost_nano, call.open, call.input_tokens) == (0, False, 100)
    assert not Spend.objects.exists()


def test_a_stream_that_ended_early_costs_its_reservation() -> None:
    settle(reserve(make_turn()), Usage(input_tokens=100, output_tokens=1), stop_reason=None)
    assert all_spent() == [MOST] * 4
    assert cost_of_calls() == MOST


def test_a_call_that_cost_more_than_it_could_is_charged_and_the_next_ones_pay(settings: Settings) -> None:
    cap(settings)
    turn = make_turn()
    settle(reserve(turn), Usage(output_tokens=1_000_000))
    assert spent("conversation") == cost_of_calls() == 500_000_000
    settle(reserve(turn), SOME)
    assert all_spent() == [500_000_000 + SOME_COST] * 4


def test_a_worker_that_died_in_a_call_leaves_it_charged_in_full() -> None:
    turn = make_turn()
    claim(turn_id=turn.pk)
    held = reserve(turn)
    Turn.objects.filter(pk=turn.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert ModelCall.objects.get().open
    assert claim(turn_id=turn.pk) is not None
    call = ModelCall.objects.get()
    assert (call.open, call.stop_reason, call.cost_nano) == (False, "unseen", MOST)
    entry = Entry.objects.get(event="model_call")
    assert entry.verdict == "unseen"
    assert f'"cost_nano":{MOST}' in entry.canonical

    # The dead worker was only slow: what it learns now changes nothing.
    settle(held, SOME)
    assert (cost_of_calls(), all_spent()) == (MOST, [MOST] * 4)
    assert Entry.objects.filter(event="model_call").count() == 1


def test_a_rolled_back_settlement_frees_nothing_and_can_be_repeated() -> None:
    held = reserve(make_turn())
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        settle(held, SOME)
        raise ZeroDivisionError
    assert all_spent() == [MOST] * 4
    settle(held, SOME)
    settle(held, SOME)
    assert all_spent() == [SOME_COST] * 4


def test_each_try_is_booked_and_a_lost_one_is_charged_beside_the_reply() -> None:
    turn = make_turn()
    held = reserve(turn)
    assert [budget.retry(held, conversation=turn.conversation) for _ in range(2)] == [True, True]
    assert [*all_spent(), cost_of_calls()] == [3 * MOST] * 5
    settle(held, SOME, lost=1)
    assert [*all_spent(), cost_of_calls()] == [MOST + SOME_COST] * 5


@pytest.mark.parametrize(("lost", "reason"), [(0, "refused_unbilled"), (1, "unseen"), (2, "unseen")])
def test_a_call_without_a_reply_costs_the_tries_that_may_have_been_billed(lost: int, reason: str) -> None:
    turn = make_turn()
    held = reserve(turn)
    budget.retry(held, conversation=turn.conversation)
    with transaction.atomic():
        budget.settle(held, conversation=turn.conversation, reply=None, lost=lost)
    assert [*all_spent(), cost_of_calls()] == [lost * MOST] * 5
    call = ModelCall.objects.get()
    assert (call.open, call.stop_reason) == (False, reason)


@pytest.mark.parametrize("scope", SCOPES)
def test_a_further_try_that_no_cap_has_room_for_is_not_made(settings: Settings, scope: str) -> None:
    cap(settings, **{scope: 2 * MOST - 1})
    turn = make_turn()
    held = reserve(turn)
    assert not budget.retry(held, conversation=turn.conversation)
    assert [*all_spent(), cost_of_calls()] == [MOST] * 5


def test_a_worker_whose_turn_was_claimed_again_makes_no_further_try() -> None:
    turn = make_turn()
    held = reserve(turn)
    with transaction.atomic():
        close_unseen(turn)
    assert not budget.retry(held, conversation=turn.conversation)
    assert [*all_spent(), cost_of_calls()] == [MOST] * 5


def test_a_worker_that_stops_gives_its_block_back(settings: Settings) -> None:
    cap(settings, shop=1_000 * MOST)
    settle(reserve(make_turn()), SOME)
    assert spent("shop") > MOST
    worker_shutdown.send(sender=None)
    assert spent("shop") == spent("total") == SOME_COST


def test_a_forked_child_does_not_own_its_parents_block() -> None:
    purse.stock_up(MOST)
    child = os.fork()
    if child == 0:
        os._exit(len(purse._left))
    assert os.waitpid(child, 0)[1] == 0
    assert len(purse._left) == 1


def test_a_hundred_random_calls_end_in_books_that_agree(settings: Settings) -> None:
    cap(settings)
    dice = random.Random(7)
    turn = make_turn()
    longest = prices.count_at_most(REQUEST)
    for _ in range(100):
        held = reserve(turn)
        usage = Usage(input_tokens=dice.randrange(longest), output_tokens=dice.randint(0, 1_000))
        settle(held, usage, stop_reason=dice.choice(["end_turn", "tool_use", None]))
    assert all_spent() == [cost_of_calls()] * 4


# --- Visitors ---


def test_two_conversations_of_one_address_share_its_cap_and_another_address_has_its_own(settings: Settings) -> None:
    cap(settings, visitor=2 * MOST - 1)
    reserve(make_turn("192.0.2.1"))
    with pytest.raises(CapReached):
        reserve(make_turn("192.0.2.1"))
    reserve(make_turn("192.0.2.2"))


def test_a_verified_customer_has_one_cap_wherever_they_write_from(settings: Settings) -> None:
    cap(settings, visitor=2 * MOST - 1)
    nora, zoe = Customer.objects.order_by("pk")[:2]
    turns = [make_turn(f"192.0.2.{number}") for number in range(3)]
    for turn, customer in zip(turns, (nora, nora, zoe), strict=True):
        session = CustomerSession.objects.get(conversation=turn.conversation_id)
        verify(session=session, customer=customer, strength=CustomerSession.Strength.LOOKUP)
    reserve(turns[0])
    with pytest.raises(CapReached):
        reserve(turns[1])
    reserve(turns[2])
    names = Spend.objects.filter(scope="visitor").values_list("subject", flat=True)
    assert not any(nora.user_id in name or zoe.user_id in name for name in names)


def test_what_a_visitor_cost_before_they_were_verified_stays_with_the_address() -> None:
    turn = make_turn()
    held = reserve(turn)
    session = CustomerSession.objects.get(conversation=turn.conversation_id)
    verify(session=session, customer=Customer.objects.first(), strength=CustomerSession.Strength.LOOKUP)
    settle(held, SOME)
    assert spent("visitor", visitor_at("192.0.2.1")) == spent("visitor") == SOME_COST


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("2001:db8::1", "2001:db8::ffff:0:0:2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("", "nonsense", True),
        ("", "192.0.2.1", False),
    ],
)
def test_addresses_that_one_visitor_can_choose_from_are_one_visitor(one: str, other: str, same: bool) -> None:
    assert (visitor_at(one) == visitor_at(other)) is same
    assert one == "" or one not in visitor_at(one)


# --- Days ---


def test_yesterdays_spending_leaves_todays_caps_whole(settings: Settings) -> None:
    cap(settings, shop=MOST, visitor=MOST)
    for scope, subject in (("shop", ""), ("visitor", visitor_at("192.0.2.1"))):
        Spend.objects.create(scope=scope, subject=subject, day="2020-01-01", nano=MOST)
    reserve(make_turn())
    with pytest.raises(CapReached):
        reserve(make_turn())


def test_a_block_pays_only_for_its_own_day(settings: Settings) -> None:
    cap(settings, shop=100 * MOST)
    days = ["2026-01-01"]
    own = Purse(lambda: days[0])
    own.stock_up(MOST)
    own.take(MOST, "2026-01-01")
    block = spent("shop")
    assert block > MOST
    days[0] = "2026-01-02"
    own.stock_up(MOST)
    own.take(MOST, "2026-01-02")
    # A call that began yesterday ends today: what it did not cost belongs to yesterday.
    own.put_back(MOST - 1, "2026-01-01")
    assert Spend.objects.get(scope="shop", day="2026-01-01").nano == block - MOST + 1
    own.give_back()
    by_day = dict(Spend.objects.filter(scope="shop").values_list("day", "nano"))
    assert by_day == {"2026-01-01": 1, "2026-01-02": MOST}
    assert spent("total") == MOST + 1


# --- Blocks ---


def test_a_block_shrinks_with_what_is_left_down_to_one_call(settings: Settings) -> None:
    cap(settings, shop=400 * MOST)
    own, day, blocks = Purse(lambda: "2026-01-01"), "2026-01-01", []
    while True:
        before = spent("shop")
        own.stock_up(MOST)
        if spent("shop") > before:
            blocks.append((spent("shop") - before) // MOST)
        try:
            own.take(MOST, day)
        except CapReached:
            break
    assert blocks[0] == 25
    assert blocks == sorted(blocks, reverse=True)
    assert blocks[-15:] == [1] * 15
    assert len(blocks) < 100
    assert spent("shop") == 400 * MOST


def test_most_calls_lock_no_row_of_the_shop(settings: Settings, django_assert_num_queries: Any) -> None:
    cap(settings, shop=10_000 * MOST)
    own = Purse(lambda: "2026-01-01")
    own.stock_up(MOST)
    with django_assert_num_queries(0):
        for _ in range(49):
            own.stock_up(MOST)
            own.take(MOST, "2026-01-01")


def test_an_unused_block_is_given_back_at_the_second_look_and_a_used_one_is_kept(settings: Settings) -> None:
    cap(settings, shop=1_000 * MOST)
    settle(reserve(make_turn()), SOME)
    purse.give_back_if_idle()
    assert spent("shop") > MOST
    purse.give_back_if_idle()
    assert spent("shop") == spent("total") == SOME_COST


def test_a_block_that_no_process_gives_back_counts_as_spent(settings: Settings) -> None:
    cap(settings, shop=32 * MOST)
    killed = Purse(lambda: "2026-01-01")
    killed.stock_up(MOST)
    held, taken = spent("shop") // MOST, 0
    other = Purse(lambda: "2026-01-01")
    with pytest.raises(CapReached):
        while True:
            other.stock_up(MOST)
            other.take(MOST, "2026-01-01")
            taken += 1
    assert (held, taken) == (2, 30)


def test_near_the_cap_what_a_call_did_not_cost_is_there_for_another_process(settings: Settings) -> None:
    cap(settings, shop=2 * MOST)
    held = reserve(make_turn())
    settle(held, SOME)
    assert spent("shop") == SOME_COST
    other = Purse(lambda: held.day)
    other.stock_up(MOST)
    other.take(MOST, held.day)


def test_threads_that_draw_on_one_purse_never_pass_the_cap(settings: Settings) -> None:
    """32 threads, each until it is refused, against room for 300 calls."""
    cap(settings, shop=300 * MOST + MOST // 2)
    own = Purse(lambda: "2026-01-01")

    def draw() -> int:
        for taken in range(1_000):
            try:
                own.stock_up(MOST)
                own.take(MOST, "2026-01-01")
            except CapReached:
                return taken
        raise AssertionError("never refused")

    counts = at_once(*[draw] * 32)
    assert sum(counts) == 300
    own.give_back()
    assert spent("shop") == spent("total") == 300 * MOST
