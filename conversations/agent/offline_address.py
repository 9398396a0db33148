"""The parts of an address in a customer's words: in one line, with semicolons, or one part an answer."""

import itertools
import re

from conversations.agent.offline_words import Slot

ORDER_NUMBER = re.compile(r"#?\bw\d{4,12}\b", re.IGNORECASE)
PARTS = ("address1", "address2", "city", "state", "country", "zip")
CODES = {
    "alabama": "AL", "alaska": "AK", "arizona": "AZ", "arkansas": "AR", "california": "CA", "colorado": "CO",
    "connecticut": "CT", "delaware": "DE", "district of columbia": "DC", "florida": "FL", "georgia": "GA",
    "hawaii": "HI", "idaho": "ID", "illinois": "IL", "indiana": "IN", "iowa": "IA", "kansas": "KS", "kentucky": "KY",
    "louisiana": "LA", "maine": "ME", "maryland": "MD", "massachusetts": "MA", "michigan": "MI", "minnesota": "MN",
    "mississippi": "MS", "missouri": "MO", "montana": "MT", "nebraska": "NE", "nevada": "NV", "new hampshire": "NH",
    "new jersey": "NJ", "new mexico": "NM", "new york": "NY", "north carolina": "NC", "north dakota": "ND",
    "ohio": "OH", "oklahoma": "OK", "oregon": "OR", "pennsylvania": "PA", "rhode island": "RI",
    "south carolina": "SC", "south dakota": "SD", "tennessee": "TN", "texas": "TX", "utah": "UT", "vermont": "VT",
    "virginia": "VA", "washington": "WA", "west virginia": "WV", "wisconsin": "WI", "wyoming": "WY",
}  # fmt: skip
STATE = "|".join(sorted((*CODES, *CODES.values()), key=len, reverse=True))


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


UNIT_WORD = r"(?:apt|apartment|suite|ste|unit|floor|flat|room|studio|bldg|building|box)"
UNIT = (
    rf"(?:{UNIT_WORD}\.?(?: (?:number|no))?\s?#?(?=[\w-]{{0,8}}\d|[a-z]\b)[\w-]{{1,12}}|#\s?[\w-]{{1,8}}"
    r"|\d{1,3}(?:st|nd|rd|th) floor|rear house)"
)
STREET_WORD = (
    r"(?:street|st|avenue|ave|road|rd|lane|ln|boulevard|blvd|drive|dr|way|court|ct|row|place|pl|square|sq|terrace|"
    r"walk|parkway|pkwy|circle|cir|trail|highway|hwy|alley|bend|steps|loop|crescent)"
)
US_ZIP = r"\d{5}(?:-\d{4})?"
# State and ZIP code are looked for first; the street stands before them. That keeps long messages fast.
TAIL = _compile(rf"\b({STATE})\b[,.\s]{{1,3}}({US_ZIP})\b(?:,?\s?(usa|u\.s\.a\.?|united states(?: of america)?|us)\b)?")
FIVE_DIGITS = re.compile(r"\d{5}")
HEAD = _compile(r"(?<![\w#-])(\d{1,6}[a-z]?\s[^;\n?!]{3,150}?)[,\s]\s{0,3}$")
LONGEST_HEAD = 160
MOST_TAILS = 4
STREET_THEN_CITY = _compile(rf"^(\d.{{1,60}}?\b{STREET_WORD}\b\.?)\s+(?:({UNIT})\s+)?([a-z][a-z .'’-]{{1,40}})$")
STREET = _compile(
    rf"(?<![\w#-])(\d{{1,6}}[a-z]?\s(?:[\w.'’-]{{1,20}}\s){{0,4}}?(?:[\w'’-]{{1,20}}\s)?{STREET_WORD})\b\.?"
)
HOUSE = re.compile(r"\d[a-z]?\s")
STREET_ENDS = _compile(rf"\b{STREET_WORD}\b")
KEYED = {
    "zip": _compile(
        r"\b(?:zip|postal|post)\s?(?:code)?\b(?:[^.?!\n;]{0,40}?\b(?:should be|must be|is actually))?"
        r"(?:\s(?:is|should be|to|must be|was)){0,3}:?\s{0,3}"
        r"([a-z]?\d[\w -]{2,9}\d\w?)\b"
    ),
    "city": _compile(
        r"\bcity\b(?:\s(?:is|should be|to|must be)){1,3}:?\s{0,3}([a-z][a-z .'’-]{1,40}?)(?=[,.;!?\n]|\sand\s|$)"
    ),
    "state": _compile(rf"\bstate\b(?:\s(?:is|should be|to|must be)){1, 3}:?\s{0, 3}({STATE})\b"),
    "address2": _compile(rf"(?<![\w])({UNIT})(?![\w])"),
}
COUNTRY_NAMES = {"usa", "us", "u.s.", "u.s.a.", "united states", "united states of america", "america"}
CITY_LINE = _compile(
    rf"^\W*(?:in |it['’]?s |city is )?([a-z][a-z .'’-]{{1,40}}?)[,\s]+({STATE})(?:[,.\s]+({US_ZIP}))?"
    r"(?:[,.\s]+(?:usa|u\.s\.a\.?|united states(?: of america)?|us))?\W*$"
)
LEAD = _compile(
    r"^\W*(?:(?:it['’]?s|it is|the|my|new|address|street|city|state|zip|code|country|is|in|no|sorry|actually|please"
    r"|that['’]?s|to)\b\W*){1,12}"
)
MY_OWN = _compile(
    r"\b(?:my|the) (?:default|home|profile|account|usual|saved|normal) address\b"
    r"|\b(?:address|one) (?:on|in|of|from) my (?:account|profile)\b"
)
# The part each of these questions asks for.
ASKED = {
    Slot.STREET: "address1",
    Slot.CITY: "city",
    Slot.STATE: "state",
    Slot.NEW_ZIP: "zip",
    Slot.COUNTRY: "country",
}


