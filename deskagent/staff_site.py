import logging
from functools import wraps
from typing import Any

from django.contrib import admin
from django.db import DataError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from approvals.addresses import address_of_request, pseudonym_of
from approvals.limits import SIGN_INS_ADDRESS, SIGN_INS_USER, SlowDown, take
from policy import planning

logger = logging.getLogger(__name__)
# What needs doing first; whatever is not named follows.
ORDER = ["conversations", "approvals", "orders", "helpcenter", "policy", "planning", "audit"]
LONGEST_NAME = 150


class StaffSite(admin.AdminSite):
    """The staff console: Django's own admin under the desk's name."""

    site_header = "DeskAgent"
    site_title = "DeskAgent console"
    index_title = "Support desk"

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The sign-in, so often a minute: a name is locked for the address that guesses, for nobody else."""
        if request.method == "POST":
            address = address_of_request(request)
            name = request.POST.get("username", "").strip().casefold()[:LONGEST_NAME]
            try:
                take((SIGN_INS_ADDRESS, address), (SIGN_INS_USER, pseudonym_of(f"{address}\0{name}")))
            except SlowDown as full:
                context = {**self.each_context(request), "title": "Too many sign-ins", "detail": str(full)}
                page = render(request, "admin/slow_down.html", context, status=429)
                page.headers["Retry-After"] = str(full.retry_after)
                return page
        return super().login(request, extra_context)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """As Django's. A filter in the address that no column can hold (NUL, too large a number) finds nothing."""

        @wraps(view)
        def look(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            try:
                return view(request, *args, **kwargs)
            except (DataError, OverflowError) as error:
                # Only of what somebody may have typed into the address: all else is a fault of ours.
                if request.method not in ("GET", "HEAD") or not request.GET:
                    raise
                logger.warning("%s: no row can be asked for so: %s", request.path, error)
                raise Http404("No row can be asked for so.") from error

        return super().admin_view(look, cacheable)

    def get_urls(self) -> list[Any]:
        return [*planning.list_urls(), *super().get_urls()]

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        apps = [*super().get_app_list(request, app_label)]
        if app_label is None:
            apps += planning.list_entries(request)
        return sorted(apps, key=lambda app: ORDER.index(app["app_label"]) if app["app_label"] in ORDER else len(ORDER))
