"""What the offline model does next: one thing to say or one call to make, from the history and the tools alone."""

from dataclasses import dataclass

from conversations.agent.offline_history import CANCEL_TOOL, Call, History, Task, read_history
from conversations.agent.offline_reading import Kind, names_item
from conversations.agent.offline_words import (
    NOTHING,
    POLICY,
    QUESTIONS,
    Outcome,
    Slot,
    join_words,
    list_choices,
    parse_json,
    tell_order,
    tell_orders,
    tell_outcome,
    tell_status,
    tell_total,
)
from conversations.agent.protocol import Block, ModelRequest

# Older orders are asked for by number: looking all of a long list up would use the turn's steps.
MOST_ORDERS = 12
BY_EMAIL, BY_NAME, PROFILE = "find_user_id_by_email", "find_user_id_by_name_zip", "get_user_details"
LOOK_UP, FETCH = "get_order_details", "transfer_to_human_agents"


@dataclass(frozen=True)
class Say:
    """A finished reply; the turn ends with it."""

    text: str


@dataclass(frozen=True)
class Use:
    """The one tool call to make now."""

    tool: str
    input: Block


class Dialogue:
    """One decision: what to say, or the one call to make next."""

    def __init__(self, request: ModelRequest) -> None:
        self.tools = {str(tool.get("name")) for tool in request.tools}
        self.history: History = read_history(request.messages)

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
        task = self.history.task
        if task is None:
            return self._resume_chat()
        if task.kind is Kind.CANCEL:
            return self._cancel(task)
        if task.kind is Kind.PERSON:
            return self._fetch_person(task)
        if task.kind in {Kind.STATUS, Kind.VERIFY}:
            return self._identify() or (self._status(task) if task.kind is Kind.STATUS else self._welcome())
        return self._say(self._small_talk(task))

    def _offer(self) -> str:
        can = [word for word, tool in (("look up", LOOK_UP), ("cancel", CANCEL_TOOL)) if tool in self.tools]
        fetch = FETCH in self.tools
        if can:
            return f"I can {join_words(can)} orders" + (f", or {QUESTIONS[Slot.PERSON]}" if fetch else ".")
        return (
            f"I can {QUESTIONS[Slot.PERSON]}" if fetch else "I can only point you to “Talk to a person” in this chat."
        )

    def _tell_unsupported(self, topic: str) -> str:
        return f"I can’t {topic} in this demo yet; {self._offer()}"

    def _small_talk(self, task: Task) -> str:
        stopped = task.kind is Kind.STOPPED
        if stopped and self.history.untold:
            return ""
        if stopped:
            return f"Okay, I left order {task.orders[0]} as it is. {NOTHING}" if task.orders else f"Okay. {NOTHING}"
        name = str(self.history.read_profile().get("name", {}).get("first_name", ""))
        said = {
            Kind.OTHER: self._tell_unsupported(task.topic),
            Kind.GREETING: f"Hello{' ' + name if name else ''}. {self._offer()}",
            Kind.MACHINE: f"I am a demo assistant with fixed rules, not a person. {self._offer()}",
            Kind.THANKS: "You’re welcome.",
            Kind.BYE: "Goodbye.",
            Kind.YES: f"All right. {self._offer()}",
            Kind.NO: "Okay.",
        }
        return said.get(task.kind, f"I did not understand that. {self._offer()}")

    def _say(self, *more: str) -> Say:
        """The outcomes not told yet, then `more`."""
        methods = self.history.read_profile().get("payment_methods", {})
        told = [tell_outcome(call.order_id, call.result, call.is_error, methods) for call in self.history.untold]
        return Say(" ".join(part for part in (*told, *more) if part) or self._offer())

    def _fetch_person(self, task: Task) -> Say | Use:
        done = self.history.find_call(FETCH, since=task.since)
        if FETCH not in self.tools or (done is not None and done.failed):
            return Say("I could not fetch a person from here. Please press “Talk to a person”.")
        if done is not None:
            return self._say("I have passed this on to a person. They will reply in this chat.")
        return Use(FETCH, {"summary": self._summarize()})

    def _summarize(self) -> str:
        history = self.history
        cancelled = [call.order_id for call in history.list_cancels(-1) if call.outcome is Outcome.DONE]
        words = " / ".join(history.words[-3:])[:300]
        return " ".join(
            [
                "The customer asked for a person.",
                f"Account: {history.user_id or 'not verified'}.",
                f"Cancelled in this chat: {join_words(cancelled) if cancelled else 'nothing'}.",
                f"Last words of the customer: {words}",
            ]
        )

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

    def _welcome(self) -> Say | Use:
        if self._needs_profile():
            return Use(PROFILE, {"user_id": self.history.user_id})
        profile = self.history.read_profile()
        email = str(profile.get("email", ""))
        if self.history.email and email and email.lower() != self.history.email.lower():
            return Say(f"This chat stays with the account that was found first. {self._offer()}")
        name = str(profile.get("name", {}).get("first_name", ""))
        return Say(f"Thank you{', ' + name if name else ''}. I found your account. {self._offer()}")

    def _needs_profile(self, since: int = -1) -> bool:
        known = self.history.find_call(PROFILE, since=since, user_id=self.history.user_id)
        return PROFILE in self.tools and known is None

    def _list_account_orders(self, task: Task) -> Say | Use | list[Block]:
        """The account's newest orders as they are now, or the step that is missing for that."""
        history = self.history
        if self._needs_profile(task.since):
            return Use(PROFILE, {"user_id": history.user_id})
        profile = history.read_profile()
        if not profile:
            return Say(f"I need to know which order you mean. {QUESTIONS[Slot.ORDER]}")
        orders = []
        for order_id in profile.get("orders", [])[-MOST_ORDERS:]:
            call = history.find_call(LOOK_UP, since=task.since, order_id=order_id)
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
        if call.failed and not call.result.startswith("Error: order not found"):
            return f"I could not look up order {call.order_id}. A person can check it."
        return f"I can’t find order {call.order_id} in your account. Please check the number."

    def _status(self, task: Task) -> Say | Use:
        methods, told = self.history.read_profile().get("payment_methods", {}), []
        if not task.orders:
            found = self._list_account_orders(task)
            if not isinstance(found, list):
                return found
            told.append(tell_orders(found, len(self.history.read_profile()["orders"]), methods))
        for order_id in task.orders:
            call = self.history.find_call(LOOK_UP, since=task.since, order_id=order_id)
            if call is None:
                return Use(LOOK_UP, {"order_id": order_id})
            order = self._read_order(call)
            told.append(tell_order(order, methods) if order else self._tell_missing(call))
        return self._say(*told)

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

    def _resume_chat(self) -> Say:
        return self._say() if self.history.untold else Say(f"I am back in this chat. {self._offer()}")

    def _offer_again(self) -> Say:
        if self.history.untold:
            return self._say(QUESTIONS[Slot.AGAIN])
        if self.history.slot is Slot.AGAIN:
            return Say(f"I did not understand that. {QUESTIONS[Slot.AGAIN]}")
        return self._resume_chat()

    def _choose(self, task: Task) -> Say | Use | tuple[str, ...]:
        """The pending order meant where no number was given; the customer chooses among several."""
        found = self._list_account_orders(task)
        if not isinstance(found, list):
            return found
        pending = [o for o in found if o.get("status") == "pending" and o["order_id"] not in task.rejected]
        if not pending:
            other = "other " if task.rejected else ""
            text = f"I see no {other}pending order in your account, so there is none to cancel. {NOTHING}"
            return self._say(text)
        named = [order for order in pending if names_item(task.words, [item["name"] for item in order["items"]])]
        if not task.every and len(pending) > 1:
            if len(named) != 1:
                lines = "\n".join(list_choices(pending, map(tell_total, pending)))
                text = f"You have {len(pending)} pending orders:\n{lines}\n{QUESTIONS[Slot.WHICH]}"
                return self._say(text)
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
                return self._say(told)
        if task.topic:
            notes.append(self._tell_unsupported(task.topic))
        return self._say(*notes)
