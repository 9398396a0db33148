"""The checker of the ten invariants is itself proved: every planted fault is found, and an untouched shop passes."""

import json
import uuid
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from approvals.models import ActionRequest
from audit.anchoring import write_anchors
from audit.models import Entry, Head
from conversations.models import Conversation, Event, Message, Ticket, Turn
from eval import books
from orders.models import Customer, Effect, Line, Order, Payment, PaymentMethod, Variant
from tests.eval.planting import copy_row, loosen, play, rewrite_entry, sql, undone, write_entry
from tests.factories import LARGE, OTHER_USER, OTHERS, SMALL
from tests.scripted import Scripted
from tests.writes import DELIVERED, NORA

LONG_AGO = timezone.now() - timedelta(days=2)


def effect(number: str = SMALL) -> Any:
    return Effect.objects.filter(order_number=number)


def request_of(number: str) -> Any:
    return ActionRequest.objects.filter(order_number=number)


def first(rows: Any, **changes: Any) -> None:
    """Change one row of them, past `save`."""
    assert type(rows[0])._default_manager.filter(pk=rows[0].pk).update(**changes) == 1


def agent_words() -> Any:
    return Message.objects.filter(role="agent").order_by("pk")


def turns(state: str = "done") -> Any:
    return Turn.objects.filter(state=state, request_id=None).order_by("pk")


def change_event(kind: str, **words: Any) -> None:
    event = Event.objects.filter(kind=kind).order_by("pk")[0]
    Event.objects.filter(pk=event.pk).update(body=event.body | words)


def new_message(**columns: Any) -> None:
    chat = Conversation.objects.order_by("created_at")[0]
    seq = chat.last_seq + 1
    body = {"role": columns["role"], "text": "x"}
    Event.objects.create(conversation=chat, seq=seq, kind="message", body=body, at=timezone.now())
    Message.objects.create(conversation=chat, seq=seq, text="x", **columns)
    Conversation.objects.filter(pk=chat.pk).update(last_seq=seq)


def reword(entry: Entry, **facts: Any) -> None:
    rewrite_entry(entry, lambda fields: fields["facts"].update(facts))


def approval() -> Entry:
    return Entry.objects.get(event="approval_granted")


def over_refund() -> None:
    loosen("orders_payment")
    row = Payment.objects.get(order__number=SMALL, kind="payment")
    sql("UPDATE orders_payment SET refunded = amount + 1 WHERE id = %s", row.pk)


def refund_out_of_nothing() -> None:
    copy_row("orders_payment", "kind = 'refund' AND effect_id IS NOT NULL", position=9, effect_id=None)


def second_effect_of_one_key() -> None:
    loosen("orders_effect")
    copy_row("orders_effect", f"order_number = '{SMALL}'", request_id=uuid.uuid4().hex)


def second_effect_of_one_request() -> None:
    loosen("orders_effect")
    copy_row("orders_effect", f"order_number = '{SMALL}'", key="f" * 64)


def booked_twice() -> None:
    copy_row("orders_payment", "kind = 'refund' AND effect_id IS NOT NULL", position=8)


def swap_effects() -> None:
    small, large = request_of(SMALL).get(), request_of(LARGE).get()
    first(request_of(SMALL), effect=None)
    first(request_of(LARGE), effect=small.effect)
    first(request_of(SMALL), effect=large.effect)


def approved_twice() -> None:
    copy_row("audit_entry", "event = 'approval_granted'", position=99)


def written_twice() -> None:
    copy_row("audit_entry", "event = 'write_ok'", position=99)


def split_over_the_limit() -> None:
    """One limit of 200.00 all along, and two refunds of 122.00 and 199.00 in a day without a person."""
    sql("UPDATE orders_effect SET amount = 19900, approved_by = '' WHERE order_number = %s", LARGE)


def remove_chain() -> None:
    chain = Entry.objects.filter(event="write_ok").order_by("pk")[0].chain
    Entry.objects.filter(chain=chain).delete()
    Head.objects.filter(chain=chain).delete()


def cut_tail() -> None:
    entry = Entry.objects.filter(event="write_ok").order_by("pk")[0]
    Entry.objects.filter(chain=entry.chain, position__gte=entry.position).delete()
    last = Entry.objects.get(chain=entry.chain, position=entry.position - 1)
    Head.objects.filter(chain=entry.chain).update(count=last.position, hash=last.hash)


def expired_request() -> None:
    first(request_of(SMALL), state="awaiting_staff", expires_at=LONG_AGO)


