"""The real worker of a download, started by the window's parts or by a user, on the loopback hub."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from app.base import paths, settings
from app.base.paths import Paths
from app.base.settings import Settings
from app.hub.downloads import Downloads, FetchProcess, worker_program
from app.hub.fetch.progress import Done
from app.hub.queue import Queue
from storage.library.library import Library
from tests.fakes.command import ROOT, command, hearth
from tests.fakes.hub.downloads import FETCHED, REPOSITORY, model_files
from tests.fakes.hub.faults import Fault
from tests.fakes.hub.server import Hub, serving
from tests.fakes.tasks import InlineTasks
from ui.intents.notice import Notice
from ui.state.models import DownloadState

SLOW = Fault(rate=150_000)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """The hub that this process and its children ask, with one model."""
    with serving() as hub:
        hub.lead(monkeypatch)
        hub.add(REPOSITORY, model_files(), card={"license": "mit"})
        yield hub


class Rig:
    """The window's downloads, with real workers."""

    def __init__(self) -> None:
        self.places = paths.find()
        paths.prepare(self.places)
        self.library = Library.in_memory()
        self.worker = FetchProcess()
        self.notices: list[Notice] = []
        self.downloads = Downloads(self.places, InlineTasks(self.library), self.worker, self)
        self.arrived: list[Done] = []
        self.downloads.arrived = self.arrived.append

    def show_notice(self, notice: Notice) -> None:
        self.notices.append(notice)

    def clear_notice(self, key: str) -> None:
        self.notices = [notice for notice in self.notices if notice.key != key]

    @property
    def folder(self) -> Path:
        return self.places.models / REPOSITORY

    def state(self) -> DownloadState | None:
        view = self.downloads.views().get(REPOSITORY)
        return view.state if view else None

    def done(self) -> int:
        view = self.downloads.views().get(REPOSITORY)
        return view.done if view else 0


@pytest.fixture
def rig(hub: Hub, qtbot: QtBot) -> Iterator[Rig]:
    assert hub.url
    assert qtbot
    rig = Rig()
    yield rig
    rig.downloads.close()
    rig.library.close()


def test_a_download_of_the_window_ends_with_a_model(rig: Rig, qtbot: QtBot) -> None:
    """The worker's lines become views, and the folder appears."""
    rig.downloads.request(REPOSITORY)
    qtbot.waitUntil(lambda: rig.state() is DownloadState.DONE and rig.worker.pid == 0, timeout=30_000)
    assert {path.name for path in rig.folder.iterdir()} == FETCHED | {".hearth-download.json"}
    assert [(done.folder, done.licence) for done in rig.arrived] == [(str(rig.folder), "mit")]


def test_pause_and_continue_lose_no_byte(rig: Rig, hub: Hub, qtbot: QtBot) -> None:
    """Pausing kills the worker; continuing asks for the missing part only."""
    hub.misbehave(SLOW, "/cdn/*")
    rig.downloads.request(REPOSITORY)
    qtbot.waitUntil(lambda: rig.done() > 100_000, timeout=30_000)
    rig.downloads.pause(REPOSITORY)
    qtbot.waitUntil(lambda: rig.worker.pid == 0, timeout=30_000)
    assert rig.state() is DownloadState.PAUSED
    rig.downloads.request(REPOSITORY)
    qtbot.waitUntil(lambda: rig.state() is DownloadState.DONE, timeout=30_000)
    ranges = [asked.headers.get("range", "") for asked in hub.asked if asked.path.startswith("/cdn/")]
    assert ranges[0] == ""
    assert int(ranges[1].removeprefix("bytes=").removesuffix("-")) > 50_000  # of the weights; the rest were small files
    assert (rig.folder / "model.safetensors").read_bytes() == model_files()["model.safetensors"]