def read_address(text: str, slot: Slot | None) -> dict[str, str]:
    """The parts that the words name; what is not named is left out."""
    text = _join_lines(ORDER_NUMBER.sub(" ", text))
    if text.count(";") >= 2:
        return _read_semicolons(text)
    line = _find_line(text)
    if line:
        return _read_line(*line)
    place = CITY_LINE.search(text) if slot in ASKED or slot is Slot.NEW_ADDRESS else None
    if place:
        city, state, code = place.groups()
        return {"city": _tidy(city), "state": _state(state)} | ({"zip": code} if code else {})
    found = {part: _tidy(hit.group(1)) for part, pattern in KEYED.items() if (hit := pattern.search(text))}
    street = STREET.search(text) if HOUSE.search(text) and STREET_ENDS.search(text) else None
    if street:
        found["address1"] = _tidy(street.group(1))
    part = ASKED.get(slot) if slot is not None else None
    if part and part not in found and (street is None or part == "address1"):
        found |= _read_answer(part, text)
    if "state" in found:
        found["state"] = _state(found["state"])
    return found


def _join_lines(text: str) -> str:
    """An address written in lines, as one line with commas."""
    return re.sub(r"[ ,]*\n\s*", ", ", text)


def takes_own(text: str) -> bool:
    """Whether the words mean the address that the account holds."""
    return bool(MY_OWN.search(text))


def cut_addresses(text: str) -> str:
    """The message without whole addresses, whose ZIP code and place names say nothing about who writes."""
    text = _join_lines(text)
    line = _find_line(text)
    return text.replace(line[0], " ").replace(line[1].group(), " ") if line else text


def complete(parts: dict[str, str]) -> dict[str, str]:
    """USA where state and ZIP code look American and no country was said; no second line where none was said."""
    american = parts.get("state", "") in CODES.values() and re.fullmatch(US_ZIP, parts.get("zip", ""))
    country = {"country": "USA"} if american and not parts.get("country") else {}
    return {"address2": ""} | {part: _capitalize(part, text) for part, text in parts.items()} | country


