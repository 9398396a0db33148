"""The watcher of a process that is going to be killed: whoever passes the armed point is counted, and stands still."""

import os
import time
from pathlib import Path

from audit.crash_points import POINTS, Point, watch

# Holds "process|point|park" or "process|point|count" while a point is armed.
ARMED, PASSED = "armed", "passed"


def obey(process: str) -> None:
    """Do at each point what the armed file in `KILLS_FOLDER` says; a parked thread ends by SIGKILL alone."""
    folder = Path(os.environ["KILLS_FOLDER"])

    def stand_still(passed: Point) -> None:
        try:
            where, point, what = (folder / ARMED).read_text().split("|")
        except FileNotFoundError:
            return
        assert point in POINTS
        if (where, point) != (process, passed):
            return
        with (folder / PASSED).open("a") as lines:
            lines.write(f"{os.getpid()}\n")
        while what == "park":
            time.sleep(60)

    watch(stand_still)
