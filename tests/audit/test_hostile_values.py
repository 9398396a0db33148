"""Whatever is handed to the log is recorded: no value, however odd, deep or large, breaks the entry or its chain."""

import json
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from audit.operations import LONGEST, Details, record
from audit.plain import DEEPEST, MOST_ITEMS, MOST_NAMES, make_plain
from audit.queries import list_entries, verify
from audit.redaction import digest, redact


def nested(depth: int, core: Any = 1) -> Any:
    value = core
    for _ in range(depth):
        value = {"a": value}
    return value


def nested_list(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


WIDE = {f"k{number}": [[str(number)] * 100] * 100 for number in range(100)}
HOSTILE: dict[str, dict[str, Any]] = {
    "NUL in an action": {"action": "a\x00b"},
    "half a character in an action": {"action": "\ud800"},
    "a long action": {"action": "x" * 5_000},
    "not a number": {"arguments": {"a": float("nan")}},
    "without end": {"arguments": {"a": [float("inf"), float("-inf")]}},
    "half a character": {"arguments": {"a": "\ud800"}},
    "half characters in names": {"arguments": dict([("\ud800", 1), ("\udfff", 2)])},
    "NUL": {"arguments": {"a\x00": "\x00"}},
    "deep": {"arguments": nested(900)},
    "deeper than any stack": {"arguments": nested(100_000)},
    "a deep list": {"arguments": {"a": nested_list(100_000)}},
    "a long number": {"arguments": {"a": 10**5_000, "b": -(10**5_000)}},
    "wide": {"arguments": WIDE},
    "long": {"arguments": {"a" * 100_000: "b" * 1_000_000}},
    "no object": {"arguments": [1, 2]},
    "nothing": {"arguments": None},
    "names that are no text": {"arguments": {1: 2, None: 3, (1, 2): 4}},
    "no JSON": {"arguments": {"a": {1, 2}, "b": b"x", "c": object()}},
    "NUL in a result": {"result": "\x00" * 5_000},
    "a long rule": {"rule": "R" * 50},
    "a long verdict": {"verdict": "v\x00" * 100},
    "odd facts": {"facts": {"a": float("nan"), "b": nested(900), "c": "\ud800"}},
    "an odd model": {"model": "m\x00\ud800", "prompt_version": "\x00"},
}


@pytest.mark.django_db
@pytest.mark.parametrize("details", HOSTILE.values(), ids=HOSTILE)
def test_any_value_is_recorded_bounded_and_proven(details: dict[str, Any]) -> None:
    with transaction.atomic():
        record(event="write_refused", subject="c1", actor="agent\x00" * 50, details=Details(**details))
    entry = list_entries(subject="c1").get()
    json.loads(entry.canonical, parse_constant=pytest.fail)
    assert "\x00" not in entry.action + entry.actor + entry.verdict
    assert len(entry.canonical) < 120_000
    arguments = details.get("arguments", {})
    assert entry.fields["arguments_digest"] == ("" if arguments == {} else digest(arguments))
    assert verify().broken is None


@pytest.mark.django_db
def test_known_words_may_come_only_once() -> None:
    with transaction.atomic():
        details = Details(action="for_nora", arguments={"a": "Nora"}, result="Nora")
        record(event="write_refused", subject="c1", actor="agent", details=details, known=iter(["Nora"]))
    entry = list_entries(subject="c1").get()
    assert "nora" not in (entry.canonical + entry.action).lower()
    assert entry.action == "for_[personal]"


@pytest.mark.django_db
def test_what_is_cut_was_masked_before() -> None:
    address = "nora.lindahl@example.com"
    text = "x" * (LONGEST - 8) + " " + address
    with transaction.atomic():
        record(event="read_error", subject="c1", actor="agent", details=Details(arguments={"a": text, text: 1}))
    assert "nora" not in list_entries(subject="c1").get().canonical


def test_plain_values_stay_as_they_are() -> None:
    value = {"a": [1, 2.5, True, None, "é\n\t😀", {"b": {"c": []}}], "d": -(2**62), "e": ""}
    assert make_plain(value) == value
    assert make_plain(nested(DEEPEST)) == nested(DEEPEST)


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (2**64, str(2**64)),
        ("a\x00\ud800b", "a\ufffd\ufffdb"),
        ((1, 2), [1, 2]),
        ({1: 2}, {"1": 2}),
        (nested(DEEPEST + 5), nested(DEEPEST, "…")),
        (list(range(500)), list(range(MOST_ITEMS))),
        ("word " * 100_000, "word " * 19_999 + "word…"),
    ],
)
def test_what_is_not_plain_becomes_it(value: Any, plain: Any) -> None:
    assert make_plain(value) == plain


def test_the_size_of_a_wide_value_is_bounded() -> None:
    plain = make_plain(WIDE)
    assert len(plain) == MOST_NAMES
    assert len(json.dumps(plain)) < 200_000


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": float("nan")}, {"a": "NaN"}),
        ({"a": float("inf")}, {"a": float("-inf")}),
        ({"a": 10**5_000}, {"a": 10**5_000 + 1}),
        (nested(900), nested(901)),
        (nested(100_000, 1), nested(100_000, 2)),
        ({"a": "\ud800"}, {"a": "\ufffd"}),
        ({"a": "\x00"}, {"a": ""}),
        ([[], []], [[[]]]),
        ([["a"], "b"], [["a", "b"]]),
        ({"a": {"b": 1}}, {"a": {}, "b": 1}),
        ({"a": 16}, {"a": "0x10"}),
        (["a", "b"], {"a": "b"}),
        (["a\nb"], ["a", "b"]),
        ({}, []),
        (None, "null"),
    ],
)
def test_a_digest_is_made_of_anything_and_differs(one: Any, other: Any) -> None:
    assert len(digest(one)) == 64
    assert digest(one) != digest(other)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, JSON)
def test_two_values_have_one_digest_only_where_they_are_written_alike(one: Any, other: Any) -> None:
    alike = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (digest(one) == digest(other)) == alike
    assert digest(one) == digest(json.loads(json.dumps(one)))


@given(JSON)
def test_small_values_are_plain_already_and_masked_without_loss(value: Any) -> None:
    masked = redact(make_plain(value))
    assert json.loads(json.dumps(masked)) == masked
