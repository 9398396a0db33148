"""Who the customer is beyond a look-up: the storefront's signature, or a code sent to the address on file.

Nothing here tells whether an address belongs to anybody: asking makes the same rows and the same answer either way.
The code itself is in no row, no log and no message.
"""

import hashlib
import hmac
import re
import unicodedata
import uuid
from datetime import datetime, timedelta
from enum import Enum, auto
from uuid import UUID

import jwt
from django.conf import settings
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from approvals.models import CustomerSession, OneTimeCode
from approvals.sessions import SECOND_IDENTITY, actor_of, lock_session, strength_of, verify
from audit.operations import Details, record
from audit.plain import make_text
from audit.redaction import pseudonym, sign
from orders import mail
from orders.customers import mark_vip
from orders.models import Customer
from orders.queries import CustomerNotFound, find_customer_by_email, get_customer, personal_words
from policy.levels import Strength
from policy.queries import PolicyMissing, get_active

IDENTITY_LIFE = timedelta(minutes=10)
LONGEST_IDENTITY = 4_000
CODE_LIFE = timedelta(minutes=10)
MOST_ATTEMPTS = 5
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
# Codes that one conversation, one network and one e-mail address may ask for; what is beyond them is for a person.
LIMITS = (("session", HOUR, 3), ("address", HOUR, 20), ("email", HOUR, 5), ("email", DAY, 10))
SUBJECT = "Your one-time code"
TEXT = f"""Your code is {mail.CODE}

Enter it in the chat that asked for it. It works once, within 10 minutes.

Did you not ask for a code? Then ignore this mail, and tell the code to nobody.
"""


class BadIdentity(Exception):
    """No identity of this shop's storefront: unsigned, of another key, expired, living too long, or of nobody."""


class Proof(Enum):
    """What a given identity or code came to."""

    STRONGER = auto()
    # As sure as before: the same customer, known by this or a stronger proof already.
    KNOWN = auto()
    OTHER_CUSTOMER = auto()
    WRONG = auto()
    # Wrong, and the last attempt: a person has to take the chat.
    USED_UP = auto()


def read_identity(token: str) -> Customer:
    """The customer whom the storefront signed for, a VIP or not as it says; raises `BadIdentity` and no more."""
    secret: str = settings.DESKAGENT_IDENTITY_SECRET
    if not secret or len(token) > LONGEST_IDENTITY or not token.isascii():
        raise BadIdentity
    try:
        claims = jwt.decode(token, secret, algorithms=["HS256"], options={"require": ["sub", "exp"]})
    except (jwt.PyJWTError, ValueError, OverflowError, RecursionError):
        raise BadIdentity from None
    subject, ends = claims["sub"], claims["exp"]
    if isinstance(ends, bool) or not isinstance(ends, int | float):
        raise BadIdentity
    if ends - timezone.now().timestamp() > IDENTITY_LIFE.total_seconds():
        raise BadIdentity
    if not isinstance(subject, str) or make_text(subject) != subject:
        raise BadIdentity
    try:
        customer = get_customer(user_id=subject)
    except CustomerNotFound:
        raise BadIdentity from None
    return _note_vip(customer, claims.get("vip"))


def _note_vip(customer: Customer, vip: object) -> Customer:
    """The storefront knows best who is one; where its signature does not say, nothing changes."""
    if isinstance(vip, bool) and vip != customer.vip:
        mark_vip(customer, vip=vip)
    return customer


def prove(*, session: CustomerSession, customer: Customer, strength: Strength) -> Proof:
    """Verify the locked session's customer by a proof that held. Never another customer, and never less surely."""
    if session.customer is not None and session.customer != customer:
        _record_failure(session, strength, rule="R2", result=SECOND_IDENTITY)
        return Proof.OTHER_CUSTOMER
    if session.customer is not None and strength_of(session).covers(strength):
        return Proof.KNOWN
    verify(session=session, customer=customer, strength=CustomerSession.Strength(strength.value))
    _end_codes(session)
    record(
        event="customer_verified",
        subject=str(session.conversation),
        actor=pseudonym(customer.user_id),
        details=Details(verdict=strength),
        known=personal_words(customer),
    )
    return Proof.STRONGER


def prove_signed(*, conversation: UUID, token: str) -> Proof:
    """Verify by a signed identity, in the caller's transaction. A bad one is `WRONG`, so that its entry is kept."""
    session = lock_session(conversation)
    try:
        customer = read_identity(token)
    except BadIdentity:
        _record_failure(session, Strength.SIGNED, result="bad identity")
        return Proof.WRONG
    return prove(session=session, customer=customer, strength=Strength.SIGNED)


