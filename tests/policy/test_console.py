"""The policy in the console: versions, what differs, a new one, one click back, and the switches."""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from audit.chains import SHOP
from audit.queries import list_entries
from policy.actions import ACTIONS
from policy.admin import LIST
from policy.diffs import compare, list_numbers
from policy.forms import VersionForm, read_bands, write_bands
from policy.intents import INTENTS
from policy.levels import Level
from policy.limits import Autonomy, Limits
from policy.models import PolicyVersion
from policy.operations import Overtaken, change, publish, publish_by_staff, read_preset, set_level
from policy.queries import get_active
from tests.approvals.test_admin import Inline, messages_of
from tests.factories import make_staff, staff_client

pytestmark = pytest.mark.django_db
FORM = reverse("admin:policy_policyversion_add")
SWITCHES = reverse("admin:policy_switches")
HOSTILE = "<script>alert('note')</script>{{ 7*7 }}"


def make_publisher(name: str = "mia") -> User:
    user = make_staff(name)
    rights = Permission.objects.filter(codename__in=["publish_policyversion", "view_policyversion"])
    user.user_permissions.set(rights)
    return User.objects.get(pk=user.pk)


def fill(limits: Limits, *, based_on: int = 0, **changed: Any) -> dict[str, Any]:
    """What the browser posts for these numbers; `changed` by path with two underscores for a dot."""
    form = VersionForm(start=limits, switches=limits.switches)
    posted = {slot.path: slot.initial for slot in form.slots if slot.initial is not False}
    posted |= {name.replace("__", "."): value for name, value in changed.items()}
    return {"based_on": based_on or get_active().version, "note": "a reason", "press": "publish"} | posted


def read(client: Client, url: str) -> str:
    answer = client.get(url)
    assert answer.status_code == 200, url
    html = answer.content.decode()
    assert HOSTILE not in html
    assert Inline(html).found == []
    return html


def last_entry() -> tuple[Any, ...]:
    entry = list_entries(subject=SHOP).last()
    assert entry is not None
    return entry.event, entry.actor, entry.policy_version


@pytest.mark.parametrize("name", ["retail", "cautious"])
def test_every_number_of_the_policy_stands_in_the_form(name: str) -> None:
    limits = read_preset(name)
    form = VersionForm(start=limits, switches=limits.switches, data=fill(limits))
    assert form.is_valid(), form.errors
    assert form.limits == limits


def test_a_new_version_is_published_with_its_author_note_and_diff(bob: User) -> None:
    client = staff_client(bob)
    limits = get_active().limits
    bands = "auto up to 20.00, then suggest"
    posted = fill(
        limits, person_above="250.00", windows__returns_days="30", autonomy__levels__cancel_pending_order=bands,
        note=HOSTILE,
    )  # fmt: skip
    answer = client.post(FORM, posted, follow=True)
    active = get_active()
    assert (active.version, active.limits.person_above, active.limits.windows.returns_days) == (2, 250, 30)
    assert active.limits.autonomy.level_of("cancel_pending_order", 2_001) is Level.SUGGEST
    row = PolicyVersion.objects.get(number=2)
    assert (row.author, row.note, row.source) == ("bob", HOSTILE, "console")
    assert last_entry() == ("policy_changed", "staff:bob", 2)
    html = answer.content.decode()
    assert HOSTILE not in html
    assert "$1,000.00</td><td><strong>$250.00" in html
    assert "auto up to $20.00, then suggest" in html
    assert read(client, reverse(LIST)).count(">active<") == 1


