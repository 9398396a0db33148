"""Every write's card, answered by typing, and every page of the console that shows it."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from approvals.models import ActionRequest
from orders.models import Effect
from tests.factories import run_turns, staff_client
from tests.scripted import Scripted, say
from tests.writes import WRITES, open_card

pytestmark = pytest.mark.usefixtures("desk")
ANSWERS = {"yes": "granted", "no": "declined_by_customer", "what would that cost?": "replaced"}


@pytest.mark.parametrize("words", ANSWERS)
@pytest.mark.parametrize("name", WRITES)
def test_a_card_is_answered_by_words(model: Scripted, name: str, words: str) -> None:
    chat = open_card(model, name)
    model.plays(say("Understood."))
    answer = chat.send(words)
    assert answer.status_code == 202, answer.content
    run_turns()
    assert ActionRequest.objects.get().state == ANSWERS[words]
    assert Effect.objects.count() == (words == "yes")
    assert chat.texts()[-1] == "Understood."


@pytest.mark.parametrize("name", WRITES)
def test_the_console_shows_every_card(model: Scripted, bob: User, name: str) -> None:
    chat = open_card(model, name)
    request = ActionRequest.objects.get()
    title = request.card["title"].split(" ")[0]
    for url in (
        reverse("admin:approvals_actionrequest_change", args=[request.pk]),
        reverse("admin:conversations_conversation_change", args=[chat.id]),
    ):
        page = staff_client(bob).get(url)
        assert page.status_code == 200
        assert title in page.content.decode()