def test_cancel_leaves_nothing(rig: Rig, hub: Hub, qtbot: QtBot) -> None:
    """The worker ends and its files are deleted."""
    hub.misbehave(SLOW, "/cdn/*")
    rig.downloads.request(REPOSITORY)
    qtbot.waitUntil(lambda: rig.done() > 50_000, timeout=30_000)
    rig.downloads.cancel(REPOSITORY)
    qtbot.waitUntil(lambda: rig.worker.pid == 0, timeout=30_000)
    left = [path.name for path in rig.places.models.rglob("*") if path.is_file()]
    assert left == []


WINDOW = """
import subprocess, sys
subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE).wait()
"""


def test_the_worker_ends_with_the_window(hub: Hub) -> None:
    """A window that is killed leaves no download running: the worker's output ends too."""
    hub.misbehave(Fault(silent=True), "/cdn/*")
    program = worker_program(REPOSITORY, "", "")
    command = [sys.executable, "-c", WINDOW, program.program, *program.arguments]
    with subprocess.Popen(command, cwd=program.folder, stdout=subprocess.PIPE) as window:
        assert window.stdout is not None
        assert b"started" in window.stdout.readline()
        window.kill()
        window.stdout.read()


def test_json_lines_end_with_the_outcome(hub: Hub) -> None:
    """A script learns the commit, the size, the licence, and the folder."""
    result = hearth("models", "fetch", REPOSITORY, "--json")
    assert result.returncode == 0, result.stderr
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert events[0] == {
        "event": "started", "repository": REPOSITORY, "commit": hub.repositories[REPOSITORY].branches["main"],
        "total": sum(len(data) for name, data in model_files().items() if name in FETCHED), "done": 0, "files": 7,
        "licence": "mit",
    }  # fmt: skip
    assert events[-1]["event"] == "done"
    assert Path(events[-1]["folder"]) == paths.find().models / REPOSITORY


def test_a_failure_is_one_line_and_status_2(hub: Hub) -> None:
    """For people on stderr; for scripts as an object with its code, and the sentence as a value for the window."""
    assert hub.url
    sentence = "The hub has no such model, or your token does not show it."
    result = hearth("models", "fetch", "nobody/nothing")
    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"hearth: {sentence}\n")
    result = hearth("models", "fetch", "nobody/nothing", "--json")
    assert (result.returncode, json.loads(result.stdout), result.stderr) == (
        2,
        {"event": "error", "code": "not_on_hub", "message": sentence, "told": {"text": sentence, "fields": {}}},
        "",
    )


