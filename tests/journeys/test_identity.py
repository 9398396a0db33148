"""A cautious shop: the agent may see and do nothing until the customer has proved who they are."""

import json

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.core.management import call_command
from pytest_django.fixtures import Settings

from approvals.models import ActionRequest, OneTimeCode
from audit.queries import list_entries, verify
from conversations import operations
from conversations.agent.offline_desk import PROVE_FIRST
from conversations.models import Message, Step, Ticket, Turn
from conversations.operations.identifying import MASK, OFFERS, ON_ITS_WAY, VERIFIED, WRONG
from orders.models import Effect, Order
from policy.levels import Strength
from policy.limits import Limits
from policy.operations import publish, read_preset
from tests.conversations.helpers import everything_sent
from tests.conversations.test_socket import connected, new_chat, work
from tests.factories import NORA_EMAIL, SMALL, Chat, decide, run_turns, start_chat
from tests.proofs import SECRET, other_code, read_mail, sign
from tests.scripted import Scripted, call, say
from tests.writes import DELIVERED, NORA, RETURN, VERIFY, open_card, write

pytestmark = pytest.mark.usefixtures("desk", "books")
READ = call("get_order_details", order_id=DELIVERED)
ASK = "Please enter the code from the mail."


@pytest.fixture(autouse=True)
def _cautious(desk: None, settings: Settings) -> None:
    settings.DESKAGENT_IDENTITY_SECRET = SECRET
    call_command("load_policy", "cautious", verbosity=0)


def refused_chat(model: Scripted) -> Chat:
    """Nora was found by her address; that is not enough to see her order."""
    model.plays(VERIFY, READ, say(ASK))
    chat = start_chat()
    chat.say("I want to return the lamp of my order")
    assert chat.texts() == [ASK]
    assert model.last_results()[0].startswith("Policy: R1 ")
    return chat


def ask_code(chat: Chat, email: str = NORA_EMAIL) -> str:
    assert chat.post("identity", {"email": email}).status_code == 202
    [code] = read_mail()
    return code


def events_of(chat: Chat) -> list[str]:
    return list(list_entries(subject=chat.id).order_by("position").values_list("event", flat=True))


def test_from_the_refusal_over_the_mailed_code_to_the_return(model: Scripted) -> None:
    chat = refused_chat(model)
    assert chat.texts("system") == [OFFERS[Strength.CODE]]
    assert chat.get().json()["identity_needed"] == "code"
    code = ask_code(chat)

    # What the agent could not do is taken up without another word of the customer.
    model.plays(READ, write(RETURN))
    assert chat.post("identity", {"code": code}).json() == {"verified": "code"}
    run_turns()

    assert chat.texts("system") == [OFFERS[Strength.CODE], ON_ITS_WAY, VERIFIED]
    assert chat.get().json()["identity_needed"] is None
    assert chat.state() == "awaiting_customer"
    model.plays(say("The return is requested."))
    chat.press("yes")
    # 25.00 is the limit of this shop, so a person looks at the money.
    assert (chat.state(), Effect.objects.count()) == ("under_review", 0)
    request = ActionRequest.objects.get()
    assert (request.action, request.customer.user_id if request.customer else "") == (RETURN, NORA)
    assert f"The customer is signed in as {NORA}." in everything_sent(model)
    assert code not in json.dumps([request["messages"] for request in model.requests])
    assert events_of(chat).count("customer_verified") == 2
    assert verify().broken is None


def test_the_return_runs_once_a_person_approved_it(model: Scripted, bob: User) -> None:
    chat = refused_chat(model)
    model.plays(READ, write(RETURN), say("The return is requested."))
    chat.post("identity", {"code": ask_code(chat)})
    run_turns()
    chat.press("yes")
    assert decide(bob, chat.card()["request_id"], "approve").status_code == 200
    run_turns()
    assert Order.objects.get(number=DELIVERED).status == "return requested"
    assert Effect.objects.get().user_id == NORA


def test_a_customer_who_signed_in_at_the_shop_is_never_asked(model: Scripted) -> None:
    chat = Chat()
    answer = chat.client.post("/api/v1/conversations/", {"identity": sign()}, content_type="application/json")
    chat.id, chat.token = answer.json()["id"], answer.json()["token"]
    assert chat.get().json()["identity_needed"] is None
    model.plays(READ, write(RETURN))
    chat.say("I want to return the lamp of my order")
    assert chat.state() == "awaiting_customer"
    first = model.requests[0]["messages"][0]["content"]
    assert first[0]["text"].startswith(f"<desk>The customer is signed in as {NORA}.")
    assert "<customer>I want to return" in first[1]["text"]


