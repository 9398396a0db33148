"""Orders as they stand, and cancelling them."""

import re

from conversations.agent.offline_desk import LOOK_UP, MORE, PROFILE, Desk, Say, Use
from conversations.agent.offline_history import Task
from conversations.agent.offline_items import names_any
from conversations.agent.offline_outcomes import CANCEL_TOOL
from conversations.agent.offline_words import (
    NOTHING,
    QUESTIONS,
    Slot,
    join_words,
    list_choices,
    tell_address,
    tell_order,
    tell_orders,
    tell_status,
    tell_total,
)

ADDRESS_ASKED = re.compile(
    r"\baddress|\bwhere\b[^.?!]{0,40}\b(?:ship|deliver|sent|going|goes|go)|\bship\w* to\b|\bgoing to\b", re.IGNORECASE
)


class Orders(Desk):
    """Order status and cancellation."""

    def _status(self, task: Task) -> Say | Use:
        methods, told = self.history.read_profile().get("payment_methods", {}), []
        if not task.orders:
            found = self._list_account_orders(task.since)
            if not isinstance(found, list):
                return found
            told.append(tell_orders(found, len(self.history.read_profile()["orders"]), methods))
        for order_id in task.orders:
            call = self.history.find_call(LOOK_UP, since=task.since, order_id=order_id)
            if call is None:
                return Use(LOOK_UP, {"order_id": order_id})
            order = self._read_order(call)
            told.append(tell_order(order, methods) if order else self._tell_missing(call))
            if order and ADDRESS_ASKED.search(task.words):
                told.append(tell_address(order))
        return Say(" ".join(told))

    def _cancel(self, task: Task) -> Say | Use:
        history = self.history
        if task.paused:
            return self._offer_again()
        if CANCEL_TOOL not in self.tools:
            return Say(self._tell_unsupported("cancel orders"))
        missing = self._identify()
        if missing is not None:
            return missing
        # The profile says in words where the money goes.
        if self._needs_profile():
            return Use(PROFILE, {"user_id": history.user_id})
        handled = {call.order_id for call in history.list_cancels(task.since)}
        ids: Say | Use | tuple[str, ...] = task.orders
        if not ids and (task.every or not handled):
            ids = self._choose(task)
        if not isinstance(ids, tuple):
            return ids
        return self._cancel_each(task, [order_id for order_id in ids if order_id not in handled])

    def _offer_again(self) -> Say:
        if self.history.untold:
            return Say(QUESTIONS[Slot.AGAIN])
        if self.history.slot is Slot.AGAIN:
            return Say(f"I did not understand that. {QUESTIONS[Slot.AGAIN]}")
        return self._resume_chat()

    def _choose(self, task: Task) -> Say | Use | tuple[str, ...]:
        """The pending order meant where no number was given; the customer chooses among several."""
        found = self._list_account_orders(task.since)
        if not isinstance(found, list):
            return found
        pending = [o for o in found if o.get("status") == "pending" and o["order_id"] not in task.rejected]
        if not pending:
            other = "other " if task.rejected else ""
            text = f"I see no {other}pending order in your account, so there is none to cancel. {NOTHING}"
            return Say(text)
        named = [order for order in pending if names_any(task.words, order["items"])]
        done = self._last_done(task.kind)
        again = done is not None and not task.rejected and not task.every
        if done is not None and again and not named and not MORE.search(task.words):
            return Say(self._tell_again(done))
        if not task.every and (len(pending) > 1 or (again and not named)):
            if len(named) != 1:
                lines = "\n".join(list_choices(pending, map(tell_total, pending)))
                count = f"{len(pending)} pending order" + "s" * (len(pending) > 1)
                return Say(f"You have {count}:\n{lines}\n{QUESTIONS[Slot.WHICH]}")
            pending = named
        return tuple(str(order["order_id"]) for order in pending)

    def _cancel_each(self, task: Task, ids: list[str]) -> Say | Use:
        """The next order's look-up, question or call; once none is left, what came of them all."""
        history, notes = self.history, []
        for order_id in ids:
            call = history.find_call(LOOK_UP, since=task.since, order_id=order_id)
            if call is None:
                return Use(LOOK_UP, {"order_id": order_id})
            order = self._read_order(call)
            if not order:
                notes.append(f"{self._tell_missing(call)} {NOTHING}")
            elif order.get("status") != "pending":
                notes.append(f"Order {order_id} can’t be cancelled, because it is {tell_status(order)}. {NOTHING}")
            else:
                # A card offered again for the same order keeps the reason it was given for.
                before = history.find_call(CANCEL_TOOL, order_id=order_id)
                reason = task.reason or (str(before.input.get("reason", "")) if before else "")
                if reason:
                    return Use(CANCEL_TOOL, {"order_id": order_id, "reason": reason})
                names = join_words(str(item["name"]) for item in order["items"])
                told = f"Order {order_id} is still pending: {names}, {tell_total(order)}. {QUESTIONS[Slot.REASON]}"
                return Say(told)
        return Say(" ".join(notes))
