"""A worker of its own for the tests of the spend caps: it reserves calls in threads until a cap refuses.

Arguments: ids of turns, a thread each. Prints `ready`, begins at a line on its standard input, prints how many calls it
reserved, and at the next line gives back what is left of its block and ends.
"""

import sys
import threading

import django

django.setup()

from django.db import connections  # noqa: E402

from conversations.models import Turn  # noqa: E402
from conversations.operations import purse  # noqa: E402
from conversations.operations.spending import CapReached  # noqa: E402
from tests.conversations.spending import reserve  # noqa: E402


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(turn_ids: list[int]) -> None:
    turns = [Turn.objects.get(pk=turn_id) for turn_id in turn_ids]
    counts = [0] * len(turns)

    def run(place: int) -> None:
        try:
            while True:
                reserve(turns[place])
                counts[place] += 1
        except CapReached:
            return
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(turns))]
    tell("ready")
    sys.stdin.readline()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tell(str(sum(counts)))
    sys.stdin.readline()
    purse.give_back()


main([int(argument) for argument in sys.argv[1:]])
