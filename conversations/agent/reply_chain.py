"""The small words before a verb, which say how it is meant: "has not been", "would be", "I'm going to"."""

import re
from dataclasses import dataclass
from functools import lru_cache

_SMALL = re.compile(
    r"am|is|are|was|were|be|been|being|has|have|had|having|will|would|can|could|should|may|might|must|shall|do|does|did"
    r"|gets?|got|getting|going|gonna|about|to|not|never|cannot|needs?|ought|now|just|already|also|only|still|yet|both"
    r"|all|successfully|fully|since|then|recently|ever|either|indeed|actually|even|automatically|too|really"
    r"|immediately|officially|safely|hereby|finally|therefore|so|currently|quickly|longer|no|manually|go|went|gone"
    r"|ahead|and|right|soon|simply|definitely|certainly|first|promptly|completely|partly|able|unable|managed?|failed"
    r"|fail|allowed|supposed|ready|helped|try|tried|meant|scheduled|due|let|me|us|again|once|straight|away|personally"
)
_SHORT = re.compile(r"(\S+?)'(s|re|ve|ll|d|m)")
_BE = re.compile(r"am|is|are|was|were|be|been|being|'s|'re|'m|gets?|got|getting")
_MAY = re.compile(r"can|could|would|should|may|might|must|'d|needs?|ought|allowed|supposed|meant|ready|cannot")
_WILL = re.compile(r"will|'ll|shall|gonna|scheduled|due")
_WE = re.compile(r"i|we|team|colleagues?|system")


@dataclass(frozen=True)
class Chain:
    """`words` stand directly before the verb, `subject` before them, and `before` is the rest of the clause."""

    words: tuple[str, ...]
    subject: str
    before: str

    @property
    def denied(self) -> bool:
        return any(word in {"not", "never", "cannot", "unable", "failed", "fail"} for word in self.words) or (
            "no" in self.words and "longer" in self.words
        )

    @property
    def passive(self) -> bool:
        return any(_BE.fullmatch(word) for word in self.words)

    @property
    def may(self) -> bool:
        """Possible, wanted or allowed, and so not said to be."""
        to = "to" in self.words and not self.coming and not self.managed
        return to or any(_MAY.fullmatch(word) for word in self.words)

    @property
    def coming(self) -> bool:
        """Announced: "will be", "I'm going to", "let me"."""
        words = self.words
        going = "to" in words and ("going" in words or "about" in words)
        let = "let" in words and "to" not in words
        return going or let or any(_WILL.fullmatch(word) for word in words)

    @property
    def managed(self) -> bool:
        """ "Managed to", "was able to", "failed to": says whether it came about."""
        return not {"managed", "manage", "able", "unable", "failed", "fail", "helped"}.isdisjoint(self.words)

    @property
    def could(self) -> bool:
        return "could" in self.words

    @property
    def by_us(self) -> bool:
        return _WE.fullmatch(self.subject) is not None


@lru_cache(maxsize=1024)
def read_chain(left: str) -> Chain:
    """What stands before a verb, from its clause up to it."""
    tokens = left.split()
    words: list[str] = []
    while tokens:
        token = tokens[-1].strip("\"'(")
        if token.endswith("n't"):
            stem = {"ca": "can", "wo": "will", "sha": "shall"}.get(token[:-3], token[:-3])
            words[:0] = [stem, "not"]
        elif _SMALL.fullmatch(token):
            words.insert(0, token)
        elif short := _SHORT.fullmatch(token):
            words.insert(0, f"'{short[2]}")
            tokens[-1] = short[1]
            return Chain(tuple(words), short[1], " ".join(tokens))
        else:
            break
        tokens.pop()
    subject = tokens[-1].strip("\"'(,") if tokens else ""
    return Chain(tuple(words), subject, " ".join(tokens))
