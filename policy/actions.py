"""The closed list of changes that a customer can ask for. The tools that the model sees are generated from it."""

from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from policy.text import is_blank, is_one_line


def _not_blank(text: str) -> str:
    if is_blank(text):
        raise ValueError("must not be blank")
    return text


def _one_line(text: str) -> str:
    if not is_one_line(text):
        raise ValueError("must be one line of plain text")
    return text


def _listed_once(items: list[str]) -> list[str]:
    """Two of the same item cannot be told apart by their number, so a person has to take those."""
    if len(set(items)) != len(items):
        raise ValueError("an item is listed twice; several of the same item need a person")
    return items


OrderNumber = Annotated[
    str, Field(min_length=1, max_length=40, description="The order's number with its hash sign, like '#W0000000'.")
]
UserId = Annotated[str, Field(min_length=1, max_length=120, description="The user id, as a find tool returned it.")]
ItemIds = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=40)]],
    AfterValidator(_listed_once),
    Field(min_length=1, max_length=50, description="The item ids of the order, each listed once: all that change."),
]
NewItemIds = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=40)]],
    Field(
        min_length=1,
        max_length=50,
        description="The item ids to get instead, in the same order: each an available item of the same product.",
    ),
]
MethodId = Annotated[
    str, Field(min_length=1, max_length=60, description="The id of one of the customer's own payment methods.")
]
AddressLine = Annotated[str, AfterValidator(_not_blank), AfterValidator(_one_line), Field(max_length=200)]
ShortPart = Annotated[str, AfterValidator(_not_blank), AfterValidator(_one_line), Field(max_length=60)]


class ActionBase(BaseModel):
    """Strict and closed: a value of another type, or a field that is not listed, is a mistake of the caller."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    name: ClassVar[str]
    description: ClassVar[str]

    def arguments(self) -> dict[str, Any]:
        """The arguments as JSON values, in the order of the fields."""
        return self.model_dump(mode="json", by_alias=True)


class CancelPendingOrder(ActionBase):
    """Ends a pending order and refunds everything paid for it to where it came from."""

    name: ClassVar[str] = "cancel_pending_order"
    description: ClassVar[str] = (
        "Cancel an order that is still pending. The whole amount goes back to the payment method that paid: at once "
        "to a gift card, within 5 to 7 business days otherwise. Calling this shows the customer a card with the exact "
        "effect; nothing changes until they press Yes. Returns the order after the change."
    )

    order_id: OrderNumber
    reason: Literal["no longer needed", "ordered by mistake"] = Field(description="Why the customer cancels.")


class ModifyPendingOrderAddress(ActionBase):
    """Sends a pending order to another address."""

    name: ClassVar[str] = "modify_pending_order_address"
    description: ClassVar[str] = (
        "Change the shipping address of an order that is still pending. Calling this shows the customer a card; "
        "nothing changes until they press Yes. Returns the order after the change."
    )

    order_id: OrderNumber
    address1: AddressLine = Field(description="Street and number.")
    address2: Annotated[str, AfterValidator(_one_line)] = Field(
        max_length=200, description="Flat, suite or the like; may be empty."
    )
    city: ShortPart = Field(description="The city.")
    state: ShortPart = Field(description="The state, like 'CA'.")
    country: ShortPart = Field(description="The country, like 'USA'.")
    zip: Annotated[
        str, AfterValidator(_not_blank), AfterValidator(_one_line), Field(max_length=20, description="The zip code.")
    ]


class ModifyPendingOrderItems(ActionBase):
    """Swaps items of a pending order for other variants of the same products, once."""

    name: ClassVar[str] = "modify_pending_order_items"
    description: ClassVar[str] = (
        "Swap items of an order that is still pending for other items of the same product. This can be done only once "
        "for an order, so collect every item first; afterwards the order can neither be modified nor cancelled. The "
        "price difference is paid with, or goes back to, the payment method. Calling this shows the customer a card; "
        "nothing changes until they press Yes. Returns the order after the change."
    )

    order_id: OrderNumber
    item_ids: ItemIds
    new_item_ids: NewItemIds
    payment_method_id: MethodId


class ModifyPendingOrderPayment(ActionBase):
    """Pays a pending order with another of the customer's own payment methods."""

    name: ClassVar[str] = "modify_pending_order_payment"
    description: ClassVar[str] = (
        "Pay an order that is still pending with another payment method of the customer; the first one gets its money "
        "back. A gift card must cover the whole amount. Calling this shows the customer a card; nothing changes until "
        "they press Yes. Returns the order after the change."
    )

    order_id: OrderNumber
    payment_method_id: MethodId


