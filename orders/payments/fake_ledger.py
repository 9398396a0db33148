"""The stand-in's own books: append-only lines in a file, one effect a key, outside the desk's database."""

import json
import os
import threading
from pathlib import Path
from typing import Any

# JSON of the wire.
Json = dict[str, Any]
Reply = tuple[int, Json]
FIELDS = ("key", "charge_id", "amount", "currency")


class FakeLedger:
    """What was really given back. `path`: JSON lines, each on disk before it is answered; None keeps it in memory."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        if path is not None:
            # Whoever checks a ledger must be able to tell an empty one from one that is not there.
            path.touch()
        self._lock = threading.Lock()
        self._lines = [json.loads(line) for line in path.read_text().splitlines()] if path and path.exists() else []
        # The answers under each key; they can be forgotten, the ledger cannot.
        self._kept: dict[str, tuple[Json, Reply]] = {line["key"]: (_pick(line), (200, line)) for line in self._lines}
        self._pending: dict[str, Json] = {}

    def list_refunds(self) -> Json:
        with self._lock:
            return {"refunds": [dict(line) for line in self._lines]}

    def forget_keys(self) -> None:
        """As after the lifetime of the keys: the same key would act again."""
        with self._lock:
            self._kept.clear()

    def refund(self, body: Json, fault: str) -> Reply:
        """Act once for a key: a repeat gets the first answer, and with other arguments it is refused."""
        asked = _pick(body)
        if not _is_refund(asked):
            return 400, {"code": "invalid", "key": str(asked["key"]), "detail": "not a refund"}
        key = asked["key"]
        with self._lock:
            if key in self._kept:
                first, reply = self._kept[key]
                return reply if first == asked else (409, {"code": "key_reused", "key": key})
            reply = self._act(asked, fault)
            self._kept[key] = (asked, reply)
            return reply

    def find(self, key: str) -> Reply:
        """By our reference, not by the key's memory."""
        with self._lock:
            if key in self._pending:
                self._write(self._pending.pop(key))
            found = next((line for line in self._lines if line["key"] == key), None)
            return (200, found) if found else (404, {"code": "not_found", "key": key})

    def _act(self, asked: Json, fault: str) -> Reply:
        if fault == "decline":
            return 402, {"code": "declined", "key": asked["key"], "detail": "the charge cannot be given back"}
        if fault == "error_kept":
            return 500, {"code": "error"}
        line = {"id": f"re_{len(self._lines) + len(self._pending) + 1}", **asked, "status": "done"}
        if fault == "pending":
            self._pending[asked["key"]] = line
            return 200, line | {"status": "pending"}
        self._write(line)
        return 201, line

    def _write(self, line: Json) -> None:
        if self.path is not None:
            with self.path.open("a") as file:
                file.write(json.dumps(line) + "\n")
                file.flush()
                os.fsync(file.fileno())
        self._lines.append(line)


def _pick(body: Json) -> Json:
    return {name: body.get(name) for name in FIELDS}


def _is_refund(asked: Json) -> bool:
    names = all(isinstance(asked[name], str) and asked[name] for name in ("key", "charge_id", "currency"))
    return names and type(asked["amount"]) is int and asked["amount"] > 0
