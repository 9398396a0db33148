"""The autonomy ladder: evidence since the level began, steps up that need it, steps down that need nothing."""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from approvals import ladder
from approvals.evidence import Evidence, get_evidence
from approvals.models import ActionRequest, CustomerSession, Harm, State
from audit.chains import SHOP
from audit.queries import list_entries
from audit.triggers import create_statements, drop_statements
from orders.models import Effect
from policy import append_only
from policy.actions import ACTIONS
from policy.levels import Level
from policy.models import PolicyVersion
from policy.operations import NoteMissing, NotPermitted, Overtaken, change, set_level
from policy.queries import find_level_since, get_active
from tests.approvals.test_admin import Inline, messages_of
from tests.factories import make_staff, staff_client

pytestmark = pytest.mark.django_db
CANCEL, RETURN = "cancel_pending_order", "return_delivered_order_items"
PAGE, STEP = reverse("admin:approvals_ladder"), reverse("admin:approvals_step")
HOSTILE = "<script>alert('note')</script>"
BANDS = [{"up_to": "20.00", "level": "auto"}, {"up_to": "100.00", "level": "limited"}, {"level": "suggest"}]


def age_policy(days: float) -> None:
    """As if every version so far had been published so long ago; past the triggers, which forbid just that."""
    moment = timezone.now() - timedelta(days=days)
    with connection.cursor() as cursor:
        for statement in drop_statements(connection.vendor, append_only.TABLE):
            cursor.execute(statement)
        PolicyVersion.objects.update(created_at=moment)
        for statement in create_statements(connection.vendor, append_only.TABLE, append_only.KEYS):
            cursor.execute(statement)


def make_requests(
    number: int, *, action: str = CANCEL, amount: int = 1_000, granted: bool = True, days_ago: float = 1
) -> list[ActionRequest]:
    """Requests as the gate leaves them, with their effects where they were granted."""
    session, _ = CustomerSession.objects.get_or_create(
        conversation="00000000-0000-0000-0000-000000000001", guard="enforce"
    )
    made = []
    for _ in range(number):
        serial = ActionRequest.objects.count()
        request = ActionRequest.objects.create(
            session=session, key=f"k{serial}", action=action, arguments={}, digest=f"d{serial}", order_number="#W1",
            card={"title": "t", "lines": []}, amount=amount, level_amount=amount, currency="USD", facts={},
            state=State.GRANTED if granted else State.DECLINED_BY_CUSTOMER, policy_version=1, prompt_version="p",
            model="m", expires_at=timezone.now(),
        )  # fmt: skip
        if granted:
            request.effect = Effect.objects.create(
                key=request.key, request_id=request.pk, conversation=session.conversation, user_id="u", action=action,
                arguments={}, amount=amount, currency="USD", state="done", result="",
            )  # fmt: skip
            request.save(update_fields=["effect"])
        ActionRequest.objects.filter(pk=request.pk).update(created_at=timezone.now() - timedelta(days=days_ago))
        made.append(request)
    return made


def look(action: str = CANCEL, up_to: Decimal | None = None) -> Evidence:
    return get_evidence(action=action, up_to=up_to, limits=get_active().limits, now=timezone.now())


def make_publisher(*more: str) -> User:
    user = make_staff("mia")
    user.user_permissions.set(Permission.objects.filter(codename__in=["publish_policyversion", *more]))
    return User.objects.get(pk=user.pk)


def harm(request: ActionRequest, days_ago: float) -> None:
    Harm.objects.create(
        action=request.action, level_amount=request.level_amount, request=request, kind="wrong", found_by="bob",
        at=timezone.now() - timedelta(days=days_ago),
    )  # fmt: skip


def climb(staff: User, note: str = "", **where: Any) -> PolicyVersion:
    return ladder.step_up(
        staff=staff, seen=look(**where).level, note=note, **({"action": CANCEL, "up_to": None} | where)
    )


