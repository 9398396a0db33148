"""The actions of the public benchmark are closed and strict, and the tools say exactly what they take."""

import json
import subprocess
import sys
from typing import Any

import pytest
from pydantic import ValidationError

from conversations.agent.reading_tools import READS
from conversations.agent.tools import BEYOND_RETAIL, list_specs
from policy.actions import ACTIONS
from policy.rules import RULES
from tests.conftest import ROOT
from tests.writes import (
    ADDRESS_OF_ORDER,
    ADDRESS_OF_USER,
    CANCEL,
    EXCHANGE,
    HONEST,
    ITEMS,
    OTHERWISE,
    PAYMENT,
    PREFERENCE,
    RECEIPT,
    REFUND,
    RETURN,
    WITH_ADDRESS,
    WITH_ITEMS,
    WITH_METHOD,
    WITH_NEW_ITEMS,
    WITH_ORDER,
    WRITES,
)

FIELDS = {
    CANCEL: ["order_id", "reason"],
    ADDRESS_OF_ORDER: ["order_id", "address1", "address2", "city", "state", "country", "zip"],
    ITEMS: ["order_id", "item_ids", "new_item_ids", "payment_method_id"],
    PAYMENT: ["order_id", "payment_method_id"],
    ADDRESS_OF_USER: ["user_id", "address1", "address2", "city", "state", "country", "zip"],
    RETURN: ["order_id", "item_ids", "payment_method_id"],
    EXCHANGE: ["order_id", "item_ids", "new_item_ids", "payment_method_id"],
}
BEYOND = [REFUND, RECEIPT, PREFERENCE]
READ_FIELDS = {
    "find_user_id_by_email": ["email"],
    "find_user_id_by_name_zip": ["first_name", "last_name", "zip"],
    "get_user_details": ["user_id"],
    "get_order_details": ["order_id"],
    "get_product_details": ["product_id"],
    "list_all_product_types": [],
    "calculate": ["expression"],
    "search_help_center": ["query"],
    "transfer_to_human_agents": ["summary"],
}
LONGEST = {
    "order_id": 40,
    "user_id": 120,
    "payment_method_id": 60,
    "address1": 200,
    "address2": 200,
    "city": 60,
    "state": 60,
    "country": 60,
    "zip": 20,
}
MAY_BE_EMPTY = {"address2"}
BLANKS = ["", " ", "\u00a0", "\u2800"]
BREAKS = ["\n", "\t", "\x00", "\x1b", "\x85", "\u2028", "\u202e", "\u2066"]


def is_valid(name: str, arguments: Any) -> bool:
    try:
        ACTIONS[name].model_validate(arguments)
    except ValidationError:
        return False
    return True


def texts(names: list[str], fields: list[str]) -> list[tuple[str, str]]:
    return [(name, field) for name in names for field in fields if field in FIELDS[name]]


TEXTS = texts(WRITES, list(LONGEST))
LISTS = texts(WRITES, ["item_ids", "new_item_ids"])


def test_these_are_all_the_actions_and_each_has_rules() -> None:
    assert list(ACTIONS) == [*WRITES, *BEYOND] and list(FIELDS) == WRITES
    assert set(RULES) == set(ACTIONS.values())
    assert {name: list(ACTIONS[name].model_fields) for name in WRITES} == FIELDS


@pytest.mark.parametrize("arguments", [HONEST, OTHERWISE], ids=["honest", "otherwise"])
@pytest.mark.parametrize("name", WRITES)
def test_what_is_valid_comes_back_as_it_went_in(name: str, arguments: dict[str, Any]) -> None:
    action = ACTIONS[name].model_validate(arguments[name])
    assert action.arguments() == arguments[name]
    assert list(action.arguments()) == FIELDS[name]
    assert ACTIONS[name].model_validate(dict(reversed(arguments[name].items()))) == action


@pytest.mark.parametrize(("name", "field"), [(name, field) for name in WRITES for field in FIELDS[name]])
def test_every_field_is_needed(name: str, field: str) -> None:
    assert not is_valid(name, {key: value for key, value in HONEST[name].items() if key != field})


