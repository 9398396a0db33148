"""Scripts that cannot be played are refused with their place, and the command that plays the others."""

import json
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import anthropic
import httpx2
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from conversations.fake_anthropic import Script, ScriptError
from conversations.management.commands.fake_anthropic import Command

ROOT = Path(__file__).parents[2]
HELLO = [{"role": "user", "content": "Hello"}]


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ([], "script: Input should be"),
        ({}, "needs at least one reply"),
        ({"replies": []}, "replies: Extra inputs"),
        ({"default": [{"text": "a"}, {"txt": "b"}]}, "default.1.txt: Extra inputs"),
        ({"default": [{}]}, "default.0: Value error, a reply needs text"),
        ({"default": [{"text": ""}]}, "default.0.text"),
        ({"default": [{"status": 200}]}, "default.0.status"),
        ({"default": [{"status": 500, "text": "a"}]}, "default.0: Value error, a reply with a status"),
        ({"default": [{"text": "a", "retry_after": 1}]}, "retry_after needs a status"),
        ({"default": [{"text": "a", "delay_ms": "5"}]}, "default.0.delay_ms"),
        ({"default": [{"text": "a", "cut_after_bytes": -1}]}, "default.0.cut_after_bytes"),
        ({"default": [{"text": "a", "cut_after_bytes": 5, "stream_error": "api_error"}]}, "not both"),
        ({"default": [{"tool_calls": [{"input": {}}]}]}, "default.0.tool_calls.0.name: Field required"),
        ({"scripts": [{"match": "(", "replies": [{"text": "a"}]}]}, "scripts.0: Value error, match is not a regular"),
        ({"scripts": [{"match": "a", "replies": []}]}, "scripts.0.replies"),
    ],
)
def test_a_bad_script_is_refused_with_its_place(script: object, words: str) -> None:
    with pytest.raises(ScriptError, match=re.escape(words)):
        Script.from_dict(script)


def test_the_command_names_what_is_wrong_with_its_script_or_port(tmp_path: Path) -> None:
    good, broken, wrong = (tmp_path / name for name in ("good.json", "broken.json", "wrong.json"))
    good.write_text('{"default": [{"text": "Hi."}]}')
    broken.write_text('{"default": ')
    wrong.write_text('{"default": [{"txt": "Hi."}]}')
    cases = [
        (0, tmp_path / "absent.json", "absent.json: No such file"),
        (0, broken, "broken.json: not JSON"),
        (0, wrong, "wrong.json: default.0.txt: Extra inputs"),
        (70_000, good, "port 70000: "),
    ]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for port, script, words in [*cases, (taken.getsockname()[1], good, "in use")]:
            with pytest.raises(CommandError, match=re.escape(words)):
                call_command(Command(), port=port, script=script)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_the_command_prints_its_address_serves_and_ends_cleanly(stop: signal.Signals, tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"default": [{"text": "Hi."}]}))
    code = (
        "import sys; from django.conf import settings; settings.configure();"
        "from conversations.management.commands.fake_anthropic import Command; Command().run_from_argv(sys.argv)"
    )
    command = [sys.executable, "-c", code, "fake_anthropic", "--port", "0", "--script", str(script)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            ready = process.stdout.readline()
            url = re.search(r"http://127\.0\.0\.1:\d+", ready).group()
            with anthropic.Anthropic(api_key="x", base_url=url, max_retries=0) as client:
                assert client.messages.create(model="m", max_tokens=9, messages=HELLO).content[0].text == "Hi."
            assert [body["messages"] for body in httpx2.get(f"{url}/requests").json()] == [HELLO]
            process.send_signal(stop)
            rest, errors = process.communicate(timeout=10)
        finally:
            process.kill()
    assert (process.returncode, rest, errors) == (0, "", "")
