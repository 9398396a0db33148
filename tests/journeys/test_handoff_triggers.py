"""Every way in which a chat comes to a person, from the customer's words to the ticket's row; and back again."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from pytest_django.fixtures import Settings

from approvals.models import ActionRequest
from audit.queries import list_entries
from audit.queries import verify as verify_chains
from conversations import operations, tasks
from conversations.agent import turn as agent
from conversations.agent.protocol import ModelReply, ModelRequest, Usage
from conversations.models import Conversation, Ticket, Turn
from conversations.operations import sweep
from conversations.operations.reasons import TAKES_OVER
from orders.models import Customer
from policy.operations import change, set_switch
from tests.conversations.helpers import open_card as open_small_card
from tests.conversations.test_socket import connected
from tests.factories import NORA_EMAIL, SMALL, Chat, now, run_turns, start_chat
from tests.scripted import Move, Scripted, call, calls, say
from tests.without_return import refund
from tests.writes import CANCEL, DELIVERED, KETTLE, RETURN, VERIFY, state_of_shop, write

pytestmark = pytest.mark.usefixtures("desk", "books")
# Clear enough for the desk to know what they are about.
WORDS = "My money back, please."
UNKNOWN = call("open_the_safe", door=1)
WRONG = call("cancel_pending_order", order_id=SMALL, reason="because")
NOT_FOUND = call("get_order_details", order_id="#W0000001")
DELIVERED_CANCEL = call("cancel_pending_order", order_id=DELIVERED, reason="no longer needed")
GOOD = call("get_order_details", order_id=SMALL)
# Refused by R6: what was not sent yet cannot have come damaged.
TOO_EARLY = refund(order_id=SMALL, item_ids=[KETTLE])


class DiesAtTheSecondCall:
    """A model of this process whose worker is gone after its first call failed."""

    name = "dying"

    def __init__(self) -> None:
        self.calls = 0

    def stream(self, request: ModelRequest, on_text: Any) -> ModelReply:
        self.calls += 1
        if self.calls > 1:
            raise SystemExit
        content = [{"type": "tool_use", "id": "toolu_1", "name": "open_the_safe", "input": {}}]
        return ModelReply(
            content=content, stop_reason="tool_use", usage=Usage(), model=self.name, first_token_ms=0, latency_ms=0
        )


def ticket_of(chat: Chat) -> Ticket:
    return Ticket.objects.get(conversation=chat.id, closed_at=None)


def talk(model: Scripted, *turns: list[Move]) -> Chat:
    """Each list of moves answers one message of the customer."""
    chat = start_chat()
    for moves in turns:
        model.plays(*moves)
        chat.say(WORDS)
    return chat


def check_handoff(chat: Chat, reason: str) -> Ticket:
    """One open ticket with a full summary, one notice, the state and the audit entry; and the agent is silent."""
    ticket = ticket_of(chat)
    assert ticket.reason == reason
    assert chat.state() == "with_person"
    assert chat.get().json()["owner"] == "nobody"
    assert chat.texts("system")
    summary = ticket.summary
    assert [name for name in ("why", "intent", "customer", "draft") if not summary[name]] == []
    handoffs = list_entries(subject=chat.id).filter(event="handoff").order_by("position")
    assert handoffs.last().verdict == reason
    said = len(chat.texts())
    chat.say("Anybody there?")
    assert len(chat.texts()) == said
    assert verify_chains().broken is None
    return ticket


@dataclass(frozen=True, kw_only=True)
class Row:
    """Turns of moves; `reason` is the ticket's, or empty where the agent goes on."""

    turns: list[list[Move]]
    reason: str = ""