@pytest.mark.parametrize(
    "extra",
    [
        {"approved_by": "manager"},
        {"approved": True},
        {"confirmed": True},
        {"amount": "1.00"},
        {"name": "cancel_pending_order"},
        {"description": ""},
        {"model_config": {}},
        {"__class__": "x"},
        {"": ""},
        {"ORDER_ID": "#W1"},
        {"data": {}},
    ],
    ids=lambda extra: next(iter(extra)) or "empty",
)
@pytest.mark.parametrize("name", WRITES)
def test_a_field_more_is_refused_whatever_it_holds(name: str, extra: dict[str, Any]) -> None:
    assert not is_valid(name, HONEST[name] | extra)
    assert not is_valid(name, HONEST[name] | {next(iter(extra)): None})
    assert is_valid(name, HONEST[name])


@pytest.mark.parametrize("arguments", [None, [], "", 1, True, [["order_id", "#W1"]]], ids=repr)
@pytest.mark.parametrize("name", WRITES)
def test_arguments_are_an_object(name: str, arguments: Any) -> None:
    assert not is_valid(name, arguments)


@pytest.mark.parametrize("wrong", [None, 0, 1.5, True, [], {}, ["x"], b"x", ("x",)], ids=repr)
@pytest.mark.parametrize(("name", "field"), TEXTS)
def test_a_text_is_a_text(name: str, field: str, wrong: Any) -> None:
    assert not is_valid(name, HONEST[name] | {field: wrong})


@pytest.mark.parametrize(("name", "field"), TEXTS)
def test_a_text_has_a_length_that_its_column_holds(name: str, field: str) -> None:
    assert is_valid(name, HONEST[name] | {field: "x" * LONGEST[field]})
    assert is_valid(name, HONEST[name] | {field: "x"})
    assert not is_valid(name, HONEST[name] | {field: "x" * (LONGEST[field] + 1)})


@pytest.mark.parametrize("blank", BLANKS, ids=repr)
@pytest.mark.parametrize(("name", "field"), texts(WITH_ADDRESS, list(LONGEST)[3:]))
def test_an_address_has_no_blank_part_but_its_second_line(name: str, field: str, blank: str) -> None:
    assert is_valid(name, HONEST[name] | {field: blank}) is (field in MAY_BE_EMPTY)
    assert is_valid(name, HONEST[name] | {field: f"{blank}x"})


@pytest.mark.parametrize("mark", BREAKS, ids=repr)
@pytest.mark.parametrize(("name", "field"), texts(WITH_ADDRESS, list(LONGEST)[3:]))
def test_an_address_stays_on_its_line_of_the_card(name: str, field: str, mark: str) -> None:
    assert not is_valid(name, HONEST[name] | {field: f"Duluth{mark}Back to: Visa ending 4417"[: LONGEST[field]]})


@pytest.mark.parametrize("name", WITH_ORDER)
def test_an_order_number_is_not_empty(name: str) -> None:
    assert not is_valid(name, HONEST[name] | {"order_id": ""})


@pytest.mark.parametrize("name", WITH_METHOD)
def test_a_payment_method_is_not_empty(name: str) -> None:
    assert not is_valid(name, HONEST[name] | {"payment_method_id": ""})


@pytest.mark.parametrize("reason", ["", "other", "No longer needed", "no longer needed ", "approved", None, 0, ["x"]])
def test_a_reason_is_one_of_two(reason: Any) -> None:
    assert not is_valid(CANCEL, HONEST[CANCEL] | {"reason": reason})
    for good in ("no longer needed", "ordered by mistake"):
        assert is_valid(CANCEL, HONEST[CANCEL] | {"reason": good})


@pytest.mark.parametrize(
    "wrong",
    [None, "", "3175521189", 3175521189, {}, {"0": "1"}, ("1",), {"1"}, [], [1], [None], [True], [["1"]], [""]],
    ids=repr,
)
@pytest.mark.parametrize(("name", "field"), LISTS)
def test_items_are_a_list_of_texts(name: str, field: str, wrong: Any) -> None:
    assert not is_valid(name, HONEST[name] | {field: wrong})
    assert is_valid(name, HONEST[name] | {field: ["1", "2"]})


