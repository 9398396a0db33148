from django.apps import AppConfig


class HelpcenterConfig(AppConfig):
    name = "helpcenter"
