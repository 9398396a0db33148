from django.db import migrations, models

from audit.append_only import TABLE
from audit.triggers import writable

KEYS = (("id",), ("hash",), ("chain", "position"), ("chain", "previous_hash"))
# All of them stand in `canonical`. They get a default, so that they can be added again on the way back.
REPEATED = {"at": 32, "conversation": 36, "actor": 120, "action": 60, "rule": 8, "verdict": 40, "key_id": 16}


class Migration(migrations.Migration):
    dependencies = [("audit", "0003_anchors")]

    operations = [
        writable(TABLE, KEYS),
        migrations.RemoveConstraint(model_name="entry", name="audit_no_fork"),
        migrations.RemoveIndex(model_name="entry", name="audit_entry_convers_01e7a9_idx"),
        migrations.RemoveIndex(model_name="entry", name="audit_entry_event_bd5435_idx"),
        migrations.AlterField(model_name="entry", name="hash", field=models.CharField(max_length=64)),
        migrations.AlterField(
            model_name="entry", name="previous_hash", field=models.CharField(max_length=64, default="")
        ),
        *(
            migrations.AlterField(
                model_name="entry", name=name, field=models.CharField(max_length=width, default="", blank=True)
            )
            for name, width in REPEATED.items()
        ),
    ]
