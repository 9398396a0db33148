"""`python -m tests.kills.desk prepare | judge`: several commands to the desk's rows in one process, for their time."""

import json
import sys
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

import django

SNAPSHOT = "snapshot.json"


def prepare(folder: Path) -> None:
    """Schema, shop, Bob, and what the rows of the shop were before anything happened."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("load_store", str(folder / "shop"))
    call_command("createsuperuser", interactive=False, username="bob", email="bob@example.com", verbosity=0)
    call_command("check_books", take_snapshot=folder / SNAPSHOT)


def judge(folder: Path, ledger: Path | None, chats: list[str]) -> dict[str, Any]:
    """What became of these conversations, each by its rows; and the whole desk's books and audit log."""
    from django.core.management import call_command
    from django.utils import timezone

    from conversations.models import Conversation
    from eval import books

    out = StringIO()
    call_command("verify_audit", stdout=out)
    lines = books.check(now=timezone.now(), snapshot=books.read_snapshot(folder / SNAPSHOT), gateway_ledger=ledger)
    paid = Counter(json.loads(line)["key"] for line in ledger.read_text().splitlines()) if ledger else Counter()
    return {
        "chats": {chat: _describe(chat, paid) for chat in chats},
        "conversations": Conversation.objects.count(),
        "broken": [str(line) for line in lines if line.faults],
        "unchecked": [line.number for line in lines if line.state.startswith("not checked")],
        "audit": out.getvalue().splitlines()[-1],
    }


def _describe(chat: str, paid: "Counter[str]") -> dict[str, Any]:
    from conversations.models import Event, Message, Turn
    from orders.models import Effect

    effects = list(Effect.objects.filter(conversation=chat).select_related("order"))
    events = list(Event.objects.filter(conversation=chat).order_by("seq"))
    turns = list(Turn.objects.filter(conversation=chat))
    words = Counter(Message.objects.filter(conversation=chat).values_list("role", flat=True))
    return {
        "effects": [effect.state for effect in effects],
        "orders": [effect.order.status for effect in effects if effect.order],
        "paid": sum(count for key, count in paid.items() if key in {effect.key for effect in effects}),
        "receipts": [event.body["status"] for event in events if event.kind == "receipt"],
        "cards": sum(event.kind == "request" for event in events),
        "said": words["customer"],
        "replies": words["agent"],
        "turns": sorted({turn.state for turn in turns}),
        "claims": max((turn.fence for turn in turns), default=0),
    }


def main(what: str, folder: str, ledger: str = "") -> None:
    django.setup()
    if what == "prepare":
        prepare(Path(folder))
    else:
        found = judge(Path(folder), Path(ledger) if ledger else None, json.load(sys.stdin))
        sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
