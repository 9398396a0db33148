"""How often somebody at one address leaves a trace in the help center: reading it is free of any limit."""

from django.http import HttpRequest

from approvals.addresses import address_of_request
from approvals.limits import HELP_ADDRESS, SlowDown, take


def has_room(request: HttpRequest) -> bool:
    """Counts one search or vote; whether it may still be kept."""
    try:
        take((HELP_ADDRESS, address_of_request(request)))
    except SlowDown:
        return False
    return True
