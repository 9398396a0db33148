"""What the tests of the spend caps share: turns without a browser, caps with room for so many calls, and the books."""

from decimal import Decimal

from django.db import transaction
from django.db.models import Sum
from pytest_django.fixtures import Settings

from approvals.addresses import find_client, pseudonym_of
from conversations.agent import budget, prices, prompt
from conversations.agent.protocol import ModelReply, ModelRequest, Usage
from conversations.models import Conversation, ModelCall, Spend, Turn
from conversations.operations import post_customer_message, purse, start_conversation
from conversations.operations.turns import end_turn

HAIKU = "claude-haiku-5-5"
REQUEST = ModelRequest(
    system="You help.",
    tools=[],
    messages=[{"role": "user", "content": [{"type": "text", "text": "Hi"}]}],
    max_tokens=1_000,
)
MOST = prices.most(HAIKU, REQUEST)
CAPS = {
    "conversation": "DESKAGENT_SPEND_CAP_CONVERSATION_USD",
    "visitor": "DESKAGENT_SPEND_CAP_VISITOR_USD",
    "shop": "DESKAGENT_SPEND_CAP_USD",
    "total": "DESKAGENT_SPEND_CAP_TOTAL_USD",
}


def dollars(nano: int) -> Decimal:
    return Decimal(nano) / 1_000_000_000


def cap(settings: Settings, **nano: int) -> None:
    """Caps in billionths of a dollar; those not named are out of reach."""
    for scope, variable in CAPS.items():
        setattr(settings, variable, dollars(nano.get(scope, 10**15)))


def make_turn(address: str = "192.0.2.1", text: str = "Hello.") -> Turn:
    conversation, _ = start_conversation(address=visitor_at(address))
    post_customer_message(conversation_id=conversation.pk, client_id="c1", text=text)
    return Turn.objects.get(conversation=conversation)


def cost_of_first_call(model: str = HAIKU) -> int:
    """The most that the first call of `make_turn()`'s turn can cost."""
    turn = make_turn()
    # It is never run; the worker of a test would.
    end_turn(turn, Turn.State.FAILED)
    conversation = turn.conversation
    prompt.pin(conversation)
    return prices.most(model, prompt.build(conversation)[0])


def reserve(turn: Turn, model: str = HAIKU, request: ModelRequest = REQUEST) -> budget.Reservation:
    if not prices.is_free(model):
        purse.stock_up(prices.most(model, request))
    with transaction.atomic():
        return budget.reserve(conversation=turn.conversation, turn=turn, model=model, request=request)


def settle(held: budget.Reservation, usage: Usage, *, stop_reason: str | None = "end_turn", lost: int = 0) -> None:
    reply = ModelReply(content=[], stop_reason=stop_reason, usage=usage, model=HAIKU, first_token_ms=1, latency_ms=2)
    with transaction.atomic():
        budget.settle(held, conversation=held.call.turn.conversation, reply=reply, lost=lost)


def spent(scope: str, subject: str = "") -> int:
    rows = Spend.objects.filter(scope=scope, **({"subject": subject} if subject else {}))
    return rows.aggregate(nano=Sum("nano"))["nano"] or 0


def cost_of_calls(conversation: Conversation | None = None) -> int:
    calls = ModelCall.objects.filter(turn__conversation=conversation) if conversation else ModelCall.objects.all()
    return calls.aggregate(nano=Sum("cost_nano"))["nano"] or 0


def visitor_at(address: str) -> str:
    """The account of a visitor at this address."""
    return pseudonym_of(find_client(address, ""))
