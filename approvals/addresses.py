"""Who asks, as far as a network can tell: the address of a connection, told alike for HTTP and sockets.

What a client writes into its own headers counts for nothing: only as many entries of X-Forwarded-For as there are
proxies of the shop (`DESKAGENT_TRUSTED_PROXIES`) are read, from the right, where those proxies wrote them.
"""

import re
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from audit.redaction import sign

# One customer's line has a whole network of this size to write from.
IPV6_PREFIX = 64
UNKNOWN = "unknown"
# As some proxies write it: 192.0.2.1:4711 and [2001:db8::1]:4711.
WITH_PORT = re.compile(r"(?:\[(?P<six>[^\]]+)\]|(?P<four>[0-9.]+))(?::[0-9]{1,5})?")
# Longer than any address, so that a huge header is not read on.
LONGEST_ENTRY = 64


def address_of_request(request: HttpRequest) -> str:
    """The pseudonym of the address that sent this request; the address itself is kept nowhere."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    return pseudonym_of(find_client(request.META.get("REMOTE_ADDR", ""), forwarded))


def address_of_scope(scope: Mapping[str, Any]) -> str:
    """The same for an ASGI connection."""
    client = scope.get("client")
    named = [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == b"x-forwarded-for"]
    return pseudonym_of(find_client(client[0] if client else "", ",".join(named)))


def pseudonym_of(client: str) -> str:
    """The same 16 hex digits for an address in rows and counters; without the shop's key they name nobody."""
    return "address:" + sign("address\0" + client)[:16]


def find_client(peer: str, forwarded: str) -> str:
    """The nearest address that the shop's own proxies vouch for. An entry that is none ends the search."""
    client = _group(peer) or UNKNOWN
    proxies: int = settings.DESKAGENT_TRUSTED_PROXIES
    for entry in reversed(forwarded.split(",")[-proxies:] if proxies else []):
        found = _group(entry)
        if found is None:
            break
        client = found
    return client


def _group(entry: str) -> str | None:
    """The address in one spelling, an IPv6 one as its network; None for what is no address."""
    text = entry.strip()[:LONGEST_ENTRY]
    bare = WITH_PORT.fullmatch(text)
    if bare:
        text = bare["six"] or bare["four"]
    try:
        address: IPv4Address | IPv6Address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is None:
            return str(ip_network((address, IPV6_PREFIX), strict=False))
        address = address.ipv4_mapped
    return str(address)
