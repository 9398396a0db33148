"""The autonomy ladder in the console: evidence and steps, harms that were found, and doing what was shadowed."""

from typing import Any, cast
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from approvals import demotion, ladder, operations
from approvals.admin import LONGEST_NOTE, Words
from approvals.evidence import LADDER, Evidence, list_evidence, list_missing
from approvals.models import FOUND_BY_STAFF, Harm
from orders.admin import ReadOnly
from policy.actions import ACTIONS
from policy.levels import Level
from policy.limits import Limits
from policy.money import spoken, to_minor
from policy.operations import PERMISSION as MAY_PUBLISH
from policy.operations import NoteMissing, NotPermitted, Overtaken
from policy.queries import PolicyMissing, get_active

PAGE = "admin:approvals_ladder"
REQUEST_PAGE = "admin:approvals_actionrequest_change"


class StepForm(forms.Form):
    way = forms.ChoiceField(choices=[("up", "up"), ("down", "down")])
    action = forms.ChoiceField(choices=[(name, name) for name in ACTIONS])
    # Empty: the band without an end.
    up_to = forms.DecimalField(required=False, max_digits=12, decimal_places=2)
    seen = forms.ChoiceField(choices=[(level.value, level.value) for level in Level])
    note = Words(required=False, max_length=LONGEST_NOTE)


class NoteForm(forms.Form):
    note = Words(required=False, max_length=LONGEST_NOTE)


class HarmForm(forms.Form):
    kind = forms.ChoiceField(choices=[(kind.value, kind.label) for kind in FOUND_BY_STAFF])
    note = Words(required=False, max_length=LONGEST_NOTE)


def describe(evidence: Evidence, limits: Limits) -> dict[str, Any]:
    """One row of the page: numbers in words, and the buttons it offers."""
    currency = limits.currency
    ends = "" if evidence.up_to is None else f"up to {spoken(to_minor(evidence.up_to), currency)}"
    begins = f"above {spoken(evidence.low, currency)}" if evidence.low > 0 else ""
    return {
        "it": evidence,
        "name": evidence.action.replace("_", " ").capitalize(),
        "band": ", ".join(filter(None, [begins, ends])) or "any amount",
        "up_to": "" if evidence.up_to is None else f"{evidence.up_to:.2f}",
        "steps": [(level.value, level is evidence.level) for level in LADDER],
        "bound": "" if evidence.bound is None else f"{evidence.bound:.2%}",
        "refund_rate": "" if evidence.refund_rate is None else f"{evidence.refund_rate:.0%}",
        "missing": list_missing(evidence, limits.autonomy) if evidence.above else [],
    }


@admin.register(Harm)
class HarmAdmin(ReadOnly, admin.ModelAdmin[Harm]):
    list_display = ["at", "action", "kind", "request", "found_by", "note"]
    list_filter = ["kind", "action"]
    list_select_related = ["request"]
    ordering = ["-at"]
    change_list_template = "admin/approvals/harm/change_list.html"

    def get_urls(self) -> list[Any]:
        def page(route: str, view: Any, name: str, method: Any) -> Any:
            return path(route, self.admin_site.admin_view(method(view)), name=name)

        return [
            page("ladder/", self.show_ladder, "approvals_ladder", require_GET),
            page("ladder/step/", self.step, "approvals_step", require_POST),
            page("of/<uuid:request_id>/", self.report, "approvals_report_harm", require_POST),
            page("do/<uuid:request_id>/", self.do_shadowed, "approvals_do_shadowed", require_POST),
            *super().get_urls(),
        ]

    def show_ladder(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if not (user.has_perm(MAY_PUBLISH) or user.has_perm("policy.view_policyversion")):
            raise PermissionDenied
        try:
            active = get_active()
        except PolicyMissing as error:
            messages.error(request, f"{error}. Every write is refused.")
            return redirect("admin:policy_policyversion_changelist")
        rows = list_evidence(limits=active.limits, now=timezone.now())
        autonomy = active.limits.autonomy
        context = self.admin_site.each_context(request) | {
            "title": "How far each action may go by itself",
            "opts": self.opts,
            "rows": [describe(row, active.limits) for row in rows],
            "version": active.version,
            "least_days": autonomy.least_days,
            "least_cases": autonomy.least_cases,
            "may_step": user.has_perm(MAY_PUBLISH),
            "may_override": user.has_perm(ladder.OVERRIDE),
            "harms_url": reverse("admin:approvals_harm_changelist"),
        }
        return TemplateResponse(request, "admin/approvals/ladder.html", context)

    def step(self, request: HttpRequest) -> HttpResponse:
        """One press of up or down on one action and band."""
        form = StepForm(request.POST)
        if not form.is_valid():
            raise Http404
        asked = form.cleaned_data
        step = ladder.step_up if asked["way"] == "up" else ladder.step_down
        try:
            version = step(
                staff=_staff(request),
                action=asked["action"],
                up_to=asked["up_to"],
                seen=Level(asked["seen"]),
                note=asked["note"],
            )
        except NotPermitted as error:
            raise PermissionDenied(str(error)) from error
        except (Overtaken, NoteMissing, ladder.TooEarly, PolicyMissing) as error:
            messages.error(request, str(error))
        else:
            messages.success(request, f"{version.note}. Version {version.number} is active.")
        return redirect(PAGE)

    def report(self, request: HttpRequest, request_id: UUID) -> HttpResponse:
        form = HarmForm(request.POST)
        if not form.is_valid():
            raise Http404
        try:
            demotion.report_harm(request_id=request_id, staff=_staff(request), **form.cleaned_data)
        except demotion.NotPermitted as error:
            raise PermissionDenied(str(error)) from error
        except demotion.NoSuchRequest as error:
            raise Http404 from error
        except demotion.HarmKnown as error:
            messages.error(request, str(error))
        else:
            messages.success(request, "Recorded. The action waits for a person from now on in this range of amounts.")
        return redirect(REQUEST_PAGE, request_id)

    def do_shadowed(self, request: HttpRequest, request_id: UUID) -> HttpResponse:
        """One press of "Do exactly this" on a shadowed request."""
        form = NoteForm(request.POST)
        if not form.is_valid():
            messages.error(request, f"note: {' '.join(map(str, form.errors['note']))} Nothing was done.")
            return redirect(REQUEST_PAGE, request_id)
        note = form.cleaned_data["note"]
        try:
            done = operations.do_shadowed(request_id=request_id, staff=_staff(request), note=note)
        except operations.RequestNotFound as error:
            raise Http404 from error
        except operations.NotPermitted as error:
            raise PermissionDenied(str(error)) from error
        except (operations.AlreadyDecided, operations.OverAuthority, operations.Stale) as error:
            messages.error(request, str(error))
            return redirect(REQUEST_PAGE, request_id)
        messages.success(request, f"Done exactly so: {done.card['title']}.")
        return redirect(REQUEST_PAGE, done.pk)


def _staff(request: HttpRequest) -> User:
    # `admin_view` let only signed-in staff through.
    return cast(User, request.user)