class ModifyUserAddress(ActionBase):
    """Changes the customer's default address."""

    name: ClassVar[str] = "modify_user_address"
    description: ClassVar[str] = (
        "Change the default address of the customer's account; orders keep theirs. Calling this shows the customer a "
        "card; nothing changes until they press Yes. Returns the profile after the change."
    )

    user_id: UserId
    address1: AddressLine = Field(description="Street and number.")
    address2: Annotated[str, AfterValidator(_one_line)] = Field(
        max_length=200, description="Flat, suite or the like; may be empty."
    )
    city: ShortPart = Field(description="The city.")
    state: ShortPart = Field(description="The state, like 'CA'.")
    country: ShortPart = Field(description="The country, like 'USA'.")
    zip: Annotated[
        str, AfterValidator(_not_blank), AfterValidator(_one_line), Field(max_length=20, description="The zip code.")
    ]


class ReturnDeliveredOrderItems(ActionBase):
    """Takes items of a delivered order back, once an order."""

    name: ClassVar[str] = "return_delivered_order_items"
    description: ClassVar[str] = (
        "Return items of a delivered order. An order can be returned or exchanged only once, so collect every item "
        "first. The money goes to the payment method that paid, or to a gift card of the customer. Calling this shows "
        "the customer a card; nothing changes until they press Yes. Returns the order after the change."
    )

    order_id: OrderNumber
    item_ids: ItemIds
    payment_method_id: MethodId


class ExchangeDeliveredOrderItems(ActionBase):
    """Exchanges items of a delivered order for other variants of the same products, once an order."""

    name: ClassVar[str] = "exchange_delivered_order_items"
    description: ClassVar[str] = (
        "Exchange items of a delivered order for other items of the same product. An order can be returned or "
        "exchanged only once, so collect every item first. The price difference is paid with, or goes back to, the "
        "payment method. Calling this shows the customer a card; nothing changes until they press Yes. Returns the "
        "order after the change."
    )

    order_id: OrderNumber
    item_ids: ItemIds
    new_item_ids: NewItemIds
    payment_method_id: MethodId


class IssueRefund(ActionBase):
    """Gives back what was paid for items that came damaged, wrong, late or never; the customer sends nothing back."""

    name: ClassVar[str] = "issue_refund"
    description: ClassVar[str] = (
        "Refund items of an order that arrived damaged, wrong, defective or late, or never arrived; nothing has to be "
        "sent back. The shop's software computes the amount from the order, and the money goes to where it came from. "
        "Collect every item first. Calling this shows the customer a card; nothing changes until they press Yes. "
        "Returns the order after the change."
    )

    order_id: OrderNumber
    item_ids: ItemIds
    reason_code: Literal["not_received", "damaged", "wrong_item", "defective", "late"] = Field(
        description="What was wrong with these items, as the customer says it."
    )


class ResendReceipt(ActionBase):
    """Sends an order's receipt once more, to the address on file and to no other."""

    name: ClassVar[str] = "resend_receipt"
    description: ClassVar[str] = (
        "Send the receipt of an order again by e-mail, to the address on file; no other address is possible. It is "
        "done at once, without a card."
    )

    order_id: OrderNumber


class UpdatePreference(ActionBase):
    """Switches one of the customer's wishes about messages on or off."""

    name: ClassVar[str] = "update_preference"
    description: ClassVar[str] = (
        "Switch one of the customer's message preferences on or off. It is done at once, without a card."
    )

    # The tool calls it `name`, which on the class is the action's own.
    preference: Literal["newsletter", "delivery_updates", "review_requests"] = Field(
        alias="name", description="Which messages it is about."
    )
    value: Literal["on", "off"] = Field(description="Whether the customer wants them.")


# Whoever handles an action ends its `match` in `assert_never`: a new member fails the type check until it is handled.
Action = (
    CancelPendingOrder
    | ModifyPendingOrderAddress
    | ModifyPendingOrderItems
    | ModifyPendingOrderPayment
    | ModifyUserAddress
    | ReturnDeliveredOrderItems
    | ExchangeDeliveredOrderItems
    | IssueRefund
    | ResendReceipt
    | UpdatePreference
)

ACTIONS: dict[str, type[Action]] = {kind.name: kind for kind in get_args(Action)}
