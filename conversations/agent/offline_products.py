"""What the shop sells: products, options, prices, availability."""

import re

from conversations.agent.offline_desk import PRODUCT, Desk, Say, Use
from conversations.agent.offline_history import Task
from conversations.agent.offline_kinds import PRODUCT_QUESTIONS
from conversations.agent.offline_variants import normalize, read_options, tell_options
from conversations.agent.offline_words import QUESTIONS, Slot, join_words, money, parse_json
from conversations.agent.protocol import Block

LIST_PRODUCTS = "list_all_product_types"
MOST_NAMED, MOST_VARIANTS = 40, 12
CATALOGUE = re.compile(r"\b(?:you (?:sell|offer|carry)|products|catalog(?:ue)?|do you have\?)", re.IGNORECASE)
CHEAPEST = re.compile(r"\b(?:cheapest|lowest priced?|lowest price|least expensive)\b", re.IGNORECASE)
DEAREST = re.compile(r"\b(?:most expensive|dearest|priciest|highest price)\b", re.IGNORECASE)
REFERS = re.compile(
    r"\b(?:it|that|this|they|them|one|ones|those|these|cheap\w*|expensive|dearest|price|cost|much|stock"
    r"|available|colou?rs?"
    r"|sizes?|options?)\b",
    re.IGNORECASE,
)
# What something is compared with is not what is looked for.
THAN = re.compile(
    r"\b(?:bigger|smaller|larger|other|different|cheaper)\b[^.?!]{0,40}\bthan\b[^,?!]{0,30}", re.IGNORECASE
)


class Products(Desk):
    """Product questions. They need no account."""

    def _answer_product(self, task: Task) -> Say | Use:
        if not {LIST_PRODUCTS, PRODUCT} <= self.tools:
            return Say(self._tell_unsupported(PRODUCT_QUESTIONS))
        call = self.history.find_call(LIST_PRODUCTS)
        if call is None:
            return Use(LIST_PRODUCTS, {})
        types = {} if call.failed else parse_json(call.result)
        if not types:
            return Say(f"I can’t see the products right now. {self._offer()}")
        text = " ".join([task.words, *(heard.text for heard in task.heard)])
        named = _find_products(text, list(types)) or self._last_product(text, types)
        if len(named) != 1:
            return Say(_list_products(text, named, list(types)))
        product_id = str(types[named[0]])
        found = self.history.find_call(PRODUCT, since=task.since, product_id=product_id)
        if found is None:
            return Use(PRODUCT, {"product_id": product_id})
        product = {} if found.failed else parse_json(found.result)
        return Say(_tell_product(product, text) if product else f"I can’t look up the {named[0]} right now.")

    def _may_name_product(self, task: Task) -> bool:
        """Whether a question of no known kind holds a product's name; without a list of them yet, it may."""
        if "?" not in task.words or not {LIST_PRODUCTS, PRODUCT} <= self.tools:
            return False
        call = self.history.find_call(LIST_PRODUCTS)
        return call is None or (not call.failed and bool(_find_products(task.words, list(parse_json(call.result)))))

    def _last_product(self, text: str, types: Block) -> list[str]:
        """ "Is it available in blue?" speaks of the product that was looked up last."""
        last = self.history.find_call(PRODUCT)
        if last is None or not REFERS.search(text):
            return []
        return [name for name, product_id in types.items() if product_id == last.input.get("product_id")]


def _find_products(text: str, names: list[str]) -> list[str]:
    """The products whose last word is said, those with the most words in common first and alone."""
    said = {word.removesuffix("s") for word in normalize(text).split()}
    scores = {}
    for name in names:
        words = [word.removesuffix("s") for word in normalize(name).split()]
        hits = sum(word in said and len(word) > 2 for word in words)
        rare = any(w in said and sum(w in normalize(other) for other in names) == 1 for w in words if len(w) > 3)
        if hits and (words[-1] in said or rare):
            # A name's own last word says more than a word from the middle of a long one.
            scores[name] = hits + (len(words) if words[-1] in said else 0)
    top = max(scores.values(), default=0)
    return [name for name, score in scores.items() if score == top]


def _list_products(text: str, named: list[str], names: list[str]) -> str:
    if len(named) > 1:
        lines = "\n".join(f"{place}. {name}" for place, name in enumerate(named, start=1))
        return f"There are:\n{lines}\n{QUESTIONS[Slot.PRODUCT]}"
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    lead = "The shop sells" if CATALOGUE.search(text) else "I can’t find that among the products. The shop sells"
    return f"{lead}: {join_words(sorted(names)[:MOST_NAMED])}{more}. {QUESTIONS[Slot.PRODUCT]}"


def _tell_product(product: Block, text: str) -> str:
    """The variants that fit the words, else all of them; what is not available is said."""
    variants = sorted(product.get("variants", {}).values(), key=lambda one: (not one.get("available"), one["price"]))
    wanted = read_options(_without_name(THAN.sub(" ", text), str(product.get("name", ""))), variants)
    fits = [one for one in variants if all(one["options"].get(key) in vals for key, vals in wanted.items())]
    name = product.get("name", "product")
    ready = [one for one in variants if one.get("available")]
    for pattern, word, place in ((CHEAPEST, "cheapest", 0), (DEAREST, "most expensive", -1)):
        if pattern.search(text) and ready:
            one = ready[place]
            return f"The {word} {name} is {tell_options(one['options'])}, at {money(one['price'])}."
    lead = f"There is no {name} like that. There is" if wanted and not fits else f"Of the {name} there is"
    shown = fits or variants
    if not shown:
        return f"I see no {name} at the moment."
    lines = [f"{n}. {_tell_variant(one)}" for n, one in enumerate(shown[:MOST_VARIANTS], start=1)]
    more = [f"and {len(shown) - MOST_VARIANTS} more."] if len(shown) > MOST_VARIANTS else []
    return "\n".join([f"{lead}:", *lines, *more])


def _without_name(text: str, name: str) -> str:
    """ "Steel Bottle" asks for no steel."""
    return re.sub(rf"\b{re.escape(name)}s?\b", " ", text, flags=re.IGNORECASE)


def _tell_variant(variant: Block) -> str:
    gone = "" if variant.get("available") else ", not available right now"
    return f"{tell_options(variant.get('options', {}))}, {money(variant['price'])}{gone}"
