"""The inspector process, over its real pipes."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from app.base.program import inspector
from engine.protocol.framing import decode_inspection, encode
from engine.protocol.inspection import InspectionFailed, InspectModel, ModelInspected

if TYPE_CHECKING:
    from pathlib import Path

    from engine.protocol.framing import Inspection


class Inspector:
    """The process, and its answers."""

    def __init__(self) -> None:
        program = inspector()
        self.process = subprocess.Popen(
            [program.program, *program.arguments],
            cwd=program.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, *questions: InspectModel) -> list[Inspection]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(b"".join(map(encode, questions)))
        self.process.stdin.flush()
        return [decode_inspection(self.process.stdout.readline()) for _ in questions]

    def end(self) -> int:
        self.process.communicate()
        return self.process.returncode


def test_one_process_answers_one_question_after_another(model: Path, tmp_path: Path) -> None:
    """A folder that cannot be inspected does not end the process."""
    inspector = Inspector()
    found, failed, again = inspector.ask(
        InspectModel(str(model)), InspectModel(str(tmp_path / "nowhere")), InspectModel(str(model))
    )
    assert isinstance(found, ModelInspected)
    assert (found.path, found.facts.model_type) == (str(model), "qwen3_5")
    assert isinstance(failed, InspectionFailed)
    assert failed.code == "model_missing"
    assert again == found
    assert inspector.end() == 0


def test_the_process_ends_with_its_input() -> None:
    """Also before it was asked anything, and while it imports."""
    assert Inspector().end() == 0


def test_the_process_loads_no_window() -> None:
    """It has neither Qt nor the app's packages in memory."""
    code = (
        "import sys, engine.inspect.process, engine.inspect.facts\n"
        "print(sorted({m.split('.')[0] for m in sys.modules} & {'PySide6', 'ui', 'app', 'sqlalchemy', 'typer'}))"
    )
    folder = inspector().folder
    result = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
