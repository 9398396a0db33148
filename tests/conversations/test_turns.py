"""Turns under bad luck: two workers, dead workers, lost nudges, and news that nobody delivered."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django.fixtures import Settings

from approvals import operations as gate
from approvals.models import ActionRequest
from approvals.signals import request_moved
from audit.queries import verify
from conversations import receivers, tasks
from conversations.agent import llm, loop, prompt
from conversations.agent.asking import prepare
from conversations.models import ModelCall, Step, Turn
from conversations.operations import LostLease, TakenOver, claim, fail_turn, holding, sweep
from conversations.timeline import say as say_in
from orders.models import Effect, Order
from tests.conversations.helpers import (
    CANCEL_SMALL,
    LOOK_UP,
    PERSON,
    answered_chat,
    assert_requests_extend,
    at_once,
    open_card,
    twin,
    wait_for_staff,
    while_speaking,
)
from tests.factories import LARGE, SMALL, Chat, run_turns, start_chat
from tests.scripted import Scripted, call, say

pytestmark = pytest.mark.usefixtures("desk")


def queued_turn(words: str = "Hello") -> tuple[Chat, Turn]:
    chat = start_chat()
    assert chat.send(words).status_code == 202
    return chat, Turn.objects.get()


def expire_lease(turn: Turn) -> None:
    Turn.objects.filter(pk=turn.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def age(turn: Turn, seconds: int) -> None:
    Turn.objects.filter(pk=turn.pk).update(created_at=timezone.now() - timedelta(seconds=seconds))


def swept(**ahead: int) -> tuple[int, int, int]:
    """What a sweep did: expired, told, nudged."""
    done = sweep(now=timezone.now() + timedelta(**ahead))
    return done.expired, done.told, done.nudged


@contextmanager
def chat_is_deaf() -> Iterator[None]:
    """The process dies between the gate's commit and telling the chat."""
    request_moved.disconnect(dispatch_uid="conversations.tell_the_chat")
    try:
        yield
    finally:
        receivers.connect()


def test_a_claimed_turn_cannot_be_claimed_again() -> None:
    _, turn = queued_turn()
    assert claim(turn_id=turn.pk) is not None
    assert claim(turn_id=turn.pk) is None


def test_of_many_workers_one_gets_the_turn() -> None:
    _, turn = queued_turn()
    claims = at_once(*[lambda: claim(turn_id=turn.pk)] * 5)
    assert not [error for error in claims if isinstance(error, Exception)]
    assert len([claimed for claimed in claims if claimed]) == 1


def test_a_dead_workers_turn_is_taken_and_its_late_write_changes_nothing() -> None:
    chat, turn = queued_turn()
    old = claim(turn_id=turn.pk)
    expire_lease(turn)
    new = claim(turn_id=turn.pk)
    assert old is not None and new is not None and new.fence > old.fence
    before = chat.events()

    with pytest.raises(LostLease), holding(old) as (conversation, _):
        say_in(conversation, "agent", "A voice from the grave.")
    with pytest.raises(LostLease):
        fail_turn(claimed=old, reason="fault")
    with holding(new) as (conversation, held):
        assert held.pk == turn.pk
        prompt.pin(conversation)
        call = prepare(llm.get_model(), new, conversation, held, number=1)
    with pytest.raises(LostLease):
        loop.run(model=llm.get_model(), claimed=old, call=call)

    assert (chat.events(), chat.state()) == (before, "open")
    assert not ModelCall.objects.exists()


def test_what_a_transaction_of_a_turn_wrote_is_gone_when_it_fails() -> None:
    chat, turn = queued_turn()
    claimed = claim(turn_id=turn.pk)
    before = chat.events()
    with pytest.raises(ZeroDivisionError), holding(claimed) as (conversation, _):
        say_in(conversation, "agent", "Almost.")
        raise ZeroDivisionError
    assert chat.events() == before


def test_an_ended_turn_cannot_be_claimed_and_its_claim_writes_nothing() -> None:
    chat, turn = queued_turn()
    claimed = claim(turn_id=turn.pk)
    chat.post("handoff")
    with pytest.raises(TakenOver), holding(claimed):
        pytest.fail("a person has the chat")
    assert claim(turn_id=turn.pk) is None
    with pytest.raises(LostLease), holding(claimed):
        pytest.fail("the turn is over")


def test_running_a_turn_twice_answers_once(model: Scripted) -> None:
    model.plays(say("Hi."))
    chat, turn = queued_turn()
    for _ in range(3):
        tasks.run_turn(turn_id=turn.pk)
    assert (chat.texts(), len(model.requests)) == (["Hi."], 1)


def test_running_a_turn_in_two_workers_at_once_answers_once(model: Scripted) -> None:
    model.rule = lambda _: say("Hi.") | {"delay_ms": 200}
    chat, turn = queued_turn()
    assert at_once(*[lambda: tasks.run_turn(turn_id=turn.pk)] * 3) == [None] * 3
    assert (chat.texts(), len(model.requests)) == (["Hi."], 1)


