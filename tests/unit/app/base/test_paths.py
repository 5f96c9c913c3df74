"""The folders of Hearth, and their permissions."""

from __future__ import annotations

import errno
import os
import resource
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.base import paths
from app.base.errors import FolderRefused
from app.base.paths import Paths


def test_home_holds_everything(home: Path, places: Paths) -> None:
    """HEARTH_HOME moves all data; nothing is outside it."""
    assert all(
        place.is_relative_to(home)
        for place in (places.library_file, places.segments, places.logs, places.models, places.settings)
    )


def test_without_home_the_platform_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default the data is in the platform's folder, under Hearth's name."""
    monkeypatch.delenv("HEARTH_HOME")
    assert paths.find().data.name == "Hearth"


def test_folders_are_for_the_owner_alone(places: Paths) -> None:
    """No other user of the machine can list or read conversations."""
    for folder in (places.data, places.library, places.segments, places.logs, places.models):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_so_are_those_that_lead_there(tmp_path: Path) -> None:
    """Missing parent folders of the home are private too, whatever the umask."""
    before = os.umask(0)
    try:
        paths.prepare(paths.under(tmp_path / "on" / "the" / "way"))
    finally:
        os.umask(before)
    assert {folder.stat().st_mode & 0o777 for folder in tmp_path.rglob("*")} == {0o700}


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    """A file in place of the home is reported in one sentence."""
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderRefused, match="cannot use the folder"):
        paths.prepare(paths.under(tmp_path / "file" / "home"))


def test_a_home_whose_path_is_too_long_is_reported(tmp_path: Path) -> None:
    """SQLite could not open its files, and would say that their disk is gone."""
    home = tmp_path.joinpath(*["x" * 200] * 2, "y" * (500 - len(str(tmp_path)) - 403))
    with pytest.raises(FolderRefused, match="its path is too long"):
        paths.prepare(paths.under(home))


@pytest.mark.parametrize("name", ["segments", "logs", "models"])
def test_a_missing_cache_log_or_model_folder_does_not_prevent_a_start(places: Paths, name: str) -> None:
    """If caches, logs or models are links to a missing disk, the chats can still be used."""
    folder = places.data / name
    folder.rmdir()
    folder.symlink_to("/nowhere/at/all")
    paths.prepare(places)
    assert folder.is_symlink()


def test_a_folder_to_which_a_link_leads_keeps_its_mode(tmp_path: Path) -> None:
    """Hearth did not make it, and others may use it."""
    (mine := tmp_path / "mine").mkdir()
    mine.chmod(0o755)
    (tmp_path / "home").mkdir()
    for name in ("library", "segments", "logs", "models"):
        (tmp_path / "home" / name).symlink_to(mine)
    (tmp_path / "link").symlink_to(tmp_path / "home")
    paths.prepare(paths.under(tmp_path / "link"))
    assert mine.stat().st_mode & 0o777 == 0o755


def test_a_home_that_cannot_be_entered_is_reported(places: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a folder cannot even be listed, that is reported in one sentence too."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "stat", refuse)
    with pytest.raises(FolderRefused, match="Permission denied"):
        paths.prepare(places)


def test_a_temporary_folder_is_gone_after_its_use() -> None:
    """With what is in it."""
    with paths.temporary("use-") as folder:
        assert folder.name.startswith("hearth-use-")
        (folder / "file").touch()
    assert not folder.exists()


@pytest.fixture
def _no_file_grows(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As after `ulimit -f 0`, in a process that has made no temporary file yet."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    monkeypatch.setattr(tempfile, "tempdir", None)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("_no_file_grows")
def test_where_no_temporary_file_can_be_written_one_sentence_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python tries several folders and loses the reason."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with pytest.raises(FolderRefused) as refused, paths.temporary():
        pass
    assert str(refused.value) == (
        f"Hearth cannot write to the folder {tmp_path}: the system lets it write no larger file (see ulimit -f)."
    )
