"""Which of an order's items, and which of a product's variants, a customer's words mean."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from conversations.agent.protocol import Block

ORDER_NUMBER = re.compile(r"#?\bw\d{4,12}\b", re.IGNORECASE)
SPELLINGS = {
    "colour": "color", "colours": "color", "colors": "color", "grey": "gray", "litre": "l", "liter": "l",
    "litres": "l", "liters": "l", "inches": "inch", "millimetre": "mm", "millimeter": "mm", "black": "black",
    "pct": "percent", "matte": "matt", "l.": "l",
}  # fmt: skip
TOWARDS = frozenset({"for", "to", "into", "with", "→"})
WITHIN = frozenset({"in", "as"})
EVERYTHING = re.compile(
    r" (?:both|everything|every item|each of them|whole (?:order|thing|lot)|entire order|complete order|the lot"
    r"|all (?:of (?:it|them|these|the)|the|items|my|but|except|three|four|five)"
    r"|(?:return|exchange|swap|change|want|take) (?:it |them )?all) "
)
ONLY_ALL = re.compile(r" (?:all|them all|all please|all of the above) ")
EXCEPT = re.compile(r" (?:except|but|apart from|without|besides|other than) ")
# What follows tells how to pay, not what to get.
PAYMENT_TAIL = re.compile(
    r" (?:(?:and|but) )?(?:please )?(?:i )?(?:charge|pay|put|use|refund|bill|take|(?:with|on|to|via|using) (?:my|the)) "
    r"(?:[a-z0-9]+ ){0,6}?(?:visa|mastercard|amex|card|paypal|payment|method|difference) .*"
)
NOT_THIS = re.compile(r" (?:not|isn t|instead of|rather than) (?:(?:the|a|in) )?(?:[a-z0-9.]+ ){1,2}")
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


def normalize(text: str) -> str:
    """Lower-case words between single blanks, one at each end, in one spelling: ` 54 mm matt black `."""
    text = ORDER_NUMBER.sub(" ", text).lower().replace("%", " percent ").replace("->", " → ")
    text = re.sub(r"(?<=\d)(?=[a-z])", " ", re.sub(r"[^\w.→]+|_", " ", text))
    words = re.sub(r"\.(?!\d)|(?<!\d)\.", " ", text).split()
    return f" {' '.join(SPELLINGS.get(word, word) for word in words)} "


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def read_places(text: str) -> list[int]:
    """The places in the last list where the message names nothing else: from 1, or -1 for the last."""
    if len(text) > LONGEST_PLACES or not ONLY_PLACES.fullmatch(text):
        return []
    found = re.findall(r"\d{1,2}(?=st|nd|rd|th|\b)|[a-z]+", text.lower())
    places = [int(word) if word.isdigit() else -1 if word == "last" else LIST_PLACES.get(word, 0) for word in found]
    return [place for place in dict.fromkeys(places) if place]


def read_items(text: str, items: Sequence[Block], asked: bool) -> Reading:
    """`asked`: the message answers "which items", so words of an option alone may name one."""
    words = normalize(text)
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
    said = [_stem(word) for word in words.split()]
    held = set(said)
    loose = {_stem(word) for item in items for value in item.get("options", {}).values() for word in _words(value)}
    hits: dict[int, frozenset[str]] = {}
    for place, item in enumerate(items):
        name = [_stem(word) for word in _words(item.get("name", ""))]
        got = frozenset(word for word in name if word in held and len(word) > 2)
        if name and any(word == name[-1] or word not in loose for word in got):
            hits[place] = got
    kept = {place: got for place, got in hits.items() if not any(got < other for other in hits.values())}
    return {place: (max(said.index(word) for word in got), got) for place, got in kept.items()}


def _words(value: object) -> list[str]:
    return normalize(str(value)).split()


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
        scores[place] = sum(2 * _matches(str(value), key, words) for key, value in held)
        for key, value in held:
            others = [str(items[other].get("options", {}).get(key, "")) for other in places if other != place]
            scores[place] += bool(_telling(str(value), [str(value), *others]) & said)
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


def _matches(value: str, key: str, words: str) -> bool:
    """Whether the words hold this option's value: as a phrase, or as "no backlight" where the value is "none"."""
    phrase = normalize(value)
    name = normalize(key).strip()
    if phrase in {" none ", " no ", " false "}:
        return any(f" {start} {name} " in words for start in ("no", "without", "without a", "no built in")) or (
            phrase == " none " and " none " in words
        )
    if phrase in {" yes ", " true "}:
        return f" with {name} " in words or f" with a {name} " in words
    return phrase in words


def read_options(text: str, variants: Sequence[Block]) -> dict[str, set[str]]:
    """The option values named, by key: whole values first, else a telling part of one ("steel", "54")."""
    words = NOT_THIS.sub(" ", PAYMENT_TAIL.sub(" ", normalize(text)))
    said = set(words.split())
    wanted: dict[str, set[str]] = {}
    for key in dict.fromkeys(key for variant in variants for key in variant.get("options", {})):
        values = list(dict.fromkeys(str(variant.get("options", {}).get(key, "")) for variant in variants))
        whole = [value for value in values if value and _matches(value, key, words)]
        whole = [v for v in whole if not any(v != w and normalize(v) in normalize(w) for w in whole)]
        part = [value for value in values if _telling(value, values) & said]
        if whole or part:
            wanted[key] = set(whole or part)
    return wanted


def _telling(value: str, values: Sequence[str]) -> set[str]:
    """The words of a value that tell it from the other values of its key."""
    shared = {word for other in values if other != value for word in _words(other)}
    return {word for word in _words(value) if word not in shared and (len(word) > 2 or not word.isalpha())}


@dataclass(frozen=True)
class Match:
    """The variant that fits, or the available ones to choose from. `missing`: the wanted one, which cannot be had."""

    chosen: Block | None = None
    missing: Block | None = None
    unknown: bool = False
    offers: tuple[Block, ...] = ()


def find_variant(item: Block, variants: Sequence[Block], wanted: dict[str, set[str]]) -> Match:
    """What is not said stays as it is on the item; the item itself is no change."""
    now = item.get("options", {})
    others = [variant for variant in variants if variant.get("item_id") != item.get("item_id")]
    fits = [v for v in others if all(v.get("options", {}).get(k) in vals for k, vals in wanted.items())]
    near = [v for v in fits if all(v["options"].get(k) == val for k, val in now.items() if k not in wanted)]
    ready = [variant for variant in near if variant.get("available")]
    offers = [v for v in fits if v.get("available")] or [v for v in others if v.get("available")]
    if not near:
        # The rest cannot stay as it is; one that fits alone is still the one meant, and the card shows all of it.
        ready = [variant for variant in fits if variant.get("available")]
    if wanted and len(ready) == 1:
        return Match(chosen=ready[0])
    gone = None if ready or not wanted else next(iter(near or fits), None)
    return Match(missing=gone, unknown=bool(wanted and not fits), offers=tuple(offers))


def tell_options(options: Block) -> str:
    return ", ".join(f"{key} {value}" for key, value in options.items())


def tell_item(item: Block) -> str:
    """An item as a line of a list names it: `Desk Lamp (size small, color black)`."""
    options = tell_options(item.get("options", {}))
    return f"{item.get('name', 'item')}" + (f" ({options})" if options else "")
