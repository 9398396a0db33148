"""What the model is told when an action did not run. The wording is stable: prompts and the offline model read it."""

import re

from policy.actions import Action
from policy.spoken import describe

NOTHING = "Nothing was changed."
# No proof and no other argument changes what these rules say; R0 is what could not be checked.
FINAL = frozenset({"R0", "R5", "R6", "R7", "R8"})
_REFUSAL = re.compile(r"Policy: (R\d{1,2}) (.*)", re.DOTALL)
CUSTOMER_SAID_NO = f"Not run: the customer said no. {NOTHING}"
CUSTOMER_SAID_ELSE = f"Not run: the customer answered with something else, so the card was closed. {NOTHING}"
EXPIRED = f"Not run: the card expired before the customer answered. {NOTHING}"
REVIEW_EXPIRED = f"Not run: nobody decided in time, so the request expired. {NOTHING}"
STALE = f"Not run: the order changed in the meantime. {NOTHING}"
CORRECTED = f"Not run: a member of staff reduced it, and the customer is asked anew. {NOTHING}"
ONE_AT_A_TIME = f"Not run: one action at a time. {NOTHING} Ask again once the open one has ended."
PERSON_TOOK_OVER = f"Not run: a person took over. {NOTHING}"
SHADOWED = f"Not run: a person does exactly this instead, and tells the customer. {NOTHING}"

PROCESSING = "Being processed: {title}. The order is changed. The payment service has not confirmed {what} yet."
PROCESSING += " Tell the customer that it is being processed; do not say that the money is back, and do not ask again."
NOT_PAID = "Done in part: {title}. The order is changed, but the payment service refused {what}."
NOT_PAID += " A person takes care of the money."


def processing(title: str, what: str) -> str:
    """What goes back is on its way, or nobody knows; never a guess."""
    return PROCESSING.format(title=title, what=what)


def not_paid(title: str, what: str) -> str:
    return NOT_PAID.format(title=title, what=what)


def declined_by_staff(note: str) -> str:
    return f"Not run: declined by a member of staff. {NOTHING}" + (f" Note: {note}" if note else "")


def ask_first(action: Action) -> str:
    """What the model does where a yes is spoken instead of given to a card."""
    return (
        f"The customer has not said yes to this. In one message name {describe(action)} with every detail of it, ask "
        "whether to go ahead, and call this only once they answered with a plain yes."
    )


def policy_refusal(rule: str, reason: str) -> str:
    return f"Policy: {rule} {reason}"


def read_refusal(text: str) -> tuple[str, str] | None:
    """Rule and reason of a policy's refusal as the model was told it; None for every other answer."""
    found = _REFUSAL.fullmatch(text)
    return (found[1], found[2]) if found else None
