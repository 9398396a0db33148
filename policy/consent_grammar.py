"""A small grammar over words, and whether a text is made of its phrases: no back-tracking, so no text is slow.

`NAME = a b c` is a set of words, `NAME: phrase / phrase` a rule. In a phrase a word in capitals stands for a set or
rule, any other for itself; after a word "?" means that it may be left out, "*" that it may also be repeated.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

# Stands for a passage of what was asked, repeated word for word.
SPAN = "SPAN"
# "Very, very": nobody who means it says it more often, and a row of a hundred would be read for long.
MOST_REPEATS = 4

Words = tuple[str, ...]
Sets = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Element:
    name: str
    optional: bool
    repeated: bool


Phrase = tuple[Element, ...]


@dataclass(frozen=True)
class Rule:
    """A rule's phrases by the words that they may begin with; `open` may begin with a detail of what was asked."""

    by_word: Mapping[str, list[Phrase]]
    open: list[Phrase]


@dataclass(frozen=True)
class Grammar:
    sets: Sets
    rules: Mapping[str, Rule]
    words: frozenset[str]

    @classmethod
    def parse(cls, text: str, *, open_sets: Iterable[str] = ()) -> "Grammar":
        """`open_sets` are filled for each text. Raises `ValueError` where a rule names what is neither set nor rule."""
        sets: dict[str, frozenset[str]] = {}
        phrases: dict[str, list[Phrase]] = defaultdict(list)
        for line in filter(str.strip, text.splitlines()):
            name, _, body = line.strip().partition(" ")
            if name.endswith(":"):
                phrases[name[:-1]] += [tuple(map(_read_element, part.split())) for part in body.split("/")]
            else:
                sets[name] = sets.get(name, frozenset()) | frozenset(body.removeprefix("=").split())
        names = {element.name for alternatives in phrases.values() for phrase in alternatives for element in phrase}
        unknown = {name for name in names if name.isupper()} - {*sets, *phrases, *open_sets, SPAN}
        if unknown:
            raise ValueError(f"the grammar has no {', '.join(sorted(unknown))}")
        spelled = frozenset(name for name in names if not name.isupper())
        rules = {name: _index(alternatives, sets, phrases) for name, alternatives in phrases.items()}
        return cls(sets=sets, rules=rules, words=spelled.union(*sets.values()))


def _read_element(text: str) -> Element:
    name = text.rstrip("?*")
    return Element(name=name, optional=name != text, repeated=text.endswith("*"))


def _index(alternatives: list[Phrase], sets: Sets, phrases: Mapping[str, list[Phrase]]) -> Rule:
    by_word: dict[str, list[Phrase]] = defaultdict(list)
    unbound: list[Phrase] = []
    for phrase in alternatives:
        first = set(_list_first(phrase, sets, phrases))
        if any(name.isupper() for name in first):
            unbound.append(phrase)
        else:
            for word in first:
                by_word[word].append(phrase)
    return Rule(by_word=dict(by_word), open=unbound)


def _list_first(phrase: Phrase, sets: Sets, phrases: Mapping[str, list[Phrase]]) -> Iterator[str]:
    """The words that a phrase may begin with; an open set by its name."""
    for element in phrase:
        if element.name in sets:
            yield from sets[element.name]
        elif element.name in phrases:
            for inner in phrases[element.name]:
                yield from _list_first(inner, sets, phrases)
        else:
            yield element.name
        if not element.optional:
            return


@dataclass(frozen=True)
class Text:
    """Words to be read by a grammar. `details` fills its open sets; `passage` is what SPAN may repeat, as every word
    of it with the words that follow it."""

    words: Words
    grammar: Grammar
    details: Sets
    passage: Mapping[str, frozenset[str]] = field(default_factory=dict)
    _found: dict[tuple[str, int], frozenset[int]] = field(default_factory=dict)

    def is_made_of(self, *, needed: str, allowed: Iterable[str]) -> bool:
        """Whether the words can be cut into phrases of these rules, one of `needed` among them."""
        names = tuple(allowed)
        reached = {(0, False)}
        for at in range(len(self.words)):
            here = [agreed for place, agreed in reached if place == at]
            if here:
                reached |= {(end, agreed) for name in names for end in self._ends(name, at) for agreed in here}
                reached |= {(end, True) for end in self._ends(needed, at)}
        return (len(self.words), True) in reached

    def _ends(self, name: str, at: int) -> frozenset[int]:
        """Where a match of `name` that starts at word `at` may end."""
        if at >= len(self.words):
            return frozenset()
        word = self.words[at]
        rule = self.grammar.rules.get(name)
        if rule is None:
            return self._repeat(at) if name == SPAN else frozenset({at + 1} if word in self._list(name) else ())
        if (name, at) not in self._found:
            ends = (self._follow(phrase, at) for phrase in (*rule.by_word.get(word, ()), *rule.open))
            self._found[name, at] = frozenset().union(*ends)
        return self._found[name, at]

    def _list(self, name: str) -> Iterable[str]:
        return self.details.get(name) or self.grammar.sets.get(name) or ((name,) if not name.isupper() else ())

    def _repeat(self, at: int) -> frozenset[int]:
        """Words in the order of the passage; a number means nothing without the word it counts."""
        if self.words[at] not in self.passage:
            return frozenset()
        end = at + 1
        while end < len(self.words) and self.words[end] in self.passage[self.words[end - 1]]:
            end += 1
        return frozenset(place for place in range(at + 1, end + 1) if place - at > 1 or self.words[at].isalpha())

    def _follow(self, phrase: Phrase, at: int) -> set[int]:
        places = {at}
        for element in phrase:
            after = self._step(element, places)
            for _ in range(MOST_REPEATS - 1 if element.repeated else 0):
                after |= self._step(element, after)
            places = after | places if element.optional else after
            if not places:
                break
        # A phrase whose every part was left out is no phrase.
        return places - {at}

    def _step(self, element: Element, places: Iterable[int]) -> set[int]:
        return {end for at in places for end in self._ends(element.name, at)}
