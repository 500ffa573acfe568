"""The socket on which a server listens."""

from __future__ import annotations

import errno
import socket

from zertz_db.api.guards.limits import MAX_CONNECTIONS
from zertz_db.errors import BrokenEnvironment


class AddressInUse(BrokenEnvironment):
    """Another program listens there already."""


def open_listener(host: str, port: int) -> socket.socket:
    """A socket that listens there. AddressTaken; OSError for an address that is not this machine's."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=MAX_CONNECTIONS)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise AddressInUse(f"port {port} of {host} is taken") from error
        raise