def _capitalize(part: str, text: str) -> str:
    """Names typed without capitals get them, as an envelope would have them."""
    if part in {"zip", "country"} or text != text.lower():
        return text
    return re.sub(r"(?<![\w'’])[a-z](?=[a-z])", lambda first: first.group().upper(), text)


def _find_line(text: str) -> tuple[str, re.Match[str]] | None:
    """An American address in one line: what stands before the state, and the match from there on."""
    if not FIVE_DIGITS.search(text):
        return None
    for tail in itertools.islice(TAIL.finditer(text), MOST_TAILS):
        head = HEAD.search(text[max(0, tail.start() - LONGEST_HEAD) : tail.start()])
        if head:
            return head.group(1), tail
    return None


def _read_line(head: str, tail: re.Match[str]) -> dict[str, str]:
    state, code, country = tail.groups()
    pieces = [piece.strip() for piece in head.split(",") if piece.strip()]
    found = {"state": _state(state), "zip": code} | ({"country": "USA"} if country else {})
    if len(pieces) == 1:
        return found | _read_head(pieces[0])
    *streets, city = pieces
    first, unit = _split_unit(streets[0])
    more = ", ".join([unit, *streets[1:]] if unit else streets[1:])
    return found | {"address1": first, "city": city} | ({"address2": more} if more else {})


def _read_head(head: str) -> dict[str, str]:
    """Street and city without a comma are told apart by the street's last word."""
    split = STREET_THEN_CITY.match(head)
    if not split:
        return {"address1": head}
    street, unit, city = split.groups()
    return {"address1": street, "city": city.strip()} | ({"address2": unit} if unit else {})


def _split_unit(street: str) -> tuple[str, str]:
    hit = re.search(rf"^(.{{4,}}?)\s+({UNIT})$", street, re.IGNORECASE)
    return (hit.group(1), hit.group(2)) if hit else (street, "")


def _read_semicolons(text: str) -> dict[str, str]:
    """`street; [second line;] city; state; zip[; country]`, the country last."""
    pieces = [piece.strip(" .,\n") for piece in text.split(";")][:7]
    house = re.search(r"\b\d{1,6}[a-z]?\s.*$", pieces[0], re.IGNORECASE)
    pieces[0] = house.group() if house else pieces[0].rpartition(":")[2].strip()
    country = {}
    if len(pieces) > 4 and not re.search(r"\d", pieces[-1]):
        last = pieces.pop()
        country = {"country": "USA" if last.lower() in COUNTRY_NAMES else last}
    keys = (
        ("address1", "city", "state", "zip") if len(pieces) <= 4 else ("address1", "address2", "city", "state", "zip")
    )
    found = {key: piece for key, piece in zip(keys, pieces, strict=False) if piece}
    return found | country | ({"state": _state(found["state"])} if "state" in found else {})


def _read_answer(part: str, text: str) -> dict[str, str]:
    """The whole answer, where it can be the part that was asked for."""
    said = _tidy(LEAD.sub("", text, count=1))
    if part == "zip":
        hit = re.search(r"\b(?=[\w -]*\d)[a-z0-9]{2,6}(?:[ -][a-z0-9]{2,4})?\b", said, re.IGNORECASE)
        return {"zip": hit.group()} if hit else {}
    if not said or len(said) > 60 or "?" in said or not re.search(r"[^\W_]", said):
        return {}
    if part == "country":
        return {"country": "USA" if said.lower() in COUNTRY_NAMES else said}
    if part == "address1" and not re.search(r"\d", said):
        return {}
    if part == "city" and "," in said:
        city, _, state = said.partition(",")
        known = _state(state.strip())
        return {"city": city.strip()} | ({"state": known} if known in CODES.values() else {})
    if part in {"city", "state"} and re.search(r"\d", said):
        return {}
    return {part: said}


def _state(word: str) -> str:
    return CODES.get(word.lower(), word.upper() if len(word) == 2 else word)


def _tidy(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(" .,;!")