def test_a_preview_publishes_nothing(bob: User) -> None:
    answer = staff_client(bob).post(FORM, fill(get_active().limits, person_above="1.00") | {"press": "preview"})
    assert "<strong>$1.00</strong>" in answer.content.decode()
    assert get_active().version == 1


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"note": ""}, "Say why"),
        ({"note": " \n"}, "Say why"),
        ({"person_above": ""}, "This field is required"),
        ({"person_above": "1,000.00"}, "must be a number like 25.00"),
        ({"person_above": "-1"}, "must be at least 0"),
        ({"person_above": "1.001"}, "at most 2 decimals"),
        ({"person_above": "NaN"}, "must be"),
        ({"currency": "dollars"}, "three capital letters"),
        ({"refunds__window_days": "ninety"}, "must be a whole number"),
        ({"refunds__window_days": "0"}, "must be at least 1"),
        ({"refunds__returned_share": "1.5"}, "must be at most 1"),
        ({"windows__returns_days": "9999"}, "must be at most 3,650"),
        ({"identity__reads": "strong"}, "not one of the available choices"),
        ({"approvals__second_person_above": "5.00"}, "must not be below “A person above”"),
        ({"autonomy__levels__cancel_pending_order": "full"}, "is no level"),
        ({"autonomy__levels__cancel_pending_order": "auto up to 5.00"}, "what holds above"),
        ({"autonomy__levels__cancel_pending_order": "auto, then off"}, "needs its"),
        ({"autonomy__levels__cancel_pending_order": "auto up to 9.00, limited up to 5.00, off"}, "in the order"),
    ],
)
def test_a_mistake_is_explained_where_it_stands(changed: dict[str, str], told: str) -> None:
    limits = read_preset("retail")
    form = VersionForm(start=limits, switches=limits.switches, data=fill(limits, based_on=1, **changed))
    assert not form.is_valid()
    assert form.limits is None
    [errors] = form.errors.values()
    assert told in str(errors)


def test_a_form_with_a_mistake_comes_back_and_publishes_nothing(bob: User) -> None:
    posted = fill(get_active().limits, person_above=HOSTILE, note=HOSTILE)
    answer = staff_client(bob).post(FORM, posted)
    html = answer.content.decode()
    assert answer.status_code == 200
    assert "Nothing was published." in html
    assert HOSTILE not in html
    assert get_active().version == 1


def test_a_form_that_was_opened_before_another_publication_changes_nothing(bob: User) -> None:
    posted = fill(get_active().limits, person_above="5.00")
    change(lambda _: {"person_above": "7.00"}, source="x", author="eve", note="")
    html = staff_client(bob).post(FORM, posted).content.decode()
    assert "was published meanwhile" in html
    assert get_active().limits.person_above == 7


def test_one_click_brings_an_old_version_back_as_a_new_one(bob: User) -> None:
    client = staff_client(bob)
    old = get_active().limits
    change(lambda _: {"person_above": "7.00", "switches": {"agent": False}}, source="x", author="eve", note="")
    page = read(client, reverse("admin:policy_policyversion_change", args=[PolicyVersion.objects.get(number=1).pk]))
    assert "Roll back to v1" in page
    client.post(reverse("admin:policy_roll_back", args=[1]))
    row = PolicyVersion.objects.get(number=3)
    assert (get_active().limits, row.note, row.author) == (old, "rollback to v1", "bob")
    assert last_entry() == ("policy_changed", "staff:bob", 3)


def test_a_version_that_cannot_be_read_is_shown_and_never_rolled_back_to(bob: User) -> None:
    PolicyVersion.objects.create(number=2, limits="{" + HOSTILE, source="by hand", author="mallory", note=HOSTILE)
    client = staff_client(bob)
    broken = PolicyVersion.objects.get(number=2)
    assert "cannot be read" in read(client, reverse("admin:policy_policyversion_change", args=[broken.pk]))
    assert "cannot be compared" in read(client, f"{reverse('admin:policy_compare')}?from=1&to=2")
    assert "every write is refused" in read(client, reverse(LIST))
    assert "every write is refused" in read(client, SWITCHES)
    answer = client.post(reverse("admin:policy_roll_back", args=[2]), follow=True)
    assert "cannot be read" in messages_of(answer.content.decode())
    assert PolicyVersion.objects.count() == 2
    # The form begins with a preset, so that there is a way out.
    client.post(FORM, fill(read_preset("cautious"), based_on=2))
    assert get_active().limits == read_preset("cautious")


def test_two_versions_are_compared_number_by_number(bob: User) -> None:
    change(lambda _: {"person_above": "7.00", "refunds": {"most": 2}}, source="x", author="eve", note="")
    html = read(staff_client(bob), f"{reverse('admin:policy_compare')}?from=1&to=2")
    assert re.findall(r"<code>([\w.]+)</code>", html) == ["person_above", "refunds.most"]
    for url in ("?from=1&to=9", "?from=x&to=1", "?from=1", "?from=-1&to=1", f"?from={'9' * 40}&to=1"):
        assert staff_client(bob).get(reverse("admin:policy_compare") + url).status_code == 404


