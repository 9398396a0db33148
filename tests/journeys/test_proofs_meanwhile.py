"""A proof of who the customer is that comes, or is forgotten, while something else waits."""

from functools import partial

import pytest
from django.contrib.auth.models import User
from pytest_django.fixtures import Settings

from approvals import operations as gate
from approvals.comparing import compare_facts
from approvals.identity import HOUR, LIMITS
from approvals.models import ActionRequest, CustomerSession, OneTimeCode
from approvals.operations import NotCorrectable
from conversations.models import Message, Step, Turn
from conversations.operations import UnderReview, close, post_customer_message
from orders.models import Customer, Mail
from orders.payments.fake import FakeGateway
from policy.operations import publish
from tests.approvals.test_strengths import demand
from tests.approvals.waiting import BACKPACK, BOTH, LAMP, RETURN, make_waiting, price
from tests.conversations.helpers import at_once, twin
from tests.factories import NORA_EMAIL, OTHER_USER, run_turns, start_chat
from tests.journeys.test_remote_refund import carry_out, claimed_chat
from tests.proofs import SECRET, read_mail, sign
from tests.scripted import Scripted, say

pytestmark = pytest.mark.usefixtures("desk")


def make_waiting_of(strength: str) -> ActionRequest:
    """A return above the limit by a customer who is known so."""
    price(150_000, item=LAMP)
    price(20_000, item=BACKPACK)
    return make_waiting(RETURN, known_by=strength, **BOTH)


def come_back(request: ActionRequest, staff: User) -> CustomerSession:
    """The chat is closed while the request waits, and the customer writes again: nobody is verified in it."""
    chat = request.session.conversation
    close(conversation_id=chat, staff=staff)
    with pytest.raises(UnderReview):
        post_customer_message(conversation_id=chat, client_id="back", text="Any news?")
    session = CustomerSession.objects.get(conversation=chat)
    assert (session.customer, session.strength, session.holder) == (None, "", "agent")
    return session


def test_a_proof_during_a_payment_leaves_the_open_call_to_its_result(
    model: Scripted, gateway: FakeGateway, settings: Settings
) -> None:
    """A request with a call and no result is one that no provider takes."""
    settings.DESKAGENT_IDENTITY_SECRET = SECRET
    publish(source="test", limits=demand(actions={"modify_user_address": "signed"}), author="test")
    chat = claimed_chat(model)
    assert chat.post("identity", {"identity": sign()}).status_code == 202
    assert run_turns() == 0
    assert list(Turn.objects.values_list("state", flat=True)) == ["waiting"]

    carry_out()
    model.plays(say("Your order is cancelled and the money is back."))
    run_turns()
    kinds = [block["type"] for block in model.last_blocks()]
    assert kinds == ["tool_result", "text"]
    assert "signing in at the shop" in model.last_blocks()[1]["text"]
    assert chat.state() == "open"
    assert not Turn.objects.exclude(state="done").exists()


def test_what_was_agreed_to_before_the_chat_was_closed_can_still_be_approved(bob: User) -> None:
    publish(source="test", limits=demand(otherwise="code"), author="test")
    request = make_waiting_of("code")
    come_back(request, bob)
    waiting = ActionRequest.objects.get(pk=request.pk)
    [known] = [fact for fact in compare_facts(waiting) if fact.label == "Customer known by"]
    assert (known.then, known.now, known.changed) == ("code", "", True)
    assert gate.approve(request_id=request.pk, staff=bob).state == "granted"


def test_a_proof_that_the_policy_asks_for_since_is_not_made_up_for_by_the_closed_chat(bob: User) -> None:
    request = make_waiting_of("code")
    publish(source="test", limits=demand(otherwise="signed"), author="test")
    session = come_back(request, bob)
    # Whoever else is known in the chat by now vouches for nothing that Nora asked for.
    session.customer, session.strength = Customer.objects.get(user_id=OTHER_USER), "signed"
    session.save()
    with pytest.raises(gate.Stale, match="R1 refuses"):
        gate.approve(request_id=request.pk, staff=bob)
    assert ActionRequest.objects.get(pk=request.pk).effect is None


def test_no_card_is_shown_to_a_chat_that_does_not_know_its_customer_any_more(bob: User) -> None:
    request = make_waiting_of("lookup")
    come_back(request, bob)
    with pytest.raises(NotCorrectable, match="not verified"):
        gate.correct(request_id=request.pk, staff=bob, item_ids=[BACKPACK])
    assert ActionRequest.objects.get().state == "awaiting_staff"


PARTED = ["{}{}{} {}{}{}", "{}{}{}  {}{}{}", "{}{}{} - {}{}{}", "{}{}{},{}{}{}", "{}{}{}/{}{}{}", "{}{}{}_{}{}{}"]
PARTED += [
    "{}, {}, {}, {}, {}, {}",
    "{}{}{}\n\n{}{}{}",
    "{}{}{}\u200b{}{}{}",
    "{}\u00b7{}\u00b7{}\u00b7{}\u00b7{}\u00b7{}",
]
PARTED += ["code:{}{}{}{}{}{}.", "W{}{}{}{}{}{}", "My order 5, {}{}{}{}{}{}"]


@pytest.mark.parametrize("way", PARTED)
def test_a_code_is_heard_and_masked_however_its_digits_are_parted(way: str) -> None:
    chat = start_chat()
    assert chat.post("identity", {"email": NORA_EMAIL}).status_code == 202
    [code] = read_mail()
    assert chat.send(way.format(*code)).status_code == 202
    assert chat.get().json()["verified"] == "code"
    [stored] = Message.objects.filter(role="customer").values_list("text", flat=True)
    assert "••••••" in stored
    assert not any(letter.isdigit() for letter in stored.replace("order 5", ""))
    seen = "".join(str(body) for body in Step.objects.values_list("body", flat=True))
    assert way.format(*code) not in seen


@pytest.mark.parametrize("text", ["It costs $11,234.56", "My order is #W5918442", "12/05/2026"])
def test_numbers_of_another_length_are_no_code(text: str) -> None:
    chat = start_chat()
    assert chat.post("identity", {"email": NORA_EMAIL}).status_code == 202
    assert chat.send(text).status_code == 202
    assert Message.objects.get(role="customer").text == text


def test_many_chats_that_ask_for_one_address_at_once_share_its_limit() -> None:
    chats = [start_chat() for _ in range(8)]
    answers = at_once(*[partial(twin(chat).post, "identity", {"email": NORA_EMAIL}) for chat in chats])
    assert {answer.status_code for answer in answers} == {202}
    [most] = [most for name, within, most in LIMITS if (name, within) == ("email", HOUR)]
    assert OneTimeCode.objects.count() == Mail.objects.filter(purpose="code").count() == most
    assert [chat.state() for chat in chats].count("with_person") == len(chats) - most
