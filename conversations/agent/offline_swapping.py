"""Returning items, and getting other ones instead."""

from dataclasses import dataclass, field, replace

from conversations.agent.offline_choosing import PENDING, Choosing
from conversations.agent.offline_desk import PRODUCT, Say, Use
from conversations.agent.offline_history import Heard, Task
from conversations.agent.offline_items import Reading, Segment, names_any, read_items
from conversations.agent.offline_kinds import SAME_ITEMS, Kind
from conversations.agent.offline_outcomes import EXCHANGE_TOOL, MODIFY_TOOL, RETURN_TOOL
from conversations.agent.offline_payment import list_methods, read_method, read_original, speaks_of_method
from conversations.agent.offline_person import HandOver
from conversations.agent.offline_variants import (
    Match,
    drop_denied,
    find_variant,
    read_comparison,
    read_options,
    tell_item,
    tell_options,
)
from conversations.agent.offline_words import NOTHING, QUESTIONS, Slot, money, parse_json
from conversations.agent.protocol import Block

MONEY_SLOTS = frozenset({Slot.REFUND_TO, Slot.DIFFERENCE})
ANSWERED = MONEY_SLOTS | {Slot.OPTION}
ITEM_SLOTS = frozenset({Slot.RETURN_ITEMS, Slot.SWAP_ITEMS})


@dataclass
class Wanted:
    """What one item should become: option values by key, and the variant that this comes to."""

    options: dict[str, set[str]] = field(default_factory=dict)
    match: Match = field(default_factory=Match)


class Items(Choosing, HandOver):
    """Return, exchange, and change of a pending order's items."""

    def _plan_items(self, task: Task) -> Say | Use:
        order = self._find_order(task)
        if isinstance(order, Say | Use):
            return order
        items = list(order.get("items", []))
        picked = _pick_items(task, items)
        ids = [str(items[place].get("item_id")) for place in picked]
        if not picked:
            lines = "\n".join(
                f"{n}. {tell_item(item)}, {money(item['price'])}" for n, item in enumerate(items, start=1)
            )
            slot = Slot.RETURN_ITEMS if task.kind is Kind.RETURN else Slot.SWAP_ITEMS
            return Say(f"In order {order['order_id']} there is:\n{lines}\n{QUESTIONS[slot]}")
        if len(set(ids)) < len(ids):
            return self._fetch_person(replace(task, topic=SAME_ITEMS))
        if task.kind is Kind.RETURN:
            return self._return(task, order, ids)
        return self._swap(task, order, [items[place] for place in picked])

    def _return(self, task: Task, order: Block, ids: list[str]) -> Say | Use:
        methods, original = self._methods(), read_original(order)
        gifts = [key for key, one in methods.items() if one.get("source") == "gift_card" and key != original]
        choices = [original, *gifts] if original in methods else gifts
        named = self._read_money(task, methods, original)
        fits = [method for method in named or () if method in choices]
        if not choices:
            return Say(f"I see no way to pay you back for it. {NOTHING} {self._offer()}")
        # A customer with one way to pay has nothing to choose; any other says where the money goes.
        if len(fits) != 1 and (named is not None or len(methods) > 1):
            refused = named is not None and not fits
            only = "The money can only go back the way it was paid or to a gift card. " if refused else ""
            lines = list_methods(choices, methods, original)
            return Say(f"{only}It can go to:\n{lines}\n{QUESTIONS[Slot.REFUND_TO]}")
        method = (fits or choices)[0]
        if RETURN_TOOL not in self.tools:
            return Say(self._tell_unsupported("return items"))
        return Use(RETURN_TOOL, {"order_id": order["order_id"], "item_ids": ids, "payment_method_id": method})

    def _read_money(self, task: Task, methods: Block, original: str) -> tuple[str, ...] | None:
        """The methods that the newest words about money can mean; None where there are no such words."""
        for heard in (one for one in reversed(task.heard) if one.money):
            named = read_method(heard.text, methods, original, asked=heard.slot in MONEY_SLOTS)
            if named.said and (heard.slot not in ITEM_SLOTS or named.methods):
                return named.methods
        return None

    def _swap(self, task: Task, order: Block, items: list[Block]) -> Say | Use:
        shelves: dict[str, list[Block]] = {}
        for item in items:
            product_id = str(item.get("product_id", ""))
            call = self.history.find_call(PRODUCT, since=task.since, product_id=product_id)
            if call is None:
                return Use(PRODUCT, {"product_id": product_id})
            product = {} if call.failed else parse_json(call.result)
            shelves[product_id] = list(product.get("variants", {}).values())
        wanted = _read_wanted(task, list(order.get("items", [])), items, shelves)
        for item in items:
            match = wanted[str(item["item_id"])].match
            if match.chosen is None:
                return Say(_offer_variants(item, match))
        new_ids = [str(wanted[str(item["item_id"])].match.chosen["item_id"]) for item in items]  # type: ignore[index]
        return self._settle_difference(task, order, [str(item["item_id"]) for item in items], new_ids)

    def _settle_difference(self, task: Task, order: Block, ids: list[str], new_ids: list[str]) -> Say | Use:
        tool = MODIFY_TOOL if order.get("status") == PENDING else EXCHANGE_TOOL
        if tool not in self.tools:
            return Say(self._tell_unsupported("change items" if tool == MODIFY_TOOL else "exchange items"))
        methods, original = self._methods(), read_original(order)
        named = self._read_money(task, methods, original)
        # Where several would do, the customer says which; the original is not taken for granted.
        fits = named if named is not None else (original,) if [original] == list(methods) else ()
        if len(fits) != 1:
            missing = "I can’t find that one in your account. " if named is not None and not fits else ""
            lines = list_methods(list(fits or methods), methods, original)
            return Say(f"{missing}You can use:\n{lines}\n{QUESTIONS[Slot.DIFFERENCE]}")
        given = {"order_id": order["order_id"], "item_ids": ids, "new_item_ids": new_ids, "payment_method_id": fits[0]}
        return Use(tool, given)


