"""`hearth models verify` and `hearth models remove`."""

from __future__ import annotations

import io
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.base import locks, paths, settings
from app.base.paths import Paths
from app.base.settings import Settings
from app.cli.commands import main
from app.models.model_folders import FROM_OTHER_MACS
from tests.fakes.hub.downloads import FETCHED, REPOSITORY, Downloads, model_files
from tests.fakes.hub.server import serving

LOADED = "Your chats use Tiny · 4-bit. Pick another model first, then remove this one."


@pytest.fixture
def places(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    """This test's home, without any other source of models."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(home))
    places = paths.find()
    paths.prepare(places)
    return places


@pytest.fixture
def folder(places: Paths, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A model that was downloaded from the loopback hub."""
    with serving() as hub:
        hub.lead(monkeypatch)
        hub.add(REPOSITORY, model_files())
        downloads = Downloads(hub, places.models)
        downloads.fetch()
        yield downloads.folder


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The status of `hearth models ARGUMENTS`, with what it printed."""
    status = main(["models", *arguments])
    out, err = capfd.readouterr()
    return status, out, err


def spoil(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(b"?" + weights.read_bytes()[1:])


def test_verify_says_that_a_model_is_intact(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """By its repository or by its folder."""
    intact = f"{REPOSITORY}: {len(FETCHED)} files are intact\n"
    assert run(capfd, "verify", REPOSITORY) == (0, intact, "")
    assert run(capfd, "verify", str(folder)) == (0, intact, "")


def test_verify_and_remove_take_each_name_of_a_model(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """As info and ask do."""
    for name in ("Tiny · 4-bit", folder.name, f"{folder}/../{folder.name}", f"~/{folder.relative_to(folder.home())}"):
        assert run(capfd, "verify", name)[0] == 0
    assert run(capfd, "remove", "Tiny · 4-bit", "--yes") == (0, f"{REPOSITORY} is deleted.\n", "")


def test_verify_names_what_is_damaged_and_fails(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Without a name it looks at every model whose digests are known."""
    spoil(folder)
    status, out, _ = run(capfd, "verify")
    assert status == 1
    assert out == (
        f"{REPOSITORY}: 1 of {len(FETCHED)} files are damaged; download it again\n"
        "  model.safetensors: its bytes are not those that were downloaded\n"
    )


def test_verify_prints_json(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """One list of verdicts."""
    spoil(folder)
    status, out, _ = run(capfd, "verify", REPOSITORY, "--json")
    fault = {"file": "model.safetensors", "fault": "its bytes are not those that were downloaded"}
    assert status == 1
    assert json.loads(out) == [{"model": REPOSITORY, "folder": str(folder), "files": len(FETCHED), "damaged": [fault]}]


@pytest.mark.usefixtures("places")
def test_verify_without_downloads_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    """The built-in model has no digests."""
    assert run(capfd, "verify") == (0, "There is no model here whose digests are known.\n", "")
    assert run(capfd, "verify", "a/b") == (
        2,
        "",
        "hearth: There is no model a/b on this machine; hearth models list names all.\n",
    )


def test_a_damaged_model_is_repaired_by_fetch(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is the advice of verify."""
    monkeypatch.setattr("app.hub.fetch.fetcher.RESERVE", 0)
    spoil(folder)
    assert run(capfd, "fetch", REPOSITORY)[0] == 0
    assert run(capfd, "verify", REPOSITORY)[0] == 0


def test_remove_asks_first(folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Only y deletes; the question has the size."""
    for answer in ("n\n", "\n", ""):
        monkeypatch.setattr(sys, "stdin", Terminal(answer))
        status, out, _ = run(capfd, "remove", REPOSITORY)
        assert (status, out) == (0, f"Delete {REPOSITORY} (299 KB)? [y/N] Nothing was deleted.\n")
        assert folder.exists()
    monkeypatch.setattr(sys, "stdin", Terminal("y\n"))
    status, out, _ = run(capfd, "remove", str(folder))
    assert (status, out.endswith(f"{REPOSITORY} is deleted.\n")) == (0, True)
    assert not folder.exists()


def test_remove_without_a_terminal_needs_yes(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script has to mean it."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    refused = "hearth: Nothing was deleted: without a terminal, --yes has to be given.\n"
    assert run(capfd, "remove", REPOSITORY) == (2, "", refused)
    assert folder.exists()
    assert run(capfd, "remove", REPOSITORY, "--yes") == (0, f"{REPOSITORY} is deleted.\n", "")
    assert not folder.exists()


def test_remove_spares_the_model_of_an_open_window(
    folder: Path, places: Paths, capfd: pytest.CaptureFixture[str]
) -> None:
    """Once the window is closed, it can be deleted."""
    settings.save(Settings(model=str(folder)), places.settings)
    with locks.take_window(places, 0) as lock:  # type: ignore[union-attr]  # nothing else has it
        assert lock
        assert run(capfd, "remove", REPOSITORY, "--yes") == (2, "", f"hearth: {LOADED}\n")
    assert run(capfd, "remove", REPOSITORY, "--yes")[0] == 0


def test_a_damaged_record_is_named_and_the_model_can_be_deleted(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Bare verify names it; fetch repairs it, and remove deletes the folder."""
    (folder / ".hearth-download.json").write_text("{")
    words = (
        f"{REPOSITORY}: 1 of 1 files are damaged; download it again\n"
        "  .hearth-download.json: the record of the download cannot be read\n"
    )
    assert run(capfd, "verify") == (1, words, "")
    assert run(capfd, "remove", REPOSITORY, "--yes")[0] == 0
    assert not folder.exists()


def test_an_unfinished_download_is_listed_and_can_be_deleted(
    places: Paths, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a killed fetch; nothing else of it is here."""
    part = places.models / ".partial" / f"one--Tiny@{'0' * 40}"
    part.mkdir(parents=True)
    (part / "model.safetensors.part").write_bytes(bytes(2048))
    listed = "one/Tiny: download not finished, 2 KB so far; hearth models fetch one/Tiny continues it"
    assert run(capfd, "list")[1].splitlines()[-1] == listed
    monkeypatch.setattr(sys, "stdin", Terminal("n\n"))
    asked = "Delete the unfinished download of one/Tiny (2 KB)? [y/N] Nothing was deleted.\n"
    assert run(capfd, "remove", "one/Tiny") == (0, asked, "")
    assert part.exists()
    assert run(capfd, "remove", "one/Tiny", "--yes") == (0, "The unfinished download of one/Tiny is deleted.\n", "")
    assert not part.exists()


def test_remove_does_not_offer_the_folder_of_the_built_in_model(capfd: pytest.CaptureFixture[str]) -> None:
    """A part of Hearth is in it."""
    refused = "hearth: Hearth demo is part of Hearth. It stays.\n"
    assert run(capfd, "remove", "Hearth demo", "--yes") == (2, "", refused)


def test_remove_names_the_folder_of_a_model_without_a_record(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The user can delete it."""
    (folder / ".hearth-download.json").unlink()
    refused = (
        "hearth: Hearth did not download Tiny · 4-bit, so it does not delete it. "
        f"You can delete its folder yourself: {folder}\n"
    )
    assert run(capfd, "remove", REPOSITORY, "--yes") == (2, "", refused)
    assert folder.exists()


@pytest.mark.parametrize("name", ["a/b", "../models/a/b", "a", "/etc", ".", f"{FROM_OTHER_MACS}/{'x' * 300}"])
def test_remove_deletes_only_models(places: Paths, capfd: pytest.CaptureFixture[str], name: str) -> None:
    """Nor does it advise to delete another folder, such as that of a publisher."""
    (places.models / "a" / "b").mkdir(parents=True)
    (places.models / FROM_OTHER_MACS).mkdir()
    refused = f"hearth: There is no model {name} on this machine; hearth models list names all.\n"
    assert run(capfd, "remove", name, "--yes") == (2, "", refused)
    assert (places.models / "a" / "b").exists()


def test_remove_takes_a_copy_named_like_a_publisher(
    folder: Path, places: Paths, capfd: pytest.CaptureFixture[str]
) -> None:
    """Another Mac named it. The publisher's models stay."""
    copied = places.models / FROM_OTHER_MACS / folder.parent.name
    shutil.copytree(folder, copied)
    assert run(capfd, "remove", copied.name, "--yes") == (0, f"{FROM_OTHER_MACS}/{copied.name} is deleted.\n", "")
    assert (folder.is_dir(), copied.parent.exists()) == (True, False)


@pytest.mark.parametrize("command", ["remove", "verify", "info"])
def test_a_deleted_working_folder_is_one_sentence(
    places: Paths, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """A relative path means nothing there."""
    assert places.models.is_dir()
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    refused = "hearth: The folder that this terminal is in was deleted. Change to another one first.\n"
    assert run(capfd, command, "a/b") == (2, "", refused)


class Terminal(io.StringIO):
    """A terminal with an answer."""

    def isatty(self) -> bool:
        return True
