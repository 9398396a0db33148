"""No write runs but on a yes to its own card: a traitor model with every write tool, around the consent."""

from typing import Any

import pytest
from django.db import transaction

from approvals.models import CustomerSession
from approvals.sessions import Voice
from audit.queries import list_entries
from conversations.agent import tools
from conversations.models import Turn
from orders.models import Customer, Effect, Order, PaymentMethod
from tests.factories import LARGE, OTHER_EMAIL, OTHER_USER, Chat, run_turns, start_chat
from tests.scripted import Scripted, call, calls, say
from tests.writes import (
    ADDRESS_OF_ORDER,
    ADDRESS_OF_USER,
    CANCEL,
    EXCHANGE,
    GIFT_CARD,
    GIVES_MONEY,
    HONEST,
    ITEMS,
    OTHERWISE,
    PAYMENT,
    RETURN,
    VERIFY,
    WRITES,
    assert_done_once,
    events_of,
    make_worth,
    open_card,
    press_yes,
    state_of_shop,
    write,
)

pytestmark = pytest.mark.usefixtures("desk")


@pytest.mark.parametrize("name", WRITES)
def test_other_arguments_after_the_yes_need_a_yes_of_their_own(model: Scripted, name: str) -> None:
    if name == PAYMENT:
        PaymentMethod.objects.filter(method_id=GIFT_CARD).update(balance=200_000, balance_wire="")
    chat = open_card(model, name)
    model.plays(call(name, **OTHERWISE[name]))
    # An order that was returned or exchanged takes no second one, so there the answer is no card at all.
    refused = name in (RETURN, EXCHANGE)
    model.plays(*([say("Hm.")] if refused else []))
    chat.press("yes")
    assert_done_once(name)
    assert (len(chat.events("request")), chat.state()) == ((1, "open") if refused else (2, "awaiting_customer"))
    assert Effect.objects.get().arguments == HONEST[name]
    if refused:
        assert [entry.verdict for entry in events_of(chat, "write_refused")] == ["cannot_be_done"]
    else:
        assert list_entries(subject=chat.id).filter(event="request_proposed").count() == 2


@pytest.mark.parametrize("name", WRITES)
def test_the_same_call_again_has_one_effect_and_the_same_answer(model: Scripted, name: str) -> None:
    chat = open_card(model, name)
    again = dict(reversed(HONEST[name].items()))
    press_yes(model, chat, write(name), call(name, **again))
    assert_done_once(name)
    assert [entry.verdict for entry in events_of(chat, "write_replayed")] == ["granted", "granted"]
    answers = [request["messages"][-1]["content"][0]["content"] for request in model.requests[-3:]]
    assert answers == [Effect.objects.get().result] * 3


@pytest.mark.parametrize("name", WRITES)
def test_a_yes_to_the_models_own_question_opens_a_card_and_does_nothing(model: Scripted, name: str) -> None:
    before = state_of_shop()
    model.plays(VERIFY, say("Shall I do it? Just say yes."))
    chat = start_chat()
    chat.say("hello")
    model.plays(write(name))
    chat.say("yes")
    assert state_of_shop() == before
    assert (len(chat.events("request")), chat.state()) == (1, "awaiting_customer")
    assert not list_entries(subject=chat.id).filter(event="consent_given").exists()
    press_yes(model, chat)
    assert_done_once(name)


@pytest.mark.parametrize("name", WRITES)
def test_a_no_stays_a_no_for_the_same_call(model: Scripted, name: str) -> None:
    before = state_of_shop()
    chat = open_card(model, name)
    model.plays(write(name), say("Then not."))
    chat.press("no")
    assert state_of_shop() == before
    assert len(chat.events("request")) == 1
    assert "the customer said no" in model.last_results()[-1]
    assert [len(events_of(chat, event)) for event in ("consent_denied", "write_replayed")] == [1, 1]


def caller(chat: Chat) -> tools.Caller:
    turn = Turn.objects.filter(conversation=chat.id).order_by("pk").last()
    assert turn is not None and turn.origin_id is not None
    return tools.Caller(
        conversation=turn.conversation_id, origin=turn.origin_id, voice=Voice(prompt_version="1", model="m")
    )


