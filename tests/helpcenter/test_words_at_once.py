"""Many turns of one process read words at the same time."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from helpcenter.words import stem

pytestmark = pytest.mark.services

WORDS = [
    f"{first}{middle}{end}" for first in "bcdfg" for middle in ("at", "enn", "ort") for end in ("ing", "ational", "s")
]


@pytest.fixture
def hurried() -> Iterator[None]:
    """Threads take turns as often as the interpreter can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hurried")
def test_words_are_stemmed_alike_by_threads_at_once() -> None:
    alone = [stem.__wrapped__(word) for word in WORDS]
    with ThreadPoolExecutor(8) as pool:
        rounds = list(pool.map(lambda _: [stem.__wrapped__(word) for word in WORDS], range(64)))
    assert rounds == [alone] * 64
