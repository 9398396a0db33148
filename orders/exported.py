"""The shape of the shop's export files, checked before a row is written."""

import json
import re
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from orders.models import Order

Number = Annotated[int | float, Field(ge=0, le=10_000_000)]
Text = Annotated[str, Field(max_length=200)]


class StoreUnreadable(Exception):
    """The folder is no shop: the message names file and place. Nothing was changed."""


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NameIn(Closed):
    first_name: Text
    last_name: Text


class AddressIn(Closed):
    address1: Text
    address2: Text
    city: Text
    country: Text
    state: Text
    zip: Text


class MethodIn(Closed):
    source: Literal["credit_card", "paypal", "gift_card"]
    brand: Text | None = None
    last_four: Text | None = None
    balance: Number | None = None
    id: Text


class UserIn(Closed):
    name: NameIn
    address: AddressIn
    email: Text
    payment_methods: dict[str, MethodIn]
    orders: list[str]


class VariantIn(Closed):
    item_id: Text
    options: dict[str, str]
    available: bool
    price: Number


class ProductIn(Closed):
    name: Text
    product_id: Text
    variants: dict[str, VariantIn]


class ItemIn(Closed):
    name: Text
    product_id: Text
    item_id: Text
    price: Number
    options: dict[str, str]


class FulfilmentIn(Closed):
    tracking_id: list[str]
    item_ids: list[str]


class PaymentIn(Closed):
    transaction_type: Literal["payment", "refund"]
    amount: Number
    payment_method_id: Text


class OrderIn(Closed):
    order_id: Text
    user_id: Text
    address: AddressIn
    items: list[ItemIn]
    fulfillments: list[FulfilmentIn]
    status: Annotated[str, Field(pattern=f"^({'|'.join(map(re.escape, Order.Status.values))})$")]
    payment_history: list[PaymentIn]
    cancel_reason: Text | None = None
    return_items: list[str] | None = None
    return_payment_method_id: Text = ""
    exchange_items: list[str] | None = None
    exchange_new_items: list[str] | None = None
    exchange_payment_method_id: Text = ""
    exchange_price_difference: float | None = None


Row = TypeVar("Row", bound=Closed)


def read_file(path: Path, kind: type[Row]) -> dict[str, Row]:
    """The rows of one file by their ids."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return TypeAdapter(dict[str, kind]).validate_python(raw)  # type: ignore[valid-type]
    except OSError as error:
        raise StoreUnreadable(f"{path.name}: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise StoreUnreadable(f"{path.name}: {place}: {first['msg']}") from error
    except ValueError as error:
        raise StoreUnreadable(f"{path.name}: {error}") from error
