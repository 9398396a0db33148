"""What a fault on the wire means: whether asking again may help, whether it may cost money, and whose fault it is."""

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import anthropic
import httpx2

# What a broken wire or a garbled stream raises inside the SDK, measured against a loopback server.
BROKEN_WIRE = (
    anthropic.APIError,
    httpx2.HTTPError,
    ValueError,
    AssertionError,
    AttributeError,
    TypeError,
    LookupError,
    RecursionError,
    # The SDK's own word for events in an order it does not know.
    RuntimeError,
)
NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError)
# Refused before any work was done, for now; every status from 500 on as well.
TRY_LATER = (408, 429)
# A gateway that gave up waiting: the model behind it may have answered.
TOO_LATE = (408, 504)
# Whoever gets less time than this cannot tell a slow provider from one that is down.
FAIR_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One failed try. `after`: how long the provider asks to wait, in seconds."""

    text: str
    again: bool
    lost: bool
    blamed: bool
    after: float = 0.0


def judge(error: Exception, *, opened: bool, given: float) -> Fault:
    """`opened`: the answer had begun, so nothing is asked again. `given`: how many seconds the try had."""
    text = f"{type(error).__name__}: {error}"[:500]
    if opened:
        return Fault(text=text, again=False, lost=True, blamed=not _is_timeout(error) or given >= FAIR_SECONDS)
    if isinstance(error, anthropic.APIStatusError):
        status = error.status_code
        down = status in TRY_LATER or status >= 500
        after = _read_wait(error.response.headers)
        return Fault(text=text, again=down, lost=status in TOO_LATE, blamed=down, after=after)
    if isinstance(error, anthropic.APIConnectionError):
        sent = not isinstance(error.__cause__, NOT_SENT)
        blamed = not isinstance(error, anthropic.APITimeoutError) or given >= FAIR_SECONDS
        return Fault(text=text, again=True, lost=sent, blamed=blamed)
    return Fault(text=text, again=False, lost=True, blamed=True)


def _is_timeout(error: Exception) -> bool:
    return isinstance(error, httpx2.TimeoutException | anthropic.APITimeoutError)


def _read_wait(headers: httpx2.Headers) -> float:
    """`retry-after`, as seconds or as a date; 0 where it says nothing that can be understood."""
    text = headers.get("retry-after", "")
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):
            return 0.0
    return seconds if seconds > 0 else 0.0
