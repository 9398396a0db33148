from django.db import migrations

import orders.fields


class Migration(migrations.Migration):
    dependencies = [
        ("conversations", "0006_fewer_bytes"),
    ]

    operations = [
        migrations.AddField(
            model_name="conversation",
            name="label",
            field=orders.fields.JSONTextField(default=dict),
        ),
    ]
