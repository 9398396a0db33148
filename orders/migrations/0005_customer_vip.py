from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("orders", "0004_shipments_and_refunded_lines"),
    ]

    operations = [
        migrations.AddField(
            model_name="customer",
            name="vip",
            field=models.BooleanField(default=False, verbose_name="VIP"),
        ),
    ]
