"""One claim of a reply: which action was done, is under way or failed, on which order, and in whose name."""

from dataclasses import dataclass
from enum import Enum, auto

from conversations.agent.reply_words import Kind


class Says(Enum):
    """`FAILED` says that it was tried and did not come about, `NOT_DONE` that it is not the case."""

    DONE = auto()
    DOING = auto()
    FAILED = auto()
    NOT_DONE = auto()


@dataclass(frozen=True)
class Claim:
    """`orders` are bare numbers, where the text names some. `several`: of more than one order, or of none of them.

    `clause` and `sentence` are the text that it stands in.
    """

    kind: Kind
    says: Says
    start: int
    end: int
    orders: tuple[str, ...] = ()
    ours: bool = False
    several: bool = False
    clause: str = ""
    sentence: str = ""
    # "Is cancelled", which may also be how it goes in general.
    present: bool = False