AUTO_TO_9 = [{"up_to": "9.00", "level": "auto"}, {"level": "off"}]
LEVELS = Autonomy().model_dump(mode="json")["levels"]
CHANGES: list[tuple[dict[str, Any], list[tuple[str, str, str, str]]]] = [
    ({}, []),
    ({"person_above": "25.00"}, [("person_above", "$1,000.00", "$25.00", "R4")]),
    ({"payment_change_counts": True}, [("payment_change_counts", "off", "on", "R4")]),
    ({"windows": {"returns_days": 30}}, [("windows.returns_days", "not set", "30", "R6")]),
    ({"refunds": {"returned_share": "0.5"}}, [("refunds.returned_share", "not set", "50.00%", "R5")]),
    ({"identity": {"actions": {"modify_user_address": "code"}}},
     [("identity.actions.modify_user_address", "not set", "code", "R1")]),
    ({"switches": {"actions_off": ["cancel_pending_order"]}},
     [("switches.actions_off", "none", "cancel_pending_order", "R7")]),
    ({"switches": {"agent": False, "intents_off": ["refund", "cancel"]}},
     [("switches.agent", "on", "off", "R7"), ("switches.intents_off", "none", "refund, cancel", "R7")]),
    ({"autonomy": {"levels": LEVELS | {"cancel_pending_order": AUTO_TO_9}}},
     [("autonomy.levels.cancel_pending_order", "not set", "auto up to $9.00, then off", "R8")]),
    ({"approvals": {"second_person_above": "2000.00"}},
     [("approvals.second_person_above", "not set", "$2,000.00", "")]),
    ({"currency": "EUR"}, [
        ("currency", "USD", "EUR", ""),
        ("person_above", "$1,000.00", "1,000.00 EUR", "R4"),
        ("refunds.no_return_person_above", "$100.00", "100.00 EUR", "R5"),
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("changed", "told"), CHANGES)
def test_a_diff_names_what_changed_and_nothing_else(changed: dict[str, Any], told: list[Any]) -> None:
    before = Limits.model_validate({"currency": "USD", "person_above": "1000.00"})
    after = Limits.model_validate({"currency": "USD", "person_above": "1000.00"} | changed)
    assert [(one.path, one.before, one.after, one.rule) for one in compare(before, after)] == told
    assert [(one.path, one.after, one.before, one.rule) for one in compare(after, before)] == told


def test_a_policy_lists_all_its_numbers() -> None:
    paths = [number.path for number in list_numbers(read_preset("cautious"))]
    assert {"person_above", "refunds.most", "autonomy.levels.return_delivered_order_items"} <= set(paths)
    assert len(paths) == len(set(paths))


@pytest.mark.parametrize("text", ["off", "auto up to 20.00, then limited up to 100.00, then suggest"])
def test_bands_are_written_as_they_are_read(text: str) -> None:
    limits = Limits.model_validate(
        {"currency": "USD", "person_above": "1.00", "autonomy": {"levels": {"cancel_pending_order": read_bands(text)}}}
    )
    assert write_bands(limits.autonomy.bands_of("cancel_pending_order")) == text


SWITCHED: list[tuple[str, str]] = [
    ("agent", ""), ("action", next(iter(ACTIONS))), ("action", list(ACTIONS)[-1]), ("intent", INTENTS[0]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "name"), SWITCHED)
def test_a_switch_goes_off_and_on_again_in_one_press_each(bob: User, kind: str, name: str) -> None:
    client, before = staff_client(bob), get_active().limits
    press = reverse("admin:policy_set_switch")
    assert client.post(press, {"kind": kind, "name": name, "on": "off"}).status_code == 302
    switches = get_active().limits.switches
    off = {"agent": not switches.agent, "action": name in switches.actions_off, "intent": name in switches.intents_off}
    assert off[kind]
    assert last_entry() == ("policy_changed", "staff:bob", 2)
    results = [entry.fields["result"] for entry in list_entries(subject=SHOP) if entry.policy_version == 2]
    assert [result.endswith(" off") for result in results] == [True]
    assert ">Switch on<" in read(client, SWITCHES)
    # A second press of the same button changes nothing and publishes nothing.
    client.post(press, {"kind": kind, "name": name, "on": "off"})
    assert get_active().version == 2
    client.post(press, {"kind": kind, "name": name, "on": "on"})
    assert (get_active().limits, get_active().version) == (before, 3)


@pytest.mark.parametrize("posted", [{"kind": "action", "name": "no"}, {"kind": "x", "name": ""}, {}])
def test_an_unknown_switch_is_not_found(bob: User, posted: dict[str, str]) -> None:
    assert staff_client(bob).post(reverse("admin:policy_set_switch"), posted).status_code == 404
    assert get_active().version == 1


def test_two_switches_at_once_are_both_kept() -> None:
    change(lambda _: {"switches": {"actions_off": ["cancel_pending_order"]}}, source="x", author="eve", note="")
    with pytest.raises(Overtaken):
        publish(source="x", limits=get_active(version=1).limits, author="bob", after=1)
    assert get_active().limits.switches.actions_off == ("cancel_pending_order",)


def test_a_level_is_set_in_its_band_alone() -> None:
    bands = [{"up_to": "20.00", "level": "auto"}, {"up_to": None, "level": "limited"}]
    change(lambda _: {"autonomy": {"levels": {"cancel_pending_order": bands}}}, source="x", author="a", note="")
    set_level(action="cancel_pending_order", up_to=Decimal("20.00"), level=Level.SUGGEST, author="bob", note="less")
    autonomy = get_active().limits.autonomy
    assert [autonomy.level_of("cancel_pending_order", amount) for amount in (2_000, 2_001)] == ["suggest", "limited"]
    set_level(action="modify_user_address", up_to=None, level=Level.OFF, author="bob", note="less")
    assert get_active().limits.autonomy.level_of("modify_user_address", 0) is Level.OFF
    with pytest.raises(Overtaken, match="changed meanwhile"):
        set_level(action="cancel_pending_order", up_to=Decimal("5.00"), level=Level.OFF, author="bob", note="")
    assert get_active().version == 4


PAGES = [reverse(LIST), SWITCHES, FORM, f"{reverse('admin:policy_compare')}?from=1&to=1"]
PRESSES = [
    (FORM, {}),
    (reverse("admin:policy_set_switch"), {"kind": "agent", "on": "off"}),
    (reverse("admin:policy_roll_back", args=[1]), {}),
]


def test_staff_without_the_right_see_no_policy_and_change_nothing() -> None:
    client = staff_client(make_staff())
    assert [client.get(page).status_code for page in PAGES] == [403] * 4
    assert [client.post(url, posted).status_code for url, posted in PRESSES] == [403] * 3
    assert get_active().version == 1


def test_who_may_only_look_finds_no_button_and_changes_nothing() -> None:
    user = make_staff()
    user.user_permissions.add(Permission.objects.get(codename="view_policyversion"))
    client = staff_client(User.objects.get(pk=user.pk))
    assert "Switch off" not in read(client, SWITCHES)
    assert [client.post(url, posted).status_code for url, posted in PRESSES] == [403] * 3
    assert get_active().version == 1


def test_who_may_publish_needs_no_other_right() -> None:
    client = staff_client(make_publisher())
    assert client.post(FORM, fill(get_active().limits, person_above="9.00")).status_code == 302
    assert (get_active().limits.person_above, PolicyVersion.objects.get(number=2).author) == (9, "mia")


def test_a_change_is_only_posted() -> None:
    client = staff_client(make_publisher())
    assert [client.get(url).status_code for url, _ in PRESSES[1:]] == [405, 405]


def test_publishing_from_the_console_needs_a_note(bob: User) -> None:
    from policy.operations import NoteMissing

    with pytest.raises(NoteMissing):
        publish_by_staff(staff=bob, limits=get_active().limits, note=" ", based_on=1)


def test_a_version_beyond_every_number_is_not_found(bob: User) -> None:
    assert staff_client(bob).post(f"/admin/policy/policyversion/{10**25}/roll-back/").status_code == 404
