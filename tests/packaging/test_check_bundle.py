"""The check of the finished bundle: it must be able to fail."""

from __future__ import annotations

import ast
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import check_bundle
import pytest
from check_bundle import Bundle, Failed

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = Path(check_bundle.__file__)
SAID = """[a] 5 tokens, 0 of 9
[b] 5 tokens, 0 of 9
[c] 5 tokens, 0 of 9
Hearth has ended. It starts again with the same data.
[a] {0} tokens restored from disk in 3 ms
[b] 7 tokens restored from disk in 3 ms
[c] 7 tokens restored from disk in 3 ms
[d] 7 tokens restored from disk in 3 ms
[a] 5 tokens, 9 of 12
[b] 5 tokens, 9 of 12
"""


class Told(Bundle):
    """A bundle that says what it is told to."""

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
    """A new process that reads the chat again has lost what Hearth is for."""
    said = check_bundle.check_answers(Told(tmp_path, answer("none", 0), answer("disk", 70)))
    assert said.startswith("70 of 90")
    with pytest.raises(Failed, match="answer 2 began from none"):
        check_bundle.check_answers(Told(tmp_path, answer("none", 0), answer("none", 0)))
    with pytest.raises(Failed, match="answer 2"):
        check_bundle.check_answers(Told(tmp_path, answer("none", 0), answer("disk", 0)))


def test_window_must_have_all_chats_back(tmp_path: Path) -> None:
    """Every chat of the first start is warm in the second, and goes on."""
    assert check_bundle.check_window(Told(tmp_path, SAID.format(8))).startswith("3 answers, quit, 29 tokens")
    with pytest.raises(Failed, match="left something out"):
        check_bundle.check_window(Told(tmp_path, SAID.format(0)))
    with pytest.raises(Failed, match="left something out"):
        check_bundle.check_window(Told(tmp_path, SAID.format(8).partition("It starts")[0]))


def _forget_a_word(home: Path) -> None:
    with closing(sqlite3.connect(home / "library" / "library.sqlite")) as database, database:
        database.execute("DELETE FROM message WHERE number = (SELECT max(number) FROM message)")


def _forget_a_segment(home: Path) -> None:
    with closing(sqlite3.connect(home / "segments" / "segments.sqlite")) as database, database:
        database.execute("DELETE FROM record WHERE kind = 'state'")


def test_upgrade_must_lose_nothing(tmp_path: Path) -> None:
    """One word or one record less than an earlier version wrote is a failure."""
    versions = len(list((check_bundle.GOLDEN / "library").glob("*.sqlite")))
    assert versions > 1
    (tmp_path / "kept").mkdir()
    check_bundle.check_upgrade(Told(tmp_path / "kept", *["{}"] * versions))
    for forget, lost in ((_forget_a_word, "the upgrade lost {"), (_forget_a_segment, "lost the segments")):
        room = tmp_path / forget.__name__
        room.mkdir()
        with pytest.raises(Failed, match=lost):
            check_bundle.check_upgrade(Told(room, *["{}"] * versions, does=forget))


def test_borrowed_file_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bundle that runs only beside its build is none."""
    monkeypatch.setattr(check_bundle, "LINUX", True)
    bundle = Told(tmp_path)
    bundle.seen = {"app", "engine"}
    assert "none runs on" in check_bundle.check_alone(bundle)
    bundle.borrowed = {"/build/libpython.so"}
    with pytest.raises(Failed, match=r"libpython\.so"):
        check_bundle.check_alone(bundle)
    bundle.borrowed, bundle.seen = set(), {"app"}
    with pytest.raises(Failed, match="only these"):
        check_bundle.check_alone(bundle)


def test_bundle_must_leave_itself_alone(tmp_path: Path) -> None:
    """A file written into the app breaks its signature; a path of the build in it tells of who built it."""
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


def test_program_gets_an_empty_home_and_its_failure_is_told(tmp_path: Path) -> None:
    """What the bundle is run with is all it is run with, and its last words are kept."""
    program = tmp_path / "Hearth"
    program.write_text('#!/bin/sh\necho "home $HOME, python ${PYTHONPATH:-none}, said $1"\nexit "$2"\n')
    program.chmod(0o700)
    bundle = Bundle(program, tmp_path)
    assert bundle.run("data", "hello", "0") == f"home {tmp_path / 'empty'}, python none, said hello\n"
    with pytest.raises(Failed, match="ended with 3"):
        bundle.run("data", "hello", "3")


def test_check_needs_no_package_and_no_new_python() -> None:
    """It runs on a Mac that has nothing but what Apple ships, with the build out of reach."""
    tree = ast.parse(SOURCE.read_text("utf-8"), feature_version=(3, 9))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_check_of_nothing_fails(tmp_path: Path) -> None:
    """A bundle that does not start is a failure with a status."""
    broken = tmp_path / "Hearth"
    broken.mkdir()
    shutil.copy(shutil.which("false") or pytest.fail("there is no `false`"), broken / "Hearth")
    done = subprocess.run([sys.executable, SOURCE, broken], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "FAILED: `Hearth --version` ended with 1" in done.stderr
