"""Messages of libraries stay in the log, at every edge where an exception becomes an event."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from jinja2 import TemplateError

from engine.decode.batch import Batch
from engine.interop.convert import write
from engine.interop.transfer import Transfers
from engine.memory.machine import Machine
from engine.prompt.chat_template import ChatTemplate
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import CacheMoved, ImportCache
from engine.protocol.errors import FOREIGN, CacheNotWritten, PromptRefused
from engine.protocol.messages import ChatMessage
from engine.server import generation, open_requests
from engine.turn import prepare
from tests.fakes import tiny_models
from tests.fakes.chat_tokenizers import model
from tests.fakes.engine_life import Chat, Engine
from tests.fakes.foreign_errors import ERRORS, shows

MANY = 1_000
THE_SYSTEMS = {"Permission denied", "No such file or directory"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.build(tmp_path_factory.mktemp("foreign") / "model", "llama")


def one_after_another() -> Callable[..., Any]:
    """A function that raises the next of the errors at each call."""
    waiting = list(reversed(ERRORS))

    def fail(*_: object, **__: object) -> None:
        raise waiting.pop().with_traceback(None)

    return fail


@pytest.mark.parametrize(
    ("owner", "name", "beginning"),
    [
        (open_requests, "rendered_question", "The engine could not handle this request"),
        (prepare, "tokenize_prompt", "The engine could not handle this request"),
        (generation, "begin_chunk", "The model failed"),
        (Batch, "join_all", "The answer could not be started"),
        (Batch, "step", "The model failed"),
    ],
    ids=["render", "tokenize", "prefill", "join", "decode"],
)
def test_a_request_that_fails(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, beginning: str
) -> None:
    """A request that fails in any phase ends with Hearth's own words. If the model failed, the machine hears of it
    first: one of a group that has lost another one ends then, and its next group answers the request. Nothing else
    counts against the model, however often it fails.
    """
    told_before = [] if beginning.startswith("The engine") else ["the model"]
    if told_before:
        monkeypatch.setattr(open_requests, "MOST_FAILURES", MANY)
    monkeypatch.setattr(owner, name, one_after_another())
    told = list[str]()
    asks = (partial(Chat(f"c{number}").ask, "Hello", cached=False) for number in range(len(ERRORS)))
    Engine(tmp_path, folder, machine=Machine(model_failed=lambda: told.append("the model"))).play(
        *asks,
        after=protocol.TurnFinished,
        stores=0,
        on=lambda event: told.append(event.message) if isinstance(event, protocol.TurnFinished) else None,
    )
    for error in ERRORS:
        *before, text = [told.pop(0) for _ in (*told_before, "the end")]
        assert before == told_before
        assert text.startswith(beginning)
        assert shows(error, text) == set()
    assert told == []


def test_a_cache_that_cannot_be_moved(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A foreign file may make libraries raise anything. Only the operating system's reasons are shown."""
    fail = one_after_another()

    def importing(*_: object) -> Iterator[None]:
        yield fail()

    monkeypatch.setattr(Transfers, "_importing", importing)
    commands = [ImportCache(f"r{number}", "c", "file", "text") for number in range(len(ERRORS))]
    life = Engine(tmp_path, folder).live(*commands)
    moved = {event.request: event for event in life.heard(CacheMoved)}
    for number, error in enumerate(ERRORS):
        assert moved[f"r{number}"].code
        assert shows(error, moved[f"r{number}"].message) <= THE_SYSTEMS


@pytest.mark.parametrize("error", [e for e in ERRORS if isinstance(e, OSError | RuntimeError)], ids=repr)
def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """The message names the file. Only the operating system's reasons are shown: they name a fault of the disk."""

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("engine.interop.convert.save_prompt_cache", fail)
    with pytest.raises(CacheNotWritten) as refusal:
        write(tmp_path / "out.safetensors", [], {})
    assert shows(error, str(refusal.value)) <= THE_SYSTEMS


@pytest.mark.parametrize(
    "error",
    [e for e in ERRORS if isinstance(e, (TemplateError, *FOREIGN)) and not isinstance(e, MemoryError)],
    ids=lambda error: type(error).__name__,
)
def test_a_template_that_refuses(error: Exception) -> None:
    """The messages of Jinja and of Python are not shown."""

    class Tokenizer:
        chat_template = "x"

        def apply_chat_template(self, conversation: list[dict[str, Any]], **options: Any) -> str:
            del options
            if len(conversation) > 1:
                raise error
            return "one message"

    template = ChatTemplate(Tokenizer())
    with pytest.raises(PromptRefused) as refusal:
        template.text([ChatMessage("user", "Hello")] * 2, asking=True)
    assert shows(error, str(refusal.value)) == set()


def test_tools_that_are_not_json() -> None:
    """The parser's position in the text is not shown."""
    with pytest.raises(PromptRefused, match=r"^The tools are not valid JSON\.$"):
        model("qwen3").template.text([ChatMessage("user", "Hello")], asking=True, tools="{")
