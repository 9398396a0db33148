"""What goes up: `effect_settled(effect_id)`, sent on commit. A sweep finds the same rows when it is lost.

`books_broken(broken)` is sent by whoever checked the books: the names of the invariants that do not hold.
"""

from django.db import transaction
from django.dispatch import Signal

effect_settled = Signal()
books_broken = Signal()


def announce(effect_id: int) -> None:
    transaction.on_commit(lambda: effect_settled.send_robust(sender=None, effect_id=effect_id))
