"""Families of words, and patterns of families: how rare wordings are read without a rule for every sentence.

A message is cut into sentences and words; short forms are written out and fillers dropped. A word belongs to the
families that list it, and a pattern is a row of words and families with small gaps between them. A pattern is tried
only in a sentence that has its rarest part, so a message costs little however many patterns there are.

    /  one of these words      -  or none at all      *  any ending      @NAME  a word of that family
    _  any word                ~3 up to three words        ^ $  the sentence's ends        name+  also with an s
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache

_SENTENCE = re.compile(r"[.!?;\n]+")
_WORD = re.compile(r"[a-z0-9&]+")
_SHORT = re.compile(r"'(ll|ve|m|re|d|s|t)\b")
_BROKEN = re.compile(r"/\s+")
_MARKS = {"_": " [^ ]+", "$": "$", "^": "^"}
_PLURAL = re.compile(r"(\w+)\+")
_LONG = {"ll": " will", "ve": " have", "m": " am", "re": " are", "d": " would", "s": " s", "t": "t"}
_WRITTEN_OUT = {
    "im": "i am", "ive": "i have", "youre": "you are", "youve": "you have", "youll": "you will",
    "theyre": "they are", "weve": "we have", "gonna": "going to", "gunna": "going to", "wanna": "want to",
    "gotta": "got to", "u": "you", "ya": "you", "yous": "you", "ur": "your", "yall": "you", "r": "are", "cannot":
    "can not", "cant": "can not", "wont": "will not", "dont": "do not", "didnt": "did not", "doesnt": "does not",
    "isnt": "is not", "wasnt": "was not", "arent": "are not", "couldnt": "could not", "wouldnt": "would not",
    "shouldnt": "should not", "havent": "have not", "hasnt": "has not", "aint": "is not",
    "thats": "that is", "whats": "what is", "hes": "he is", "shes": "she is", "anymore": "any more", "youse": "you",
    "kinda": "kind of", "outta": "out of", "thru": "through", "lemme": "let me", "gimme": "give me", "ppl": "people",
}  # fmt: skip


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FILLERS = _set(
    "really just literally simply honestly actually basically probably definitely already also even truly "
    "please fucking bloody damn freaking fricking frigging effing quite totally completely absolutely "
    "utterly extremely seriously fully clearly genuinely frankly badly severely suddenly very quickly "
    "physically personally currently immediately officially formally so only"
)
_COMMON = _set(
    "a an the i you your my me we it is am are was were be to of in on at for and or not do will have "
    "this that with all as from out up by if no so s he she they him her us our his their what"
)


@dataclass(frozen=True)
class Pattern:
    needs: frozenset[str]
    shape: re.Pattern[str]


class Lexicon:
    """Families, the patterns that speak of something, and those that take a sentence's weight away."""

    def __init__(self, families: dict[str, str], signs: str, harmless: str = "", firm: str = "") -> None:
        self._words: dict[str, set[str]] = defaultdict(set)
        self._starts: dict[str, set[str]] = defaultdict(set)
        self._joined: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for name, listed in families.items():
            for member in listed.split(","):
                self._join_family(name, member.split())
        self._signs = self._index(signs)
        self._harmless = self._index(harmless)
        self._firm = self._index(firm)
        self._families_of = lru_cache(maxsize=4096)(self._look_up)

    def speaks(self, line: str) -> bool:
        """Whether a sentence of a folded line has a sign, and nothing in it says that it is harmless."""
        return bool(self.count(line, most=1))

    def count(self, line: str, most: int = 9) -> int:
        """How many different signs there are, up to `most`."""
        found: set[Pattern] = set()
        for sentence in sentences_of(line):
            keys, encoded = self._encode(sentence)
            found.update(_matching(self._firm, keys, encoded, most))
            signs = _matching(self._signs, keys, encoded, most)
            if signs and not _matching(self._harmless, keys, encoded, 1):
                found.update(signs)
            if len(found) >= most:
                break
        return len(found)

    def tag(self, words: list[str]) -> list[tuple[str, tuple[str, ...]]]:
        """The words of one sentence, names joined, each with the families that list it."""
        joined = self._join(words)
        return [(word, tuple(n for n in self._families_of(word) if n[0] == "@")) for word in joined]

    def _join_family(self, name: str, member: list[str]) -> None:
        if not member:
            return
        if len(member) > 1:
            self._joined[member[0]].append(tuple(member))
        word = "_".join(member)
        if word.endswith("*"):
            self._starts[word[:-1]].add(name)
        else:
            self._words[word.removesuffix("+")].add(name)
            if word.endswith("+"):
                self._words[f"{word[:-1]}s"].add(name)

    def _index(self, written: str) -> dict[str, list[Pattern]]:
        index: dict[str, list[Pattern]] = defaultdict(list)
        for row in _BROKEN.sub("/", _PLURAL.sub(r"\1/\1s", written)).split(";"):
            if parts := row.split():
                pattern = self._compile(parts)
                for key in pattern.needs:
                    index[key].append(pattern)
        return index

    def _compile(self, parts: list[str]) -> Pattern:
        needs = [frozenset(self._keys(part)) for part in parts if self._can_be_needed(part)]
        rare = [keys for keys in needs if not keys & _COMMON] or needs
        return Pattern(rare[0], re.compile("".join(map(_shape, parts)) + r"(?= |$)"))

    @staticmethod
    def _can_be_needed(part: str) -> bool:
        return part not in "_$^" and part[0] != "~" and not {"-", "$"} & set(part.split("/"))

    def _keys(self, part: str) -> list[str]:
        for word in part.split("/"):
            if word.endswith("*"):
                self._starts[word[:-1]].add(word)
        return part.split("/")

    def _look_up(self, word: str) -> tuple[str, ...]:
        found = {f"@{name}" if name[-1] != "*" else name for name in self._words.get(word, ())}
        for end in range(2, len(word) + 1):
            found.update(name if name[-1] == "*" else f"@{name}" for name in self._starts.get(word[:end], ()))
        return tuple(sorted(found))

    def _encode(self, words: list[str]) -> tuple[set[str], str]:
        keys: set[str] = set()
        encoded = []
        for word in self._join(words):
            families = self._families_of(word)
            keys.add(word)
            keys.update(families)
            encoded.append(f" {word}<{'>'.join(families)}>" if families else f" {word}")
        return keys, "".join(encoded)

    def _join(self, words: list[str]) -> list[str]:
        """Names of several words become one word."""
        at, joined = 0, []
        while at < len(words):
            size = max((len(name) for name in self._joined.get(words[at], ()) if _starts(words, at, name)), default=1)
            joined.append("_".join(words[at : at + size]))
            at += size
        return joined


