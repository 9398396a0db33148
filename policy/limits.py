"""The numbers of one policy version, as one frozen type."""

from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_validator

from policy.money import to_minor

Amount = Annotated[Decimal, Field(ge=0, le=Decimal(10_000_000), decimal_places=2)]


class Limits(BaseModel):
    """Every limit means "greater than": the equal amount passes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")]
    # Money back to the customer above this waits for a person (R4).
    person_above: Amount
    # Whether changing the payment method counts as giving the whole amount back (R4).
    payment_change_counts: bool = False

    @field_validator("person_above", mode="before")
    @classmethod
    def _written_as_text(cls, value: object) -> object:
        if not isinstance(value, str | Decimal):
            raise ValueError('write amounts as text, like "1000.00": a JSON number is a float')
        return value

    @property
    def person_above_minor(self) -> int:
        return to_minor(self.person_above)
