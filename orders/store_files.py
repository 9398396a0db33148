"""Reading one of the shop's export files: every fault, of bytes, JSON, shape or text, is named with its place."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from orders.exported import Closed, StoreUnreadable

Row = TypeVar("Row", bound=Closed)
# What not every database can hold as text: NUL, and half of a character.
UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
LONGEST_NUMBER = 40


def read_file(path: Path, kind: type[Row]) -> dict[str, Row]:
    """The rows of one file by their ids."""
    try:
        raw = json.loads(
            path.read_text(encoding="utf-8"),
            object_pairs_hook=_read_object,
            parse_int=_read_int,
            parse_float=_read_float,
        )
        _check_texts(raw)
        return TypeAdapter(dict[str, kind]).validate_python(raw)  # type: ignore[valid-type]
    except OSError as error:
        raise StoreUnreadable(f"{path.name}: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise StoreUnreadable(f"{path.name}: {_spell(first['loc'])}: {first['msg']}") from error
    except RecursionError as error:
        raise StoreUnreadable(f"{path.name}: nested too deeply") from error
    except ValueError as error:
        raise StoreUnreadable(f"{path.name}: {error}") from error


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key[:80]!r} stands twice in one object")
        found[key] = value
    return found


def _read_int(text: str) -> int:
    return int(_of_readable_length(text))


def _read_float(text: str) -> float:
    return float(_of_readable_length(text))


def _of_readable_length(text: str) -> str:
    if len(text) > LONGEST_NUMBER:
        raise ValueError(f"the number {text[:LONGEST_NUMBER]}… is too long")
    return text


def _check_texts(raw: Any) -> None:
    for place, text in _list_texts(raw):
        if UNSTORABLE.search(text):
            raise ValueError(f"{_spell(place)}: text with NUL or half a character: {text[:80]!r}")


def _list_texts(raw: Any) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Every text, keys too, with its place; without recursion, since the depth is the file's."""
    waiting: list[tuple[tuple[Any, ...], Any]] = [((), raw)]
    while waiting:
        place, part = waiting.pop()
        if isinstance(part, str):
            yield place, part
        elif isinstance(part, dict):
            yield from ((place, key) for key in part)
            waiting += [((*place, key), item) for key, item in part.items()]
        elif isinstance(part, list):
            waiting += [((*place, number), item) for number, item in enumerate(part)]


def _spell(place: tuple[Any, ...]) -> str:
    """`#W1.items.0.price`, as one printable line."""
    return ".".join(str(part)[:80].encode("ascii", "backslashreplace").decode() for part in place) or "top"
