"""Counting: an address that no header forges, a window without a seam, and a counter that may be away."""

import logging
import re
import time
import uuid
from typing import Any

import pytest
from django.test import RequestFactory
from pytest_django.fixtures import Settings

from approvals.addresses import address_of_request, address_of_scope, find_client, pseudonym_of
from approvals.limits import Limit, Meter, SlowDown, take
from tests.conftest import ROOT

pytestmark = pytest.mark.services

PEER = "203.0.113.9"
NETWORK = "2001:db8:1:2::/64"
# Nobody listens there.
NO_REDIS = "redis://127.0.0.1:1/0"


@pytest.mark.parametrize(
    ("proxies", "peer", "forwarded", "client"),
    [
        (0, PEER, "", PEER),
        (0, PEER, "198.51.100.1", PEER),
        (1, PEER, "198.51.100.1", "198.51.100.1"),
        (1, PEER, "10.9.9.9, 198.51.100.1", "198.51.100.1"),
        (2, PEER, "10.9.9.9, 198.51.100.1, 192.0.2.7", "198.51.100.1"),
        (2, PEER, "198.51.100.1", "198.51.100.1"),
        (1, PEER, "", PEER),
        (1, PEER, "198.51.100.1, nonsense", PEER),
        (2, PEER, "198.51.100.1, nonsense, 192.0.2.7", "192.0.2.7"),
        (2, PEER, "nonsense, 192.0.2.7", "192.0.2.7"),
        (1, PEER, "198.51.100.1,", PEER),
        (1, PEER, "1" * 100_000, PEER),
        (1, PEER, ",".join(["198.51.100.1"] * 10_000), "198.51.100.1"),
        (1, PEER, " 198.51.100.1:4711 ", "198.51.100.1"),
        (1, PEER, "[2001:db8:1:2::7]:4711", NETWORK),
        (1, PEER, "999.0.0.1", PEER),
        (1, PEER, "198.51.100.1 or so", PEER),
        (1, PEER, "١٩٨.51.100.1", PEER),
        (0, "2001:db8:1:2:ffff:1:2:3", "", NETWORK),
        (0, "2001:DB8:1:2::1%eth0", "", NETWORK),
        (0, "::ffff:203.0.113.9", "", PEER),
        (0, "", "198.51.100.1", "unknown"),
        (1, "", "198.51.100.1", "198.51.100.1"),
    ],
)
def test_an_address_is_told_by_the_connection_and_the_shops_own_proxies(
    settings: Settings, proxies: int, peer: str, forwarded: str, client: str
) -> None:
    settings.DESKAGENT_TRUSTED_PROXIES = proxies
    assert find_client(peer, forwarded) == client


@pytest.mark.parametrize("proxies", [0, 1, 2])
@pytest.mark.parametrize("headers", [[], ["198.51.100.1"], ["10.0.0.1, 10.0.0.2", "198.51.100.1"]])
def test_http_and_sockets_tell_the_same_address(settings: Settings, proxies: int, headers: list[str]) -> None:
    settings.DESKAGENT_TRUSTED_PROXIES = proxies
    meta: dict[str, Any] = {"REMOTE_ADDR": PEER}
    if headers:
        meta["HTTP_X_FORWARDED_FOR"] = ",".join(headers)
    scope = {"client": [PEER, 4711], "headers": [(b"x-forwarded-for", one.encode()) for one in headers]}
    assert address_of_request(RequestFactory().get("/", **meta)) == address_of_scope(scope)


def test_an_address_is_known_by_a_pseudonym_that_needs_the_shops_key(settings: Settings) -> None:
    told = pseudonym_of(PEER)
    assert re.fullmatch(r"address:[0-9a-f]{16}", told)
    assert pseudonym_of(PEER) == told != pseudonym_of("203.0.113.8")
    settings.DESKAGENT_AUDIT_KEY = "another key of at least thirty-two characters"
    assert pseudonym_of(PEER) != told


@pytest.fixture
def limit(settings: Settings) -> Limit:
    """Five within a second."""
    settings.DESKAGENT_TEST_LIMIT = 5
    return Limit(setting="DESKAGENT_TEST_LIMIT", seconds=1, of_what="tests")


@pytest.fixture
def hourly(settings: Settings) -> Limit:
    settings.DESKAGENT_TEST_LIMIT = 5
    return Limit(setting="DESKAGENT_TEST_LIMIT", seconds=3600, of_what="tests")


