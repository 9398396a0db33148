"""Each role of the console reaches its own pages and no other, and what somebody may do changes on the record only."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse
from django.utils import timezone

from approvals.models import Authority, Harm
from audit.models import Entry
from conversations.models import Rating
from conversations.operations import ask_for_person
from deskagent.roles import APPROVER, AUDITOR, MERCHANT, ROLES, SUPPORT, make_roles
from deskagent.urls import urlpatterns
from helpcenter.models import Category
from helpcenter.operations import Draft, get_or_create_article, publish, write
from orders.models import Customer, Effect, Mail, Order
from policy.models import PolicyVersion
from tests.approvals.test_admin import ask_to_cancel
from tests.approvals.waiting import make_waiting_return
from tests.factories import SMALL, staff_client

pytestmark = pytest.mark.usefixtures("desk")

# Signing in and out, the index, and what Django itself needs: for every member of the staff.
EVERYBODY = {
    *("index", "login", "logout", "password_change", "password_change_done", "autocomplete", "jsi18n"),
    "view_on_site",
}


def look(*models: str) -> set[str]:
    """The list of a model, its rows, and what was done to them in the console."""
    return {f"{model}_{page}" for model in models for page in ("changelist", "change", "history")}


SHOP_ROWS = look("orders_order", "orders_customer", "orders_effect") | {"list of orders"}
REACHES: dict[str, set[str]] = {
    SUPPORT: {
        *look("conversations_ticket", "conversations_conversation", "conversations_rating", "orders_mail"),
        *("conversations_take-over", "conversations_reply", "conversations_hand-back", "conversations_close"),
        *("conversations_suggest", "conversations_suggestion", "conversations_judge", "conversations_handoffs"),
        *SHOP_ROWS,
        "list of conversations",
    },
    APPROVER: {
        *look("approvals_actionrequest", "approvals_harm", "conversations_conversation"),
        *("approvals_decide", "approvals_correct", "approvals_report_harm", "approvals_do_shadowed"),
        *SHOP_ROWS,
        *("list of approvals", "list of conversations"),
    },
    MERCHANT: {
        *look("helpcenter_article", "helpcenter_category"),
        *("helpcenter_article_add", "helpcenter_category_add", "helpcenter_category_delete"),
        *("helpcenter_version", "helpcenter_preview", "helpcenter_restore", "helpcenter_take_down"),
        *("helpcenter_reports", "list of helpcenter"),
    },
    AUDITOR: {
        *look("audit_entry", "policy_policyversion", "approvals_actionrequest", "approvals_harm"),
        *look("approvals_authority", "orders_effect"),
        *("policy_compare", "policy_switches", "planning_capacity", "planning_threshold"),
        *("approvals_would_be", "approvals_ladder"),
        *("list of audit", "list of policy", "list of approvals", "list of orders"),
    },
}
# Buttons, with what a press of them sends.
PRESSES: dict[str, dict[str, str]] = {
    "approvals_decide": {"decision": "decline", "note": ""},
    "approvals_correct": {"note": ""},
    "approvals_step": {"way": "down", "action": "issue_refund", "up_to": "", "seen": "limited", "note": "x"},
    "approvals_report_harm": {"kind": Harm.Kind.OTHER, "note": ""},
    "approvals_do_shadowed": {"note": ""},
    "policy_set_switch": {"kind": "agent", "name": "", "on": "off"},
    "policy_roll_back": {},
    "helpcenter_restore": {},
    "helpcenter_take_down": {},
    "conversations_take-over": {"text": ""},
    "conversations_reply": {"text": "Hello"},
    "conversations_hand-back": {},
    "conversations_close": {},
    "conversations_judge": {"needed_person": "yes", "why": ""},
    "conversations_suggest": {},
}


def list_pages(patterns: list[Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Each page of the console as its name and its route."""
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from list_pages(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern) and pattern.name and route.startswith("admin/"):
            yield pattern.name, route


PAGES = [name for name, _ in list_pages(urlpatterns) if name not in EVERYBODY | {"app_list"}]
LISTS = ["audit", "policy", "orders", "helpcenter", "approvals", "auth", "conversations"]


