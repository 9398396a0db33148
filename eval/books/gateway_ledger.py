"""The gateway's own ledger: what it did, in its own words."""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


@dataclass(frozen=True, kw_only=True)
class ProviderEffect:
    """Money that the gateway gave back, in minor units; only what it did, not what it refused."""

    at: datetime | None
    key: str
    charge: str
    amount: int
    currency: str


class LedgerUnreadable(Exception):
    """A line of the file is no entry of a gateway's ledger; the message says which."""


def read_ledger(path: Path) -> list[ProviderEffect]:
    """The refunds that were done, from a file of JSON lines in the fields that the gateway answers with."""
    found = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not text.strip():
            continue
        try:
            entry: dict[str, Any] = json.loads(text)
            if entry["status"] == "done":
                found.append(
                    ProviderEffect(
                        at=_read_time(entry.get("at")),
                        key=str(entry["key"]),
                        charge=str(entry.get("charge_id", "")),
                        amount=int(entry["amount"]),
                        currency=str(entry["currency"]).upper(),
                    )
                )
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise LedgerUnreadable(f"{path.name} line {number}: {type(error).__name__} {error}") from error
    return found


def find_intent(key: str, intents: Iterable[str]) -> str | None:
    """The effect's key that a gateway's key stands for: the same, or with a suffix for one of several payments."""
    return next((one for one in intents if key == one or key.startswith((f"{one}:", f"{one}-", f"{one}."))), None)


def sum_by_intent(done: list[ProviderEffect], intents: set[str]) -> tuple[dict[str, int], list[ProviderEffect]]:
    """Minor units by effect key, and what belongs to no effect of ours."""
    sums: dict[str, int] = defaultdict(int)
    strays = []
    for one in done:
        # Keys have a fixed length, so a whole scan is needed only for what is not equal.
        intent = one.key if one.key in intents else find_intent(one.key, intents)
        if intent is None:
            strays.append(one)
        else:
            sums[intent] += one.amount
    return sums, strays


def _read_time(value: Any) -> datetime | None:
    if isinstance(value, int | float):
        return datetime.fromtimestamp(value, tz=UTC)
    if not value:
        return None
    at = datetime.fromisoformat(str(value))
    return at if at.tzinfo else at.replace(tzinfo=UTC)
