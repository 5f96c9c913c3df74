"""The files of groups: each engine finds its own, and none stays behind."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from app.base.paths import Paths
from app.base.settings import ModelSettings
from app.engine_client.hosting import MacGroup
from app.macs.errors import MacMissing
from app.macs.groups import Groups
from app.macs.roster import Mac, workers
from engine.workers.group_file import GroupFile
from tests.fakes.macs import paired_mac

STUDIO = paired_mac("studio", "10.0.0.2:42517")
MINI = paired_mac("mini", "10.0.0.3:42517")


@pytest.fixture
def groups(places: Paths, tmp_path: Path) -> Groups:
    """Two Macs are paired."""
    for mac in (STUDIO, MINI):
        workers(places).add(mac)
    return Groups(places, tmp_path)


def on(*macs: Mac) -> ModelSettings:
    return ModelSettings(macs=tuple(mac.fingerprint for mac in macs))


def file_of(group: MacGroup | None) -> Path:
    assert group is not None
    return Path(group.arguments[1])


def test_only_the_newest_group_has_a_file(groups: Groups, tmp_path: Path) -> None:
    """Otherwise each change of a setting would leave one for good. One of an app that was killed is removed, too."""
    (tmp_path / "group-0123456789abcdef.json").write_text("{}")
    first = groups.form("Tiny", on(STUDIO))
    assert [*tmp_path.iterdir()] == [file_of(first)]
    second = groups.form("Tiny", on(STUDIO, MINI))
    assert [*tmp_path.iterdir()] == [file_of(second)]
    assert [one.name for one in GroupFile.read(file_of(second)).workers] == ["studio", "mini"]


def test_a_group_that_ends_leaves_no_file(groups: Groups, tmp_path: Path) -> None:
    """A model of this Mac alone takes its place, or the app closes."""
    for end in (partial(groups.form, "Tiny", ModelSettings()), groups.end):
        groups.form("Tiny", on(STUDIO))
        end()
        assert not [*tmp_path.iterdir()]


def test_no_group_is_formed_of_a_part_of_its_macs(groups: Groups, places: Paths) -> None:
    """The model may not fit on the others. The sentence names it."""
    workers(places).remove(MINI.fingerprint)
    with pytest.raises(MacMissing, match="Tiny runs on this Mac alone"):
        groups.form("Tiny", on(STUDIO, MINI))
