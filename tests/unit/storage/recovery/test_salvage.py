"""The rows that are rescued from a library that SQLite refuses to open."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import DamagedDatabase
from storage.library.archive import Archive, ArchivedMessage
from storage.library.library import Library
from storage.library.rows import QueuedText, SavedDraft
from storage.recovery.salvage import LOST, Salvaged, salvage
from tests.fakes.library import Clock, attach, say, texts
from tests.fakes.segments import flip

PAGE = 4096
DRAFT = SavedDraft("not yet sent", (QueuedText("waits"),), (("message", "edited"),))
GOLDEN = Path(__file__).parents[3] / "golden" / "library"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Archive]:
    """A library of a hundred messages, some of them long, as a crash leaves it: its last chat is only in the log."""
    folder = tmp_path_factory.mktemp("written")
    lengths = random.Random(1)  # noqa: S311 - lengths, no secrets
    (folder / "file.txt").write_text("attached")
    with closing(Library.open(folder / "live" / "library.sqlite", Clock())) as library:
        for number in range(10):
            chat = library.conversations.create(title=f"Chat {number}", system="Be brief.").id
            library.labels.set_tags(chat, ("one", "two"))
            for turn in range(5):
                say(
                    library,
                    chat,
                    f"question {number} {turn}",
                    f"answer {number} {turn} " * lengths.choice((3, 30, 900)),
                )
        attach(library, chat, folder / "file.txt")
        say(library, chat, "with a file", "thanks")
        library.conversations.save_draft(chat, DRAFT)
        with closing(sqlite3.connect(folder / "live" / "library.sqlite")) as raw:
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        say(library, library.conversations.create(title="In the log").id, "late question", "late answer")
        library.prompts.save("", "Review", "Review this: {{code}}")
        everything = library.transfer.export()
        shutil.copytree(folder / "live", folder / "dead")
    return folder / "dead", everything


@pytest.fixture
def damaged(written: tuple[Path, Archive], tmp_path: Path) -> Path:
    """A copy of it, to be damaged."""
    shutil.copytree(written[0], tmp_path / "library")
    return tmp_path / "library" / "library.sqlite"


def _all_of(path: Path) -> Archive:
    with closing(Library.open(path)) as library:
        return library.transfer.export()


def _contents(archive: Archive) -> dict[str, list[str]]:
    return {one.title: [said.content for said in one.messages] for one in archive.conversations}


def _overwrite(path: Path, page: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE)
        file.write(data)


def _check(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
        for index in ("title_search", "message_search"):
            raw.execute(f"INSERT INTO {index} ({index}) VALUES ('integrity-check')")


def test_a_whole_library_comes_out_as_it_was(damaged: Path, written: tuple[Path, Archive]) -> None:
    """Every chat, message, label and attachment, the draft, and the text that is only in the log."""
    found = salvage(damaged, damaged.with_name("fresh"))
    assert found == Salvaged(conversations=11, messages=104, lost=0)
    _check(damaged.with_name("fresh"))
    shutil.copyfile(damaged.with_name("fresh"), damaged)
    damaged.with_name(damaged.name + "-wal").unlink()
    assert _all_of(damaged) == written[1]
    with closing(Library.open(damaged)) as library:
        assert [(one.name, one.text) for one in library.prompts.listed()] == [("Review", "Review this: {{code}}")]
        assert [library.conversations.draft(one.id) for one in library.search.find("Chat 9")] == [DRAFT]
        assert [one.title for one in library.search.find("late answer")] == ["In the log"]
        assert [one.title for one in library.search.find("attached")] == ["Chat 9"]


@pytest.mark.parametrize(
    "first_page",
    [bytes(PAGE), os.urandom(PAGE), b"SQLite format 3\0" + b"\xff" * 4080],
    ids=["zeros", "noise", "header"],
)
def test_a_file_without_its_first_page_loses_no_message(
    damaged: Path, written: tuple[Path, Archive], first_page: bytes
) -> None:
    """The schema page is not needed: rows are recognised by their content. Neither the damaged file nor its log
    changes, so another tool can still try.
    """
    _overwrite(damaged, 1, first_page)
    before = {path: path.read_bytes() for path in damaged.parent.iterdir() if path.is_file()}
    assert salvage(damaged, damaged.with_name("fresh")).lost == 0
    after = {path: path.read_bytes() for path in damaged.parent.iterdir() if path.is_file()}
    assert {path: content for path, content in after.items() if path.name != "fresh"} == before
    assert _contents(_all_of(damaged.with_name("fresh"))) == _contents(written[1])


def test_a_damaged_page_costs_only_the_rows_on_it(damaged: Path, written: tuple[Path, Archive]) -> None:
    """Each page in turn is destroyed: all other messages keep their text and chat, and lost ones are counted."""
    whole = {said.id: said for one in written[1].conversations for said in one.messages}
    pristine, worst = damaged.read_bytes(), 0
    for page in range(1, len(pristine) // PAGE + 1, 9):
        damaged.write_bytes(pristine)
        _overwrite(damaged, page, random.Random(page).randbytes(PAGE))  # noqa: S311 - rot, no secrets
        fresh = damaged.with_name(f"fresh-{page}")
        found = salvage(damaged, fresh)
        _check(fresh)
        kept = {said.id: said for one in _all_of(fresh).conversations for said in one.messages}
        changed = [one for one in whole.values() if replace(kept.get(one.id, one), attachments=one.attachments) != one]
        missing = [one for one in whole if one not in kept]
        assert found.lost >= len(missing)
        assert all(_says_so(kept[one.id]) or kept[one.id].content == one.content for one in changed if one.id in kept)
        worst = max(worst, len(changed) + len(missing))
    assert 0 < worst <= 40


def _says_so(said: ArchivedMessage) -> bool:
    return said.content == LOST or (said.state, said.error) == ("failed", "The end of this message could not be read.")


def test_a_lost_message_keeps_its_place(damaged: Path) -> None:
    """The messages after it stay in its chat, and a placeholder takes its place."""
    page = damaged.read_bytes().index(b"answer 3 2") // PAGE + 1
    _overwrite(damaged, page, bytes(PAGE))
    found = salvage(damaged, damaged.with_name("fresh"))
    assert found.lost > 0
    with closing(Library.open(damaged.with_name("fresh"))) as library:
        chat = library.search.find("Chat 3")[0].id
        said = texts(library, chat)
        assert len(said) == 10
        assert LOST in said
        assert [one.role for one in library.messages.branch(chat)] == ["user", "assistant"] * 5


def _break_in_the_log(path: Path) -> None:
    flip(path.with_name(f"{path.name}-wal"), 32 + 24 + 100, 0x40)


@pytest.mark.parametrize("damage", [Path.unlink, _break_in_the_log])
def test_the_newest_messages_are_rescued_from_the_log(damaged: Path, damage: Callable[[Path], None]) -> None:
    """Even if the main file is missing, and behind the first wrong bit, from which on SQLite ignores its log."""
    damage(damaged)
    salvage(damaged, damaged.with_name("fresh"))
    assert _contents(_all_of(damaged.with_name("fresh")))["In the log"] == ["late question", "late answer"]


def _around(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


@pytest.mark.parametrize("damage", [Path.unlink, _around])
def test_an_attached_file_that_cannot_be_read_stops_no_rescue(damaged: Path, damage: Callable[[Path], None]) -> None:
    """A file that is lost, or that the disk refuses to read, costs only its words in the search."""
    (file,) = (file for file in (damaged.parent / "attachments").rglob("*") if file.is_file())
    damage(file)
    assert salvage(damaged, damaged.with_name("fresh")).lost == 0
    with closing(Library.open(damaged.with_name("fresh"))) as library:
        assert library.search.find("attached") == ()
        assert [one.title for one in library.search.find("thanks")] == ["Chat 9"]


def test_noise_creates_no_library(tmp_path: Path) -> None:
    """A file of noise does not become an empty library."""
    (tmp_path / "noise").write_bytes(random.Random(7).randbytes(20 * PAGE))  # noqa: S311 - noise, no secrets
    with pytest.raises(DamagedDatabase):
        salvage(tmp_path / "noise", tmp_path / "fresh")
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["noise"]


@given(data=st.data())
def test_no_damage_is_ever_an_exception(written: tuple[Path, Archive], data: st.DataObject) -> None:
    """Whatever bytes are wrong in the file or its log, the result is an intact library or DamagedDatabase."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "library.sqlite"
        for suffix in ("", "-wal"):
            content = bytearray((written[0] / f"library.sqlite{suffix}").read_bytes())
            for place, wrong in data.draw(
                st.lists(st.tuples(st.integers(0, len(content) - 1), st.binary(max_size=64)))
            ):
                content[place : place + len(wrong)] = wrong
            Path(f"{path}{suffix}").write_bytes(content[: data.draw(st.integers(0, len(content)))])
        try:
            found = salvage(path, path.with_name("fresh"))
        except DamagedDatabase:
            return
        _check(path.with_name("fresh"))
        assert len(_all_of(path.with_name("fresh")).conversations) == found.conversations


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.sqlite")), ids=lambda path: path.stem)
def test_a_library_of_any_version_is_rescued(file: Path, tmp_path: Path) -> None:
    """A damaged library may be one that a released version made."""
    shutil.copyfile(file, tmp_path / "old")
    shutil.copyfile(file, tmp_path / "broken")
    _overwrite(tmp_path / "broken", 1, bytes(100))
    salvage(tmp_path / "broken", tmp_path / "fresh")
    with closing(Library.open(tmp_path / "old")) as old:
        old.messages.interrupt_open()
    assert _all_of(tmp_path / "fresh") == _all_of(tmp_path / "old")
