"""Digests of models on this machine, and the deletion of models that Hearth downloaded."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from msgspec.structs import replace

from app.base import paths
from app.base.ports import NoticeSink
from app.hub import removal, verification
from app.hub.downloads import Downloads as WindowDownloads
from app.hub.downloads import FetchProcess
from app.hub.errors import DownloadInUse, NotDownloaded
from app.hub.fetch.staging import ModelPlace, sweep
from app.hub.verification import MISSING, UNREADABLE, WRONG, DamagedFiles, Verdict
from app.models import download_record
from app.models.download_record import NAME
from storage.library.library import Library
from tests.fakes.hub.downloads import FETCHED, REPOSITORY, Downloads, model_files
from tests.fakes.hub.repository import HubFile
from tests.fakes.hub.server import Hub
from tests.fakes.tasks import InlineTasks
from ui.intents.notice import Notice


@pytest.fixture
def downloads(hub: Hub, tmp_path: Path) -> Downloads:
    """One downloaded model."""
    hub.add(REPOSITORY, model_files())
    downloads = Downloads(hub, tmp_path / "models")
    downloads.fetch()
    return downloads


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    """The same model in a Hugging Face cache."""
    home = tmp_path / "hub" / "models--mlx-community--Tiny-4bit"
    folder = home / "snapshots" / ("0" * 40)
    folder.mkdir(parents=True)
    (home / "blobs").mkdir()
    for path in ("config.json", "model.safetensors"):
        file = HubFile(path, model_files()[path])
        (home / "blobs" / file.etag).write_bytes(file.data)
        (folder / path).symlink_to(f"../../blobs/{file.etag}")
    return folder


def test_an_undamaged_download_is_intact(downloads: Downloads) -> None:
    """Every fetched file is compared."""
    assert verification.verify(downloads.folder, "x") == Verdict("x", str(downloads.folder), len(FETCHED))


def test_each_damage_is_named(downloads: Downloads) -> None:
    """A changed byte in a large and in a small file, a shorter file, a missing one, one that is a folder."""
    folder = downloads.folder
    weights = folder / "model.safetensors"
    weights.write_bytes(b"?" + weights.read_bytes()[1:])
    (folder / "config.json").write_bytes(b'{"model_type": "llama", "seed": 2}')
    (folder / "tokenizer.json").write_bytes(b"")
    (folder / "LICENSE").unlink()
    (folder / "merges.txt").unlink()
    (folder / "merges.txt").mkdir()
    assert verification.verify(folder, "x").damaged == (
        DamagedFiles("LICENSE", MISSING),
        DamagedFiles("config.json", WRONG),
        DamagedFiles("merges.txt", "it is not a regular file"),
        DamagedFiles("tokenizer.json", WRONG),
        DamagedFiles("model.safetensors", WRONG),
    )


@pytest.mark.parametrize("name", ["/etc/passwd", "../other/config.json", "a/../../x", "..", "", "a\n/../../x"])
def test_a_record_names_only_files_of_its_folder(downloads: Downloads, name: str) -> None:
    """The folder may come from anyone: nothing outside of it is read."""
    record = download_record.of(downloads.folder)
    assert record is not None
    (downloads.folder / NAME).unlink()
    download_record.write(downloads.folder, replace(record, files=(replace(record.files[0], path=name),)))
    assert verification.verify(downloads.folder, "x").damaged == (DamagedFiles(NAME, UNREADABLE),)


def test_the_cache_names_its_digests_itself(snapshot: Path) -> None:
    """By sha256 and by git's digest; a broken link is a missing file."""
    assert verification.verify(snapshot, "x") == Verdict("x", str(snapshot), 2)
    config, weights = (snapshot / "config.json"), (snapshot / "model.safetensors")
    config.write_bytes(b"{}")
    weights.resolve().unlink()
    assert verification.verify(snapshot, "x").damaged == (
        DamagedFiles("config.json", WRONG),
        DamagedFiles("model.safetensors", MISSING),
    )


