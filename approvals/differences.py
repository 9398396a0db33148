"""What staff are told of a request whose facts changed: the card that was agreed to against the card of now."""

from typing import Any

from policy.money import spoken, to_minor

LONGEST = 400
Card = dict[str, Any]


def describe_differences(then: Card, now: Card) -> str:
    """The order's part that changed, in words: lines, amount, currency or where the money goes."""
    found = [*_compare_lines(then["lines"], now["lines"], then["currency"], now["currency"])]
    if (then["amount"], then["currency"]) != (now["amount"], now["currency"]):
        found.append(f"the amount is now {_money(now)}, it was {_money(then)}")
    if then["destination"] != now["destination"]:
        found.append(f"the destination is now {now['destination'] or 'nowhere'}, it was {then['destination']}")
    if then["title"] != now["title"]:
        found.append(f"it is now “{now['title']}”")
    words = "; ".join(found)
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"


def _compare_lines(then: list[Card], now: list[Card], before: str, after: str) -> list[str]:
    old, new = [_line(line, before) for line in then], [_line(line, after) for line in now]
    gone, come = [line for line in old if line not in new], [line for line in new if line not in old]
    if len(gone) == len(come):
        return [f"{fresh} was {stale}" for stale, fresh in zip(gone, come, strict=True)]
    return [*(f"{line} is gone" for line in gone), *(f"{line} is new" for line in come)]


def _line(line: Card, currency: str) -> str:
    words = " ".join(filter(None, (line["label"], f"({line['detail']})" if line.get("detail") else "")))
    return f"{words} at {spoken(to_minor(line['amount']), currency)}" if "amount" in line else words


def _money(card: Card) -> str:
    return spoken(to_minor(card["amount"]), card["currency"])
