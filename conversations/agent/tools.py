"""The tools that the model sees, and the one place where its calls are carried to the gate."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, assert_never
from uuid import UUID

from django.conf import settings
from pydantic import BaseModel, ValidationError

from approvals import operations as gate
from approvals import reads
from approvals.keys import make_key
from approvals.models import ActionRequest, CustomerSession
from approvals.sessions import Answer, Voice, look_up
from audit.redaction import redact
from conversations.agent import toolsets
from conversations.agent.calculator import calculate
from conversations.agent.protocol import Block
from conversations.agent.reading_tools import (
    READS,
    SEARCH,
    Arguments,
    Calculate,
    FindByEmail,
    FindByNameZip,
    GetOrderDetails,
    GetProductDetails,
    GetShipmentStatus,
    GetUserDetails,
    ListAllProductTypes,
    SearchHelpCenter,
    Transfer,
)
from conversations.agent.sources import find_next_number, list_search_results, since_last_answer
from conversations.history import Row
from conversations.queries import get_exchange
from helpcenter.citations import lists_titles, number, show
from helpcenter.models import Question
from helpcenter.operations import note_question
from helpcenter.queries import is_title, list_titles, search
from orders.queries import (
    ProductNotFound,
    export_product,
    find_customer_by_email,
    find_customer_by_name_zip,
    get_product,
    list_product_types,
    personal_words,
    to_tool_text,
)
from policy.actions import ACTIONS, Action, IssueRefund, ResendReceipt, UpdatePreference

TRANSFERRED = "Transfer successful"
PRODUCT_NOT_FOUND = "Error: product not found"
INVALID = "Error: invalid arguments. "
# No tool takes anything near these; what is beyond them is refused before anybody reads it.
DEEPEST, MOST_PARTS, MOST_LETTERS = 8, 500, 20_000
UNREADABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
UNPRINTABLE = re.compile(r"[^\x20-\x7e]")


@dataclass(frozen=True, kw_only=True)
class Caller:
    """On whose behalf a call runs: the conversation, the message that opened the turn, and the voice that asks."""

    conversation: UUID
    origin: int
    voice: Voice
    # The gate's, where the turn holds it already.
    session: CustomerSession | None = None
    # The history that the model saw, which passages found now are numbered after.
    steps: Sequence[Row] = ()


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a call came to. `text` is its result; without one the call stays open for `request`."""

    text: str | None = None
    is_error: bool = False
    request: ActionRequest | None = None
    transfer: str | None = None


# What the public benchmark does not have; a segment whose prompt is of the profile `retail` goes without.
BEYOND_RETAIL = {GetShipmentStatus.name, IssueRefund.name, ResendReceipt.name, UpdatePreference.name}
# The first prompts know no help center; chats that pinned them keep their tools.
WITHOUT_SEARCH = {"retail-1", "scoped-1"}
MOST_PASSAGES = 4
# All of a small help center; the demo shop's nineteen are a hundred tokens.
MOST_TITLES = 20


@cache
def list_specs(prompt_version: str = "retail") -> list[Block]:
    """The tools of a segment in the provider's form, sorted by name so that the bytes are the same in every process."""
    kinds: dict[str, type[BaseModel]] = {**READS, **ACTIONS}
    return [_spec(name, kinds[name]) for name in sorted(kinds) if _is_offered(name, prompt_version)]


def _is_offered(name: str, prompt_version: str) -> bool:
    if name == SEARCH:
        return toolsets.split(prompt_version)[0] not in WITHOUT_SEARCH
    of_profile = name not in BEYOND_RETAIL or prompt_version.startswith("scoped")
    return of_profile and toolsets.offers(prompt_version, name)


