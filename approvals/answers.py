"""What the model is told when an action did not run. The wording is stable: prompts and the offline model read it."""

NOTHING = "Nothing was changed."
CUSTOMER_SAID_NO = f"Not run: the customer said no. {NOTHING}"
CUSTOMER_SAID_ELSE = f"Not run: the customer answered with something else, so the card was closed. {NOTHING}"
EXPIRED = f"Not run: the card expired before the customer answered. {NOTHING}"
REVIEW_EXPIRED = f"Not run: nobody decided in time, so the request expired. {NOTHING}"
STALE = f"Not run: the order changed in the meantime. {NOTHING}"
ONE_AT_A_TIME = f"Not run: one action at a time. {NOTHING} Ask again once the open one has ended."
PERSON_TOOK_OVER = f"Not run: a person took over. {NOTHING}"


def declined_by_staff(note: str) -> str:
    return f"Not run: declined by a member of staff. {NOTHING}" + (f" Note: {note}" if note else "")


def policy_refusal(rule: str, reason: str) -> str:
    return f"Policy: {rule} {reason}"
