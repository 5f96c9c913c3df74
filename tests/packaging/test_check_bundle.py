"""The check of the finished bundle, and that it can fail."""

from __future__ import annotations

import ast
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote

import check_bundle
import pytest
from check_bundle import Bundle, Failed

from storage.searchable import add_functions

SOURCE = Path(check_bundle.__file__)


class Told(Bundle):
    """A bundle with scripted output."""

    def __init__(self, room: Path, *said: str, does: Callable[[Path], None] = lambda _: None) -> None:
        super().__init__(room / "Hearth", room)
        self._said = iter(said)
        self._does = does

    def run(self, home: str, *arguments: str) -> str:
        del arguments
        self._does(self.room / home)
        return next(self._said)


def answer(source: str, cached: int) -> str:
    return f'{{"cached_from": "{source}", "cached_tokens": {cached}, "prompt_tokens": 90}}\n'


def test_second_answer_must_come_from_disk(tmp_path: Path) -> None:
    """The check fails if the second answer is not restored from disk."""
    said = check_bundle.check_answers(Told(tmp_path, answer("none", 0), answer("disk", 70)))
    assert said.startswith("70 of 90")
    with pytest.raises(Failed, match="answer 2 began from none"):
        check_bundle.check_answers(Told(tmp_path, answer("none", 0), answer("none", 0)))
    with pytest.raises(Failed, match="answer 2"):
        check_bundle.check_answers(Told(tmp_path, answer("none", 0), answer("disk", 0)))


class Lent(Told):
    """A bundle whose worker prints a code."""

    def run_until(self, home: str, is_done: Callable[[], bool], *arguments: str) -> None:
        del home, arguments
        assert not is_done(), "no code is printed yet"
        (self.room / "output-1").write_text("    hearth macs pair ABCD-EFGH 127.0.0.1:1\n")
        assert is_done()


def test_a_worker_must_say_what_it_has(tmp_path: Path) -> None:
    """It cannot if the versions that it compares are missing in the bundle."""
    (tmp_path / "worker").mkdir()
    there = "mac at 127.0.0.1:1: 8 GB of 16 GB of memory free, 1 model"
    assert "paired" in check_bundle.check_macs(Lent(tmp_path, "Paired with mac.", there))
    (tmp_path / "output-1").unlink()
    with pytest.raises(Failed, match="did not say what it has"):
        check_bundle.check_macs(Lent(tmp_path, "Paired with mac.", "mac at 127.0.0.1:1: the connection was closed"))


def test_each_kind_of_document_must_be_read(tmp_path: Path) -> None:
    """A library that is missing in the bundle shows as a refusal of the documents that need it."""
    for name in ("a.pdf", "b.docx"):
        (tmp_path / name).touch()
    read, refused = '{"text": "The word is Velmora."}', '{"text": "", "refused": "damaged"}'
    assert check_bundle.check_documents(Told(tmp_path, read, read), tmp_path) == "a.pdf, b.docx read"
    with pytest.raises(Failed, match=r"b\.docx was not read.*damaged"):
        check_bundle.check_documents(Told(tmp_path, read, refused), tmp_path)


class Windowed(Bundle):
    """A bundle whose window saves the text of each link as a draft. `is_deaf`: it does not hear a second start.
    `is_torn`: its engine does not end in order.
    """

    def __init__(self, room: Path, *, is_deaf: bool = False, is_torn: bool = False) -> None:
        super().__init__(room / "Hearth", room)
        self._is_deaf = is_deaf
        self._end = "" if is_torn else "the engine ended with status 0\n"
        (room / "asked" / "library").mkdir(parents=True)
        (room / "asked" / "logs").mkdir()
        self._execute("CREATE TABLE conversation (draft TEXT)")

    def run_until(self, home: str, is_done: Callable[[], bool], *arguments: str) -> None:
        self._save(*arguments)
        is_done()
        with (self.room / home / "logs" / "hearth.log").open("a") as log:
            log.write(self._end)
        if not is_done():
            raise Failed("the window ended by itself")

    def run(self, home: str, *arguments: str) -> str:
        del home
        if not self._is_deaf:
            self._save(*arguments)
        return ""

    def _save(self, link: str) -> None:
        self._execute("INSERT INTO conversation VALUES (?)", unquote(link.partition("text=")[2]))

    def _execute(self, statement: str, *values: str) -> None:
        library = self.room / "asked" / "library" / "library.sqlite"
        with closing(sqlite3.connect(library)) as database, database:
            database.execute(statement, values)


def test_window_must_hear_and_end_in_order(tmp_path: Path) -> None:
    """A window that keeps no link, hears no second start or loses its engine is a failure."""
    rooms = [tmp_path / name for name in ("sound", "deaf", "torn")]
    assert check_bundle.check_window(Windowed(rooms[0])).startswith("opened twice, heard a second start, 3 drafts")
    with pytest.raises(Failed, match="ended by itself"):
        check_bundle.check_window(Windowed(rooms[1], is_deaf=True))
    with pytest.raises(Failed, match="ended 0 times in order"):
        check_bundle.check_window(Windowed(rooms[2], is_torn=True))


