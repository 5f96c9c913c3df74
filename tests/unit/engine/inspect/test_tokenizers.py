"""A tokenizer without most of its vocabulary tells as much about a chat template as the whole one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.inspect import tokenizers
from engine.inspect.facts import inspected
from engine.protocol.inspection import InspectModel, ModelFacts
from tests.fakes import chat_tokenizers, tiny_models

NAMES = [name for name in chat_tokenizers.ENDS if (chat_tokenizers.TEMPLATES / f"{name}.jinja").exists()]


def build(folder: Path, name: str) -> Path:
    tiny_models.build(folder, "llama")
    chat_tokenizers.tokenizer(name).save_pretrained(folder)
    return folder


def facts(folder: Path) -> ModelFacts:
    return inspected(InspectModel(str(folder)))


@pytest.mark.parametrize("name", NAMES)
def test_the_facts_are_those_of_the_whole_tokenizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """For the templates of all published families."""
    folder = build(tmp_path / "model", name)
    whole = facts(folder)
    monkeypatch.setattr(tokenizers, "_SMALL", 0)
    assert len(tokenizers.load(folder).get_vocab()) < len(chat_tokenizers.tokenizer(name).get_vocab())
    assert facts(folder) == whole


@pytest.mark.parametrize("kind", ["LlamaTokenizer", "Qwen2Tokenizer", "GPT2Tokenizer", "GemmaTokenizer", None])
def test_classes_that_build_their_own_tokenizer_take_the_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str | None
) -> None:
    """transformers has a class for some families, which makes a tokenizer of the vocabulary and the merges."""
    folder = build(tmp_path / "model", "qwen3")
    tiny_models.edit(folder / "tokenizer_config.json", tokenizer_class=kind)
    whole = facts(folder)
    monkeypatch.setattr(tokenizers, "_SMALL", 0)
    assert facts(folder) == whole


def test_a_large_tokenizer_is_copied(tmp_path: Path) -> None:
    """The tokens that end a reply stay, although they look like words. The copy is gone afterwards."""
    folder = tiny_models.build(tmp_path / "model", "llama", eos_token_id=[257, 90_000])
    file = folder / "tokenizer.json"
    content = json.loads(file.read_text("utf-8"))
    content["model"]["vocab"] |= {f"word{number}": number for number in range(300, 100_000)}
    file.write_text(json.dumps(content))
    tokenizer = tokenizers.load(folder)
    assert len(tokenizer.get_vocab()) < 1000
    assert tokenizer.decode([90_000]) == "word90000"
    assert {257, 90_000} <= tokenizer.eos_token_ids


def test_another_form_is_loaded_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only byte pair encodings have merges to leave out."""
    monkeypatch.setattr(tokenizers, "_SMALL", 0)
    folder = tiny_models.build(tmp_path / "model", "llama")
    file = folder / "tokenizer.json"
    content = json.loads(file.read_text("utf-8"))
    content["model"] = {"type": "WordLevel", "vocab": {"a": 0, "word": 1}, "unk_token": "a"}
    file.write_text(json.dumps(content))
    assert "word" in tokenizers.load(folder).get_vocab()
