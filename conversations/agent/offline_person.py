"""Handing the chat over to a person, with a summary of what they should know."""

from conversations.agent.offline_desk import FETCH, Desk, Say, Use
from conversations.agent.offline_history import WRITES, Task
from conversations.agent.offline_kinds import HANDED_OVER
from conversations.agent.offline_outcomes import CANCEL_TOOL, WHAT, Outcome
from conversations.agent.offline_words import join_words


class HandOver(Desk):
    """The one call that brings a person in: asked for, or for what only a person can do."""

    def _fetch_person(self, task: Task) -> Say | Use:
        done = self.history.find_call(FETCH, since=task.since)
        if self.tools and FETCH not in self.tools:
            # A draft for the person who has the chat already.
            return Say("I have read this conversation and take it from here.")
        if not self.tools or (done is not None and done.failed):
            return Say("I could not fetch a person from here. Please press “Talk to a person”.")
        if done is not None:
            return Say("I have passed this on to a person. They will reply in this chat.")
        why = (
            f"No tool can {task.topic}, as the customer wishes."
            if task.topic in HANDED_OVER
            else "The customer asked for a person."
        )
        return Use(FETCH, {"summary": self._summarize(why)})

    def _summarize(self, why: str) -> str:
        history = self.history
        done = [call for call in history.calls if call.name in WRITES and call.outcome is Outcome.DONE]
        cancelled = [call.order_id for call in done if call.name == CANCEL_TOOL]
        changed = [WHAT[call.name].format(order=call.order_id) for call in done if call.name != CANCEL_TOOL]
        words = " / ".join(history.words[-3:])[:300]
        return " ".join(
            [
                why,
                f"Account: {history.user_id or 'not verified'}.",
                f"Cancelled in this chat: {join_words(cancelled) if cancelled else 'nothing'}.",
                *([f"Also done: {join_words(changed)}."] if changed else []),
                f"Last words of the customer: {words}",
            ]
        )