def test_window_is_ended_by_a_signal(tmp_path: Path) -> None:
    """The window runs until it is done, then gets SIGTERM. One that ends before that is a failure."""
    program, opened = tmp_path / "Hearth", tmp_path / "opened"
    program.write_text(
        f'#!/bin/sh\ntrap "exit 0" TERM\n[ "$1" = ends ] && exit 0\ntouch {opened}\nwhile :; do sleep 0.05; done\n'
    )
    program.chmod(0o700)
    bundle = Bundle(program, tmp_path)
    bundle.run_until("data", opened.exists, "stays")
    opened.unlink()
    with pytest.raises(Failed, match="ended by itself"):
        bundle.run_until("data", opened.exists, "ends")


def _forget_a_word(home: Path) -> None:
    with closing(sqlite3.connect(home / "library" / "library.sqlite")) as database, database:
        add_functions(database)
        database.execute("DELETE FROM message WHERE number = (SELECT max(number) FROM message)")


def _forget_a_segment(home: Path) -> None:
    with closing(sqlite3.connect(home / "segments" / "segments.sqlite")) as database, database:
        database.execute("DELETE FROM record WHERE kind = 'state'")


def test_upgrade_must_lose_nothing(tmp_path: Path) -> None:
    """The check fails if one word or one record of a golden library and store is lost."""
    versions = len(list((check_bundle.GOLDEN / "library").glob("*.sqlite")))
    assert versions
    (tmp_path / "kept").mkdir()
    check_bundle.check_upgrade(Told(tmp_path / "kept", *["{}"] * versions))
    for forget, lost in ((_forget_a_word, "the upgrade lost {"), (_forget_a_segment, "lost the segments")):
        room = tmp_path / forget.__name__
        room.mkdir()
        with pytest.raises(Failed, match=lost):
            check_bundle.check_upgrade(Told(room, *["{}"] * versions, does=forget))


def test_without_proc_no_process_is_looked_at(tmp_path: Path) -> None:
    """A Mac has no /proc: the check says that nothing was looked at, and does not fail."""
    bundle = Told(tmp_path)
    bundle.has_proc = False
    assert bundle.processes() == []
    assert "on Linux only" in check_bundle.check_alone(bundle)


def test_borrowed_file_is_a_failure(tmp_path: Path) -> None:
    """A bundle that maps files of its build tree fails the check."""
    bundle = Told(tmp_path)
    bundle.has_proc = True
    bundle.seen = {"app", "engine"}
    assert "none runs on" in check_bundle.check_alone(bundle)
    bundle.borrowed = {"/build/libpython.so"}
    with pytest.raises(Failed, match=r"libpython\.so"):
        check_bundle.check_alone(bundle)
    bundle.borrowed, bundle.seen = set(), {"app"}
    with pytest.raises(Failed, match="only these"):
        check_bundle.check_alone(bundle)


def test_bundle_must_leave_itself_alone(tmp_path: Path) -> None:
    """The check fails if the bundle changes its files, which would break its signature, or contains the path of the
    build.
    """
    (tmp_path / "data").write_text("innocent")
    before = set(tmp_path.rglob("*"))
    assert check_bundle.check_contents(tmp_path, before).startswith("1 files")
    (tmp_path / "cache.pyc").touch()
    with pytest.raises(Failed, match="changed its own folder"):
        check_bundle.check_contents(tmp_path, before)
    (tmp_path / "cache.pyc").unlink()
    (tmp_path / "data").write_text(f"made in {check_bundle.ROOT}")
    with pytest.raises(Failed, match="data"):
        check_bundle.check_contents(tmp_path, before)


def test_program_gets_an_empty_home_and_its_failure_is_reported(tmp_path: Path) -> None:
    """The bundle gets an empty home and a minimal environment, and its last output is in the message of a failure."""
    program = tmp_path / "Hearth"
    program.write_text('#!/bin/sh\necho "home $HOME, python ${PYTHONPATH:-none}, said $1"\nexit "$2"\n')
    program.chmod(0o700)
    bundle = Bundle(program, tmp_path)
    assert bundle.run("data", "hello", "0") == f"home {tmp_path / 'empty'}, python none, said hello\n"
    with pytest.raises(Failed, match="ended with 3"):
        bundle.run("data", "hello", "3")


def test_check_needs_no_package_and_no_new_python() -> None:
    """The check runs on a Mac with nothing but Apple's own software, with the build out of reach."""
    tree = ast.parse(SOURCE.read_text("utf-8"), feature_version=(3, 9))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_check_of_nothing_fails(tmp_path: Path) -> None:
    """A bundle that does not start gives a failure and a status."""
    broken = tmp_path / "Hearth"
    broken.mkdir()
    shutil.copy(shutil.which("false") or pytest.fail("there is no `false`"), broken / "Hearth")
    done = subprocess.run([sys.executable, SOURCE, broken], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "FAILED: `Hearth --version` ended with 1" in done.stderr
