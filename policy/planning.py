"""The console's two planning pages: how much the desk has to carry, and where a person's look pays."""

from dataclasses import asdict, fields, replace
from decimal import Decimal
from typing import Any, get_type_hints

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse

from policy.capacity import PRESETS, NotASize, Plan, Preset, Prices, round_as_shown, size
from policy.listed_prices import Listed, size_at_listed_prices
from policy.price_list import AS_OF
from policy.threshold import NoBreakEven, find_threshold

PERMISSION = "policy.view_policyversion"
LABELS = {
    "orders_month": "Orders a month",
    "contact_rate": "Contacts an order (a share)",
    "turns": "Calls of the model a conversation",
    "prefix_tokens": "Tokens of prompt and tools, each call",
    "history_tokens": "Tokens that a call adds to the history",
    "reply_tokens": "Tokens of a reply",
    "tokens_in": "Tokens read a conversation, where known",
    "tokens_out": "Tokens written a conversation, where known",
    "human_low": "A person's contact costs, at least ($)",
    "human_high": "A person's contact costs, at most ($)",
    "target_share": "Share to be closed without a person",
    "average_refund": "Average refund ($)",
    "mistake_share": "Share of mistakes",
    "peak": "Peak over the average",
    "days": "Days of a month",
    "price_input": "Price read, a million tokens ($)",
    "price_output": "Price written, a million tokens ($)",
    "price_cached": "Price read from cache, a million tokens ($)",
}
FIGURES = {
    "Load": {
        "tickets_month": "Conversations a month",
        "tickets_day": "Conversations a day",
        "tickets_second": "Conversations a second",
        "tickets_second_peak": "… at the peak",
        "calls_day": "Calls of the model a day",
        "calls_second": "Calls a second",
        "calls_second_peak": "… at the peak",
    },
    "Model": {
        "tokens_in": "Tokens read a conversation",
        "tokens_out": "Tokens written a conversation",
        "cost": "Cost of a conversation ($)",
        "cost_day": "… of a day ($)",
        "cost_month": "… of a month ($)",
        "cached_cost": "Cost of a conversation with the prompt cached ($)",
        "cached_cost_day": "… of a day ($)",
        "cached_cost_month": "… of a month ($)",
    },
    "Money": {
        "human_month_low": "People alone, a month, at least ($)",
        "human_month_high": "People alone, a month, at most ($)",
        "saving_month": "Saved a month at the target share ($)",
        "break_even_share": "Share that pays the model's bill",
        "loss_month": "Expected loss from mistakes a month ($)",
    },
}


class CapacityForm(forms.Form):
    """One field for each number of a plan, beside the preset to start from."""

    preset = forms.ChoiceField(choices=[(name, name) for name in PRESETS])

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        hints = get_type_hints(Plan)
        for name, label in LABELS.items():
            whole = hints.get(name, Decimal) is not Decimal
            kind = forms.IntegerField if whole else forms.DecimalField
            self.fields[name] = kind(label=label, required=False, min_value=0)


class ThresholdForm(forms.Form):
    review_cost = forms.DecimalField(label="A person's look costs", min_value=0, max_digits=12)
    one_in = forms.DecimalField(label="One decision is wrong in", min_value=1, max_digits=12)


def show_capacity(request: HttpRequest) -> HttpResponse:
    """The sizing sheet of the numbers in the address, so that a sheet can be linked to."""
    _require(request)
    chosen = PRESETS.get(request.GET.get("preset", ""), PRESETS["seed-c"])
    initial = {"preset": request.GET.get("preset", "seed-c")} | _values(chosen.plan)
    # A preset alone fills the form; it has no numbers of its own yet.
    form = CapacityForm(request.GET if set(request.GET) - {"preset"} else None, initial=initial)
    plan, problem = chosen.plan, ""
    if form.is_bound and form.is_valid():
        plan = _plan(chosen.plan, form.cleaned_data)
    try:
        listed = size_at_listed_prices(plan)
        groups = _groups(plan, chosen)
    except NotASize as error:
        listed, groups, problem = [], [], str(error)
    context = {"title": "Capacity", "form": form, "groups": groups, "problem": problem, "as_of": AS_OF}
    return _render(request, "admin/planning/capacity.html", context | {"listed": _bars(listed)})


def show_threshold(request: HttpRequest) -> HttpResponse:
    """The break-even limit of the numbers in the address."""
    _require(request)
    form = ThresholdForm(request.GET or {"review_cost": "1", "one_in": "200"})
    found, problem = None, ""
    if form.is_valid():
        try:
            share = 1 / Decimal(form.cleaned_data["one_in"])
            found = find_threshold(review_cost=form.cleaned_data["review_cost"], mistake_share=share)
        except NoBreakEven as error:
            problem = str(error)
    context = {"title": "Threshold", "form": form, "found": found, "problem": problem}
    return _render(request, "admin/planning/threshold.html", context)


def list_urls() -> list[URLPattern]:
    """For the console's own site."""
    return [
        path("planning/capacity/", admin.site.admin_view(show_capacity), name="planning_capacity"),
        path("planning/threshold/", admin.site.admin_view(show_threshold), name="planning_threshold"),
    ]


def list_entries(request: HttpRequest) -> list[dict[str, Any]]:
    """The pages as the console's index lists an app, for whoever may see the policy."""
    if not request.user.has_perm(PERMISSION):
        return []
    pages = [("Capacity", "planning_capacity"), ("Threshold", "planning_threshold")]
    models = [
        {"name": name, "object_name": name, "admin_url": reverse(f"admin:{url}"), "add_url": None, "view_only": True}
        for name, url in pages
    ]
    return [{"name": "Planning", "app_label": "planning", "app_url": "", "has_module_perms": True, "models": models}]


def _require(request: HttpRequest) -> None:
    if not request.user.has_perm(PERMISSION):
        raise PermissionDenied


def _render(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    return render(request, template, {**admin.site.each_context(request), **context})


def _values(plan: Plan) -> dict[str, Any]:
    prices = {f"price_{column.name}": getattr(plan.prices, column.name) for column in fields(Prices)}
    return {name: value for name, value in asdict(plan).items() if name in LABELS} | prices


def _plan(preset: Plan, given: dict[str, Any]) -> Plan:
    told = {name: value for name, value in given.items() if value is not None and name in LABELS}
    prices = {name.removeprefix("price_"): told.pop(name) for name in list(told) if name.startswith("price_")}
    return replace(preset, prices=replace(preset.prices, **prices), **told)


def _groups(plan: Plan, chosen: Preset) -> list[tuple[str, list[tuple[str, str, Decimal]]]]:
    """Each figure as it is shown, and exact for the pointer that rests on it."""
    sheet = size(plan)

    def describe(name: str, label: str) -> tuple[str, str, Decimal]:
        exact: Decimal = getattr(sheet, name)
        return label, f"{round_as_shown(name, exact, shown=chosen.shown):,f}", exact

    return [(group, [describe(name, label) for name, label in figures.items()]) for group, figures in FIGURES.items()]


def _bars(listed: list[Listed]) -> list[dict[str, Any]]:
    """Each model's month, as long as its share of the dearest one, in hundredths."""
    most = max((row.size.cached_cost_month for row in listed), default=Decimal(0)) or Decimal(1)
    return [
        {
            "model": row.model,
            "month": f"{round_as_shown('cached_cost_month', row.size.cached_cost_month):,f}",
            "each": f"{round_as_shown('cached_cost', row.size.cached_cost):f}",
            "caches": row.caches,
            "width": max(1, int(100 * row.size.cached_cost_month / most)),
        }
        for row in listed
    ]