def waits_for_an_ended_request() -> None:
    done = Turn.objects.filter(request_id=request_of(SMALL).get().pk)
    done.update(state="waiting", ended_at=None)
    request_of(SMALL).update(created_at=LONG_AGO, confirmed_at=LONG_AGO, expires_at=LONG_AGO)


def receipt_twice() -> None:
    receipt = Event.objects.filter(kind="receipt").order_by("pk")[0]
    loosen("conversations_event")
    copy_row("conversations_event", f"id = {receipt.pk}", seq=99)


Fault = tuple[Callable[[], Any], str]
FAULTS: dict[int, dict[str, Fault]] = {
    1: {
        "more than was paid": (over_refund, "went back of"),
        "a refund nobody attributed": (refund_out_of_nothing, "its payments count"),
        "a refund that was not booked": (
            lambda: Payment.objects.filter(effect__order_number=LARGE, kind="refund").delete(),
            "booked is 0.00",
        ),
        "another amount": (
            lambda: first(Payment.objects.filter(effect__order_number=SMALL, kind="refund"), amount=12_199),
            "booked is 121.99",
        ),
        "an effect of another amount": (lambda: first(effect(), amount=1), "gave back 0.01"),
        "another currency": (lambda: first(Payment.objects.filter(order__number=LARGE), currency="EUR"), "is in EUR"),
        "booked on another order": (
            lambda: first(
                Payment.objects.filter(effect__order_number=SMALL), order=Order.objects.get(number=OTHERS), position=7
            ),
            "on another order",
        ),
        "a return that paid at once": (
            lambda: sql("UPDATE orders_payment SET effect_id = %s WHERE kind = 'refund'", effect(DELIVERED).get().pk),
            "gave back 0.00",
        ),
    },
    2: {
        "two effects, one key": (second_effect_of_one_key, "one key"),
        "two effects, one request": (second_effect_of_one_request, "one request_id"),
        "another key than was agreed to": (lambda: first(effect(), key="e" * 64), "under another key"),
        "another request's effect": (swap_effects, "made for another one"),
        "booked twice": (booked_twice, "booked 2 times"),
    },
    3: {
        "not written down": (lambda: write_entry(SMALL).delete(), "has 0 write_ok"),
        "written down twice": (written_twice, "has 2 write_ok"),
        "no effect behind it": (lambda: reword(write_entry(SMALL), effect_key="0"), "not there"),
        "before it was meant": (
            lambda: first(effect(), created_at=timezone.now() + timedelta(hours=1)),
            "before it was meant",
        ),
        "another amount": (lambda: reword(write_entry(LARGE), amount="1284.51"), "with another amount"),
        "other arguments": (lambda: first(effect(), arguments={"order_id": SMALL, "reason": "x"}), "other arguments"),
        "a claim of nothing": (lambda: first(effect(), state="claimed"), "is claimed and its payments are not"),
    },
    4: {
        "nobody approved": (lambda: first(effect(LARGE), approved_by=""), "ran without a person"),
        "split over the limit": (
            lambda: (
                sql("UPDATE policy_policyversion SET limits = replace(limits, '1000.00', '200.00')"),
                split_over_the_limit(),
            ),
            "321.00 together above 200.00",
        ),
        "the approval is not in the log": (lambda: approval().delete(), "0 approvals"),
        "approved twice": (approved_twice, "2 approvals"),
        "by somebody else": (lambda: first(effect(LARGE), approved_by="eve"), "says eve"),
        "by somebody without the right": (
            lambda: User.objects.update(is_superuser=False),
            "by somebody who may not",
        ),
        "by somebody dismissed": (lambda: User.objects.update(is_active=False), "by somebody who may not"),
        "other arguments": (
            lambda: first(request_of(LARGE), arguments={"order_id": LARGE, "reason": "no longer needed"}),
            "other arguments than its request",
        ),
        "arguments changed after the approval": (
            lambda: [
                first(rows(LARGE), arguments={"order_id": LARGE, "reason": "no longer needed"})
                for rows in (request_of, effect)
            ],
            "approved with other arguments",
        ),
        "without a yes": (lambda: first(request_of(SMALL), confirmed_at=None), "without the customer's yes"),
        "after it ran": (lambda: first(request_of(LARGE), decided_at=timezone.now()), "before its approval"),
        "under a policy that never was": (
            lambda: rewrite_entry(write_entry(SMALL), lambda fields: fields.update(policy_version=77)),
            "policy version 77",
        ),
        "declined": (lambda: first(request_of(LARGE), state="declined_by_staff"), "is declined_by_staff"),
    },
    5: {
        "another customer's order": (lambda: first(Order.objects.filter(number=OTHERS), zip="1"), f"order {OTHERS}"),
        "another customer's name": (
            lambda: first(Customer.objects.filter(user_id=OTHER_USER), last_name="X"),
            f"customer {OTHER_USER} changed",
        ),
        "a balance": (
            lambda: PaymentMethod.objects.exclude(customer__user_id=NORA).filter(source="gift_card").update(balance=7),
            "changed, and no effect names it",
        ),
        "a payment added": (
            lambda: copy_row(
                "orders_payment", "kind = 'payment'", order_id=Order.objects.get(number=OTHERS).pk, position=9
            ),
            f"order {OTHERS} changed",
        ),
        "a line": (lambda: first(Line.objects.filter(order__number=OTHERS), price=1), f"order {OTHERS} changed"),
        "a price": (lambda: Variant.objects.update(price=1), "product "),
        "a customer removed": (
            lambda: [
                Payment.objects.filter(order__customer__user_id=OTHER_USER).delete(),
                Order.objects.filter(customer__user_id=OTHER_USER).delete(),
                Customer.objects.filter(user_id=OTHER_USER).delete(),
            ],
            f"customer {OTHER_USER} is gone",
        ),
    },
    6: {
        "a changed row": (lambda: first(Entry.objects.filter(event="triaged"), event="x"), "column event"),
        "a removed row": (lambda: Entry.objects.filter(event="consent_given")[0].delete(), "an entry is missing"),
        "a cut tail": (cut_tail, "are gone, which anchor 1 recorded"),
        "a chain removed": (remove_chain, "is gone, which anchor 1 recorded"),
        "a chat without a chain": (lambda: Conversation.objects.create(token_hash="0" * 64), "has no chain"),
    },
    7: {
        "queued and forgotten": (lambda: first(turns(), state="queued", ended_at=None, created_at=LONG_AGO), "queued"),
        "running past its lease": (
            lambda: first(turns(), state="running", ended_at=None, lease_until=LONG_AGO),
            "is running, late",
        ),
        "running without a lease": (lambda: first(turns(), state="running", ended_at=None, lease_until=None), "lease"),
        "ended at no time": (lambda: first(turns(), ended_at=None), "has not ended"),
        "a request past its time": (expired_request, "is awaiting_staff, expired"),
        "waits for nothing": (
            lambda: first(turns(), state="waiting", ended_at=None, request_id=uuid.uuid4()),
            "waits for nothing",
        ),
        "waits for what ended": (waits_for_an_ended_request, "waits for a request that is granted"),
        "claimed and forgotten": (lambda: first(effect(), state="claimed", created_at=LONG_AGO), "is claimed since"),
        "unknown for days": (lambda: first(effect(), state="unknown", created_at=LONG_AGO), "is unknown since"),
    },
    8: {
        "told and not done": (lambda: first(effect(), state="failed"), "says done"),
        "done and not told": (
            lambda: (
                Event.objects.filter(kind="receipt").order_by("pk")[0].delete(),
                Effect.objects.update(settled_at=LONG_AGO),
            ),
            "told 0 times",
        ),
        "told twice": (receipt_twice, "told 2 times"),
        "another amount": (lambda: change_event("receipt", amount="122.01"), "another amount"),
        "another order": (lambda: change_event("receipt", order_id=OTHERS), "another order_id"),
        "told of nothing": (
            lambda: first(Event.objects.filter(kind="receipt"), about=uuid.uuid4()),
            "nothing that was done",
        ),
        "told in another chat": (
            lambda: first(effect(), conversation=Conversation.objects.order_by("-created_at")[0].pk),
            "nothing that was done here",
        ),
    },
    9: {
        "cancelled after it was sent": (
            lambda: first(request_of(SMALL), facts={"order_status": "delivered"}),
            "was delivered when cancel_pending_order ran",
        ),
        "became something else": (lambda: first(effect(), result='{"status": "delivered"}'), "became delivered"),
        "an answer that is none": (lambda: first(effect(), result="done"), "became nothing"),
        "moved on without an effect": (
            lambda: first(Order.objects.filter(number=SMALL), status="pending"),
            "is pending, its effects end in cancelled",
        ),
        "cancelled and then returned": (
            lambda: first(effect(DELIVERED), order_number=SMALL, order=Order.objects.get(number=SMALL)),
            "was cancelled when return_delivered_order_items ran",
        ),
        "an unknown action": (lambda: first(effect(), action="give_everything"), "table does not know"),
    },
    10: {
        "a message without a turn": (
            lambda: first(Message.objects.filter(role="customer"), turn=None),
            "no turn and to no person",
        ),
        "a message of another chat's turn": (
            lambda: first(Message.objects.filter(role="customer"), turn=Turn.objects.order_by("-pk")[0]),
            "another chat's turn",
        ),
        "a message nobody hears": (lambda: new_message(role="customer"), "no turn and to no person"),
        "two answers": (lambda: new_message(role="agent", turn=turns()[0]), "ended in 2 message"),
        "an answer and a notice": (lambda: new_message(role="system", turn=turns()[0]), "1 message, 1 notice"),
        "no answer": (lambda: first(agent_words(), turn=None), "ended in nothing"),
        "failed in silence": (lambda: first(turns(), state="failed"), "is failed and ended in 1 message"),
        "passed on to nobody": (
            lambda: [first(agent_words(), turn=None), first(turns(), state="with_person")],
            "is with_person and ended in nothing",
        ),
        "a person's stretch that never was": (lambda: Ticket.objects.all().delete(), "no turn and to no person"),
        "other words on the screen": (lambda: first(agent_words(), text="Nothing was done."), "shows other words"),
        "words of the event alone": (lambda: change_event("message", text="Nothing."), "shows other words"),
        "words that nobody vouches for": (
            lambda: first(Event.objects.filter(kind="message").order_by("pk"), body={}),
            "shows other words",
        ),
        "another speaker on the screen": (lambda: change_event("message", role="staff"), "shows other words"),
        "never shown": (
            lambda: Event.objects.filter(kind="message").order_by("pk")[0].delete(),
            "was never shown",
        ),
        "shown and not stored": (lambda: agent_words()[0].delete(), "not stored"),
        "a hole in the numbers": (lambda: Event.objects.filter(kind="state").order_by("pk")[0].delete(), "events and"),
    },
}


