"""The inspector process, over its real pipes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.base.program import inspector
from engine.protocol.framing import encode
from engine.protocol.inspection import InspectionFailed, InspectModel, ModelInspected
from tests.fakes.inspector import Inspector


@pytest.mark.usefixtures("preloaded")
def test_one_process_answers_one_question_after_another(model: Path, tmp_path: Path) -> None:
    """A folder that cannot be inspected does not end the process."""
    questions = (InspectModel(str(model)), InspectModel(str(tmp_path / "nowhere")), InspectModel(str(model)))
    with Inspector() as process:
        process.send(b"".join(map(encode, questions)))
        found, failed, again = process.answers(3)
        assert isinstance(found, ModelInspected)
        assert (found.path, found.facts.model_type) == (str(model), "qwen3_5")
        assert isinstance(failed, InspectionFailed)
        assert failed.code == "model_missing"
        assert again == found
        assert process.end() == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [("HF_ENDPOINT", "http://[::"), ("HF_HUB_DOWNLOAD_TIMEOUT", "0.5"), ("HF_HUB_ETAG_TIMEOUT", "9s")],
)
def test_a_malformed_setting_of_the_hub_is_no_matter(
    model: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """The process asks no hub."""
    monkeypatch.setenv(name, value)
    with Inspector() as process:
        assert isinstance(process.ask(InspectModel(str(model))), ModelInspected)


@pytest.mark.usefixtures("preloaded")
def test_a_line_that_is_no_question_is_skipped(model: Path) -> None:
    """The next question is answered."""
    with Inspector() as process:
        process.send(b"rubbish\n{}\n\xff\n")
        assert isinstance(process.ask(InspectModel(str(model))), ModelInspected)


def test_the_process_ends_with_its_input() -> None:
    """Also before it was asked anything, and while it imports."""
    with Inspector() as process:
        assert process.end() == 0


def test_the_process_loads_no_window() -> None:
    """It has neither Qt nor the app's packages in memory."""
    code = (
        "import sys, engine.inspect.process, engine.inspect.facts\n"
        "print(sorted({m.split('.')[0] for m in sys.modules} & {'PySide6', 'ui', 'app', 'sqlalchemy', 'typer'}))"
    )
    folder = inspector().folder
    result = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
