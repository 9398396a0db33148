"""The figures as `make bench` prints them: exactly these keys, null where nothing was measured."""

from collections.abc import Iterable
from typing import Any

STAGES = ("queue", "triage", "model", "tools", "gate", "check", "push")
SOCKETS = (1, 16, 64, 256)
SOCKET_KEYS = ("first_p50", "first_p95", "final_p50", "turns_s")
SHAPE: dict[str, Any] = {
    "turn_ms": {"sqlite": {"p50": None, "p95": None}, "postgresql": {"p50": None, "p95": None}},
    "commits": {"read": None, "write": None},
    "queries": {"read": None, "write": None},
    "growth": {"turn_1": None, "turn_50": None, "turn_200": None},
    "bytes": {"turns_3": None, "turns_200": None},
    "socket": {f"N={number}": dict.fromkeys(SOCKET_KEYS) for number in SOCKETS},
    "messages_per_reply": None,
    "cache_share": None,
    "cost_ratio_uncached": None,
    "cost_usd": None,
    "stage_ms_p95": dict.fromkeys(STAGES),
    "turn_p95_profile": None,
    "model_calls_s": None,
    "decision_ms_p95": None,
    "audit_write_ms_p95": None,
    "search_ms_p95": None,
    "rss_mb_1000_sockets": None,
}


def percentile(values: Iterable[float], share: float) -> float:
    """Between the two nearest values; `share` from 0 to 1. Raises `ValueError` where there is none."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("nothing was measured")
    place = (len(ordered) - 1) * share
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def in_ms(seconds: Iterable[float], share: float) -> float:
    return round(percentile(seconds, share) * 1000, 3)


def fill(shape: dict[str, Any], measured: dict[str, Any]) -> dict[str, Any]:
    """The shape with what was measured in it; a figure that the shape does not know is left out."""
    filled: dict[str, Any] = {}
    for name, default in shape.items():
        found = measured.get(name)
        filled[name] = fill(default, found or {}) if isinstance(default, dict) else found
    return filled