def test_evidence_counts_what_was_granted_in_the_band_since_the_level_began() -> None:
    change(lambda _: {"autonomy": {"levels": {CANCEL: BANDS}}}, source="x", author="a", note="")
    age_policy(30)
    for amount in (0, 2_000, 2_001, 10_000, 10_001, 10_001):
        make_requests(1, amount=amount)
    make_requests(3, amount=2_000, granted=False)
    make_requests(2, amount=2_000, days_ago=31)
    make_requests(1, amount=2_000, action=RETURN)
    found = [look(up_to=end) for end in (Decimal(20), Decimal(100), None)]
    assert [(one.level, one.cases, one.days) for one in found] == [
        ("auto", 2, 30),
        ("limited", 2, 30),
        ("suggest", 2, 30),
    ]
    # Of five that were asked for in the lowest band one ended with money going back, one with none to give.
    assert found[0].refund_rate == pytest.approx(1 / 5)
    assert found[1].bound == pytest.approx(1 - 0.05**0.5)


def test_a_level_begins_where_its_whole_band_got_it() -> None:
    ranges = {"low": (-1, 2_000), "middle": (2_000, 10_000), "high": (10_000, 2**62), "all": (-1, 2**62)}

    def since() -> dict[str, int]:
        begun = {}
        for name, (low, high) in ranges.items():
            at = find_level_since(action=CANCEL, low=low, high=high)
            begun[name] = PolicyVersion.objects.filter(created_at__lte=at).latest("number").number
        return begun

    assert set(since().values()) == {1}
    change(lambda _: {"autonomy": {"levels": {CANCEL: BANDS}}}, source="x", author="a", note="")
    # The middle band was limited before, by the same name.
    assert since() == {"low": 2, "middle": 1, "high": 2, "all": 2}
    change(lambda _: {"person_above": "7.00"}, source="x", author="a", note="")
    assert since() == {"low": 2, "middle": 1, "high": 2, "all": 2}
    set_level(action=CANCEL, up_to=Decimal("20.00"), level=Level.OFF, author="a", note="")
    assert since() == {"low": 4, "middle": 1, "high": 2, "all": 4}
    set_level(action=CANCEL, up_to=Decimal("20.00"), level=Level.AUTO, author="a", note="")
    assert since()["low"] == 5
    PolicyVersion.objects.create(number=6, limits="{", source="by hand", author="m")
    change_back = PolicyVersion.objects.get(number=5).limits
    PolicyVersion.objects.create(number=7, limits=change_back, source="x", author="m")
    assert set(since().values()) == {7}


ENOUGH = [
    # days on the level, cases, days since harm, and what is missing
    (14, 50, None, ""),
    (13.9, 50, None, "13 of 14 days"),
    (14, 49, None, "49 of 50 cases"),
    (0, 0, None, "0 of 14 days without harm on this level and 0 of 50 cases"),
    (40, 60, 20, ""),
    (40, 60, 10, "10 of 14 days"),
]


@pytest.mark.parametrize(("days", "cases", "harm_days", "missing"), ENOUGH)
def test_a_step_up_needs_days_and_cases_without_harm(
    days: float, cases: int, harm_days: float | None, missing: str
) -> None:
    staff = make_publisher()
    age_policy(days)
    # After the harm, if there was one; the harmed case is one before it.
    made = make_requests(cases, days_ago=min(days, 5) / 2)
    if harm_days is not None:
        harm(made[0], harm_days)
    if missing:
        with pytest.raises(ladder.TooEarly, match=missing):
            climb(staff)
        assert get_active().version == 1
    else:
        version = climb(staff)
        assert get_active().limits.autonomy.level_of(CANCEL, 5) is Level.AUTO
        assert version.note.startswith(f"{CANCEL} from limited to auto: {cases} cases in ")
        assert (version.author, version.source) == ("mia", "level")


