"""An article that is edited in one process is answered from in all others at once."""

import json
import signal
import urllib.request
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.process import DeskProcess, Visitor, make_desk

WITHIN_SECONDS = 5
PUBLISH = """
from django.utils import timezone
from helpcenter.operations import Draft, get_or_create_article, publish, write
article = get_or_create_article(slug="lockers", category="delivery")
write(article=article, draft=Draft(title="Parcel lockers", body="{body}"), author="bob")
publish(article=article, author="bob")
print(timezone.now().isoformat())
"""


def publish(desk: DeskProcess, body: str) -> datetime:
    """From a process of its own; when it had committed."""
    return datetime.fromisoformat(desk.manage("shell", "--no-imports", "-c", PUBLISH.format(body=body)).strip())


def ask(visitor: Visitor, number: int) -> dict[str, Any]:
    """The reply to the same question, asked for the so-manieth time."""
    visitor.call("messages/", {"client_id": str(number), "text": "What are the delivery rules for parcel lockers?"})
    said = visitor.wait_for("message", count=2 * number)
    assert said[-1]["role"] == "agent"
    return said[-1]


def read_page(desk: DeskProcess) -> str:
    with urllib.request.urlopen(f"{desk.url}/help/lockers/", timeout=40) as page:
        return str(page.read().decode())


def test_an_edited_article_answers_differently_within_seconds(tmp_path: Path) -> None:
    desk = make_desk(tmp_path).prepare().start()
    try:
        visitor = Visitor(desk)
        publish(desk, "Parcel lockers keep a delivery for 4 days.")
        before = ask(visitor, 1)
        assert before["text"] == "Parcel lockers keep a delivery for 4 days [1]."
        assert [one["version"] for one in before["citations"]] == [1]

        edited = publish(desk, "Parcel lockers keep a delivery for 9 days.")
        after = ask(visitor, 2)

        assert after["text"] == "Parcel lockers keep a delivery for 9 days [2]."
        assert [one["version"] for one in after["citations"]] == [2]
        assert (datetime.fromisoformat(after["at"]) - edited).total_seconds() < WITHIN_SECONDS
        assert "for 9 days" in read_page(desk)
        assert json.dumps(before["citations"]) == json.dumps(visitor.events("message")[1]["citations"])
        assert desk.manage("verify_audit").startswith("ok ")
    finally:
        desk.stop(signal.SIGKILL)
