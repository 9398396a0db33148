"""The public tools by name, below gate and models, answering odd calls as the public environment does.

The environment catches whatever a tool raises and answers `Error: <text>`; a call that does not fit the tool's
signature raises Python's own message, which names the tool's class.
"""

from collections.abc import Callable
from typing import Any

from conversations.agent.calculator import calculate
from conversations.agent.reading_tools import READS
from conversations.agent.tools import BEYOND_RETAIL
from orders.executor import CannotBeDone, Subject, replay
from orders.queries import (
    CustomerNotFound,
    OrderNotFound,
    ProductNotFound,
    export_customer,
    export_order,
    export_product,
    find_customer_by_email,
    find_customer_by_name_zip,
    get_customer,
    get_order,
    get_product,
    list_product_types,
    to_tool_text,
)
from policy.actions import ACTIONS, ModifyUserAddress

USER, ORDER, PRODUCT = "Error: user not found", "Error: order not found", "Error: product not found"


def call(name: str, arguments: dict[str, Any]) -> str:
    """What the public environment answers to this call, with its changes made in the current transaction."""
    kind = ACTIONS.get(name) if name not in BEYOND_RETAIL else None
    read = READ_TOOLS.get(name)
    if kind is None and read is None:
        return f"Unknown action {name}"
    parameters = list(kind.model_fields) if kind else PARAMETERS[name]
    misfit = explain_misfit(name, parameters, arguments)
    if misfit:
        return f"Error: {misfit}"
    try:
        return _change(name, arguments) if kind else READ_TOOLS[name](**arguments)
    except CannotBeDone as error:
        return str(error)
    except (OrderNotFound, CustomerNotFound, ProductNotFound) as error:
        return {OrderNotFound: ORDER, CustomerNotFound: USER, ProductNotFound: PRODUCT}[type(error)]
    except (TypeError, AttributeError, ValueError, KeyError) as error:
        return f"Error: {error}"


def explain_misfit(name: str, parameters: list[str], arguments: dict[str, Any]) -> str:
    """Python's own message for a call that does not fit `invoke(data, ...)`, or nothing."""
    kind = "".join(word.capitalize() for word in name.split("_"))
    method = f"{kind}.invoke()"
    if "data" in arguments:
        return f"tau_bench.envs.retail.tools.{name}.{method} got multiple values for keyword argument 'data'"
    surplus = [key for key in arguments if key not in parameters]
    if surplus:
        return f"{method} got an unexpected keyword argument '{surplus[0]}'"
    missing = [f"'{key}'" for key in parameters if key not in arguments]
    if not missing:
        return ""
    listed = missing[0] if len(missing) == 1 else " and ".join(missing)
    if len(missing) > 2:
        listed = f"{', '.join(missing[:-1])}, and {missing[-1]}"
    noun = "argument" if len(missing) == 1 else "arguments"
    return f"{method} missing {len(missing)} required positional {noun}: {listed}"


def _change(name: str, arguments: dict[str, Any]) -> str:
    # Unchecked on purpose: the values may be of any type, and the public tool's answer to them is what counts.
    action = ACTIONS[name].model_construct(**arguments)
    if isinstance(action, ModifyUserAddress):
        return replay(action=action, subject=Subject(customer=get_customer(user_id=_key(action.user_id))))
    order = get_order(number=_key(arguments["order_id"]))
    return replay(action=action, subject=Subject(customer=order.customer, order=order))


def _key(value: Any) -> str:
    """The public tools look ids up in dicts: an unhashable one raises, another type finds nothing."""
    hash(value)
    return value if isinstance(value, str) else "\x1f"


def _find_by_email(email: Any) -> str:
    return find_customer_by_email(email=email.lower()).user_id


def _find_by_name_zip(first_name: Any, last_name: Any, zip: Any) -> str:
    first_name.lower(), last_name.lower()
    found = find_customer_by_name_zip(first_name=first_name, last_name=last_name, zip_code=_key(zip))
    return found.user_id


def _get_user(user_id: Any) -> str:
    return to_tool_text(export_customer(get_customer(user_id=_key(user_id))))


def _get_order(order_id: Any) -> str:
    return to_tool_text(export_order(get_order(number=_key(order_id))))


def _get_product(product_id: Any) -> str:
    return to_tool_text(export_product(get_product(product_id=_key(product_id))))


def _list_products() -> str:
    return to_tool_text(list_product_types())


READ_TOOLS: dict[str, Callable[..., str]] = {
    "find_user_id_by_email": _find_by_email,
    "find_user_id_by_name_zip": _find_by_name_zip,
    "get_user_details": _get_user,
    "get_order_details": _get_order,
    "get_product_details": _get_product,
    "list_all_product_types": _list_products,
    "calculate": calculate,
    "transfer_to_human_agents": lambda summary: "Transfer successful",
    # Exists for replaying the benchmark only: the model is never offered it.
    "think": lambda thought: "",
}
PARAMETERS = {name: list(READS[name].model_fields) if name in READS else ["thought"] for name in READ_TOOLS}
