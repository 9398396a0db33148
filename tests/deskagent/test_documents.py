"""README and `.env.example` name exactly the variables that the settings read."""

import re

import pytest

from tests.conftest import ROOT

READS = re.compile(r'(?:env\.\w+|read_\w+)\(\s*"([A-Z_]+)"')


def variables() -> set[str]:
    return set(READS.findall((ROOT / "deskagent" / "settings.py").read_text()))


@pytest.mark.parametrize(
    ("document", "pattern"), [("README.md", r"^\| `([A-Z_]+)` \|"), (".env.example", r"^# ([A-Z_]+)=")]
)
def test_every_variable_is_documented_and_no_other(document: str, pattern: str) -> None:
    named = re.findall(pattern, (ROOT / document).read_text(), re.MULTILINE)
    assert set(named) == variables()
    assert len(named) == len(set(named))


def test_the_environment_is_read_in_one_place() -> None:
    readers = [
        path.relative_to(ROOT).as_posix()
        for folder in ("deskagent", "conversations", "approvals", "orders", "policy", "audit", "helpcenter", "eval")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"os\.(environ|getenv)", path.read_text())
    ]
    # These only tell libraries what they ask the environment for: Django its settings module, numpy its threads.
    assert sorted(readers) == ["deskagent/__init__.py", "deskagent/asgi.py", "deskagent/celery.py"]