def test_a_worker_that_was_only_slow_says_nothing_after_another_answered(model: Scripted) -> None:
    chat, turn = queued_turn()

    def another_worker_answers() -> None:
        expire_lease(turn)
        model.rule = lambda _: say("From the second.")
        tasks.run_turn(turn_id=turn.pk)

    while_speaking(model, another_worker_answers, say("From the first."))
    tasks.run_turn(turn_id=turn.pk)
    assert (chat.texts(), chat.state()) == (["From the second."], "open")
    assert Turn.objects.get().state == "done"
    assert verify().broken is None


def test_a_slow_worker_whose_model_fails_opens_no_ticket_after_another_answered(model: Scripted) -> None:
    chat, turn = queued_turn()

    def another_worker_answers() -> None:
        expire_lease(turn)
        model.rule = lambda _: say("From the second.")
        tasks.run_turn(turn_id=turn.pk)

    while_speaking(model, another_worker_answers, {"status": 400})
    tasks.run_turn(turn_id=turn.pk)
    assert (chat.texts(), chat.texts("system"), chat.state()) == (["From the second."], [], "open")


def test_a_burst_of_messages_is_one_turn_and_one_answer(model: Scripted) -> None:
    model.plays(say("All three."))
    chat = start_chat()
    for part in ("one", "two", "three"):
        chat.send(part)
    assert run_turns() == 1
    assert chat.texts() == ["All three."]
    sent = [block["text"] for block in model.last_blocks()]
    assert sent == ["<customer>one</customer>", "<customer>two</customer>", "<customer>three</customer>"]
    assert [turn.messages.filter(role="customer").count() for turn in Turn.objects.all()] == [3]


def test_a_resumed_turn_does_not_ask_again_for_a_step_it_has(model: Scripted) -> None:
    chat = start_chat()

    def worker_dies() -> None:
        expire_lease(Turn.objects.get())
        model.rule = lambda _: say("Resumed.")
        tasks.run_turn(turn_id=Turn.objects.get().pk)

    while_speaking(model, worker_dies, LOOK_UP, say("Never seen."), before_move=1)
    chat.say("Hello")
    assert chat.texts() == ["Resumed."]
    assert len(model.requests) == 3
    # The new worker asks what the dead one asked last: with the look-up's result, and without the look-up itself.
    assert model.requests[2] == model.requests[1]
    assert model.requests[2]["messages"][-1]["content"][0]["type"] == "tool_result"
    assert Step.objects.filter(kind="reply", body__contains="find_user_id_by_email").count() == 1
    assert chat.get().json()["verified"] == "lookup"


def test_a_worker_that_dies_before_it_stored_the_reply_leaves_nothing_half_done(model: Scripted) -> None:
    model.plays(LOOK_UP)
    chat, turn = queued_turn("Please cancel my order.")
    claimed = claim(turn_id=turn.pk)
    assert claimed is not None
    with holding(claimed) as (conversation, _):
        prompt.pin(conversation)
    claimed.conversation.refresh_from_db()
    request, _ = prompt.build(claimed.conversation)
    llm.get_model().stream(request, lambda _: None)
    expire_lease(turn)
    model.plays(LOOK_UP, CANCEL_SMALL)
    tasks.run_turn(turn_id=turn.pk)
    assert (chat.state(), ActionRequest.objects.count()) == ("awaiting_customer", 1)
    assert model.requests[1] == model.requests[0]


def test_the_sweep_finds_a_turn_whose_nudge_was_lost() -> None:
    _, turn = queued_turn()
    assert swept() == (0, 0, 0)
    age(turn, 6)
    assert swept() == (0, 0, 1)
    run_turns()
    assert swept(hours=1) == (0, 0, 0)


def test_the_sweep_finds_a_dead_workers_turn(model: Scripted) -> None:
    model.plays(say("Hi."))
    chat, turn = queued_turn()
    claim(turn_id=turn.pk)
    age(turn, 6)
    assert swept() == (0, 0, 0)
    expire_lease(turn)
    assert swept() == (0, 0, 1)
    tasks.run_turn(turn_id=turn.pk)
    assert chat.texts() == ["Hi."]


