"""One thing in a reply that the books do not bear out."""

from typing import NamedTuple


class Fault(NamedTuple):
    """`start` and `end` are places in the text that was checked; `why` is told to the model and follows "because"."""

    kind: str
    start: int
    end: int
    why: str
