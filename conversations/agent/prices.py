"""What a call of the model costs, in billionths of a dollar, in which every price of a token is a whole number."""

import json
import re
import unicodedata
from functools import lru_cache

from conversations.agent.protocol import Block, ModelRequest, Usage
from policy.price_list import TABLE, Price

FREE = "offline"
# A dated snapshot costs what its model costs.
SNAPSHOT = re.compile(r"-20[0-9]{6}\Z")
# What a provider adds to a request unseen: the instructions for tools, and marks around messages that are shorter
# than the JSON that is counted for them.
UNSEEN_TOKENS = 1_000
MOST_TOOLSETS = 64
_measured: dict[int, tuple[list[Block], int]] = {}


def is_free(model: str) -> bool:
    return model == FREE


def price(model: str, usage: Usage) -> int:
    """What the provider bills; an unknown model costs what the dearest one would."""
    if is_free(model):
        return 0
    known = TABLE.get(SNAPSHOT.sub("", model))
    return max(_price(row, usage) for row in ([known] if known else TABLE.values()))


def most(model: str, request: ModelRequest) -> int:
    """The most this call can cost: a prompt as long as it can be, at the dearest way to read one, a reply at its limit.

    With rates that do not fall beyond a tier, no shorter prompt and no other mix of cached and fresh tokens is dearer.
    """
    longest = count_at_most(request)
    ways = (
        Usage(input_tokens=longest, output_tokens=request.max_tokens),
        Usage(cache_write_tokens=longest, output_tokens=request.max_tokens),
    )
    return max(price(model, usage) for usage in ways)


def count_at_most(request: ModelRequest) -> int:
    """No fewer than the prompt's tokens, without the provider's tokeniser.

    A tokeniser that works on bytes makes at most one token of a byte, and may normalise the text first, which makes
    some characters longer, so the longer of both forms is counted. The JSON around the text outweighs the marks that
    the provider puts in its place.
    """
    fixed = _measure_system(request.system) + _measure_tools(request.tools)
    return fixed + _measure(json.dumps(request.messages, ensure_ascii=False)) + UNSEEN_TOKENS


@lru_cache(maxsize=64)
def _measure_system(system: str) -> int:
    """With the brackets and commas around system, tools and messages."""
    return _measure(json.dumps([system, None, None], ensure_ascii=False)) - 2 * len("null")


def _measure_tools(tools: list[Block]) -> int:
    """All requests of a segment share one list of tools, so it is measured once; kept, so that no other gets its id."""
    known = _measured.get(id(tools))
    if known is None or known[0] is not tools:
        known = tools, _measure(json.dumps(tools, ensure_ascii=False))
        if len(_measured) >= MOST_TOOLSETS:
            _measured.clear()
        _measured[id(tools)] = known
    return known[1]


def _measure(text: str) -> int:
    """The bytes of the longer of both forms."""
    if text.isascii():
        return len(text)
    forms = (text, unicodedata.normalize("NFKD", text))
    return max(len(form.encode(errors="surrogatepass")) for form in forms)


def _price(row: Price, usage: Usage) -> int:
    prompt = usage.input_tokens + usage.cache_write_tokens + usage.cache_read_tokens
    rates = row.beyond if row.beyond is not None and prompt > row.up_to else row.rates
    return (
        usage.input_tokens * rates.input
        + usage.output_tokens * rates.output
        + usage.cache_write_tokens * rates.cache_write
        + usage.cache_read_tokens * rates.cache_read
    )
