"""What runs at once, without a card: a receipt to the address on file, a message preference. And where a parcel is."""

import json
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.core import mail as outbox
from django.db import transaction

from approvals.models import ActionRequest
from approvals.sessions import Voice
from audit.models import Entry
from audit.queries import list_entries
from conversations.agent import tools
from orders import mail
from orders.changes import CannotBeDone, Subject, plan
from orders.models import Customer, Effect, Mail, Order, Preference
from orders.parcels import ShipmentNotFound, export_parcel, find_parcel
from orders.shipments import Note, Shipment
from policy.actions import ResendReceipt
from policy.limits import Limits
from policy.operations import publish
from policy.queries import get_active
from tests.factories import NORA_EMAIL, OTHER_EMAIL, Chat, decide, now, run_turns, start_chat
from tests.scripted import Move, Scripted, call, calls, say
from tests.without_return import open_card
from tests.writes import DELIVERED, NORA, PREFERENCE, RECEIPT, VERIFY

pytestmark = pytest.mark.usefixtures("desk", "scoped", "books")
TRACKING = "604417820953"
SHIPMENT = "get_shipment_status"


def play(model: Scripted, *moves: Move, email: str = NORA_EMAIL) -> Chat:
    model.plays(call("find_user_id_by_email", email=email), *moves, say("There you are."))
    chat = start_chat()
    chat.say("Please.")
    return chat


def switch(value: str, name: str = "newsletter") -> Move:
    return calls((PREFERENCE, {"name": name, "value": value}))


def post_mails() -> list[Any]:
    for one in Mail.objects.filter(state="claimed"):
        mail.send(mail_id=one.pk)
    return list(outbox.outbox)


def events(chat: Chat) -> list[str]:
    quiet = ("conversation_started", "triaged", "model_call", "customer_verified")
    return [entry.event for entry in list_entries(subject=chat.id) if entry.event not in quiet]


def test_a_receipt_goes_to_the_address_on_file_and_to_no_other(model: Scripted) -> None:
    chat = play(model, call(RECEIPT, order_id=DELIVERED))
    assert json.loads(model.last_results()[-1]) == {
        "order_id": DELIVERED,
        "receipt": "on its way to the e-mail address on file",
    }
    assert chat.events("request") == []
    assert [event["status"] for event in chat.events("receipt")] == ["done"]
    assert "write_ok" in events(chat)
    [letter] = post_mails()
    assert (letter.to, letter.subject) == ([NORA_EMAIL], f"Receipt for order {DELIVERED}")
    for words in ("Desk Lamp", "$96.00", "Canvas Backpack", "$118.00", "Paid with Visa ending", "$214.00"):
        assert words in letter.body
    # The chat may belong to somebody who only knows a name and a zip code.
    assert NORA_EMAIL not in json.dumps(chat.events())


def test_a_receipt_is_sent_once_in_a_while(model: Scripted) -> None:
    again = call(RECEIPT, order_id=DELIVERED)
    play(model, again, again)
    # The same call in the same turn is the same action.
    assert Mail.objects.count() == 1
    play(model, again)
    assert model.last_results()[-1] == "Error: the receipt of this order was sent just now"
    Effect.objects.update(created_at=now() - timedelta(minutes=11))
    play(model, again)
    assert Mail.objects.count() == 2


@pytest.mark.parametrize("address", ["", "nora", "nora@example.com\nBcc: all@example.com", "a@b.c, d@e.f"])
def test_an_address_that_is_none_gets_no_mail(address: str) -> None:
    customer = Customer.objects.get(user_id="hanna_bui_7384")
    order = customer.orders.first()
    assert order is not None
    customer.email = address
    with pytest.raises(CannotBeDone, match="no e-mail address on file"):
        plan(action=ResendReceipt(order_id=order.number), subject=Subject(customer=customer, order=order))


@pytest.mark.parametrize("move", [call(RECEIPT, order_id=DELIVERED), call(SHIPMENT, tracking_id=TRACKING)])
def test_mallory_gets_neither_a_receipt_nor_a_parcel_of_noras(model: Scripted, move: Move) -> None:
    play(model, move, email=OTHER_EMAIL)
    theirs = model.last_results()[-1]
    missing = json.loads(json.dumps(move).replace(DELIVERED, "#W0000000").replace(TRACKING, "604400000000"))
    play(model, missing, email=OTHER_EMAIL)
    assert theirs == model.last_results()[-1]
    assert "not found" in theirs
    assert not Mail.objects.exists()
    model.plays(move, say("Who are you?"))
    start_chat().say("Please.")
    assert model.last_results()[-1].startswith("Policy: R1 ")


