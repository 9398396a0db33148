"""Mail goes out from rows: once while all is well, again where nobody knows, never to what is no plain address."""

import smtplib
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail as outbox
from django.db import transaction

from deskagent.celery import app
from orders import nudge, tasks
from orders.mail import CODE, DELAYS, KEPT, LEASE, BadAddress, derive_code, make_seed, post, send, send_overdue
from orders.models import Mail
from tests.conversations.helpers import at_once
from tests.factories import now
from tests.orders.mail_server import failing

pytestmark = pytest.mark.usefixtures("transactional_db")
NORA = "nora.lindahl@example.com"
GONE = smtplib.SMTPRecipientsRefused({NORA: (550, b"no such user")})
FULL = smtplib.SMTPRecipientsRefused({NORA: (452, b"mailbox full")})


class Killed(BaseException):
    """The worker dies here."""


def write(**changes: Any) -> Mail:
    what = {"key": "k1", "purpose": "receipt", "to": NORA, "subject": "Your receipt", "text": "Thank you."} | changes
    with transaction.atomic():
        return post(**what)


def standing() -> tuple[str, int]:
    return Mail.objects.values_list("state", "tries").get()


def test_a_mail_goes_out_once_however_often_it_is_asked_for_and_sent() -> None:
    for _ in range(3):
        write()
    mail = Mail.objects.get()
    assert [send(mail_id=mail.pk) for _ in range(3)] == [True, False, False]
    assert send_overdue(now=now() + timedelta(hours=3)) == 0
    [sent] = outbox.outbox
    assert (sent.to, sent.subject, sent.body) == ([NORA], "Your receipt", "Thank you.")
    assert standing() == ("sent", 1)


def test_two_workers_send_one_mail() -> None:
    mail = write()
    assert sorted(at_once(*[lambda: send(mail_id=mail.pk)] * 4)) == [False, False, False, True]
    assert len(outbox.outbox) == 1


def test_nothing_is_claimed_by_a_change_that_is_rolled_back() -> None:
    with pytest.raises(Killed), transaction.atomic():
        post(key="k1", purpose="receipt", to=NORA, subject="s", text="t")
        raise Killed
    assert not Mail.objects.exists()


def test_a_mail_needs_the_transaction_it_tells_of_and_is_sent_outside_any() -> None:
    with pytest.raises(RuntimeError):
        post(key="k1", purpose="receipt", to=NORA, subject="s", text="t")
    mail = write()
    with pytest.raises(RuntimeError), transaction.atomic():
        send(mail_id=mail.pk)


def test_a_lost_task_costs_a_sweep() -> None:
    write()
    assert send_overdue(now=now()) == 0
    assert send_overdue(now=now() + LEASE) == 1
    assert standing() == ("sent", 1)


def test_a_worker_that_died_while_sending_leaves_it_to_the_sweep_under_the_same_message_id() -> None:
    mail = write()

    def die() -> None:
        raise Killed

    with failing(die), pytest.raises(Killed):
        send(mail_id=mail.pk)
    assert standing() == ("called", 1)
    assert send_overdue(now=now()) == 0
    Mail.objects.update(next_try_at=now())
    assert send_overdue(now=now()) == 1
    assert standing() == ("sent", 2)


def test_two_copies_of_one_mail_carry_one_message_id_and_two_mails_do_not() -> None:
    for key in ("k1", "k2"):
        send(mail_id=write(key=key).pk)
    Mail.objects.filter(key="k1").update(state="called", next_try_at=now())
    send_overdue(now=now())
    first, second, copy = (mail.extra_headers["Message-ID"] for mail in outbox.outbox)
    assert first == copy != second


@pytest.mark.parametrize("error", [smtplib.SMTPServerDisconnected("gone"), TimeoutError("slow"), FULL])
def test_a_server_that_does_not_answer_is_asked_again_later_and_not_for_ever(error: BaseException) -> None:
    mail = write()
    with failing(*[error] * (len(DELAYS) + 1)):
        send(mail_id=mail.pk)
        for delay in DELAYS:
            assert standing()[0] == "claimed"
            assert now() + delay - timedelta(minutes=1) < Mail.objects.get().next_try_at <= now() + delay
            Mail.objects.update(next_try_at=now())
            assert send_overdue(now=now()) == 1
    assert standing() == ("failed", len(DELAYS) + 1)
    assert Mail.objects.get().reason == str(error)[:200]
    assert outbox.outbox == []