def ask_code(*, conversation: UUID, email: str, address: str) -> bool:
    """Have a code sent to the customer of this address, if there is one; False once too many were asked for.

    A new code ends the one before. In the caller's transaction; `address` is the visitor's, as a pseudonym.
    """
    session, now = lock_session(conversation), timezone.now()
    named = sign("code for\0" + email.strip().lower())[:40]
    _wait_in_line(named, address)
    if _used_up({"session": session, "address": address, "email": named}, now):
        _record_failure(session, Strength.CODE, result="too many codes asked for")
        return False
    _end_codes(session)
    customer, seed, number = _find_reachable(session, email.strip()), mail.make_seed(), uuid.uuid4()
    OneTimeCode.objects.create(
        id=number,
        session=session,
        customer=customer,
        email=named,
        address=address,
        digest=_digest(number, mail.derive_code(seed)),
        asked_at=now,
        expires_at=now + CODE_LIFE,
    )
    to = customer.email if customer else ""
    key = f"code-{number}"
    mail.post(key=key, purpose="code", to=to, subject=SUBJECT, text=TEXT, seed=seed, good_until=now + CODE_LIFE)
    return True


def give_code(*, conversation: UUID, code: str) -> Proof:
    """Verify by the code that is due, in the caller's transaction. Each try counts, whatever was typed."""
    session = lock_session(conversation)
    due = _list_due(session).first()
    if due is None:
        _record_failure(session, Strength.CODE, result="no code is due")
        return Proof.WRONG
    due.attempts += 1
    right = hmac.compare_digest(due.digest, _digest(due.pk, _read_digits(code)))
    if right and due.customer is not None:
        due.ended_at = timezone.now()
        due.save(update_fields=["attempts", "ended_at"])
        return prove(session=session, customer=due.customer, strength=Strength.CODE)
    last = due.attempts >= MOST_ATTEMPTS
    due.ended_at = timezone.now() if last else None
    due.save(update_fields=["attempts", "ended_at"])
    _record_failure(session, Strength.CODE, result="the last wrong code" if last else "wrong code")
    return Proof.USED_UP if last else Proof.WRONG


def is_code_due(*, conversation: UUID) -> bool:
    return OneTimeCode.objects.filter(
        session__conversation=conversation, ended_at=None, expires_at__gt=timezone.now()
    ).exists()


def find_needed(session: CustomerSession) -> Strength | None:
    """The next step of proof that the active policy asks for anywhere and this customer has not taken; none below
    a code, since a look-up is the agent's own question."""
    try:
        identity = get_active().limits.identity
    except PolicyMissing:
        return None
    asked = {identity.reads, identity.otherwise, *identity.actions.values()}
    known = strength_of(session) if session.customer is not None else None
    missing = (one for one in Strength if one in asked and not (known and known.covers(one)))
    return next((one for one in missing if one is not Strength.LOOKUP), None)


def forget_codes(*, now: datetime) -> None:
    """Drop what no longer counts against any limit."""
    over = OneTimeCode.objects.filter(asked_at__lte=now - DAY)
    if over.exists():
        over.delete()


def _wait_in_line(*names: str) -> None:
    """Count one asker of a name after the other until the commit: many chats at once are not each the first.

    Who asks takes the same names in the same order, so nobody waits in a circle. SQLite has one writer anyway.
    """
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        for name in filter(None, names):
            place = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [place])


def _used_up(asked: dict[str, object], now: datetime) -> bool:
    return any(
        OneTimeCode.objects.filter(**{name: asked[name]}, asked_at__gt=now - within).count() >= most
        for name, within, most in LIMITS
        if asked[name]
    )


def _find_reachable(session: CustomerSession, email: str) -> Customer | None:
    """Whom a code can be sent to: nobody where this conversation is another customer's already."""
    if not mail.is_address(email):
        return None
    try:
        found = find_customer_by_email(email=email)
    except CustomerNotFound:
        return None
    if session.customer is not None and session.customer != found:
        _record_failure(session, Strength.CODE, rule="R2", result=SECOND_IDENTITY)
        return None
    return found if mail.is_address(found.email) else None


def _list_due(session: CustomerSession) -> QuerySet[OneTimeCode]:
    return session.codes.filter(ended_at=None, expires_at__gt=timezone.now()).select_related("customer")


def _end_codes(session: CustomerSession) -> None:
    session.codes.filter(ended_at=None).update(ended_at=timezone.now())


def _digest(number: UUID, code: str) -> str:
    return sign(f"one-time code\0{number}\0{code}")


def _read_digits(code: str) -> str:
    """The digits as a customer may type or paste them: parted somehow, of another script."""
    digits = (unicodedata.digit(letter, None) for letter in re.sub(r"[\W_]", "", code)[:20])
    return "".join("?" if digit is None else str(digit) for digit in digits)


def _record_failure(session: CustomerSession, strength: Strength, *, result: str, rule: str = "") -> None:
    record(
        event="verification_failed",
        subject=str(session.conversation),
        actor=actor_of(session),
        details=Details(rule=rule, verdict=strength, result=result),
    )
