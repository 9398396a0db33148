"""What goes up: `effect_settled(effect_id)`, sent on commit. A sweep finds the same rows when it is lost."""

from django.db import transaction
from django.dispatch import Signal

effect_settled = Signal()


def announce(effect_id: int) -> None:
    transaction.on_commit(lambda: effect_settled.send_robust(sender=None, effect_id=effect_id))
