"""The suites of `manage.py evaluate`: one entry each."""

from eval import consent, retrieval, triage
from eval.parity import suite as parity
from eval.suite import Suite

SUITES: dict[str, Suite] = {
    "parity": Suite(
        title="Parity with the recorded tools",
        data="the folder with the recorded data; our own small set without it",
        run=parity.run,
        options={"--guarded": {"action": "store_true", "help": "also play every trajectory through the gate"}},
    ),
    "consent": Suite(
        title="What is read as an explicit yes",
        data=f"the folder with {consent.FILE}",
        run=consent.run,
    ),
    "retrieval": Suite(
        title="What the help center finds",
        data="a folder with questions.json; our own questions without it",
        run=retrieval.run,
    ),
    "triage": Suite(
        title="What a message is about, and who is in danger",
        data=f"the folder with {triage.FILE}",
        run=triage.run,
    ),
}
