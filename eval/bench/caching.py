"""What the provider's prompt cache saves: a conversation of fifteen calls over a loopback server that counts by its
rule, played twice, since a shop's second conversation is the usual one."""

from typing import Any
from uuid import UUID

from django.db.models import Sum
from django.test.utils import override_settings

from conversations.agent import llm, prices
from conversations.agent.protocol import Usage
from conversations.fake_anthropic import FakeAnthropic
from conversations.models import ModelCall
from eval.bench import shop
from eval.bench.inprocess import WentWrong, check_all_done, desk

Move = dict[str, Any]
MODEL = "claude-haiku-5-5"
CALLS = 15
COUNTS = ("input_tokens", "cache_write_tokens", "cache_read_tokens", "output_tokens", "cost_nano")


def measure_cache() -> dict[str, Any]:
    moves: list[Move] = []
    with FakeAnthropic(respond=lambda _: moves.pop(0)) as server, desk(orders=1, large=0) as here:
        there = override_settings(DESKAGENT_MODEL=MODEL, ANTHROPIC_API_KEY="bench", ANTHROPIC_BASE_URL=server.url)
        with there:
            here.model = llm.get_model()
            for _ in range(2):
                chat = here.open_chat()
                for words, replies in _trace():
                    moves += replies
                    here.say(chat, words)
                check_all_done()
            if moves or server.complaints:
                raise WentWrong(f"{len(moves)} replies are left over; {server.complaints[:1]}")
        return _describe(chat)


def _describe(chat: UUID) -> dict[str, Any]:
    calls = ModelCall.objects.filter(turn__conversation=chat)
    if calls.count() != CALLS:
        raise WentWrong(f"{calls.count()} calls, not {CALLS}")
    plain, written, read, spoken, cost = calls.aggregate(*(Sum(name) for name in COUNTS)).values()
    whole = plain + written + read
    uncached = prices.price(MODEL, Usage(input_tokens=whole, output_tokens=spoken))
    return {
        "cache_share": round(read / whole, 4),
        "cost_ratio_uncached": round(uncached / cost, 2),
        "cost_usd": round(cost / 1e9, 6),
    }


def _trace() -> list[tuple[str, list[Move]]]:
    """A customer's words and what the model does with them: look-ups, a question, a card, and what follows it."""
    order = shop.order_number(0)
    cancel = _call("cancel_pending_order", order_id=order, reason="no longer needed")
    return [
        (
            "Hi, my e-mail is customer0@example.com.",
            [
                _call("find_user_id_by_email", email="customer0@example.com"),
                _call("get_user_details", user_id="bench_0"),
                _say("Hello, I have found you."),
            ],
        ),
        (
            "What did I order?",
            [
                _call("get_order_details", order_id=order),
                _call("get_product_details", product_id=shop.product_id(0)),
                _say("You have one open order, and all of it is still sold."),
            ],
        ),
        ("What do you sell?", [_call("list_all_product_types"), _say("Things for the home. What do you look for?")]),
        ("How much are two such orders?", [_call("calculate", expression="71.50 + 71.50"), _say("Together 143.00.")]),
        (f"Please cancel {order}, I no longer need it.", [cancel]),
        ("no", [_say("Then nothing was changed.")]),
        ("Is it still open?", [_call("get_order_details", order_id=order), _say("Yes, it is pending.")]),
        ("Thank you.", [_say("You are welcome.")]),
    ]


def _call(name: str, **arguments: str) -> Move:
    return {"tool_calls": [{"name": name, "input": arguments}]}


def _say(text: str) -> Move:
    return {"text": text}