def call(*, caller: Caller, name: str, arguments: Any) -> Outcome:
    """Carry one call of the model to the gate, inside the turn's transaction. Nothing here decides."""
    kind: type[Arguments] | type[Action] | None = READS.get(name) or ACTIONS.get(name)
    if kind is None or not _is_offered(name, caller.voice.prompt_version):
        shown = UNPRINTABLE.sub("?", str(name))[:60]
        return _refuse_write(caller, shown, arguments, f"Unknown action {shown}")
    reason = find_fault(arguments)
    if not reason:
        try:
            parsed = kind.model_validate(arguments)
        except ValidationError as error:
            reason = explain(error)
        else:
            return _propose(caller, parsed) if isinstance(parsed, Action) else _read(caller, parsed)
    return (_refuse_write if name in ACTIONS else _refuse_read)(caller, name, arguments, reason)


def find_fault(arguments: Any) -> str:
    """Why arguments are not even looked at (no plain JSON, or text that a database cannot hold), or nothing."""
    waiting, letters = [(arguments, DEEPEST)], 0
    for _ in range(MOST_PARTS):
        if not waiting:
            return ""
        part, depth = waiting.pop()
        if isinstance(part, dict | list):
            if depth == 0:
                return INVALID + "They are nested too deeply."
            inner = [*part.keys(), *part.values()] if isinstance(part, dict) else part
            waiting += [(item, depth - 1) for item in inner]
        elif isinstance(part, str):
            letters += len(part)
            if UNREADABLE.search(part):
                return INVALID + "Control characters and halves of characters are not allowed."
        elif part is not None and not _is_number(part):
            return INVALID + "Only plain JSON with finite numbers is allowed."
        if letters > MOST_LETTERS:
            break
    return INVALID + "They are too large."


def _is_number(part: Any) -> bool:
    return part.bit_length() < 64 if isinstance(part, int) else isinstance(part, float) and math.isfinite(part)


def explain(error: ValidationError) -> str:
    """What is wrong with the arguments, in words the model can act on; the offending values are left out."""
    faults = [f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}" for fault in error.errors()]
    return INVALID + "; ".join(faults)


def _refuse_write(caller: Caller, name: str, arguments: Any, reason: str) -> Outcome:
    gate.refuse_malformed(
        conversation=caller.conversation,
        tool=name,
        arguments=_as_dict(arguments),
        reason=reason,
        voice=caller.voice,
    )
    return Outcome(text=reason, is_error=True)


def _refuse_read(caller: Caller, name: str, arguments: Any, reason: str) -> Outcome:
    answer = reads.refuse_read(
        conversation=caller.conversation,
        tool=name,
        arguments=_as_dict(arguments),
        reason=reason,
        voice=caller.voice,
    )
    return _as_outcome(answer)


def _propose(caller: Caller, action: Action) -> Outcome:
    key = make_key(conversation=caller.conversation, origin=caller.origin, action=action)
    own, session = caller.conversation, caller.session
    if settings.DESKAGENT_CONSENT == "spoken":
        exchange = get_exchange(conversation_id=own)
        proposal = gate.propose_spoken(conversation=own, action=action, key=key, voice=caller.voice, exchange=exchange)
    else:
        proposal = gate.propose(conversation=own, action=action, key=key, voice=caller.voice, session=session)
    if proposal.standing in (gate.Standing.CARD, gate.Standing.REVIEW):
        return Outcome(request=proposal.request)
    return Outcome(text=proposal.text, is_error=proposal.is_error, request=proposal.request)


def _read(caller: Caller, parsed: Arguments) -> Outcome:
    match parsed:
        case FindByEmail():
            return _look_up(caller, parsed, lambda: find_customer_by_email(email=parsed.email))
        case FindByNameZip():
            return _look_up(
                caller,
                parsed,
                lambda: find_customer_by_name_zip(
                    first_name=parsed.first_name, last_name=parsed.last_name, zip_code=parsed.zip
                ),
            )
        case GetUserDetails():
            return _as_outcome(
                reads.read_customer(
                    conversation=caller.conversation,
                    user_id=parsed.user_id,
                    voice=caller.voice,
                    session=caller.session,
                )
            )
        case GetOrderDetails():
            return _as_outcome(
                reads.read_order(
                    conversation=caller.conversation,
                    order_id=parsed.order_id,
                    voice=caller.voice,
                    session=caller.session,
                )
            )
        case GetShipmentStatus():
            return _as_outcome(
                reads.read_shipment(
                    conversation=caller.conversation,
                    tracking_id=parsed.tracking_id,
                    voice=caller.voice,
                    session=caller.session,
                )
            )
        case SearchHelpCenter():
            return _search(caller, parsed)
        case Transfer():
            return Outcome(text=TRANSFERRED, transfer=parsed.summary)
        case GetProductDetails() | ListAllProductTypes() | Calculate():
            answer = reads.read_public(
                conversation=caller.conversation,
                tool=parsed.name,
                arguments=parsed.model_dump(),
                answer=_answer_public(parsed),
                voice=caller.voice,
                session=caller.session,
            )
            return _as_outcome(answer)
    raise TypeError(f"no read for {type(parsed).__name__}")


