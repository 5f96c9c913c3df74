"""The checks of a model folder before any library opens its files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.model import file_checks, identity, loader
from engine.protocol.errors import ModelError, ModelIncomplete, ModelMissing, ModelUnreadable
from tests.fakes.foreign import IN_THE_WAY
from tests.fakes.tiny_models import edit, loaded

HUGE = 10**9


def dangling(file: Path) -> None:
    file.symlink_to(file.parent / "nothing")


@pytest.mark.parametrize(
    "thing",
    [IN_THE_WAY["pipe"], IN_THE_WAY["endless"], IN_THE_WAY["folder"], dangling, lambda file: file.symlink_to(file)],
)
@pytest.mark.parametrize(
    "name",
    [
        *("model.safetensors", "extra.safetensors", "tokenizer.json", "config.json", "extra.json"),
        *("chat_template.jinja", "additional_chat_templates/tool_use.jinja"),
    ],
)
def test_only_files_are_opened(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, thing: Callable[[Path], None]
) -> None:
    """A pipe, a device, a folder or a dangling link in the place of a file is refused before anything is read."""
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.unlink(missing_ok=True)
    thing(file)
    monkeypatch.setattr(loader, "load", pytest.fail)
    with pytest.raises(ModelUnreadable, match=file.name):
        loaded(folder)


@pytest.mark.parametrize("content", [b"\x00\x05\x16\x07\xff", b"\x00\x05\x16\x07"])
def test_what_macos_leaves_beside_a_template_is_named(folder: Path, content: bytes) -> None:
    """A library would take it for a template, whether it is text or not. The user can delete a file by its name."""
    (folder / "additional_chat_templates").mkdir()
    (folder / "additional_chat_templates" / "._tool_use.jinja").write_bytes(content)
    with pytest.raises(ModelUnreadable, match=r"additional_chat_templates/\._tool_use\.jinja.* delete it"):
        loaded(folder)


def test_files_that_no_library_opens_do_not_matter(folder: Path) -> None:
    """Folders, links into a cache, and a dangling link that is not one of a model's files do not matter."""
    (folder / ".cache").mkdir()
    (folder / "vocabulary").mkdir()
    dangling(folder / "README.md")
    weights = folder / "model.safetensors"
    weights.rename(folder.parent / "blob")
    weights.symlink_to(folder.parent / "blob")
    loaded(folder)


def test_an_empty_and_a_missing_folder_are_told_apart(tmp_path: Path) -> None:
    """A missing and an empty folder each have their own message."""
    with pytest.raises(ModelMissing, match="no model folder"):
        loaded(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelUnreadable, match="no safetensors weights"):
        loaded(tmp_path / "empty")


@pytest.mark.parametrize(
    ("name", "size"),
    [
        *(("config.json", 9 << 20), ("tokenizer.json", 600 << 20), ("Tokenizer.JSON", 600 << 20)),
        *((name, 600 << 20) for name in ("vocab", "vocab.bin", "vocab.safetensors", "source.spm", "bpe.codes")),
    ],
)
def test_a_file_that_is_read_as_a_whole_has_a_largest_size(folder: Path, name: str, size: int) -> None:
    """A sparse file of any length costs its author nothing, so its size is limited, also if only the identity reads it,
    and in any case of letters, which a Mac ignores.
    """
    (folder / name).touch()
    os.truncate(folder / name, size)
    with pytest.raises(ModelUnreadable, match=rf"{name} is too large"):
        loaded(folder)


def test_the_identity_reads_no_file_without_a_largest_size(folder: Path) -> None:
    """The patterns of the identity name only files that the check of the folder limits."""
    for pattern in identity._VOCABULARY_FILES:
        file = folder / pattern.replace("*", "a")
        file.parent.mkdir(exist_ok=True)
        before = file.read_bytes() if file.exists() else b""
        file.touch()
        os.truncate(file, 600 << 20)
        with pytest.raises(ModelUnreadable, match="is too large"):
            file_checks.check_files(folder)
        file.write_bytes(before)


def test_a_name_from_a_folder_cannot_play_tricks(folder: Path) -> None:
    """A file name is shortened, and characters that break a terminal or a pipe are replaced."""
    os.mkfifo(os.fsencode(folder) + b"/a\x1b[2J\n\xff" + b"b" * 120 + b".json")
    with pytest.raises(ModelUnreadable) as refusal:
        loaded(folder)
    text = str(refusal.value)
    assert text.isprintable()
    assert len(text.encode("utf-8")) < 140


