"""The file with the addresses of a group's ranks."""

from __future__ import annotations

import json
from pathlib import Path

from engine.ranks.remote import start_followers
from engine.workers.group_file import GroupFile


def test_a_link_in_the_place_of_the_addresses_is_replaced(tmp_path: Path) -> None:
    """The file to which it leads is the user's."""
    (mine := tmp_path / "mine").write_text("precious")
    (addresses := tmp_path / "ranks.json").symlink_to(mine)
    start_followers(GroupFile(str(tmp_path / "own"), "pipeline", (), data="127.0.0.1"), addresses)
    assert mine.read_text() == "precious"
    assert len(json.loads(addresses.read_text())) == 1
