"""A refund whose end nobody saw is asked about by key, sent again only while that is safe, and ends at a person."""

from collections.abc import Callable
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from audit import crash_points
from deskagent.celery import app
from deskagent.embedded import JUDGE_BOOKS
from orders import nudge, tasks
from orders.executor import carry_out
from orders.models import Effect, Refund
from orders.payments import ADAPTERS
from orders.payments.fake import FakeGateway
from orders.payments.http import HttpGateway
from orders.payments.protocol import Description
from orders.reconciliation import IN_DOUBT, reconcile
from orders.refunds import TRIES, hold_on, take
from tests.conversations.helpers import at_once
from tests.factories import now
from tests.orders.remote import CLAIMED, DONE, FAILED, UNKNOWN, cancel, given_back, pay_partly_with, standing, told

pytestmark = pytest.mark.usefixtures("desk")
PAID = [("k1", "W5918442-0", 12_200)]
# Beyond every lease and wait but the longest.
LATER, A_DAY = timedelta(minutes=20), timedelta(hours=25)


class Killed(BaseException):
    """The worker dies here."""


def die_at(point: str, work: Callable[[], Any]) -> None:
    def watch(passed: str) -> None:
        if passed == point:
            raise Killed

    crash_points.watch(watch)  # type: ignore[arg-type]
    try:
        with pytest.raises(Killed):
            work()
    finally:
        crash_points._watchers.remove(watch)


def doubt(gateway: FakeGateway, fault: str) -> Effect:
    """An effect whose first call met a fault."""
    effect = cancel()
    gateway.fail(fault)
    carry_out(effect_id=effect.pk)
    assert standing() == UNKNOWN
    return effect


def methods(gateway: FakeGateway) -> list[str]:
    return [method for method, _ in gateway.calls]


def pass_until_with_person(most: int = 20) -> tuple[int, datetime]:
    """Passes, each when the next look is due, until a person has it: how many, and when."""
    for passes in range(1, most + 1):
        due = Refund.objects.get().next_try_at
        reconcile(now=due)
        if Effect.objects.get().with_person_at is not None:
            return passes, due
    raise AssertionError("nobody was asked")


def test_nothing_is_due_at_once(gateway: FakeGateway) -> None:
    cancel()
    assert str(reconcile(now=now())) == "0 effects carried out, 0 refunds looked up"
    assert standing() == CLAIMED
    assert gateway.calls == []


def test_a_lost_nudge_is_carried_out_later(gateway: FakeGateway) -> None:
    pay_partly_with("paypal")
    cancel()
    assert str(reconcile(now=now() + LATER)) == "1 effects carried out, 0 refunds looked up"
    assert standing()["effect"] == "done"
    assert methods(gateway) == ["POST", "POST"]


@pytest.mark.parametrize(
    ("point", "calls"),
    [
        ("gateway called", ["GET", "POST"]),
        ("gateway answered", ["POST", "GET"]),
    ],
)
def test_a_worker_that_dies_around_the_call_leaves_one_effect(
    gateway: FakeGateway, point: str, calls: list[str]
) -> None:
    effect = cancel()
    die_at(point, lambda: carry_out(effect_id=effect.pk))
    assert Refund.objects.get().state == "called"
    # While the lease of the dead one lasts, nobody else calls.
    tasks.reconcile()
    carry_out(effect_id=effect.pk)
    assert Refund.objects.get().state == "called"

    reconcile(now=now() + LATER)

    assert standing() == DONE
    assert given_back(gateway) == PAID
    assert methods(gateway) == calls
    assert told()[-1] == ("refund_settled", "done")


def test_a_worker_that_dies_after_the_result_lost_nothing(gateway: FakeGateway) -> None:
    effect = cancel()
    die_at("result stored", lambda: carry_out(effect_id=effect.pk))
    assert standing() == DONE
    reconcile(now=now() + LATER)
    assert methods(gateway) == ["POST"]


@pytest.mark.parametrize(
    ("fault", "calls"),
    [
        ("drop_before", ["POST", "GET", "POST"]),
        ("error_before", ["POST", "GET", "POST"]),
        ("drop_after", ["POST", "GET"]),
        ("error_after", ["POST", "GET"]),
        ("pending", ["POST", "GET"]),
    ],
)
def test_what_is_in_doubt_is_looked_up_first(gateway: FakeGateway, fault: str, calls: list[str]) -> None:
    doubt(gateway, fault)
    reconcile(now=now() + LATER)
    assert standing() == DONE
    assert given_back(gateway) == PAID
    assert methods(gateway) == calls
    assert [event for event, _ in told()] == ["write_ok", "refund_unknown", "refund_settled"]


def test_a_refusal_at_the_second_call_is_final(gateway: FakeGateway) -> None:
    doubt(gateway, "drop_before")
    gateway.fail("decline")
    reconcile(now=now() + LATER)
    assert standing() == FAILED
    reconcile(now=now() + A_DAY)
    assert methods(gateway) == ["POST", "GET", "POST"]


def test_an_old_refund_that_happened_is_found_by_our_reference(gateway: FakeGateway) -> None:
    doubt(gateway, "drop_after")
    gateway.ledger.forget_keys()
    reconcile(now=now() + A_DAY)
    assert standing() == DONE
    assert given_back(gateway) == PAID
    assert methods(gateway) == ["POST", "GET"]