def test_without_a_network_the_failure_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """HF_HUB_OFFLINE counts as no network."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    result = hearth("models", "fetch", REPOSITORY)
    assert (result.returncode, result.stderr) == (2, "hearth: Hugging Face cannot be reached: HF_HUB_OFFLINE is set.\n")


@pytest.mark.sweep(1)
@pytest.mark.parametrize("words", [("fetch", REPOSITORY), ("fetch", REPOSITORY, "--json"), ("list",)])
@pytest.mark.parametrize(
    ("target", "why"),
    [
        pytest.param(
            "/dev/full",
            "No space left on device",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this file"),
        ),
        ("&-", "it is closed"),
    ],
)
def test_a_refused_output_is_one_line(hub: Hub, words: tuple[str, ...], target: str, why: str) -> None:
    """It is no fault of the disk with the models, and no defect."""
    assert hub.url
    line = ["/bin/sh", "-c", f'exec "$@" >{target}', "sh", *command("models", *words)]
    result = subprocess.run(line, cwd=ROOT, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    refused = f"hearth: The output of this command cannot be written: {why}.\n"
    assert (result.returncode, result.stderr) == (2, refused)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("command", [("fetch", REPOSITORY), ("search", "tiny"), ("info", REPOSITORY)])
@pytest.mark.parametrize(("address", "name"), [("http://[::", "Hugging Face"), ("http://127.0.0.1:port", "127.0.0.1")])
def test_a_malformed_address_of_the_hub_is_one_line(
    monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], address: str, name: str
) -> None:
    """huggingface_hub itself cannot be imported then."""
    monkeypatch.setenv("HF_ENDPOINT", address)
    result = hearth("models", *command)
    refused = f"hearth: {name} cannot be reached: its address in HF_ENDPOINT is not valid.\n"
    assert (result.returncode, result.stdout, result.stderr) == (2, "", refused)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("command", [("fetch", REPOSITORY), ("search", "tiny")])
def test_a_login_that_cannot_be_read_is_one_line(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    """HF_HOME may name a file."""
    assert hub.url
    (tmp_path / "file").touch()
    monkeypatch.setenv("HF_HOME", str(tmp_path / "file"))
    monkeypatch.delenv("HF_TOKEN", raising=False)
    result = hearth("models", *command)
    refused = "hearth: The login of Hugging Face cannot be read: Not a directory. Check HF_HOME.\n"
    assert (result.returncode, result.stdout, result.stderr) == (2, "", refused)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("command", [("fetch", REPOSITORY), ("search", "tiny")])
def test_a_token_that_is_none_is_one_line(hub: Hub, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]) -> None:
    """No request can carry it."""
    assert hub.url
    monkeypatch.setenv("HF_TOKEN", "tönen")
    result = hearth("models", *command)
    refused = "hearth: The token in HF_TOKEN, or that of the login of Hugging Face, has letters that no token has.\n"
    assert (result.returncode, result.stdout, result.stderr) == (2, "", refused)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("command", [("fetch", REPOSITORY), ("search", "tiny"), ("info", REPOSITORY)])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ALL_PROXY", "socks5://127.0.0.1:9"),
        ("ALL_PROXY", "gopher://127.0.0.1:9"),
        ("ALL_PROXY", "http://[::"),
        ("SSL_CERT_FILE", "/no/such/file"),
    ],
)
def test_an_environment_that_names_what_cannot_be_used_is_one_line(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], name: str, value: str
) -> None:
    """Many who use a SOCKS proxy set ALL_PROXY for all programs."""
    assert hub.url
    monkeypatch.setenv(name, value)
    result = hearth("models", *command)
    refused = (
        "hearth: 127.0.0.1 cannot be reached: the proxy in ALL_PROXY or HTTPS_PROXY (not SOCKS), or the file in "
        "SSL_CERT_FILE, cannot be used.\n"
    )
    assert (result.returncode, result.stdout, result.stderr) == (2, "", refused)


@contextmanager
def window() -> Iterator[subprocess.Popen[bytes]]:
    """The real app with its window. It is killed after the block if it has not ended."""
    with subprocess.Popen(command(), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_until(process: subprocess.Popen[bytes], happened: Callable[[], bool]) -> None:
    """Wait as long as the process runs."""
    while not happened():
        with suppress(subprocess.TimeoutExpired):
            raise AssertionError(f"the window ended with status {process.wait(0.05)}")


@pytest.mark.usefixtures("preloaded")
def test_a_killed_app_continues_its_download_at_the_next_start(hub: Hub, model: Path, places: Paths) -> None:
    """Nothing asks; the bytes that are here are not fetched again; quitting ends the window as usual."""
    settings.save(Settings(model=str(model)), places.settings)
    (places.data / "downloads.json").write_bytes(msgspec.json.encode(Queue().requested(REPOSITORY)))
    hub.misbehave(Fault(rate=100_000), "/cdn/*")
    with window() as process:
        wait_until(process, lambda: any(part.stat().st_size > 50_000 for part in places.models.rglob("model*.part")))
    assert not (places.models / REPOSITORY).exists()
    with window() as process:
        wait_until(process, (places.models / REPOSITORY).exists)
        process.terminate()
        assert process.wait(60) == 0
    fetched = (places.models / REPOSITORY / "model.safetensors").read_bytes()
    assert fetched == model_files()["model.safetensors"]
    first, second = (asked.headers.get("range", "") for asked in hub.asked if asked.path.startswith("/cdn/"))
    assert first == ""
    assert int(second.removeprefix("bytes=").removesuffix("-")) > 50_000
