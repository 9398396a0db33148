"""R6's closed table: which reason for a refund without a return fits which state of order and shipment.

A pair that is not listed fits no reason. What the desk cannot see for itself (a parcel that the carrier says arrived,
one that is only late) is for a person.
"""

from enum import StrEnum


class Reason(StrEnum):
    NOT_RECEIVED = "not_received"
    DAMAGED = "damaged"
    WRONG_ITEM = "wrong_item"
    DEFECTIVE = "defective"
    LATE = "late"


class Fit(StrEnum):
    FITS = "fits"
    PERSON = "person"
    NO = "no"


# Shipment states as `orders` writes them; empty where an order has no shipment on record.
NONE, UNDERWAY, ARRIVED, LOST, SENT_BACK = "", "in_transit", "delivered", "lost", "returned_to_sender"

_ARRIVED = {("delivered", NONE): Fit.FITS, ("delivered", ARRIVED): Fit.FITS}
TABLE: dict[Reason, dict[tuple[str, str], Fit]] = {
    Reason.DAMAGED: _ARRIVED,
    Reason.WRONG_ITEM: _ARRIVED,
    Reason.DEFECTIVE: _ARRIVED,
    Reason.NOT_RECEIVED: {
        ("processed", LOST): Fit.FITS,
        ("processed", SENT_BACK): Fit.FITS,
        ("delivered", LOST): Fit.FITS,
        ("delivered", SENT_BACK): Fit.FITS,
        ("processed", UNDERWAY): Fit.PERSON,
        ("delivered", UNDERWAY): Fit.PERSON,
        ("delivered", NONE): Fit.PERSON,
        ("delivered", ARRIVED): Fit.PERSON,
    },
    Reason.LATE: {
        ("processed", UNDERWAY): Fit.PERSON,
        ("delivered", NONE): Fit.PERSON,
        ("delivered", ARRIVED): Fit.PERSON,
    },
}
# What can be counted from the day of delivery.
AFTER_DELIVERY = frozenset({Reason.DAMAGED, Reason.WRONG_ITEM, Reason.DEFECTIVE})


def fit(*, reason: str, order_status: str, shipment_status: str) -> Fit:
    """Whether the reason fits; an unknown one fits nothing."""
    if reason not in list(Reason):
        return Fit.NO
    return TABLE[Reason(reason)].get((order_status, shipment_status), Fit.NO)
