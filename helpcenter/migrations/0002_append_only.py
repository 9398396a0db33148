from django.db import migrations

from audit.triggers import append_only
from helpcenter.append_only import KEYS, TABLE


class Migration(migrations.Migration):
    dependencies = [("helpcenter", "0001_tables"), ("audit", "0002_append_only")]

    operations = [append_only(TABLE, KEYS)]
