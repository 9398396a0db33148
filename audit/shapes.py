"""Where a text names somebody: e-mails, cards and phones by their shape, and this customer's own words.

Everything is looked for in the folded text, where letters have no case, width or accent, so that another spelling
hides nothing.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

Span = tuple[int, int, str]

# What staff have to read and what must not be taken for a number of a person: found first, and left as it is.
KEPT = r"""
    (?<![a-z0-9])(?=[0-9]*[a-f])(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})(?![a-z0-9])    # a digest
  | (?<![a-z0-9])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![a-z0-9])                  # a UUID
  | (?<![a-z0-9])w[0-9]{7}(?![a-z0-9])                                                    # an order's number
  | (?<![0-9])(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9](?![0-9])                             # a date
  | (?<![0-9.])[0-3]?[0-9](?P<mark>[./-])[0-3]?[0-9](?P=mark)(?:19|20)[0-9]{2}(?![0-9])
  | (?<![0-9.])[0-9]{1,8}\.[0-9]{0,2}(?:0{6,}|9{6,})[0-9]{1,4}(?![0-9.])                  # an amount with float noise
"""
# Each run of letters is tried from its beginning only and given back never: no text makes this slow.
EMAIL = r"(?<![\w.+%&*'-])[\w.+%&*'-]++@[\w-]++(?:\.[\w-]++)++"
# Thirteen digits or more in one piece, or in groups of at most six: item ids have ten, tracking ids twelve.
CARD = r"""
    [0-9]{13,}+
  | (?<![0-9])(?!IDS)[0-9](?:[\s_/-]{0,3}(?!IDS)[0-9]){12,18}(?![0-9])
  | (?<![0-9.])(?!IDS)[0-9](?:\.?(?!IDS)[0-9]){12,18}(?![0-9])
""".replace("IDS", r"[0-9]{7}|(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9](?![0-9])")
PHONE = r"""
    \+[0-9](?:[\s()./_-]{0,3}[0-9]){6,14}(?![0-9])
  | (?<![0-9.])(?=\(?0[0-9]{1,5}[\s()/-])\(?0(?:[\s()/-]{0,2}[0-9]){8,11}(?![0-9])
  | (?<![0-9])(?:\([0-9]{2,4}\)[\s.-]{0,2}|[0-9]{3}[\s.-]{1,2})[0-9]{3}[\s.-]{1,2}[0-9]{3,4}(?![0-9a-z])
  | (?<![0-9.])0[0-9]{1,4}(?:\.[0-9]{2,4}){2,4}(?![0-9])
  | (?<![0-9])0[0-9]{10}(?![0-9])
"""
SHAPES = re.compile(f"(?P<email>{EMAIL})|(?P<kept>{KEPT})|(?P<card>{CARD})|(?P<phone>{PHONE})", re.VERBOSE)


class Folded(NamedTuple):
    """A text in its simplest letters; `origins` holds where in the original each of them stood, and its length."""

    text: str
    origins: range | list[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The place in the original, with the marks that belong to its last letter."""
        return self.origins[start], max(self.origins[end], self.origins[end - 1] + 1)


def fold(text: str) -> Folded:
    if text.isascii():
        return Folded(text=text.lower(), origins=range(len(text) + 1))
    letters: list[str] = []
    origins: list[int] = []
    for place, letter in enumerate(text):
        simple = _simplify(letter)
        letters.append(simple)
        origins += [place] * len(simple)
    return Folded(text="".join(letters), origins=[*origins, len(text)])


def find_shapes(folded: str) -> Iterator[Span]:
    """Spans with their masks; an empty mask keeps the span as it is."""
    for match in SHAPES.finditer(folded):
        yield (*match.span(), "" if match.lastgroup == "kept" else f"[{match.lastgroup}]")


def known_pattern(words: Iterable[str]) -> re.Pattern[str] | None:
    """Finds the words with anything but letters and digits between their parts; None where there are none."""
    return _compile(tuple(words))


# The same customer's words come with each entry of a turn. Only as many as turns run at once are kept in mind.
@lru_cache(maxsize=128)
def _compile(words: tuple[str, ...]) -> re.Pattern[str] | None:
    split = {tuple(re.findall(r"[^\W_]+", fold(word).text)) for word in words}
    told = sorted((parts for parts in split if sum(map(len, parts)) >= 2), key=lambda parts: -sum(map(len, parts)))
    if not told:
        return None
    choices = "|".join(r"[\W_]{0,20}".join(map(re.escape, parts)) for parts in told)
    return re.compile(rf"(?<![^\W_])(?:{choices})(?![^\W_])")


def find_known(folded: str, pattern: re.Pattern[str] | None, spared: Collection[str]) -> Iterator[Span]:
    for match in pattern.finditer(folded) if pattern else ():
        if match[0] not in spared:
            yield (*match.span(), "[personal]")


@lru_cache(maxsize=10_000)
def _simplify(letter: str) -> str:
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", letter).casefold())
    return "".join(_simplify_part(part) for part in parts)


def _simplify_part(part: str) -> str:
    category = unicodedata.category(part)
    if category == "Nd":
        return str(unicodedata.decimal(part))
    if category == "Pd":
        return "-"
    # Accents, and marks of no width.
    return "" if category in ("Mn", "Me", "Cf") else part