def test_no_window_holds_more_than_the_limit_and_whoever_waits_is_served(limit: Limit) -> None:
    key, times = uuid.uuid4().hex, []
    until = time.monotonic() + 20
    while len(times) < 3 * 5 and time.monotonic() < until:
        before = time.time()
        try:
            take((limit, key))
        except SlowDown:
            time.sleep(0.01)
        else:
            times.append((before, time.time()))
    assert len(times) == 15
    # From the return of one to the call of the fifth after it: more than the window.
    assert all(later[1] - earlier[0] >= 1 for earlier, later in zip(times, times[5:], strict=False))


def count_of(limit: Limit, key: str) -> int:
    taken = 0
    try:
        for _ in range(20):
            take((limit, key))
            taken += 1
    except SlowDown as full:
        assert 1 <= full.retry_after <= limit.seconds
        assert str(full.retry_after) in str(full)
    return taken


def test_each_key_has_room_of_its_own(hourly: Limit) -> None:
    assert [count_of(hourly, uuid.uuid4().hex) for _ in range(3)] == [5, 5, 5]


def test_the_first_full_limit_spends_nothing_of_the_next(settings: Settings) -> None:
    settings.DESKAGENT_TEST_LIMIT, settings.DESKAGENT_OTHER_LIMIT = 1, 3
    narrow = Limit(setting="DESKAGENT_TEST_LIMIT", seconds=3600, of_what="tests")
    wide = Limit(setting="DESKAGENT_OTHER_LIMIT", seconds=3600, of_what="tests")
    key = uuid.uuid4().hex
    take((narrow, key), (wide, key))
    for _ in range(5):
        with pytest.raises(SlowDown) as full:
            take((narrow, key), (wide, key))
        assert full.value.limit is narrow
    assert count_of(wide, key) == 2


def test_an_unreachable_redis_locks_nobody_out_and_is_told_once(
    settings: Settings, hourly: Limit, caplog: pytest.LogCaptureFixture
) -> None:
    settings.REDIS_URL = NO_REDIS
    with caplog.at_level(logging.WARNING, logger="approvals.fallback"):
        taken = [count_of(hourly, uuid.uuid4().hex) for _ in range(20)]
    assert taken == [5] * 20
    [said] = [record.getMessage() for record in caplog.records]
    assert "Redis does not answer" in said
    assert NO_REDIS not in said


def test_a_meter_fills_and_empties() -> None:
    brief, lifelong = Meter(3, 0.05), Meter(3)
    assert [brief.take() for _ in range(4)] == [True, True, True, False]
    assert [lifelong.take() for _ in range(5)] == [True, True, True, False, False]
    until = time.monotonic() + 5
    while not brief.take():
        assert time.monotonic() < until


DEFAULTS = re.compile(r'read_number\(\s*"(DESKAGENT_\w+)", ([0-9_* ]+)')
CONTRACT = {
    "DESKAGENT_MESSAGES_CONVERSATION_MINUTE": 30,
    "DESKAGENT_MESSAGES_ADDRESS_MINUTE": 600,
    "DESKAGENT_CONVERSATIONS_ADDRESS_MINUTE": 120,
    "DESKAGENT_FAILED_LOOKUPS_CONVERSATION": 5,
    "DESKAGENT_FAILED_LOOKUPS_ADDRESS_HOUR": 20,
    "DESKAGENT_CARD_EXPIRY_SECONDS": 15 * 60,
    "DESKAGENT_REQUEST_EXPIRY_SECONDS": 24 * 60 * 60,
    "DESKAGENT_STEPS_TURN": 30,
    "DESKAGENT_TURNS_CONVERSATION": 200,
    "DESKAGENT_TURN_DEADLINE_SECONDS": 90,
}


def product_of(text: str) -> int:
    number = 1
    for factor in text.split("*"):
        number *= int(factor)
    return number


def test_the_shop_starts_with_the_limits_that_are_documented() -> None:
    found = DEFAULTS.findall((ROOT / "deskagent" / "settings.py").read_text())
    defaults = {name: product_of(text) for name, text in found}
    assert {name: defaults[name] for name in CONTRACT} == CONTRACT
    readme = dict(re.findall(r"^\| `(DESKAGENT_\w+)` \| `(\d+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert {name: int(readme[name]) for name in defaults} == defaults
