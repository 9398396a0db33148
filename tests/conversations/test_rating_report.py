"""The console's ratings: every share with what it is a share of, agent and people apart, and no markup of customers."""

import re

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from conversations.models import Conversation, Rating
from tests.conversations.helpers import answered_chat, staff_call
from tests.factories import Chat, make_staff, staff_client, start_chat
from tests.scripted import Scripted

pytestmark = pytest.mark.usefixtures("desk")
RATINGS = reverse("admin:conversations_rating_changelist")
HOSTILE = "<script>alert(1)</script>"


def read(user: User, url: str = RATINGS) -> str:
    answer = staff_client(user).get(url)
    assert answer.status_code == 200
    return str(answer.content.decode())


def row_of(page: str, name: str) -> list[str]:
    found = re.search(rf'<th scope="row">{name}</th>(.*?)</tr>', page, re.DOTALL)
    assert found is not None
    return re.findall(r"<td[^>]*>(.*?)</td>", found[1])


def ended_chat(model: Scripted, bob: User, *, reply: str = "") -> Chat:
    chat, client = answered_chat(model), staff_client(bob)
    staff_call(client, chat, "take-over")
    if reply:
        assert staff_call(client, chat, "reply", {"text": reply}).status_code == 200
    assert staff_call(client, chat, "close").status_code == 200
    return chat


def test_an_empty_report_claims_no_share(bob: User) -> None:
    page = read(bob)
    assert row_of(page, "All") == ["0", "none yet", "", "0", "0", "0", "0", "0"]
    assert "Asked: 0, of which 0 answered. Ended: 0, of which 0 opened again within 7 days." in page


def test_ratings_are_counted_for_agent_and_people_apart(model: Scripted, bob: User) -> None:
    by_people = [ended_chat(model, bob, reply="Hello, Bob here.") for _ in range(2)]
    by_agent, silent = ended_chat(model, bob), ended_chat(model, bob)
    for chat, score, comment in [(by_people[0], 5, ""), (by_people[1], 2, HOSTILE), (by_agent, 4, "")]:
        assert chat.post("rating", {"score": score, "comment": comment}).status_code == 202
    assert silent.send("One more thing").status_code == 202
    assert Conversation.objects.get(pk=silent.id).reopenings == 1

    page = read(bob)
    assert row_of(page, "All") == ["3", "67% (2 of 3)", "3.67", "0", "1", "0", "1", "1"]
    assert row_of(page, "Agent alone") == ["1", "100% (1 of 1)", "4.00", "0", "0", "0", "1", "0"]
    assert row_of(page, "With people") == ["2", "50% (1 of 2)", "3.50", "0", "1", "0", "0", "1"]
    assert "Asked: 4, of which 3 answered. Ended: 4, of which 1 opened again within 7 days." in page
    assert HOSTILE not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    chats = read(bob, reverse("admin:conversations_conversation_change", args=[by_people[1].id]))
    assert "Poor, 2 of 5" in chats
    assert HOSTILE not in chats
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in chats


def test_only_who_may_see_ratings_sees_them_and_nobody_deletes_one(bob: User) -> None:
    rating = Rating.objects.create(conversation=Conversation.objects.get(pk=start_chat().id), score=1)
    assert staff_client(make_staff()).get(RATINGS).status_code == 403
    vera = make_staff("vera")
    vera.user_permissions.set(Permission.objects.filter(codename="view_rating"))
    assert "The last 30 days" in read(vera)
    for user in (vera, bob):
        staff_client(user).post(RATINGS, {"action": "delete_selected", "_selected_action": rating.pk, "post": "yes"})
        assert staff_client(user).post(f"{RATINGS}{rating.pk}/delete/", {"post": "yes"}).status_code == 403
    assert Rating.objects.count() == 1
