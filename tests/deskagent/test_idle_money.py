"""Each worker returns the money for the model that it does not use, whichever process sweeps."""

import threading

import pytest
from django.db import DatabaseError, connection

from conversations.models import Spend
from conversations.operations import purse
from deskagent import celery, embedded

NANO = 1_000_000


class Passes(threading.Event):
    """Stops a loop after so many passes, without waiting."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.left = most

    def wait(self, timeout: float | None = None) -> bool:
        self.left -= 1
        return self.left < 0


def booked() -> int:
    return sum(Spend.objects.filter(scope="shop").values_list("nano", flat=True))


@pytest.fixture(autouse=True)
def _full_purse(desk: None) -> None:
    purse.forget()
    purse.stock_up(NANO)
    assert booked() >= NANO


@pytest.mark.parametrize("loop", [celery._return_idle_money, embedded._sweep_until])
def test_money_goes_back_once_a_whole_period_passed_without_a_call(loop: object) -> None:
    assert callable(loop)
    loop(Passes(1))
    assert booked() >= NANO, "it was used since the last look"
    loop(Passes(1))
    assert booked() == 0


def test_a_database_that_is_away_ends_no_watch(caplog: pytest.LogCaptureFixture) -> None:
    broken = iter([True])

    def fail(execute: object, sql: str, params: object, many: bool, context: object) -> object:
        assert callable(execute)
        if sql.startswith("UPDATE") and next(broken, False):
            raise DatabaseError("away")
        return execute(sql, params, many, context)

    purse.give_back_if_idle()
    with connection.execute_wrapper(fail):
        celery._return_idle_money(Passes(2))
    assert "could not be returned" in caplog.text