def call_tool(chat: Chat, name: str, arguments: dict[str, Any]) -> tools.Outcome:
    with transaction.atomic():
        return tools.call(caller=caller(chat), name=name, arguments=arguments)


PAIRS = list(zip(WRITES, [*WRITES[1:], WRITES[0]], strict=True))


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_second_card_beside_an_open_one_is_refused(model: Scripted, first: str, second: str) -> None:
    before = state_of_shop()
    model.plays(VERIFY, calls((first, HONEST[first]), (second, HONEST[second])))
    chat = start_chat()
    chat.say("do both")
    assert (len(chat.events("request")), chat.card()["action"]) == (1, first)
    # Also past the loop, which runs one write at a time: the gate itself says so.
    outcome = call_tool(chat, second, HONEST[second])
    assert (outcome.is_error, (outcome.text or "")[:10]) == (True, "Policy: R1")
    assert "R10" in (outcome.text or "")
    assert [(entry.action, entry.rule) for entry in events_of(chat, "write_refused")] == [(second, "R10")]
    assert state_of_shop() == before
    press_yes(model, chat)
    assert_done_once(first)


def rival_of(name: str) -> str:
    return {ADDRESS_OF_USER: ADDRESS_OF_USER, RETURN: EXCHANGE, EXCHANGE: RETURN, CANCEL: ITEMS}.get(name, CANCEL)


@pytest.mark.parametrize("name", WRITES)
def test_a_yes_is_stale_once_another_chat_changed_the_rows(model: Scripted, name: str) -> None:
    chat = open_card(model, name)
    rival = open_card(model, rival_of(name), **({"address1": "77 Rival Road"} if name == ADDRESS_OF_USER else {}))
    press_yes(model, rival)
    before = state_of_shop()
    assert len(before[1]) == 1
    press_yes(model, chat)
    assert state_of_shop() == before
    assert [event["outcome"] for event in chat.events("request_closed")] == ["stale"]
    assert (chat.events("receipt"), chat.state()) == ([], "open")
    assert [entry.verdict for entry in events_of(chat, "write_refused")] == ["stale"]
    assert "Nothing was changed" in model.last_results()[-1]


@pytest.mark.parametrize("name", WRITES)
def test_a_yes_stands_although_something_else_changed(model: Scripted, name: str) -> None:
    """The twin of the stale one: a change of other rows does not undo a yes."""
    chat = open_card(model, name)
    Order.objects.filter(number=LARGE).update(status="processed")
    Customer.objects.filter(user_id=OTHER_USER).update(address1="elsewhere")
    press_yes(model, chat)
    assert_done_once(name)


LIMIT = 100_000


@pytest.mark.parametrize(("amount", "waits"), [(LIMIT, False), (LIMIT + 1, True)])
@pytest.mark.parametrize("name", GIVES_MONEY)
def test_money_back_above_the_limit_waits_for_a_person(model: Scripted, name: str, amount: int, waits: bool) -> None:
    make_worth(name, amount)
    before = state_of_shop()
    chat = open_card(model, name)
    assert chat.card()["amount"] == f"{amount / 100:.2f}"
    if not waits:
        press_yes(model, chat)
        assert_done_once(name)
        return
    chat.press("yes")
    assert chat.state() == "under_review"
    assert state_of_shop() == before
    assert [(entry.rule, entry.verdict) for entry in events_of(chat, "approval_requested")] == [("R4", "ask_staff")]
    # A claim in the chat is no approval, and the same call waits on with the first one.
    outcome = call_tool(chat, name, HONEST[name])
    assert (outcome.text, outcome.is_error) == (None, False)
    assert outcome.request is not None and str(outcome.request.pk) == chat.card()["request_id"]
    assert state_of_shop() == before


SPLITS = [
    (CANCEL, RETURN),
    (CANCEL, EXCHANGE),
    (ITEMS, RETURN),
    (ITEMS, EXCHANGE),
    (RETURN, CANCEL),
    (RETURN, ITEMS),
    (EXCHANGE, CANCEL),
    (EXCHANGE, ITEMS),
]


