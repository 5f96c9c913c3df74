"""`hearth cache` as a user runs it: real processes, the real engine, files that mlx-lm reads and writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mlx_lm.models.cache import load_prompt_cache

from app.base import locks, paths
from app.base.paths import Paths
from storage.library.library import Library
from tests.fakes import command
from tests.fakes.prompt_caches import read_ahead

TEXT = "It was a dark and stormy night; the rain fell in torrents."


def told(*arguments: str) -> Any:
    result = command.hearth("cache", *arguments, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.usefixtures("preloaded")
def test_a_cache_is_imported_used_and_exported(model: Path, tmp_path: Path) -> None:
    """A chat starts from a prompt cache of mlx-lm, and mlx-lm loads the cache that is exported from it."""
    file, text, out = tmp_path / "read.safetensors", tmp_path / "text.txt", tmp_path / "out.safetensors"
    tokens = read_ahead(model, TEXT, file)
    text.write_text(TEXT + "\n")
    taken = told("import", str(file), "--model", str(model), "--text-file", str(text), "--title", "Night")
    assert (taken["title"], taken["tokens"], taken["bytes"]) == ("Night", tokens, file.stat().st_size)
    library = Library.open(paths.find().library_file)
    draft = library.conversations.draft(taken["conversation"]).typed
    library.close()
    answer = command.ask(model, "Night", draft + "What fell?")
    assert (answer["cached_tokens"], answer["cached_from"]) == (tokens, "disk")
    (chat,) = told("list")
    assert (chat["conversation"], chat["title"]) == (taken["conversation"], "Night")
    gone = told("export", "Night", str(out), "--model", str(model))
    assert gone["tokens"] > answer["prompt_tokens"] > tokens
    assert {cache.offset for cache in load_prompt_cache(str(out)) if hasattr(cache, "offset")} == {gone["tokens"]}
    assert told("verify")["damaged"] == {}


@pytest.mark.usefixtures("preloaded")
def test_a_refused_cache_is_one_sentence(model: Path, tmp_path: Path) -> None:
    """The sentence is on stderr, the exit status is 2, and no chat is created."""
    file, text = tmp_path / "read.safetensors", tmp_path / "text.txt"
    read_ahead(model, TEXT, file)
    text.write_text(TEXT.replace("dark", "bark"))
    result = command.hearth("cache", "import", str(file), "--model", str(model), "--text-file", str(text))
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("hearth: The cache in this file was made of another text, or by another model.")
    assert result.stderr.count("\n") == 1
    assert told("list") == []
    library = Library.open(paths.find().library_file)
    assert library.conversations.listed() == ()
    library.close()


@pytest.mark.usefixtures("preloaded")
def test_unreadable_settings_are_reported_once_on_the_terminal(places: Paths) -> None:
    """The command still works, and the next one reports nothing."""
    places.settings.write_bytes(b'{"tabs":["\xe4bc"]}')
    first, second = (command.hearth("cache", "stats") for _ in range(2))
    assert (first.returncode, second.returncode, second.stderr) == (0, 0, "")
    assert first.stderr == (
        "hearth: Hearth uses its default settings because settings.json cannot be read: it is not valid JSON. "
        "It is now called settings.json.bad.\n"
    )


@pytest.mark.usefixtures("preloaded")
def test_a_command_beside_a_running_hearth_changes_nothing(model: Path, tmp_path: Path, places: Paths) -> None:
    """The running Hearth holds the engine's lock, so no second engine starts and no chat is created."""
    lock = locks.take_engine(places, 0.0)
    assert lock is not None
    text = tmp_path / "text.txt"
    text.write_text(TEXT)
    for arguments in (["verify"], ["import", "a.safetensors", "--model", str(model), "--text-file", str(text)]):
        result = command.hearth("cache", *arguments)
        assert result.returncode == 2
        assert "Hearth is using the caches." in result.stderr
    assert not places.library_file.exists()
    lock.close()
