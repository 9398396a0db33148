"""What a call of the model costs, to the billionth of a dollar, and that no reservation is below it."""

import random
from decimal import Decimal

import pytest

from conversations.agent.prices import count_at_most, most, price
from conversations.agent.protocol import ModelRequest, Usage
from policy.price_list import TABLE

HAIKU, SONNET, OLDER = "claude-haiku-5-5", "claude-sonnet-5-5", "claude-haiku-4-5"
MILLION = 1_000_000
FIELDS = ("input_tokens", "output_tokens", "cache_write_tokens", "cache_read_tokens")
# Dollars for a million tokens: in, out, cache write of five minutes, cache read.
LIST_PRICES = {
    HAIKU: ("0.10", "0.50", "0.125", "0.01"),
    SONNET: ("2", "10", "2.50", "0.10"),
    OLDER: ("1", "5", "1.25", "0.10"),
}


def dollars(model: str, **usage: int) -> Decimal:
    return Decimal(price(model, Usage(**usage))) / 1_000_000_000


def request(text: str = "Hello", *, max_tokens: int = 2_048) -> ModelRequest:
    return ModelRequest(system=text, tools=[], messages=[], max_tokens=max_tokens)


@pytest.mark.parametrize(
    ("model", "name", "listed"),
    [(model, name, listed) for model, row in LIST_PRICES.items() for name, listed in zip(FIELDS, row, strict=True)],
)
def test_a_token_costs_what_the_price_list_says(model: str, name: str, listed: str) -> None:
    assert dollars(model, **{name: 100_000}) * 10 == Decimal(listed)


def test_the_table_has_a_price_for_no_other_model() -> None:
    assert set(TABLE) == set(LIST_PRICES)


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        ({"input_tokens": 100_000, "output_tokens": 1_000}, "0.0105"),
        ({"input_tokens": 100_001, "output_tokens": 1_000}, "0.0525005"),
        ({"input_tokens": 1, "cache_read_tokens": 99_999, "output_tokens": 1_000}, "0.00150009"),
        ({"input_tokens": 1, "cache_read_tokens": 100_000, "output_tokens": 1_000}, "0.0075005"),
        ({"cache_write_tokens": 100_000}, "0.0125"),
        ({"cache_write_tokens": 100_001}, "0.062500625"),
        ({"output_tokens": 100_001}, "0.0500005"),
    ],
)
def test_a_prompt_above_100_000_tokens_makes_the_whole_request_dearer(usage: dict[str, int], cost: str) -> None:
    assert dollars(HAIKU, **usage) == Decimal(cost)


@pytest.mark.parametrize("usage", [{name: MILLION} for name in FIELDS])
def test_an_unknown_model_costs_what_the_dearest_one_does(usage: dict[str, int]) -> None:
    assert dollars("claude-of-tomorrow", **usage) == max(dollars(model, **usage) for model in TABLE)


def test_a_dated_snapshot_costs_what_its_model_does() -> None:
    assert dollars(f"{OLDER}-20251001", input_tokens=MILLION) == Decimal(1)
    assert dollars(f"{OLDER}-large", input_tokens=MILLION) == Decimal(2)


def test_the_offline_model_is_free() -> None:
    assert price("offline", Usage(input_tokens=MILLION, output_tokens=MILLION)) == 0
    assert most("offline", request()) == 0


@pytest.mark.parametrize("model", [*TABLE, "claude-of-tomorrow"])
def test_no_possible_usage_costs_more_than_the_reservation(model: str) -> None:
    """250 random calls a model, half of them near the edges of what a request allows."""
    dice = random.Random(model)
    for _ in range(250):
        asked = request("x" * dice.choice([1, 500, 98_900, 98_998, 99_100, dice.randrange(300_000)]))
        longest = count_at_most(asked)
        prompt = dice.choice([longest, min(longest, 100_000), min(longest, 100_001), dice.randrange(longest)])
        read = dice.choice([0, prompt, dice.randint(0, prompt)])
        written = dice.choice([0, prompt - read, dice.randint(0, prompt - read)])
        usage = Usage(
            input_tokens=prompt - read - written,
            cache_read_tokens=read,
            cache_write_tokens=written,
            output_tokens=dice.choice([0, asked.max_tokens, dice.randint(0, asked.max_tokens)]),
        )
        assert price(model, usage) <= most(model, asked), usage


@pytest.mark.parametrize(
    "text", ["plain", "naïve café", "한국어", "日本", "👩‍👩‍👧", "\ufdfa" * 100, '\u0001"\\', "\ud800"]
)
def test_the_bound_on_tokens_is_no_lower_than_the_bytes_of_any_form_of_the_text(text: str) -> None:
    import unicodedata

    forms = [text, *(unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC", "NFKD"))]
    assert count_at_most(request(text)) >= max(len(form.encode(errors="surrogatepass")) for form in forms)
