"""The agent's finished reply, with the articles that it rests on."""

from collections.abc import Iterable

from approvals.sessions import AGENT, Voice
from audit.operations import Details, record
from conversations.models import Conversation, Message, Turn
from conversations.timeline import say
from helpcenter.citations import Source, cite, list_marks


def say_answer(conversation: Conversation, turn: Turn, text: str, *, found: Iterable[Source], voice: Voice) -> Message:
    """Say it, and record which passages of `found` it cites. Needs the turn's transaction."""
    known = {source.n: source for source in found}
    message = say(conversation, Message.Role.AGENT, text, turn=turn, citations=cite(text, known.values()))
    cited = [known[n] for n in list_marks(text) if n in known]
    if cited:
        details = Details(
            prompt_version=voice.prompt_version,
            model=voice.model,
            facts={"seq": message.seq, "passages": [source.name for source in cited]},
        )
        record(event="answer_cited", subject=str(conversation.pk), actor=AGENT, details=details)
    return message
