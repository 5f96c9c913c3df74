"""Whatever a model folder holds, the loader loads it or refuses it: nothing crashes or hangs. It refuses each folder
that the inspector refuses.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.inspect.facts import inspected
from engine.protocol.errors import ModelError
from engine.protocol.inspection import InspectModel
from tests.fakes import hostile_models as hostile
from tests.fakes import tiny_models
from tests.fakes.tiny_models import loaded

FAMILIES = ("llama", "qwen3_5", "lfm2", "falcon_h1", "gemma3_text", "llama4", "mamba")

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # libraries warn about odd configurations in words of their own
    pytest.mark.timeout(1800),
]

families = st.sampled_from(FAMILIES)
fewer = settings(max_examples=max(1, settings().max_examples // 4))
"""A load takes longer than an inspection."""


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("pristine")
    for family in FAMILIES:
        tiny_models.build(root / family, family)
    return root


def check(pristine: Path, family: str, harm: Callable[[Path], object]) -> None:
    with tempfile.TemporaryDirectory() as home:
        folder = shutil.copytree(pristine / family, Path(home) / "model")
        harm(folder)
        loads, inspects = _passes(lambda: loaded(folder)), _passes(lambda: inspected(InspectModel(str(folder))))
        assert inspects or not loads, "the inspector refuses what the loader loads"


def _passes(use: Callable[[], object]) -> bool:
    """At the edges of both processes every Exception is a refusal: tokenizers raises nothing more special."""
    try:
        use()
    except ModelError:
        return False
    except Exception as error:
        if type(error) is not Exception:
            raise
        return False
    return True


@fewer
@given(families, hostile.edits)
def test_any_configuration(pristine: Path, family: str, edits: Sequence[hostile.Edit]) -> None:
    """The numbers of a configuration also decide what is computed."""
    check(pristine, family, lambda folder: hostile.edit_json(folder, "config.json", edits))


@fewer
@given(families, st.sampled_from(("tokenizer.json", "tokenizer_config.json")), hostile.edits)
def test_any_tokenizer(pristine: Path, family: str, name: str, edits: Sequence[hostile.Edit]) -> None:
    """The tokenizer is loaded last."""
    check(pristine, family, lambda folder: hostile.edit_json(folder, name, edits))


@fewer
@given(families, hostile.edits, st.sampled_from((0, 0, 0, -8, 1, 10**6)))
def test_any_header(pristine: Path, family: str, edits: Sequence[hostile.Edit], length: int) -> None:
    """The data behind a header is evaluated here."""
    check(pristine, family, lambda folder: hostile.edit_header(folder / "model.safetensors", edits, length))


@fewer
@given(hostile.templates)
def test_any_template(pristine: Path, template: str) -> None:
    """The probe of a template has the limits that it has in the inspector."""
    check(pristine, "llama", lambda folder: tiny_models.let_write(folder, template))
