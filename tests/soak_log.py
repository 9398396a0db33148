"""`pytest -p tests.soak_log`: a line of JSON for each test that ended, on disk at once, in the file of `SOAK_LOG`."""

import json
import os
from pathlib import Path
from typing import Any

import pytest


class Log:
    """Kept by the process that starts the others; they send their reports to it."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        ended = report.when == "call" or (report.when == "setup" and report.outcome != "passed")
        if not ended:
            return
        line: dict[str, Any] = {
            "step": os.environ["SOAK_STEP"],
            "seed": int(os.environ["SOAK_SEED"]),
            "test": report.nodeid,
            "outcome": report.outcome,
            "seconds": round(report.duration, 1),
            **dict(report.user_properties),
        }
        with self.file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(line) + "\n")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Log(Path(os.environ["SOAK_LOG"])))
