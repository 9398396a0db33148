"""The loopback stand-in, driven by the vendor's own client over real sockets."""

import re
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import anthropic
import httpx2
import pytest

from conversations.fake_anthropic import FakeAnthropic, Reply, Script
from conversations.fake_anthropic_history import sign_thinking

HELLO = [{"role": "user", "content": "Hello"}]
# What the client raises when the server hangs up depends on how far the body had come.
HUNG_UP = (httpx2.TransportError, anthropic.APIConnectionError)


@contextmanager
def connect(fake: FakeAnthropic, **options) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(api_key="x", base_url=fake.url, max_retries=0, timeout=10, **options) as client:
        yield client


@contextmanager
def play(*replies: dict, **script) -> Iterator[tuple[FakeAnthropic, anthropic.Anthropic]]:
    with FakeAnthropic(Script.from_dict({"default": list(replies), **script})) as fake, connect(fake) as client:
        yield fake, client


def stream(client: anthropic.Anthropic, messages: list = HELLO, **fields) -> anthropic.types.Message:
    with client.messages.stream(model="claude-test", max_tokens=100, messages=messages, **fields) as events:
        return events.get_final_message()


def texts(message: anthropic.types.Message) -> list[str]:
    return [block.text for block in message.content if block.type == "text"]


# --- Replies ---------------------------------------------------------------------------------------------------------


def test_streamed_text_arrives_in_pieces_and_adds_up() -> None:
    said = "Your order is on its way – naïve 🙂 customers welcome."
    with (
        play({"text": said}) as (_, client),
        client.messages.stream(model="claude-test", max_tokens=100, messages=HELLO) as events,
    ):
        pieces = list(events.text_stream)
        message = events.get_final_message()
    assert len(pieces) > 1
    assert "".join(pieces) == said
    assert texts(message) == [said]
    assert (message.model, message.stop_reason) == ("claude-test", "end_turn")
    assert message.usage.output_tokens > 1
    assert (message.usage.cache_read_input_tokens, message.usage.cache_creation_input_tokens) == (0, 0)


def test_events_come_in_the_providers_order() -> None:
    reply = {"text": "Hi.", "tool_calls": [{"name": "find_order", "input": {"number": "#W1"}}]}
    with play(reply) as (fake, _):
        body = {"model": "m", "max_tokens": 9, "messages": HELLO, "stream": True}
        answer = httpx2.post(f"{fake.url}/v1/messages", json=body, headers={"x-api-key": "x"})
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = re.findall(r"^event: (\w+)$", answer.text, re.MULTILINE)
    assert [name for name, before in zip(events, [None, *events], strict=False) if name != before] == [
        "message_start",
        "content_block_start",
        "ping",
        "content_block_delta",
        "content_block_stop",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]


def test_thinking_text_and_tool_calls_stream_as_the_same_blocks_in_order() -> None:
    arguments = {"number": "#W1", "items": [{"id": 1, "why": "zu groß"}], "deep": {"a": {"b": None}}}
    calls = [{"name": "find_order", "input": arguments}, {"name": "list_orders"}]
    with play({"thinking": "Let me look.", "text": "One moment.", "tool_calls": calls}) as (_, client):
        message = stream(client)
    thinking, text, first, second = message.content
    assert (thinking.thinking, thinking.signature) == ("Let me look.", sign_thinking("Let me look."))
    assert text.text == "One moment."
    assert (first.name, first.input) == ("find_order", arguments)
    assert (second.name, second.input) == ("list_orders", {})
    assert message.stop_reason == "tool_use"


def test_a_call_without_stream_gets_the_same_message_whole() -> None:
    with play({"text": "Hi.", "tool_calls": [{"name": "list_orders", "input": {"n": 2}}]}) as (_, client):
        whole = client.messages.create(model="claude-test", max_tokens=100, messages=HELLO)
        streamed = stream(client)
    plain = [[block.to_dict() | {"id": None} for block in message.content] for message in (whole, streamed)]
    assert plain[0] == plain[1] != []
    assert whole.stop_reason == streamed.stop_reason == "tool_use"
    assert whole.usage == streamed.usage


