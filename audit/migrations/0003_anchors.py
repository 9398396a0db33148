import uuid
from typing import Any

from django.db import migrations, models

from audit.anchors import SHOP_MARK
from audit.redaction import sign


def found_shop(apps: Any, editor: Any) -> None:
    """Once, here: a log that has entries gets no identity later, since one without it has lost it to somebody."""
    identity = uuid.uuid4().hex
    apps.get_model("audit", "Shop").objects.create(pk=1, identity=identity, mark=sign(SHOP_MARK + identity))


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0002_append_only"),
    ]

    operations = [
        migrations.CreateModel(
            name="Anchor",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(unique=True)),
                ("at", models.DateTimeField()),
                ("line", models.TextField()),
            ],
        ),
        migrations.CreateModel(
            name="Shop",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("identity", models.CharField(max_length=32)),
                ("mark", models.CharField(max_length=64)),
            ],
        ),
        migrations.AddField(
            model_name="head",
            name="anchored",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddIndex(
            model_name="head",
            index=models.Index(
                condition=models.Q(("count__gt", models.F("anchored"))), fields=["chain"], name="audit_not_anchored"
            ),
        ),
        migrations.RunPython(found_shop, migrations.RunPython.noop),
    ]
