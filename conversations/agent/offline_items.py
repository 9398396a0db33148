"""Which of an order's items, and which of a product's variants, a customer's words mean."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from conversations.agent.offline_spelling import is_slip
from conversations.agent.offline_variants import drop_denied, find_telling, matches, normalize, split_words
from conversations.agent.protocol import Block

TOWARDS = frozenset({"for", "to", "into", "with", "→"})
WITHIN = frozenset({"in", "as"})
EVERYTHING = re.compile(
    r" (?:both|everything|every item|each of them|whole (?:order|thing|lot)|entire order|complete order|the lot"
    r"|all (?:of (?:it|them|these|the)|the|items|my|but|except|three|four|five)"
    r"|(?:return|exchange|swap|change|want|take) (?:it |them )?all) "
)
ONLY_ALL = re.compile(r" (?:all|them all|all please|all of the above) ")
EXCEPT = re.compile(r" (?:except|but|apart from|without|besides|other than) ")
CLAUSE = re.compile(r"[,;:!?\n]+|\.(?!\d)|\bbut\b|\band\b(?= (?:the|my|i)\b)", re.IGNORECASE)
LIKED = re.compile(
    r"(?<!not )(?<!n't )\b(?:love|great|fine|perfect|happy with|good|stays?|staying|okay|ok|nice|lovely|i like"
    r"|works|fits|keep)\b",
    re.IGNORECASE,
)
BOUGHT = re.compile(r"\b(?:i|we)(?:'ve| have)?(?: just)? (?:bought|ordered|got|received|purchased)\b", re.IGNORECASE)
LIST_PLACES = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
}  # fmt: skip
ONLY_PLACES = re.compile(
    r"\W*(?:(?:the|number|no|option|item|items|one|ones|and|please|i|want|would|like|take|ll|d|to|return|yes|ok|okay"
    r"|actually)\W+)*"
    r"(?:(?:\d{1,2}|first|second|third|fourth|fifth|sixth|last|1st|2nd|3rd|4th)\W*"
    r"(?:(?:the|number|option|item|items|one|ones|and|please|thanks)\W*)*){1,12}",
    re.IGNORECASE,
)
LONGEST_PLACES = 80
LONG_ENOUGH = 5
# Everyday words for goods, tried where an order holds nothing of the very name.
ALIASES = {
    "shoes": "boots", "shoe": "boots", "bag": "backpack", "rucksack": "backpack", "coat": "jacket", "flask": "bottle",
    "headset": "headphones", "earphones": "headphones", "blanket": "throw", "notepad": "notebook", "table": "desk",
    "light": "lamp", "cups": "mug", "cup": "mug",
}  # fmt: skip


@dataclass(frozen=True)
class Segment:
    """One item as a message speaks of it: the words that describe it, and those that say what to get instead."""

    described: str
    target: str


@dataclass(frozen=True)
class Reading:
    """The items meant, by place in the order, each with its segment. `unclear`: named, but not told apart."""

    picked: tuple[int, ...] = ()
    unclear: bool = False
    segments: dict[int, Segment] = field(default_factory=dict)


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def read_places(text: str) -> list[int]:
    """The places in the last list where the message names nothing else: from 1, or -1 for the last."""
    if len(text) > LONGEST_PLACES or not ONLY_PLACES.fullmatch(text):
        return []
    found = re.findall(r"\d{1,2}(?=st|nd|rd|th|\b)|[a-z]+", text.lower())
    places = [int(word) if word.isdigit() else -1 if word == "last" else LIST_PLACES.get(word, 0) for word in found]
    return [place for place in dict.fromkeys(places) if place]


def _drop_story(text: str, items: Sequence[Block]) -> str:
    """Without "I bought a lamp and a kettle" or "the mugs are fine", where another clause names what is meant."""
    clauses = CLAUSE.split(text)
    told = [clause for clause in clauses if not (BOUGHT.search(clause) or LIKED.search(clause))]
    if 0 < len(told) < len(clauses) and any(names_any(clause, items) for clause in told):
        return ", ".join(told)
    return text


def read_items(text: str, items: Sequence[Block], asked: bool) -> Reading:
    """`asked`: the message answers "which items", so words of an option alone may name one."""
    words = normalize(_drop_story(drop_denied(text), items))
    found = _find_mentions(words, items)
    if EVERYTHING.search(words) or (asked and ONLY_ALL.fullmatch(words)):
        return _read_every(words, items, found)
    if found:
        return _pick_mentioned(words, items, found)
    if asked or " one " in words or " ones " in words:
        best = _best_described(range(len(items)), items, words)
        return Reading(best if len(best) == 1 else (), unclear=len(best) > 1)
    return Reading()


def names_any(text: str, items: Sequence[Block]) -> bool:
    return bool(_find_mentions(normalize(text), items))


def _find_mentions(words: str, items: Sequence[Block]) -> dict[int, tuple[int, frozenset[str]]]:
    """The items named: where, and by which words of the name. A word that is also an option's does not name alone."""
    found = _find_spelled(words, items)
    if found:
        return found
    names = {word for item in items for word in split_words(item.get("name", "")) if len(word) >= LONG_ENOUGH}
    said = [ALIASES.get(word, word) for word in words.split()]
    mended = [next((name for name in sorted(names) if _nearly(word, name)), word) for word in said]
    return _find_spelled(_join(mended), items)