@pytest.fixture
def before(desk: None, model: Scripted, bob: User) -> books.Snapshot:
    taken = books.take_snapshot()
    play(model, bob)
    write_anchors(now=timezone.now())
    return taken


def test_every_planted_fault_is_found_and_the_untouched_shop_passes(before: books.Snapshot, subtests: Any) -> None:
    def check() -> dict[int, books.Line]:
        lines = books.check(now=timezone.now() + timedelta(seconds=1), snapshot=before)
        assert [line.number for line in lines] == list(range(1, 11))
        return {line.number: line for line in lines}

    untouched = check()
    assert {number: str(line) for number, line in untouched.items() if line.state != "ok"} == {}
    assert [number for number, line in untouched.items() if line.n < 3] == []
    assert all(len(faults) >= 3 for faults in FAULTS.values()) and len(FAULTS) == 10
    for number, faults in FAULTS.items():
        for name, (plant, words) in faults.items():
            with subtests.test(invariant=number, fault=name), undone():
                plant()
                line = check()[number]
                assert line.state == "BROKEN"
                assert words in "; ".join(line.faults), str(line)
    assert check() == untouched


def test_reading_the_books_writes_nothing(before: books.Snapshot) -> None:
    with CaptureQueriesContext(connection) as asked:
        books.check(now=timezone.now(), snapshot=before)
    assert [query["sql"] for query in asked if query["sql"].split()[0] in ("INSERT", "UPDATE", "DELETE")] == []


