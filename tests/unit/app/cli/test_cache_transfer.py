"""One command for an engine, and the chat that an import begins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.base.errors import BadArguments, CacheNotMoved
from app.base.paths import Paths
from app.cli import cache_transfer
from app.cli.cache_transfer import EngineSetup, Errand, give_out, take_in
from engine.protocol.cache_messages import CacheMoved, ImportCache
from engine.protocol.messages import Command, ExportCache, LoadModel, ModelFailed, ModelLoaded, Ready
from storage.library.library import Library

FILE = Path("cache.safetensors")
LOAD = LoadModel("a/model", 8)


class FakeBridge:
    """Records the commands and the way in which it was ended."""

    def __init__(self) -> None:
        self.sent: list[Command] = []
        self.ended: list[str] = []

    def send(self, command: Command) -> None:
        self.sent.append(command)

    def shutdown(self, _patience_s: float) -> None:
        self.ended.append("asked")

    def kill(self) -> None:
        self.ended.append("killed")


@pytest.fixture
def bridge() -> FakeBridge:
    return FakeBridge()


@pytest.fixture
def errand(bridge: FakeBridge) -> Errand:
    command = ExportCache("r", "c", (), "out.safetensors")
    errand = Errand(bridge, LOAD, command)  # type: ignore[arg-type] # as much of a bridge as an errand needs
    errand.engine_event(Ready(3))
    assert bridge.sent == [LOAD, command]
    return errand


@pytest.fixture
def setup(places: Paths) -> EngineSetup:
    return EngineSetup(places, LoadModel("a/model"), 1 << 30, "Answer in rhymes.")


def library_of(places: Paths) -> Library:
    return Library.open(places.library_file)


def test_an_errand_ends_with_what_the_engine_says(errand: Errand, bridge: FakeBridge) -> None:
    """The engine is shut down once, after it has carried out the command."""
    errand.engine_event(ModelLoaded("a/model", 10))
    assert not bridge.ended
    errand.engine_event(CacheMoved("r", 17, 1000))
    errand.engine_lost()
    assert bridge.ended == ["asked"]
    assert errand.result() == CacheMoved("r", 17, 1000)


@pytest.mark.parametrize(
    ("happens", "why"),
    [
        (lambda e: e.engine_event(ModelFailed("a/model", "model_missing", "There is no model.")), "There is no model."),
        (lambda e: e.engine_event(CacheMoved("r", code="cache_refused", message="It is none.")), "It is none."),
        (lambda e: e.engine_lost(), "The engine stopped."),
        (lambda e: e.engine_failed("It cannot be started."), "It cannot be started."),
        (lambda e: e.fail("Something went wrong."), "Something went wrong."),
    ],
)
def test_whatever_goes_wrong_is_one_sentence(
    errand: Errand, bridge: FakeBridge, happens: Callable[[Errand], None], why: str
) -> None:
    """The first fault is reported, and the engine is ended."""
    happens(errand)
    errand.engine_event(CacheMoved("r", code="no_model", message="No model is loaded."))
    assert bridge.ended == ["asked"]
    with pytest.raises(CacheNotMoved, match=why):
        errand.result()


def test_a_second_signal_does_not_wait(errand: Errand, bridge: FakeBridge) -> None:
    """The first signal lets the engine end in order."""
    errand.stop(2)
    assert bridge.ended == ["asked"]
    errand.stop(15)
    assert bridge.ended == ["asked", "killed"]
    assert errand.result() == 15


def test_an_import_begins_a_chat_with_its_text_as_the_draft(
    setup: EngineSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the first prompt begins with the text that is cached."""
    asked: list[ImportCache] = []

    def run(_setup: EngineSetup, command: ImportCache) -> CacheMoved:
        asked.append(command)
        return CacheMoved(command.request, 17, 2048)

    monkeypatch.setattr(cache_transfer, "run_in_engine", run)
    outcome = take_in(setup, FILE, "It was a dark night.", "Be brief.", "Rain")
    (command,) = asked
    assert (command.path, command.text, command.system) == (str(FILE.absolute()), "It was a dark night.", "Be brief.")
    assert outcome.value == {"conversation": command.conversation, "title": "Rain", "tokens": 17, "bytes": 2048}
    assert outcome.lines == ["Imported 17 tokens (2 KB) as a new chat; its draft is the text."]
    library = library_of(setup.paths)
    chat = library.conversations.get(command.conversation)
    assert (chat.title, chat.system, library.conversations.draft(chat.id).typed) == (
        "Rain",
        "Be brief.",
        "It was a dark night.",
    )
    library.close()


@pytest.mark.parametrize("end", [CacheNotMoved("It was refused."), 2, KeyboardInterrupt()])
def test_an_import_that_fails_leaves_no_chat(
    setup: EngineSetup, end: BaseException | int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refused, interrupted or broken off, an import leaves nothing behind."""

    def run(*_: object) -> int:
        if isinstance(end, BaseException):
            raise end
        return end

    monkeypatch.setattr(cache_transfer, "run_in_engine", run)
    if isinstance(end, int):
        assert take_in(setup, FILE, "Text", "", "").signal == end
    else:
        with pytest.raises(type(end)):
            take_in(setup, FILE, "Text", "", "")
    library = library_of(setup.paths)
    assert library.conversations.listed() == ()
    assert library.trash.listed() == ()
    library.close()


def test_a_chat_is_exported_by_its_title_or_its_id(setup: EngineSetup, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine gets the messages as the model reads them, the system prompt first: that of the chat, or else of the
    model.
    """
    library = library_of(setup.paths)
    plain = library.conversations.create(title="Snowfall")
    library.messages.begin_turn(plain.id, "How much?", "a/model")
    chat = library.conversations.create(title="Rain", system="Be brief.")
    empty = library.conversations.create(title="Nothing yet")
    library.messages.begin_turn(chat.id, "What fell?", "a/model")
    library.close()
    asked: list[ExportCache] = []

    def run(_setup: EngineSetup, command: ExportCache) -> CacheMoved:
        asked.append(command)
        return CacheMoved(command.request, 17, 2048)

    monkeypatch.setattr(cache_transfer, "run_in_engine", run)
    for name in ("Rain", chat.id):
        outcome = give_out(setup, name, FILE)
        assert (outcome.value, outcome.lines) == (
            {"conversation": chat.id, "title": "Rain", "tokens": 17, "bytes": 2048},
            ["Exported 17 tokens (2 KB)."],
        )
    for command in asked:
        assert (command.conversation, command.path) == (chat.id, str(FILE.absolute()))
        assert [(m.role, m.content) for m in command.messages] == [("system", "Be brief."), ("user", "What fell?")]
    give_out(setup, "Snowfall", FILE)
    assert [(m.role, m.content) for m in asked[-1].messages] == [("system", "Answer in rhymes."), ("user", "How much?")]
    for name, why in [("Snow", "no chat 'Snow'"), (empty.title, "nothing in this chat")]:
        with pytest.raises(BadArguments, match=why):
            give_out(setup, name, FILE)
