"""Tokenizers whose Rust code panics, or that do not fit their models. Python sees a panic as a BaseException, which
would end the engine's process.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.model.identity import WeightDigests
from engine.model.loader import load_model
from engine.protocol.errors import ModelUnreadable, PromptRefused
from engine.protocol.messages import ChatMessage, Generate, LoadModel
from tests.fakes import tiny_models
from tests.fakes.engine_life import GREEDY, Engine

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


@pytest.mark.parametrize(
    ("part", "step", "whole", "reason"),
    [("pre_tokenizer", _ENDLESS, "pretokenizers", "length"), ("decoder", _TOO_SHORT, "decoders", "failed")],
    ids=["a text that it cannot read", "an answer that it cannot write"],
)
def test_a_request_fails_alone(tmp_path: Path, part: str, step: dict[str, Any], whole: str, reason: str) -> None:
    """The engine goes on and hears the next question, whose answer fails only if the tokenizer can write none."""
    folder = _changed(tmp_path / "model", part, step, whole)
    life = Engine(tmp_path, folder).live(_asked("odd", "x" * 60), _asked("plain", "Hello"), ends_on_failure=False)
    assert [life.finished(request).reason for request in ("odd", "plain")] == ["failed", reason]


def test_a_token_that_the_model_lacks_is_not_computed_with(tmp_path: Path) -> None:
    """Some published tokenizers know more tokens than the model. MLX would read and write beyond its arrays."""
    folder = tiny_models.build(tmp_path / "model", "llama", vocab_size=258)
    file = folder / "tokenizer.json"
    described = json.loads(file.read_text())
    described["added_tokens"].append({**described["added_tokens"][-1], "id": 300, "content": "word", "special": False})
    file.write_text(json.dumps(described))
    asked = _asked("odd", "Hi word"), _asked("plain", "Hello")
    life = Engine(tmp_path, folder).live(*asked, ends_on_failure=False)
    odd, plain = (life.finished(request) for request in ("odd", "plain"))
    assert (odd.reason, odd.code, plain.reason) == ("failed", PromptRefused.code, "length")


def test_a_damaged_tokenizer_is_refused_at_the_load(tmp_path: Path) -> None:
    """With the error of any other damaged model."""
    damaged = {"type": "Precompiled", "precompiled_charsmap": "BAAAAGFi"}
    folder = _changed(tmp_path / "model", "normalizer", damaged, "normalizers")
    with pytest.raises(ModelUnreadable):
        load_model(LoadModel(str(folder)), WeightDigests(tmp_path / "weights.json"))
