"""What every part of the offline model's dialogue needs: who the customer is, their orders, and how to say things."""

import re
from dataclasses import dataclass

from conversations.agent.offline_hearing import read_history
from conversations.agent.offline_history import TOOLS, UNPROVED, WRITES, Call, History, Task
from conversations.agent.offline_kinds import Kind
from conversations.agent.offline_outcomes import (
    ADDRESS_TOOL,
    CANCEL_TOOL,
    EXCHANGE_TOOL,
    MODIFY_TOOL,
    RETURN_TOOL,
    Outcome,
    tell_outcome,
)
from conversations.agent.offline_words import NOTHING, POLICY, QUESTIONS, Slot, join_words, parse_json
from conversations.agent.protocol import Block, ModelRequest

PROVE_FIRST = "I may do that once you have proved who you are. This chat tells you how; I go on by myself then."
# Older orders are asked for by number: looking all of a long list up would use the turn's steps.
MOST_ORDERS = 12
BY_EMAIL, BY_NAME, PROFILE = "find_user_id_by_email", "find_user_id_by_name_zip", "get_user_details"
LOOK_UP, FETCH, PRODUCT = "get_order_details", "transfer_to_human_agents", "get_product_details"
OFFERS = (
    ("look up", (LOOK_UP,)),
    ("cancel", (CANCEL_TOOL,)),
    ("change", (MODIFY_TOOL, ADDRESS_TOOL)),
)
# After an action is done, only words like these ask for one more of its kind without naming it.
MORE = re.compile(
    r"\b(?:another|other|others|also|too|as well|next|second|different|remaining|rest|more|each|both|all|every)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Say:
    """A finished reply; the turn ends with it."""

    text: str


@dataclass(frozen=True)
class Use:
    """The one tool call to make now."""

    tool: str
    input: Block


class Desk:
    """The history, the tools, and the steps that all tasks share."""

    def __init__(self, request: ModelRequest) -> None:
        self.tools = {str(tool.get("name")) for tool in request.tools}
        self.system = request.system
        self.history: History = read_history(request.messages)

    def _offer(self) -> str:
        can = [word for word, tools in OFFERS if self.tools & set(tools)]
        back = [word for word, tool in (("return", RETURN_TOOL), ("exchange", EXCHANGE_TOOL)) if tool in self.tools]
        fetch = FETCH in self.tools
        if not can:
            person = f"I can {QUESTIONS[Slot.PERSON]}" if fetch else ""
            return person or "I can only point you to “Talk to a person” in this chat."
        items = f" and {join_words(back)} items" if back else ""
        return f"I can {join_words(can)} orders{items}" + (f", or {QUESTIONS[Slot.PERSON]}" if fetch else ".")

    def _tell_unsupported(self, topic: str) -> str:
        return f"I can’t {topic} in this chat; {self._offer()}"

    def _identify(self) -> Say | Use | None:
        """None once the account is known; else the look-up that can be made, or the one thing to ask for."""
        history = self.history
        if history.user_id:
            return None
        names = {"first_name": history.first_name, "last_name": history.last_name, "zip": history.zip}
        by_email = history.find_call(BY_EMAIL, email=history.email)
        by_name = history.find_call(BY_NAME, -1, **names)
        if history.email and BY_EMAIL in self.tools and by_email is None:
            return Use(BY_EMAIL, {"email": history.email})
        if all(names.values()) and BY_NAME in self.tools and by_name is None:
            return Use(BY_NAME, names)
        last = history.calls[-1] if history.calls else None
        if last and last.name in {BY_EMAIL, BY_NAME} and last.result.startswith(POLICY):
            return Say(f"I can’t look up accounts any more in this chat. {NOTHING} {self._offer()}")
        return Say(self._ask_identity(by_email, by_name))

    def _ask_identity(self, by_email: Call | None, by_name: Call | None) -> str:
        history = self.history
        if not {BY_EMAIL, BY_NAME} & self.tools:
            return f"I can’t look up accounts here. {self._offer()}"
        if {Slot.NAME, Slot.ZIP} & history.lacking and Slot.EMAIL in history.lacking:
            return f"Without these details I can’t find your account. {self._offer()}"
        if by_name is not None:
            what = "these details" if by_email else "that name and ZIP code"
            again = QUESTIONS[Slot.EMAIL if BY_EMAIL in self.tools else Slot.NAME]
            return f"I can’t find an account with {what}. Please check, or ask for a person. {again}"
        wants_name = by_email or Slot.EMAIL in history.lacking or history.first_name or BY_EMAIL not in self.tools
        if BY_NAME not in self.tools or not (wants_name or history.zip):
            if by_email:
                return f"I can’t find an account with that e-mail address. {QUESTIONS[Slot.EMAIL]}"
            either = "" if BY_NAME not in self.tools else " Name and ZIP code work too."
            return f"I need to find your account first.{either} {QUESTIONS[Slot.EMAIL]}"
        if history.first_name:
            return f"Thank you. {QUESTIONS[Slot.ZIP]}"
        failed = "I can’t find an account with that e-mail address. " if by_email else ""
        return f"{failed}Name and ZIP code work too. {QUESTIONS[Slot.NAME]}"

    def _needs_profile(self, since: int = -1) -> bool:
        known = self.history.find_call(PROFILE, since=since, user_id=self.history.user_id)
        return PROFILE in self.tools and known is None

    def _list_account_orders(self, since: int) -> Say | Use | list[Block]:
        """The account's newest orders as they are now, or the step that is missing for that."""
        history = self.history
        if self._needs_profile(since):
            return Use(PROFILE, {"user_id": history.user_id})
        profile = history.read_profile()
        if not profile:
            call = history.find_call(PROFILE, user_id=history.user_id)
            if call is not None and call.result.startswith(UNPROVED):
                return Say(PROVE_FIRST)
            return Say(f"I need to know which order you mean. {QUESTIONS[Slot.ORDER]}")
        orders = []
        for order_id in profile.get("orders", [])[-MOST_ORDERS:]:
            call = history.find_call(LOOK_UP, since=since, order_id=order_id)
            if call is None:
                return Use(LOOK_UP, {"order_id": order_id})
            order = self._read_order(call)
            if order:
                orders.append(order)
        return orders

    def _read_order(self, call: Call) -> Block:
        """Empty for an order that is missing or somebody else's: the two look the same to a customer."""
        order = {} if call.failed else parse_json(call.result)
        ours = order.get("user_id", self.history.user_id) == self.history.user_id
        return order if ours and order.get("order_id") == call.order_id else {}

    def _tell_missing(self, call: Call) -> str:
        if call.result.startswith(UNPROVED):
            return PROVE_FIRST
        if call.failed and not call.result.startswith("Error: order not found"):
            return f"I could not look up order {call.order_id}. A person can check it."
        return f"I can’t find order {call.order_id} in your account. Please check the number."

    def _last_done(self, kind: Kind) -> Call | None:
        """What this chat has done of this kind; words that name nothing else speak of that, not of a further one."""
        calls = (call for call in reversed(self.history.calls) if call.name in TOOLS[kind])
        return next((call for call in calls if call.outcome is Outcome.DONE), None)

    def _tell_again(self, call: Call) -> str:
        methods = self.history.read_profile().get("payment_methods", {})
        return tell_outcome(call.name, call.input, call.result, call.is_error, methods)

    def _resume_chat(self) -> Say:
        return Say("") if self.history.untold else Say(f"I am back in this chat. {self._offer()}")

    def _fresh(self, task: Task) -> int:
        """What was read before this is old: a task starts from nothing, and an action may have changed the order."""
        if task in self.history.passed:
            return task.since
        done = [call.at for call in self.history.calls if call.name in WRITES and call.outcome is Outcome.DONE]
        return max([task.since, *done])