def test_a_scripted_stop_reason_wins_even_when_no_such_reason_exists() -> None:
    with play({"text": "Cut off", "stop_reason": "max_tokens"}) as (_, client):
        assert stream(client).stop_reason == "max_tokens"
    with play({"stop_reason": "tired"}) as (_, client):
        message = stream(client)
        assert (message.stop_reason, message.content) == ("tired", [])


def test_a_retried_request_gets_the_same_reply_under_new_ids() -> None:
    with play({"tool_calls": [{"name": "cancel", "input": {"number": "#W1"}}]}) as (_, client):
        first, again = stream(client), stream(client)
    assert first.content[0].input == again.content[0].input
    assert first.content[0].id.startswith("toolu_")
    assert first.content[0].id != again.content[0].id
    assert first.id != again.id
    assert first.usage == again.usage


def test_what_the_client_received_can_be_sent_back_as_it_is() -> None:
    replies = [{"thinking": "Hm.", "text": "A moment.", "tool_calls": [{"name": "list_orders"}]}, {"text": "Done."}]
    with play(*replies) as (fake, client):
        message = stream(client)
        result = {"type": "tool_result", "tool_use_id": message.content[2].id, "content": "none"}
        history = [*HELLO, message.to_param(), {"role": "user", "content": [result]}]
        assert texts(stream(client, history)) == ["Done."]
        assert fake.complaints == []


# --- Which reply -----------------------------------------------------------------------------------------------------


def test_the_number_of_assistant_messages_picks_the_reply() -> None:
    longer = [*HELLO, {"role": "assistant", "content": "One."}, {"role": "user", "content": "And?"}]
    with play({"text": "One."}, {"text": "Two."}) as (_, client):
        assert [texts(stream(client, history)) for history in (HELLO, longer, HELLO)] == [["One."], ["Two."], ["One."]]


@pytest.mark.parametrize(
    ("opening", "said"),
    [
        ("Please CANCEL order #W17", "cancelling"),
        ([{"type": "text", "text": "Hi."}, {"type": "text", "text": "refund #W2 please"}], "refunding"),
        ("How are you?", "anything else"),
    ],
)
def test_the_first_script_found_in_the_first_user_message_speaks(opening: object, said: str) -> None:
    scripts = [
        {"match": r"(?i)cancel.*#W\d+", "replies": [{"text": "cancelling"}]},
        {"match": r"refund", "replies": [{"text": "refunding"}]},
        {"match": r"(?i)cancel", "replies": [{"text": "too late"}]},
    ]
    with play({"text": "anything else"}, scripts=scripts) as (_, client):
        assert texts(stream(client, [{"role": "user", "content": opening}])) == [said]


@pytest.mark.parametrize(
    ("script", "place"),
    [
        ({"default": [{"text": "only"}]}, "default"),
        ({"scripts": [{"match": "Hello", "replies": [{"text": "only"}]}]}, "scripts.0"),
        ({"scripts": [{"match": "no such words", "replies": [{"text": "a"}, {"text": "b"}]}]}, "default"),
    ],
)
def test_a_script_that_runs_out_is_an_error_not_an_answer(script: dict, place: str) -> None:
    longer = [*HELLO, {"role": "assistant", "content": "One."}, {"role": "user", "content": "And?"}]
    with FakeAnthropic(Script.from_dict(script)) as fake, connect(fake) as client:
        with pytest.raises(anthropic.InternalServerError, match=rf"script has no reply 1 \({place}") as refused:
            stream(client, longer)
        assert refused.value.body["error"]["type"] == "api_error"
        assert len(fake.complaints) == 1


def test_a_guarded_reply_is_given_only_where_the_newest_message_holds_its_words() -> None:
    with play({"text": "Bye."}, {"text": "Found.", "when_last_user_contains": "shipped"}) as (fake, client):
        use = {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "t", "input": {}}]}
        result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "shipped"}]}
        history = [*HELLO, use, {"role": "user", "content": [result]}]
        assert texts(stream(client, history)) == ["Found."]
        result["content"] = "pending"
        with pytest.raises(anthropic.InternalServerError, match="does not contain 'shipped'"):
            stream(client, history)
        assert len(fake.complaints) == 1


