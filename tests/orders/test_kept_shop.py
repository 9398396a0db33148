"""The shop that tests get back from kept rows is the one that `load` makes of the files."""

import pytest
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command

from orders import interchange
from orders.interchange import export_shop
from tests.quick import DEMO, load_shop


@pytest.mark.django_db
def test_the_kept_shop_is_the_loaded_one() -> None:
    load_shop()
    kept = export_shop()
    interchange.load(folder=DEMO, replace=True)
    assert export_shop() == kept
    assert kept["orders"]


@pytest.mark.django_db(transaction=True)
def test_a_flush_leaves_content_types_and_permissions_and_nothing_else() -> None:
    load_shop()
    kept = (
        list(ContentType.objects.values_list("pk", "model")),
        list(Permission.objects.values_list("pk", "codename")),
    )
    call_command("flush", verbosity=0, interactive=False)
    assert kept == (
        list(ContentType.objects.values_list("pk", "model")),
        list(Permission.objects.values_list("pk", "codename")),
    )
    assert interchange.is_empty() and all(kept)
