"""Keeping leases while workers wait: one thread a process renews what its turns hold.

A turn waits on the network most of its time, so the lease must outlive any single step of it, and nothing more: a
process that stops or dies renews nothing, and its turns are another's once the lease is over.
"""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Q
from django.utils import timezone

from conversations.models import Turn
from conversations.operations.turns import Claim

logger = logging.getLogger(__name__)

# A turn past its deadline is failed by its own worker within this time; then its lease may end.
SLACK = timedelta(seconds=10)
_held: set[Claim] = set()
_lock = threading.Lock()
_threads: list[threading.Thread] = []


@contextmanager
def kept(claim: Claim) -> Iterator[None]:
    """Renew the claim's lease in the background while the block runs, at most to a little past its deadline."""
    with _lock:
        _held.add(claim)
        if not _threads or not _threads[0].is_alive():
            _threads[:] = [threading.Thread(target=_renew_until_idle, name="leases", daemon=True)]
            _threads[0].start()
    try:
        yield
    finally:
        with _lock:
            _held.discard(claim)


def renew(claims: set[Claim], *, now: datetime) -> int:
    """One heartbeat: how many of the claims still hold. A claim that was lost stays lost."""
    living = [claim for claim in claims if now < claim.deadline + SLACK]
    if not living:
        return 0
    mine = Q()
    for claim in living:
        mine |= Q(pk=claim.turn_id, fence=claim.fence)
    until = now + timedelta(seconds=settings.DESKAGENT_LEASE_SECONDS)
    return Turn.objects.filter(mine, state=Turn.State.RUNNING).update(lease_until=until)


def _renew_until_idle() -> None:
    """Outlives a single turn, since starting a thread costs more than one that sleeps."""
    while True:
        # A third of the lease: two heartbeats may fail before anything is lost.
        time.sleep(settings.DESKAGENT_LEASE_SECONDS / 3)
        with _lock:
            claims = set(_held)
            if not claims:
                _threads.clear()
                return
        try:
            renew(claims, now=timezone.now())
        except DatabaseError:
            # The next heartbeat tries again; a lease that ends meanwhile is caught by the fence.
            logger.exception("leases could not be renewed")
        finally:
            connection.close()