def test_a_function_can_answer_instead_of_a_script() -> None:
    def respond(body: dict) -> Reply | dict:
        said = body["messages"][-1]["content"]
        return Reply(text=said.upper()) if said.startswith("a") else {"text": said * 2}

    with FakeAnthropic(respond=respond) as fake, connect(fake) as client:
        answers = [texts(stream(client, [{"role": "user", "content": said}])) for said in ("ab", "xy")]
    assert answers == [["AB"], ["xyxy"]]


def test_a_function_that_answers_nonsense_or_breaks_is_told_on(capsys: pytest.CaptureFixture[str]) -> None:
    def respond(body: dict) -> dict:
        return {"txt": "misspelt"} if body["messages"][0]["content"] == "Hello" else {"text": body["nothing"]}

    with FakeAnthropic(respond=respond) as fake, connect(fake) as client:
        with pytest.raises(anthropic.InternalServerError, match=r"reply: txt: Extra inputs"):
            stream(client)
        with pytest.raises(HUNG_UP):
            stream(client, [{"role": "user", "content": "Break"}])
        assert [complaint.partition(":")[0] for complaint in fake.complaints] == ["500", "KeyError"]
    assert "KeyError: 'nothing'" in capsys.readouterr().err


def test_script_and_function_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="one of them"):
        FakeAnthropic()
    with pytest.raises(ValueError, match="one of them"):
        FakeAnthropic(Script.from_dict({"default": [{"text": "a"}]}), respond=lambda body: {"text": "b"})


# --- Failures told to happen -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (400, anthropic.BadRequestError, "invalid_request_error"),
        (401, anthropic.AuthenticationError, "authentication_error"),
        (403, anthropic.PermissionDeniedError, "permission_error"),
        (404, anthropic.NotFoundError, "not_found_error"),
        (429, anthropic.RateLimitError, "rate_limit_error"),
        (500, anthropic.InternalServerError, "api_error"),
        (503, anthropic.ServiceUnavailableError, "api_error"),
        (529, anthropic.OverloadedError, "overloaded_error"),
    ],
)
def test_a_scripted_status_raises_the_clients_own_class(status: int, error: type[Exception], kind: str) -> None:
    with play({"status": status, "retry_after": 7}) as (fake, client):
        with pytest.raises(error) as raised:
            stream(client)
        assert raised.value.status_code == status
        assert raised.value.body["error"]["type"] == kind
        assert raised.value.response.headers["retry-after"] == "7"
        assert raised.value.request_id == raised.value.body["request_id"]
        assert fake.complaints == []


def test_a_cut_stream_raises_after_the_text_that_came_through() -> None:
    with play({"text": "A long sentence that will not be finished.", "cut_after_bytes": 900}) as (fake, client):
        came: list[str] = []
        with (
            pytest.raises(HUNG_UP),
            client.messages.stream(model="claude-test", max_tokens=100, messages=HELLO) as events,
        ):
            came.extend(events.text_stream)
        assert "".join(came)
        assert "A long sentence that will not be finished.".startswith("".join(came))
        assert fake.complaints == []


@pytest.mark.parametrize("cut", [0, 1, 200])
def test_a_cut_at_any_byte_never_looks_like_a_finished_reply(cut: int) -> None:
    with play({"text": "x" * 400, "cut_after_bytes": cut}) as (_, client):
        with pytest.raises(HUNG_UP):
            stream(client)
        with pytest.raises(HUNG_UP):
            client.messages.create(model="claude-test", max_tokens=100, messages=HELLO)


def test_a_cut_beyond_the_end_is_a_mistake_in_the_script() -> None:
    with (
        play({"text": "short", "cut_after_bytes": 100_000}) as (_, client),
        pytest.raises(anthropic.InternalServerError, match="cut_after_bytes 100000 is not inside"),
    ):
        stream(client)


