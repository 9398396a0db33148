"""The shape of the shop's export files, checked before a row is written."""

import re
from typing import Annotated, Any, Literal, Self

from django.db.models import Model
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from orders.models import Customer, Line, Order, PaymentMethod, Product, Variant
from orders.wire import read_wire

# Positions are small integers on both engines.
LONGEST_LIST = 32_767


class StoreUnreadable(Exception):
    """The folder is no shop: the message names file and place. Nothing was changed."""


def fits(model: type[Model], column: str, *, shortest: int = 0) -> Any:
    """A text that the column can hold: SQLite would take a longer one, PostgreSQL would not."""
    longest = next(field.max_length for field in model._meta.fields if field.name == column)
    return Field(min_length=shortest, max_length=longest)


def _check_amount(number: int | float) -> int | float:
    read_wire(number)
    return number


def _check_email(email: str) -> str:
    longest = Customer._meta.get_field("email_key").max_length or 0
    # One letter of another alphabet may become two in lower case.
    if len(email.lower()) > longest:
        raise ValueError("too long in lower case")
    return email


Number = Annotated[int | float, Field(ge=0, le=10_000_000), AfterValidator(_check_amount)]
Many = Field(max_length=LONGEST_LIST)


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NameIn(Closed):
    first_name: Annotated[str, fits(Customer, "first_name")]
    last_name: Annotated[str, fits(Customer, "last_name")]


class AddressIn(Closed):
    address1: Annotated[str, fits(Customer, "address1")]
    address2: Annotated[str, fits(Customer, "address2")]
    city: Annotated[str, fits(Customer, "city")]
    country: Annotated[str, fits(Customer, "country")]
    state: Annotated[str, fits(Customer, "state")]
    zip: Annotated[str, fits(Customer, "zip")]


class MethodIn(Closed):
    """A field that its source does not have is refused, so the export gives back exactly what came in."""

    source: Literal["credit_card", "paypal", "gift_card"]
    brand: Annotated[str, fits(PaymentMethod, "brand")] = ""
    last_four: Annotated[str, Field(pattern="^[0-9]{4}$")] = ""
    balance: Number = 0
    id: Annotated[str, fits(PaymentMethod, "method_id", shortest=1)]

    @model_validator(mode="after")
    def _has_the_fields_of_its_source(self) -> Self:
        wanted = {"credit_card": {"brand", "last_four"}, "paypal": set(), "gift_card": {"balance"}}[self.source]
        if wrong := sorted((self.model_fields_set - {"source", "id"}) ^ wanted):
            missing = wrong[0] in wanted
            raise ValueError(f"a {self.source} has {'a' if missing else 'no'} {wrong[0]}")
        return self


class UserIn(Closed):
    name: NameIn
    address: AddressIn
    email: Annotated[str, fits(Customer, "email"), AfterValidator(_check_email)]
    payment_methods: Annotated[dict[str, MethodIn], Many]
    orders: Annotated[list[str], Many]
    # Beyond the public form, and in none of its hashes.
    vip: bool = False


class VariantIn(Closed):
    item_id: Annotated[str, fits(Variant, "item_id", shortest=1)]
    options: dict[str, str]
    available: bool
    price: Number


class ProductIn(Closed):
    name: Annotated[str, fits(Product, "name")]
    product_id: Annotated[str, fits(Product, "product_id", shortest=1)]
    variants: Annotated[dict[str, VariantIn], Many]


class ItemIn(Closed):
    name: Annotated[str, fits(Line, "name")]
    product_id: str
    item_id: str
    price: Number
    options: dict[str, str]


class FulfilmentIn(Closed):
    tracking_id: list[str]
    item_ids: list[str]


class PaymentIn(Closed):
    transaction_type: Literal["payment", "refund"]
    amount: Number
    payment_method_id: str


class OrderIn(Closed):
    order_id: Annotated[str, fits(Order, "number", shortest=1)]
    user_id: str
    address: AddressIn
    items: Annotated[list[ItemIn], Many]
    fulfillments: Annotated[list[FulfilmentIn], Many]
    status: Annotated[str, Field(pattern=f"^({'|'.join(map(re.escape, Order.Status.values))})$")]
    payment_history: Annotated[list[PaymentIn], Many]
    cancel_reason: Annotated[str, fits(Order, "cancel_reason", shortest=1)] = ""
    return_items: Annotated[list[str], Many] | None = None
    return_payment_method_id: Annotated[str, fits(Order, "return_method", shortest=1)] = ""
    exchange_items: Annotated[list[str], Many] | None = None
    exchange_new_items: Annotated[list[str], Many] | None = None
    exchange_payment_method_id: Annotated[str, fits(Order, "exchange_method", shortest=1)] = ""
    exchange_price_difference: float | None = None