def test_signing_in_during_the_chat_lets_the_agent_go_on(model: Scripted) -> None:
    chat = refused_chat(model)
    model.plays(READ, say("It was delivered."))
    assert chat.post("identity", {"identity": sign()}).json() == {"verified": "signed"}
    run_turns()
    assert chat.texts()[-1] == "It was delivered."


@pytest.mark.parametrize(
    ("text", "shown"),
    [("{}", MASK), ("It says {}, please go on", f"It says {MASK}, please go on"), ("code: {}.", f"code: {MASK}.")],
)
def test_a_code_typed_into_the_chat_is_used_and_neither_stored_nor_sent_to_the_model(
    model: Scripted, text: str, shown: str
) -> None:
    chat = refused_chat(model)
    code = ask_code(chat)
    model.plays(READ, say("It was delivered."))
    answer = chat.send(text.format(code), client_id="typed")
    assert answer.status_code == 202
    run_turns()
    assert chat.texts("customer")[-1] == shown
    assert chat.get().json()["verified"] == "code"
    assert chat.texts()[-1] == "It was delivered."
    assert shown in everything_sent(model)
    assert code not in json.dumps([request["messages"] for request in model.requests])
    stored = [*Message.objects.values_list("text", flat=True), *map(str, Step.objects.values_list("body", flat=True))]
    assert not [one for one in stored if code in one]
    # The same message again is the same message.
    assert chat.send(text.format(code), client_id="typed").status_code == 200
    assert len(chat.texts("customer")) == 2


def test_a_wrong_code_in_the_chat_counts_and_ends_at_a_person_after_five(model: Scripted) -> None:
    chat = refused_chat(model)
    code = other_code(ask_code(chat))
    for number in range(1, 5):
        model.plays(say("That was not the code."))
        chat.say(code)
        assert OneTimeCode.objects.get().attempts == number
    assert chat.texts("system").count(WRONG) == 4
    assert chat.send(code).status_code == 202
    assert run_turns() == 0
    assert chat.state() == "with_person"
    assert Ticket.objects.get().reason == "failed_codes"
    assert chat.texts("customer")[1:] == [MASK] * 5


def test_several_numbers_are_no_guess_and_no_way_around_the_attempts(model: Scripted) -> None:
    chat = refused_chat(model)
    code = ask_code(chat)
    model.plays(say("Please send the code alone."))
    chat.say(f"one of these: {other_code(code)} {code} 000000")
    assert OneTimeCode.objects.get().attempts == 0
    assert chat.get().json()["verified"] == "lookup"
    assert code not in everything_sent(model)


def test_other_numbers_are_left_alone_while_a_code_is_due(model: Scripted) -> None:
    chat = refused_chat(model)
    ask_code(chat)
    for text in ("call me at 5551234567", "zip 10023", "order #W1234567", "call 555 123 4567", "in 2026, at 10:15"):
        model.plays(say("Okay."))
        chat.say(text)
        assert chat.texts("customer")[-1] == text
    assert OneTimeCode.objects.get().attempts == 0


def test_without_a_code_due_six_digits_are_words_like_others(model: Scripted) -> None:
    chat = refused_chat(model)
    model.plays(say("Okay."))
    chat.say("123456")
    assert chat.texts("customer")[-1] == "123456"


def test_a_code_typed_to_a_card_leaves_the_card_open(model: Scripted) -> None:
    call_command("load_policy", "retail", verbosity=0)
    chat = open_card(model, RETURN)
    code = ask_code(chat)
    assert chat.send(code).status_code == 202
    assert run_turns() == 0
    assert (chat.state(), chat.get().json()["verified"]) == ("awaiting_customer", "code")
    model.plays(say("The return is requested."))
    chat.press("yes")
    assert Order.objects.get(number=DELIVERED).status == "return requested"
    assert not Turn.objects.exclude(state="done").exists()


def test_a_code_typed_while_a_request_is_under_review_is_taken(model: Scripted) -> None:
    chat = refused_chat(model)
    model.plays(READ, write(RETURN))
    chat.post("identity", {"code": ask_code(chat)})
    run_turns()
    chat.press("yes")
    assert chat.state() == "under_review"
    assert chat.send("any news").status_code == 409
    assert chat.send(ask_code(chat)).status_code == 202
    assert chat.state() == "under_review"


def test_a_code_given_while_a_person_holds_the_chat_verifies_and_wakes_no_agent(model: Scripted, bob: User) -> None:
    chat = refused_chat(model)
    operations.take_over(conversation_id=chat.id, staff=bob)
    assert chat.send(ask_code(chat)).status_code == 202
    assert chat.get().json()["verified"] == "code"
    assert run_turns() == 0
    assert chat.texts("customer")[-1] == MASK