def ledger_lines() -> list[dict[str, Any]]:
    """What a gateway would have written for the refunds of this shop."""
    rows = Payment.objects.filter(kind="refund", effect__isnull=False).exclude(method__source="gift_card")
    return [
        {
            "at": timezone.now().isoformat(),
            "key": row.effect.key,  # type: ignore[union-attr]
            "charge_id": f"ch_{row.order_id}",
            "amount": row.amount,
            "currency": row.currency,
            "kind": "refund",
            "result": "done",
        }
        for row in rows.select_related("effect").order_by("pk")
    ]


def changed(place: int, **words: Any) -> Callable[[list[dict[str, Any]]], None]:
    return lambda lines: lines[place].update(words)


PROVIDER: dict[str, tuple[Callable[[list[dict[str, Any]]], Any], dict[int, str]]] = {
    "untouched": (lambda lines: None, {}),
    "one payment of several under a key with a suffix": (
        lambda lines: changed(0, key=lines[0]["key"] + ":1")(lines),
        {},
    ),
    "what it refused": (lambda lines: lines.append(lines[0] | {"result": "declined"}), {}),
    "the same twice": (lambda lines: lines.append(lines[0]), {1: "in the gateway's", 2: "2 times"}),
    "another amount": (changed(0, amount=1), {1: "0.01 in the gateway's"}),
    "less than we think": (lambda lines: lines.pop(), {1: "0.00 in the gateway's"}),
    "nobody meant it": (
        lambda lines: lines.append(lines[0] | {"key": "0" * 64}),
        {1: "no effect of ours", 3: "nobody meant"},
    ),
    "done before it was meant": (changed(0, at=LONG_AGO.isoformat()), {3: "before it was meant"}),
    "more than was paid": (changed(0, amount=10_000_000), {1: "the gateway gave back 100000.00 of"}),
}


