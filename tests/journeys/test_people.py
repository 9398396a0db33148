"""A person is one click away, and the chat comes back from them."""

import pytest
from django.contrib.auth.models import User

from conversations import operations
from tests.factories import run_turns, start_chat

pytestmark = pytest.mark.usefixtures("desk")


@pytest.mark.parametrize("afterwards", ["", "thanks, that helps"], ids=["nothing more", "thanks"])
def test_after_a_hand_back_the_offline_model_does_not_ask_for_a_person_again(bob: User, afterwards: str) -> None:
    chat = start_chat()
    chat.say("I want to speak to a person please")
    assert chat.state() == "with_person"
    operations.take_over(conversation_id=chat.id, staff=bob)
    operations.post_staff_message(conversation_id=chat.id, staff=bob, text="Your parcel left today.")
    if afterwards:
        chat.say(afterwards)
    operations.hand_back(conversation_id=chat.id, staff=bob)
    run_turns()
    assert chat.state() == "open"
    assert chat.events()[-1]["role"] == "agent"


def test_a_closed_chat_cannot_be_taken_over(bob: User) -> None:
    chat = start_chat()
    chat.post("handoff")
    operations.take_over(conversation_id=chat.id, staff=bob)
    operations.close(conversation_id=chat.id, staff=bob)
    with pytest.raises(operations.ConversationClosed):
        operations.take_over(conversation_id=chat.id, staff=bob)
    assert chat.state() == "closed"
