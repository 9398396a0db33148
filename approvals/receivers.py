"""News of payments and books: whether an action may go on by itself. And of groups: whose limit goes with them."""

from typing import Any

from django.contrib.auth.models import Group
from django.db.models.signals import pre_delete

from approvals import demotion, operations
from orders.signals import books_broken, effect_settled


def connect() -> None:
    effect_settled.connect(watch_the_effect, dispatch_uid="approvals.watch_the_effect")
    books_broken.connect(distrust_the_books, dispatch_uid="approvals.distrust_the_books")
    pre_delete.connect(remove_the_limit, sender=Group, dispatch_uid="approvals.remove_the_limit")


def watch_the_effect(*, effect_id: int, **_: Any) -> None:
    demotion.watch_effect(effect_id=effect_id)


def distrust_the_books(*, broken: str, **_: Any) -> None:
    demotion.report_broken_books(broken=broken)


def remove_the_limit(*, instance: Group, **_: Any) -> None:
    operations.remove_with_group(group=instance)