# --- weights


def header(**tensors: Any) -> bytes:
    text = json.dumps(tensors).encode()
    return len(text).to_bytes(8, "little") + text


LIES = {
    "empty": b"",
    "a header beyond the file": (HUGE).to_bytes(8, "little") + b"{}",
    "no JSON": (4).to_bytes(8, "little") + b"{{{{",
    "deep JSON": (200_000).to_bytes(8, "little") + b"[" * 200_000,
    "a header that is too large": (9 << 20).to_bytes(8, "little") + b" " * (9 << 20),
    "more bytes than it says": header(a={"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}) + b"12345678",
    "another shape": header(a={"dtype": "F32", "shape": [HUGE, HUGE], "data_offsets": [0, 8]}) + b"12345678",
    "many more bytes than there are": header(a={"dtype": "F32", "shape": [1 << 60], "data_offsets": [0, 4 << 60]}),
}
"""Some of them: the tests of records and of hostile folders have all flaws."""


@pytest.mark.parametrize("content", LIES.values(), ids=LIES)
@pytest.mark.parametrize("name", ["model.safetensors", "model-extra.safetensors"])
def test_headers_of_weights_are_checked(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes
) -> None:
    """The message names the file, and nothing is built or read."""
    (folder / name).write_bytes(content)
    monkeypatch.setattr(loader, "load", pytest.fail)
    with pytest.raises(ModelIncomplete, match=rf"^Its file {name} is damaged or incomplete\.$"):
        loaded(folder)


def test_too_many_tensors_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries take seconds for some hundreds of thousands, and each may be empty."""
    monkeypatch.setattr(file_checks, "_MOST_TENSORS", 1000)
    many = header(**{f"t{i}": {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]} for i in range(250)})
    for number in range(5):
        (folder / f"model-{number}.safetensors").write_bytes(many)
    monkeypatch.setattr(loader, "load", pytest.fail)
    with pytest.raises(ModelUnreadable, match="in more pieces than those of any model"):
        loaded(folder)


# --- configuration


@pytest.mark.parametrize(
    "changes",
    [
        {"num_hidden_layers": 10**7},
        {"num_hidden_layers": 30},
        {"n_layers": 10**7},
        {"num_hidden_layers": 10**4000},
        {"text_config": {"num_hidden_layers": 10**7}},
        {"layer_types": ["full_attention"] * 10_000},
        {"hybrid_override_pattern": "M" * 1_000_000},
        {"num_local_experts": 10**7},
        {"vision_config": {"depth": 10**7}},
        {"parts": [{"num_attention_heads": 1e300}]},
    ],
    ids=str,
)
def test_a_model_that_the_weights_cannot_fill_is_not_built(
    folder: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any]
) -> None:
    """Millions of layers, experts or heads would take minutes and gigabytes to build."""
    edit(folder / "config.json", **changes)
    monkeypatch.setattr(loader, "load", pytest.fail)
    with pytest.raises(ModelUnreadable, match="Its configuration asks for more"):
        loaded(folder)


@pytest.mark.parametrize(
    "name",
    ["hidden_size", "intermediate_size", "vocab_size", "num_attention_heads", "num_key_value_heads", "head_dim"],
)
def test_sizes_that_the_weights_do_not_have_are_refused(folder: Path, name: str) -> None:
    """Such a size is refused before anything of that size is allocated."""
    edit(folder / "config.json", **{name: HUGE})
    with pytest.raises(ModelError):
        loaded(folder)


@pytest.mark.parametrize("kind", ["", "../llama", "os.path", "caf\u00e9", None, ["llama"]])
def test_a_model_type_that_is_no_name_is_refused(folder: Path, kind: object) -> None:
    """mlx-lm imports the module that the configuration names, so only a plain name may reach it."""
    edit(folder / "config.json", model_type=kind)
    with pytest.raises(ModelUnreadable, match="does not say"):
        loaded(folder)


@pytest.mark.parametrize(
    "content",
    ["[]", "", "{", "[" * 100_000, '{"model_type": "\\ud800"}'],
    ids=["list", "empty", "cut", "deep", "surrogate"],
)
def test_an_invalid_configuration_is_refused(folder: Path, content: str) -> None:
    """A configuration with any other bytes is refused."""
    (folder / "config.json").write_text(content)
    with pytest.raises(ModelError):
        loaded(folder)
