"""What a storefront signs, and what a customer reads in their mail."""

import re
import time
from typing import Any

import jwt
from django.core import mail as outbox

from orders.mail import LEASE, send_overdue
from tests.factories import now
from tests.writes import NORA

SECRET = "a secret of the storefront's and the desk's, 0123456789, long enough for every hash"
OTHER_SECRET = "a secret of somebody else, who would like to be us"


def sign(*, secret: str = SECRET, algorithm: str = "HS256", lives: float = 300, **claims: Any) -> str:
    """An identity as the storefront signs it: Nora's unless `sub` says otherwise; a claim that is None is left out."""
    whole = {"sub": NORA, "exp": int(time.time() + lives)} | claims
    return jwt.encode({name: one for name, one in whole.items() if one is not None}, secret, algorithm=algorithm)


def read_mail() -> list[str]:
    """Deliver what waits, and the codes of the mails that came now, in order."""
    before = len(outbox.outbox)
    send_overdue(now=now() + LEASE)
    codes = [re.search(r"^Your code is (\d{6})$", mail.body, re.MULTILINE) for mail in outbox.outbox[before:]]
    return [found[1] for found in codes if found]


def other_code(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06}"