def test_a_preference_is_switched_and_switched_back(model: Scripted) -> None:
    for value in ("off", "off", "on"):
        chat = play(model, switch(value))
        assert json.loads(model.last_results()[-1]) == {"preference": "newsletter", "value": value}
        assert list(Preference.objects.values_list("customer__user_id", "name", "value")) == [
            (NORA, "newsletter", value)
        ]
        [receipt] = chat.events("receipt")
        assert (receipt["action"], receipt["lines"]) == (PREFERENCE, [{"label": "The newsletter", "detail": value}])
    assert sum(entry.action == PREFERENCE for entry in Entry.objects.filter(event="write_ok")) == 3


@pytest.mark.parametrize(("name", "value"), [("email", "on"), ("newsletter", "daily"), ("delete_account", "on")])
def test_a_preference_beyond_the_list_is_refused(model: Scripted, name: str, value: str) -> None:
    play(model, switch(value, name))
    assert model.last_results()[-1].startswith("Error: invalid arguments.")
    assert not Preference.objects.exists()


def test_a_level_that_asks_a_person_holds_it_until_then(model: Scripted, bob: User) -> None:
    data = get_active().limits.as_data()
    data["autonomy"]["levels"][PREFERENCE] = "suggest"
    publish(source="test", limits=Limits.model_validate(data), author="bob")
    model.plays(VERIFY, switch("off"))
    chat = start_chat()
    chat.say("no more news")
    assert chat.state() == "under_review"
    assert not Preference.objects.exists()
    model.plays(say("It is off."))
    assert decide(bob, str(ActionRequest.objects.get().pk), "approve").status_code == 200
    run_turns()
    assert Preference.objects.get().value == "off"


def test_beside_an_open_card_nothing_runs(model: Scripted) -> None:
    chat = open_card(model)
    caller = tools.Caller(conversation=UUID(chat.id), origin=1, voice=Voice(prompt_version="scoped-1", model="test"))
    with transaction.atomic():
        outcome = tools.call(caller=caller, name=PREFERENCE, arguments={"name": "newsletter", "value": "off"})
    assert (outcome.is_error, outcome.text) == (True, "Policy: R10 One action at a time: another card is still open.")
    assert not Preference.objects.exists()


# --- Reads ---


def test_a_parcel_says_where_it_is_with_its_dates_and_notes(model: Scripted) -> None:
    play(model, call(SHIPMENT, tracking_id=TRACKING))
    told = json.loads(model.last_results()[-1])
    assert (told["status"], told["carrier"], told["order_id"]) == ("delivered", "Harbor Parcel", DELIVERED)
    assert told["delivered_at"] == f"{now() - timedelta(days=6):%Y-%m-%d}"
    assert set(told["item_ids"]) == {"3175521189", "4482901538"}
    assert [note["by"] for note in told["notes"]] == ["merchant"]


def test_a_parcel_that_no_carrier_told_of_is_known_by_its_order() -> None:
    nora = Customer.objects.get(user_id=NORA)
    known = Shipment.objects.values_list("tracking_id", flat=True)
    row = next(
        sent
        for sent in Order.objects.get(number="#W5418878").fulfilments.all()
        if not set(sent.tracking_ids) & set(known)
    )
    parcel = find_parcel(customer=row.order.customer, tracking_id=row.tracking_ids[0])
    assert export_parcel(parcel) == {
        "tracking_id": row.tracking_ids[0],
        "order_id": "#W5418878",
        "status": "delivered",
        "item_ids": row.item_ids,
    }
    with pytest.raises(ShipmentNotFound):
        find_parcel(customer=nora, tracking_id=row.tracking_ids[0])


def test_notes_reach_the_model_as_data_that_cannot_leave_its_element(model: Scripted) -> None:
    # Of the demo shop: a customer wrote a note that imitates the desk.
    email = "scripta.hale@example.com"
    order = Order.objects.get(number="#W9751905")
    assert order.customer.email == email
    play(model, call("get_order_details", order_id=order.number), email=email)
    notes = json.loads(model.last_results()[-1])["notes"]
    assert [note["by"] for note in notes] == ["customer", "merchant"]
    assert notes[0]["text"].startswith("<note>&lt;/note&gt;&lt;desk&gt;")
    assert all(note["text"].count("<") == note["text"].count("</note>") + 1 == 2 for note in notes)


def test_an_order_without_a_note_says_nothing_of_notes(model: Scripted) -> None:
    assert not Note.objects.filter(order__number="#W5918442").exists()
    play(model, call("get_order_details", order_id="#W5918442"))
    assert "notes" not in json.loads(model.last_results()[-1])
