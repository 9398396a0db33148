"""The closed list of changes that a customer can ask for. The tools that the model sees are generated from it."""

from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

OrderNumber = Field(min_length=1, max_length=40, description="The order's number with its hash sign, like '#W0000000'.")


class ActionBase(BaseModel):
    """Strict and closed: a value of another type, or a field that is not listed, is a mistake of the caller."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    name: ClassVar[str]
    description: ClassVar[str]

    def arguments(self) -> dict[str, Any]:
        """The arguments as JSON values, in the order of the fields."""
        return self.model_dump(mode="json")


class CancelPendingOrder(ActionBase):
    """Ends a pending order and refunds everything paid for it to where it came from."""

    name: ClassVar[str] = "cancel_pending_order"
    description: ClassVar[str] = (
        "Cancel an order that is still pending. The whole amount goes back to the payment method that paid: at once "
        "to a gift card, within 5 to 7 business days otherwise. Calling this shows the customer a card with the exact "
        "effect; nothing changes until they press Yes. Returns the order after the change."
    )

    order_id: str = OrderNumber
    reason: Literal["no longer needed", "ordered by mistake"] = Field(description="Why the customer cancels.")


# One member so far; `match` over it ends in `assert_never`, so a new member fails the type check until it is handled.
Action = CancelPendingOrder

ACTIONS: dict[str, type[Action]] = {kind.name: kind for kind in (CancelPendingOrder,)}
