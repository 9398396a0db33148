"""Which pages may call the customers' API from another origin."""

from typing import Any

import pytest
from django.test import Client

from tests.factories import start_chat

SHOP = "https://shop.example"
API = "/api/v1/conversations/"


@pytest.fixture(autouse=True)
def _one_shop(settings: Any) -> None:
    settings.DESKAGENT_WIDGET_ORIGINS = [SHOP]


@pytest.mark.parametrize(
    ("origin", "path", "named"),
    [
        (SHOP, API, True),
        ("https://evil.example", API, False),
        ("https://shop.example.evil.example", API, False),
        ("http://shop.example", API, False),
        ("null", API, False),
        (SHOP, "/api/v1/staff/requests/", False),
        (SHOP, "/admin/", False),
    ],
)
def test_only_a_listed_origin_passes_the_preflight_of_the_customers_api(origin: str, path: str, named: bool) -> None:
    headers = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    answer = Client().options(path, headers=headers)
    assert (answer.headers.get("Access-Control-Allow-Origin") == origin) is named
    assert "Access-Control-Allow-Credentials" not in answer.headers
    if named:
        assert answer.status_code == 204
        assert "Authorization" in answer.headers["Access-Control-Allow-Headers"]


@pytest.mark.usefixtures("desk")
def test_a_listed_origin_can_read_what_its_customer_reads() -> None:
    chat = start_chat()
    for path in ("", "events/?after=0"):
        headers = {"Authorization": f"Bearer {chat.token}", "Origin": SHOP}
        answer = chat.client.get(f"{API}{chat.id}/{path}", headers=headers)
        assert answer.status_code == 200
        assert answer.headers["Access-Control-Allow-Origin"] == SHOP
        assert "Origin" in answer.headers["Vary"]