DONE = say("What else can I help with?")
IN_A_ROW = {
    "unknown tool, then a schema error": Row(turns=[[VERIFY, UNKNOWN, WRONG]], reason="failed_calls"),
    "two turns": Row(turns=[[UNKNOWN, DONE], [UNKNOWN]], reason="failed_calls"),
    "two in one reply": Row(
        turns=[[VERIFY, calls(("no_tool", {}), (CANCEL, {"order_id": SMALL, "reason": 1}))]], reason="failed_calls"
    ),
    "the tool's own errors": Row(turns=[[VERIFY, DELIVERED_CANCEL, DONE], [DELIVERED_CANCEL]], reason="failed_calls"),
    "one": Row(turns=[[VERIFY, UNKNOWN, DONE]]),
    "a good one between": Row(turns=[[VERIFY, UNKNOWN, GOOD, UNKNOWN, DONE]]),
    "not found between": Row(turns=[[VERIFY, UNKNOWN, NOT_FOUND, UNKNOWN, DONE]]),
    "not found, often": Row(turns=[[VERIFY, NOT_FOUND, NOT_FOUND, DONE], [NOT_FOUND, DONE]]),
    "a refused read, often": Row(turns=[[GOOD, GOOD, GOOD, DONE]]),
    "a second identity, often": Row(
        turns=[[VERIFY, *[call("find_user_id_by_email", email="zoe@example.com")] * 3, DONE]]
    ),
}
REFUSED = {
    "not verified, twice": Row(turns=[[write(CANCEL), DONE], [write(CANCEL)]], reason="repeated_refusal"),
    "not verified, then verified": Row(turns=[[write(CANCEL), VERIFY, GOOD, DONE]]),
    "not verified, two actions": Row(turns=[[write(CANCEL), write(RETURN), DONE]]),
}


@pytest.mark.parametrize("name", [*IN_A_ROW, *REFUSED])
def test_calls_that_come_to_nothing(model: Scripted, name: str) -> None:
    row = (IN_A_ROW | REFUSED)[name]
    before = state_of_shop()
    chat = talk(model, *row.turns)
    assert model.moves == []
    if row.reason:
        check_handoff(chat, row.reason)
    else:
        assert (chat.state(), Ticket.objects.count(), chat.texts()[-1]) == ("open", 0, DONE["text"])
    assert state_of_shop() == before


def test_what_failed_counts_for_another_worker_too(model: Scripted) -> None:
    """A worker dies between the two calls; the next one reads the first from the rows."""
    chat = start_chat()
    chat.send("Go on.")
    turn = Turn.objects.get()
    with pytest.raises(SystemExit):
        agent.run(turn_id=turn.pk, model=DiesAtTheSecondCall())
    Turn.objects.filter(pk=turn.pk).update(lease_until=now() - timedelta(seconds=1))
    model.plays(UNKNOWN)
    tasks.run_turn(turn_id=turn.pk)
    check_handoff(chat, "failed_calls")
    assert len(model.requests) == 1


@pytest.mark.usefixtures("scoped")
def test_a_final_refusal_tells_why_in_words_and_brings_a_person(model: Scripted) -> None:
    before = state_of_shop()
    chat = talk(model, [VERIFY, TOO_EARLY])
    [notice] = chat.texts("system")
    assert notice == (f"I can’t do this. The reason damaged does not fit an order that is pending. {TAKES_OVER}")
    ticket = check_handoff(chat, "final_refusal")
    assert state_of_shop() == before
    summary = ticket.summary
    assert any("issue refund" in line.lower() and "R6" in line for line in summary["attempts"])
    assert any("is blocked by R6" in line for line in summary["draft"])
    assert any(line.startswith(f"{SMALL}: pending, $122.00 paid") for line in summary["orders"])
    assert "nora_lindahl_1042" in summary["customer"]
    assert summary["refunds"] == ["0 in 90 days, over all chats"]
    assert summary["last_words"] == [WORDS]
    [refused] = list_entries(subject=chat.id).filter(event="write_refused")
    assert refused.rule == "R6"


@pytest.mark.usefixtures("scoped")
async def test_the_reason_and_the_person_reach_the_customers_socket(model: Scripted) -> None:
    chat = await sync_to_async(start_chat)()
    model.plays(VERIFY, TOO_EARLY)
    async with connected(chat) as socket:
        await socket.hello()
        await socket.send(type="message", client_id="1", text=WORDS)
        await socket.until("message", role="customer")
        await sync_to_async(run_turns)()
        frames = await socket.until("state", state="with_person")
    assert told(frames) == [f"I can’t do this. The reason damaged does not fit an order that is pending. {TAKES_OVER}"]
    ticket = await Ticket.objects.aget(conversation=chat.id)
    assert ticket.reason == "final_refusal"


def told(frames: list[dict[str, Any]]) -> list[str]:
    """What the desk said in these frames."""
    events = [frame.get("event", {}) for frame in frames]
    return [event["text"] for event in events if event.get("role") == "system"]