def test_an_old_refund_that_is_not_found_goes_to_a_person_and_is_never_sent_again(gateway: FakeGateway) -> None:
    doubt(gateway, "drop_before")
    gateway.ledger.forget_keys()
    reconcile(now=now() + A_DAY)
    assert standing() == UNKNOWN
    assert Effect.objects.get().with_person_at is not None
    for hours in (26, 50, 100):
        reconcile(now=now() + timedelta(hours=hours))
    assert methods(gateway) == ["POST", "GET", "GET", "GET", "GET"]
    assert given_back(gateway) == []
    assert [event for event, _ in told()] == ["write_ok", "refund_unknown", "refund_unknown"]
    assert told()[-1] == ("refund_unknown", "with_person")


@pytest.mark.parametrize("hours", [1, 23])
def test_within_the_keys_lifetime_it_is_sent_again(gateway: FakeGateway, hours: int) -> None:
    doubt(gateway, "drop_before")
    reconcile(now=now() + timedelta(hours=hours))
    assert standing() == DONE
    assert given_back(gateway) == PAID


def test_a_gateway_that_is_away_is_asked_the_documented_number_of_times(gateway: FakeGateway) -> None:
    doubt(gateway, "drop_after")
    gateway.stop()
    passes, _ = pass_until_with_person()
    assert passes == TRIES - 1
    assert standing() == UNKNOWN
    assert [event for event, _ in told()] == ["write_ok", "refund_unknown", "refund_unknown"]


def test_what_a_person_has_is_still_found_once_the_gateway_is_back(gateway: FakeGateway) -> None:
    doubt(gateway, "drop_after")
    gateway.stop()
    _, at = pass_until_with_person()
    gateway.start()
    reconcile(now=at + timedelta(minutes=30))
    assert standing() == UNKNOWN
    reconcile(now=at + timedelta(hours=1))
    assert standing() == DONE
    assert methods(gateway) == ["POST", "GET"]


def test_what_a_person_has_is_not_sent_again_although_the_key_lives(gateway: FakeGateway) -> None:
    doubt(gateway, "drop_before")
    gateway.stop()
    _, at = pass_until_with_person()
    gateway.start()
    reconcile(now=at + timedelta(hours=2))
    assert standing() == UNKNOWN
    assert methods(gateway) == ["POST", "GET"]


def test_a_fault_that_the_gateway_keeps_under_the_key_is_not_retried_for_ever(gateway: FakeGateway) -> None:
    doubt(gateway, "error_kept")
    passes, _ = pass_until_with_person()
    assert passes == TRIES - 1
    assert methods(gateway).count("POST") == TRIES
    assert given_back(gateway) == []
    assert {key for _, key in gateway.calls} == {"k1"}


def test_a_gateway_without_a_look_up_is_called_again_with_the_same_key(
    gateway: FakeGateway, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    class Blind(HttpGateway):
        description = Description(name="blind", remote=True, keys=True, key_lifetime=timedelta(hours=24), look_up=False)

    monkeypatch.setitem(ADAPTERS, "blind", lambda: Blind(gateway.url))
    settings.DESKAGENT_GATEWAY = "blind"
    doubt(gateway, "drop_after")
    reconcile(now=now() + LATER)
    assert standing() == DONE
    assert methods(gateway) == ["POST", "POST"]
    assert given_back(gateway) == PAID


def test_many_passes_at_once_ask_once(gateway: FakeGateway) -> None:
    doubt(gateway, "drop_after")
    at = now() + LATER
    results = at_once(*[lambda: reconcile(now=at)] * 8)
    assert sum(done.asked for done in results) == 1
    assert methods(gateway) == ["POST", "GET"]
    assert standing() == DONE


def test_with_another_gateway_set_up_meanwhile_an_open_refund_ends_at_a_person(
    gateway: FakeGateway, settings: Any
) -> None:
    doubt(gateway, "drop_after")
    settings.DESKAGENT_GATEWAY = "ledger"
    passes, _ = pass_until_with_person()
    assert passes == TRIES - 1


def test_the_command_does_one_pass_and_says_what_it_did(gateway: FakeGateway) -> None:
    doubt(gateway, "drop_after")
    Refund.objects.update(next_try_at=now())
    said = StringIO()
    call_command("reconcile", stdout=said)
    assert said.getvalue().strip() == "0 effects carried out, 1 refunds looked up"
    assert standing() == DONE


def test_what_beat_and_nudges_name_is_a_task_that_workers_know(settings: Any) -> None:
    app.loader.import_default_modules()
    beat = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert nudge.RECONCILE in beat
    assert beat | {nudge.CARRY_OUT, JUDGE_BOOKS} <= set(app.tasks)
    assert JUDGE_BOOKS in beat


def test_a_second_call_is_made_only_by_the_one_who_still_holds_the_refund(gateway: FakeGateway) -> None:
    """Its look-up took so long that the lease ended and another pass took the refund over."""
    doubt(gateway, "drop_before")
    at = now() + LATER
    refund = take(refund_id=Refund.objects.get().pk, states=IN_DOUBT, now=at, due=True)
    assert refund is not None and hold_on(refund)
    assert take(refund_id=refund.pk, states=IN_DOUBT, now=at + LATER, due=True) is not None
    assert not hold_on(refund)


def test_a_pass_ends_after_its_time_and_leaves_the_rest_to_the_next(gateway: FakeGateway) -> None:
    doubt(gateway, "drop_after")
    assert reconcile(now=now() + LATER, seconds=0).asked == 0
    assert reconcile(now=now() + LATER).asked == 1