def test_the_right_to_override_takes_a_note_and_the_note_is_kept() -> None:
    staff = make_publisher("override_ladder")
    with pytest.raises(NoteMissing, match="0 of 50 cases"):
        climb(staff, " ")
    version = climb(staff, "measured by hand before")
    assert version.note.endswith("0 of 50 cases without harm. measured by hand before")
    entry = list_entries(subject=SHOP).last()
    assert entry is not None
    assert (entry.event, entry.actor, entry.policy_version) == ("policy_changed", "staff:mia", 2)


def test_a_step_down_is_one_press_and_needs_nothing() -> None:
    staff = make_publisher()
    for below in ("suggest", "shadow", "off"):
        version = ladder.step_down(staff=staff, action=CANCEL, up_to=None, seen=look().level)
        assert version.note.endswith(f"to {below}")
    with pytest.raises(Overtaken, match="end of the ladder"):
        ladder.step_down(staff=staff, action=CANCEL, up_to=None, seen=Level.OFF)


def test_a_second_press_on_the_same_page_takes_no_second_step() -> None:
    staff = make_publisher()
    ladder.step_down(staff=staff, action=CANCEL, up_to=None, seen=Level.LIMITED)
    with pytest.raises(Overtaken, match="changed meanwhile"):
        ladder.step_down(staff=staff, action=CANCEL, up_to=None, seen=Level.LIMITED)
    with pytest.raises(Overtaken, match="changed meanwhile"):
        ladder.step_down(staff=staff, action=CANCEL, up_to=Decimal("9.00"), seen=Level.SUGGEST)
    assert get_active().version == 2


def test_the_right_to_publish_is_needed_for_a_step_either_way() -> None:
    for staff in (make_staff(), User.objects.create_user("left", is_staff=True, is_active=False, is_superuser=True)):
        for step, more in ((ladder.step_up, {"note": "x"}), (ladder.step_down, {})):
            with pytest.raises(NotPermitted):
                step(staff=staff, action=CANCEL, up_to=None, seen=Level.LIMITED, **more)
    assert get_active().version == 1


def test_the_page_shows_each_action_and_band_with_its_evidence(bob: User) -> None:
    change(lambda _: {"autonomy": {"levels": {CANCEL: BANDS}}}, source="x", author="a", note=HOSTILE)
    harm(make_requests(3, amount=1_000, days_ago=0)[0], 0)
    html = staff_client(bob).get(PAGE).content.decode()
    assert Inline(html).found == []
    assert html.count("Level: ") == len(ACTIONS) + 2
    text = " ".join(re.sub(r"<[^>]+>", " ", html).split())
    assert (
        "Cancel pending order up to $20.00 off shadow suggest limited auto 3 cases, 1 harm rate below 86.46% (95 %)"
        in text
    )
    assert "above $100.00 off" in text


def test_the_buttons_of_the_page_take_the_step(bob: User) -> None:
    client = staff_client(bob)
    posted = {"action": CANCEL, "up_to": "", "seen": "limited", "way": "down"}
    told = messages_of(client.post(STEP, posted, follow=True).content.decode())
    assert told == "Cancel_pending_order from limited to suggest. Version 2 is active."
    told = messages_of(client.post(STEP, posted | {"seen": "suggest", "way": "up"}, follow=True).content.decode())
    assert "say why" in told
    answer = client.post(STEP, posted | {"seen": "suggest", "way": "up", "note": HOSTILE}, follow=True)
    assert HOSTILE not in answer.content.decode()
    assert get_active().limits.autonomy.level_of(CANCEL, 0) is Level.LIMITED
    for wrong in ({"action": "x"}, {"way": "sideways"}, {"seen": "x"}, {"up_to": "x"}):
        assert client.post(STEP, posted | wrong).status_code == 404


def test_staff_without_the_right_neither_see_nor_take_a_step() -> None:
    client = staff_client(make_staff())
    assert client.get(PAGE).status_code == 403
    assert client.post(STEP, {"action": CANCEL, "seen": "limited", "way": "down"}).status_code == 403
    assert get_active().version == 1
