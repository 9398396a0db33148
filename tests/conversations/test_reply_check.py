"""The agent's words match the books: scripted replies that lie in both directions, and true ones, in eighteen chats.

Half of the replies were written with the rules in view (`replies.json`), half before any rule (`replies_apart.json`,
never tuned on). Each is said by a model stub in a chat that reached its state through the real loop and gate.
"""

import itertools
import json
import sys
from collections import Counter
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from pytest_django.fixtures import Settings

from conversations.agent.reply_check import find_faults, rewrite, tell
from conversations.models import Message, Step
from orders.models import Effect
from tests.conftest import ROOT
from tests.conversations.reply_worlds import REMOTE, SCOPED, WORLDS, enter, read_books
from tests.conversations.test_socket import Socket, connected, work
from tests.factories import Chat, load_shop
from tests.scripted import Scripted, say

pytestmark = pytest.mark.usefixtures("desk", "gateway")
FOLDER = ROOT / "tests" / "conversations" / "data"
SETS: dict[str, dict[str, dict[str, list[Any]]]] = {
    name: json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")) for name in ("replies", "replies_apart")
}
# How many may be sent, by kind: none.
MOST_SENT: dict[str, dict[str, int]] = {"replies": {}, "replies_apart": {}}
MOST_HELD = 0.02
SAMPLE = 1
A_CHAT = 12
NUMBERS = itertools.count()


def enter_world(world: str, model: Scripted, settings: Settings) -> Chat:
    load_shop()
    settings.DESKAGENT_PROFILE = "scoped" if world in SCOPED else "retail"
    settings.DESKAGENT_GATEWAY = "http" if world in REMOTE else "ledger"
    return enter(world, model)


def test_the_sets_hold_five_hundred_replies_of_the_same_chats() -> None:
    assert all(replies.keys() == WORLDS.keys() for replies in SETS.values())
    said = [
        (world, text)
        for replies in SETS.values()
        for world, one in replies.items()
        for text in [*one["true"], *(text for _, text in one["false"])]
    ]
    assert len(set(said)) == len(said) == 500


@pytest.mark.one_engine
def test_lies_are_held_back_and_true_replies_are_not(model: Scripted, settings: Settings) -> None:
    tally: dict[str, Counter[str]] = {name: Counter() for name in SETS}
    wrong: list[str] = []
    for world in WORLDS:
        books = read_books(enter_world(world, model, settings))
        assert find_faults(tell(books), books) == []
        for name, replies in SETS.items():
            for text in replies[world]["true"]:
                held = bool(find_faults(text, books))
                tally[name].update(["true", *["held"] * held])
                wrong += [f"held {name} {world}: {text}"] * held
            for kind, text in replies[world]["false"]:
                faults = find_faults(text, books)
                tally[name].update([f"false {kind}", *[f"sent {kind}"] * (not faults)])
                wrong += [f"sent {name} {world} {kind}: {text}"] * (not faults)
                assert find_faults(rewrite(text, faults, books), books) == [] or not faults
    for name, counts in tally.items():
        sys.stdout.write(f"\n{name}: {dict(sorted(counts.items()))}\n")
        sent = {kind: counts[f"sent {kind}"] for kind in ("done", "failed", "figure", "promise")}
        assert all(many <= MOST_SENT[name].get(kind, 0) for kind, many in sent.items()), "\n".join(wrong)
    held, true = (sum(counts[name] for counts in tally.values()) for name in ("held", "true"))
    assert held <= MOST_HELD * true, "\n".join(wrong)
    assert tally["replies"]["held"] == 0


@pytest.mark.parametrize("most", [SAMPLE, pytest.param(sys.maxsize, marks=pytest.mark.soak)])
async def test_no_lie_reaches_a_socket_or_a_row(model: Scripted, settings: Settings, most: int) -> None:
    """The stub insists on each lie: told once, it says it again, and code writes the sentence."""
    for world in WORLDS:
        lies = [text for replies in SETS.values() for _, text in replies[world]["false"][:most]]
        true = [text for replies in SETS.values() for text in replies[world]["true"][:most]]
        plan = [*((text, True) for text in lies), *((text, False) for text in true)]
        # In a longer chat the window would drop what was shown.
        for at in range(0, len(plan), A_CHAT):
            chat = await sync_to_async(enter_world)(world, model, settings)
            await say_all(chat, model, plan[at : at + A_CHAT])
            await sync_to_async(check_rows)(chat)


async def say_all(chat: Chat, model: Scripted, plan: list[tuple[str, bool]]) -> None:
    """Each reply as a turn of its own; those that the rules are known to miss were counted above."""
    books = await sync_to_async(read_books)(chat)
    receipts = await sync_to_async(chat.events)("receipt")
    async with connected(chat) as socket:
        await socket.hello(after=await sync_to_async(last_seq)(chat))
        for text, is_lie in plan:
            if bool(find_faults(text, books)) is not is_lie:
                continue
            screens = await ask(socket, model, text, times=2 if is_lie else 1)
            if is_lie:
                assert all(text not in shown and find_faults(shown, books) == [] for shown in screens), (text, screens)
            else:
                assert screens[-1] == text
    assert model.moves == []
    assert await sync_to_async(chat.events)("receipt") == receipts


async def ask(socket: Socket, model: Scripted, reply: str, *, times: int) -> list[str]:
    """What stands on the screen, time and again while an answer comes, and at the end."""
    model.plays(*[say(reply)] * times)
    await socket.send(type="message", client_id=f"r{next(NUMBERS)}", text="And now?")
    await socket.until("message", role="customer")
    await work()
    screens, shown = [], ""
    for frame in await socket.until("message", role="agent"):
        if frame["type"] == "delta":
            shown = shown[: frame["offset"]] + frame["text"]
            screens.append(shown)
    return [*screens, frame["event"]["text"]]


def last_seq(chat: Chat) -> int:
    return len(chat.events())


def check_rows(chat: Chat) -> None:
    """Receipts come from effects alone, and what the model is told that it said is what the customer read."""
    assert len(chat.events("receipt")) == Effect.objects.filter(conversation=chat.id).count()
    steps = Step.objects.filter(conversation=chat.id, kind=Step.Kind.REPLY).order_by("pk")
    said = [step.body[0]["text"].strip() for step in steps if step.body[0]["type"] == "text"]
    assert said == [*Message.objects.filter(conversation=chat.id, role="agent").values_list("text", flat=True)]