def test_what_a_yes_no_longer_gets_brings_a_person_as_well(model: Scripted, bob: User) -> None:
    before = state_of_shop()
    chat = open_small_card(model)
    title = ActionRequest.objects.get().card["title"]
    set_switch(staff=bob, kind="action", name=CANCEL, on=False)
    sent = len(model.requests)
    chat.press("yes")
    assert chat.texts("system") == [
        f"{title}: this can’t be done any more. The shop has switched this action off for now. Nothing was changed. "
        + TAKES_OVER
    ]
    assert len(model.requests) == sent
    ticket = check_handoff(chat, "final_refusal")
    assert (
        f"{title}, $122.00: Refused (R7): The shop has switched this action off for now." in ticket.summary["attempts"]
    )
    assert state_of_shop() == before


def test_a_lost_signal_after_such_a_yes_costs_a_sweep_and_no_second_ticket(model: Scripted, bob: User) -> None:
    chat = open_small_card(model)
    set_switch(staff=bob, kind="action", name=CANCEL, on=False)
    chat.press("yes")
    conversation = Conversation.objects.get(pk=chat.id)
    conversation.tickets.all().delete()
    conversation.events.filter(kind="message", about__isnull=False).update(about=None)
    for _ in range(2):
        sweep(now=now())
    assert Ticket.objects.get(conversation=chat.id).reason == "final_refusal"


def hand_back(chat: Chat, bob: User) -> None:
    operations.take_over(conversation_id=chat.id, staff=bob)
    operations.post_staff_message(conversation_id=chat.id, staff=bob, text="I looked at it; the rule stands.")
    operations.hand_back(conversation_id=chat.id, staff=bob)
    run_turns()


@pytest.mark.usefixtures("scoped")
def test_after_the_hand_back_the_same_refusal_is_explained_and_only_a_second_one_goes_back(
    model: Scripted, bob: User
) -> None:
    chat = talk(model, [VERIFY, TOO_EARLY])
    model.plays(TOO_EARLY, say("It was not sent yet, so that is not possible."))
    hand_back(chat, bob)
    assert (chat.state(), chat.texts()[-1][:10]) == ("open", "It was not")
    assert Ticket.objects.filter(closed_at=None).count() == 0
    model.plays(TOO_EARLY)
    chat.say("Try again.")
    check_handoff(chat, "repeated_refusal")


@pytest.mark.usefixtures("scoped")
def test_after_the_hand_back_another_final_refusal_brings_a_person_at_once(model: Scripted, bob: User) -> None:
    chat = talk(model, [VERIFY, TOO_EARLY])
    model.plays(say("What else can I do?"))
    hand_back(chat, bob)
    set_switch(staff=bob, kind="action", name=CANCEL, on=False)
    model.plays(write(CANCEL))
    chat.say("Then cancel my other order.")
    check_handoff(chat, "final_refusal")


def test_after_the_hand_back_one_more_failed_call_is_the_first_and_a_person_still_comes_when_asked_for(
    model: Scripted, bob: User
) -> None:
    chat = talk(model, [VERIFY, UNKNOWN, UNKNOWN])
    assert ticket_of(chat).reason == "failed_calls"
    model.plays(UNKNOWN, say("How can I help?"))
    hand_back(chat, bob)
    assert (chat.state(), chat.texts()) == ("open", ["How can I help?"])
    sent = len(model.requests)
    chat.say("I want to talk to a human")
    check_handoff(chat, "customer")
    assert len(model.requests) == sent


def test_a_model_cannot_give_the_chat_straight_back_to_the_person_who_left(model: Scripted, bob: User) -> None:
    transfer = call("transfer_to_human_agents", summary="I do not know.")
    chat = talk(model, [say("Hello.")])
    chat.post("handoff")
    model.plays(transfer, say("Welcome back."))
    hand_back(chat, bob)
    assert (chat.state(), chat.texts()[-1]) == ("open", "Welcome back.")
    assert model.last_results()[0].startswith("Not run: a person has just handed this chat back")
    # Once the customer has said something it is the agent's to judge.
    model.plays(transfer)
    chat.say("Never mind that.")
    assert ticket_of(chat).summary["model_summary"] == "I do not know."


@pytest.mark.usefixtures("scoped")
def test_a_vip_whom_a_person_gave_back_is_answered(model: Scripted, settings: Settings, bob: User) -> None:
    chat = by_rank(model, settings)
    assert ticket_of(chat).reason == "vip"
    model.plays(say("Here again."))
    hand_back(chat, bob)
    assert (chat.state(), chat.texts()[-1]) == ("open", "Here again.")
    set_rank(vip=False)