def test_the_gateways_ledger_is_held_against_our_books(before: books.Snapshot, tmp_path: Path, subtests: Any) -> None:
    file = tmp_path / "ledger.jsonl"
    for name, (change, faults) in PROVIDER.items():
        lines = ledger_lines()
        change(lines)
        file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        found = books.check(now=timezone.now(), gateway_ledger=file)
        with subtests.test(ledger=name):
            assert {line.number for line in found if line.faults} == set(faults)
            for number, words in faults.items():
                assert words in str(found[number - 1])
    effect().update(state="failed")
    assert "failed, but the gateway gave back" in str(books.check(now=timezone.now(), gateway_ledger=file)[0])
    effect().update(state="unknown", created_at=timezone.now())
    assert f"effect {effect().get().pk}" not in str(books.check(now=timezone.now(), gateway_ledger=file)[0])


def run_command(*options: str) -> tuple[str, int]:
    out = StringIO()
    try:
        call_command("check_books", *options, stdout=out)
    except SystemExit as stop:
        return out.getvalue().strip(), int(stop.code or 0)
    return out.getvalue().strip(), 0


@pytest.mark.usefixtures("desk")
def test_the_command_prints_a_line_an_invariant_and_says_what_it_did_not_check(tmp_path: Path, settings: Any) -> None:
    text, code = run_command()
    lines = text.splitlines()
    assert (len(lines), code) == (10, 0)
    assert lines[0].startswith("1 money ok n=")
    assert lines[4] == "5 isolation not checked: no snapshot"
    assert "not checked: the anchors" in lines[5]

    file = tmp_path / "snapshot.json"
    assert run_command("--take-snapshot", str(file))[0].startswith("snapshot of ")
    assert OTHER_USER in file.read_text() and "zoe.marchetti@" not in file.read_text()
    assert run_command("--snapshot", str(file))[0].splitlines()[4].startswith("5 isolation ok n=")
    Customer.objects.filter(user_id=OTHER_USER).update(zip="00000")
    text, code = run_command("--snapshot", str(file))
    assert (text.splitlines()[4], code) == (
        f"5 isolation BROKEN: customer {OTHER_USER} changed, and no effect names it",
        1,
    )
    text, code = run_command("--snapshot", str(file), "--json")
    found = json.loads(text.splitlines()[-1])
    assert (code, found["ok"], [line["number"] for line in found["invariants"]]) == (1, False, list(range(1, 11)))
    assert found["invariants"][4]["state"] == "BROKEN"
    settings.DESKAGENT_GATEWAY = "http"
    assert run_command()[0].splitlines()[0].endswith("not checked: the gateway's sums, no ledger of it was given")


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("text", ["{}", "[]", "no json", '{"version": 1}', '{"version": 2, "digests": 3}'])
def test_a_file_that_cannot_be_read_stops_the_check(tmp_path: Path, text: str) -> None:
    file = tmp_path / "file.json"
    file.write_text(text)
    with pytest.raises(CommandError, match="file.json"):
        run_command("--snapshot", str(file))
    with pytest.raises(CommandError, match="none.json"):
        run_command("--snapshot", str(tmp_path / "none.json"))
    ledger = tmp_path / "ledger.jsonl"
    ledger.write_text('{"kind": "refund", "result": "done", "key": "k", "amount": "much", "currency": "USD"}\n')
    with pytest.raises(CommandError, match=r"ledger.jsonl line 1"):
        run_command("--gateway-ledger", str(ledger))


def test_many_faults_are_counted_and_the_first_are_shown() -> None:
    line = books.Line(number=1, name="money", n=9, faults=tuple("abcdefg"))
    assert str(line) == "1 money BROKEN: a; b; c; d; e; and 2 more"
    assert line.as_json()["faults"] == list("abcdefg")
