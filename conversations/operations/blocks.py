"""The shop's money for the model, handed to processes in blocks, so that turns do not all wait for one row.

What a process took counts as spent until it gives it back; a killed process never does, so the caps hold whatever
dies, and what its block still held is lost for that day.
"""

import os
import threading
from collections.abc import Callable

from django.db import transaction

from conversations.models import Spend
from conversations.operations.spending import CapReached, Scope, book, cap_of, today, unbook

# A block is at most this share of what is left, and at most this many calls.
SHARE = 16
CALLS_A_BLOCK = 50


class Purse:
    """One process's share of the daily and the total cap. No lock of a thread is held while the database is asked:
    a turn that holds rows may be waiting for it."""

    def __init__(self, today: Callable[[], str] = today) -> None:
        self._today = today
        self.forget()

    def forget(self) -> None:
        """Own nothing: what a forked child copied is its parent's."""
        self._lock = threading.Lock()
        self._refilling = threading.Lock()
        # Below zero where calls cost more than was reserved for them: the next ones pay.
        self._left: dict[str, int] = {}
        self._tight = self._used = False

    def stock_up(self, nano: int) -> None:
        """Outside the turn's transaction: see that the block has enough for this call, if the caps have."""
        day = self._today()
        with self._lock:
            self._used = True
            if self._left.get(day, 0) >= nano:
                return
        # While another thread takes a block, this one's call is paid from the rows.
        if not self._refilling.acquire(blocking=False):
            return
        try:
            block = max(nano, min(_room(day) // SHARE, nano * CALLS_A_BLOCK))
            with transaction.atomic():
                _book_shop(day, block)
        except CapReached:
            self._tight = True
            return
        finally:
            self._refilling.release()
        with self._lock:
            self._left[day] = self._left.get(day, 0) + block
            self._tight = block == nano

    def take(self, nano: int, day: str) -> None:
        """Pay for a call in the turn's transaction: from the block, and what it lacks from the rows. `CapReached`."""
        with self._lock:
            self._used = True
            own = min(self._left.get(day, 0), nano)
            self._left[day] = self._left.get(day, 0) - own
        if own == nano:
            return
        try:
            with transaction.atomic():
                _book_shop(day, nano - own)
        except CapReached:
            with self._lock:
                self._left[day] = self._left.get(day, 0) + own
            raise

    def put_back(self, nano: int, day: str) -> None:
        """After the commit that settled a call: near the cap, and for another day, to the rows, for others to use."""
        with self._lock:
            keeps = day == self._today() and not self._tight
            if keeps:
                self._left[day] = self._left.get(day, 0) + nano
        if not keeps:
            _give(nano, day)

    def give_back(self) -> None:
        """The process stops: return all that no call has."""
        with self._lock:
            left, self._left = self._left, {}
        for day, nano in left.items():
            _give(nano, day)

    def give_back_if_idle(self) -> None:
        """Return all that no call has, if no call took any since the last look."""
        with self._lock:
            used, self._used = self._used, False
        if not used:
            self.give_back()


def _room(day: str) -> int:
    """What the caps have left; may be out of date by the time it is used, so `book` has the last word."""
    spent = {row.scope: row.nano for row in Spend.objects.filter(scope=Scope.SHOP, day=day)}
    spent |= {row.scope: row.nano for row in Spend.objects.filter(scope=Scope.TOTAL)}
    return min(cap_of(scope) - spent.get(scope, 0) for scope in (Scope.SHOP, Scope.TOTAL))


def _book_shop(day: str, nano: int) -> None:
    book(Scope.SHOP, nano, day=day)
    book(Scope.TOTAL, nano)


def _give(nano: int, day: str) -> None:
    with transaction.atomic():
        unbook(Scope.SHOP, nano, day=day)
        unbook(Scope.TOTAL, nano)


purse = Purse()
os.register_at_fork(after_in_child=purse.forget)
