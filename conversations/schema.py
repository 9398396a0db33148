"""The long-poll in the OpenAPI document: it is a coroutine of its own, which the generator does not see."""

from typing import Any

EVENTS = {
    "get": {
        "operationId": "conversations_events_list",
        "description": "Events with a number above `after`; waits up to `wait` seconds (25 at most) for the first.",
        "parameters": [
            {
                "in": "path",
                "name": "conversation_id",
                "required": True,
                "schema": {"type": "string", "format": "uuid"},
            },
            {"in": "query", "name": "after", "schema": {"type": "integer", "default": 0}},
            {"in": "query", "name": "wait", "schema": {"type": "number", "default": 0}},
        ],
        "tags": ["conversations"],
        "responses": {
            "200": {
                "description": "",
                "content": {
                    "application/json": {
                        "schema": {
                            "type": "object",
                            "properties": {
                                "events": {"type": "array", "items": {"type": "object"}},
                                "last_seq": {"type": "integer"},
                            },
                        }
                    }
                },
            }
        },
    }
}


# The four arguments are the generator's; only the document matters here.
def add_events(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    result["paths"]["/api/v1/conversations/{conversation_id}/events/"] = EVENTS
    return result
