"""Which order a change is about, and why an order does not allow it."""

from collections.abc import Set

from conversations.agent.offline_desk import LOOK_UP, MORE, PROFILE, Desk, Say, Use
from conversations.agent.offline_history import TOOLS, Task
from conversations.agent.offline_items import names_any
from conversations.agent.offline_kinds import BACK_OPEN, SCOPE_OPEN, Kind
from conversations.agent.offline_words import (
    NOTHING,
    QUESTIONS,
    Slot,
    join_words,
    list_choices,
    tell_status,
    tell_total,
)
from conversations.agent.protocol import Block

DELIVERED, PENDING = "delivered", "pending"
FITS: dict[Kind, Set[str]] = {
    Kind.RETURN: {DELIVERED},
    Kind.SWAP: {DELIVERED, PENDING},
    Kind.PAYMENT: {PENDING},
    Kind.ADDRESS: {PENDING},
}
ASKS = {
    Kind.RETURN: Slot.RETURN_ORDER,
    Kind.SWAP: Slot.SWAP_ORDER,
    Kind.PAYMENT: Slot.PAYMENT_ORDER,
    Kind.ADDRESS: Slot.ADDRESS_ORDER,
}
CAN_NOT = {
    Kind.RETURN: "nothing of order {order} can be returned",
    Kind.SWAP: "the items of order {order} can’t be exchanged",
    Kind.PAYMENT: "the payment of order {order} can’t be changed",
    Kind.ADDRESS: "the address of order {order} can’t be changed",
}
# What can be done instead, by the order's status.
HINTS = {
    PENDING: "While an order is pending, it can be cancelled or changed.",
    DELIVERED: "Items of a delivered order can be returned or exchanged.",
    "return requested": "An order can be returned or exchanged only once.",
    "exchange requested": "An order can be returned or exchanged only once.",
}


class Choosing(Desk):
    """The steps before a change: tools, account, order."""

    def _prepare(self, task: Task) -> Say | Use | None:
        """None once the customer and their payment methods are known."""
        if not self.tools & set(TOOLS[task.kind]):
            topics = {"": "change an address", SCOPE_OPEN: "change an address", BACK_OPEN: "exchange items"}
            return Say(self._tell_unsupported(topics.get(task.topic, task.topic)))
        missing = self._identify()
        if missing is not None:
            return missing
        return Use(PROFILE, {"user_id": self.history.user_id}) if self._needs_profile() else None

    def _methods(self) -> Block:
        methods = self.history.read_profile().get("payment_methods", {})
        return methods if isinstance(methods, dict) else {}

    def _find_order(self, task: Task) -> Say | Use | Block:
        """The order as it is now and in a state that allows the change; else the step or the words that are missing."""
        found = self._look_up(task, task.orders[0]) if task.orders else self._choose_order(task)
        if isinstance(found, Say | Use):
            return found
        status = str(found.get("status", ""))
        if status in FITS[task.kind]:
            return found
        return Say(self._tell_why_not(task.kind, found))

    def _look_up(self, task: Task, order_id: str) -> Say | Use | Block:
        call = self.history.find_call(LOOK_UP, since=self._fresh(task), order_id=order_id)
        if call is None:
            return Use(LOOK_UP, {"order_id": order_id})
        return self._read_order(call) or Say(f"{self._tell_missing(call)} {NOTHING}")

    def _tell_why_not(self, kind: Kind, order: Block) -> str:
        can_not = CAN_NOT[kind].format(order=order["order_id"])
        hint = HINTS.get(str(order.get("status", "")), "")
        told = f"{can_not[0].upper()}{can_not[1:]}, because it is {tell_status(order)}. {NOTHING}"
        return f"{told} {hint}".strip()

    def _choose_order(self, task: Task) -> Say | Use | Block:
        """The one order that fits the words; among several the one talked about last, else the customer chooses."""
        orders = self._list_account_orders(self._fresh(task))
        if not isinstance(orders, list):
            return orders
        fit = [order for order in orders if order.get("status") in FITS[task.kind]]
        fit = [order for order in fit if order["order_id"] not in task.rejected]
        named = False
        if task.kind in {Kind.RETURN, Kind.SWAP}:
            named = any(names_any(heard.text, order.get("items", [])) for heard in task.heard for order in orders)
            fit, other = self._narrow(task, fit, orders)
            if other is not None:
                return other
        done = self._last_done(task.kind)
        more = any(MORE.search(heard.text) for heard in task.heard)
        if done is not None and not named and not more:
            return Say(self._tell_again(done))
        if not fit:
            return Say(self._tell_none(task))
        hinted = [order for order in fit if order["order_id"] == task.hint]
        if (len(fit) == 1 or hinted) and (done is None or named):
            return (hinted or fit)[0]
        lines = "\n".join(list_choices(fit, (f"{tell_status(o)}, {tell_total(o)}" for o in fit)))
        return Say(f"These orders can be meant:\n{lines}\n{QUESTIONS[ASKS[task.kind]]}")

    def _narrow(self, task: Task, fit: list[Block], orders: list[Block]) -> tuple[list[Block], Block | None]:
        """The fitting orders that hold the named item; else another order that holds it, to say why not."""
        for heard in reversed(task.heard):
            named = [order for order in fit if names_any(heard.text, order.get("items", []))]
            elsewhere = [order for order in orders if names_any(heard.text, order.get("items", []))]
            if named:
                return self._prefer(task, named), None
            if elsewhere:
                left = [order for order in elsewhere if order["order_id"] not in task.rejected]
                return [], left[-1] if left else None
        return fit, None

    def _prefer(self, task: Task, named: list[Block]) -> list[Block]:
        """To "exchange" is said of what arrived, to "change" of what is still to come."""
        if task.kind is not Kind.SWAP:
            return named
        wanted = DELIVERED if task.topic == "exchange items" else PENDING
        return [order for order in named if order.get("status") == wanted] or named

    def _tell_none(self, task: Task) -> str:
        status = join_words(sorted(FITS[task.kind])).replace(" and ", " or ")
        other = "other " if task.rejected else ""
        return f"I see no {other}{status} order in your account, so there is nothing to change. {NOTHING}"
