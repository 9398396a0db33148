"""`manage.py learn_readings`: learn the weights of the readings anew from our own sentences."""

from typing import Any

from django.core.management import BaseCommand

from conversations.readings.learned import WEIGHTS
from eval import learning


class Command(BaseCommand):
    help = "Learn the weights of the reading of danger and anger from the sentences in eval/scenarios."

    def handle(self, *args: Any, **options: Any) -> None:
        rows = learning.add_slips([*learning.load_rows(), *learning.make_ordinary()])
        learned = learning.learn(rows)
        learning.write(WEIGHTS, learned)
        self.stdout.write(f"{len(learned['weights'])} weights from {len(rows)} sentences, in {WEIGHTS.name}")
