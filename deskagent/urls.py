from django.contrib import admin
from django.http import HttpRequest, JsonResponse
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView

from deskagent import storefront
from deskagent.help_room import has_room
from helpcenter import urls as help_urls


def answer_unknown_path(_: HttpRequest, exception: Exception) -> JsonResponse:
    return JsonResponse({"code": "not_found", "detail": "There is nothing at this address."}, status=404)


def answer_fault(_: HttpRequest) -> JsonResponse:
    return JsonResponse(
        {"code": "fault", "detail": "Something went wrong here. Nothing you sent was acted on."}, status=500
    )


handler500 = answer_fault
handler404 = answer_unknown_path
urlpatterns: list[URLPattern | URLResolver] = [
    path("", storefront.show, name="storefront"),
    path("admin/", admin.site.urls),
    path("help/", include((help_urls.list_urls(has_room=has_room), help_urls.app_name))),
    path("api/v1/", include("conversations.urls")),
    path("api/v1/", include("approvals.urls")),
    path("api/v1/schema/", SpectacularAPIView.as_view()),
]
