"""A statement that is written once answers what Django's own would, on the engine of the run."""

import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import F, Q
from django.test.utils import CaptureQueriesContext

from approvals.models import CustomerSession
from audit.joined import Joined
from audit.statements import Change, Rows, Slot, Tuples, insert, save
from conversations.models import Conversation, Event, Message, Spend, Turn
from orders.models import Customer, Order, Payment

HOSTILE = ["plain", "'; DROP TABLE orders_order; --", "100 %s %% %(x)s ?", 'with "quotes" and \\', "ümläut 漢字 🙂", ""]
NUMBER = Slot("number", Order._meta.get_field("number"))
ORDERS = Rows(lambda: Order.objects.select_related("customer").filter(number=NUMBER))
OWN = Tuples(
    lambda: (
        Payment.objects.filter(order__customer=Slot("customer", Customer._meta.pk), amount__gt=Slot("more", AMOUNT))
        .order_by("pk")
        .values_list("pk", "order__number", "amount")
    )
)
AMOUNT = Payment._meta.get_field("amount")
CHAT = Slot("chat", Conversation._meta.pk)
SPEND = {"scope": Spend.Scope.VISITOR, "day": "2026-11-29"}


@pytest.fixture
def chat(desk: None) -> Conversation:
    conversation = Conversation(token_hash="0" * 64, locale="en")
    insert(conversation)
    CustomerSession.objects.create(conversation=conversation.pk, guard="enforce", customer=Customer.objects.first())
    return conversation


def as_row(row: Any) -> dict[str, Any]:
    """All columns as the database has them now."""
    return type(row).objects.filter(pk=row.pk).values().get()


def test_instances_are_those_of_the_queryset(desk: None) -> None:
    for number in ["#W5918442", "#W6120933"]:
        expected = Order.objects.select_related("customer").get(number=number)
        with CaptureQueriesContext(connection) as asked:
            found = ORDERS.get(number=number)
            assert found.customer == expected.customer
        assert len(asked) == 1
        assert {name: value for name, value in vars(found).items() if name != "_state"} == {
            name: value for name, value in vars(expected).items() if name != "_state"
        }
        assert (found._state.adding, found._state.db) == (False, "default")


def test_tuples_are_those_of_the_queryset(desk: None) -> None:
    counts = set()
    for customer in Customer.objects.all():
        expected = Payment.objects.filter(order__customer=customer, amount__gt=10_000).order_by("pk")
        found = OWN.list(customer=customer.pk, more=10_000)
        assert found == list(expected.values_list("pk", "order__number", "amount"))
        counts.add(len(found))
    assert len(counts) > 1


@pytest.mark.parametrize("text", HOSTILE)
def test_a_value_is_never_text_of_the_statement(chat: Conversation, text: str) -> None:
    assert ORDERS.first(number=text) is None
    with pytest.raises(Order.DoesNotExist):
        ORDERS.get(number=text)
    event = Event(conversation=chat, seq=1, kind="message", body={"text": text}, at=datetime(2026, 1, 2, tzinfo=UTC))
    insert(event)
    message = Message(conversation=chat, role="customer", text=text, seq=1)
    insert(message)
    assert Event.objects.get().body == {"text": text}
    message.author = text
    save(message, "author")
    assert Message.objects.get(author=text).text == text
    assert Order.objects.exists()


def test_an_inserted_row_is_the_one_that_django_would_have_made(chat: Conversation) -> None:
    about, at = uuid.uuid4(), datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
    columns: dict[str, Any] = {"conversation": chat, "kind": "receipt", "body": {"b": 1, "a": [None, 2.5]}, "at": at}
    mine = Event(seq=1, about=about, **columns)
    insert(mine)
    theirs = Event.objects.create(seq=2, about=uuid.uuid4(), **columns)
    assert as_row(mine) == as_row(theirs) | {"id": mine.pk, "seq": 1, "about": about}
    assert not mine._state.adding
    turn = Turn(conversation=chat, cause="message")
    insert(turn)
    assert turn.created_at == Turn.objects.get().created_at
    assert as_row(turn)["state"] == "queued"


