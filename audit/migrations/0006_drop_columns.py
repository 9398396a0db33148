from django.db import migrations

from audit.append_only import KEYS, TABLE
from audit.triggers import append_only

REPEATED = (
    *("at", "conversation", "actor", "action", "rule", "verdict", "policy_version", "key_id"),
    "previous_hash",
)


class Migration(migrations.Migration):
    dependencies = [("audit", "0005_refill_columns")]

    operations = [
        *(migrations.RemoveField(model_name="entry", name=name) for name in REPEATED),
        append_only(TABLE, KEYS),
    ]
