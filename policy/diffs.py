"""What differs between two policies, number by number, in words that a merchant reads."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from pydantic import BaseModel

from policy.levels import Level
from policy.limits import Band, Limits
from policy.money import spoken, to_minor

NOT_SET = "not set"
# Which rule reads a part of the policy; the first prefix that fits.
RULES = {
    "person_above": "R4",
    "payment_change_counts": "R4",
    "refunds": "R5",
    "windows": "R6",
    "identity": "R1",
    "switches": "R7",
    "triage": "triage",
    "autonomy": "R8",
}


@dataclass(frozen=True, kw_only=True)
class Number:
    """One number of a policy: where it stands, what it says, and the rule that reads it."""

    path: str
    value: str
    rule: str = ""


@dataclass(frozen=True, kw_only=True)
class Change:
    path: str
    before: str
    after: str
    rule: str


def list_numbers(limits: Limits) -> list[Number]:
    """Every number of the policy in its own order."""
    return [
        Number(path=path, value=value, rule=RULES.get(path.partition(".")[0], ""))
        for path, value in _flatten(limits, "", limits.currency).items()
    ]


def compare(before: Limits, after: Limits) -> list[Change]:
    """What changes on the way from one to the other; what is the same in both is left out."""
    old = {number.path: number for number in list_numbers(before)}
    new = {number.path: number for number in list_numbers(after)}
    return [
        Change(path=path, before=was, after=now, rule=(new.get(path) or old[path]).rule)
        for path in dict.fromkeys([*old, *new])
        if (was := _say(old.get(path))) != (now := _say(new.get(path)))
    ]


def describe_bands(bands: tuple[Band, ...], currency: str) -> str:
    """`auto up to $50.00, then suggest`."""
    parts = [
        str(band.level) if band.up_to is None else f"{band.level} up to {spoken(to_minor(band.up_to), currency)}"
        for band in bands
    ]
    return ", then ".join(parts)


def _say(number: Number | None) -> str:
    return number.value if number else NOT_SET


def _flatten(part: BaseModel, prefix: str, currency: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in type(part).model_fields:
        value = getattr(part, name)
        path = f"{prefix}{name}"
        if isinstance(value, BaseModel):
            found |= _flatten(value, f"{path}.", currency)
        elif isinstance(value, dict):
            found |= {f"{path}.{key}": _write(item, currency) for key, item in sorted(value.items())}
        else:
            found[path] = _write(value, currency, is_share=name.endswith(("_share", "_confidence")))
    return found


def _write(value: Any, currency: str, *, is_share: bool = False) -> str:  # any field of the policy
    match value:
        case None:
            return NOT_SET
        case bool():
            return "on" if value else "off"
        case Decimal():
            return f"{value:.2%}" if is_share else spoken(to_minor(value), currency)
        case tuple() if value and isinstance(value[0], Band):
            return describe_bands(value, currency)
        case tuple():
            return ", ".join(map(str, value)) or "none"
        case Level():
            return value.value
        case _:
            return str(value)