def _nearly(word: str, name: str) -> bool:
    return len(word) >= LONG_ENOUGH and is_slip(_stem(word), name)


def _find_spelled(words: str, items: Sequence[Block]) -> dict[int, tuple[int, frozenset[str]]]:
    said = [_stem(word) for word in words.split()]
    held = set(said)
    loose = {_stem(word) for item in items for value in item.get("options", {}).values() for word in split_words(value)}
    hits: dict[int, frozenset[str]] = {}
    for place, item in enumerate(items):
        name = [_stem(word) for word in split_words(item.get("name", ""))]
        got = frozenset(word for word in name if word in held and len(word) > 2)
        if name and any(word == name[-1] or word not in loose for word in got):
            hits[place] = got
    kept = {place: got for place, got in hits.items() if not any(got < other for other in hits.values())}
    return {place: (_find_spot(said, got), got) for place, got in kept.items()}


def _find_spot(said: list[str], got: frozenset[str]) -> int:
    """Where the name ends that stands first: "desk lamp", but not the "set" that comes sentences later."""
    spot = min(said.index(word) for word in got)
    while said[spot + 1 : spot + 2] and said[spot + 1] in got:
        spot += 1
    return spot


def _read_every(words: str, items: Sequence[Block], found: dict[int, tuple[int, frozenset[str]]]) -> Reading:
    spared = EXCEPT.search(words)
    if spared:
        left = _find_mentions(f" {words[spared.end() :]}", items)
        return Reading(tuple(place for place in range(len(items)) if place not in left), unclear=not left)
    return Reading(tuple(found) if found else tuple(range(len(items))), segments=_cut(words, found))


def _pick_mentioned(words: str, items: Sequence[Block], found: dict[int, tuple[int, frozenset[str]]]) -> Reading:
    """Of several items with the name said, the one whose options the words describe best; a plural takes them all."""
    segments, unclear = _cut(words, found), False
    picked: list[int] = []
    groups: dict[frozenset[str], list[int]] = {}
    for place, (_, got) in found.items():
        groups.setdefault(got, []).append(place)
    for got, places in groups.items():
        best = _best_described(places, items, segments[places[0]].described)
        plural = any(f" {word}s " in words for word in got) and " one of " not in words
        same = len({items[place].get("item_id") for place in places}) == 1
        if len(best) == 1:
            picked += best
        elif same and re.search(r" (?:one|1) (?:of|pair) ", words):
            picked += places[:1]
        elif len(places) == 1 or plural:
            picked += places
        else:
            unclear = True
    return Reading(tuple(sorted(picked)), unclear=unclear and not picked, segments=segments)


def _best_described(places: Iterable[int], items: Sequence[Block], words: str) -> tuple[int, ...]:
    places = list(places)
    said = set(words.split())
    scores = {}
    for place in places:
        held = items[place].get("options", {}).items()
        scores[place] = sum(2 * matches(str(value), key, words) for key, value in held)
        for key, value in held:
            others = [str(items[other].get("options", {}).get(key, "")) for other in places if other != place]
            scores[place] += bool(find_telling(str(value), [str(value), *others]) & said)
    top = max(scores.values(), default=0)
    return tuple(place for place, score in scores.items() if score == top) if top else ()


def _cut(words: str, found: dict[int, tuple[int, frozenset[str]]]) -> dict[int, Segment]:
    """The part of the message that speaks of each item, divided at "for", "to" or "in"."""
    said = words.split()
    spots = sorted({spot for spot, _ in found.values()})
    cuts = {}
    left = 0
    for number, spot in enumerate(spots):
        following = spots[number + 1] if number + 1 < len(spots) else None
        right = _find_and(said, spot, following) if following is not None else len(said)
        cuts[spot] = _divide(said[left:right], spot - left)
        left = right
    return {place: cuts[spot] for place, (spot, _) in found.items()}


def _find_and(said: list[str], spot: int, following: int) -> int:
    return next((at for at in range(following - 1, spot, -1) if said[at] in {"and", "then", "plus"}), following)


def _divide(said: list[str], spot: int) -> Segment:
    if len(said) > spot + 1 and "instead" in said and said[said.index("instead") + 1 :][:1] == ["of"]:
        at = said.index("instead")
        return Segment(_join(said[at + 2 :]), _join(said[:at]))
    after = range(spot + 1, len(said))
    at = next((at for at in after if said[at] in TOWARDS), -1)
    at = at if at >= 0 else next((at for at in after if said[at] in WITHIN), -1)
    if at < 0:
        return Segment(_join(said), "")
    return Segment(_join(said[:at]), _join(said[at + 1 :]))


def _join(said: list[str]) -> str:
    return f" {' '.join(said)} "
