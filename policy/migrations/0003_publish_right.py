from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("policy", "0002_append_only")]

    operations = [
        migrations.AlterModelOptions(
            name="policyversion",
            options={
                "ordering": ["-number"],
                "permissions": [("publish_policyversion", "Can publish, roll back and switch off")],
            },
        ),
    ]
