"""A desk that is killed while its payment gateway works: one refund, and an answer within a minute of the restart."""

import signal
import time
from pathlib import Path

import pytest

from orders.payments.fake import FakeGateway
from tests.factories import NORA_EMAIL, SMALL
from tests.process import Visitor, make_desk

SECONDS = 60


@pytest.mark.soak
def test_a_desk_killed_during_the_call_ends_the_conversation_with_one_refund(tmp_path: Path) -> None:
    with FakeGateway(tmp_path / "ledger.jsonl") as fake:
        desk = make_desk(tmp_path).prepare()
        desk.env |= {"DESKAGENT_GATEWAY": "http", "DESKAGENT_GATEWAY_URL": fake.url}
        desk.start()
        try:
            visitor = Visitor(desk)
            text = f"Cancel order {SMALL}, I don't need it. I'm {NORA_EMAIL}"
            assert visitor.call("messages/", {"client_id": "1", "text": text})[0] == 202
            card = visitor.wait_for("request")[0]
            fake.fail(slow_ms=3_000)
            assert visitor.call("answers/", {"request_id": card["request_id"], "answer": "yes"})[0] == 202
            until = time.monotonic() + SECONDS
            while not fake.calls and time.monotonic() < until:
                time.sleep(0.01)
            desk.stop(signal.SIGKILL)
            fake.fail()
            desk.start()

            receipts = visitor.wait_for("receipt", count=2, seconds=SECONDS)

            assert [receipt["status"] for receipt in receipts] == ["processing", "done"]
            assert "cancelled" in visitor.wait_for("message", count=2)[-1]["text"]
            assert len((tmp_path / "ledger.jsonl").read_text().splitlines()) == 1
            assert [method for method, _ in fake.calls] == ["POST", "GET"]
            assert desk.manage("verify_audit").startswith("ok ")
        finally:
            desk.stop(signal.SIGKILL)
