"""What the rows of one conversation show, read from the steps that the turn has at hand."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum, auto
from functools import cached_property, lru_cache
from html import unescape
from itertools import combinations
from typing import Any

from conversations.agent.reading_tools import SEARCH
from conversations.agent.reply_fault import Fault
from conversations.history import Row
from conversations.models import Step
from helpcenter.citations import read_sources
from policy.actions import ACTIONS

# How the desk's note about a draft begins. It repeats what was wrong, so it proves nothing.
TOLD = "Your last reply was not sent: "
NUMBER = re.compile(r"#?\bw\d{4,12}\b", re.IGNORECASE)
MOST_ITEMS = 8
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")
# In JSON a price is a number, and ids are texts; a note's text may hold sums too.
_VALUE = re.compile(r"(?:: |[$€£]\s?)(\d[\d,]*(?:\.\d+)?)(?![\w\"])")
_RULED = re.compile(r"(\d[\d,]*(?:\.\d+)?) (USD|EUR|GBP|[A-Z]{3}\b)")
_BALANCE = re.compile(r"\"balance\": (\d+(?:\.\d+)?)")
_NOTE = re.compile(r"<note\b.*?</note>", re.DOTALL)
_NEWS = re.compile(
    r"<desk>News about an earlier request, (.+?):.* the payment service (has confirmed|refused)", re.DOTALL
)
_DONE_BEFORE = re.compile(r"Done in this chat: (.+?)\.</desk>", re.DOTALL)
NOT_RUN = ("Not run", "Policy:", "Error", "The customer has not said yes", "Unknown action")
# How a card's title names its action; `conversations.agent.prompt` lists them for a window that has moved.
_TITLES = (
    ("Cancel ", "cancel_pending_order"),
    ("Return ", "return_delivered_order_items"),
    ("Exchange ", "exchange_delivered_order_items"),
    ("Refund ", "issue_refund"),
    ("Pay ", "modify_pending_order_payment"),
    ("Send the receipt", "resend_receipt"),
    ("Send ", "modify_pending_order_address"),
    ("Change a message", "update_preference"),
    ("Change your default", "modify_user_address"),
    ("Change ", "modify_pending_order_items"),
)
Found = dict[str, Any]


class Outcome(Enum):
    """How a call that changes something ended, as far as its result says."""

    DONE = auto()
    PROCESSING = auto()
    IN_PART = auto()
    NOT_RUN = auto()


@dataclass(frozen=True)
class Attempt:
    """One call of an action; `order` is bare and in capitals, empty for what concerns no order."""

    action: str
    order: str
    outcome: Outcome
    given: Found = field(default_factory=dict)
    found: Found = field(default_factory=dict)

    @property
    def changed(self) -> bool:
        return self.outcome is not Outcome.NOT_RUN


@dataclass(eq=False)
class Books:
    """The rows a reply may rest on: tool results, desk notes, what the customer typed, and the system prompt.

    The agent's own earlier words are not among them. Parsed when asked for, once, so steps and prompt stay as given.
    `checked`: the last words that were held against them, and what was wrong.
    """

    steps: Sequence[Row] = field(repr=False)
    system: str = field(default="", repr=False)
    checked: tuple[str, list[Fault]] | None = field(default=None, repr=False)

    @cached_property
    def shown(self) -> str:
        """Every text that is not the agent's, in small letters: what it may repeat."""
        return "\n".join([self.system, *self._inputs, *self._results]).casefold()

    @cached_property
    def figures(self) -> frozenset[Decimal]:
        """The numbers that may be sums of money, and what follows from the prices and payments of an order."""
        found: list[str] = [one for text in self._inputs for one in _FIGURE.findall(text)]
        found += [one[0] for one in _RULED.findall(self.system)]
        for text in self._results:
            found += _VALUE.findall(text) if text.startswith("{") else _FIGURE.findall(text)
        return frozenset({*map(read_figure, found), *self._sums()})

    @cached_property
    def attempts(self) -> list[Attempt]:
        """All calls that change something, in order; news of a payment moves its outcome."""
        tried = [*self._attempts()]
        for text in self._inputs:
            if told := _NEWS.match(text):
                action, order = _read_title(unescape(told[1]))
                outcome = Outcome.DONE if told[2] == "has confirmed" else Outcome.IN_PART
                tried = [
                    Attempt(one.action, one.order, outcome, one.given, one.found)
                    if (one.action, one.order) == (action, order) and one.outcome is Outcome.PROCESSING
                    else one
                    for one in tried
                ]
        return tried

    @cached_property
    def orders(self) -> dict[str, Found]:
        """Orders by bare number, each as it was shown last."""
        found = (_parse(text) for text in self._results)
        return {bare(str(order["order_id"])): order for order in found if "status" in order and "order_id" in order}

    @cached_property
    def focus(self) -> frozenset[str]:
        """The orders that this turn is about: those the customer just named, and those it looked at or worked on."""
        named: set[str] = set()
        for row in self._turn():
            if row.kind == Step.Kind.INPUT:
                named |= {bare(one) for one in NUMBER.findall(row.body["text"])}
            elif row.kind == Step.Kind.REPLY:
                inputs = [block["input"] for block in row.body if block.get("type") == "tool_use"]
                named |= {bare(str(one["order_id"])) for one in inputs if isinstance(one, dict) and "order_id" in one}
        return frozenset(named)

    @cached_property
    def has_person(self) -> bool:
        """Whether anything in this chat went to a person."""
        passed = any(text.startswith(("Transfer successful", "Not run: a person")) for text in self._results)
        in_part = any(attempt.outcome is Outcome.IN_PART for attempt in self.attempts)
        return passed or in_part or any(text.startswith("<person>") for text in self._inputs)

    @cached_property
    def help(self) -> str:
        """What the help center answered, in small letters."""
        rows = [row for row in self._rows(Step.Kind.RESULT) if self._name(row) == SEARCH]
        return "\n".join(self._tell(row) for row in rows).casefold()

    @cached_property
    def _inputs(self) -> list[str]:
        texts = [str(row.body["text"]) for row in self._rows(Step.Kind.INPUT)]
        return [text for text in texts if not text.startswith(f"<desk>{TOLD}")]

    @cached_property
    def _results(self) -> list[str]:
        return [self._tell(row) for row in self._rows(Step.Kind.RESULT)]

    def _tell(self, row: Row) -> str:
        """What a result says; titles that a search without passages names say nothing about the shop."""
        text = str(row.body["content"])
        return text if self._name(row) != SEARCH or read_sources(text) else ""

    @cached_property
    def _calls(self) -> dict[str, Found]:
        replies = [block for row in self._rows(Step.Kind.REPLY) for block in row.body]
        return {block["id"]: block for block in replies if block.get("type") == "tool_use"}

    def _rows(self, kind: Step.Kind) -> Iterator[Row]:
        for row in self.steps:
            if row.kind == kind:
                yield row

    def _name(self, row: Row) -> str:
        return str(self._calls.get(row.body["tool_use_id"], {}).get("name", ""))

    def _turn(self) -> list[Row]:
        """The steps since the agent's last words."""
        since: list[Row] = []
        for row in reversed(self.steps):
            if row.kind == Step.Kind.REPLY and all(block.get("type") != "tool_use" for block in row.body):
                break
            since.append(row)
        return since[::-1]

    def _attempts(self) -> Iterator[Attempt]:
        for text in self._inputs:
            if before := _DONE_BEFORE.search(text) if text.startswith("<desk>") else None:
                for title in unescape(before[1]).split("; "):
                    yield Attempt(*_read_title(title), Outcome.DONE)
        for row in self._rows(Step.Kind.RESULT):
            if (name := self._name(row)) in ACTIONS:
                given = self._calls[row.body["tool_use_id"]]["input"]
                given = given if isinstance(given, dict) else {}
                order, text = bare(str(given.get("order_id", ""))), str(row.body["content"])
                outcome = _read_outcome(text, row.body["is_error"])
                yield Attempt(name, order, outcome, given, _parse(text) if outcome is Outcome.DONE else {})

    def _sums(self) -> Iterator[Decimal]:
        """What prices and payments come to: of some items of an order, of its payments, between two of a product."""
        for found in self.orders.values():
            prices = list_prices(found, "items")
            yield from sum_all(prices)
            for kind in ("payment", "refund"):
                yield sum(list_booked(found, kind), Decimal(0))
        # Of orders that are told of side by side.
        yield from sum_all([sum(list_prices(found, "items"), Decimal(0)) for found in self.orders.values()])
        every = {price for text in self._results for price in _list_variant_prices(_parse(text))}
        owned = {price for found in self.orders.values() for price in list_prices(found, "items")}
        yield from (abs(new - old) for new in every for old in owned | every)
        for balance in (one for text in self._results for one in _BALANCE.findall(text)):
            yield from (Decimal(balance) - price for found in self.orders.values() for price in paid_for(found))


