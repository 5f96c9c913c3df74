"""The data address of a machine: where MLX's ring waits for the data of a running model.

MLX neither encrypts nor authenticates these connections, so an address is always that of one chosen interface.
"""

from __future__ import annotations

import socket


def data_address(host: str) -> str:
    """A free port of the interface with the address `host`, as "host:port". Raises OSError."""
    with socket.socket() as one:
        one.bind((host, 0))
        return f"{host}:{one.getsockname()[1]}"
