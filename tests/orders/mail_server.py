"""A mail server that refuses, hangs up or dies on demand; what it accepts is in Django's outbox, as in every test."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.mail.backends.locmem import EmailBackend

BACKEND = f"{__name__}.Backend"
faults: list[BaseException | Callable[[], None]] = []


class Backend(EmailBackend):
    """Meets one planned fault a mail: an exception is raised, anything else is called first."""

    def send_messages(self, messages: Any) -> int:
        fault = faults.pop(0) if faults else None
        if isinstance(fault, BaseException):
            raise fault
        if fault is not None:
            fault()
        return super().send_messages(messages)


@contextmanager
def failing(*planned: BaseException | Callable[[], None]) -> Iterator[None]:
    before = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = BACKEND
    faults[:] = planned
    try:
        yield
    finally:
        settings.EMAIL_BACKEND = before
        faults.clear()
