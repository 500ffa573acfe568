"""Guards of the server against foreign hosts and origins, too many or endless requests, and large bodies."""