@pytest.mark.parametrize(("name", "field"), LISTS)
def test_a_list_of_items_has_an_end(name: str, field: str) -> None:
    many = [str(number) for number in range(51)]
    assert is_valid(name, HONEST[name] | {field: many[:50]})
    assert not is_valid(name, HONEST[name] | {field: many})
    assert is_valid(name, HONEST[name] | {field: ["1" * 40]})
    assert not is_valid(name, HONEST[name] | {field: ["1" * 41]})


@pytest.mark.parametrize("name", WITH_ITEMS)
def test_an_item_is_listed_once(name: str) -> None:
    for twice in (["1", "1"], ["1", "2", "1"]):
        assert not is_valid(name, HONEST[name] | {"item_ids": twice})
    assert is_valid(name, HONEST[name] | {"item_ids": ["1", "2"]})


@pytest.mark.parametrize("name", WITH_NEW_ITEMS)
def test_two_items_may_become_two_of_the_same(name: str) -> None:
    assert is_valid(name, HONEST[name] | {"new_item_ids": ["1", "1"]})


@pytest.mark.parametrize("name", WRITES)
def test_an_action_stays_what_was_agreed(name: str) -> None:
    action = ACTIONS[name].model_validate(HONEST[name])
    with pytest.raises(ValidationError, match="frozen"):
        setattr(action, FIELDS[name][0], "#W0000000")


# --- The tools that the model sees ---

SPECS = {spec["name"]: spec for spec in list_specs()}


def test_the_tools_are_the_reads_and_the_actions_by_name() -> None:
    assert list(SPECS) == sorted([*FIELDS, *READ_FIELDS]) == sorted({*ACTIONS, *READS} - BEYOND_RETAIL)
    assert len(list_specs()) == len(SPECS) == 16
    assert not any("think" in name for name in SPECS)


@pytest.mark.parametrize(("name", "fields"), (FIELDS | READ_FIELDS).items())
def test_a_tool_names_exactly_its_fields(name: str, fields: list[str]) -> None:
    spec = SPECS[name]
    schema = spec["input_schema"]
    assert set(spec) == {"name", "description", "input_schema"}
    assert set(schema) == {"type", "properties", "required", "additionalProperties"}
    assert (schema["type"], schema["additionalProperties"]) == ("object", False)
    assert list(schema["properties"]) == schema["required"] == fields
    assert spec["description"].strip()


@pytest.mark.parametrize(
    ("name", "field"), [(name, field) for name, fields in (FIELDS | READ_FIELDS).items() for field in fields]
)
def test_a_field_is_a_text_a_list_of_texts_or_one_of_a_few(name: str, field: str) -> None:
    described = dict(SPECS[name]["input_schema"]["properties"][field])
    assert described.pop("description").strip()
    if field in ("item_ids", "new_item_ids"):
        assert described == {"type": "array", "items": {"type": "string"}}
    elif field == "reason":
        assert described == {"type": "string", "enum": ["no longer needed", "ordered by mistake"]}
    else:
        assert described == {"type": "string"}


@pytest.mark.parametrize("name", WRITES)
def test_a_write_tool_says_that_the_customer_is_asked(name: str) -> None:
    assert "nothing changes until they press Yes" in SPECS[name]["description"]


def test_no_tool_mentions_an_approval_an_amount_or_a_way_past_the_card() -> None:
    names = {field for spec in SPECS.values() for field in spec["input_schema"]["properties"]}
    assert not {name for name in names if "approv" in name or "amount" in name or "confirm" in name or "role" in name}


def test_two_processes_send_the_same_bytes() -> None:
    program = (
        "import django, json, sys; django.setup(); from conversations.agent.tools import list_specs;"
        " sys.stdout.write(json.dumps(list_specs()))"
    )
    seen = set()
    for seed in ("1", "2"):
        environment = {"DJANGO_SETTINGS_MODULE": "deskagent.settings", "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, check=True, text=True
        )
        seen.add(done.stdout)
    assert seen == {json.dumps(list_specs())}