def test_a_refusal_that_only_wants_a_look_up_shows_no_form(model: Scripted) -> None:
    call_command("load_policy", "retail", verbosity=0)
    model.plays(READ, say("May I have your e-mail address?"))
    chat = start_chat()
    chat.say("where is my order")
    assert chat.texts("system") == []
    assert chat.get().json()["identity_needed"] is None


def test_the_offer_is_made_once(model: Scripted) -> None:
    chat = refused_chat(model)
    model.plays(READ, say(ASK))
    chat.say("go on")
    assert chat.texts("system") == [OFFERS[Strength.CODE]]


@pytest.mark.parametrize("guard", ["audit"])
def test_the_measuring_mode_shows_no_form_and_records_what_it_would_refuse(
    model: Scripted, settings: Settings, guard: str
) -> None:
    settings.DESKAGENT_GUARD = guard
    model.plays(VERIFY, READ, say("It was delivered."))
    chat = start_chat()
    chat.say("where is my order")
    assert chat.texts("system") == []
    found = list_entries(subject=chat.id).filter(event="read_ok")
    assert [(entry.rule, entry.verdict) for entry in found] == [("R1", "would_refuse")]


@pytest.mark.parametrize(
    ("words", "then", "state"),
    [
        (f"Where is my order {DELIVERED}? I'm {NORA_EMAIL}", "delivered", "open"),
        (f"Show my orders please, I'm {NORA_EMAIL}", SMALL, "open"),
        (f"Please cancel order {SMALL}, I don't need it anymore. I'm {NORA_EMAIL}", "", "awaiting_customer"),
    ],
)
def test_the_offline_model_says_what_to_do_and_goes_on_after_the_code(
    settings: Settings, words: str, then: str, state: str
) -> None:
    settings.DESKAGENT_MODEL = "offline"
    chat = start_chat()
    chat.say(words)
    assert chat.get().json()["identity_needed"] == "code"
    assert chat.texts("system") == [OFFERS[Strength.CODE]]
    assert chat.texts()[0].startswith(PROVE_FIRST)
    chat.post("identity", {"code": ask_code(chat)})
    run_turns()
    assert chat.state() == state
    assert state != "open" or then in chat.texts()[-1]


async def test_over_the_socket_from_the_refusal_to_the_code_and_the_cancelled_order() -> None:
    chat = await new_chat()
    # The money of this order is below what this shop looks at, and its cancelling is left to the desk.
    await sync_to_async(allow_cancelling)()
    async with connected(chat) as socket:
        await socket.hello()
        words = f"Please cancel order {SMALL}, I don't need it. I'm {NORA_EMAIL}"
        await socket.send(type="message", client_id="1", text=words)
        await socket.until("message", role="customer")
        await work()
        await socket.until("message", text=OFFERS[Strength.CODE])
        code = await sync_to_async(ask_code)(chat)
        await socket.send(type="message", client_id="2", text=f"the code is {code}")
        heard = await socket.until("message", text=VERIFIED)
        await work()
        heard += await socket.until("state", state="awaiting_customer")
        card = next(frame["event"] for frame in heard if frame.get("event", {}).get("kind") == "request")
        await socket.send(type="answer", request_id=card["request_id"], answer="yes")
        heard += await socket.until("receipt")
        assert code not in json.dumps([frame.get("event", {}).get("text") for frame in heard])
    assert (await Order.objects.aget(number=SMALL)).status == "cancelled"
    verified = list_entries(subject=chat.id).filter(event="customer_verified").order_by("position")
    assert [entry.verdict async for entry in verified] == ["lookup", "code"]


def allow_cancelling() -> None:
    cautious = read_preset("cautious").as_data()
    autonomy = cautious["autonomy"] | {"otherwise": "limited"}
    limits = Limits.model_validate(cautious | {"person_above": "500.00", "autonomy": autonomy})
    publish(source="test", limits=limits, author="test")


@pytest.mark.parametrize("words", ["{} and now get me a human", "{} I will sue you"])
def test_a_code_beside_a_wish_for_a_person_verifies_and_brings_the_person(model: Scripted, words: str) -> None:
    chat = refused_chat(model)
    assert chat.send(words.format(ask_code(chat))).status_code == 202
    assert run_turns() == 0
    assert (chat.state(), chat.get().json()["verified"]) == ("with_person", "code")


def test_words_after_a_proof_open_a_turn_of_their_own(model: Scripted) -> None:
    chat = refused_chat(model)
    chat.post("identity", {"code": ask_code(chat)})
    model.plays(say("It was delivered."))
    chat.say("never mind the lamp, was it delivered")
    turn = Turn.objects.latest("pk")
    assert (turn.cause, turn.origin, turn.state) == ("message", Message.objects.filter(role="customer").last(), "done")
