"""How a pending order is paid, and where orders go."""

import re

from conversations.agent.offline_address import ASKED, PARTS, complete, read_address, takes_own
from conversations.agent.offline_choosing import Choosing
from conversations.agent.offline_desk import Say, Use
from conversations.agent.offline_history import Task
from conversations.agent.offline_kinds import SCOPE_OPEN, Kind
from conversations.agent.offline_outcomes import ADDRESS_TOOL, HOME_TOOL, PAYMENT_TOOL
from conversations.agent.offline_payment import Named, list_methods, read_all, read_method, read_original, tell_method
from conversations.agent.offline_words import NOTHING, QUESTIONS, Slot
from conversations.agent.protocol import Block

# In this order the missing parts are asked for.
QUESTIONED = tuple((part, slot) for slot, part in ASKED.items())
# After an address was changed in this chat, these words mean that one.
SAME_PLACE = re.compile(
    r"\bthere\b|\bsame (?:address|place|one)\b|\bthat (?:address|one|place)\b|\b(?:the|my) new (?:address|one"
    r"|place)\b"
    r"|\b(?:it|this|that)\b[^.?!]{0,40}\b(?:too|also|as well|account|profile|default|both)\b|\b(?:also|too"
    r"|as well)\b",
    re.IGNORECASE,
)


class Details(Choosing):
    """Payment method and addresses."""

    def _plan_payment(self, task: Task) -> Say | Use:
        order = self._find_order(task)
        if isinstance(order, Say | Use):
            return order
        methods, original = self._methods(), read_original(order)
        others = [key for key in methods if key != original]
        pays = tell_method(original, methods)
        if not others:
            return Say(f"Order {order['order_id']} is paid with your {pays}, and I see no other method. {NOTHING}")
        named = self._read_new_method(task, methods, original)
        fits = [method for method in named.methods if method in others]
        if len(fits) != 1:
            told = f"Order {order['order_id']} is paid with your {pays}. "
            if named.said and not named.methods:
                told += "I can’t find the one you named in your account. "
            lines = list_methods(fits or others, methods, original)
            return Say(f"{told}You can use:\n{lines}\n{QUESTIONS[Slot.METHOD]}")
        return Use(PAYMENT_TOOL, {"order_id": order["order_id"], "payment_method_id": fits[0]})

    def _read_new_method(self, task: Task, methods: Block, original: str) -> Named:
        for heard in reversed(task.heard):
            # The method that pays now may be named too, as the one to leave.
            left = tuple(key for key in read_all(heard.text, methods) if key != original)
            if left:
                return Named(True, left)
            named = read_method(heard.text, methods, original, asked=heard.slot is Slot.METHOD)
            if named.said:
                return named
        return Named()

    def _plan_address(self, task: Task) -> Say | Use:
        if task.topic == SCOPE_OPEN and not task.orders:
            return Say(QUESTIONS[Slot.SCOPE])
        now = self.history.read_profile().get("address", {})
        target: Block = {"user_id": self.history.user_id}
        if task.kind is Kind.ADDRESS:
            order = self._find_order(task)
            if isinstance(order, Say | Use):
                return order
            own, now, target = now, order.get("address", {}), {"order_id": order["order_id"]}
        else:
            own = {}
        done = [call for kind in (Kind.ADDRESS, Kind.HOME) if (call := self._last_done(kind)) is not None]
        last = max(done, key=lambda call: call.at).input if done else {}
        parts = _gather(task, now, own, last)
        missing = [slot for part, slot in QUESTIONED if not parts.get(part)]
        if missing:
            return Say(QUESTIONS[missing[0] if any(parts.values()) else Slot.NEW_ADDRESS])
        given = target | {part: parts[part] for part in PARTS}
        again = [call for call in done if call.input == given]
        if again:
            return Say(self._tell_again(again[0]))
        return Use(ADDRESS_TOOL if task.kind is Kind.ADDRESS else HOME_TOOL, given)


def _gather(task: Task, now: Block, own: Block, last: Block) -> dict[str, str]:
    """The address as far as it was said. Parts that are named alone change the address that is there now."""
    parts: dict[str, str] = {}
    for heard in task.heard:
        found = read_address(heard.text, heard.slot)
        if not found and last and SAME_PLACE.search(heard.text):
            found = {part: str(last.get(part, "")) for part in PARTS}
        elif not found and own and takes_own(heard.text):
            found = {part: str(own.get(part, "")) for part in PARTS}
        if "address1" in found and len(found) > 2:
            parts = {}
        parts |= found
    if parts and "address1" not in parts and "city" not in parts and not _asked_whole(task):
        parts = {part: str(now.get(part, "")) for part in PARTS} | parts
    return complete(parts)


def _asked_whole(task: Task) -> bool:
    return any(heard.slot is not None and heard.slot in ASKED for heard in task.heard)