def test_a_model_without_digests_is_told(tmp_path: Path) -> None:
    """It is neither intact nor damaged."""
    (tmp_path / "Mine").mkdir()
    assert not verification.is_verifiable(tmp_path / "Mine")
    with pytest.raises(NotDownloaded) as caught:
        verification.verify(tmp_path / "Mine", "Mine")
    assert str(caught.value) == "Hearth knows no digests of Mine, because it did not download it."


def test_a_removed_model_is_gone_with_its_empty_publisher(downloads: Downloads) -> None:
    """Other models of the publisher stay."""
    downloads.hub.add("mlx-community/Other", model_files())
    downloads.fetch(repository="mlx-community/Other")
    removal.remove(downloads.models, downloads.folder)
    assert not downloads.folder.exists()
    removal.remove(downloads.models, downloads.models / "mlx-community" / "Other")
    assert [path.name for path in downloads.models.iterdir()] == [".partial"]
    assert downloads.leftovers() == []


def test_a_crash_in_a_removal_leaves_no_half_of_a_model(downloads: Downloads, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder has another name before its first file is deleted; the next start deletes the rest."""
    with monkeypatch.context() as patched:
        patched.setattr(os, "unlink", _killed)
        with pytest.raises(KeyboardInterrupt):
            removal.remove(downloads.models, downloads.folder)
    assert not downloads.folder.exists()
    assert len(downloads.leftovers()) == 1
    sweep(downloads.models)
    assert downloads.leftovers() == []


def _killed(*_values: object, **_options: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "place", ["models/mine/model", "elsewhere/mine/model", "models/model", "models/From other Macs/model"]
)
def test_only_downloads_of_hearth_are_deleted(tmp_path: Path, place: str) -> None:
    """A folder of the user stays, wherever it is."""
    folder = tmp_path / place
    folder.mkdir(parents=True)
    (folder / "config.json").write_bytes(b"{}")
    with pytest.raises(NotDownloaded, match="Hearth did not download model, so it does not delete it"):
        removal.remove(tmp_path / "models", folder)
    assert (folder / "config.json").exists()


def test_a_link_to_a_download_is_not_deleted(downloads: Downloads, tmp_path: Path) -> None:
    """The user has moved the model to a larger disk: what the link leads to is theirs, and the model stays listed."""
    downloads.folder.rename(tmp_path / "moved")
    downloads.folder.symlink_to(tmp_path / "moved")
    with pytest.raises(NotDownloaded):
        removal.remove(downloads.models, downloads.folder)
    assert (downloads.folder / "config.json").exists()


def test_a_model_that_is_being_fetched_is_not_deleted(downloads: Downloads) -> None:
    """Its lock is held."""
    with ModelPlace(downloads.models, REPOSITORY).lock(), pytest.raises(DownloadInUse):
        removal.remove(downloads.models, downloads.folder)
    assert downloads.folder.exists()


def test_the_window_deletes_no_model_of_the_chats(downloads: Downloads) -> None:
    """It says what to do first. Any other is deleted, and the list is read again."""
    library = Library.in_memory()
    notices: list[Notice] = []
    wanted = [str(downloads.folder)]
    places = paths.under(downloads.models.parent)
    sink = SimpleNamespace(show_notice=notices.append)
    window = WindowDownloads(places, InlineTasks(library), FetchProcess(), cast("NoticeSink", sink))
    gone: list[bool] = []

    def remove() -> None:
        window.remove(str(downloads.folder), wanted[0], lambda: gone.append(True))

    remove()
    assert [notice.text for notice in notices] == [
        "Your chats use Tiny · 4-bit. Pick another model first, then remove this one."
    ]
    assert downloads.folder.exists()
    wanted[0] = "another"
    remove()
    assert not downloads.folder.exists()
    assert gone == [True]
    remove()
    assert [notice.text for notice in notices[1:]] == [
        "Hearth did not download Tiny · 4-bit, so it does not delete it."
    ]
    library.close()
