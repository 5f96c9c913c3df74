"""The memory of inspected models, and the reasons to inspect one again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.models.inspections import Inspections
from engine.protocol.errors import ModelStuck
from engine.protocol.inspection import InspectionFailed, InspectModel, ModelFacts, ModelInspected, WindowBytes
from engine.protocol.sampling_settings import OwnSampling
from resources.language import text
from tests.fakes.foreign import IN_THE_WAY, flipped

_FACTS = ModelFacts(
    "llama", 1000, 2000, 4.5, 8192, ("attention", "window"), 100, 50, (WindowBytes(12, 3),), sampling=OwnSampling(0.7)
)


class Asked:
    """Stands for the inspector: answers with facts, or refuses, and counts."""

    def __init__(self, code: str = "") -> None:
        self.questions: list[InspectModel] = []
        self.code = code

    def inspect(self, question: InspectModel) -> ModelInspected | InspectionFailed:
        self.questions.append(question)
        if self.code:
            return InspectionFailed(question.path, self.code, "It cannot be used.", question.adapter)
        return ModelInspected(question.path, _FACTS, question.adapter)


@pytest.fixture
def model(tmp_path: Path) -> InspectModel:
    """A folder with two files."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"0")
    return InspectModel(str(folder))


@pytest.mark.parametrize("code", ["", "model_unsupported"])
def test_an_inspection_is_remembered_over_a_restart(tmp_path: Path, model: InspectModel, code: str) -> None:
    """The list is complete at once at the next start."""
    asked = Asked(code)
    outcome = Inspections(tmp_path / "memory.json", asked.inspect).inspected(model)
    again = Inspections(tmp_path / "memory.json", asked.inspect)
    assert again.known(model) == again.inspected(model) == outcome
    assert len(asked.questions) == 1


def _another_size(folder: Path) -> None:
    (folder / "config.json").write_text("{} ")


def _another_time(folder: Path) -> None:
    os.utime(folder / "model.safetensors", ns=(1, 1))


def _another_file(folder: Path) -> None:
    (folder / "chat_template.jinja").touch()


@pytest.mark.parametrize("change", [_another_size, _another_time, _another_file])
def test_a_model_whose_files_changed_is_inspected_again(tmp_path: Path, model: InspectModel, change: object) -> None:
    """A sign is another size, another time or another file."""
    asked = Asked()
    inspections = Inspections(tmp_path / "memory.json", asked.inspect)
    inspections.inspected(model)
    assert callable(change)
    change(Path(model.path))
    assert inspections.known(model) is None
    inspections.inspected(model)
    assert len(asked.questions) == 2


def test_another_version_of_mlx_lm_inspects_again(
    tmp_path: Path, model: InspectModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newer one may know the architecture."""
    asked = Asked("model_unsupported")
    Inspections(tmp_path / "memory.json", asked.inspect).inspected(model)
    monkeypatch.setattr("app.models.inspections.version", lambda _name: "99")
    assert Inspections(tmp_path / "memory.json", asked.inspect).known(model) is None


def test_a_model_that_got_no_answer_is_tried_again_at_the_next_start(tmp_path: Path, model: InspectModel) -> None:
    """The machine may have been busy. Until then, or until the user asks, the list does not wait for it again."""
    asked = Asked(ModelStuck.code)
    inspections = Inspections(tmp_path / "memory.json", asked.inspect)
    inspections.inspected(model)
    assert inspections.known(model) is not None
    assert Inspections(tmp_path / "memory.json", asked.inspect).known(model) is None


def test_an_adapter_has_an_inspection_of_its_own(tmp_path: Path, model: InspectModel) -> None:
    """The base stays remembered."""
    asked = Asked()
    inspections = Inspections(tmp_path / "memory.json", asked.inspect)
    with_adapter = InspectModel(model.path, str(tmp_path / "adapter"))
    inspections.inspected(model)
    assert inspections.known(with_adapter) is None
    assert inspections.inspected(with_adapter).adapter == str(tmp_path / "adapter")
    assert inspections.known(model) is not None


def test_the_oldest_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file does not grow without end."""
    monkeypatch.setattr("app.models.inspections._MOST", 2)
    inspections = Inspections(tmp_path / "memory.json", Asked().inspect)
    for name in "abc":
        inspections.inspected(InspectModel(name))
    assert [inspections.known(InspectModel(name)) is None for name in "abc"] == [True, False, False]


def test_one_changed_bit_anywhere_never_stops_the_list(tmp_path: Path, model: InspectModel) -> None:
    """A damaged file leads to another inspection."""
    file = tmp_path / "memory.json"
    Inspections(file, Asked().inspect).inspected(model)
    again = 0
    for content in flipped(file.read_bytes()):
        file.write_bytes(content)
        asked = Asked()
        Inspections(file, asked.inspect).inspected(model)
        again += len(asked.questions)
    assert again > 50, "the check sees damage"


@pytest.mark.parametrize("thing", IN_THE_WAY)
def test_what_stands_in_the_place_of_the_file_stops_nothing(tmp_path: Path, model: InspectModel, thing: str) -> None:
    """A pipe does not block."""
    IN_THE_WAY[thing](tmp_path / "memory.json")
    assert Inspections(tmp_path / "memory.json", Asked().inspect).inspected(model) == ModelInspected(model.path, _FACTS)


def test_a_refusal_holds_for_the_language_that_it_is_in(tmp_path: Path, model: InspectModel) -> None:
    """In another language the model is inspected again. Facts have no words, so they hold in each language."""
    asked, fine = Asked("model_unsupported"), Asked()
    for inspector, questions in ((asked, 2), (fine, 1)):
        file = tmp_path / f"{questions}.json"
        Inspections(file, inspector.inspect).inspected(model)
        text.install(text.Language("de"))
        Inspections(file, inspector.inspect).inspected(model)
        assert len(inspector.questions) == questions
        text.install(text.Language())