@pytest.mark.parametrize("decision", ["approve", "decline"])
def test_the_sweep_tells_of_a_decision_that_nobody_told(bob: User, model: Scripted, decision: str) -> None:
    chat = wait_for_staff(model)
    request_id = chat.card()["request_id"]
    with chat_is_deaf():
        decide = gate.approve if decision == "approve" else gate.decline
        decide(request_id=request_id, staff=bob, note="Fine.")
    assert (chat.events("request_closed"), run_turns()) == ([], 0)
    before = len(chat.events())

    assert swept() == (0, 1, 0)
    assert swept() == (0, 0, 0)

    model.plays(say("Here is what became of it."))
    assert run_turns() == 1
    approved = decision == "approve"
    kinds = ["request_closed", *["receipt"] * approved, "state", "message"]
    assert [event["kind"] for event in chat.events()[before:]] == kinds
    assert Order.objects.get(number=LARGE).status == ("cancelled" if approved else "pending")
    assert swept(hours=1) == (0, 0, 0)
    assert_requests_extend(model.requests)


def test_a_decision_told_by_signal_and_sweep_at_once_is_told_once(bob: User, model: Scripted) -> None:
    chat = wait_for_staff(model)
    with chat_is_deaf():
        gate.approve(request_id=chat.card()["request_id"], staff=bob)
    assert not [done for done in at_once(*[swept] * 4) if isinstance(done, Exception)]
    model.plays(say("Done."))
    assert run_turns() == 1
    assert (len(chat.events("request_closed")), len(chat.events("receipt"))) == (1, 1)
    assert Step.objects.filter(kind="result", call_id__gt="").count() == 2


@pytest.mark.parametrize("deaf", [False, True])
def test_an_expired_card_is_closed_and_the_model_is_left_in_peace(model: Scripted, deaf: bool) -> None:
    chat = open_card(model)
    sent = len(model.requests)
    assert swept(minutes=14) == (0, 0, 0)
    if deaf:
        with chat_is_deaf():
            gate.expire_overdue(now=timezone.now() + timedelta(minutes=16))
        assert chat.events("request_closed") == []
        assert swept() == (0, 1, 0)
    else:
        assert swept(minutes=16)[0] == 1
    assert swept(minutes=16)[:2] == (0, 0)
    assert [event["outcome"] for event in chat.events("request_closed")] == ["expired"]
    assert (chat.state(), run_turns(), len(model.requests)) == ("open", 0, sent)
    model.plays(say("It had expired."))
    chat.say("yes")
    assert model.last_results()[0].startswith("Not run: the card expired")
    assert (chat.texts(), Effect.objects.count()) == (["It had expired."], 0)
    assert_requests_extend(model.requests)


def test_an_expired_review_is_told_to_the_customer(model: Scripted) -> None:
    chat = wait_for_staff(model)
    assert swept(hours=23) == (0, 0, 0)
    assert swept(hours=25)[0] == 1
    assert [event["outcome"] for event in chat.events("request_closed")] == ["expired"]
    model.plays(say("Nobody decided in time."))
    assert run_turns() == 1
    assert model.last_results() == ["Not run: nobody decided in time, so the request expired. Nothing was changed."]
    assert (chat.texts(), chat.state()) == (["Nobody decided in time."], "open")


def test_an_expired_review_is_told_by_the_desk_while_a_person_has_the_chat(model: Scripted) -> None:
    chat = wait_for_staff(model)
    chat.send(PERSON)
    assert swept(hours=25)[0] == 1
    assert "Nobody decided on your request in time" in chat.texts("system")[-1]
    assert (run_turns(), chat.state()) == (0, "with_person")


def test_sweeps_at_once_do_each_thing_once(model: Scripted) -> None:
    chat = open_card(model)
    done = at_once(*[lambda: swept(minutes=16)] * 4)
    assert sum(expired for expired, _, _ in done) == 1
    assert len(chat.events("request_closed")) == 1


def test_a_card_that_expires_while_the_customer_answers_ends_one_way(model: Scripted) -> None:
    chat = open_card(model)
    request_id = chat.card()["request_id"]
    model.plays(say("Well."))
    tab = twin(chat)
    pressed, done = at_once(lambda: tab.answer("yes", request_id), lambda: swept(minutes=16))
    assert not isinstance(done, Exception)
    won = pressed.status_code == 202
    assert pressed.status_code in (202, 409)
    assert [event["outcome"] for event in chat.events("request_closed")] == ["granted" if won else "expired"]
    assert Order.objects.get(number=SMALL).status == ("cancelled" if won else "pending")
    assert Effect.objects.count() == int(won)


def test_the_sweep_leaves_a_quiet_chat_alone(model: Scripted, settings: Settings) -> None:
    settings.DESKAGENT_IDLE_NOTICE_SECONDS = 0
    chat = answered_chat(model)
    before = chat.events()
    assert swept(days=30) == (0, 0, 0)
    assert chat.events() == before


def test_a_no_that_nobody_answered_yet_does_not_lose_the_next_message(model: Scripted) -> None:
    chat = open_card(model)
    assert chat.answer("no").status_code == 202
    chat.send("And where is my other order?")
    model.plays(call("get_order_details", order_id=LARGE), say("It is pending."))
    assert run_turns() == 1
    assert chat.texts() == ["It is pending."]
    assert_requests_extend(model.requests)
