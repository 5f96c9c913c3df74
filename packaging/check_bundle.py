"""Checks a finished bundle by running a copy of it in another place. Needs only the standard library.

The copy runs with an empty home and a minimal environment, so that it cannot use anything of the build.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import quote

ROOT: Final = Path(__file__).resolve().parent.parent
GOLDEN: Final = ROOT / "tests" / "golden"
LINUX: Final = sys.platform == "linux"
LIMIT_S: Final = 400.0
_LOOK_S: Final = 0.1


class Failed(Exception):  # noqa: N818 - a verdict
    """The message names the check that failed and why."""


@dataclass
class Bundle:
    """A copy of the bundle. `borrowed`: files of the build tree that one of its processes had mapped. `seen`: the kinds
    of its processes. `has_proc`: the system shows both under /proc, as only Linux does.
    """

    program: Path
    room: Path
    has_proc: bool = LINUX
    borrowed: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)

    def run(self, home: str, *arguments: str) -> str:
        """Run the bundle to its end and return its output. Its data are in the folder `home` of the room. Raises
        Failed.
        """
        process, output = self._start(home, arguments)
        self._watch(process)
        return self._result(process, output, home, arguments)

    def run_until(self, home: str, is_done: Callable[[], bool], *arguments: str) -> None:
        """Run the bundle until `is_done`, and end it with SIGTERM, as systems do. Raises Failed."""
        process, output = self._start(home, arguments)
        self._watch(process, is_done)
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        self._watch(process)
        self._result(process, output, home, arguments)
        if not is_done():
            raise Failed("it ended by itself")

    def _start(self, home: str, arguments: tuple[str, ...]) -> tuple[subprocess.Popen[bytes], Path]:
        output = self.room / f"output-{len(list(self.room.glob('output-*')))}"
        with output.open("wb") as file:
            process = subprocess.Popen(  # noqa: S603 - the bundle that is checked
                [self.program, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                env=self._environment(home),
                cwd=self.room,
            )
        return process, output

    def _result(self, process: subprocess.Popen[bytes], output: Path, home: str, arguments: tuple[str, ...]) -> str:
        said = output.read_text("utf-8", "replace")
        if process.returncode:
            raise Failed(f"`Hearth {' '.join(arguments)}` ended with {process.returncode}:\n{said}{self.logs(home)}")
        return said

    def _environment(self, home: str) -> dict[str, str]:
        empty = self.room / "empty"
        empty.mkdir(exist_ok=True)
        data = {"HEARTH_HOME": str(self.room / home)}
        return {"PATH": "/usr/bin:/bin", "HOME": str(empty), "QT_QPA_PLATFORM": "offscreen", "LANG": "C.UTF-8", **data}

    def _watch(self, process: subprocess.Popen[bytes], is_done: Callable[[], bool] = lambda: False) -> None:
        deadline = time.monotonic() + LIMIT_S
        while process.poll() is None and not is_done():
            if time.monotonic() > deadline:
                process.kill()
                process.wait()
                raise Failed(f"it did not end within {LIMIT_S:.0f} s")
            for other in self.processes():
                self._look(other)
            time.sleep(_LOOK_S)

    def processes(self) -> list[Path]:
        """The processes of this copy that run now, as folders of /proc. None without /proc."""
        if not self.has_proc:
            return []
        return [folder for folder in Path("/proc").glob("[0-9]*") if _runs(folder, self.program)]

    def _look(self, process: Path) -> None:
        try:
            arguments = (process / "cmdline").read_bytes().split(b"\0")
            mapped = (process / "maps").read_text()
        except OSError:  # it has just ended
            return
        self.seen.add("engine" if b"--engine" in arguments else "app")
        self.borrowed |= {line.split(maxsplit=5)[-1] for line in mapped.splitlines() if str(ROOT) in line}

    def logs(self, home: str) -> str:
        """The end of each log in the folder `home` of the room."""
        return "".join(f"\n{path.name}:\n{path.read_text()[-3000:]}" for path in (self.room / home).glob("logs/*"))


def _runs(process: Path, program: Path) -> bool:
    try:
        return (process / "exe").readlink() == program
    except OSError:  # it is another user's, or has just ended
        return False


def check_answers(bundle: Bundle) -> str:
    """Ask a question from the command line, and a second one in a new process, which continues from disk."""
    for number, source in ((1, "none"), (2, "disk")):
        answer = json.loads(_ask(bundle, "asked", "talk", f"My name is Velmora. This is message {number}."))
        if answer["cached_from"] != source or (source == "disk") != (answer["cached_tokens"] > 0):
            raise Failed(f"answer {number} began from {answer['cached_from']} and not from {source}: {answer}")
    return f"{answer['cached_tokens']} of {answer['prompt_tokens']} prompt tokens from disk in a new process"


def _ask(bundle: Bundle, home: str, conversation: str, prompt: str) -> str:
    small = ("--temperature", "0", "--max-tokens", "24")
    said = bundle.run(home, "ask", "--json", *small, "--conversation", conversation, prompt)
    return said.strip().splitlines()[-1]


def check_documents(bundle: Bundle, folder: Path = GOLDEN / "documents") -> str:
    """Read a document of each kind, each of which has one word in common."""
    documents = sorted(folder.iterdir())
    for document in documents:
        read = json.loads(bundle.run("read", "--read-document", str(document)))
        if "Velmora" not in read["text"]:
            raise Failed(f"{document.name} was not read: {read}")
    return f"{', '.join(document.name for document in documents)} read"


def check_window(bundle: Bundle) -> str:
    """Open the window over the chats of the command line, hand it a link from a second start, and end it in order."""
    home, warm = bundle.room / "asked", "Is it warm?"
    bundle.run_until("asked", lambda: "from the first" in _drafts(home), "hearth://new?text=from%20the%20first")

    def is_heard() -> bool:
        if not asked and "from the second" in _drafts(home):
            asked.append(bundle.run("asked", f"hearth://new?text={quote(warm)}"))
        return warm in _drafts(home)

    asked: list[str] = []
    bundle.run_until("asked", is_heard, "hearth://new?text=from%20the%20second")
    ends = bundle.logs("asked").count("the engine ended with status 0")
    if ends < 2:  # noqa: PLR2004 - the window was opened twice
        raise Failed(f"the engines of two windows ended {ends} times in order:{bundle.logs('asked')}")
    return f"opened twice, heard a second start, {len(_drafts(home))} drafts kept, ended in order with its engine"


def _drafts(home: Path) -> set[str]:
    with closing(sqlite3.connect(f"file:{home / 'library' / 'library.sqlite'}?mode=ro", uri=True)) as database:
        return {draft for (draft,) in database.execute("SELECT draft FROM conversation WHERE draft <> ''")}


def check_macs(bundle: Bundle) -> str:
    """Have a worker be found, paired and asked by another home, as by another Mac."""
    command = re.compile(r"hearth macs pair (\S+) (\S+)")

    def is_asked() -> bool:
        printed = (output.read_text("utf-8", "replace") for output in bundle.room.glob("output-*"))
        if not said and (shown := command.search("".join(printed))):
            code, address = shown.groups()
            where = () if LINUX else (address,)  # macOS asks a person whether Hearth may look for other Macs
            said.append(bundle.run("leader", "macs", "pair", code, *where))
            said.append(bundle.run("leader", "macs", "list"))
        return bool(said)

    said: list[str] = []
    bundle.run_until("worker", is_asked, "worker", "--interface", "127.0.0.1", "--port", "0")
    if "of memory free" not in said[-1]:
        raise Failed(f"the worker did not say what it has: {said}{bundle.logs('worker')}")
    return "found, paired and asked over TLS"


def check_upgrade(bundle: Bundle) -> str:
    """Open the golden library and segments of every released version: no word and no record is lost."""
    versions = sorted((GOLDEN / "library").glob("*.sqlite"))
    for golden in versions:
        home = bundle.room / f"old-{golden.stem}"
        library = home / "library" / "library.sqlite"
        library.parent.mkdir(parents=True)
        shutil.copyfile(golden, library)
        for segments in (GOLDEN / "segments").glob("v*"):
            shutil.copytree(segments, home / "segments", dirs_exist_ok=True)
        before, kept = _words(library), _segments(home / "segments")
        _ask(bundle, home.name, "After the upgrade", "Hello")
        if lost := before - _words(library):
            raise Failed(f"{golden.name}: the upgrade lost {lost}")
        if lost_segments := kept - _segments(home / "segments"):
            raise Failed(f"{golden.name}: the upgrade lost the segments {lost_segments}")
    return f"libraries {', '.join(golden.stem for golden in versions)} and their segments opened, nothing lost"


def _words(library: Path) -> set[tuple[str, ...]]:
    with closing(sqlite3.connect(f"file:{library}?mode=ro", uri=True)) as database:
        titles = database.execute("SELECT 'chat', id, title, system FROM conversation").fetchall()
        messages = database.execute("SELECT conversation, id, role, content FROM message").fetchall()
    return {*titles, *messages}


def _segments(folder: Path) -> set[tuple[str, ...]]:
    with closing(sqlite3.connect(f"file:{folder / 'segments.sqlite'}?mode=ro", uri=True)) as database:
        rows = database.execute("SELECT segment, kind, checksum FROM record").fetchall()
    return {*rows}


def check_alone(bundle: Bundle) -> str:
    """No process mapped a file of the build tree, and none is still running."""
    if not bundle.has_proc:
        return "what was mapped is looked at on Linux only; here the build tree must be out of reach"
    if bundle.borrowed:
        raise Failed(f"it used files of the build tree: {sorted(bundle.borrowed)}")
    if bundle.seen != {"app", "engine"}:
        raise Failed(f"only these of its processes were seen: {sorted(bundle.seen)}")
    if left := bundle.processes():
        raise Failed(f"these processes run on: {[folder.name for folder in left]}")
    return "app and engine mapped nothing of the build tree, and none runs on"


def check_contents(folder: Path, before: set[Path]) -> str:
    """The bundle did not change its own files, and contains no path of the build tree."""
    if changed := before ^ set(folder.rglob("*")):
        raise Failed(f"it changed its own folder: {sorted(map(str, changed))[:5]}")
    place = str(ROOT).encode()
    files = [path for path in before if path.is_file() and not path.is_symlink()]
    if told := [path.name for path in files if place in path.read_bytes()]:
        raise Failed(f"the folder it was built in is written in {told}")
    return f"{len(files)} files, unchanged by use, without the path of the build"


def main() -> int:
    """Returns 0 if every check passes, else 1."""
    parser = argparse.ArgumentParser(description="Put a finished bundle to work in another place.")
    parser.add_argument("bundle", type=Path, help="dist/Hearth or Hearth.app")
    bundle = parser.parse_args().bundle.absolute()
    with tempfile.TemporaryDirectory(prefix="hearth-bundle-") as place:
        room = Path(place).resolve()
        copy = room / "elsewhere" / bundle.name
        shutil.copytree(bundle, copy, symlinks=True)
        program = copy / ("Contents/MacOS/Hearth" if bundle.suffix == ".app" else "Hearth")
        try:
            _check(Bundle(program, room), copy)
        except Failed as failure:
            print(f"FAILED: {failure}", file=sys.stderr)
            return 1
    return 0


def _check(bundle: Bundle, copy: Path) -> None:
    before = set(copy.rglob("*"))
    steps: dict[str, Callable[[], str]] = {
        "starts": lambda: bundle.run("version", "--version").strip(),
        "self-test": lambda: bundle.run("tested", "self-test").strip(),
        "documents": lambda: check_documents(bundle),
        "answers": lambda: check_answers(bundle),
        "window": lambda: check_window(bundle),
        "macs": lambda: check_macs(bundle),
        "upgrade": lambda: check_upgrade(bundle),
        "alone": lambda: check_alone(bundle),
        "contents": lambda: check_contents(copy, before),
    }
    for name, step in steps.items():
        began = time.monotonic()
        said = step()
        print(f"{name:10} {time.monotonic() - began:6.1f} s  {said}", flush=True)


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(main())