def test_a_chat_at_its_limit_of_turns_has_room_again_after_the_hand_back(
    model: Scripted, bob: User, settings: Settings
) -> None:
    settings.DESKAGENT_TURNS_CONVERSATION = 2
    chat = talk(model, [say("One.")], [say("Two.")], [])
    check_handoff(chat, "limit")
    model.plays(say("Here again."))
    hand_back(chat, bob)
    assert (chat.state(), chat.texts()[-1]) == ("open", "Here again.")


def by_words(model: Scripted, settings: Settings) -> Chat:
    return talk_then(model, "Let me speak to a human")


def by_button(model: Scripted, settings: Settings) -> Chat:
    chat = start_chat()
    assert chat.post("handoff").status_code == 202
    return chat


def by_risk(model: Scripted, settings: Settings) -> Chat:
    return talk_then(model, "My lawyer will sue you over this.")


def by_the_agent(model: Scripted, settings: Settings) -> Chat:
    return talk(model, [call("transfer_to_human_agents", summary="Wants a discount.")])


def by_lookups(model: Scripted, settings: Settings) -> Chat:
    return talk(model, [call("find_user_id_by_email", email="nobody@example.com")] * 6)


def by_steps(model: Scripted, settings: Settings) -> Chat:
    settings.DESKAGENT_STEPS_TURN = 1
    return talk(model, [VERIFY])


def by_money(model: Scripted, settings: Settings) -> Chat:
    settings.DESKAGENT_SPEND_CAP_CONVERSATION_USD = 0
    return talk(model, [])


def by_provider(model: Scripted, settings: Settings) -> Chat:
    model.rule = lambda _: {"status": 400}
    return talk(model, [])


def by_switch(model: Scripted, settings: Settings) -> Chat:
    change(lambda _: {"switches": {"agent": False}}, source="x", author="bob", note="")
    return talk(model, [])


def by_anger(model: Scripted, settings: Settings) -> Chat:
    return talk_then(model, "This is the worst service ever, I am furious with you people!")


def set_rank(*, vip: bool) -> None:
    """Put back at the end of a test: the books would rightly ask who changed the customer."""
    Customer.objects.filter(email=NORA_EMAIL).update(vip=vip)


def by_rank(model: Scripted, settings: Settings) -> Chat:
    set_rank(vip=True)
    return talk(model, [VERIFY])


def by_riddle(model: Scripted, settings: Settings) -> Chat:
    return talk_then(model, "xyz blue seven")


def by_wish(model: Scripted, settings: Settings) -> Chat:
    return talk_then(model, "Please delete my account.")


def by_share(model: Scripted, settings: Settings) -> Chat:
    change(lambda _: {"triage": {"rollout": {"refund": 0}}}, source="x", author="bob", note="")
    return talk(model, [])


def talk_then(model: Scripted, words: str) -> Chat:
    chat = start_chat()
    chat.say(words)
    assert model.moves == []
    return chat


WAYS: dict[str, tuple[Callable[[Scripted, Settings], Chat], str, bool]] = {
    # Each with its ticket's reason, and whether the model was asked at all.
    "words": (by_words, "customer", False),
    "button": (by_button, "customer", False),
    "legal threat": (by_risk, "legal threat", False),
    "the agent": (by_the_agent, "agent", True),
    "look-ups": (by_lookups, "failed_lookups", True),
    "steps": (by_steps, "limit", True),
    "money": (by_money, "spend_cap", False),
    "provider": (by_provider, "model_unavailable", True),
    "switch": (by_switch, "agent_off", False),
}


SCOPED_ALONE: dict[str, tuple[Callable[[Scripted, Settings], Chat], str, bool]] = {
    "anger": (by_anger, "anger", False),
    "vip": (by_rank, "vip", True),
    "not understood": (by_riddle, "low_confidence", False),
    "not supported": (by_wish, "unsupported", False),
    "rollout": (by_share, "rollout", False),
}


@pytest.mark.parametrize(
    ("way", "profile"), [*itertools.product(WAYS, ["retail", "scoped"]), *((way, "scoped") for way in SCOPED_ALONE)]
)
def test_each_other_way_to_a_person(model: Scripted, settings: Settings, profile: str, way: str) -> None:
    settings.DESKAGENT_PROFILE = profile
    go, reason, asks = (WAYS | SCOPED_ALONE)[way]
    chat = go(model, settings)
    assert bool(model.requests) is asks
    ticket = check_handoff(chat, reason)
    set_rank(vip=False)
    if way == "the agent":
        assert ticket.summary["model_summary"] == "Wants a discount."
