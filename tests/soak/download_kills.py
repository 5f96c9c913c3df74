"""Kills at any moment of downloads: each continues where it was, and none is taken for a whole model.

`run` is the entry point. The killed processes are `hearth models fetch`; the hub is the loopback one, which is slow.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fakes.hub.downloads import FETCHED, model_files
from tests.fakes.hub.faults import Fault
from tests.fakes.hub.server import Hub, serving

ROOT = Path(__file__).resolve().parents[2]
KILLS = 3
"""The most kills of one download. Then it may complete."""
LONGEST_S = 2.0
"""The seconds until a kill. Python needs the first part of them to start."""
_RATE = 300_000
"""Bytes per second: the file takes a second."""


def run(downloads: int, folder: Path, seed: int = 1) -> list[str]:
    """Kill each of these downloads up to three times, then let it complete. Returns all faults, in words."""
    return witness(downloads, folder, seed).problems


def witness(downloads: int, folder: Path, seed: int = 1) -> Witness:
    """As `run`, with everything that was counted."""
    moments = random.Random(seed)  # noqa: S311 - moments, no secrets
    with serving() as hub:
        hub.misbehave(Fault(rate=_RATE), "/cdn/*", times=None)
        seen = Witness(hub, folder, moments)
        for number in range(downloads):
            seen.download(f"soak/Tiny-{number}", number)
    return seen


@dataclass
class Witness:
    """Compares every folder with the hub's files after each kill. `kills` counts the processes that were killed in the
    midst, `resumed` the downloads that kept bytes over a kill.
    """

    hub: Hub
    home: Path
    moments: random.Random
    problems: list[str] = field(default_factory=list)
    kills: int = 0
    resumed: int = 0

    def download(self, repository: str, number: int) -> None:
        """Publish a model, and download it with kills. A new commit appears in between."""
        first = self.hub.add(repository, model_files(number))
        commit = first.branches["main"]
        for _ in range(self.moments.randint(1, KILLS)):
            self._killed(repository, number)
            self.check(repository, number, done=False)
        begun = self._begun(repository)
        first.commit(model_files(number + 1_000_000))
        self._complete(repository, number, commit if begun else first.branches["main"])

    def _killed(self, repository: str, number: int) -> None:
        """Start a download and kill it at a random moment, unless it is faster."""
        with self._fetch(repository) as process:
            try:
                process.communicate(timeout=self.moments.uniform(0.3, LONGEST_S))
            except subprocess.TimeoutExpired:
                process.kill()
                self.kills += 1
                process.communicate()
            if process.returncode not in (0, -9):
                self.problems.append(f"download {number} ended with status {process.returncode}")

    def _complete(self, repository: str, number: int, commit: str) -> None:
        here = self._bytes(repository)
        with self._fetch(repository) as process:
            lines = [json.loads(line) for line in process.communicate()[0].splitlines()]
        started = next((line for line in lines if line["event"] == "started"), None)
        if process.returncode or lines[-1]["event"] != "done" or lines[-1]["commit"] != commit:
            self.problems.append(f"download {number} did not complete: {lines[-1]}")
        if started is not None and started["done"] != here:
            self.problems.append(f"download {number} had {here} bytes and continued with {started['done']}")
        self.resumed += bool(started and started["done"])
        self.check(repository, number if commit in self._first(repository) else number + 1_000_000, done=True)

    def _first(self, repository: str) -> tuple[str, ...]:
        return tuple(self.hub.repositories[repository].commits)[:1]

    def check(self, repository: str, number: int, *, done: bool) -> None:
        """The model's folder is complete, or it is not there."""
        folder = self.home / "models" / repository
        wanted = {name: data for name, data in model_files(number).items() if name in FETCHED}
        found = {path.name: path.read_bytes() for path in folder.glob("[!.]*")}
        if found not in ([wanted] if done else [wanted, {}]):
            wrong = sorted(name for name in wanted | found if found.get(name) != wanted.get(name))
            self.problems.append(f"download {number}: {', '.join(wrong)} of the model's folder are wrong")

    def _begun(self, repository: str) -> list[Path]:
        """The folders that pin the commit, or hold the complete model."""
        staged = (self.home / "models" / ".partial").glob(f"{repository.replace('/', '--')}@*")
        return [*staged, *(self.home / "models").glob(repository)]

    def _bytes(self, repository: str) -> int:
        """The bytes that the download has so far."""
        return sum(
            path.stat().st_size
            for folder in self._begun(repository)
            if "@" in folder.name
            for path in folder.glob("[!.]*")
        )

    def _fetch(self, repository: str) -> subprocess.Popen[Any]:
        environment = os.environ | self.hub.environment() | {"HEARTH_HOME": str(self.home)}
        command = [sys.executable, "-m", "app", "models", "fetch", "--json", repository]
        return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
