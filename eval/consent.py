"""What the desk reads as an explicit yes, measured on labelled replies; the reader never sees a label."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from eval.suite import Bars, DataMissing, Gate, Options, Result, Table
from policy.consent import Reading, read

FILE = "replies.jsonl"
YES, CHANGE, ASKED_MORE = "yes", "no_or_change", "yes_and_question"
MOST_FALSE, LEAST_YES = 1 / 1000, 0.95
SHOWN = 40
# A list of its own, so that the figures do not rest on the reader's.
_PRAISE = frozenset(
    {
        "thanks",
        "thank",
        "thx",
        "you",
        "so",
        "very",
        "much",
        "a",
        "lot",
        "bunch",
        "ton",
        "many",
        "great",
        "perfect",
        "good",
    }
    | {
        "fine",
        "excellent",
        "wonderful",
        "awesome",
        "fantastic",
        "terrific",
        "cool",
        "nice",
        "amazing",
        "lovely",
        "super",
    }
    | {"beautiful", "sweet", "brilliant", "superb", "ok", "okay", "alright", "wow", "job", "well", "done", "really"}
    | {"appreciate", "it", "the", "help", "for", "your"}
)
_AGREEMENT = re.compile(
    r"\b(y(es|ep|up|ea|eah|e|ah)|sure|o(k|kay)|alright|right|correct|exactly|confirm(ed)?|agreed?|perfect|great|good|fine"
    r"|sounds?|looks?|works?|absolutely|definitely|certainly|indeed|proceed|go ahead|do that|of course)\b"
)


class _Row(BaseModel):
    model_config = ConfigDict(strict=True)

    asked: str
    reply: str
    label: str


@dataclass(frozen=True)
class _Answered:
    reply: str
    label: str
    answer: str


def run(options: Options) -> Result:
    """Read every reply of `replies.jsonl` against what was asked."""
    rows = _load(options.data)
    answered = []
    for number, row in enumerate(rows, start=1):
        answer = read(asked=row.asked, reply=row.reply).value
        answered.append(_Answered(reply=row.reply, label=row.label, answer=answer))
        options.step(number, len(rows))
    summary = _summarise(answered)
    return Result(
        summary=summary,
        gates=_judge(summary),
        parts=[_draw(summary), *_show(answered)],
        answers=[one.answer for one in answered],
    )


def interval_95(hits: int, of: int) -> tuple[float, float]:
    """Wilson's interval of a share, which is honest where nothing was seen."""
    if not of:
        return 0.0, 1.0
    z, share = 1.959964, hits / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    reach = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def is_praise_alone(reply: str) -> bool:
    """Thanks, praise or "ok" and nothing else: no explicit yes."""
    words = re.findall(r"[a-z']+", reply.lower())
    return bool(words) and "?" not in reply and _PRAISE.issuperset(words)


def _load(folder: Path | None) -> list[_Row]:
    if folder is None:
        raise DataMissing(f"the suite needs --data, a folder with {FILE}")
    path = folder / FILE
    if not path.is_file():
        raise DataMissing(f"{folder} holds no {FILE}")
    lines = path.read_text(encoding="utf-8").splitlines()
    try:
        return [_Row.model_validate_json(line) for line in lines]
    except ValidationError as error:
        raise DataMissing(f"{path} holds a line that is no row: {error.errors()[0]['msg']}") from None


def _summarise(answered: list[_Answered]) -> dict[str, Any]:
    labels = {label: _count(one for one in answered if one.label == label) for label in _list_labels(answered)}
    false, changes = labels[CHANGE]["yes"], labels[CHANGE]["rows"]
    plain = [one for one in answered if one.label == YES]
    praise = sum(one.answer != Reading.YES and is_praise_alone(one.reply) for one in plain)
    explicit = len(plain) - praise
    low, high = interval_95(false, changes)
    return {
        "rows": len(answered),
        "labels": labels,
        "false_yes_share": _share(false, changes),
        "false_yes_interval_95": [round(low, 5), round(high, 5)],
        "yes_share": _share(labels[YES]["yes"], len(plain)),
        "praise_alone_not_yes": praise,
        "explicit_yes_share": _share(labels[YES]["yes"], explicit),
        "no_agreement_read_as_yes": sum(_has_no_agreement(one) for one in answered),
    }


def _list_labels(answered: list[_Answered]) -> list[str]:
    return list(dict.fromkeys([YES, ASKED_MORE, CHANGE, *(one.label for one in answered)]))


def _count(answered: Iterable[_Answered]) -> dict[str, int]:
    answers = [one.answer for one in answered]
    return {"rows": len(answers), **{reading.value: answers.count(reading.value) for reading in Reading}}


def _share(part: int, whole: int) -> float:
    return round(part / whole, 5) if whole else 0.0


def _has_no_agreement(one: _Answered) -> bool:
    return one.label == ASKED_MORE and one.answer == Reading.YES.value and not _AGREEMENT.search(one.reply.lower())


def _judge(summary: dict[str, Any]) -> list[Gate]:
    false, recognised = summary["false_yes_share"], summary["explicit_yes_share"]
    low, high = summary["false_yes_interval_95"]
    unagreed = summary["no_agreement_read_as_yes"]
    return [
        Gate(
            what="a refusal or change read as yes",
            goal=f"at most {MOST_FALSE:.1%}",
            reached=f"{false:.2%} (95 %: {low:.2%} to {high:.2%})",
            kept=false <= MOST_FALSE,
        ),
        Gate(
            what="an explicit yes recognised",
            goal=f"at least {LEAST_YES:.0%}",
            reached=f"{recognised:.1%} ({summary['praise_alone_not_yes']} of thanks or praise alone left out)",
            kept=recognised >= LEAST_YES,
        ),
        Gate(
            what="a question without a word of agreement read as yes",
            goal="0",
            reached=str(unagreed),
            kept=unagreed == 0,
        ),
    ]


def _draw(summary: dict[str, Any]) -> Bars:
    bars = []
    for label, counts in summary["labels"].items():
        share = _share(counts["yes"], counts["rows"])
        bars.append((label, share, f"{counts['yes']} of {counts['rows']}"))
    return Bars(title="Read as yes, by label", bars=bars)


def _show(answered: list[_Answered]) -> list[Table]:
    false = [[one.reply] for one in answered if one.label == CHANGE and one.answer == Reading.YES]
    missed = [
        [one.reply, "thanks or praise alone" if is_praise_alone(one.reply) else one.answer]
        for one in answered
        if one.label == YES and one.answer != Reading.YES
    ]
    return [
        Table(title="A refusal or change read as yes", columns=["reply"], rows=false[:SHOWN]),
        Table(title=f"The first {SHOWN} not recognised", columns=["reply", "read as"], rows=missed[:SHOWN]),
    ]
