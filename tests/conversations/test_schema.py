"""The OpenAPI document: valid, and with every call of the chat in it."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.validation import validate_schema

pytestmark = pytest.mark.django_db

EVENTS = "/api/v1/conversations/{conversation_id}/events/"
CUSTOMER_CALLS = {
    "/api/v1/conversations/": {"post"},
    "/api/v1/conversations/{conversation_id}/": {"get"},
    "/api/v1/conversations/{conversation_id}/messages/": {"post"},
    "/api/v1/conversations/{conversation_id}/answers/": {"post"},
    "/api/v1/conversations/{conversation_id}/handoff/": {"post"},
    EVENTS: {"get"},
}


@pytest.fixture
def document() -> dict[str, Any]:
    answer = Client().get("/api/v1/schema/", headers={"Accept": "application/vnd.oai.openapi+json"})
    assert answer.status_code == 200
    return json.loads(answer.content)


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(path, method, call) for path, calls in document["paths"].items() for method, call in calls.items()]


def test_the_document_is_valid_openapi(document: dict[str, Any]) -> None:
    validate_schema(document)


def test_every_call_of_a_customer_stands_in_the_document(document: dict[str, Any]) -> None:
    named = {path: set(document["paths"].get(path, {})) for path in CUSTOMER_CALLS}
    assert named == CUSTOMER_CALLS


def test_the_long_poll_names_its_parameters_and_what_it_answers(document: dict[str, Any]) -> None:
    call = document["paths"][EVENTS]["get"]
    parameters = {(one["in"], one["name"]): one["schema"]["type"] for one in call["parameters"]}
    assert parameters == {
        ("path", "conversation_id"): "string",
        ("query", "after"): "integer",
        ("query", "wait"): "number",
    }
    [body] = call["responses"]["200"]["content"].values()
    assert set(body["schema"]["properties"]) == {"events", "last_seq"}


def test_every_parameter_of_a_path_is_described(document: dict[str, Any]) -> None:
    for path, _, call in operations(document):
        described = {one["name"]: one["required"] for one in call.get("parameters", []) if one["in"] == "path"}
        assert described == dict.fromkeys(re.findall(r"{(\w+)}", path), True), path


def test_no_two_calls_share_a_name(document: dict[str, Any]) -> None:
    names = [call["operationId"] for _, _, call in operations(document)]
    assert len(names) == len(set(names)) and all(names)


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    references = set(re.findall(r'"\$ref": "#/components/schemas/(\w+)"', json.dumps(document)))
    assert references and references <= set(document["components"]["schemas"])