def write_out(line: str) -> str:
    """A folded line with its short forms written out."""
    return _SHORT.sub(lambda found: _LONG[found[1]], line)


def write_out_word(word: str) -> list[str]:
    return _WRITTEN_OUT.get(word, word).split()


def sentences_of(line: str) -> list[list[str]]:
    """Sentences as words, with short forms written out and fillers dropped."""
    return [words for part in _SENTENCE.split(write_out(line)) if (words := _words_of(part))]


def _words_of(part: str) -> list[str]:
    return [word for found in _WORD.findall(part) for word in write_out_word(found) if word not in _FILLERS]


def _starts(words: list[str], at: int, name: tuple[str, ...]) -> bool:
    return tuple(words[at : at + len(name)]) == name


def _matching(index: dict[str, list[Pattern]], keys: set[str], encoded: str, most: int) -> set[Pattern]:
    found: set[Pattern] = set()
    for key in keys & index.keys():
        for pattern in index[key]:
            if pattern not in found and pattern.shape.search(encoded):
                found.add(pattern)
                if len(found) >= most:
                    return found
    return found


def _shape(part: str) -> str:
    if part in _MARKS:
        return _MARKS[part]
    if part[0] == "~":
        return rf"(?: [^ ]+){{0,{part[1:]}}}?"
    words = part.split("/")
    shapes = [_shape_of_word(word) for word in words if word != "-"]
    return f"(?:{'|'.join(shapes)}){'?' if '-' in words else ''}"


def _shape_of_word(word: str) -> str:
    if word == "$":
        return word
    if word[0] == "@":
        return rf" [^ <]+<(?:[^ ]*>)?{word}>[^ ]*"
    if word[-1] == "*":
        return rf" {re.escape(word[:-1])}[^ ]*"
    return rf" {re.escape(word)}(?:<[^ ]*)?"
