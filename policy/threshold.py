"""Where an automatic decision costs as much as a person's look at it: the method behind the limit of rule R4."""

from dataclasses import dataclass
from decimal import Decimal


class NoBreakEven(ValueError):
    """The numbers have no break-even limit; the message says which of them and why."""


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """`amount`: refunds up to it are cheaper decided by the desk, above it by a person. In the review's currency."""

    review_cost: Decimal
    mistake_share: Decimal
    amount: Decimal

    def expected_loss(self, refund: Decimal) -> Decimal:
        """What deciding one refund of this size without a person loses on average."""
        return refund * self.mistake_share


def find_threshold(*, review_cost: Decimal, mistake_share: Decimal) -> Threshold:
    """The refund whose expected loss equals one review: cost of the review over the share of mistakes.

    Source: the sizing note of the third design document (a review of 1, one mistake in 200: 200).
    """
    if not mistake_share.is_finite() or not 0 < mistake_share <= 1:
        raise NoBreakEven("the share of mistakes must be above 0 and at most 1; without mistakes no review ever pays")
    if not review_cost.is_finite() or review_cost < 0:
        raise NoBreakEven("the cost of a review must be an amount of 0 or more")
    return Threshold(review_cost=review_cost, mistake_share=mistake_share, amount=review_cost / mistake_share)
