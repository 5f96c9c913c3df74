"""Whatever a model folder holds, the inspector process answers in time, with facts or a clear refusal, and in little
memory. The process is real, so that a crash of a library shows.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.protocol.errors import EngineError
from engine.protocol.inspection import InspectionFailed, ModelInspected
from tests.conformance.folder import build
from tests.fakes import hostile_models as hostile
from tests.fakes import tiny_models
from tests.fakes.engine_errors import CODES
from tests.fakes.inspector import Inspector, NoAnswer, folder_bytes, question

SECONDS = 5.0
"""Of processor time: the app waits so long for an answer. A busy machine makes none of them false."""
ALLOWANCE = 1 << 30
"""The memory of an inspection besides twice the bytes of the files: libraries that are imported for the first time, a
graph that is never evaluated, and chat templates, which have a limit of their own.
"""
FAMILIES = (
    *("llama", "qwen3_5", "lfm2", "falcon_h1", "gemma3_text", "llama4"),
    *("mamba2", "deepseek_v3", "deepseek_v32", "gpt_oss", "nemotron_h", "rwkv7", "gemma3n", "kimi_linear"),
)
FILES = (
    "tokenizer_config.json",
    "generation_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "chat_template.json",
    "model.safetensors.index.json",
    "hf_quant_config.json",
)


class Desk:
    """Folders to harm, and the inspector that is asked about them. A process that failed is replaced."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._inspector: Inspector | None = None

    def ask(self, family: str, harm: Callable[[Path], object], weight_bytes: int = 0) -> None:
        """Ask about a copy of the tiny model `family` after `harm`."""
        with tempfile.TemporaryDirectory() as home:
            folder = shutil.copytree(self._root / family, Path(home) / "model")
            harm(folder)
            self._ask(folder, weight_bytes)

    def _ask(self, folder: Path, weight_bytes: int) -> None:
        if self._inspector is None:
            self._inspector = Inspector()
            self._inspector.ask(question(self._root / FAMILIES[0]))
        memory, began = self._inspector.forget_peak(), self._inspector.processor_seconds()
        try:
            answer = self._inspector.ask(question(folder, weight_bytes=weight_bytes))
        except NoAnswer:
            self.close()
            raise
        assert self._inspector.processor_seconds() - began < SECONDS
        assert self._inspector.peak() - memory < 2 * folder_bytes(folder) + ALLOWANCE
        if isinstance(answer, InspectionFailed):
            assert answer.code in CODES - {EngineError.code}
            assert answer.message.endswith(".")
            assert answer.message.isprintable()
        else:
            assert isinstance(answer, ModelInspected)
            assert answer.facts.token_bytes >= 0

    def close(self) -> None:
        """End the process."""
        if self._inspector is not None:
            with self._inspector:
                self._inspector = None


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    root = tmp_path_factory.mktemp("pristine")
    for family in FAMILIES:
        build(family, root / family)
    desk = Desk(root)
    yield desk
    desk.close()


families = st.sampled_from(FAMILIES)


@given(families, hostile.edits, st.booleans())
def test_any_configuration(desk: Desk, family: str, edits: Sequence[hostile.Edit], remote: bool) -> None:  # noqa: FBT001 # hypothesis passes it
    """config.json with any numbers, types, kinds and quantisations, with the weights and without them."""

    def harm(folder: Path) -> None:
        hostile.edit_json(folder, "config.json", edits)
        if remote:
            (folder / "model.safetensors").unlink()

    desk.ask(family, harm, 100_000 if remote else 0)


@given(families, hostile.edits)
def test_any_tokenizer(desk: Desk, family: str, edits: Sequence[hostile.Edit]) -> None:
    """tokenizer.json with any parts of a tokenizer."""
    desk.ask(family, lambda folder: hostile.edit_json(folder, "tokenizer.json", edits))


@given(families, st.sampled_from(FILES), hostile.edits)
def test_any_smaller_file(desk: Desk, family: str, name: str, edits: Sequence[hostile.Edit]) -> None:
    """Any of the JSON files beside them, also those that most models do not have."""
    desk.ask(family, lambda folder: hostile.edit_json(folder, name, edits))


@given(families, hostile.templates, st.booleans())
def test_any_template(desk: Desk, family: str, template: str, apart: bool) -> None:  # noqa: FBT001 # hypothesis passes it
    """Chat templates that loop, grow, recurse and reach for Python, in their own file or in the tokenizer's."""

    def harm(folder: Path) -> None:
        if apart:
            (folder / "chat_template.jinja").write_text(template)
        else:
            tiny_models.let_write(folder, template)

    desk.ask(family, harm)


@given(families, hostile.edits, st.sampled_from((0, 0, 0, -8, 1, 10**6, 1 << 62)))
def test_any_header(desk: Desk, family: str, edits: Sequence[hostile.Edit], length: int) -> None:
    """Headers of weights that name other tensors, types, shapes, places and lengths."""
    desk.ask(family, lambda folder: hostile.edit_header(folder / "model.safetensors", edits, length))


@given(
    families,
    st.sampled_from(("config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors")),
    hostile.byte_edits,
)
def test_any_bytes(desk: Desk, family: str, name: str, edits: Sequence[tuple[str, int, bytes]]) -> None:
    """Files in which bytes are changed, missing or repeated."""

    def harm(folder: Path) -> None:
        file = folder / name
        file.write_bytes(hostile.edit_bytes(file.read_bytes(), edits))

    desk.ask(family, harm)


BOMBS: dict[str, Callable[[Path], object]] = {
    "a deep configuration": lambda folder: (folder / "config.json").write_text("[" * 4_000_000),
    "a deep tokenizer": lambda folder: (folder / "tokenizer.json").write_text("[" * 4_000_000),
    "a deep header": lambda folder: (folder / "model.safetensors").write_bytes(
        (4_000_000).to_bytes(8, "little") + b"[" * 4_000_000
    ),
    "a long template": lambda folder: tiny_models.let_write(folder, "{{ messages }}" * 70_000),
    "a template of blocks": lambda folder: tiny_models.let_write(folder, "{% if x %}{% endif %}" * 40_000),
    "a large vocabulary of other values": lambda folder: _tokenizer_with(
        folder, {str(i): None for i in range(200_000)}
    ),
    "a large vocabulary of large numbers": lambda folder: _tokenizer_with(
        folder, {f"<{i}>": 1 << 62 for i in range(99_999)}
    ),
    "a large vocabulary of control tokens": lambda folder: _tokenizer_with(
        folder, {f"<{i}>": i for i in range(100_000)}
    ),
    "many tensors": lambda folder: (folder / "model.safetensors").write_bytes(_many_tensors(110_000)),
    "a sparse tokenizer": lambda folder: os.truncate(folder / "tokenizer.json", 500 << 20),
}


def _tokenizer_with(folder: Path, vocabulary: dict[str, int | None]) -> None:
    file = folder / "tokenizer.json"
    content = json.loads(file.read_text("utf-8"))
    content["model"]["vocab"] |= vocabulary
    file.write_text(json.dumps(content))


def _many_tensors(count: int) -> bytes:
    text = json.dumps({f"t{i}": {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]} for i in range(count)}).encode()
    return len(text).to_bytes(8, "little") + text


@pytest.mark.sweep(1)
@pytest.mark.parametrize("harm", BOMBS.values(), ids=BOMBS)
def test_bombs(desk: Desk, harm: Callable[[Path], object]) -> None:
    """Files that are small for what they ask for."""
    desk.ask("llama", harm)
