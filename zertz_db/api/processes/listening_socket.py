"""Open the socket of a server."""

from __future__ import annotations

import errno
import socket

from zertz_db.api.guards.limits import MAX_CONNECTIONS
from zertz_db.errors import BrokenEnvironment


class AddressInUse(BrokenEnvironment):
    """Another program listens at this address."""


def open_listener(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address. AddressInUse; OSError for an address of another machine."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=MAX_CONNECTIONS)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise AddressInUse(f"port {port} of {host} is taken") from error
        raise
