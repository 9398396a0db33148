"""What the help center finds for labelled questions; the search never sees a label."""

import hashlib
import json
from pathlib import Path

from django.conf import settings
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from eval.database import temporary_database
from eval.suite import Bars, DataMissing, Gate, Options, Result, Table
from helpcenter.interchange import import_folder
from helpcenter.queries import search

FILE = "questions.json"
# By two authors who read the articles' titles alone; shown, and judged by no gate. The search's words were widened by
# what it missed of the first one's.
STRANGERS = {"strangers_1": "questions_strangers_1.json", "strangers_2": "questions_strangers_2.json"}
OWN = Path(__file__).resolve().parent / "scenarios"
LEAST_FIRST, LEAST_IN_THREE, LEAST_BELOW = 0.85, 0.95, 0.90
SHOWN = 60
MEASURES = ("first", "in_three", "no_answer_below_floor")


class Labelled(BaseModel):
    """One question and the article that answers it, or none that does."""

    model_config = ConfigDict(strict=True, extra="forbid")

    question: str
    article: str | None


def run(options: Options) -> Result:
    """Every question of `questions.json` against the demo shop's articles."""
    folder = options.data or OWN
    rows = load(folder / FILE)
    strangers = {} if options.data else {name: load(OWN / file) for name, file in STRANGERS.items()}
    with temporary_database():
        import_folder(settings.BASE_DIR / "helpcenter" / "demo", author="evaluation")
        found = []
        for number, row in enumerate(rows, start=1):
            found.append(_find(row.question))
            options.step(number, len(rows))
        measured = {name: _measure([(row, _find(row.question)) for row in own]) for name, own in strangers.items()}
    result = _grade(rows, found)
    result.summary.update({name: dict(zip(MEASURES, shares, strict=True)) for name, shares in measured.items()})
    return result


def load(path: Path) -> list[Labelled]:
    try:
        return TypeAdapter(list[Labelled]).validate_python(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, ValidationError) as error:
        raise DataMissing(f"{path} holds no labelled questions: {error}") from error


def _find(question: str) -> list[str]:
    """The first three different articles, best first."""
    articles = dict.fromkeys(hit.passage.article for hit in search(question, limit=12))
    return list(articles)[:3]


def is_held_out(question: str) -> bool:
    """Half of the questions, by hash, on which nothing of the search was tuned."""
    return int(hashlib.sha256(question.encode()).hexdigest()[0], 16) % 2 == 1


def _measure(pairs: list[tuple[Labelled, list[str]]]) -> tuple[float, float, float]:
    """The shares of right first, right in three, and nothing found where nothing answers."""
    answered = [(row, hits) for row, hits in pairs if row.article is not None]
    nothing = [hits for row, hits in pairs if row.article is None]
    return (
        _share(sum(hits[:1] == [row.article] for row, hits in answered), len(answered)),
        _share(sum(row.article in hits for row, hits in answered), len(answered)),
        _share(sum(not hits for hits in nothing), len(nothing)),
    )


def _grade(rows: list[Labelled], found: list[list[str]]) -> Result:
    pairs = list(zip(rows, found, strict=True))
    first, in_three, below = _measure(pairs)
    held_out = [(row, hits) for row, hits in pairs if is_held_out(row.question)]
    tuned_on = [(row, hits) for row, hits in pairs if not is_held_out(row.question)]
    wrong = [
        [row.question, row.article or "nothing", ", ".join(hits) or "nothing"]
        for row, hits in pairs
        if hits[:1] != ([row.article] if row.article else [])
    ]
    figures = [
        ("right article first", first, LEAST_FIRST),
        ("right article in the first three", in_three, LEAST_IN_THREE),
        ("no answer, and nothing found", below, LEAST_BELOW),
    ]
    return Result(
        summary={
            "questions": len(rows),
            "answered_by_an_article": sum(row.article is not None for row in rows),
            "first": first,
            "in_three": in_three,
            "no_answer_below_floor": below,
            "tuned_on": dict(zip(MEASURES, _measure(tuned_on), strict=True)),
            "held_out": dict(zip(MEASURES, _measure(held_out), strict=True)),
        },
        gates=[
            Gate(what=name, goal=f"at least {least:.0%}", reached=f"{share:.1%}", kept=share >= least)
            for name, share, least in figures
        ],
        parts=[
            Bars(title="Shares", bars=[(name, share, f"{share:.1%}") for name, share, _ in figures]),
            Table(title="Not as labelled", columns=["question", "expected", "found"], rows=wrong[:SHOWN]),
        ],
        answers=[hits[0] if hits else None for hits in found],
    )


def _share(count: int, whole: int) -> float:
    return round(count / whole, 4) if whole else 1.0
