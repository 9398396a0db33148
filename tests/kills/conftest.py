"""One stack for all tests of a kind: its start takes as long as a kill. `make kills` gives each file its own worker."""

import sys
from collections.abc import Iterator

import pytest
from django.conf import settings

from tests.kills.stack import KilledStack

collect_ignore_glob = [] if settings.REDIS_URL else ["test_*.py"]


@pytest.fixture(scope="session")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KilledStack]:
    """Pays back in the shop's own books."""
    desk = KilledStack(tmp_path_factory.mktemp("local"), remote=False)
    yield desk
    desk.close()


@pytest.fixture(scope="session")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KilledStack]:
    """Pays back through a gateway."""
    desk = KilledStack(tmp_path_factory.mktemp("remote"), remote=True)
    yield desk
    desk.close()


@pytest.fixture
def local_stack(local: KilledStack) -> Iterator[KilledStack]:
    yield from _fresh(local)


@pytest.fixture
def remote_stack(remote: KilledStack) -> Iterator[KilledStack]:
    yield from _fresh(remote)
    remote.slow_gateway(0)


def _fresh(desk: KilledStack) -> Iterator[KilledStack]:
    """Running, with the three processes it began with: whatever a test before this one left is gone."""
    if not (desk.folder / "shop").exists():
        desk.prepare()
    elif set(desk.running) != {"web", "worker", "beat"}:
        desk.crash()
    desk.said.clear()
    yield desk
    desk.disarm()
    # Shown where the test failed.
    sys.stdout.writelines(desk.said)
