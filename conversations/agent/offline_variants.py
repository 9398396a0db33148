"""Which values of a product's options a customer's words name, and which variant has them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from conversations.agent.protocol import Block

ORDER_NUMBER = re.compile(r"#?\bw\d{4,12}\b", re.IGNORECASE)
SPELLINGS = {
    "colour": "color", "colours": "color", "colors": "color", "grey": "gray", "litre": "l", "liter": "l",
    "litres": "l", "liters": "l", "inches": "inch", "millimetre": "mm", "millimeter": "mm", "black": "black",
    "pct": "percent", "matte": "matt", "l.": "l",
}  # fmt: skip
# What follows tells how to pay, not what to get.
PAYMENT_TAIL = re.compile(
    r" (?:(?:and|but) )?(?:please )?(?:i )?(?:charge|pay|put|use|refund|bill|take|(?:with|on|to|via|using) (?:my"
    r"|the)) "
    r"(?:[a-z0-9]+ ){0,6}?(?:visa|mastercard|amex|card|paypal|payment|method|difference) .*"
)
WORDS_ON = r"(?:\s+(?!(?:and|but|please|with|for|to|in|i|if|pay|use|on|from|it|then)\b)[\w.'%-]+)"
# What is set aside: after an article up to three words, after a bare "not" one.
DENIED = re.compile(
    rf"\b(?:instead of|rather than|in place of)\b(?! (?:return|exchang|refund))(?:\s+(?:the|a|an|my|in"
    rf"|size))?{WORDS_ON}{{1,3}}"
    rf"|\b(?:keep(?:ing)?|leav(?:e|ing)|not|isn't|but not)\s+(?:the|my|a|an|this|that)\b(?! (?:right|order|same"
    rf"|whole))(?! (?:one|ones)\b)"
    rf"{WORDS_ON}{{1,3}}|\b(?:not|isn't) (?!happy|sure|need|want|work|fit|like|what|only|all|for|as|in\b|to\b"
    rf"|the\b|my\b|an?\b|really"
    r"|yet|been|be\b|it\b|that\b|this\b)[\w.]+(?:\s(?:l|cm|mm|g|inch|percent)\b)?",
    re.IGNORECASE,
)


def normalize(text: str) -> str:
    """Lower-case words between single blanks, one at each end, in one spelling: ` 54 mm matt black `."""
    text = ORDER_NUMBER.sub(" ", text).lower().replace("%", " percent ").replace("->", " → ")
    text = re.sub(r"(?<=\d)(?=[a-z])", " ", re.sub(r"[^\w.→]+|_", " ", text))
    words = re.sub(r"\.(?!\d)|(?<!\d)\.", " ", text).split()
    return f" {' '.join(SPELLINGS.get(word, word) for word in words)} "


def drop_denied(text: str) -> str:
    """The message without what it sets aside: "not the grinder", "keep the teapot", "instead of 40"."""
    return DENIED.sub(" ", text)


def split_words(value: object) -> list[str]:
    return normalize(str(value)).split()


def matches(value: str, key: str, words: str) -> bool:
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
    words = PAYMENT_TAIL.sub(" ", normalize(drop_denied(text)))
    said = set(words.split())
    wanted: dict[str, set[str]] = {}
    for key in dict.fromkeys(key for variant in variants for key in variant.get("options", {})):
        values = list(dict.fromkeys(str(variant.get("options", {}).get(key, "")) for variant in variants))
        whole = [value for value in values if value and matches(value, key, words)]
        whole = [v for v in whole if not any(v != w and normalize(v) in normalize(w) for w in whole)]
        part = [value for value in values if find_telling(value, values) & said]
        if whole or part:
            wanted[key] = set(whole or part)
    return wanted


def find_telling(value: str, values: Sequence[str]) -> set[str]:
    """The words of a value that tell it from the other values of its key."""
    shared = {word for other in values if other != value for word in split_words(other)}
    return {word for word in split_words(value) if word not in shared and (len(word) > 2 or not word.isalpha())}


BIGGER = re.compile(r" (?:bigger|larger|longer|wider|next size up|size up) ")
SMALLER = re.compile(r" (?:smaller|shorter|narrower|next size down|size down) ")
SIZES = {"xs": 0, "s": 1, "small": 1, "m": 2, "medium": 2, "l": 3, "large": 3, "xl": 4, "xxl": 5}


def read_comparison(text: str, item: Block, variants: Sequence[Block]) -> dict[str, set[str]]:
    """For "the bigger one" the value of the one variant that is so and is otherwise the same; else nothing."""
    words, now = normalize(text), item.get("options", {})
    step = bool(BIGGER.search(words)) - bool(SMALLER.search(words))
    found: list[dict[str, set[str]]] = []
    for variant in variants if step else ():
        changed = {key: value for key, value in variant.get("options", {}).items() if value != now.get(key)}
        if len(changed) == 1 and variant.get("available"):
            [(key, value)] = changed.items()
            old, new = _measure(str(now.get(key, ""))), _measure(str(value))
            if old is not None and new is not None and (new - old) * step > 0:
                found.append({key: {str(value)}})
    return found[0] if len(found) == 1 else {}


def _measure(value: str) -> float | None:
    number = re.search(r"\d+(?:\.\d+)?", value)
    return float(number.group()) if number else SIZES.get(value.strip().lower())


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
