"""What no tool does: accounts, stored payment methods, the account's e-mail. Whoever asks gets a person."""

from typing import Any

import pytest

from audit.models import Entry
from conversations.agent.prompt import VERSIONS, render_system
from conversations.agent.tools import list_specs
from conversations.models import Ticket
from policy.actions import ACTIONS
from policy.operations import read_preset
from tests.factories import NORA_EMAIL, start_chat
from tests.scripted import Scripted, call, say
from tests.writes import VERIFY, state_of_shop

WISHES = [
    "Please delete my account.",
    "I want to close my account and have all my data erased.",
    "Add a new credit card to my account.",
    "Remove my Visa from my account.",
    "Replace the card on file with a new one.",
    "Update the expiry date of my saved card.",
    "Change my e-mail address to bob@example.com.",
    "Can you change the email on my account?",
]
NEVER = ["delete_account", "add_payment_method", "remove_payment_method", "change_email", "modify_user_email"]


@pytest.mark.parametrize("wish", WISHES)
@pytest.mark.usefixtures("desk", "scoped", "books")
def test_asking_the_offline_model_for_it_brings_a_person(wish: str) -> None:
    before = state_of_shop()
    chat = start_chat()
    chat.say(f"Hi, my e-mail is {NORA_EMAIL}.")
    chat.say(wish)
    assert chat.state() == "with_person"
    assert Ticket.objects.count() == 1
    assert state_of_shop() == before


@pytest.mark.parametrize("name", NEVER)
@pytest.mark.usefixtures("desk", "scoped", "books")
def test_a_model_that_calls_for_it_finds_no_tool(model: Scripted, name: str) -> None:
    before = state_of_shop()
    model.plays(VERIFY, call(name, user_id="nora_lindahl_1042"), say("A person can do that."))
    chat = start_chat()
    chat.say("Do it.")
    assert model.last_results()[-1] == f"Unknown action {name}"
    assert Entry.objects.get(event="write_refused").verdict == "malformed"
    assert state_of_shop() == before


def test_no_tool_takes_an_e_mail_or_makes_a_payment_method() -> None:
    takes = {spec["name"]: set(spec["input_schema"]["properties"]) for spec in list_specs("scoped-1")}
    # To look a customer up, and to choose one of their own methods.
    assert {name for name, fields in takes.items() if "email" in fields} == {"find_user_id_by_email"}
    assert not set(NEVER) & set(takes)
    assert all("amount" not in fields for fields in takes.values())


@pytest.mark.parametrize("preset", ["retail", "cautious"])
def test_the_prompt_sends_them_to_a_person_and_holds_the_policys_numbers(preset: str) -> None:
    limits: Any = read_preset(preset)
    text = render_system(VERSIONS["scoped"], limits)
    for words in ("delete an account", "stored payment method", "e-mail address", "`transfer_to_human_agents`"):
        assert words in text
    assert f"above {limits.refunds.no_return_person_above} USD" in text
    assert "{{" not in text
    assert {name for name in ACTIONS if f"`{name}`" in text} >= {"issue_refund", "resend_receipt", "update_preference"}
