"""A refund without a return, from the customer's words to the books: card, yes, person, and no second one."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from approvals.admin import list_items
from approvals.models import ActionRequest
from approvals.operations import correct
from approvals.sessions import Voice
from audit.queries import list_entries
from conversations.agent import tools
from conversations.models import Turn
from eval.books import check
from orders.models import Effect, Order, Payment, RefundedLine
from tests.conversations.helpers import at_once, twin
from tests.factories import NORA_EMAIL, OTHER_EMAIL, Chat, decide, now, run_turns, start_chat
from tests.scripted import Scripted, call, say
from tests.without_return import ALONE, BY_PERSON, make_order, open_card, refund
from tests.writes import BACKPACK, DELIVERED, LAMP, NORA, REFUND, RETURN, VERIFY, VISA, events_of, state_of_shop

pytestmark = pytest.mark.usefixtures("desk", "scoped", "invariants")
# Not where the test itself changes the shop first.
untouched = pytest.mark.usefixtures("books")


@pytest.fixture
def invariants(desk: None) -> Iterator[None]:
    yield
    assert [str(line) for line in check(now=now()) if line.faults] == []


def refused(chat: Chat) -> list[tuple[str, str]]:
    entries = list_entries(subject=chat.id).filter(event="write_refused").order_by("position")
    return [(entry.rule, entry.verdict) for entry in entries]


def ask_for(model: Scripted, email: str = NORA_EMAIL, **changed: Any) -> Chat:
    """A refund that the gate refuses; the model hears why."""
    model.plays(call("find_user_id_by_email", email=email), refund(**changed), say("That is not possible."))
    chat = start_chat()
    chat.say("I want my money back.")
    return chat


@untouched
def test_a_damaged_lamp_is_refunded_on_a_yes(model: Scripted) -> None:
    chat = open_card(model)
    card = chat.card()
    assert (card["action"], card["amount"], card["irreversible"]) == (REFUND, "96.00", True)
    assert [line["label"] for line in card["lines"]] == ["Desk Lamp", "Reason"]
    assert card["destination"].startswith("Visa ending")
    assert Effect.objects.count() == 0
    model.plays(say("It is on its way back to your Visa."))
    chat.press("yes")
    receipt = chat.events("receipt")[-1]
    assert (receipt["action"], receipt["status"], receipt["amount"]) == (REFUND, "done", "96.00")
    assert Order.objects.get(number=DELIVERED).status == "delivered"
    assert list(Payment.objects.filter(order__number=DELIVERED, kind="refund").values_list("amount", flat=True)) == [
        9_600
    ]
    assert [entry.event for entry in list_entries(subject=chat.id) if entry.action == REFUND] == [
        *("request_proposed", "consent_given", "write_ok")
    ]


@untouched
@pytest.mark.parametrize(
    ("words", "effects"),
    [
        ("yes", 1),
        ("Yes, please refund it.", 1),
        ("no", 0),
        ("Yes, but refund the backpack too.", 0),
        ("How long does that take?", 0),
    ],
)
def test_typed_words_answer_the_card(model: Scripted, words: str, effects: int) -> None:
    chat = open_card(model)
    model.plays(say("I see."))
    chat.say(words)
    assert Effect.objects.count() == effects
    assert chat.state() == "open"


@untouched
def test_the_measuring_mode_runs_it_without_a_card(model: Scripted, settings: Any) -> None:
    settings.DESKAGENT_GUARD = "audit"
    model.plays(VERIFY, refund(), say("Done."))
    chat = start_chat()
    chat.say("It came broken.")
    assert chat.events("request") == []
    assert Effect.objects.get().amount == 9_600
    assert [entry.rule for entry in events_of(chat, "write_would_refuse")] == ["R3"]


@untouched
def test_a_no_refunds_nothing(model: Scripted) -> None:
    chat, before = open_card(model), state_of_shop()
    model.plays(say("All right."))
    chat.press("no")
    assert state_of_shop() == before


def test_an_amount_is_no_argument(model: Scripted) -> None:
    chat = ask_for(model, amount="500.00")
    assert refused(chat) == [("", "malformed")]
    assert "amount" in model.last_results()[-1]


@untouched
def test_a_large_one_waits_for_a_person_and_runs_on_approval(model: Scripted, bob: User) -> None:
    chat = open_card(model, **BY_PERSON)
    chat.press("yes")
    assert chat.state() == "under_review"
    request = ActionRequest.objects.get()
    assert (request.rule, request.amount) == ("R5", 11_800)
    assert Effect.objects.count() == 0
    assert decide(bob, str(request.pk), "approve", "fine").status_code == 200
    model.plays(say("It is approved."))
    run_turns()
    assert Effect.objects.get().approved_by == "bob"
    assert chat.events("receipt")[-1]["amount"] == "118.00"


@untouched
def test_staff_leave_an_item_out_and_the_customer_confirms_anew(model: Scripted, bob: User) -> None:
    chat = open_card(model, item_ids=[LAMP, BACKPACK])
    chat.press("yes")
    request = ActionRequest.objects.get()
    assert [item["item_id"] for item in list_items(request)] == [LAMP, BACKPACK]
    correct(request_id=request.pk, staff=bob, item_ids=[LAMP], note="the backpack is fine")
    assert (chat.state(), chat.card()["amount"]) == ("awaiting_customer", "96.00")
    model.plays(say("Done."))
    chat.press("yes")
    assert list(Effect.objects.values_list("amount", flat=True)) == [9_600]


@untouched
def test_a_late_approval_of_what_was_returned_meanwhile_is_stale(model: Scripted, bob: User) -> None:
    chat = open_card(model, **BY_PERSON)
    chat.press("yes")
    model.plays(VERIFY, call(RETURN, order_id=DELIVERED, item_ids=[LAMP], payment_method_id=VISA), say("Send it."))
    other = start_chat()
    other.say("return the lamp")
    other.press("yes")
    answer = decide(bob, str(ActionRequest.objects.get(action=REFUND).pk), "approve")
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    model.plays(say("Your order changed meanwhile."))
    run_turns()
    assert list(Effect.objects.values_list("action", flat=True)) == [RETURN]
    assert chat.events("request_closed")[-1]["outcome"] == "stale"


@untouched
def test_a_yes_after_the_line_was_refunded_elsewhere_is_stale(model: Scripted) -> None:
    first, second = open_card(model), open_card(model)
    model.plays(say("Done."))
    first.press("yes")
    model.plays(say("That card is no longer valid."))
    second.press("yes")
    assert second.events("request_closed")[-1]["outcome"] == "stale"
    assert Effect.objects.count() == RefundedLine.objects.count() == 1


@untouched
def test_a_return_card_that_is_open_when_its_line_is_refunded_is_stale(model: Scripted) -> None:
    model.plays(VERIFY, call(RETURN, order_id=DELIVERED, item_ids=[LAMP, BACKPACK], payment_method_id=VISA))
    returning = start_chat()
    returning.say("return both")
    chat = open_card(model)
    model.plays(say("Done."), say("That card is no longer valid."))
    chat.press("yes")
    returning.press("yes")
    assert returning.events("request_closed")[-1]["outcome"] == "stale"
    assert list(Effect.objects.values_list("action", flat=True)) == [REFUND]


@untouched
def test_two_yeses_at_once_are_one_refund(model: Scripted) -> None:
    chats = [open_card(model), open_card(model)]
    model.rule = lambda _: say("Settled.")
    at_once(*(lambda chat=chat: twin(chat).answer("yes", chat.card()["request_id"]) for chat in chats))
    run_turns()
    assert sorted(ActionRequest.objects.values_list("state", flat=True)) == ["granted", "stale"]
    assert Effect.objects.count() == 1


def test_of_five_refunds_of_40_at_once_a_payment_of_100_gives_two(model: Scripted) -> None:
    make_order("#W40", [4_000] * 5, [("credit_card", 10_000)])
    wanted = [{"order_id": "#W40", "item_ids": [f"#W40-{place}"], "reason_code": "defective"} for place in range(5)]
    Order.objects.filter(number="#W40").update(delivered_at=now() - timedelta(days=1))
    chats = [open_card(model, **one) for one in wanted]
    model.rule = lambda _: say("Settled.")
    at_once(*(lambda chat=chat: twin(chat).answer("yes", chat.card()["request_id"]) for chat in chats))
    run_turns()
    assert sorted(ActionRequest.objects.values_list("state", "rule")) == [
        *[("granted", "R3")] * 2,
        *[("refused", "R5")] * 3,
    ]
    assert list(Effect.objects.values_list("amount", "state")) == [(4_000, "done")] * 2
    assert list(Payment.objects.filter(order__number="#W40", kind="payment").values_list("refunded", flat=True)) == [
        8_000
    ]


def test_equal_is_not_the_same_as_duplicate(model: Scripted) -> None:
    make_order("#W10", [1_000, 1_000], [("paypal", 2_000)])
    Order.objects.filter(number="#W10").update(delivered_at=now() - timedelta(days=1))
    first = {"order_id": "#W10", "item_ids": ["#W10-0"], "reason_code": "damaged"}
    chat = open_card(model, **first)
    model.plays(say("Done."))
    chat.press("yes")
    request = ActionRequest.objects.get()
    origin = next(turn.origin_id for turn in chat_turns(chat) if turn.request_id == request.pk)
    caller = tools.Caller(
        conversation=UUID(chat.id), origin=origin, voice=Voice(prompt_version="scoped-1", model="test")
    )
    for _ in range(5):
        with transaction.atomic():
            outcome = tools.call(caller=caller, name=REFUND, arguments=first)
        assert (outcome.text, outcome.is_error) == (Effect.objects.get().result, False)
    assert list_entries(subject=chat.id).filter(event="write_replayed").count() == 5
    model.plays(refund(**(first | {"item_ids": ["#W10-1"]})), say("Done again."))
    chat.say("The other one is broken too.")
    chat.press("yes")
    assert list(Effect.objects.values_list("amount", flat=True)) == [1_000, 1_000]


def chat_turns(chat: Chat) -> list[Any]:
    return list(Turn.objects.filter(conversation=chat.id))


@untouched
def test_mallory_refunds_nothing_of_noras(model: Scripted) -> None:
    before = state_of_shop()
    chat = ask_for(model, email=OTHER_EMAIL)
    assert model.last_results()[-1] == "Error: order not found"
    assert refused(chat) == [("R2", "not_found")]
    nobody = start_chat()
    model.plays(refund(), say("Who are you?"))
    nobody.say("refund my lamp")
    assert refused(nobody) == [("R1", "refused")]
    assert state_of_shop() == before


def test_the_retail_profile_has_no_such_tool(model: Scripted, settings: Any) -> None:
    settings.DESKAGENT_PROFILE = "retail"
    chat = ask_for(model)
    assert model.last_results()[-1] == f"Unknown action {REFUND}"
    assert refused(chat) == [("", "malformed")]
    assert REFUND not in {tool["name"] for tool in model.requests[-1]["tools"]}


def test_a_chat_keeps_the_tools_it_began_with(model: Scripted, settings: Any) -> None:
    chat = open_card(model)
    settings.DESKAGENT_PROFILE = "retail"
    model.plays(say("Done."))
    chat.press("yes")
    assert REFUND in {tool["name"] for tool in model.requests[-1]["tools"]}
    assert len({str(request["tools"]) + str(request["system"]) for request in model.requests}) == 1
    assert Effect.objects.get().user_id == NORA
    assert ALONE["item_ids"] == [LAMP]
