"""What the offline model does next: one thing to say or one call to make, from the history and the tools alone."""

from conversations.agent.offline_desk import FETCH, PROFILE, Say, Use
from conversations.agent.offline_details import Details
from conversations.agent.offline_help import Help
from conversations.agent.offline_history import KEEPS_TASK, WRITES, Task
from conversations.agent.offline_kinds import BACK_OPEN, CHANGES, HANDED_OVER, Kind
from conversations.agent.offline_orders import Orders
from conversations.agent.offline_outcomes import Outcome, tell_outcome
from conversations.agent.offline_products import Products
from conversations.agent.offline_reading import read_words
from conversations.agent.offline_swapping import Items
from conversations.agent.offline_words import (
    ADDRESS_SLOTS,
    LIST_SLOTS,
    NOTHING,
    ORDER_SLOTS,
    QUESTIONS,
    Slot,
    find_slot,
)

REPEATED = (LIST_SLOTS - {Slot.PRODUCT}) | ORDER_SLOTS | ADDRESS_SLOTS | {Slot.SCOPE, Slot.WHAT, Slot.BACK}


class Dialogue(Orders, Items, Details, Products, Help):
    """One decision: what to say, or the one call to make next."""

    def next_move(self) -> Say | Use:
        move = self._decide()
        if isinstance(move, Use):
            last = self.history.calls[-2:]
            if move.tool not in self.tools:
                return Say(f"I can’t do that from here. {self._offer()}")
            if len(last) == 2 and all(c.failed and (c.name, c.input) == (move.tool, move.input) for c in last):
                return Say(f"I tried this twice and it did not work. {NOTHING} {self._offer()}")
        return move

    def _decide(self) -> Say | Use:
        """The outcomes not told yet, then what there is to say of each task, up to the first question or call."""
        history = self.history
        methods = history.read_profile().get("payment_methods", {})
        told = [tell_outcome(one.name, one.input, one.result, one.is_error, methods) for one in history.untold]
        told += history.news
        tasks = [*history.passed, *([history.task] if history.task else []), *history.waiting]
        if not tasks and not told:
            return self._resume_chat()
        for task in tasks:
            move = self._handle(task)
            if isinstance(move, Use):
                return move
            told.append(move.text)
            if find_slot(move.text) in KEEPS_TASK:
                break
        text = _join(told) or self._offer()
        slot = find_slot(text)
        if slot in REPEATED and history.said.endswith(text) and history.slot is slot:
            text = f"I did not understand that. {text}"
        return Say(text)

    def _handle(self, task: Task) -> Say | Use:
        if task.kind is Kind.CANCEL:
            return self._cancel(task)
        if task.kind in CHANGES:
            return self._reconsider(task) if task.paused else self._plan(task)
        if task.kind is Kind.PERSON or (task.topic in HANDED_OVER and FETCH in self.tools):
            return self._fetch_person(task)
        if task.kind is Kind.PRODUCTS or (task.kind is Kind.UNCLEAR and self._may_name_product(task)):
            return self._answer_product(task)
        if self._may_ask_help_center(task):
            return self._answer_help(task)
        if task.kind in {Kind.STATUS, Kind.VERIFY}:
            return self._identify() or (self._status(task) if task.kind is Kind.STATUS else self._welcome())
        return Say(self._small_talk(task.kind, task))

    def _plan(self, task: Task) -> Say | Use:
        """The question or call that leads to the change which the customer wants."""
        missing = self._prepare(task)
        if missing is not None:
            return missing
        if task.kind in {Kind.RETURN, Kind.SWAP}:
            return self._plan_items(task)
        if task.kind is Kind.PAYMENT:
            return self._plan_payment(task)
        if task.kind is Kind.CHANGE:
            return Say(QUESTIONS[Slot.BACK if task.topic == BACK_OPEN else Slot.WHAT])
        return self._plan_address(task)

    def _reconsider(self, task: Task) -> Say | Use:
        """After a closed card: the same again only when the customer says so; something else is a new card."""
        history = self.history
        closed = history.find_write(task.kind)
        plan = self._plan(task)
        if closed is None or not (isinstance(plan, Use) and plan.tool in WRITES):
            return plan
        if (plan.tool, plan.input) != (closed.name, closed.input):
            return plan
        if closed.outcome is Outcome.NO:
            words = task.heard[-1].text if task.heard else ""
            return Say("" if history.untold else self._small_talk(read_words(words, None).manner, task))
        if history.untold:
            return Say(QUESTIONS[Slot.STILL])
        return Say(f"I did not understand that. {QUESTIONS[Slot.STILL]}")

    def _small_talk(self, kind: Kind, task: Task) -> str:
        if kind is Kind.STOPPED:
            if self.history.untold:
                return ""
            return f"Okay, I left order {task.orders[0]} as it is. {NOTHING}" if task.orders else f"Okay. {NOTHING}"
        name = str(self.history.read_profile().get("name", {}).get("first_name", ""))
        said = {
            Kind.OTHER: self._tell_unsupported(task.topic),
            Kind.HELP: self._tell_unsupported(task.topic),
            Kind.GREETING: f"Hello{' ' + name if name else ''}. {self._offer()}",
            Kind.MACHINE: f"I am a demo assistant with fixed rules, not a person. {self._offer()}",
            Kind.THANKS: "You’re welcome.",
            Kind.BYE: "Goodbye.",
            Kind.YES: f"All right. {self._offer()}",
            Kind.NO: "Okay.",
        }
        return said.get(kind, f"I did not understand that. {self._offer()}")

    def _welcome(self) -> Say | Use:
        if self._needs_profile():
            return Use(PROFILE, {"user_id": self.history.user_id})
        profile = self.history.read_profile()
        email = str(profile.get("email", ""))
        if self.history.email and email and email.lower() != self.history.email.lower():
            return Say(f"This chat stays with the account that was found first. {self._offer()}")
        name = str(profile.get("name", {}).get("first_name", ""))
        return Say(f"Thank you{', ' + name if name else ''}. I found your account. {self._offer()}")


def _join(told: list[str]) -> str:
    """One paragraph, or one for each part where a part is a list."""
    parts = [part for part in told if part]
    return ("\n\n" if any("\n" in part for part in parts) else " ").join(parts)
