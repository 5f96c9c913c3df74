"""`hearth cache`: its arguments, its output and its exit status."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.base import locks
from app.base.errors import CacheNotMoved
from app.base.paths import Paths
from app.base.settings import Settings, save
from app.cli import cache_store, cache_transfer, commands
from app.cli.cache_store import CommandOutcome
from app.cli.cache_transfer import EngineSetup
from storage.errors import EnvironmentProblem, Problem
from storage.library.library import Library
from storage.segments.store import SegmentStore
from tests.fakes.segments import MUCH, flip, new_chain


@pytest.fixture
def model(tmp_path: Path) -> str:
    (tmp_path / "config.json").write_text("{}")
    return str(tmp_path)


@pytest.fixture
def chats(places: Paths) -> tuple[str, str]:
    """Two chats that share their first segment: the second is pinned and has a title."""
    library = Library.open(places.library_file)
    first, second = library.conversations.create(), library.conversations.create(title="Rain in torrents")
    library.close()
    store = SegmentStore.open(places.segments, MUCH)
    chain = new_chain("x", 3, "kv", "state")
    store.commit(first.id, chain[:1])
    store.commit(second.id, chain)
    store.index.pin([second.id])
    store.close()
    return first.id, second.id


def said(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert commands.main(["cache", *arguments]) == status
    out, err = capsys.readouterr()
    assert bool(err) == (status == 2), err
    return err if status == 2 else out


def told(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> Any:
    return json.loads(said(capsys, *arguments, "--json", status=status))


def test_chats_are_listed_with_what_they_take(chats: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Chats have their title if there is one. A shared segment counts for both chats."""
    first, second = chats
    listed = sorted(told(capsys, "list"), key=lambda chat: -int(chat["segments"]))
    assert [(c["conversation"], c["title"], c["pinned"], c["segments"]) for c in listed] == [
        (second, "Rain in torrents", True, 3),
        (first, "", False, 1),
    ]
    assert listed[0]["bytes"] > listed[1]["bytes"] == listed[1]["shared_bytes"] > 0
    lines = said(capsys, "list").splitlines()
    assert {("Rain in torrents" in line, "pinned" in line, first in line) for line in lines} == {
        (True, True, False),
        (False, False, True),
    }


def test_nothing_is_listed_where_nothing_is(capsys: pytest.CaptureFixture[str]) -> None:
    """A new home is not an error, and no library is made."""
    assert said(capsys, "list") == "No chat is kept warm.\n"
    assert told(capsys, "list") == []


def test_a_library_that_cannot_be_read_hides_titles_alone(
    chats: tuple[str, str], places: Paths, capsys: pytest.CaptureFixture[str]
) -> None:
    """The caches are still listed."""
    places.library_file.write_bytes(b"no database" * 100)
    assert {c["conversation"]: c["title"] for c in told(capsys, "list")} == dict.fromkeys(chats, "")


def test_the_store_is_counted(chats: tuple[str, str], places: Paths, capsys: pytest.CaptureFixture[str]) -> None:
    """The output has bytes, chats, records and the limit."""
    save(Settings(cache_quota=1 << 20), places.settings)
    figures = told(capsys, "stats")
    assert (figures["conversations"], figures["segments"], figures["records"]) == (len(chats), 3, 6)
    assert (figures["quota_bytes"], figures["refused"]) == (1 << 20, {})
    assert said(capsys, "stats").endswith("of 1 MB held, 7 KB written today\n2 chats, 6 records\n")


def test_a_damaged_record_is_found_and_put_aside(
    chats: tuple[str, str], places: Paths, capsys: pytest.CaptureFixture[str]
) -> None:
    """The status is 1 once; the next check succeeds."""
    assert chats
    assert said(capsys, "verify").startswith("6 good records, ")
    flip(next(iter(places.segments.glob("??/*.state.safetensors"))), -1)
    found = told(capsys, "verify", status=1)
    assert found == {"good": 5, "bytes": found["bytes"], "damaged": {"checksum": 1}}
    assert said(capsys, "verify").startswith("5 good records, ")
    assert told(capsys, "stats")["refused"] == {"checksum": 1}
    assert said(capsys, "stats").endswith("refused so far: 1 checksum\n")


