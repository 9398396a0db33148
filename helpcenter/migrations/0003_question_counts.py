from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("helpcenter", "0002_append_only")]

    operations = [
        migrations.AddField("question", "day", models.DateField(null=True)),
        migrations.AddField("question", "count", models.PositiveIntegerField(default=1)),
        migrations.AddField("question", "last_at", models.DateTimeField(null=True)),
    ]
