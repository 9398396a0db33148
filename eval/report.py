"""The files of an evaluation: a page for people, the summary, and the graded answers."""

import json
from pathlib import Path
from typing import Any

from django.template.loader import render_to_string
from django.utils import timezone

from eval.suite import Bars, Result, Suite, Table

WIDTH = 420
LINE = 26


def write(*, folder: Path, suite: Suite, result: Result) -> None:
    """`report.html`, `summary.json` and, where answers are graded, `predictions.jsonl`; the folder is made."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.html").write_text(render(suite=suite, result=result), encoding="utf-8")
    (folder / "summary.json").write_text(json.dumps(result.summary, indent=2) + "\n", encoding="utf-8")
    if result.answers is not None:
        lines = [json.dumps({"row": row, "answer": answer}) for row, answer in enumerate(result.answers)]
        (folder / "predictions.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def render(*, suite: Suite, result: Result) -> str:
    """One page that needs no other file; every text on it is escaped by the template."""
    figures = [[name, _in_words(value)] for name, value in result.summary.items()]
    context = {
        "title": suite.title,
        "made_at": f"{timezone.now():%Y-%m-%d %H:%M} UTC",
        "gates": result.gates,
        "parts": [*map(_prepare, result.parts), _prepare(Table(title="Summary", columns=["figure", ""], rows=figures))],
    }
    return render_to_string("eval/report.html", context)


def _prepare(part: Table | Bars) -> dict[str, Any]:
    if isinstance(part, Table):
        return {"title": part.title, "columns": part.columns, "rows": part.rows}
    bars = [
        # As text: a template writes numbers the way a reader's language does, which no drawing understands.
        {"label": label, "words": words, "y": str(LINE * place), "width": str(round(WIDTH * min(max(share, 0), 1)))}
        for place, (label, share, words) in enumerate(part.bars)
    ]
    return {"title": part.title, "bars": bars, "height": str(LINE * len(bars))}


def _in_words(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