def _search(caller: Caller, parsed: SearchHelpCenter) -> Outcome:
    """Numbered passages, or that there are none; a customer's words are remembered for the help center's authors."""
    lately = list_search_results(since_last_answer(caller.steps))
    told = any(lists_titles(str(row.body["content"])) for row in lately)
    found = number(search(parsed.query, limit=MOST_PASSAGES), first=find_next_number(caller.steps))
    # Customers ask in words that no article has; the model knows which title they mean, and is told them once.
    titles = [] if found or told else list_titles(parsed.query, limit=MOST_TITLES)
    answer = reads.read_public(
        conversation=caller.conversation,
        tool=parsed.name,
        arguments=parsed.model_dump(),
        answer=Answer(text=show(found, titles=titles)),
        voice=caller.voice,
        session=caller.session,
        facts={"passages": [source.name for source in found]},
    )
    if told and is_title(parsed.query):
        # The words that failed before it are what customers say.
        return _as_outcome(answer)
    known = personal_words(caller.session.customer) if caller.session is not None else ()
    best = (found[0].article, found[0].version) if found else None
    note_question(text=str(redact(parsed.query, known)), asker=Question.Asker.AGENT, best=best)
    return _as_outcome(answer)


def _answer_public(parsed: GetProductDetails | ListAllProductTypes | Calculate) -> Answer:
    match parsed:
        case GetProductDetails():
            try:
                return Answer(text=to_tool_text(export_product(get_product(product_id=parsed.product_id))))
            except ProductNotFound:
                return Answer(text=PRODUCT_NOT_FOUND, is_error=True)
        case ListAllProductTypes():
            return Answer(text=to_tool_text(list_product_types()))
        case Calculate():
            text = calculate(parsed.expression)
            return Answer(text=text, is_error=text.startswith("Error"))
        case _:
            assert_never(parsed)


def _look_up(caller: Caller, parsed: Arguments, find: Callable[[], Any]) -> Outcome:
    answer = look_up(
        conversation=caller.conversation,
        tool=parsed.name,
        arguments=parsed.model_dump(),
        find=find,
        voice=caller.voice,
        session=caller.session,
    )
    return _as_outcome(answer)


def _as_outcome(answer: Answer) -> Outcome:
    return Outcome(text=answer.text, is_error=answer.is_error)


def _as_dict(arguments: Any) -> dict[str, Any]:
    return arguments if isinstance(arguments, dict) else {"value": arguments}


def _spec(name: str, kind: type[BaseModel]) -> Block:
    schema = kind.model_json_schema()
    properties = {field: _property(rules) for field, rules in schema["properties"].items()}
    return {
        "name": name,
        "description": getattr(kind, "description"),  # noqa: B009 - a class variable that both kinds have
        "input_schema": {
            "type": "object",
            "properties": properties,
            "required": schema.get("required", []),
            "additionalProperties": False,
        },
    }


def _property(rules: Block) -> Block:
    """The parts of a JSON schema that a model needs; lengths and patterns are for the gate."""
    kept = {key: value for key, value in rules.items() if key in ("type", "enum", "description")}
    return kept | ({"items": {"type": rules["items"]["type"]}} if "items" in rules else {})
