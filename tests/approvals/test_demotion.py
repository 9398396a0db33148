"""An action falls back to `suggest` by itself: by harm, payments in doubt, failing writes, broken books."""

from datetime import timedelta
from decimal import Decimal
from io import StringIO

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from approvals import demotion
from approvals.models import ActionRequest, Harm
from audit.chains import SHOP
from audit.queries import list_entries
from eval.tasks import judge_books
from orders.models import Effect
from policy.actions import ACTIONS
from policy.levels import Level
from policy.models import PolicyVersion
from policy.operations import change, set_level
from policy.queries import get_active
from tests.approvals.test_ladder import BANDS, CANCEL, RETURN, make_requests
from tests.factories import make_staff, staff_client

pytestmark = pytest.mark.django_db


def levels(action: str = CANCEL) -> list[str]:
    return [band.level.value for band in get_active().limits.autonomy.bands_of(action)]


def use_bands() -> None:
    change(lambda _: {"autonomy": {"levels": {CANCEL: BANDS}}}, source="x", author="a", note="")


def fail(request: ActionRequest, state: str = "failed", *, with_person: bool = False) -> None:
    at = timezone.now() if with_person else None
    Effect.objects.filter(pk=request.effect_id).update(state=state, with_person_at=at)


def watch(*requests: ActionRequest) -> None:
    for request in requests:
        assert request.effect_id is not None
        demotion.watch_effect(effect_id=request.effect_id)


@pytest.mark.parametrize(
    ("amount", "after"),
    [
        (2_000, ["suggest", "limited", "suggest"]),
        (2_001, ["auto", "suggest", "suggest"]),
        (10_001, ["auto", "limited", "suggest"]),
    ],
)
def test_harm_takes_its_band_back_to_suggest_and_no_other(bob: User, amount: int, after: list[str]) -> None:
    use_bands()
    [request] = make_requests(1, amount=amount, days_ago=0)
    harm = demotion.report_harm(request_id=request.pk, kind="money", note="paid twice", staff=bob)
    assert (harm.found_by, harm.action, harm.level_amount) == ("bob", CANCEL, amount)
    assert levels() == after
    assert levels(RETURN) == ["limited"]


@pytest.mark.parametrize("level", [Level.OFF, Level.SHADOW, Level.SUGGEST])
def test_harm_raises_no_level(bob: User, level: Level) -> None:
    set_level(action=CANCEL, up_to=None, level=level, author="a", note="")
    [request] = make_requests(1)
    version = get_active().version
    demotion.report_harm(request_id=request.pk, kind="wrong", note="", staff=bob)
    assert (levels(), get_active().version) == ([level.value], version)


def test_a_fall_is_a_version_by_the_system_with_its_reason_in_the_log(bob: User) -> None:
    [request] = make_requests(1)
    demotion.report_harm(request_id=request.pk, kind="customer", note="Zoe lost her lamp", staff=bob)
    row = PolicyVersion.objects.get(number=2)
    assert (row.author, row.source) == ("system", "level")
    assert row.note.startswith(f"{CANCEL} from limited to suggest by itself: harm found in request {request.pk}")
    assert "Zoe" not in row.note
    entry = list_entries(subject=SHOP).last()
    assert entry is not None
    assert (entry.event, entry.actor, entry.policy_version) == ("policy_changed", "system", 2)


def test_the_same_harm_is_recorded_once(bob: User) -> None:
    [request] = make_requests(1)
    demotion.report_harm(request_id=request.pk, kind="wrong", note="", staff=bob)
    with pytest.raises(demotion.HarmKnown):
        demotion.report_harm(request_id=request.pk, kind="wrong", note="", staff=bob)
    assert (Harm.objects.count(), get_active().version) == (1, 2)


def test_harm_is_entered_by_who_may_of_what_was_done_and_of_kinds_that_people_find(bob: User) -> None:
    [done], [not_done] = make_requests(1), make_requests(1, granted=False)
    with pytest.raises(demotion.NotPermitted):
        demotion.report_harm(request_id=done.pk, kind="wrong", note="", staff=make_staff())
    for request, kind in ((not_done, "wrong"), (done, "gateway_in_doubt"), (done, "nonsense")):
        with pytest.raises(demotion.NoSuchRequest):
            demotion.report_harm(request_id=request.pk, kind=kind, note="", staff=bob)
    assert (Harm.objects.count(), get_active().version) == (0, 1)


def test_a_payment_in_doubt_at_its_end_is_harm_and_one_before_it_is_not() -> None:
    early, late = make_requests(2, days_ago=0)
    fail(early, "unknown")
    watch(early)
    assert (Harm.objects.count(), levels()) == (0, ["limited"])
    fail(late, "unknown", with_person=True)
    watch(late)
    watch(late)
    [harm] = Harm.objects.all()
    assert (harm.request, harm.kind, harm.found_by, levels()) == (late, "gateway_in_doubt", "system", ["suggest"])


def test_a_sweep_finds_what_a_lost_signal_left() -> None:
    [doubted] = make_requests(1, days_ago=0)
    fail(doubted, "unknown", with_person=True)
    assert demotion.sweep(now=timezone.now()) == 1
    assert levels() == ["suggest"]
    assert demotion.sweep(now=timezone.now()) == 0
    # Raised again by a person who looked: the old doubt does not take it down a second time.
    set_level(action=CANCEL, up_to=None, level=Level.LIMITED, author="bob", note="looked at it")
    assert demotion.sweep(now=timezone.now()) == 0
    assert levels() == ["limited"]


