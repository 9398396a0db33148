from typing import Any

from django.db import migrations

from audit.redaction import redact

FEW = 2_000


def fold(apps: Any, _: Any) -> None:
    """One row a day, asker and text, in place of one for each search; counted here, since no index finds their like."""
    rows = apps.get_model("helpcenter", "Question").objects
    kept: dict[tuple[Any, str, str], Any] = {}
    for row in rows.filter(day=None).order_by("pk").iterator(chunk_size=FEW):
        text = redact(" ".join(row.text.split()).casefold())[:200]
        first = kept.setdefault((row.at.date(), row.asker, text), row)
        first.count += first is not row
        first.day, first.text = row.at.date(), text
        first.found, first.best_id, first.last_at = row.found, row.best_id, row.at
    rows.filter(day=None).delete()
    rows.bulk_create(kept.values(), batch_size=FEW)


class Migration(migrations.Migration):
    dependencies = [("helpcenter", "0003_question_counts")]

    # Backwards the folded rows stay as they are.
    operations = [migrations.RunPython(fold, migrations.RunPython.noop)]
