"""What a test need not pay for again: the demo shop's rows, Django's own rows, and a slow password hash.

Each stands in for work that tests of its own cover: loading a shop, migrating, signing in.
"""

from django.apps import apps
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.management import create_contenttypes
from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction
from django.db.models.signals import post_migrate

from orders import interchange

DEMO = settings.BASE_DIR / "orders" / "demo"
# The same for every test, and made by migrations alone.
KEPT = frozenset({ContentType._meta.db_table, Permission._meta.db_table})
SNAPSHOT = "snapshot_of_"


class QuickHasher(PBKDF2PasswordHasher):
    """The product's own hash with few rounds. Whoever checks one reads the rounds from it, other processes too."""

    iterations = 1_000


class _Snapshot:
    database = ""


_snapshot = _Snapshot()


def take_snapshot() -> None:
    """Load the demo shop once into an empty test database, and keep its rows beside their tables."""
    interchange.load(folder=DEMO)
    with connection.cursor() as cursor:
        for table in _list_tables():
            cursor.execute(f'CREATE TABLE "{SNAPSHOT}{table}" AS SELECT * FROM "{table}"')
        with transaction.atomic():
            for table in reversed(_list_tables()):
                cursor.execute(f'DELETE FROM "{table}"')
    _snapshot.database = connection.settings_dict["NAME"]


def load_shop() -> None:
    """The demo shop as `load_store` makes it: from the snapshot where there is one and the shop is empty."""
    if _snapshot.database != connection.settings_dict["NAME"] or not interchange.is_empty():
        interchange.load(folder=DEMO, replace=True)
        return
    with transaction.atomic(), connection.cursor() as cursor:
        for table in _list_tables():
            cursor.execute(f'INSERT INTO "{table}" SELECT * FROM "{SNAPSHOT}{table}"')


def forget_djangos_own(*, again: bool = False) -> None:
    """Django looks for content types and permissions after each flush; they are kept, so there is nothing to find."""
    uid = "django.contrib.auth.management.create_permissions"
    if again:
        post_migrate.connect(create_permissions, dispatch_uid=uid)
        post_migrate.connect(create_contenttypes)
    else:
        assert post_migrate.disconnect(dispatch_uid=uid)
        assert post_migrate.disconnect(create_contenttypes)


def _list_tables() -> list[str]:
    return [model._meta.db_table for model in apps.get_app_config("orders").get_models()]
