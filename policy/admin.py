"""The policy in the console: versions and what differs between them, a new one, one click back, and the switches."""

from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html
from django.views.decorators.http import require_GET, require_POST

from policy import operations
from policy.actions import ACTIONS
from policy.diffs import compare, list_numbers
from policy.forms import VersionForm
from policy.intents import INTENTS
from policy.limits import Limits, Switches
from policy.models import PolicyVersion
from policy.operations import PERMISSION
from policy.queries import PolicyMissing, Version, find_version

LIST = "admin:policy_policyversion_changelist"
BROKEN = "The numbers of the active version cannot be read: every write is refused until another one is published."


@admin.register(PolicyVersion)
class PolicyVersionAdmin(admin.ModelAdmin[PolicyVersion]):
    """Versions are proof: looked at, compared and published anew, never edited."""

    list_display = ["name", "standing", "source", "author", "note", "created_at"]
    list_display_links = ["name"]
    change_list_template = "admin/policy/policyversion/change_list.html"

    @admin.display(description="version", ordering="number")
    def name(self, row: PolicyVersion) -> str:
        return str(row)

    @admin.display(description="")
    def standing(self, row: PolicyVersion) -> str:
        newest = PolicyVersion.objects.values_list("number", flat=True).order_by("-number").first()
        return format_html('<span class="chip" data-tone="ok">{}</span>', "active") if row.number == newest else ""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(PERMISSION)

    def has_view_permission(self, request: HttpRequest, obj: PolicyVersion | None = None) -> bool:
        return super().has_view_permission(request, obj) or request.user.has_perm(PERMISSION)

    def has_change_permission(self, request: HttpRequest, obj: PolicyVersion | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: PolicyVersion | None = None) -> bool:
        return False

    def get_urls(self) -> list[Any]:
        def page(route: str, view: Any, name: str, method: Any) -> Any:
            return path(route, self.admin_site.admin_view(method(view)), name=name)

        return [
            page("compare/", self.compare, "policy_compare", require_GET),
            page("switches/", self.switches, "policy_switches", require_GET),
            page("switches/set/", self.set_switch, "policy_set_switch", require_POST),
            page("<int:number>/roll-back/", self.roll_back, "policy_roll_back", require_POST),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        newest = find_version()
        if newest is None or newest.limits is None:
            messages.error(request, BROKEN)
        return super().changelist_view(request, {"title": "Policy"} | (extra_context or {}))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        if row is None or request.method not in ("GET", "HEAD"):
            return redirect(LIST)
        version, newest = _get(row.number), _get(None)
        before = find_version(number=row.number - 1)
        context = {
            "title": f"Policy {row}",
            "version": version,
            "active": row.number == newest.row.number,
            "numbers": list_numbers(version.limits) if version.limits else [],
            "changes": _compare(before, version),
            "before": before,
            "others": PolicyVersion.objects.exclude(pk=row.pk),
            "back": _compare(newest, version),
        }
        return self._show(request, "version", context)

    def compare(self, request: HttpRequest) -> HttpResponse:
        """Any two versions, number by number."""
        before, after = (_get(_number(request.GET.get(name, ""))) for name in ("from", "to"))
        context = {"title": f"Policy {before.row} to {after.row}", "before": before, "after": after}
        return self._show(request, "compare", context | {"changes": _compare(before, after)})

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The form; `preview` shows what would change, `publish` publishes it."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        newest = find_version()
        active = newest.limits if newest else None
        start = _find_start(request.GET.get("preset", ""), active)
        switches = active.switches if active else Switches()
        number = newest.row.number if newest else 0
        form = VersionForm(start=start, switches=switches, data=request.POST or None, initial={"based_on": number})
        if active is None:
            messages.error(request, BROKEN)
        if form.is_valid() and form.limits and request.POST.get("press") == "publish":
            done = self._publish(request, form, form.limits)
            if done is not None:
                return done
        changes = compare(active, form.limits) if active and form.is_bound and form.limits else None
        context = {"title": "New policy version", "form": form, "changes": changes, "number": number}
        return self._show(request, "form", context | {"presets": operations.list_presets()})

    def _publish(self, request: HttpRequest, form: VersionForm, limits: Limits) -> HttpResponse | None:
        try:
            version = operations.publish_by_staff(
                staff=_staff(request),
                limits=limits,
                note=form.cleaned_data["note"],
                based_on=form.cleaned_data["based_on"],
            )
        except operations.NotPermitted as error:
            raise PermissionDenied(str(error)) from error
        except (operations.Overtaken, operations.NoteMissing) as error:
            form.add_error(None, f"{error} Look at the list of versions, then open this form again.")
            return None
        messages.success(request, f"Version {version.number} is active.")
        return redirect("admin:policy_policyversion_change", version.pk)

    def roll_back(self, request: HttpRequest, number: int) -> HttpResponse:
        try:
            version = operations.roll_back(staff=_staff(request), number=_number(str(number)))
        except operations.NotPermitted as error:
            raise PermissionDenied(str(error)) from error
        except (PolicyMissing, operations.Overtaken) as error:
            messages.error(request, f"{error} Nothing was changed.")
            return redirect(LIST)
        messages.success(request, f"Version {version.number} is active, with the numbers of version {number}.")
        return redirect("admin:policy_policyversion_change", version.pk)

    def switches(self, request: HttpRequest) -> HttpResponse:
        newest = find_version()
        switches = newest.limits.switches if newest and newest.limits else Switches()
        # An intent that no triage knows any more stays in the list while it is off.
        intents = dict.fromkeys([*INTENTS, *switches.intents_off])
        context = {
            "title": "Kill switches",
            "version": newest,
            "readable": newest is not None and newest.limits is not None,
            "agent": switches.agent,
            "actions": [(name, _words(name), name not in switches.actions_off) for name in ACTIONS],
            "intents": [(name, _words(name), name not in switches.intents_off) for name in intents],
        }
        return self._show(request, "switches", context)

    def set_switch(self, request: HttpRequest) -> HttpResponse:
        kind, name, on = request.POST.get("kind", ""), request.POST.get("name", ""), request.POST.get("on") == "on"
        known = {"agent": {""}, "intent": set(INTENTS) | _off_intents(), "action": set(ACTIONS)}
        if name not in known.get(kind, ()):
            raise Http404
        try:
            operations.set_switch(staff=_staff(request), kind=cast(operations.Switch, kind), name=name, on=on)
        except operations.NotPermitted as error:
            raise PermissionDenied(str(error)) from error
        except (PolicyMissing, operations.Overtaken) as error:
            messages.error(request, f"{error} Nothing was changed.")
        else:
            what = f"{kind} {name.replace('_', ' ')}".strip()
            messages.success(
                request, f"{what.capitalize()} is {'on' if on else 'off'} for everything decided from now."
            )
        return redirect("admin:policy_switches")

    def _show(self, request: HttpRequest, page: str, context: dict[str, Any]) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        shared = {"opts": self.opts, "may_publish": request.user.has_perm(PERMISSION), "list_url": reverse(LIST)}
        whole = self.admin_site.each_context(request) | shared | context
        return TemplateResponse(request, f"admin/policy/policyversion/{page}.html", whole)


def _staff(request: HttpRequest) -> User:
    # `admin_view` let only signed-in staff through.
    return cast(User, request.user)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Http404
    return int(text)


def _get(number: int | None) -> Version:
    version = find_version(number=number)
    if version is None:
        raise Http404
    return version


def _compare(before: Version | None, after: Version | None) -> Any:
    """The changes; None where one of the two cannot be read."""
    if before is None or after is None or before.limits is None or after.limits is None:
        return None
    return compare(before.limits, after.limits)


def _find_start(preset: str, active: Limits | None) -> Limits:
    """What the form begins with: the active numbers, or a preset's."""
    if preset in operations.list_presets():
        return operations.read_preset(preset)
    return active or operations.read_preset("cautious")


def _off_intents() -> set[str]:
    newest = find_version()
    return set(newest.limits.switches.intents_off) if newest and newest.limits else set()
