"""`hearth cache` as a user runs it: real processes, the real engine, files that mlx-lm reads and writes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mlx_lm.models.cache import load_prompt_cache

from app.base import locks, paths
from storage.library.library import Library
from tests.fakes import command
from tests.fakes.prompt_caches import read_ahead

if TYPE_CHECKING:
    from pathlib import Path

    from app.base.paths import Paths

TEXT = "It was a dark and stormy night; the rain fell in torrents."


def told(*arguments: str) -> Any:
    result = command.hearth("cache", *arguments, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_a_cache_comes_in_is_used_and_goes_out(model: Path, tmp_path: Path) -> None:
    """A chat begins with what mlx-lm has read; what became of it loads in mlx-lm."""
    file, text, out = tmp_path / "read.safetensors", tmp_path / "text.txt", tmp_path / "out.safetensors"
    tokens = read_ahead(model, TEXT, file)
    text.write_text(TEXT + "\n")
    taken = told("import", str(file), "--model", str(model), "--text-file", str(text), "--title", "Night")
    assert (taken["title"], taken["tokens"], taken["bytes"]) == ("Night", tokens, file.stat().st_size)
    library = Library.open(paths.find().library_file)
    draft = library.conversations.draft(taken["conversation"])
    library.close()
    answer = command.ask(model, "Night", draft + "What fell?")
    assert (answer["cached_tokens"], answer["cached_from"]) == (tokens, "disk")
    (chat,) = told("list")
    assert (chat["conversation"], chat["title"]) == (taken["conversation"], "Night")
    gone = told("export", "Night", str(out), "--model", str(model))
    assert gone["tokens"] > answer["prompt_tokens"] > tokens
    assert {cache.offset for cache in load_prompt_cache(str(out)) if hasattr(cache, "offset")} == {gone["tokens"]}
    assert told("verify")["damaged"] == {}


def test_a_refused_cache_is_one_sentence(model: Path, tmp_path: Path) -> None:
    """On stderr, with status 2, and without a chat."""
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


def test_settings_that_cannot_be_read_are_told_once_on_the_terminal(places: Paths) -> None:
    """A byte that is no text keeps no command from its work; the next one has nothing to say."""
    places.settings.write_bytes(b'{"tabs":["\xe4bc"]}')
    first, second = (command.hearth("cache", "stats") for _ in range(2))
    assert (first.returncode, second.returncode, second.stderr) == (0, 0, "")
    assert first.stderr == (
        "hearth: Hearth uses its default settings because settings.json cannot be read: it is not valid JSON. "
        "It is now called settings.json.bad.\n"
    )


def test_a_running_hearth_is_left_alone(model: Path, tmp_path: Path, places: Paths) -> None:
    """It has the engine's lock: nothing is started beside it, and nothing becomes of the chat."""
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
