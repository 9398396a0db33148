"""Which tests a run on a second engine leaves out."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import JOURNEYS, ROOT, _looks_at_services, pytest_collection_modifyitems


def make_item(
    name: str, *, marks: tuple[str, ...] = (), fixtures: tuple[str, ...] = (), folder: Path = ROOT
) -> SimpleNamespace:
    return SimpleNamespace(
        path=folder / name,
        fixturenames=["django_db_setup", *fixtures],
        get_closest_marker=lambda mark: mark if mark in marks else None,
    )


@pytest.mark.parametrize(
    ("item", "looks"),
    [
        (make_item("a.py"), False),
        (make_item("a.py", fixtures=("db",)), True),
        (make_item("a.py", fixtures=("transactional_db",)), True),
        (make_item("a.py", marks=("django_db",)), True),
        (make_item("a.py", marks=("services",)), True),
        (make_item("a.py", folder=JOURNEYS), True),
    ],
)
def test_a_test_looks_at_services_by_fixture_by_mark_or_as_a_journey(item: SimpleNamespace, looks: bool) -> None:
    assert _looks_at_services(item) is looks


@pytest.mark.parametrize("wanted", [True, False])
def test_a_file_stays_whole_and_what_is_left_out_is_told(wanted: bool) -> None:
    pure, mixed, looking = make_item("pure.py"), make_item("both.py"), make_item("both.py", fixtures=("db",))
    items, told = [pure, mixed, looking], []
    config = SimpleNamespace(
        getoption=lambda name: wanted and name == "--services-only",
        hook=SimpleNamespace(pytest_deselected=lambda items: told.extend(items)),
    )
    pytest_collection_modifyitems(config, items)
    assert items == ([mixed, looking] if wanted else [pure, mixed, looking])
    assert told == ([pure] if wanted else [])
