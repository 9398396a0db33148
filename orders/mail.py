"""Mail to customers and staff from rows: claimed with what it tells of, sent after the commit, found again by a sweep.

A mail server knows no keys. A worker that dies during a try leaves it open whether the mail went out, so it is sent
again; both copies carry one Message-ID.
"""

import secrets
import smtplib
import time
from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.db import connection
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from audit.plain import make_text
from orders import nudge
from orders.models import Mail
from policy.text import is_one_line

# Stands in a text where the one-time code of its seed goes.
CODE = "{code}"
OPEN = (Mail.State.CLAIMED, Mail.State.CALLED)
# How long a worker that fell silent keeps a mail: longer than all steps of a slow server together.
LEASE = timedelta(minutes=2)
DELAYS = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=2))
WORTH_SENDING = timedelta(days=1)
KEPT = timedelta(days=30)
# While the mail server hangs, a pass leaves the rest to the next one.
PASS_SECONDS = 10


class BadAddress(Exception):
    """No mail can go there: the text is not one plain e-mail address."""


def is_address(text: str) -> bool:
    """Whether a mail can be addressed to this: one address, with nothing that ends a header."""
    try:
        validate_email(text)
    except ValidationError:
        return False
    return len(text) <= 254 and is_one_line(text)


def post(
    *, key: str, purpose: str, to: str, subject: str, text: str, seed: str = "", good_until: datetime | None = None
) -> Mail:
    """Claim a mail in the caller's transaction; it goes out once that is committed.

    The same key again is the same mail. An empty `to` is an address that nobody has. Raises `BadAddress`.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("a mail is claimed inside the transaction that it tells of")
    if to and not is_address(to):
        raise BadAddress
    if not is_one_line(subject):
        raise ValueError("a subject is one line")
    now = timezone.now()
    words = {"purpose": purpose, "to": to, "subject": subject, "text": text, "seed": seed}
    times = {"next_try_at": now + LEASE, "good_until": good_until or now + WORTH_SENDING}
    mail, made = Mail.objects.get_or_create(key=key, defaults={**words, **times})
    if made:
        nudge.send_mail(mail.pk)
    return mail


def make_seed() -> str:
    return secrets.token_hex(32)


def derive_code(seed: str) -> str:
    """The six digits that belong to a seed; without the desk's secret key nobody can tell them."""
    number = int(salted_hmac("orders.mail.code", seed, algorithm="sha256").hexdigest(), 16)
    return f"{number % 1_000_000:06}"


def send(*, mail_id: int, overdue_at: datetime | None = None) -> bool:
    """Try to send a mail that nobody else is sending; whether this call tried.

    Without a time only the first try; with one, whatever is overdue by then.
    """
    if connection.in_atomic_block:
        raise RuntimeError("mail is sent outside any transaction")
    mail = _take(mail_id, overdue_at)
    if mail is None:
        return False
    if not mail.to or mail.good_until <= timezone.now():
        _settle(mail, Mail.State.FAILED, "nobody has this address" if not mail.to else "too late")
        return True
    try:
        _compose(mail).send()
    except smtplib.SMTPRecipientsRefused as error:
        _put_off(mail, str(error), final=all(code >= 500 for code, _ in error.recipients.values()))
    except (smtplib.SMTPException, OSError) as error:
        _put_off(mail, str(error), final=False)
    except ValueError as error:
        # What cannot be written as a mail today cannot be written tomorrow.
        _put_off(mail, str(error), final=True)
    else:
        _settle(mail, Mail.State.SENT, "")
    return True


def send_overdue(*, now: datetime, seconds: float = PASS_SECONDS) -> int:
    """What a lost task or a dead worker left, and what a server put off; how many were tried. Old rows are dropped."""
    _forget_old(now)
    due = Mail.objects.filter(state__in=OPEN, next_try_at__lte=now).order_by("next_try_at")
    until = time.monotonic() + seconds
    tried = 0
    for mail_id in list(due.values_list("pk", flat=True)[:100]):
        if time.monotonic() >= until:
            break
        tried += send(mail_id=mail_id, overdue_at=now)
    return tried


def _take(mail_id: int, overdue_at: datetime | None) -> Mail | None:
    """The right to send until the lease ends, committed before the try."""
    rows = Mail.objects.filter(pk=mail_id)
    if overdue_at is None:
        rows = rows.filter(state=Mail.State.CLAIMED, tries=0)
    else:
        rows = rows.filter(state__in=OPEN, next_try_at__lte=overdue_at)
    taken = rows.update(state=Mail.State.CALLED, tries=F("tries") + 1, next_try_at=timezone.now() + LEASE)
    return Mail.objects.get(pk=mail_id) if taken else None


def _compose(mail: Mail) -> EmailMessage:
    text = mail.text.replace(CODE, derive_code(mail.seed)) if mail.seed else mail.text
    name = salted_hmac("orders.mail.id", mail.key, algorithm="sha256").hexdigest()[:32]
    headers = {"Message-ID": f"<{name}@{settings.PUBLIC_HOST}>", "Auto-Submitted": "auto-generated"}
    return EmailMessage(subject=mail.subject, body=text, to=[mail.to], headers=headers)


def _put_off(mail: Mail, reason: str, *, final: bool) -> None:
    if final or mail.tries > len(DELAYS):
        _settle(mail, Mail.State.FAILED, reason)
        return
    later = timezone.now() + DELAYS[mail.tries - 1]
    _mine(mail).update(state=Mail.State.CLAIMED, next_try_at=later, reason=make_text(reason)[:200])


def _settle(mail: Mail, state: Mail.State, reason: str) -> None:
    _mine(mail).update(state=state, settled_at=timezone.now(), reason=make_text(reason)[:200])


def _mine(mail: Mail) -> QuerySet[Mail]:
    """The row while this try holds it: who was slower than the lease settles nothing."""
    return Mail.objects.filter(pk=mail.pk, state=Mail.State.CALLED, tries=mail.tries)


def _forget_old(now: datetime) -> None:
    old = Mail.objects.filter(settled_at__lte=now - KEPT)
    # Asked first, so that a pass with nothing to do takes no write lock.
    if old.exists():
        old.delete()