def test_an_error_inside_a_stream_follows_the_text_that_came_before_it() -> None:
    with play({"text": "So far so good", "stream_error": "overloaded_error"}) as (_, client):
        came: list[str] = []
        with (
            pytest.raises(anthropic.APIStatusError) as raised,
            client.messages.stream(model="claude-test", max_tokens=100, messages=HELLO) as events,
        ):
            came.extend(events.text_stream)
        assert "".join(came) == "So far so good"
        assert raised.value.body["error"]["type"] == "overloaded_error"
        with pytest.raises(anthropic.InternalServerError, match="need a request with stream"):
            client.messages.create(model="claude-test", max_tokens=100, messages=HELLO)


def test_a_delayed_reply_waits_and_then_arrives_whole() -> None:
    with play({"text": "At last.", "delay_ms": 150}) as (_, client):
        began = time.monotonic()
        assert texts(stream(client)) == ["At last."]
        assert time.monotonic() - began >= 0.15


def test_stopping_does_not_wait_for_a_delayed_reply() -> None:
    with ThreadPoolExecutor(1) as pool, play({"text": "Too late.", "delay_ms": 60_000}) as (fake, client):
        waiting = pool.submit(stream, client)
        while not fake.requests:
            time.sleep(0.01)
        began = time.monotonic()
        fake.stop()
        with pytest.raises(HUNG_UP):
            waiting.result(timeout=5)
        assert time.monotonic() - began < 5


# --- The server ------------------------------------------------------------------------------------------------------


def test_stopping_closes_idle_connections() -> None:
    with (
        play({"text": "Hi."}) as (fake, _),
        socket.create_connection(("127.0.0.1", int(fake.url.rpartition(":")[2])), timeout=5) as peer,
    ):
        peer.sendall(b"GET /requests HTTP/1.1\r\nhost: x\r\n\r\n")
        while b"[]" not in peer.recv(4096):
            pass
        fake.stop()
        assert peer.recv(4096) == b""


def test_every_body_is_recorded_in_order_and_handed_out_as_a_copy() -> None:
    with play({"text": "Hi."}) as (fake, client):
        stream(client, system="Be kind.")
        with pytest.raises(anthropic.BadRequestError):
            client.messages.create(model="", max_tokens=0, messages=HELLO)
        elsewhere = httpx2.get(f"{fake.url}/requests").json()
        fake.requests[0]["system"] = "Be rude."
        assert [body.get("system") for body in fake.requests] == ["Be kind.", None]
        assert elsewhere == fake.requests
    assert len(fake.requests) == 2


def test_parallel_conversations_do_not_mix() -> None:
    """The barrier opens only when all eight calls are being answered at the same time."""
    everyone = threading.Barrier(8, timeout=10)

    def respond(body: dict) -> dict:
        everyone.wait()
        return {"text": f"to {body['messages'][0]['content']}"}

    with FakeAnthropic(respond=respond) as fake, connect(fake) as client, ThreadPoolExecutor(8) as pool:
        names = [f"customer {number}" for number in range(8)]
        answers = pool.map(lambda name: texts(stream(client, [{"role": "user", "content": name}])), names)
        assert list(answers) == [[f"to {name}"] for name in names]
        assert sorted(body["messages"][0]["content"] for body in fake.requests) == names


def test_one_connection_serves_many_calls_after_errors_too() -> None:
    with FakeAnthropic(Script.from_dict({"default": [{"text": "Hi."}]})) as fake:
        host = fake.url.removeprefix("http://")
        with httpx2.Client(base_url=fake.url, headers={"x-api-key": "x"}) as http:
            body = {"model": "m", "max_tokens": 9, "messages": HELLO}
            asked = [{**body, "stream": True}, {**body, "messages": []}, body]
            answers = [http.post("/v1/messages", json=each) for each in asked]
            ports = {answer.extensions["network_stream"].get_extra_info("client_addr") for answer in answers}
        assert host.startswith("127.0.0.1:")
        assert [answer.status_code for answer in answers] == [200, 400, 200]
        assert len(ports) == 1


