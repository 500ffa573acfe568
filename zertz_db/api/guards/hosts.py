"""Names and origins by which a server may be called.

A page of another site can make its own name mean this machine (DNS rebinding), and can send requests from its own origin.
A server that answers to its own names only, and to pages of its own only, is safe from both.
"""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""Names of this machine for itself."""
EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - compared, not listened on
"""Addresses that stand for all addresses of the machine."""


def is_loopback(address: str) -> bool:
    """Return whether a server that listens on this address is seen by its own machine only."""
    name = address.strip("[]")
    return name == "localhost" or (_is_number(name) and ip_address(name).is_loopback)


def list_host_names(address: str, more: Collection[str] = ()) -> tuple[str, ...]:
    """Return the names of a server that listens on this address, lower case and without ports: its own and `more`.

    >>> list_host_names("127.0.0.1", ["Club.example"])
    ('localhost', '127.0.0.1', '[::1]', 'club.example')
    """
    own = f"[{address}]" if ":" in address else address
    return tuple(dict.fromkeys([*LOOPBACK, own.lower(), *(name.lower() for name in more)]))


def find_refusal(host: str | None, origin: str | None, names: Collection[str]) -> str | None:
    """Return why a request with these headers (Host, Origin) is refused; None if it is not.

    names: the server's, as `names_of` returns them; none means any. A server on every address is also called by any address
    as a number: no other site's page has such a name. A request without an Origin does not come from a page's script.
    """
    if not names:
        return None
    name = _strip_port(host or "")
    if name not in names and not (_is_number(name) and any(f"{own}".strip("[]") in EVERY_ADDRESS for own in names)):
        return f"this server is called {' or '.join(names)}"
    if origin is not None and (host is None or _parse_authority(origin) != _parse_authority(f"//{host}")):
        return "a page of another origin may not ask this server"
    return None


def _strip_port(host: str) -> str:
    """Return the name in a Host header."""
    name, colon, port = host.rpartition(":")
    return (name if colon and (port.isdigit() or not port) else host).lower()


def _parse_authority(url: str) -> tuple[str | None, int | None] | None:
    """Return name and port of an address; a usual port counts as none. None if there is no name."""
    try:
        parts = urlsplit(url)
        name, port = parts.hostname, parts.port
    except ValueError:
        return None
    return (name, None if port in (80, 443) else port) if name else None


def _is_number(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