@pytest.mark.parametrize(
    ("failed", "of", "falls"),
    [(2, 3, False), (3, 3, True), (3, 59, True), (3, 60, False), (0, 5, False), (4, 60, True)],
)
def test_so_many_failed_writes_in_a_day_are_a_fault(failed: int, of: int, falls: bool) -> None:
    requests = make_requests(of, days_ago=0)
    for request in requests[:failed]:
        fail(request)
    watch(*requests[: max(failed, 1)])
    assert (levels() == ["suggest"]) is falls
    assert [harm.kind for harm in Harm.objects.all()] == (["error_rate"] if falls else [])


def test_failures_of_yesterday_of_another_band_or_action_do_not_count() -> None:
    use_bands()
    small, large = make_requests(2, amount=500, days_ago=0), make_requests(1, amount=5_000, days_ago=0)
    other = make_requests(1, amount=500, action=RETURN, days_ago=0)
    old = make_requests(1, amount=500, days_ago=0)
    for request in (*small, *large, *other, *old):
        fail(request)
    Effect.objects.filter(pk=old[0].effect_id).update(created_at=timezone.now() - timedelta(hours=25))
    watch(*small, *large, *other, *old)
    demotion.sweep(now=timezone.now())
    assert levels() == ["auto", "limited", "suggest"]


def test_failures_before_a_person_raised_the_level_again_do_not_count_twice() -> None:
    requests = make_requests(3, days_ago=0)
    for request in requests:
        fail(request)
    watch(*requests)
    assert levels() == ["suggest"]
    set_level(action=CANCEL, up_to=None, level=Level.LIMITED, author="bob", note="the gateway is back")
    demotion.sweep(now=timezone.now())
    assert levels() == ["limited"]


def test_broken_books_take_everything_back_that_goes_by_itself() -> None:
    use_bands()
    set_level(action=RETURN, up_to=None, level=Level.OFF, author="a", note="")
    # Two bands of cancelling, and one of every other action that goes by itself.
    assert demotion.report_broken_books(broken="1 money") == len(ACTIONS)
    assert levels() == ["suggest", "suggest", "suggest"]
    assert levels(RETURN) == ["off"]
    assert levels("modify_user_address") == ["suggest"]
    assert demotion.report_broken_books(broken="1 money") == 0
    assert set(Harm.objects.values_list("kind", "found_by")) == {("books_broken", "system")}


@pytest.mark.parametrize(("options", "level"), [([], "limited"), (["--demote"], "suggest")])
def test_the_check_of_the_books_takes_actions_back_where_it_is_told_to(options: list[str], level: str) -> None:
    # An effect that no entry of the log knows.
    make_requests(1, days_ago=0)
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("check_books", *options, stdout=out)
    assert "3 write-ahead BROKEN" in out.getvalue()
    assert levels() == [level]


def test_workers_take_actions_back_by_themselves_once_the_books_are_broken() -> None:
    make_requests(1, days_ago=0)
    assert levels() == ["limited"]
    judge_books.apply(throw=True)
    assert levels() == ["suggest"]
    # Judged again, nothing falls further and no version is made.
    before = get_active().version
    judge_books.apply(throw=True)
    assert get_active().version == before


@pytest.mark.usefixtures("desk")
def test_workers_leave_everything_as_it_is_while_the_books_add_up() -> None:
    judge_books.apply(throw=True)
    assert (levels(), get_active().version) == (["limited"], 1)


@pytest.mark.usefixtures("desk")
def test_books_that_add_up_take_nothing_back() -> None:
    call_command("check_books", "--demote", stdout=StringIO())
    assert (levels(), get_active().version) == (["limited"], 1)


def test_without_a_readable_policy_nothing_falls_and_nothing_breaks(bob: User) -> None:
    [request] = make_requests(1, days_ago=0)
    PolicyVersion.objects.create(number=2, limits="{", source="by hand", author="m")
    demotion.report_harm(request_id=request.pk, kind="wrong", note="", staff=bob)
    assert demotion.report_broken_books(broken="1 money") == 0
    assert demotion.sweep(now=timezone.now()) == 0
    assert (Harm.objects.count(), PolicyVersion.objects.count()) == (1, 2)


def test_harm_is_recorded_by_a_button_of_the_request_page() -> None:
    [request] = make_requests(1)
    url = reverse("admin:approvals_report_harm", args=[request.pk])
    staff = make_staff()
    assert staff_client(staff).post(url, {"kind": "wrong"}).status_code == 403
    staff.user_permissions.set(Permission.objects.filter(codename="add_harm"))
    client = staff_client(User.objects.get(pk=staff.pk))
    assert client.post(url, {"kind": "nonsense"}).status_code == 404
    assert client.get(url).status_code == 405
    assert client.post(url, {"kind": "wrong", "note": "one\r\ntwo"}).status_code == 302
    assert (Harm.objects.get().note, Harm.objects.get().found_by, levels()) == ("one\ntwo", "eve", ["suggest"])


def test_a_band_that_was_edited_meanwhile_is_left_to_the_next_look() -> None:
    use_bands()
    band = get_active().limits.autonomy.bands_of(CANCEL)[0]
    set_level(action=CANCEL, up_to=Decimal("20.00"), level=Level.SHADOW, author="bob", note="")
    demotion._demote(CANCEL, band, "harm")
    assert levels() == ["shadow", "limited", "suggest"]
