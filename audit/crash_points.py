"""The places where a killed worker must lose nothing and double nothing, named where they are passed.

In production passing one costs a look at an empty list; a kill test registers a watcher in the worker it kills.
"""

from collections.abc import Callable
from typing import Literal, get_args

Point = Literal[
    "message saved",
    "turn enqueued",
    "lease taken",
    "model reply stored",
    "policy decided",
    "approval requested",
    "approval stored",
    "intent committed",
    "gateway called",
    "gateway answered",
    "result stored",
    "audit written",
    "reply stored",
    "reply pushed",
]
POINTS: tuple[Point, ...] = get_args(Point)

_watchers: list[Callable[[Point], None]] = []


def watch(watcher: Callable[[Point], None]) -> None:
    """Call `watcher` at every point of this process from now on, in the thread that passes it."""
    _watchers.append(watcher)


def reach(point: Point) -> None:
    for watcher in _watchers:
        watcher(point)
