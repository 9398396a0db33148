"""The request that goes to the model: versioned prompt, tools, and the stored history."""

from functools import cache, lru_cache
from pathlib import Path

from django.conf import settings
from django.db import connection

from approvals.models import State
from approvals.queries import get_session
from audit.statements import save
from conversations import history
from conversations.agent import toolsets
from conversations.agent.protocol import ModelRequest
from conversations.agent.tools import list_specs
from conversations.history import Row
from conversations.models import Conversation
from conversations.operations.triaging import is_scoped
from conversations.timeline import session_of
from orders.models import Effect
from policy.limits import Limits
from policy.placeholders import fill_in
from policy.queries import get_active

FOLDER = Path(__file__).resolve().parent / "prompts"
CURRENT = "retail-2"
# Of each profile; the beginning of the version names the toolset.
VERSIONS = {"retail": CURRENT, "scoped": "scoped-2"}
MAX_TOKENS = 2_048
MOST_DONE = 20


def pin(conversation: Conversation) -> None:
    """Fix prompt and policy version for this conversation's segment, so that its system prompt stays the same bytes.

    The gate always decides by the active version; the pinned one is what the prompt says. Needs the turn's transaction.
    """
    if not conversation.prompt_version:
        pin_anew(conversation)


def pin_anew(conversation: Conversation) -> None:
    """The versions of now, with the toolset of what the chat is about."""
    active, version = get_active(), VERSIONS[settings.DESKAGENT_PROFILE]
    if is_scoped():
        also = conversation.label.get("also")
        version = toolsets.mark(version, session_of(conversation).intent, *([also] if also else []))
    conversation.prompt_version, conversation.policy_version = version, active.version
    save(conversation, "prompt_version", "policy_version")


def say_facts(conversation: Conversation) -> str:
    """What code knows of the customer and of what was done in this chat."""
    session = conversation.session or get_session(conversation=conversation.pk)
    lines = []
    if session.customer is not None:
        lines.append(f"The customer is signed in as {session.customer.user_id}.")
    done = session.requests.filter(state=State.GRANTED, effect__state=Effect.State.DONE).order_by("-created_at")
    titles = [card["title"] for card in done.values_list("card", flat=True)[:MOST_DONE]]
    if titles:
        lines.append(f"Done in this chat: {'; '.join(reversed(titles))}.")
    return " ".join(lines)


def _begin_window(conversation: Conversation) -> str:
    """What the model would lose with the messages that are no longer sent."""
    return f"The earlier part of this chat is no longer shown. {say_facts(conversation)}".strip()


def build(
    conversation: Conversation,
    *,
    deadline: float | None = None,
    begins_turn: bool = False,
    steps: list[Row] | None = None,
) -> tuple[ModelRequest, list[Row]]:
    """The request, and the steps it holds: those given, where they were kept since the turn's last call.

    Where a turn begins the window may move, and a new segment with it: what was cached is lost there anyhow.
    """
    if steps is None:
        steps = history.list_steps(conversation)
    if begins_turn and history.move_window(conversation, steps, facts=lambda: _begin_window(conversation)):
        pin_anew(conversation)
        steps = history.list_steps(conversation)
    database = str(connection.settings_dict["NAME"])
    request = ModelRequest(
        system=read_system(conversation.prompt_version, conversation.policy_version, database),
        tools=list_specs(conversation.prompt_version),
        messages=history.to_messages(steps),
        max_tokens=MAX_TOKENS,
        deadline=deadline,
    )
    return request, steps


@lru_cache(maxsize=64)
def read_system(version: str, policy_version: int | None, database: str) -> str:
    """The system prompt of a segment. Both versions are immutable, so it is read once a process and database."""
    return render_system(version, get_active(version=policy_version).limits)


def render_system(version: str, limits: Limits) -> str:
    """The prompt with the policy's numbers; an unknown placeholder is a mistake in the file and raises."""
    base, names = toolsets.split(version)
    return fill_in("\n\n".join(map(_read, [base, *(f"subjects/{name}-1" for name in names)])), limits)


@cache
def _read(version: str) -> str:
    return (FOLDER / f"{version}.md").read_text(encoding="utf-8").strip()
