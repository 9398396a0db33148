from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("helpcenter", "0004_fold_questions")]

    operations = [
        migrations.RemoveIndex("question", "helpcenter_unanswered"),
        migrations.AlterField("question", "day", models.DateField()),
        migrations.AlterField("question", "last_at", models.DateTimeField()),
        migrations.RemoveField("question", "at"),
        migrations.AddConstraint(
            "question",
            models.UniqueConstraint(fields=["day", "asker", "text"], name="helpcenter_one_question_a_day"),
        ),
    ]
