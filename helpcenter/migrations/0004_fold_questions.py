from typing import Any

from django.db import migrations

from audit.redaction import redact

FEW = 2_000


def fold(apps: Any, _: Any) -> None:
    """One row a day, asker and text, in place of one for each search."""
    rows = apps.get_model("helpcenter", "Question").objects
    for row in rows.filter(day=None).order_by("pk").iterator(chunk_size=FEW):
        text = redact(" ".join(row.text.split()).casefold())[:200]
        first = rows.filter(day=row.at.date(), asker=row.asker, text=text).exclude(pk=row.pk).first()
        kept = first or row
        kept.day, kept.text = row.at.date(), text
        kept.found, kept.best_id, kept.last_at = row.found, row.best_id, row.at
        if first is not None:
            first.count += 1
            row.delete()
        kept.save()


class Migration(migrations.Migration):
    dependencies = [("helpcenter", "0003_question_counts")]

    # Backwards the folded rows stay as they are.
    operations = [migrations.RunPython(fold, migrations.RunPython.noop)]