@lru_cache(maxsize=64)
def _parse(text: str) -> Found:
    """A result's JSON without the notes in it; nothing where it is none. Nobody may change what this returns."""
    if not text.startswith("{"):
        return {}
    try:
        found = json.loads(_NOTE.sub("", text), parse_float=Decimal)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def bare(number: str) -> str:
    return number.lstrip("#").upper()


def read_figure(text: str) -> Decimal:
    return Decimal(text.rstrip(",.").replace(",", "") or 0)


def list_prices(found: Found, key: str) -> list[Decimal]:
    rows = found.get(key)
    rows = rows if isinstance(rows, list) else []
    return [_number(row.get("price")) for row in rows if isinstance(row, dict) and "price" in row]


def list_booked(found: Found, kind: str) -> list[Decimal]:
    """The sums of an order's history that are settled: one that is open or failed carries a status."""
    rows = found.get("payment_history")
    rows = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    settled = [row for row in rows if row.get("transaction_type") == kind and "status" not in row]
    return [_number(row.get("amount")) for row in settled]


def paid_for(found: Found) -> list[Decimal]:
    return [sum(list_prices(found, "items"), Decimal(0)), *list_booked(found, "payment")]


def sum_all(prices: Sequence[Decimal]) -> Iterator[Decimal]:
    """The sums of all choices of these, of a few; of many only the whole."""
    if len(prices) > MOST_ITEMS:
        yield sum(prices, Decimal(0))
        return
    for size in range(1, len(prices) + 1):
        yield from (sum(some, Decimal(0)) for some in combinations(prices, size))


def _number(value: object) -> Decimal:
    return Decimal(str(value)) if isinstance(value, int | float | Decimal) else Decimal(0)


def _list_variant_prices(found: Found) -> list[Decimal]:
    variants = found.get("variants")
    rows = variants.values() if isinstance(variants, dict) else []
    return [_number(row.get("price")) for row in rows if isinstance(row, dict)]


def _read_outcome(text: str, is_error: bool) -> Outcome:
    if is_error or text.startswith(NOT_RUN):
        return Outcome.NOT_RUN
    if text.startswith("Being processed: "):
        return Outcome.PROCESSING
    return Outcome.IN_PART if text.startswith("Done in part: ") else Outcome.DONE


def _read_title(title: str) -> tuple[str, str]:
    """The action and the order that a card's title names."""
    number = NUMBER.search(title)
    action = next((action for start, action in _TITLES if title.startswith(start)), "")
    return action, bare(number[0]) if number else ""
