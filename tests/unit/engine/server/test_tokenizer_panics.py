"""Tokenizers whose Rust code panics. Python sees a panic as a BaseException, which would end the engine's process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from engine.model.identity import WeightDigests
from engine.model.loader import load_model
from engine.protocol.errors import ModelUnreadable
from engine.protocol.messages import ChatMessage, Generate, LoadModel
from tests.fakes import tiny_models
from tests.fakes.engine_life import GREEDY, Engine

if TYPE_CHECKING:
    from pathlib import Path

_ENDLESS = {"type": "Split", "pattern": {"Regex": "(x+x+)+y"}, "behavior": "Isolated", "invert": False}
"""The library gives up a search after ten million steps. Patterns of published models take as many for a long run of
spaces.
"""
_TOO_SHORT = {"type": "Strip", "content": "a", "start": 9, "stop": 9}


def _changed(folder: Path, part: str, step: dict[str, Any], whole: str) -> Path:
    """The model with `step` before this part of its tokenizer. `whole` is the name of the list of its steps."""
    tiny_models.build(folder, "llama")
    file = folder / "tokenizer.json"
    described = json.loads(file.read_text())
    described[part] = {"type": "Sequence", whole: [step, *filter(None, [described[part]])]}
    file.write_text(json.dumps(described))
    return folder


def _asked(request: str, text: str) -> Generate:
    return Generate(request, request, (ChatMessage("user", text),), GREEDY)


def test_a_text_that_a_tokenizer_cannot_read_fails_alone(tmp_path: Path) -> None:
    """The chat beside it is answered."""
    folder = _changed(tmp_path / "model", "pre_tokenizer", _ENDLESS, "pretokenizers")
    life = Engine(tmp_path, folder).live(_asked("odd", "x" * 60), _asked("plain", "Hello"), ends_on_failure=False)
    assert life.finished("odd").reason == "failed"
    assert life.finished("plain").reason == "length"


def test_an_answer_that_a_tokenizer_cannot_write_fails(tmp_path: Path) -> None:
    """The engine goes on and hears the next question."""
    folder = _changed(tmp_path / "model", "decoder", _TOO_SHORT, "decoders")
    life = Engine(tmp_path, folder).live(_asked("a", "Hello"), _asked("b", "Hello"), ends_on_failure=False)
    assert [life.finished(request).reason for request in "ab"] == ["failed", "failed"]


def test_a_damaged_tokenizer_is_refused_at_the_load(tmp_path: Path) -> None:
    """With the error of any other damaged model."""
    damaged = {"type": "Precompiled", "precompiled_charsmap": "BAAAAGFi"}
    folder = _changed(tmp_path / "model", "normalizer", damaged, "normalizers")
    with pytest.raises(ModelUnreadable):
        load_model(LoadModel(str(folder)), WeightDigests(tmp_path / "weights.json"))
