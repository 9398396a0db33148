"""A request that waits survives a stop and a start of the whole desk."""

import signal
from pathlib import Path

import pytest

from tests.factories import LARGE, NORA_EMAIL
from tests.process import DeskProcess, Visitor, make_desk

APPROVE = """
from approvals.operations import approve, AlreadyDecided
from django.contrib.auth.models import User
bob = User.objects.get(username="bob")
try:
    print(approve(request_id="{id}", staff=bob).state)
except AlreadyDecided as error:
    print("refused", error)
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["stopped", "killed"])
def test_a_waiting_request_survives_a_restart(tmp_path: Path, how: signal.Signals) -> None:
    desk = make_desk(tmp_path).prepare().start()
    try:
        snapshot = tmp_path / "before.json"
        desk.manage("check_books", "--take-snapshot", str(snapshot))
        visitor = Visitor(desk)
        text = f"Cancel order {LARGE}, I ordered it by mistake. My e-mail is {NORA_EMAIL}"
        assert visitor.call("messages/", {"client_id": "1", "text": text})[0] == 202
        card = visitor.wait_for("request")[0]
        assert visitor.call("answers/", {"request_id": card["request_id"], "answer": "yes"})[0] == 202
        before = desk.manage("store_hash")
        desk.stop(how)
        desk.start()

        assert visitor.call("messages/", {"client_id": "2", "text": "and now?"})[1]["code"] == "under_review"
        assert desk.manage("store_hash") == before
        # Decided in another process, whose nudge cannot reach the desk's worker: the sweep finds the row.
        assert desk.manage("shell", "--no-imports", "-c", APPROVE.format(id=card["request_id"])).strip() == "granted"
        assert desk.manage("shell", "--no-imports", "-c", APPROVE.format(id=card["request_id"])).startswith("refused")
        [receipt] = visitor.wait_for("receipt")
        assert (receipt["order_id"], receipt["amount"]) == (LARGE, "1284.50")
        visitor.wait_for("message", count=2)
        assert "cancelled" in visitor.events("message")[-1]["text"]
        assert desk.manage("store_hash") != before
        assert desk.manage("verify_audit").startswith("ok ")
        assert " BROKEN" not in desk.manage("check_books", "--snapshot", str(snapshot))
    finally:
        desk.stop(signal.SIGKILL)


def test_a_second_desk_on_the_same_database_is_refused(tmp_path: Path) -> None:
    desk = DeskProcess(tmp_path).prepare().start()
    try:
        second = DeskProcess(tmp_path)
        with pytest.raises(AssertionError, match="another rundesk runs on this database"):
            second.start()
        assert desk.manage("verify_audit").startswith("ok ")
    finally:
        desk.stop(signal.SIGKILL)
