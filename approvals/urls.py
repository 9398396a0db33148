from django.urls import path

from approvals import api

urlpatterns = [
    path("staff/requests/", api.RequestList.as_view()),
    path("staff/requests/<uuid:request_id>/decision/", api.RequestDecision.as_view()),
    path("staff/requests/<uuid:request_id>/correction/", api.RequestCorrection.as_view()),
]
