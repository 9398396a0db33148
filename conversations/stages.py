"""Where a turn's time went, in milliseconds by stage: stored with the turn, summed up in the figures."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

Stage = Literal["queue", "triage", "model", "tools", "gate", "check", "push"]


class Stages:
    """Adds up seconds by stage while a turn runs; a stage that is entered again counts on."""

    def __init__(self) -> None:
        self._seconds: dict[Stage, float] = {}

    def add(self, stage: Stage, seconds: float) -> None:
        self._seconds[stage] = self._seconds.get(stage, 0.0) + seconds

    @contextmanager
    def measuring(self, stage: Stage) -> Iterator[None]:
        started = time.monotonic()
        try:
            yield
        finally:
            self.add(stage, time.monotonic() - started)

    def in_ms(self) -> dict[Stage, float]:
        return {stage: round(seconds * 1000, 1) for stage, seconds in self._seconds.items()}