def test_a_saved_row_changes_in_the_named_columns_alone(chat: Conversation) -> None:
    turn = Turn(conversation=chat, cause="message")
    insert(turn)
    before = as_row(turn)
    turn.state, turn.stage_ms, turn.cause = Turn.State.DONE, {"model": 1.5}, "nothing"
    save(turn, "state", "stage_ms")
    assert as_row(turn) == before | {"state": "done", "stage_ms": {"model": 1.5}}


def test_a_row_that_is_gone_is_not_saved_in_silence(chat: Conversation) -> None:
    turn = Turn(conversation=chat, cause="message")
    insert(turn)
    Turn.objects.all().delete()
    with pytest.raises(DatabaseError, match="no conversations.Turn"):
        save(turn, "cause")


def test_a_constraint_is_an_integrity_error(chat: Conversation) -> None:
    insert(Turn(conversation=chat, cause="message"))
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(Turn(conversation=chat, cause="message"))
    assert Turn.objects.count() == 1


def test_a_change_says_which_rows_it_met(desk: None) -> None:
    for subject, nano in (("a", 5), ("b", 50)):
        insert(Spend(subject=subject, nano=nano, **SPEND))
    subject, nano = Spend._meta.get_field("subject"), Spend._meta.get_field("nano")
    room = Slot("room", nano)
    adding = Change(
        lambda: Spend.objects.filter(
            Q(subject=Slot("one", subject), nano__lte=room) | Q(subject=Slot("other", subject), nano__lte=room)
        ),
        returning="subject",
        nano=F("nano") + Slot("more", nano),
    )
    assert adding.run_and_list(one="a", other="b", room=10, more=7) == ["a"]
    assert sorted(adding.run_and_list(one="a", other="b", room=100, more=-1)) == ["a", "b"]
    assert adding.run(one="a", other="none", room=100, more=0) == 1
    assert dict(Spend.objects.values_list("subject", "nano")) == {"a": 11, "b": 49}


def test_a_connection_that_was_closed_is_opened_again(desk: None) -> None:
    expected = Order.objects.get(number="#W5918442")
    for _ in range(3):
        assert ORDERS.get(number="#W5918442") == expected
        connection.close()


def test_statements_and_querysets_see_one_transaction(chat: Conversation) -> None:
    turn = Turn(conversation=chat, cause="message")
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        insert(turn)
        with transaction.atomic():
            turn.cause = "effect"
            save(turn, "cause")
            assert Turn.objects.get().cause == "effect"
            transaction.set_rollback(True)
        assert Turn.objects.get().cause == "message"
        raise ZeroDivisionError
    assert not Turn.objects.exists()


def test_a_lock_needs_a_transaction(chat: Conversation) -> None:
    locked = Rows(lambda: Conversation.objects.select_for_update().filter(pk=CHAT))
    with transaction.atomic():
        assert locked.get(chat=chat.pk) == chat
    with pytest.raises(transaction.TransactionManagementError):
        locked.get(chat=chat.pk)


def test_rows_that_no_relation_joins_come_as_instances(chat: Conversation) -> None:
    joined = Joined(
        {"chat": Conversation, "session": CustomerSession, "customer": Customer},
        "{chat} JOIN {session} ON session.conversation = chat.id"
        " LEFT JOIN {customer} ON customer.id = session.customer_id WHERE chat.id = %s",
        [CHAT],
        locks=("chat", "session"),
    )
    with transaction.atomic():
        found, session, customer = joined.first(chat=chat.pk)
    assert (found, session) == (chat, CustomerSession.objects.get())
    assert as_row(chat) == {name: value for name, value in vars(found).items() if name != "_state"}
    assert customer == Customer.objects.first() and customer.email == Customer.objects.order_by("pk")[0].email
    CustomerSession.objects.update(customer=None)
    with transaction.atomic():
        assert joined.first(chat=chat.pk)[2] is None
        assert joined.first(chat=uuid.uuid4()) is None
    with pytest.raises(transaction.TransactionManagementError):
        joined.first(chat=chat.pk)
