"""Loads the tokenizer of a model folder with a fraction of its vocabulary, enough for its chat template.

A vocabulary of 250,000 entries and its merges take libraries seconds. A template needs the control tokens and those
that end a reply, so a copy leaves out the others. The engine's load reads the whole file.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
from mlx_lm.utils import load_config, load_tokenizer

from engine.model.file_checks import MOST_BYTES, TOKENIZER, check_loaded
from storage.untrusted import MEBIBYTE, UntrustedDataError, decode_json, read_file

_SMALL: Final = MEBIBYTE
"""A smaller file is not worth a copy."""
_CONTROL: Final = re.compile(r"[<\[|].*[>\]|]|.", re.DOTALL)
"""What control tokens look like, and single letters, which encode any text."""
_SUFFIXES: Final = frozenset({".jinja", ".json", ".jsonl", ".txt"})


class _Model(msgspec.Struct):
    type: str
    vocab: dict[str, int]


class _Tokenizer(msgspec.Struct):
    model: _Model
    added_tokens: list[dict[str, Any]] = []


def load(folder: Path) -> Any:
    """The tokenizer in mlx-lm's wrapper. Raises ModelUnreadable, and what libraries raise for damaged files."""
    ends = load_config(folder).get("eos_token_id")
    with _copied(folder, ends) as copy:
        tokenizer = load_tokenizer(copy, {"trust_remote_code": False}, eos_token_ids=ends)
    check_loaded(tokenizer)
    return tokenizer


@contextmanager
def _copied(folder: Path, ends: Any) -> Iterator[Path]:
    """A folder with a small copy of the tokenizer; `folder` itself if that is small or of a form without merges."""
    file = folder / TOKENIZER
    if not file.is_file() or file.stat().st_size < _SMALL or (small := _small(file, ends)) is None:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="hearth-inspector-") as home:
        for entry in folder.iterdir():
            if entry.name != TOKENIZER and (entry.suffix in _SUFFIXES or entry.is_dir()):
                (Path(home) / entry.name).symlink_to(entry.resolve())
        (Path(home) / TOKENIZER).write_bytes(small)
        yield Path(home)


def _small(file: Path, ends: Any) -> bytes | None:
    """The tokenizer without its merges and most of its vocabulary. None if that is no byte pair encoding."""
    content = read_file(file, MOST_BYTES)
    try:
        known = decode_json(content, _Tokenizer)
    except UntrustedDataError:
        return None
    if known.model.type != "BPE":
        return None
    numbers = set(ends if isinstance(ends, list) else [ends])
    named = {str(token.get("content")) for token in known.added_tokens}
    vocabulary = {
        text: number
        for text, number in known.model.vocab.items()
        if number in numbers or text in named or _CONTROL.fullmatch(text)
    }
    parts = decode_json(content, dict[str, msgspec.Raw])
    model = decode_json(parts["model"], dict[str, msgspec.Raw])
    model |= {"vocab": msgspec.Raw(msgspec.json.encode(vocabulary)), "merges": msgspec.Raw(b"[]")}
    return msgspec.json.encode(parts | {"model": model})
