"""Which of the customer's payment methods their words mean, and how a method is called."""

import re
from dataclasses import dataclass

from conversations.agent.offline_words import money
from conversations.agent.protocol import Block


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


METHOD = (
    r"(?:(?:my|the|a|an) )?(?:(?:old|other|current) )?"
    r"(?:(?:gift ?-?card|pay ?pal|visa|master ?card|amex|(?:credit |debit |bank )?card|original|one)"
    r"(?:,? (?:card )?(?:ending|ends)(?: in| with)? \d{4}| \d{4}\b)?|(?:ending (?:in |with )?)?\d{4}\b)"
)
DENIED = _compile(
    rf"\b(?:not|isn['’]?t|instead of|(?:rather )?than|don['’]?t (?:want|use))\s+(?:on |to |with |by |onto "
    rf"|via )?{METHOD}"
    rf"|\bi(?:'ve)? paid (?:with|by|using) {METHOD}(?=[^.?!]*\bbut\b)"
    rf"|\bfrom {METHOD}(?=[^.?!]*\b(?:to|onto)\b)"
)
ORIGINAL = _compile(
    r"\boriginal\b|\bsame (?:card|method|payment|way|account|one)\b"
    r"|\b(?:how|way|method|card|account) (?:that )?i (?:paid|used|ordered)\b"
    r"|\bi(?:['’]ve| have| had|['’]d)?(?: originally)? paid with\b|\bwhat i (?:paid|used)\b|\bback (?:to|on"
    r"|onto) (?:it|where it came from)\b|\bwhere it came from\b"
)
GIFT = _compile(r"\bgift ?-?cards?\b|\bvoucher\b|\bstore credit\b")
PAYPAL = _compile(r"\bpay ?pal\b")
CARD = _compile(r"\b(?:credit|debit|bank)?\s?card\b")
BRANDS = _compile(r"\b(visa|master ?card|amex|american express|discover)\b")
LAST_FOUR = re.compile(r"(?<![\w#$.-])\d{4}(?![\w.-]*\d)")
ANY = _compile(
    r"\b(?:any|either|whichever|whatever|(?:doesn['’]?t|don['’]?t) (?:matter|mind|care)|default|as before|usual)\b"
)
OTHER = _compile(r"\b(?:the )?other (?:one|card|method|way)\b|\banother (?:one|card|method)\b")


@dataclass(frozen=True)
class Named:
    """`methods`: the ids that fit the words. `said`: the words speak of a method at all."""

    said: bool = False
    methods: tuple[str, ...] = ()


def read_method(text: str, methods: Block, original: str, asked: bool) -> Named:
    """All of the customer's methods that the words can mean; `original` is the one that paid the order."""
    words = DENIED.sub(" ", text)
    if ORIGINAL.search(words):
        # "I paid with PayPal, put it on my gift card" says two things; that is for the customer to settle.
        paid = methods.get(original, {}).get("source")
        also = [key for key in read_all(words, methods) if key != original]
        also = [key for key in also if paid != "gift_card" or methods[key].get("source") != paid]
        return Named(True, (original, *also) if original in methods else ())
    fours = [four for four in LAST_FOUR.findall(words) if CARD.search(words) or BRANDS.search(words) or "end" in words]
    if asked and not fours and re.fullmatch(r"\W*(?:the )?\d{4}(?: one)?(?: please)?\W*", words, re.IGNORECASE):
        fours = LAST_FOUR.findall(words)
    hits = tuple(key for key, one in methods.items() if str(one.get("last_four", "")) in fours)
    if hits or (fours and not GIFT.search(words)):
        return Named(True, hits)
    if GIFT.search(words):
        return Named(True, _by_number(words, methods, _of_source(methods, "gift_card")))
    if PAYPAL.search(words):
        return Named(True, _of_source(methods, "paypal"))
    brand = BRANDS.search(words)
    if brand:
        name = _plain(brand.group(1))
        return Named(True, tuple(key for key, one in methods.items() if str(one.get("brand", "")).lower() == name))
    if asked and ANY.search(words):
        return Named(True, (original,) if original in methods else ())
    if asked and OTHER.search(words):
        left = tuple(key for key in methods if key != original)
        return Named(len(left) == 1, left)
    if CARD.search(words):
        return Named(True, _of_source(methods, "credit_card"))
    return Named()


def speaks_of_method(text: str) -> bool:
    """Whether a way to pay is named at all."""
    return any(pattern.search(text) for pattern in (ORIGINAL, GIFT, PAYPAL, CARD, BRANDS, LAST_FOUR))


def read_all(text: str, methods: Block) -> tuple[str, ...]:
    """Every method that is named by its kind, brand or last digits and not set aside; "card" alone names none."""
    words = DENIED.sub(" ", text)
    fours = set(LAST_FOUR.findall(words))
    brands = {_plain(brand) for brand in BRANDS.findall(words)}
    found = []
    for key, one in methods.items():
        source, four = one.get("source"), str(one.get("last_four", ""))
        said = {"gift_card": GIFT, "paypal": PAYPAL}.get(str(source))
        branded = str(one.get("brand", "")).lower() in brands and not fours
        if four in fours or branded or (said is not None and said.search(words)):
            found.append(key)
    return tuple(found)


def _by_number(text: str, methods: Block, gifts: tuple[str, ...]) -> tuple[str, ...]:
    """Of several gift cards the one whose balance or number is said."""
    numbers = set(re.findall(r"\d+(?:\.\d+)?", text.replace(",", "")))
    told = tuple(
        key
        for key in gifts
        if key.rpartition("_")[2] in numbers
        or {f"{methods[key].get('balance', '')}", f"{methods[key].get('balance', 0):.2f}"} & numbers
    )
    return told if len(told) == 1 else gifts


def _plain(brand: str) -> str:
    return brand.lower().replace(" ", "").replace("americanexpress", "amex")


def _of_source(methods: Block, source: str) -> tuple[str, ...]:
    return tuple(key for key, one in methods.items() if one.get("source") == source)


def tell_method(method_id: str, methods: Block) -> str:
    """`Visa ending in 4417`, `PayPal account`, `gift card`."""
    method = methods.get(method_id, {})
    source = str(method.get("source") or method_id.rpartition("_")[0])
    if source == "credit_card":
        last_four = method.get("last_four")
        return f"{str(method.get('brand') or 'card').capitalize()}" + (f" ending in {last_four}" if last_four else "")
    return {"paypal": "PayPal account", "gift_card": "gift card"}.get(source, "payment method")


def list_methods(ids: list[str], methods: Block, original: str) -> str:
    """A numbered line for each method to choose from."""
    lines = []
    for place, method_id in enumerate(ids, start=1):
        balance = methods.get(method_id, {}).get("balance")
        more = f", {money(balance)} on it" if balance is not None else ""
        lines.append(
            f"{place}. {tell_method(method_id, methods)}{more}{', the original payment' * (method_id == original)}"
        )
    return "\n".join(lines)


def read_original(order: Block) -> str:
    """The method of the order's first payment."""
    rows = [row for row in order.get("payment_history", []) if row.get("transaction_type") == "payment"]
    return str(rows[0].get("payment_method_id", "")) if rows else ""