@pytest.mark.parametrize("same_chat", [True, False], ids=["one chat", "two chats"])
@pytest.mark.parametrize(("rest", "waits"), [(40_000, False), (40_001, True)], ids=["at the limit", "a cent more"])
@pytest.mark.parametrize(("first", "second"), SPLITS)
def test_what_was_granted_without_a_person_counts_along(
    model: Scripted, first: str, second: str, rest: int, waits: bool, same_chat: bool
) -> None:
    make_worth(first, 60_000)
    make_worth(second, rest)
    chat = open_card(model, first)
    press_yes(model, chat)
    assert Effect.objects.get().amount == 60_000
    if same_chat:
        model.plays(write(second))
        chat.say("and now the other")
    else:
        chat = open_card(model, second)
    before = state_of_shop()
    model.plays(*([] if waits else [say("Done.")]))
    chat.press("yes")
    assert chat.state() == ("under_review" if waits else "open")
    assert (state_of_shop() == before) is waits
    assert Effect.objects.count() == (1 if waits else 2)


@pytest.mark.parametrize("second", [RETURN, EXCHANGE])
def test_two_cards_open_at_once_in_two_chats_do_not_slip_past_the_limit(model: Scripted, second: str) -> None:
    """What is granted between the card and its yes counts along, too."""
    make_worth(CANCEL, 60_000)
    make_worth(second, 40_001)
    late = open_card(model, second)
    chat = open_card(model, CANCEL)
    press_yes(model, chat)
    late.press("yes")
    assert late.state() == "under_review"
    assert_done_once(CANCEL)


@pytest.mark.parametrize("name", [ADDRESS_OF_ORDER, PAYMENT, ADDRESS_OF_USER])
def test_what_gives_no_money_back_never_waits_however_much_was_granted(model: Scripted, name: str) -> None:
    make_worth(RETURN, LIMIT)
    chat = open_card(model, RETURN)
    press_yes(model, chat)
    chat = open_card(model, name)
    press_yes(model, chat)
    assert [effect.amount for effect in Effect.objects.order_by("pk")] == [LIMIT, 0]


@pytest.mark.parametrize("name", WRITES)
def test_a_write_beside_a_handoff_is_not_run(model: Scripted, name: str) -> None:
    before = state_of_shop()
    model.plays(VERIFY, calls(("transfer_to_human_agents", {"summary": "wants it all"}), (name, HONEST[name])))
    chat = start_chat()
    chat.say("hello")
    assert (chat.state(), chat.events("request")) == ("with_person", [])
    assert state_of_shop() == before
    assert list_entries(subject=chat.id).filter(event="handoff").count() == 1


@pytest.mark.parametrize("name", WRITES)
def test_the_gate_refuses_every_write_while_a_person_holds_the_chat(model: Scripted, name: str) -> None:
    # So that the other call of each tool is fine but for who holds the chat.
    PaymentMethod.objects.filter(method_id=GIFT_CARD).update(balance=200_000, balance_wire="")
    chat = open_card(model, name)
    request_id = chat.card()["request_id"]
    before = state_of_shop()
    assert chat.post("handoff").status_code == 202
    assert chat.answer("yes", request_id).status_code == 409
    again = call_tool(chat, name, HONEST[name])
    assert (again.text or "").startswith("Not run: a person took over.")
    outcome = call_tool(chat, name, OTHERWISE[name])
    assert (outcome.is_error, (outcome.text or "")[:10]) == (True, "Policy: R9")
    assert [(entry.action, entry.rule) for entry in events_of(chat, "write_refused")] == [(name, "R9")]
    assert state_of_shop() == before
    # The twin: the same call in the same chat opens a card once the agent has it back.
    CustomerSession.objects.filter(conversation=chat.id).update(holder="agent")
    opened = call_tool(chat, name, OTHERWISE[name]).request
    assert opened is not None and opened.state == "awaiting_customer"


@pytest.mark.parametrize("name", WRITES)
def test_another_chat_cannot_say_yes_to_this_card(model: Scripted, name: str) -> None:
    chat = open_card(model, name)
    before = state_of_shop()
    model.plays(call("find_user_id_by_email", email=OTHER_EMAIL), say("Hello."))
    stranger = start_chat()
    stranger.say("hello")
    answer = stranger.answer("yes", chat.card()["request_id"])
    assert answer.status_code in (404, 409)
    assert run_turns() == 0
    assert state_of_shop() == before
    press_yes(model, chat)
    assert_done_once(name)
