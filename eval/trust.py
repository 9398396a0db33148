"""Whether what is carried out can still be trusted, by the books; where it cannot, those who act are told."""

from collections.abc import Iterable

from django.utils import timezone

from eval import books
from orders.signals import books_broken

# Money, keys, write-ahead, gate, order states.
WRITE_PATH = {1, 2, 3, 4, 9}


def judge_books() -> int:
    """Check the rows as they are now and tell what is broken; how many invariants of the write path are."""
    return tell_distrust(books.check(now=timezone.now()))


def tell_distrust(lines: Iterable[books.Line]) -> int:
    """Send `books_broken` where an invariant of the write path has faults; how many have."""
    distrusted = [str(line) for line in lines if line.faults and line.number in WRITE_PATH]
    if distrusted:
        books_broken.send(sender=None, broken=", ".join(distrusted))
    return len(distrusted)
