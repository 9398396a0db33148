from django.urls import path

from conversations import api, identity_api

urlpatterns = [
    path("conversations/", api.ConversationList.as_view()),
    path("conversations/<uuid:conversation_id>/", api.ConversationDetail.as_view()),
    path("conversations/<uuid:conversation_id>/messages/", api.MessageList.as_view()),
    path("conversations/<uuid:conversation_id>/answers/", api.AnswerList.as_view()),
    path("conversations/<uuid:conversation_id>/handoff/", api.Handoff.as_view()),
    path("conversations/<uuid:conversation_id>/identity/", identity_api.IdentityView.as_view()),
    path("conversations/<uuid:conversation_id>/rating/", api.RatingView.as_view()),
    path("conversations/<uuid:conversation_id>/session/", api.Session.as_view()),
    path("conversations/<uuid:conversation_id>/events/", api.wait_for_events),
    *[
        path(f"staff/conversations/<uuid:conversation_id>/{call}/", api.StaffConversation.as_view(), {"call": call})
        for call in api.STAFF_CALLS
    ],
]
