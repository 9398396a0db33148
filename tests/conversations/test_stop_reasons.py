"""Every way a reply can end: the customer gets words or a person, and the chat goes on afterwards."""

import logging

import pytest
from django.contrib.auth.models import User

from approvals.models import ActionRequest
from conversations.agent.wire import ALARM, KNOWN_ENDS
from conversations.models import Ticket
from tests.conversations.helpers import LOOK_UP, assert_requests_extend, staff_call
from tests.factories import run_turns, staff_client, start_chat
from tests.scripted import Move, Scripted, say

pytestmark = pytest.mark.usefixtures("desk")

SHAPES: dict[str, Move] = {
    "words": say("This is what I found."),
    "nothing": {},
    "call": LOOK_UP,
    "words and call": say("One moment.") | LOOK_UP,
    "thinking": {"thinking": "Hm."},
}
ENDS: dict[str, Move] = {
    **{reason: {"stop_reason": reason} for reason in sorted(KNOWN_ENDS)},
    "invented": {"stop_reason": "invented"},
    "none": {"unfinished": True},
}
# The only two that are used: words that end the turn, and a call that is to be run.
ANSWERED = {("end_turn", "words"), ("tool_use", "call"), ("tool_use", "words and call")}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_end_is_answered_and_the_chat_goes_on(
    bob: User, model: Scripted, caplog: pytest.LogCaptureFixture, shape: str
) -> None:
    for end in ENDS:
        caplog.clear()
        sent = len(model.requests)
        model.plays(SHAPES[shape] | ENDS[end], say("And now?"))
        chat = start_chat()
        with caplog.at_level(logging.ERROR):
            chat.say("Where is my order?")
        alarms = [text for text in caplog.messages if text.startswith(ALARM)]
        assert len(alarms) == (end in ("invented", "none")), end
        tickets = Ticket.objects.filter(conversation=chat.id)
        if (end, shape) in ANSWERED:
            assert (chat.state(), len(chat.texts()), tickets.count()) == ("open", 1, 0), end
        else:
            assert (chat.state(), chat.texts(), len(chat.texts("system"))) == ("with_person", [], 1), end
            assert (tickets.count(), ActionRequest.objects.count()) == (1, 0), end
            for name in ("take-over", "hand-back"):
                assert staff_call(staff_client(bob), chat, name).status_code == 200
            sent += 1
        model.plays(say("And now?"), say("And now?"))
        run_turns()
        chat.say("Are you there?")
        assert (chat.texts()[-1], chat.state()) == ("And now?", "open"), end
        assert_requests_extend(model.requests[sent:])
        model.moves.clear()


def test_the_alarm_names_the_reason_without_what_a_hostile_server_adds(
    model: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    model.plays(say("Hello.") | {"stop_reason": "x\n" * 500})
    with caplog.at_level(logging.ERROR):
        start_chat().say("Hello")
    (line,) = [text for text in caplog.messages if text.startswith(ALARM)]
    assert len(line) < 120
    assert "\n" not in line