class World:
    """One row of whatever the console has a page for."""

    def __init__(self, owner: User) -> None:
        article = get_or_create_article(slug="gift-cards", category="paying")
        write(article=article, draft=Draft(title="Gift cards", body="They do not expire."), author="bob")
        publish(article=article, author="bob")
        chat = ask_to_cancel(SMALL)
        chat.press("yes")
        self.waiting, effect = make_waiting_return(), Effect.objects.get()
        self.done = effect.request
        self.ticket = ask_for_person(conversation_id=chat.id)
        group = Group.objects.create(name="Juniors")
        rows: list[Any] = [
            *(self.waiting, effect, self.ticket, self.ticket.conversation, article, owner, group),
            *(Entry.objects.all()[0], PolicyVersion.objects.get(), Order.objects.all()[0], Customer.objects.all()[0]),
            Rating.objects.create(conversation=self.ticket.conversation, score=5),
            Category.objects.create(slug="empty", name="Empty"),
            Mail.objects.create(key="k", to="nora@example.com", next_try_at=timezone.now(), good_until=timezone.now()),
            Authority.objects.create(group=group, most=1, currency="USD"),
            Harm.objects.create(action=effect.action, kind=Harm.Kind.WRONG, at=timezone.now()),
        ]
        self.rows = {row._meta.label_lower.replace(".", "_"): row.pk for row in rows}
        self.article = article.pk

    def url(self, page: str) -> str:
        if page.startswith("list of "):
            return reverse("admin:app_list", args=[page.removeprefix("list of ")])
        route = dict(list_pages(urlpatterns))[page]
        model = page.rpartition("_")[0]
        told = {
            "object_id": self.rows.get(model),
            "request_id": self.done.pk if page == "approvals_report_harm" else self.waiting.pk,
            "conversation_id": self.ticket.conversation_id,
            "ticket_id": self.ticket.pk,
            "pk": self.article,
            "number": 1,
            "id": self.rows["auth_user"],
        }
        kwargs = {name: value for name, value in told.items() if f":{name}>" in route or f"<{name}>" in route}
        args = kwargs if page != "auth_user_password_change" else {"id": told["id"]}
        return reverse(f"admin:{page}", kwargs=args) + ("?from=1&to=1" if page == "policy_compare" else "")

    def opens(self, client: Client, page: str) -> bool:
        url = self.url(page)
        answer = client.post(url, PRESSES[page]) if page in PRESSES else client.get(url)
        refused = 404 if page.startswith("list of ") else 403
        assert answer.status_code in (200, 302, 409, refused), (page, answer.status_code)
        return answer.status_code != refused


