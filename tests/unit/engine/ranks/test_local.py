"""The data addresses of ranks on this machine."""

from __future__ import annotations

import json
import socket
from typing import TYPE_CHECKING

from engine.ranks.local import write_addresses

if TYPE_CHECKING:
    from pathlib import Path


def test_each_rank_gets_a_free_port_of_its_own(tmp_path: Path) -> None:
    """Of the loopback interface, which no other machine reaches."""
    file = tmp_path / "ranks.json"
    write_addresses(file, 4)
    addresses = [one.rsplit(":", 1) for [one] in json.loads(file.read_text("utf-8"))]
    assert {host for host, _ in addresses} == {"127.0.0.1"}
    assert len({port for _, port in addresses}) == 4
    for host, port in addresses:
        with socket.socket() as taken:
            taken.bind((host, int(port)))
