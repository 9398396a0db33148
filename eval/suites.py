"""The suites of `manage.py evaluate`: one entry each."""

from eval.parity import suite as parity
from eval.suite import Suite

SUITES: dict[str, Suite] = {
    "parity": Suite(
        title="Parity with the recorded tools",
        data="the folder with the recorded data; our own small set without it",
        run=parity.run,
        options={"--guarded": {"action": "store_true", "help": "also play every trajectory through the gate"}},
    ),
}
