from typing import Any

from django.db import migrations

from audit.forms import EMPTY, Unreadable, read_fields

NAMES = ("at", "actor", "action", "rule", "verdict", "policy_version", "key_id")


def refill(apps: Any, editor: Any) -> None:
    """The columns of before, out of each entry's own text.

    Entries of the second form stay what they are: the older code's proof does not know it and names the first one.
    """
    entry_model = apps.get_model("audit", "Entry")
    chain, previous = "", ""
    for pk in list(entry_model.objects.order_by("chain", "position").values_list("pk", flat=True)):
        entry = entry_model.objects.get(pk=pk)
        try:
            said = EMPTY | read_fields(entry.canonical)
        except Unreadable:
            said = dict(EMPTY)
        if entry.chain != chain:
            chain, previous = entry.chain, "0" * 64
        for name in NAMES:
            setattr(entry, name, said[name])
        entry.conversation = chain.partition(":")[2]
        entry.previous_hash = previous
        entry.save()
        previous = entry.hash


class Migration(migrations.Migration):
    dependencies = [("audit", "0004_loosen_entry")]

    operations = [migrations.RunPython(migrations.RunPython.noop, refill)]
