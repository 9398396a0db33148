"""When calls that came to nothing end the agent's part: two that failed in a row, or what is refused for good."""

from dataclasses import dataclass

from conversations import history
from conversations.attempts import JUST_HANDED_BACK, Attempt, Outcome, is_stretch_end, list_attempts
from conversations.history import Row
from conversations.models import Conversation, Step, Turn
from conversations.operations.reasons import say_refused, say_unsure

MOST_FAILED = 2
MOST_REFUSED = 2
CUSTOMER_WORDS = "<customer>"


@dataclass(frozen=True, kw_only=True)
class Stop:
    """Why a person takes the chat, and what the customer is told."""

    reason: str
    notice: str


def find_stop(conversation: Conversation, steps: list[Row]) -> Stop | None:
    """After a call that came to nothing: whether it was one too many. `steps` are those of the window.

    Counted anew since a person last handed the chat back: what they know already is explained once more in words.
    """
    attempts = list_attempts(_list_all(conversation, steps))
    last = attempts[-1]
    recent = [attempt for attempt in attempts if attempt.recent]
    if last.outcome is Outcome.FAILED:
        row = recent[-MOST_FAILED:]
        failed = len(row) == MOST_FAILED and all(attempt.outcome is Outcome.FAILED for attempt in row)
        return Stop(reason="failed_calls", notice="") if failed else None
    if last.outcome is not Outcome.REFUSED:
        return None
    if last.is_final and not _is_known(last, attempts):
        return Stop(reason="final_refusal", notice=say_refused(last.reason))
    same = [attempt for attempt in recent if attempt.outcome is Outcome.REFUSED and attempt.is_same_action(last)]
    if len(same) < MOST_REFUSED:
        return None
    notice = say_refused(last.reason) if last.is_final else say_unsure(last.rule)
    return Stop(reason="repeated_refusal", notice=notice)


def returns_too_soon(turn: Turn, steps: list[Row]) -> bool:
    """Whether the model gives the chat back to the person who has just left, before the customer said a word. Once."""
    if turn.cause != "hand_back":
        return False
    since = max((row.pk for row in steps if is_stretch_end(row)), default=0)
    later = [row for row in steps if row.pk > since]
    return not any(_is_word_of_customer(row) or _is_told(row) for row in later)


def _list_all(conversation: Conversation, steps: list[Row]) -> list[Row]:
    # What a window has dropped still counts.
    return steps if conversation.window_note is None else history.list_newer(conversation, 0)


def _is_known(refused: Attempt, attempts: list[Attempt]) -> bool:
    """Whether a person who had the chat saw this action refused before."""
    return any(
        not attempt.recent and attempt.outcome is Outcome.REFUSED and attempt.is_same_action(refused)
        for attempt in attempts
    )


def _is_word_of_customer(row: Row) -> bool:
    return row.kind == Step.Kind.INPUT and str(row.body.get("text", "")).startswith(CUSTOMER_WORDS)


def _is_told(row: Row) -> bool:
    return row.kind == Step.Kind.RESULT and row.body["content"] == JUST_HANDED_BACK