def make_member(role: str) -> User:
    user = User.objects.create_user(role.lower(), is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    return user


@pytest.mark.parametrize("role", ROLES)
def test_a_role_reaches_its_own_pages_and_no_other(role: str, bob: User) -> None:
    world, client = World(bob), staff_client(make_member(role))
    pages = [*PAGES, *(f"list of {app}" for app in LISTS)]
    assert len(pages) >= 112
    assert set(PRESSES) <= set(pages)
    assert {page for page in pages if world.opens(client, page)} == REACHES[role]


def test_staff_without_a_role_reach_nothing_and_the_owner_reaches_what_a_role_does(bob: User) -> None:
    world, nobody = World(bob), staff_client(User.objects.create_user("eve", is_staff=True))
    pages = [*PAGES, *(f"list of {app}" for app in LISTS)]
    assert [page for page in pages if world.opens(nobody, page)] == []
    owner = staff_client(bob)
    assert [page for page in sorted(set.union(*REACHES.values())) if not world.opens(owner, page)] == []


def test_every_role_sees_the_parts_of_its_own_on_the_first_page() -> None:
    for role, parts in {
        SUPPORT: ["conversations", "orders"],
        APPROVER: ["conversations", "approvals", "orders"],
        MERCHANT: ["helpcenter"],
        AUDITOR: ["approvals", "orders", "policy", "planning", "audit"],
    }.items():
        shown = staff_client(make_member(role)).get(reverse("admin:index")).context["app_list"]
        assert [app["app_label"] for app in shown] == parts


def test_a_role_that_the_shop_changed_stays_as_it_is_and_one_that_is_gone_comes_back() -> None:
    Group.objects.get(name=SUPPORT).permissions.clear()
    Group.objects.get(name=MERCHANT).delete()
    make_roles()
    held = {group.name: group.permissions.count() for group in Group.objects.all()}
    assert held == {SUPPORT: 0} | {name: len(rights) for name, rights in ROLES.items() if name != SUPPORT}


def change_member(owner: User, user: User, **form: Any) -> None:
    url = reverse("admin:auth_user_change", args=[user.pk])
    given = {"username": user.username, "is_active": "on", "date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    answer = staff_client(owner).post(url, given | form)
    assert answer.status_code == 302, answer.content.decode()


def list_changes() -> list[dict[str, Any]]:
    return [entry.fields for entry in Entry.objects.filter(event="role_changed").order_by("pk")]


def test_a_member_who_gets_loses_or_keeps_a_role_is_in_the_log_with_who_did_it(bob: User) -> None:
    user, merchant = make_member(SUPPORT), Group.objects.get(name=MERCHANT)
    right = Permission.objects.get(codename="view_entry")
    change_member(bob, user, groups=[merchant.pk], user_permissions=[right.pk], is_superuser="on")
    change_member(bob, user, groups=[merchant.pk], user_permissions=[right.pk], is_superuser="on")
    [entry] = list_changes()
    assert (entry["actor"], entry["action"], entry["verdict"], entry["result"]) == (
        *("staff:bob", "member", "changed"),
        "staff:support",
    )
    assert entry["facts"] == {
        "member": user.pk,
        "groups": {"given": [MERCHANT], "taken": [SUPPORT]},
        "rights": {"given": ["audit.view_entry"], "taken": []},
        "flags": {"given": ["superuser"], "taken": ["staff"]},
    }


def test_a_new_member_is_in_the_log_and_one_who_is_deleted_too(bob: User) -> None:
    owner = staff_client(bob)
    words = {"password1": "a long pass phrase", "password2": "a long pass phrase", "usable_password": "true"}
    assert owner.post(reverse("admin:auth_user_add"), {"username": "mia"} | words).status_code == 302
    mia = User.objects.get(username="mia")
    change_member(bob, mia, is_staff="on", groups=[Group.objects.get(name=MERCHANT).pk])
    chosen = {"action": "delete_selected", "_selected_action": [mia.pk], "post": "yes"}
    owner.post(reverse("admin:auth_user_changelist"), chosen)
    assert not User.objects.filter(username="mia").exists()
    assert [(entry["verdict"], entry["facts"]) for entry in list_changes()] == [
        (
            "changed",
            {
                "member": mia.pk,
                "names": {"given": ["mia"], "taken": []},
                "flags": {"given": ["active"], "taken": []},
            },
        ),
        (
            "changed",
            {
                "member": mia.pk,
                "groups": {"given": [MERCHANT], "taken": []},
                "flags": {"given": ["staff"], "taken": []},
            },
        ),
        ("removed", {"member": mia.pk, "names": ["mia"], "groups": [MERCHANT], "flags": ["active", "staff"]}),
    ]


def test_another_name_is_on_the_record_because_entries_name_members_by_it(bob: User) -> None:
    user, role = make_member(SUPPORT), Group.objects.get(name=SUPPORT)
    change_member(bob, user, username="eve@example.com", groups=[role.pk], is_staff="on")
    page = reverse("admin:auth_group_change", args=[role.pk])
    rights = [right.pk for right in role.permissions.all()]
    assert staff_client(bob).post(page, {"name": "Front desk", "permissions": rights}).status_code == 302
    assert [entry["facts"] for entry in list_changes()] == [
        {"member": user.pk, "names": {"given": ["eve@example.com"], "taken": ["support"]}},
        {"role": role.pk, "names": {"given": ["Front desk"], "taken": [SUPPORT]}},
    ]


def test_what_a_role_may_changes_on_the_record_and_so_does_its_end(bob: User) -> None:
    member, role = make_member(SUPPORT), Group.objects.get(name=SUPPORT)
    right = Permission.objects.get(codename="view_ticket")
    owner, page = staff_client(bob), reverse("admin:auth_group_change", args=[role.pk])
    assert owner.post(page, {"name": SUPPORT, "permissions": [right.pk]}).status_code == 302
    assert owner.post(reverse("admin:auth_group_delete", args=[role.pk]), {"post": "yes"}).status_code == 302
    changed, removed = list_changes()
    assert changed["facts"]["rights"] == {
        "given": [],
        "taken": sorted(set(ROLES[SUPPORT]) - {"conversations.view_ticket"}),
    }
    assert (removed["action"], removed["verdict"], removed["result"]) == ("role", "removed", SUPPORT)
    assert removed["facts"]["members"] == [member.pk]


def test_no_role_may_change_who_may_what() -> None:
    forbidden = {f"auth.{way}_{model}" for way in ("add", "change", "delete") for model in ("user", "group")}
    forbidden |= {"policy.publish_policyversion", "approvals.change_authority", "approvals.override_ladder"}
    assert [name for name, rights in ROLES.items() if forbidden & set(rights)] == []