def _pick_items(task: Task, items: list[Block]) -> tuple[int, ...]:
    """The places of the items meant by all that was said; later words replace earlier ones, "also" adds."""
    picked: tuple[int, ...] = ()
    for heard in task.heard:
        found = _read_heard(heard, items, task.kind)
        if found.picked:
            picked = tuple(sorted({*picked, *found.picked})) if heard.also else found.picked
        elif heard.other and len(picked) == 1 and len(items) == 2 and heard.slot not in ANSWERED:
            picked = (1 - picked[0],)
        elif found.unclear and heard.slot in ITEM_SLOTS:
            picked = ()
    return picked or ((0,) if len(items) == 1 else ())


def _read_heard(heard: Heard, items: list[Block], kind: Kind) -> Reading:
    """An answer to "which one instead" names no item; words of an option name one only where items were asked for."""
    if heard.slot is Slot.OPTION or (heard.slot in MONEY_SLOTS and not names_any(heard.text, items)):
        return Reading()
    bare = kind is Kind.RETURN or heard.slot in ITEM_SLOTS
    found = read_items(heard.text, items, asked=heard.slot in ITEM_SLOTS)
    return found if bare or found.segments or not found.picked or len(found.picked) > 1 else Reading()


def _read_wanted(
    task: Task, held: list[Block], items: list[Block], shelves: dict[str, list[Block]]
) -> dict[str, Wanted]:
    """For each item what it should become, by all that was said in its order."""
    wanted = {str(item["item_id"]): Wanted() for item in items}
    for item in items:
        wanted[str(item["item_id"])].match = find_variant(item, shelves[str(item["product_id"])], {})
    for heard in task.heard:
        if heard.slot in MONEY_SLOTS and speaks_of_method(heard.text):
            continue
        segments = read_items(heard.text, held, asked=heard.slot in ITEM_SLOTS).segments
        for item, text in _share_out(heard, held, items, segments, wanted):
            _want(wanted[str(item["item_id"])], item, shelves[str(item["product_id"])], text)
    return wanted


def _share_out(
    heard: Heard,
    held: list[Block],
    items: list[Block],
    segments: dict[int, Segment],
    wanted: dict[str, Wanted],
) -> list[tuple[Block, tuple[str, str]]]:
    """Which item the words are about: the named ones, else the first that is still open, else the last."""
    named = [(item, segments[place]) for item in items if (place := held.index(item)) in segments]
    if heard.slot in ITEM_SLOTS:
        # Here a description tells the item; only what follows "for" or "to" says what it should become.
        return [(item, ("", part.target)) for item, part in named if part.target.strip()]
    if named and (heard.slot is not Slot.OPTION or len(named) > 1):
        # A name said for several items, as in "both keyboards", carries one wish for each of them.
        return [(item, (part.described, part.target)) for item, part in named]
    left = [item for item in items if wanted[str(item["item_id"])].match.chosen is None]
    item = left[0] if left else items[-1]
    return [(item, ("", drop_denied(heard.text)))]


def _want(wanted: Wanted, item: Block, shelf: list[Block], text: tuple[str, str]) -> None:
    described, target = text
    named, now = read_options(target, shelf), item.get("options", {})
    spoken = read_options(f"{described} {target}", shelf).items()
    # What is said of the item and does not hold of it yet is wanted too.
    changed = {key: left for key, values in spoken if (left := values - {str(now.get(key))})}
    named = named | {key: values for key, values in changed.items() if key not in named}
    named = named or read_comparison(f"{described} {target}", item, shelf)
    same = all(values == {str(now.get(key))} for key, values in named.items())
    # "It should be black" of what is black asks for nothing yet.
    if not named or (same and not wanted.options):
        return
    merged = wanted.options | named
    match = find_variant(item, shelf, merged)
    if match.chosen is None and merged != named:
        match, merged = find_variant(item, shelf, named), named
    wanted.options, wanted.match = merged, match


def _offer_variants(item: Block, match: Match) -> str:
    told = ""
    if match.missing is not None:
        told = f"The {item['name']} ({tell_options(match.missing.get('options', {}))}) is not available right now. "
    elif match.unknown:
        told = f"There is no {item['name']} like that. "
    if not match.offers:
        return f"{told}I see no other {item['name']} that is available. {NOTHING}"
    lines = "\n".join(
        f"{n}. {tell_options(one.get('options', {}))}, {money(one['price'])}"
        for n, one in enumerate(match.offers, start=1)
    )
    only = "I can only change it to another version of the same product."
    return f"{told}{only} Instead of the {tell_item(item)} there is:\n{lines}\n{QUESTIONS[Slot.OPTION]}"
