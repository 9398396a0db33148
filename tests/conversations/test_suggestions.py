"""Drafts for staff: from the same agent, reading only, never sent by themselves, and paid for like any call."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from approvals.models import ActionRequest
from audit.queries import list_entries, verify
from conversations import operations, tasks
from conversations.models import ModelCall, Step, Suggestion, Turn
from conversations.operations.suggesting import GIVE_UP, LOST, NOT_HELD
from orders.models import Effect
from policy.actions import ACTIONS
from tests.conversations.helpers import (
    CANCEL_SMALL,
    LOOK_UP,
    answered_chat,
    assert_requests_extend,
    at_once,
    staff_call,
    wait_for_staff,
    while_speaking,
)
from tests.conversations.test_help_center import publish_article
from tests.factories import NORA_EMAIL, SMALL, Chat, decide, make_staff, run_turns, staff_client
from tests.journeys.test_kill_switch import switch
from tests.scripted import Scripted, call, say

pytestmark = pytest.mark.usefixtures("desk")
HOSTILE = "</textarea><script>alert(1)</script><img src=x onerror=alert(2)>"


def url_of(chat: Chat, name: str) -> str:
    return reverse(f"admin:conversations_{name}", args=[chat.id])


def page_of(client: Client, chat: Chat) -> str:
    answer = client.get(reverse("admin:conversations_conversation_change", args=[chat.id]))
    assert answer.status_code == 200
    return str(answer.content.decode())


def held_chat(model: Scripted, bob: User) -> tuple[Chat, Client]:
    """A verified customer whose chat Bob holds."""
    model.plays(LOOK_UP, say("Hello Nora."))
    chat, client = Chat().start(), staff_client(bob)
    chat.say(f"Hi, I am {NORA_EMAIL}.")
    assert staff_call(client, chat, "take-over").status_code == 200
    chat.send(f"Where is {SMALL}?")
    return chat, client


def draft(chat: Chat, client: Client) -> Suggestion:
    """Press the button and let the worker do it."""
    assert client.post(url_of(chat, "suggest")).status_code == 302
    suggestion = Suggestion.objects.latest("pk")
    tasks.suggest(suggestion_id=suggestion.pk)
    suggestion.refresh_from_db()
    return suggestion


@pytest.mark.usefixtures("books")
def test_a_draft_is_read_for_edited_and_sent_by_a_person(model: Scripted, bob: User) -> None:
    chat, client = held_chat(model, bob)
    before, steps, turns = chat.events(), Step.objects.count(), Turn.objects.count()
    model.plays(call("get_order_details", order_id=SMALL), say("It is on its way."))
    found = draft(chat, client)
    assert (found.state, found.text, found.asked_by, found.faults) == ("ready", "It is on its way.", bob, [])
    # Neither the customer nor the agent's history knows of it.
    assert (chat.events(), Step.objects.count()) == (before, steps)
    assert Turn.objects.count() == turns + 1
    assert '"order_id": "#W5918442"' in model.last_results()[0]

    assert "It is on its way.</textarea>" in page_of(client, chat)
    sent = client.post(url_of(chat, "reply"), {"text": "It is on its way, Nora.", "suggestion": found.pk})
    assert sent.status_code == 302
    assert chat.texts("staff") == ["It is on its way, Nora."]
    found.refresh_from_db()
    assert (found.used_by, found.edited, found.message and found.message.text) == (bob, True, "It is on its way, Nora.")
    assert "It is on its way.</textarea>" not in page_of(client, chat)


def test_an_unchanged_draft_is_told_from_an_edited_one(model: Scripted, bob: User) -> None:
    chat, client = held_chat(model, bob)
    model.plays(say("It is on\nits way."))
    found = draft(chat, client)
    client.post(url_of(chat, "reply"), {"text": "It is on\r\nits way.", "suggestion": found.pk})
    found.refresh_from_db()
    assert (chat.texts("staff"), found.edited) == (["It is on\nits way."], False)


def test_a_number_of_no_draft_of_this_chat_marks_nothing(model: Scripted, bob: User) -> None:
    other, client = held_chat(model, bob)
    model.plays(say("For the other one."))
    theirs = draft(other, client)
    chat, client = held_chat(model, bob)
    for number in ("", "0", "-1", "x", "9" * 30, "１", str(theirs.pk)):
        assert client.post(url_of(chat, "reply"), {"text": "Hello.", "suggestion": number}).status_code == 302
    theirs.refresh_from_db()
    assert (theirs.message, theirs.used_by, theirs.edited) == (None, None, None)


def test_the_request_offers_reads_alone_and_ends_with_the_wish(model: Scripted, bob: User) -> None:
    chat, client = held_chat(model, bob)
    staff_call(client, chat, "reply", {"text": "One moment <b>please</b>."})
    chat.send("Still waiting & hoping")
    model.plays(say("Here it is."))
    draft(chat, client)
    agents, drafts = model.requests[-2:]
    offered = {tool["name"] for tool in drafts["tools"]}
    assert "get_order_details" in offered
    assert offered.isdisjoint({*ACTIONS, "transfer_to_human_agents", LOOK_UP["tool_calls"][0]["name"]})
    assert drafts["system"] == agents["system"]
    assert drafts["messages"][: len(agents["messages"])] == agents["messages"]
    *said, wish = [block["text"] for block in drafts["messages"][-1]["content"]]
    assert said == [
        f"<customer>Where is {SMALL}?</customer>",
        "<person>Staff: One moment &lt;b&gt;please&lt;/b&gt;.</person>",
        "<customer>Still waiting &amp; hoping</customer>",
    ]
    assert wish.startswith("<desk>A colleague holds this chat")


def test_the_agents_own_requests_know_nothing_of_a_draft(model: Scripted, bob: User) -> None:
    chat, client = held_chat(model, bob)
    mine = len(model.requests)
    model.plays(call("get_order_details", order_id=SMALL), say("A secret draft."))
    draft(chat, client)
    theirs = len(model.requests)
    model.plays(say("I am back."))
    staff_call(client, chat, "hand-back")
    run_turns()
    assert_requests_extend([*model.requests[:mine], *model.requests[theirs:]])
    assert "A secret draft" not in str(model.requests[theirs:])


ATTEMPTS = [
    CANCEL_SMALL,
    LOOK_UP,
    call("transfer_to_human_agents", summary="x"),
    call("delete_account", user="nora"),
    call("issue_refund", order_id=SMALL, item_ids=["1"], reason_code="damaged"),
]


def test_a_draft_that_wants_more_than_reading_gets_nothing(model: Scripted, bob: User) -> None:
    chat, client = held_chat(model, bob)
    before = chat.events()
    model.plays(*ATTEMPTS, say("I could not."))
    found = draft(chat, client)
    assert (found.state, found.text) == ("ready", "I could not.")
    results = [
        block["content"]
        for said in model.requests[-1]["messages"][-10:]
        for block in said["content"]
        if block["type"] == "tool_result"
    ]
    assert results == ["Not available: a draft can only look things up."] * len(ATTEMPTS)
    assert (chat.events(), ActionRequest.objects.count(), Effect.objects.count()) == (before, 0, 0)
    assert chat.state() == "with_person"
    names = [attempt["tool_calls"][0]["name"] for attempt in ATTEMPTS]
    assert [entry.action for entry in list_entries(subject=chat.id) if entry.event == "write_refused"] == names


def test_the_audit_log_marks_what_a_draft_asked_and_read(model: Scripted, bob: User) -> None:
    chat, client = held_chat(model, bob)
    model.plays(call("get_order_details", order_id=SMALL), say("On its way."))
    draft(chat, client)
    entries = list_entries(subject=chat.id)
    marked = [entry.event for entry in entries if entry.fields["facts"].get("draft")]
    assert marked == ["model_call", "read_ok", "model_call"]
    assert [entry.event for entry in entries][-3:] == marked
    assert page_of(client, chat).count("for a draft") == 3
    assert verify().broken is None


def test_a_customer_who_is_not_verified_is_read_nothing_of(model: Scripted, bob: User) -> None:
    chat, client = answered_chat(model), staff_client(bob)
    staff_call(client, chat, "take-over")
    model.plays(call("get_order_details", order_id=SMALL), say("Who are you?"))
    assert draft(chat, client).text == "Who are you?"
    assert model.last_results()[0].startswith("Policy: R1")


@pytest.mark.usefixtures("books")
def test_a_request_that_waits_for_staff_stays_open_beside_a_draft(model: Scripted, bob: User) -> None:
    chat, client = wait_for_staff(model), staff_client(bob)
    chat.post("handoff")
    staff_call(client, chat, "take-over")
    model.plays(say("A colleague looks at it."))
    assert draft(chat, client).text == "A colleague looks at it."
    assert model.last_results() == ["Not decided yet: a person of the shop looks at it."]
    assert not Step.objects.filter(kind=Step.Kind.RESULT, body__contains="Not decided yet").exists()
    request = ActionRequest.objects.get()
    assert decide(bob, str(request.pk), "approve").status_code == 200
    assert Effect.objects.count() == 1


# --- It is judged like an answer ---


def test_a_draft_that_claims_what_no_row_shows_comes_with_its_faults(model: Scripted, bob: User) -> None:
    chat, client = held_chat(model, bob)
    model.plays(say(f"Hello. I have <b>cancelled</b> {SMALL}, and $999.00 is on its way."))
    found = draft(chat, client)
    assert (found.state, len(found.faults) > 0) == ("ready", True)
    # Staff decide: it is theirs to mend.
    assert "cancelled" in found.text
    page = page_of(client, chat)
    assert page.count("<li>Check: ") == len(found.faults)
    assert "<b>cancelled</b>" not in page
    assert client.get(url_of(chat, "suggestion")).json()["faults"] == found.faults


def test_a_draft_that_the_rows_bear_out_has_no_fault(model: Scripted, bob: User) -> None:
    chat, client = held_chat(model, bob)
    model.plays(call("get_order_details", order_id=SMALL), say(f"Order {SMALL} is still pending."))
    assert draft(chat, client).faults == []


def test_a_draft_looks_into_the_help_center_and_drops_the_marks(model: Scripted, bob: User) -> None:
    publish_article("gift-cards", "Gift cards", "Gift cards do not expire.")
    chat, client = held_chat(model, bob)
    model.plays(call("search_help_center", query="do gift cards expire"), say("Gift cards do not expire [1]."))
    found = draft(chat, client)
    assert '<passage n="1" article="gift-cards"' in model.last_results()[0]
    assert (found.text, found.faults) == ("Gift cards do not expire.", [])
    read = [entry for entry in list_entries(subject=chat.id) if entry.action == "search_help_center"]
    assert [entry.fields["facts"].get("draft") for entry in read] == [True]


# --- It costs what an answer costs ---


def test_a_draft_is_paid_for_and_stops_at_the_cap(model: Scripted, bob: User, settings: Settings) -> None:
    chat, client = held_chat(model, bob)
    model.plays(say("On its way."))
    found = draft(chat, client)
    paid = ModelCall.objects.get(turn=found.turn)
    assert (paid.open, paid.cost_nano > 0) == (False, True)
    settings.DESKAGENT_SPEND_CAP_CONVERSATION_USD = Decimal("0.000001")
    asked = len(model.requests)
    stopped = draft(chat, client)
    assert (stopped.state, stopped.why) == ("failed", "The assistant’s spend cap is reached.")
    assert len(model.requests) == asked
    assert "The assistant’s spend cap is reached." in page_of(client, chat)


def test_drafts_count_as_turns_of_the_chat(model: Scripted, bob: User, settings: Settings) -> None:
    chat, client = held_chat(model, bob)
    settings.DESKAGENT_TURNS_CONVERSATION = Turn.objects.count()
    answer = client.post(url_of(chat, "suggest"), {"text": "typed"})
    assert answer.status_code == 409
    assert "used up the assistant’s answers" in answer.content.decode()
    assert "typed</textarea>" in answer.content.decode()
    assert Suggestion.objects.count() == 0


def test_a_switched_off_agent_drafts_nothing(model: Scripted, bob: User) -> None:
    chat, client = held_chat(model, bob)
    switch(bob, "agent")
    assert draft(chat, client).why == "The assistant is switched off."


def test_a_model_that_fails_leaves_a_clear_word(model: Scripted, bob: User) -> None:
    chat, client = held_chat(model, bob)
    for move, why in [
        ({"text": " "}, "The model gave no usable draft."),
        ({"text": "cut", "stop_reason": "max_tokens"}, "The model gave no usable draft."),
        ({"status": 400}, "The model’s provider does not answer."),
    ]:
        model.plays(move)
        found = draft(chat, client)
        assert (found.state, found.why, found.text) == ("failed", why, "")
    assert ModelCall.objects.filter(open=True).count() == 0
    # The next one is drafted anew.
    model.plays(say("Now it works."))
    assert draft(chat, client).text == "Now it works."


def test_a_draft_that_never_comes_to_an_end_is_ended(model: Scripted, bob: User) -> None:
    chat, client = held_chat(model, bob)
    asked = len(model.requests)
    model.rule = lambda _: call("list_all_product_types")
    assert draft(chat, client).why == "The assistant found no end."
    assert len(model.requests) - asked == 10


# --- Rows are the to-do ---


def ask(chat: Chat, bob: User) -> Suggestion:
    return operations.ask_for_suggestion(conversation_id=chat.id, staff=bob)  # type: ignore[arg-type]


def test_pressing_twice_asks_once(model: Scripted, bob: User) -> None:
    chat, _ = held_chat(model, bob)
    found = at_once(*[lambda: ask(chat, bob)] * 4)
    assert len({one.pk for one in found}) == Suggestion.objects.count() == 1


def test_two_workers_draft_once(model: Scripted, bob: User) -> None:
    chat, _ = held_chat(model, bob)
    asked, suggestion = len(model.requests), ask(chat, bob)
    model.rule = lambda _: say("Once.")
    at_once(*[lambda: tasks.suggest(suggestion_id=suggestion.pk)] * 3)
    suggestion.refresh_from_db()
    assert (suggestion.text, len(model.requests) - asked) == ("Once.", 1)


def test_a_lost_nudge_costs_a_sweep_and_two_sweeps_send_once(model: Scripted, bob: User) -> None:
    chat, _ = held_chat(model, bob)
    suggestion = ask(chat, bob)
    now = timezone.now()
    operations.sweep(now=now)
    suggestion.refresh_from_db()
    assert suggestion.nudged_at is None
    ahead = now + timedelta(seconds=6)
    at_once(*[lambda: operations.sweep(now=ahead)] * 2)
    suggestion.refresh_from_db()
    assert (suggestion.nudged_at, suggestion.state) == (ahead, "queued")
    operations.sweep(now=now + GIVE_UP + timedelta(seconds=1))
    suggestion.refresh_from_db()
    assert (suggestion.state, suggestion.why) == ("failed", LOST)


def test_a_worker_that_died_costs_its_reservation_and_the_draft(model: Scripted, bob: User) -> None:
    chat, _ = held_chat(model, bob)
    suggestion = ask(chat, bob)

    def die(_: dict[str, Any]) -> dict[str, Any]:
        operations.sweep(now=timezone.now() + timedelta(seconds=101))
        return say("Too late.")

    model.rule = die
    tasks.suggest(suggestion_id=suggestion.pk)
    suggestion.refresh_from_db()
    assert (suggestion.state, suggestion.why, suggestion.text) == ("failed", LOST, "")
    paid = ModelCall.objects.get(turn=suggestion.turn)
    assert (paid.open, paid.stop_reason) == (False, "unseen")


@pytest.mark.parametrize("leaves", ["hand-back", "close"])
def test_a_chat_that_nobody_holds_any_more_gets_no_draft(model: Scripted, bob: User, leaves: str) -> None:
    chat, client = held_chat(model, bob)
    suggestion = ask(chat, bob)
    while_speaking(model, lambda: staff_call(client, chat, leaves), say("Too late."))
    tasks.suggest(suggestion_id=suggestion.pk)
    suggestion.refresh_from_db()
    assert (suggestion.state, suggestion.why, suggestion.text) == ("failed", NOT_HELD, "")
    assert ModelCall.objects.filter(open=True).count() == 0


def test_whoever_takes_the_chat_next_gets_a_draft_of_their_own(model: Scripted, bob: User) -> None:
    chat, client = held_chat(model, bob)
    client.post(url_of(chat, "suggest"))
    left = Suggestion.objects.get()
    assert staff_call(client, chat, "hand-back").status_code == 200
    model.plays(say("Back."))
    run_turns()
    assert staff_call(client, chat, "take-over").status_code == 200
    model.plays(say("A new draft."))
    found = draft(chat, client)
    left.refresh_from_db()
    assert (left.state, left.why, found.state) == ("failed", NOT_HELD, "ready")
    assert "A new draft.</textarea>" in page_of(client, chat)


def test_a_draft_delays_no_turn_of_the_agent(model: Scripted, bob: User) -> None:
    chat, client = held_chat(model, bob)
    ask(chat, bob)
    staff_call(client, chat, "hand-back")
    model.plays(say("I am back."))
    run_turns()
    assert chat.texts()[-1] == "I am back."


# --- Who may, and what the page shows ---


def test_only_who_holds_the_chat_may_ask(model: Scripted, bob: User) -> None:
    chat, client = held_chat(model, bob)
    eve = make_staff()
    eve.user_permissions.set(Permission.objects.filter(codename__in=["answer_conversation", "view_conversation"]))
    viewer = make_staff("vera")
    viewer.user_permissions.set(Permission.objects.filter(codename="view_conversation"))
    assert staff_client(eve).post(url_of(chat, "suggest")).status_code == 409
    assert "Suggest a reply" not in page_of(staff_client(eve), chat)
    assert staff_client(viewer).post(url_of(chat, "suggest")).status_code == 403
    assert staff_client(viewer).get(url_of(chat, "suggestion")).status_code == 403
    assert Client().get(url_of(chat, "suggestion")).status_code == 302
    assert client.get(url_of(chat, "suggest")).status_code == 405
    assert client.post(url_of(chat, "suggestion")).status_code == 405
    assert Suggestion.objects.count() == 0
    assert "Suggest a reply" in page_of(client, chat)


def test_a_hostile_draft_stays_text(model: Scripted, bob: User) -> None:
    chat, client = held_chat(model, bob)
    model.plays(say(f"{HOSTILE} \x00\x1b[31m"))
    found = draft(chat, client)
    page = page_of(client, chat)
    assert HOSTILE not in page
    assert "&lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "\x00" not in found.text
    typed = client.post(url_of(chat, "suggest"), {"text": HOSTILE}).content.decode()
    assert HOSTILE not in typed


def test_the_page_asks_until_it_is_there(model: Scripted, bob: User) -> None:
    chat, client = held_chat(model, bob)
    assert client.get(url_of(chat, "suggestion")).json() == {}
    client.post(url_of(chat, "suggest"))
    assert url_of(chat, "suggestion") in page_of(client, chat)
    assert client.get(url_of(chat, "suggestion")).json()["state"] == "queued"
    model.plays(say("Here."))
    tasks.suggest(suggestion_id=Suggestion.objects.get().pk)
    chat.send("And my other order?")
    found = client.get(url_of(chat, "suggestion"))
    assert "no-store" in found.headers["Cache-Control"]
    assert (found.json()["state"], found.json()["text"], found.json()["stale"]) == ("ready", "Here.", True)
    assert "The customer wrote since." in page_of(client, chat)


def test_what_was_typed_is_kept_beside_a_draft(model: Scripted, bob: User) -> None:
    chat, client = held_chat(model, bob)
    model.plays(say("A draft."))
    draft(chat, client)
    page = client.post(url_of(chat, "suggest"), {"text": "My own words"}).content.decode()
    assert "My own words</textarea>" in page
    assert 'id="suggestion" value=""' in page


def test_the_demo_model_drafts_too(settings: Settings, bob: User) -> None:
    settings.DESKAGENT_MODEL = "offline"
    chat, client = Chat().start(), staff_client(bob)
    chat.say(f"Hi, I'm {NORA_EMAIL}")
    staff_call(client, chat, "take-over")
    chat.send(f"Where is order {SMALL}?")
    found = draft(chat, client)
    assert (found.state, SMALL in found.text) == ("ready", True)
    assert chat.texts("staff") == []
