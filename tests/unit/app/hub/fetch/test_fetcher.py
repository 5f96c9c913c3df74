"""A download from the loopback hub: what is fetched, what is checked, and what continues."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.hub.errors import HubError
from app.hub.fetch import manifest
from app.hub.fetch.progress import Started
from tests.fakes.hub.downloads import FETCHED, REPOSITORY, Downloads, model_files
from tests.fakes.hub.faults import Fault

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fakes.hub.repository import Repository
    from tests.fakes.hub.server import Hub


@pytest.fixture
def repository(hub: Hub) -> Repository:
    """A model on the hub."""
    return hub.add(REPOSITORY, model_files(), card={"license": "mit"})


@pytest.fixture
def downloads(hub: Hub, repository: Repository, tmp_path: Path) -> Downloads:
    """Downloads of it."""
    assert repository.branches
    return Downloads(hub, tmp_path / "models")


def test_a_download_has_the_wanted_files_and_no_other(downloads: Downloads, repository: Repository) -> None:
    """Weights, JSON, templates, tokenizer, licence and card come; code and pickles are never asked for."""
    done = downloads.fetch()
    assert downloads.files() == {path: data for path, data in model_files().items() if path in FETCHED}
    assert done.folder == str(downloads.folder)
    assert done.commit == repository.branches["main"]
    assert done.licence == "mit"
    asked = " ".join(downloads.hub.paths())
    assert not any(name in asked for name in (".py", ".bin", ".gguf", ".gitattributes", "notes.txt"))
    assert downloads.leftovers() == []


def test_the_manifest_names_the_commit_and_every_digest(downloads: Downloads, repository: Repository) -> None:
    """The record beside the model is enough to verify it later."""
    done = downloads.fetch()
    kept = manifest.of(downloads.folder)
    assert kept is not None
    files = repository.commits[done.commit]
    assert {file.path: (file.size, file.digest) for file in kept.files} == {
        path: (files[path].size, files[path].etag) for path in FETCHED
    }
    assert (kept.repository, kept.commit, kept.licence) == (REPOSITORY, done.commit, "mit")


def test_a_download_continues_the_commit_that_it_began(downloads: Downloads, repository: Repository) -> None:
    """A new commit on the hub does not mix with the files of the first."""
    first = repository.branches["main"]
    downloads.attempts = 1
    downloads.hub.misbehave(Fault(cut=100_000), "/cdn/*")
    with pytest.raises(HubError):
        downloads.fetch()
    repository.commit(model_files(2))
    downloads.hub.behave()
    assert downloads.fetch().commit == first
    assert downloads.files()["model.safetensors"] == model_files()["model.safetensors"]


def test_a_download_asks_only_for_the_missing_bytes(downloads: Downloads) -> None:
    """What came before a failure stays and is not sent again."""
    downloads.attempts = 1
    downloads.hub.misbehave(Fault(cut=100_000), "/cdn/*")
    with pytest.raises(HubError):
        downloads.fetch()
    downloads.fetch()
    started = [report for report in downloads.reports if isinstance(report, Started)][-1]
    asked = [request.headers.get("range") for request in downloads.hub.asked if request.path.startswith("/cdn/")]
    assert asked == [None, "bytes=100000-"]
    assert started.done > 100_000
