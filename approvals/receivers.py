"""News of payments and books: whether an action may go on by itself."""

from typing import Any

from approvals import demotion
from orders.signals import books_broken, effect_settled


def connect() -> None:
    effect_settled.connect(watch_the_effect, dispatch_uid="approvals.watch_the_effect")
    books_broken.connect(distrust_the_books, dispatch_uid="approvals.distrust_the_books")


def watch_the_effect(*, effect_id: int, **_: Any) -> None:
    demotion.watch_effect(effect_id=effect_id)


def distrust_the_books(*, broken: str, **_: Any) -> None:
    demotion.report_broken_books(broken=broken)
