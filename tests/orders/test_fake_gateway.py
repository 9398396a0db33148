"""The stand-in for a payment gateway: one effect a key in a ledger of its own, and every fault on demand."""

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from orders.payments.fake import FakeGateway, WrongFaults
from tests.conftest import ROOT

REFUND = {"key": "k1", "charge_id": "W1-0", "amount": 12_200, "currency": "USD"}


def call(url: str, method: str = "GET", body: Any = None) -> tuple[int, Any]:
    """Status and JSON; 0 where the connection was dropped."""
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, content, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)
    except OSError:
        return 0, None


def post(fake: FakeGateway, **changed: Any) -> tuple[int, Any]:
    return call(f"{fake.url}/refunds", "POST", REFUND | changed)


def ledger(fake: FakeGateway) -> list[str]:
    return [line["key"] for line in call(f"{fake.url}/refunds")[1]["refunds"]]


def test_a_refund_is_written_to_the_ledger_before_it_is_answered(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    with FakeGateway(path) as fake:
        status, answer = post(fake)
        [line] = path.read_text().splitlines()
    assert status == 201
    assert json.loads(line) == answer == {"id": "re_1", **REFUND, "status": "done"}


def test_the_same_key_acts_once_also_after_a_restart(tmp_path: Path) -> None:
    with FakeGateway(tmp_path / "ledger") as fake:
        first = post(fake)[1]
        assert post(fake)[1] == first
    with FakeGateway(tmp_path / "ledger") as fake:
        assert post(fake)[1] == first
        assert ledger(fake) == ["k1"]
        assert post(fake, key="k2")[0] == 201
        assert ledger(fake) == ["k1", "k2"]


@pytest.mark.parametrize("changed", [{"amount": 12_201}, {"charge_id": "W1-1"}, {"currency": "EUR"}])
def test_the_same_key_for_something_else_is_refused(changed: dict[str, Any]) -> None:
    with FakeGateway() as fake:
        post(fake)
        assert post(fake, **changed) == (409, {"code": "key_reused", "key": "k1"})
        assert ledger(fake) == ["k1"]


@pytest.mark.parametrize("changed", [{"amount": "1"}, {"amount": True}, {"amount": 0}, {"key": ""}, {"currency": None}])
def test_what_is_no_refund_is_refused(changed: dict[str, Any]) -> None:
    with FakeGateway() as fake:
        assert post(fake, **changed)[0] == 400
        assert ledger(fake) == []


def test_twenty_equal_calls_at_once_are_one_effect() -> None:
    with FakeGateway() as fake, ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: post(fake), range(20)))
        assert {answer["id"] for _, answer in answers} == {"re_1"}
        assert ledger(fake) == ["k1"]


@pytest.mark.parametrize(
    ("fault", "status", "acted", "then"),
    [
        ("drop_before", 0, False, 201),
        ("drop_after", 0, True, 201),
        ("error_before", 500, False, 201),
        ("error_after", 500, True, 201),
        ("error_kept", 500, False, 500),
        ("decline", 402, False, 402),
    ],
)
def test_each_fault_does_what_its_name_says_once(fault: str, status: int, acted: bool, then: int) -> None:
    with FakeGateway() as fake:
        fake.fail(fault)
        assert post(fake)[0] == status
        assert ledger(fake) == (["k1"] if acted else [])
        assert call(f"{fake.url}/refunds/k1")[0] == (200 if acted else 404)
        assert post(fake)[0] == then


def test_a_pending_refund_is_made_by_the_time_it_is_looked_up() -> None:
    with FakeGateway() as fake:
        fake.fail("pending")
        assert post(fake)[1]["status"] == "pending"
        assert ledger(fake) == []
        assert call(f"{fake.url}/refunds/k1")[1]["status"] == "done"
        assert ledger(fake) == ["k1"]


def test_a_forgotten_key_would_act_again_but_is_still_found() -> None:
    with FakeGateway() as fake:
        post(fake)
        assert call(f"{fake.url}/forget", "POST", {})[0] == 200
        assert call(f"{fake.url}/refunds/k1")[0] == 200
        post(fake)
        assert ledger(fake) == ["k1", "k1"]


def test_faults_are_set_over_http_and_wrong_ones_are_refused() -> None:
    with FakeGateway() as fake:
        assert call(f"{fake.url}/faults", "PUT", {"post": ["decline"], "get": ["error_before"]})[0] == 200
        assert post(fake)[0] == 402
        assert call(f"{fake.url}/refunds/k1")[0] == 500
        for wrong in ({"post": ["explode"]}, {"get": ["decline"]}, {"post": "decline"}, {"slow_ms": -1}, {"x": []}):
            assert call(f"{fake.url}/faults", "PUT", wrong)[0] == 400
            with pytest.raises(WrongFaults):
                fake.set_faults(wrong)


def test_stopping_ends_a_slow_call() -> None:
    with ThreadPoolExecutor(1) as pool, FakeGateway() as fake:
        fake.fail(slow_ms=60_000)
        slow = pool.submit(post, fake)
        while not fake.calls:
            assert not slow.done()
        fake.stop()
        assert slow.result(timeout=10)[0] == 201


def test_the_command_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    command = [sys.executable, "manage.py", "fake_gateway", "--port", "0", "--ledger", str(path)]
    process = subprocess.Popen(
        [*command, "--faults", "error_after"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        assert call(f"{url}/refunds", "POST", REFUND)[0] == 500
        assert len(path.read_text().splitlines()) == 1
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 0
    finally:
        process.kill()
        process.communicate()
