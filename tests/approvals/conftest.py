import pytest
from django.contrib.auth.models import User
from pytest_django.fixtures import Settings


@pytest.fixture
def shop(db: None, settings: Settings) -> None:
    """The test shop inside one transaction: quick, and enough where nothing has to be told after a commit."""
    from tests.factories import load_shop

    settings.DESKAGENT_MODEL = "offline"
    load_shop()


@pytest.fixture
def bob(db: None) -> User:
    """Bob, who may do everything; without a password, whose hash costs more than most of these tests."""
    return User.objects.create_superuser("bob", "bob@example.com")
