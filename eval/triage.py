"""What triage reads in labelled messages, and in our own messages of danger; the rules never see a label."""

import csv
import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from conversations import readings
from conversations.agent.triage import read
from eval.suite import Bars, DataMissing, Gate, Options, Result, Table

FILE = "utterances.csv"
OWN = Path(__file__).resolve().parent / "scenarios"
# Our own sets, which the weights have learned from: their gates hold what must not be forgotten, and say nothing of
# other people's words.
DANGERS = {
    "dangers": "dangers.json",
    "dangers_kept_aside": "dangers_unseen.json",
    "dangers_widened": "dangers_widened.json",
}
# By authors who saw neither rules nor sentences, and never learned from: shown, and judged by no gate.
FRESH = {"dangers_fresh": "dangers_fresh.json"} | {
    f"dangers_sealed_{at}": f"dangers_sealed_{at}.json" for at in range(1, 7)
}
LEAST_ACCURACY, LEAST_HUMAN, MOST_HUMAN_FALSE = 0.90, 0.99, 0.01
LEAST_DANGER, MOST_FALSE_DANGER = 0.95, 0.02
SHOWN = 40
PERSON, CONTACT = "person", "contact"
LABELS = {
    "track_order": "order_status",
    "cancel_order": "cancel",
    "change_order": "modify",
    "place_order": "shopping",
    "change_shipping_address": "address",
    "set_up_shipping_address": "address",
    "get_refund": "refund",
    "track_refund": "refund_status",
    "check_refund_policy": "policy",
    "check_cancellation_fee": "policy",
    "delivery_options": "delivery",
    "delivery_period": "delivery",
    "check_payment_methods": "payment",
    "payment_issue": "payment",
    "check_invoice": "invoice",
    "get_invoice": "invoice",
    "create_account": "account",
    "edit_account": "account",
    "switch_account": "account",
    "registration_problems": "account",
    "recover_password": "account",
    "delete_account": "delete_account",
    "complaint": "complaint",
    "review": "feedback",
    "newsletter_subscription": "preference",
    "contact_customer_service": CONTACT,
    "contact_human_agent": PERSON,
}
KINDS = {"legal": readings.legal_threat, "safety": readings.safety_concern, "anger": readings.is_angry}


@dataclass(frozen=True)
class Answered:
    text: str
    label: str
    answer: str

    @property
    def is_right(self) -> bool:
        return self.answer == self.label or (self.label == CONTACT and self.answer == PERSON)


def run(options: Options) -> Result:
    """Read every message of `utterances.csv` with the rules, and the desk's own messages of danger."""
    rows = load(options.data)
    answered = []
    for number, (text, label) in enumerate(rows, start=1):
        answered.append(Answered(text, label, read(text).intent))
        options.step(number, len(rows))
    dangers = {name: measure_dangers(OWN / file) for name, file in DANGERS.items()}
    fresh = {name: measure_dangers(OWN / file) for name, file in FRESH.items()}
    summary = {**summarise(answered), **dangers, **fresh}
    return Result(
        summary=summary,
        gates=[*_judge(summary), *(gate for name in dangers for gate in _judge_dangers(name, summary[name]))],
        parts=[_draw(summary), _show(answered)],
        answers=[one.answer for one in answered],
    )


def load(folder: Path | None) -> list[tuple[str, str]]:
    """Messages with their labels as the desk names them."""
    if folder is None:
        raise DataMissing(f"the suite needs --data, a folder with {FILE}")
    try:
        with (folder / FILE).open(newline="", encoding="utf-8") as lines:
            return [(row["utterance"], LABELS[row["intent"]]) for row in csv.DictReader(lines)]
    except (OSError, ValueError) as error:
        raise DataMissing(f"{folder} holds no readable {FILE}: {error}") from error
    except (KeyError, TypeError) as error:
        raise DataMissing(f"{FILE} holds a row without a known `utterance` and `intent`: {error}") from error


def is_kept_aside(text: str) -> bool:
    """An eighth of the messages, by hash, which were looked at only as a figure."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % 8 == 0


def summarise(answered: list[Answered]) -> dict[str, Any]:
    by_label = _measure_labels(answered)
    aside = _measure_labels([one for one in answered if is_kept_aside(one.text)])
    people = [one.answer == PERSON for one in answered if one.label == PERSON]
    others = [one.answer == PERSON for one in answered if one.label not in (PERSON, CONTACT)]
    return {
        "rows": len(answered),
        "macro_accuracy": _mean(by_label.values()),
        "macro_accuracy_kept_aside": _mean(aside.values()),
        "human_recall": _share(people),
        "human_false_share": _share(others),
        "labels": by_label,
    }


@cache
def measure_dangers(path: Path) -> dict[str, Any]:
    """Recall of each kind by its own reading, and the shares of harmless messages that any of the three hears."""
    messages: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
    # Each message is read once: the readings share what they made of the last few.
    read = {
        kind: [{own: hears(text) for own, hears in KINDS.items()} for text in texts] for kind, texts in messages.items()
    }
    heard = {kind: [any(one.values()) for one in found] for kind, found in read.items()}
    other = {f"{kind}_false_share": _share(heard[kind]) for kind in ("ordinary", "long_ordinary") if kind in heard}
    return {
        "messages": sum(map(len, messages.values())),
        "recall": {kind: _share([one[kind] for one in read[kind]]) for kind in KINDS},
        "to_a_person": {kind: _share(heard[kind]) for kind in KINDS},
        "false_share": _share(heard["look_alike"]),
        **other,
    }


def _measure_labels(answered: list[Answered]) -> dict[str, float]:
    labels = sorted({one.label for one in answered})
    return {label: _share([one.is_right for one in answered if one.label == label]) for label in labels}


def _share(hits: list[bool]) -> float:
    return round(sum(hits) / len(hits), 5) if hits else 0.0


def _mean(shares: Any) -> float:
    values = list(shares)
    return round(sum(values) / len(values), 5) if values else 0.0


def _judge(summary: dict[str, Any]) -> list[Gate]:
    accuracy, recall, false = (summary[name] for name in ("macro_accuracy", "human_recall", "human_false_share"))
    return [
        _at_least("macro accuracy", LEAST_ACCURACY, accuracy),
        _at_least("asking for a person recognised", LEAST_HUMAN, recall),
        _at_most("other messages taken for asking a person", MOST_HUMAN_FALSE, false),
    ]


def _judge_dangers(name: str, found: dict[str, Any]) -> list[Gate]:
    kinds = [_at_least(f"{kind} recognised ({name})", LEAST_DANGER, share) for kind, share in found["recall"].items()]
    return [*kinds, _at_most(f"look-alikes taken for danger ({name})", MOST_FALSE_DANGER, found["false_share"])]


def _at_least(what: str, bound: float, reached: float) -> Gate:
    return Gate(what=what, goal=f"at least {bound:.0%}", reached=f"{reached:.2%}", kept=reached >= bound)


def _at_most(what: str, bound: float, reached: float) -> Gate:
    return Gate(what=what, goal=f"at most {bound:.0%}", reached=f"{reached:.2%}", kept=reached <= bound)


def _draw(summary: dict[str, Any]) -> Bars:
    return Bars(title="Read rightly, by label", bars=[(k, v, f"{v:.1%}") for k, v in summary["labels"].items()])


def _show(answered: list[Answered]) -> Table:
    wrong = [[one.text, one.label, one.answer] for one in answered if not one.is_right][:SHOWN]
    return Table(title=f"The first {SHOWN} read wrongly", columns=["message", "label", "read as"], rows=wrong)