def test_small_events_do_not_wait_for_acknowledgements() -> None:
    """With Nagle's algorithm every reply of several small writes takes at least one delayed acknowledgement, 40 ms."""
    with play({"text": "word " * 20}) as (_, client):
        stream(client)
        took = []
        for _number in range(10):
            began = time.monotonic()
            stream(client)
            took.append(time.monotonic() - began)
    assert min(took) < 0.035


@pytest.mark.parametrize(
    ("method", "path", "headers", "content", "status", "kind"),
    [
        ("POST", "/v1/messages", {}, b"{}", 401, "authentication_error"),
        ("POST", "/v1/messages", {"x-api-key": "x"}, b"{", 400, "invalid_request_error"),
        ("POST", "/v1/messages", {"x-api-key": "x"}, b"[]", 400, "invalid_request_error"),
        ("POST", "/v1/messages", {"x-api-key": "x"}, b"[" * 100_000, 400, "invalid_request_error"),
        ("POST", "/v1/messages", {"x-api-key": "x"}, b"\xff", 400, "invalid_request_error"),
        ("POST", "/v1/complete", {"x-api-key": "x"}, b"{}", 404, "not_found_error"),
        ("GET", "/v1/messages", {"x-api-key": "x"}, b"", 404, "not_found_error"),
    ],
)
def test_calls_the_api_does_not_know_get_its_error_body(
    method: str, path: str, headers: dict, content: bytes, status: int, kind: str
) -> None:
    with play({"text": "Hi."}) as (fake, _):
        answer = httpx2.request(method, fake.url + path, headers=headers, content=content)
    assert answer.status_code == status
    assert (answer.json()["type"], answer.json()["error"]["type"]) == ("error", kind)


def test_a_bearer_token_is_as_good_as_a_key() -> None:
    body = {"model": "m", "max_tokens": 9, "messages": HELLO}
    with play({"text": "Hi."}) as (fake, _):
        asked = [({}, 401), ({"x-api-key": "x"}, 200), ({"authorization": "Bearer x"}, 200)]
        for headers, status in asked:
            assert httpx2.post(f"{fake.url}/v1/messages", json=body, headers=headers).status_code == status


def test_a_body_of_unknown_or_absurd_length_is_refused_and_the_connection_closed() -> None:
    with play({"text": "Hi."}) as (fake, _):
        for length in ("", "content-length: 99999999999\r\n", "content-length: -1\r\n"):
            with socket.create_connection(("127.0.0.1", int(fake.url.rpartition(":")[2])), timeout=5) as peer:
                peer.sendall(f"POST /v1/messages HTTP/1.1\r\nhost: x\r\n{length}\r\n".encode())
                answer = b"".join(iter(lambda peer=peer: peer.recv(4096), b""))
            assert answer.startswith(b"HTTP/1.1 400 ")


def test_it_starts_once_and_can_be_stopped_twice() -> None:
    fake = FakeAnthropic(Script.from_dict({"default": [{"text": "Hi."}]}))
    with pytest.raises(RuntimeError, match="not running"):
        _ = fake.url
    with fake:
        address = fake.url
        with pytest.raises(RuntimeError, match="already"):
            fake.start()
    fake.stop()
    with pytest.raises(httpx2.ConnectError):
        httpx2.get(f"{address}/requests")


def test_a_refused_history_reaches_the_client_as_a_bad_request_and_is_complained_about() -> None:
    with play({"text": "Hi."}) as (fake, client):
        with pytest.raises(anthropic.BadRequestError, match="assistant message prefill") as refused:
            stream(client, [*HELLO, {"role": "assistant", "content": "Hi."}])
        assert refused.value.body["error"]["type"] == "invalid_request_error"
        with pytest.raises(anthropic.BadRequestError, match="`temperature` is deprecated"):
            stream(client, extra_body={"temperature": 1})
        assert [complaint.partition(":")[0] for complaint in fake.complaints] == ["400", "400"]
        assert texts(stream(client)) == ["Hi."]
