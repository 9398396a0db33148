"""The watcher of a process that is going to be killed: whoever passes the point stands still there, and is counted."""

import os
import time
from pathlib import Path

from audit.crash_points import POINTS, Point, watch


def park_at_point() -> None:
    """Park every thread that passes `PARK_AT`, with a line in `PARK_FILE` each; the process ends by SIGKILL alone."""
    point, file = os.environ["PARK_AT"], Path(os.environ["PARK_FILE"])
    assert point in POINTS

    def park(passed: Point) -> None:
        if passed == point:
            with file.open("a") as lines:
                lines.write(f"{os.getpid()}\n")
            while True:
                time.sleep(60)

    watch(park)