@pytest.mark.parametrize(
    ("spoil", "cause", "good"),
    [
        (lambda segments: next(segments.glob("??/*.state.*")).unlink(), "missing", 5),
        (lambda segments: next(segments.glob("??/*.state.*")).write_bytes(b"cut"), "size", 5),
        (lambda segments: (segments / "segments.sqlite").write_bytes(b"rotten" * 1000), "index", 0),
    ],
    ids=["missing", "size", "index"],
)
def test_damage_that_opening_repairs_is_found_too(
    spoil: Callable[[Path], object],
    cause: str,
    good: int,
    chats: tuple[str, str],
    places: Paths,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Opening the store repairs damage that it detects; the status is 1 for that, once."""
    assert chats
    spoil(places.segments)
    found = told(capsys, "verify", status=1)
    assert (found["good"], found["damaged"]) == (good, {cause: 1})
    assert told(capsys, "verify")["damaged"] == {}


def test_looking_evicts_nothing_and_sweeping_does(
    chats: tuple[str, str], places: Paths, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only `gc` evicts what is over the limit, and pinned chats stay whatever they take."""
    assert chats
    save(Settings(cache_quota=1), places.settings)
    for command in ("list", "stats", "verify"):
        said(capsys, command)
    assert told(capsys, "stats")["records"] == 6
    assert told(capsys, "gc")["bytes"] == 0
    store = SegmentStore.open(places.segments, MUCH)
    store.index.pin([])
    store.close()
    assert told(capsys, "gc")["records"] == 6
    assert told(capsys, "stats")["bytes"] == 0
    assert said(capsys, "gc") == "0 bytes freed, 0 records erased\n"


@pytest.mark.parametrize("command", ["list", "stats", "verify", "gc"])
def test_a_store_in_use_is_refused(command: str, places: Paths, capsys: pytest.CaptureFixture[str]) -> None:
    """While Hearth runs, the command prints one sentence and ends with status 2."""
    lock = locks.take_engine(places, 0.0)
    assert lock is not None
    assert "Hearth is using the caches." in said(capsys, command, status=2)
    lock.close()


def test_trouble_with_the_disk_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The storage's sentence is printed, and the lock is released."""

    def broken(*_: object) -> None:
        raise EnvironmentProblem(Problem.READ_ONLY)

    monkeypatch.setattr(SegmentStore, "open", broken)
    for _ in range(2):
        assert said(capsys, "stats", status=2) == "hearth: The disk or folder is read-only.\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "Missing command"),
        (["polish"], "No such command 'polish'"),
        (["import", "a.safetensors"], "--text-file"),
        (["import", "a.safetensors", "--text-file", "nowhere.txt"], "nowhere.txt cannot be read"),
        (["export", "a chat"], "FILE.safetensors"),
        (["list", "--model", "x"], "No such option: --model"),
    ],
)
def test_wrong_arguments_are_reported(arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The error is one line, with status 2."""
    err = said(capsys, *arguments, status=2)
    assert complaint in err
    assert err.count("\n") == 1


def test_a_missing_model_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command fails before it starts an engine."""
    text = tmp_path / "text.txt"
    text.write_text("Text")
    asked = ["import", "a.safetensors", "--text-file", str(text), "--model", str(tmp_path / "none")]
    assert "There is no model" in said(capsys, *asked, status=2)


def test_arguments_of_an_import_arrive(
    model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The text comes from a file or from stdin; missing options are empty."""
    seen: list[tuple[Any, ...]] = []

    def take_in(setup: EngineSetup, *rest: Any) -> CommandOutcome:
        seen.append((setup.load.subject, *rest))
        return CommandOutcome({"tokens": 3}, ["Imported."])

    monkeypatch.setattr(cache_transfer, "take_in", take_in)
    text = tmp_path / "text.txt"
    text.write_text("Zeile 1 für 2\n")
    asked = ["import", "a.safetensors", "--model", model, "--text-file"]
    assert said(capsys, *asked, str(text), "--system", "Be brief.", "--title", "Rain") == "Imported.\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"from stdin")))
    assert told(capsys, *asked, "-") == {"tokens": 3}
    assert [(where, str(file), *rest) for where, file, *rest in seen] == [
        (model, "a.safetensors", "Zeile 1 für 2\n", "Be brief.", "Rain"),
        (model, "a.safetensors", "from stdin", "", ""),
    ]
    text.write_bytes(b"\xff\xfe")
    assert "not UTF-8" in said(capsys, *asked, str(text), status=2)


def test_the_end_of_an_export_is_the_end_of_the_command(
    model: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A signal, an error and success each have their exit status."""
    outcome = CommandOutcome(None, ())
    monkeypatch.setattr(cache_transfer, "give_out", lambda *_: outcome)
    asked = ["export", "a chat", "out.safetensors", "--model", model]
    said(capsys, *asked)
    outcome = replace(outcome, signal=2)
    said(capsys, *asked, status=130)

    def failing(*_: object) -> CommandOutcome:
        raise CacheNotMoved("The engine stopped.")

    monkeypatch.setattr(cache_transfer, "give_out", failing)
    assert said(capsys, *asked, status=2) == "hearth: The engine stopped.\n"


def test_the_lock_is_patient(places: Paths) -> None:
    """A command that is just ending releases the lock within that time."""
    assert cache_store.LOCK_SECONDS >= 1
    with cache_store.alone(places):
        assert locks.take_engine(places, 0.0) is None
