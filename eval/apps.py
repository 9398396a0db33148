from django.apps import AppConfig


class EvalConfig(AppConfig):
    name = "eval"
