"""Numbers of a policy in texts: `{{ policy.refunds.window_days }}` in an article or a prompt."""

import re

from policy.limits import Limits

PLACEHOLDER = re.compile(r"\{\{\s*policy\.([\w.]+)\s*\}\}")


class UnknownNumber(ValueError):
    """The text names a number that no policy has; tell the author which."""


def fill_in(text: str, limits: Limits) -> str:
    """The text with this policy's numbers. Raises `UnknownNumber`."""
    numbers = limits.as_data()
    return PLACEHOLDER.sub(lambda found: _say(numbers, found[1]), text)


def _say(numbers: object, path: str) -> str:
    value = numbers
    for name in path.split("."):
        if not isinstance(value, dict) or name not in value:
            raise UnknownNumber(f"the policy has no number {path!r}")
        value = value[name]
    if isinstance(value, dict | list):
        raise UnknownNumber(f"{path!r} is a group of the policy, not a number")
    return "no limit" if value is None else str(value)
