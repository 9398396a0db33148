from django.urls import path

from conversations.consumers import ChatConsumer

urlpatterns = [path("ws/v1/conversations/<uuid:conversation_id>/", ChatConsumer.as_asgi())]
