"""A worker of its own for the tests of the kill switches: one write after the other until the gate refuses.

Arguments: a conversation's id and its customer. Prints `busy` after the first write, and when it was refused.
"""

import sys
import uuid
from collections.abc import Callable
from datetime import datetime

import django

django.setup()

from django.db import transaction  # noqa: E402
from django.utils import timezone  # noqa: E402

from approvals import operations as gate  # noqa: E402
from approvals.sessions import Voice  # noqa: E402
from tests.writes import ADDRESS_OF_USER, make_action  # noqa: E402

VOICE = Voice(prompt_version="test", model="test")
# Far more than any test lets it do.
MOST = 5_000


def write_until_refused(conversation: uuid.UUID, user_id: str, on_write: Callable[[], None]) -> datetime:
    """When the kill switch first stopped it; every other refusal is a fault of the test."""
    for number in range(MOST):
        action = make_action(ADDRESS_OF_USER, user_id=user_id, address1=f"{number} Ferry Lane")
        with transaction.atomic():
            asked = gate.propose(conversation=conversation, action=action, key=uuid.uuid4().hex, voice=VOICE)
            if asked.request is None:
                assert asked.text.startswith("Policy: R7 "), asked.text
                return timezone.now()
            done = gate.confirm(conversation=conversation, request_id=asked.request.pk, by="button")
        if done.rule == "R7":
            return timezone.now()
        assert done.effect is not None, done.state
        on_write()
    raise AssertionError("never refused")


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    told: list[str] = []

    def say_busy() -> None:
        if not told:
            told.append("busy")
            tell("busy")

    tell(write_until_refused(uuid.UUID(sys.argv[1]), sys.argv[2], say_busy).isoformat())
