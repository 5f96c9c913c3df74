"""`hearth ask` as a user runs it: real processes, the real engine, a tiny model."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import psutil
import pytest

from app.base import locks, paths, settings
from app.base.paths import Paths
from app.base.settings import Settings
from app.cli.asker import INTERRUPTED
from engine.protocol.messages import ChatMessage, Generate
from engine.protocol.sampling_settings import Sampling
from storage.library.library import Library
from storage.library.rows import Message
from tests.fakes import command
from tests.fakes.command import Talk
from tests.fakes.engine_life import Engine
from tests.fakes.preloaded import behind


def _branch(title: str) -> tuple[Message, ...]:
    library = Library.open(paths.find().library_file)
    try:
        found = library.conversations.find(title)
        assert found is not None
        return library.messages.branch(found.id)
    finally:
        library.close()


def _engine_of(talk: Talk) -> psutil.Process:
    (engine,) = behind(talk.process.pid).children()
    return behind(engine.pid)


def _started(model: Path) -> Talk:
    """A process in the middle of a long answer."""
    talk = Talk(
        "ask", "--model", str(model), "--temperature", "0", "--max-tokens", "4000", "--conversation", "long", "Hello"
    )
    talk.first_words()
    return talk


def _cold(model: Path, home: Path, messages: tuple[Message, ...]) -> str:
    """The reply of a cold engine that answers nothing else to `messages`, which end with a question."""
    asked = tuple(ChatMessage(message.role, message.content, message.ledger) for message in messages)
    request = Generate("cold", "cold", asked, Sampling(temperature=0.0, max_tokens=16), cached=False)
    return Engine(home, model).live(request).text("cold")


@pytest.mark.usefixtures("preloaded")
def test_three_turns_in_three_processes_prefill_only_what_is_new(model: Path, tmp_path: Path) -> None:
    """A chat resumes from disk: each turn prefills its own message alone, and replies as a cold engine does."""
    prompts = ["My name is Quillon.", "What can you do?", "What is my name?"]
    answers = [command.ask(model, "kept", prompt) for prompt in prompts]
    assert [answer["cached_from"] for answer in answers] == ["none", "disk", "disk"]
    assert all(0 < answer["prefill_tokens"] < 40 for answer in answers[1:])
    assert all(answer["prompt_tokens"] == answer["cached_tokens"] + answer["prefill_tokens"] for answer in answers)
    said = _branch("kept")
    assert [answer["reply"] for answer in answers] == [_cold(model, tmp_path, said[:end]) for end in (1, 3, 5)]


@pytest.mark.usefixtures("preloaded")
def test_a_batch_replies_as_each_chat_does_alone(model: Path, tmp_path: Path) -> None:
    """Four chats of unequal history reply in one batch as a cold engine replies to each of them alone."""
    history = [(name, f"Line {turn} of {name}.") for turn in range(3) for name in "abc"[turn:]]
    last = [(name, f"And now, {name * length}?") for length, name in enumerate("abcd", 1)]
    command.batch(model, tmp_path / "history.jsonl", history)
    answers = command.batch(model, tmp_path / "last.jsonl", last)
    assert [answer["conversation"] for answer in answers] == list("abcd")
    assert [answer["reply"] for answer in answers] == [_cold(model, tmp_path, _branch(name)[:-1]) for name in "abcd"]


@pytest.mark.usefixtures("preloaded")
def test_several_first_questions_at_once_are_all_kept(model: Path) -> None:
    """All of them begin in an empty home, with one new chat: one library and one chat have all words once."""
    questions = [f"Hello {number}" for number in range(3)]
    arguments = ("ask", "--model", str(model), "--max-tokens", "2", "--no-cache", "--conversation", "new")
    talks = [Talk(*arguments, question) for question in questions]
    ends = [talk.end()[1] for talk in talks]
    assert ends == [""] * 3
    with closing(Library.open(paths.find().library_file)) as library:
        (chat,) = library.conversations.listed()
        assert sorted(message.content for message in library.messages.branch(chat.id) if message.role == "user") == (
            questions
        )


@pytest.mark.usefixtures("preloaded")
def test_without_a_cache_nothing_is_stored(model: Path, places: Paths) -> None:
    """`--no-cache` answers, and leaves no record behind."""
    assert command.ask(model, "uncached", "Hello", "--no-cache")["cached_from"] == "none"
    assert not list(places.segments.rglob("*.safetensors"))


@pytest.mark.usefixtures("preloaded")
def test_an_interrupt_keeps_the_answer(model: Path) -> None:
    """Ctrl+C prints and stores the text so far as stopped, and exits with the status that shells expect."""
    talk = _started(model)
    engine = _engine_of(talk)
    talk.process.send_signal(signal.SIGINT)
    said, complaint = talk.end()
    assert (talk.process.returncode, complaint) == (130, "")
    question, reply = _branch("long")
    assert (question.content, reply.state) == ("Hello", "stopped")
    assert len(said) > len(reply.content) > 0
    assert not engine.is_running()


@pytest.mark.usefixtures("preloaded")
def test_a_killed_engine_is_one_line(model: Path) -> None:
    """The text so far is stored as interrupted. The error is one sentence, and the exit status is 2."""
    talk = _started(model)
    _engine_of(talk).kill()
    _, complaint = talk.end()
    assert talk.process.returncode == 2
    assert complaint == f"hearth: {INTERRUPTED}\n"
    reply = _branch("long")[-1]
    assert (reply.state, bool(reply.content)) == ("interrupted", True)


@pytest.mark.usefixtures("preloaded")
def test_an_answer_is_saved_several_times_a_second(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a kill loses words of a fraction of a second only, as in the window."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # what is killed leaves its temporary folder
    talk = _started(model)
    saved = [(time.monotonic(), text) for text in _saved_texts(paths.find().library_file, 4)]
    talk.process.kill()
    talk.end()
    assert min(later - earlier for (earlier, _), (later, _) in pairwise(saved)) < 0.6
    assert _branch("long")[-1].content.startswith(saved[-1][1])


def _saved_texts(library: Path, most: int) -> Iterator[str]:
    """The first texts of the open answer that are saved, each as soon as it is there."""
    with closing(sqlite3.connect(library, isolation_level=None)) as connection:
        before = ""
        while most:
            ((text,),) = connection.execute("SELECT content FROM message WHERE state = 'open'").fetchall()
            if text == before:
                time.sleep(0.02)
            else:
                yield text
                before, most = text, most - 1


@pytest.mark.usefixtures("preloaded")
def test_a_killed_app_ends_its_engine(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine stays behind in memory. The next run repairs the library and continues."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # what is killed leaves its temporary folder
    talk = _started(model)
    engine = _engine_of(talk)
    talk.process.kill()
    talk.end()
    engine.wait(timeout=30)
    command.ask(model, "long", "Again")
    states = [message.state for message in _branch("long")]
    assert states == ["done", "interrupted", "done", "stopped"]


@pytest.mark.usefixtures("preloaded")
def test_a_second_hearth_starts_cold(model: Path, places: Paths) -> None:
    """Two engines never share a store. The second one says so and answers anyway."""
    lock = locks.take_engine(places, 0.0)
    assert lock is not None
    result = command.hearth(
        "ask", "--json", "--model", str(model), "--max-tokens", "4", "--conversation", "beside", "Hello"
    )
    lock.close()
    assert result.returncode == 0
    assert (
        result.stderr == "hearth: another Hearth is using the cache on disk, so this starts cold and is not kept warm\n"
    )
    assert json.loads(result.stdout)["cached_from"] == "none"
    assert not list(places.segments.iterdir())


@pytest.mark.usefixtures("preloaded")
def test_turns_that_cannot_be_cached_are_reported_once(model: Path, tmp_path: Path, places: Paths) -> None:
    """If the cache has no space, all turns are answered, and one line says why the next start is cold."""
    settings.save(Settings(cache_quota=1), places.settings)
    file = tmp_path / "two.jsonl"
    file.write_text("".join(json.dumps({"conversation": name, "prompt": "Hello"}) + "\n" for name in "ab"))
    result = command.hearth("ask", "--model", str(model), "--max-tokens", "4", "--batch", str(file))
    assert result.returncode == 0
    assert result.stderr.startswith("hearth: a turn is not kept warm on disk: ")
    assert result.stderr.count("\n") == 1
    assert len(result.stdout.splitlines()) == 2


@pytest.mark.usefixtures("preloaded")
def test_a_missing_cache_disk_does_not_prevent_answers(model: Path, places: Paths) -> None:
    """All turns are answered, and one line says why they are not cached."""
    places.segments.rmdir()
    places.segments.symlink_to("/nowhere/at/all")
    result = command.hearth("ask", "--model", str(model), "--max-tokens", "4", "--conversation", "a", "Hello")
    assert result.returncode == 0
    assert result.stderr.startswith("hearth: a turn is not kept warm on disk: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.usefixtures("preloaded")
def test_a_model_that_cannot_be_loaded_is_one_line(tmp_path: Path) -> None:
    """One sentence says what is wrong with the folder. Only the draft is stored in the library."""
    (tmp_path / "config.json").write_text("{}")
    result = command.hearth("ask", "--model", str(tmp_path), "--conversation", "a", "Hello")
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert _branch("a") == ()


@pytest.mark.usefixtures("preloaded")
def test_a_damaged_library_is_one_line_and_unchanged(model: Path, places: Paths) -> None:
    """A damaged file is reported and not replaced."""
    places.library_file.write_bytes(b"no database at all, only its place " * 200)
    before = places.library_file.read_bytes()
    result = command.hearth("ask", "--model", str(model), "--conversation", "a", "Hello")
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert places.library_file.read_bytes() == before


@pytest.mark.parametrize(
    ("prompt", "closed", "status", "said"),
    [
        ("Hello", "2>&-", 0, ""),
        ("Hello", ">&-", 2, "hearth: The output of this command cannot be written: it is closed.\n"),
        ("Hello", ">&- 2>&-", 2, ""),
        pytest.param(
            *("Hello", ">/dev/full 2>/dev/full", 2, ""),
            marks=pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this file"),
        ),
        ("-", "<&-", 2, "hearth: The prompt is empty.\n"),
    ],
)
def test_a_stream_that_takes_nothing_ends_the_command(
    model: Path, prompt: str, closed: str, status: int, said: str
) -> None:
    """Some programs start others with closed streams, and a log may be on a full disk. A command that could not even
    complain waited without end.
    """
    asked = command.command("ask", "--model", str(model), "--max-tokens", "2", "--conversation", "c", prompt)
    line = ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *asked]
    result = subprocess.run(line, cwd=command.ROOT, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert (result.returncode, result.stderr) == (status, said)


def test_version_and_help_need_nothing() -> None:
    """They need no home, no model and no window system."""
    assert command.hearth("--version").stdout.startswith("hearth ")
    assert "ask" in command.hearth("--help").stdout
    assert "--conversation" in command.hearth("ask", "--help").stdout
    assert not paths.find().data.exists()