def test_a_refused_address_is_final() -> None:
    mail = write()
    with failing(GONE):
        send(mail_id=mail.pk)
    assert standing() == ("failed", 1)


def test_a_mail_that_came_too_late_is_not_sent() -> None:
    mail = write(good_until=now() - timedelta(seconds=1))
    assert send(mail_id=mail.pk)
    assert standing() == ("failed", 1)
    assert outbox.outbox == []


def test_an_address_that_nobody_has_takes_the_same_way_and_gets_no_mail() -> None:
    mail = write(to="")
    assert send(mail_id=mail.pk)
    assert standing() == ("failed", 1)
    assert outbox.outbox == []


HOSTILE = [
    "nora@example.com\nBcc: all@example.com",
    "nora@example.com\r\nSubject: won",
    "nora@example.com, mallory@example.com",
    "nora@example.com;mallory@example.com",
    "Nora <nora@example.com>",
    "nora@example.com\x00",
    '"a\x01b"@example.com',
    "nora@example.com\u2028Bcc: x@example.com",
    "nora",
    "nora@",
    "n" * 250 + "@example.com",
]


@pytest.mark.parametrize("to", HOSTILE)
def test_an_address_that_holds_more_than_an_address_gets_no_row(to: str) -> None:
    with pytest.raises(BadAddress):
        write(to=to)
    assert not Mail.objects.exists()


def test_a_subject_of_two_lines_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="one line"):
        write(subject="Receipt\nBcc: all@example.com")


def test_hostile_text_stays_text() -> None:
    text = "\r\n.\r\nMAIL FROM:<x@example.com>\r\nBcc: all@example.com\r\n\r\n" + CODE
    mail = write(text=text)
    assert send(mail_id=mail.pk)
    [sent] = outbox.outbox
    assert sent.recipients() == [NORA]
    assert sent.message()["Bcc"] is None
    # Without a seed there is no code to put anywhere.
    assert CODE in sent.body


def test_the_code_of_a_mail_is_in_no_row() -> None:
    seed = make_seed()
    code = derive_code(seed)
    mail = write(text=f"Your code is {CODE}.", seed=seed)
    assert send(mail_id=mail.pk)
    assert outbox.outbox[0].body == f"Your code is {code}."
    [row] = Mail.objects.values("to", "subject", "text", "reason")
    assert code not in str(row)


def test_codes_are_six_digits_differ_and_follow_the_key(settings: Any) -> None:
    seeds = [make_seed() for _ in range(50)]
    codes = [derive_code(seed) for seed in seeds]
    assert all(len(code) == 6 and code.isascii() and code.isdigit() for code in codes)
    assert len(set(codes)) > 40
    settings.SECRET_KEY = "another key of the desk, 0123456789"
    assert [derive_code(seed) for seed in seeds] != codes


def test_the_tasks_send_by_the_names_the_nudges_use() -> None:
    assert {nudge.SEND_MAIL, nudge.SEND_OVERDUE_MAIL} <= set(app.tasks)
    mail = write()
    tasks.send_mail(mail_id=mail.pk)
    tasks.send_overdue_mail()
    assert standing() == ("sent", 1)


def test_settled_mail_is_dropped_after_its_time_and_open_mail_is_not() -> None:
    send(mail_id=write().pk)
    write(key="k2", good_until=now() + timedelta(days=90))
    Mail.objects.filter(key="k2").update(next_try_at=now() + timedelta(days=90))
    send_overdue(now=now() + KEPT - timedelta(minutes=1))
    assert Mail.objects.count() == 2
    send_overdue(now=now() + KEPT + timedelta(minutes=1))
    assert [mail.key for mail in Mail.objects.all()] == ["k2"]


@pytest.mark.parametrize("slower", [lambda mail: Mail.objects.filter(pk=mail.pk).update(tries=2)])
def test_a_try_that_outlived_its_lease_settles_nothing(slower: Callable[[Mail], int]) -> None:
    mail = write()
    with failing(lambda: slower(mail) and None):
        send(mail_id=mail.pk)
    assert standing() == ("called", 2)
