from django.db import migrations

from audit.append_only import KEYS, TABLE
from audit.triggers import append_only


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_tables")]

    operations = [append_only(TABLE, KEYS)]
