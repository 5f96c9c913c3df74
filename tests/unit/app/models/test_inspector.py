"""The client of the inspector process: what it does with a process that answers, hangs, ends or talks nonsense."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.base.child_process import Patience
from app.base.errors import ModelNotInspected
from app.base.program import Program
from app.models.inspections import CLOSED, CRASHED, NOT_STARTED, ModelInspector
from engine.protocol.errors import ModelStuck
from engine.protocol.inspection import InspectionFailed, InspectModel

_SCRIPT = """
import json, os, sys, time
starts = open(os.environ["STARTS"], "a")
starts.write("x")
starts.close()
for line in sys.stdin:
    path = json.loads(line)["path"]
    if path == "hang":
        time.sleep(600)
    if path == "end":
        sys.exit(3)
    if path == "talk":
        print("Hello", flush=True)
        continue
    if path == "endless":
        while True:
            print("x" * 100_000, end="", flush=True)
    print("a line for the log", file=sys.stderr, flush=True)
    print(json.dumps({"type": "inspection_failed", "path": path, "code": "c", "message": "m"}), flush=True)
"""


@pytest.fixture
def starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that grows by one byte for each process."""
    monkeypatch.setenv("STARTS", str(tmp_path / "starts"))
    return tmp_path / "starts"


@pytest.fixture
def inspector(starts: Path) -> Iterator[ModelInspector]:
    """A client of a process that behaves as the path says."""
    del starts
    inspector = ModelInspector(Program(sys.executable, ("-c", _SCRIPT), Path("/")), Patience(60, 0.3))
    yield inspector
    inspector.close()


def _stuck(path: str, why: str) -> InspectionFailed:
    return InspectionFailed(path, ModelStuck.code, why)


def test_one_process_answers_many_questions(inspector: ModelInspector, starts: Path) -> None:
    """It is started once, at the first question. Its log lines do not disturb."""
    assert not starts.exists()
    for path in ("/a", "/b"):
        assert inspector.inspect(InspectModel(path)) == InspectionFailed(path, "c", "m")
    assert starts.read_text() == "x"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("hang", "Hearth could not examine its files within 0 seconds."),
        ("end", CRASHED),
        ("talk", "Hearth could not examine its files within 0 seconds."),
        ("endless", "Hearth could not examine its files within 0 seconds."),
    ],
)
def test_a_folder_that_stops_the_process_is_refused_and_the_next_is_inspected(
    inspector: ModelInspector, starts: Path, path: str, why: str
) -> None:
    """A hostile folder costs one process."""
    assert inspector.inspect(InspectModel(path)) == _stuck(path, why)
    assert inspector.inspect(InspectModel("/b")) == InspectionFailed("/b", "c", "m")
    assert starts.read_text() == "xx"


def test_a_process_that_cannot_be_started_is_said() -> None:
    """No model is blamed for it."""
    inspector = ModelInspector(Program("/no/such/program", (), Path("/")))
    with pytest.raises(ModelNotInspected, match=NOT_STARTED):
        inspector.inspect(InspectModel("/a"))


def test_a_process_that_ends_at_its_start_is_said() -> None:
    """Such an installation is damaged."""
    inspector = ModelInspector(Program(sys.executable, ("-c", ""), Path("/")))
    with pytest.raises(ModelNotInspected, match=NOT_STARTED):
        inspector.inspect(InspectModel("/a"))


def test_closing_ends_what_is_being_asked(starts: Path) -> None:
    """The app does not wait for a folder that hangs."""
    inspector = ModelInspector(Program(sys.executable, ("-c", _SCRIPT), Path("/")), Patience(60, 60))
    inspector.inspect(InspectModel("/a"))
    errors: list[str] = []

    def ask() -> None:
        try:
            inspector.inspect(InspectModel("hang"))
        except ModelNotInspected as error:
            errors.append(str(error))

    thread = threading.Thread(target=ask)
    thread.start()
    inspector.close()
    thread.join()
    assert errors == [CLOSED]
    assert starts.read_text() == "x"
