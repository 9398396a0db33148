"""The one client of the vendor: streams a reply through the SDK and turns every fault into `ModelUnavailable`.

A try that fails before its answer began is made again, inside the caller's deadline; once an answer began nothing is.
A circuit breaker over all workers spares a provider that is down, and the customer the waiting for it.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from functools import cache
from typing import Any

import anthropic
import httpx2
from django.conf import settings

from conversations.agent.breaker import Breaker, Verdict
from conversations.agent.deadline import bound, within
from conversations.agent.faults import BROKEN_WIRE, Fault, judge
from conversations.agent.offline import OfflineModel
from conversations.agent.protocol import Model, ModelReply, ModelRequest, ModelUnavailable
from conversations.agent.wire import Reading, read_events

CONNECT_SECONDS = 5.0
# A try with less time than this could not end well.
LEAST_SECONDS = 0.2
# What the connection may take to end after the message has.
TAIL_SECONDS = 1.0
CACHED: anthropic.types.CacheControlEphemeralParam = {"type": "ephemeral"}

_connecting = threading.Lock()


class AnthropicModel:
    """A Claude model, or any server that speaks its protocol at `ANTHROPIC_BASE_URL`."""

    def __init__(self, *, name: str, client: anthropic.Anthropic, breaker: Breaker) -> None:
        self.name = name
        self._client = client
        self._breaker = breaker

    def stream(self, request: ModelRequest, on_text: Callable[[str], None]) -> ModelReply:
        permit = self._breaker.enter()
        if permit is None:
            raise ModelUnavailable("the circuit is open")
        call = _Call(self.name, self._client, request)
        try:
            return call.run(on_text, is_probe=permit.probe)
        finally:
            self._breaker.leave(permit, call.verdict)


class _Call:
    """One request with its tries."""

    def __init__(self, name: str, client: anthropic.Anthropic, request: ModelRequest) -> None:
        self._name = name
        self._client = client
        self._request = request
        self._started = time.monotonic()
        given = settings.DESKAGENT_TURN_DEADLINE_SECONDS
        self._deadline = self._started + given if request.deadline is None else request.deadline
        self._tries = 0
        self._lost = 0
        self.verdict = Verdict.NOTHING

    def run(self, on_text: Callable[[str], None], *, is_probe: bool) -> ModelReply:
        """A probe gets one try: a provider that comes back is not to be overrun."""
        most = 1 if is_probe else settings.DESKAGENT_MODEL_TRIES
        while True:
            if self._left() < LEAST_SECONDS:
                raise self._give_up("no time is left for the model")
            self._tries += 1
            outcome = self._try(on_text)
            if isinstance(outcome, ModelReply):
                self.verdict = Verdict.ANSWERED
                return outcome
            self._lost += outcome.lost
            self.verdict = Verdict.FAILED if outcome.blamed else Verdict.NOTHING
            if not outcome.again or self._tries >= most or not self._wait(outcome):
                raise self._give_up(outcome.text)

    def _give_up(self, why: str) -> ModelUnavailable:
        return ModelUnavailable(why, tries=self._tries, lost=self._lost)

    def _left(self) -> float:
        return self._deadline - time.monotonic()

    def _wait(self, fault: Fault) -> bool:
        """Sleep until the next try; False where it would come too late, or nobody pays for it."""
        pause = settings.DESKAGENT_MODEL_BACKOFF_MS / 1000 * 2 ** (self._tries - 1) * random.uniform(0.5, 1.0)
        pause = max(pause, fault.after)
        if self._left() - pause < LEAST_SECONDS:
            return False
        if self._request.may_retry is not None and not self._request.may_retry():
            return False
        time.sleep(pause)
        return True

    def _try(self, on_text: Callable[[str], None]) -> ModelReply | Fault:
        given, opened, first_token, reading = self._left(), False, 0.0, Reading()
        try:
            with within(self._deadline), self._open() as response:
                opened, events = True, read_events(response.http_response)
                for event in events:
                    if text := reading.take(event):
                        first_token = first_token or time.monotonic()
                        _tell(on_text, text)
                    if reading.ended:
                        break
                reading.expect_end()
                self._drain(events)
            return self._read(reading, first_token)
        except BROKEN_WIRE as error:
            return judge(error, opened=opened, given=given)

    def _open(self) -> AbstractContextManager[anthropic.APIResponse[Any]]:
        request = self._request
        return self._client.messages.with_streaming_response.create(
            stream=True,
            model=self._name,
            max_tokens=request.max_tokens,
            # Two marks: this one for tools and system prompt, which all conversations of a kind share, and the
            # automatic one, which the provider puts on the newest message and finds again in the next request.
            system=[{"type": "text", "text": request.system, "cache_control": CACHED}],
            cache_control=CACHED,
            tools=request.tools,  # type: ignore[arg-type]
            messages=request.messages,  # type: ignore[arg-type]
            tool_choice=request.tool_choice or anthropic.omit,  # type: ignore[arg-type]
            timeout=httpx2.Timeout(settings.DESKAGENT_MODEL_READ_SECONDS, connect=CONNECT_SECONDS),
        )

    def _drain(self, events: Iterator[dict[str, Any]]) -> None:
        """Read to the end, so that the connection can be used again. How it ends is no matter, what comes there is."""
        with suppress(httpx2.HTTPError), within(min(self._deadline, time.monotonic() + TAIL_SECONDS)):
            for event in events:
                raise ValueError(f"{event['type']} after the message's end")

    def _read(self, reading: Reading, first_token: float) -> ModelReply:
        ended = time.monotonic()
        return ModelReply(
            content=reading.content(),
            stop_reason=reading.stop_reason,
            usage=reading.usage,
            model=reading.model,
            first_token_ms=round(((first_token or ended) - self._started) * 1000),
            latency_ms=round((ended - self._started) * 1000),
            tries=self._tries,
            lost=self._lost,
        )


class ReceiverFailed(Exception):
    """Whoever takes the words failed: our own fault, and no word about the provider."""


def _tell(on_text: Callable[[str], None], text: str) -> None:
    try:
        on_text(text)
    except BROKEN_WIRE as error:
        raise ReceiverFailed from error


def get_model() -> Model:
    """The model of the settings: the offline one only where it was asked for by name."""
    if settings.DESKAGENT_MODEL == "offline":
        return OfflineModel()
    # One client a process: two threads that both found none would each make one, and one's sockets were never closed.
    with _connecting:
        return _connect(
            settings.DESKAGENT_MODEL,
            settings.ANTHROPIC_API_KEY,
            settings.ANTHROPIC_AUTH_TOKEN,
            settings.ANTHROPIC_BASE_URL,
        )


def get_triage_model() -> Model:
    """The small model that labels chats, with a circuit of its own: its short deadline says nothing of the agent's."""
    with _connecting:
        return _connect(
            settings.DESKAGENT_TRIAGE_MODEL,
            settings.ANTHROPIC_API_KEY,
            settings.ANTHROPIC_AUTH_TOKEN,
            settings.ANTHROPIC_BASE_URL,
            "triage",
        )


@cache
def _connect(name: str, key: str, token: str, base_url: str, purpose: str = "") -> AnthropicModel:
    client = anthropic.Anthropic(
        api_key=key or None,
        auth_token=token or None,
        base_url=base_url or None,
        # Its retries know neither the turn's deadline nor who pays for them.
        max_retries=0,
        http_client=bound(anthropic.DefaultHttpxClient()),
    )
    return AnthropicModel(name=name, client=client, breaker=Breaker(f"{client.base_url} {name} {purpose}".strip()))
