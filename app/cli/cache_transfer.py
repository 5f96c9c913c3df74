"""`hearth cache import` and `export`: starts an engine for one command, and makes the new chat of an import."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from PySide6.QtCore import QCoreApplication, QEventLoop

from app.base import logs, paths, program
from app.base.errors import BadArguments, CacheNotMoved, engine_words, load_words, words
from app.base.model_names import name_of
from app.base.paths import Paths
from app.base.terminal import counted
from app.chat import turn_jobs
from app.chat.turn_jobs import with_system
from app.cli import home
from app.cli.cache_store import CommandOutcome, alone
from app.desktop import excepthook, signals
from app.desktop.shutdown import ENGINE_SECONDS
from app.engine_client.engine_process import EngineProcess
from engine.protocol.cache_messages import CacheMoved, ImportCache
from engine.protocol.group import GroupEnded
from engine.protocol.messages import Event, ExportCache, LoadModel, ModelFailed, Ready
from storage.errors import NoSuchConversation
from storage.library.library import Library
from storage.library.rows import SavedDraft
from ui.theme.phrases import size


@dataclass(frozen=True, slots=True)
class EngineSetup:
    """The engine that moves a cache: `load` loads its model, `quota` is the limit of the caches in bytes, and `system`
    the user's system prompt for the model.
    """

    paths: Paths
    load: LoadModel
    quota: int
    system: str


def setup(model: str | None) -> EngineSetup:
    """Return what moves a cache of the model that the user names, or of the one picked last. Raises AppError."""
    places = paths.find()
    saved = home.saved(places)
    folder = home.model_meant(places, saved, model)
    paths.prepare(places)
    return EngineSetup(
        places, saved.load_command(folder), home.cache_quota(places, saved), saved.of_model(folder).system
    )


def text_in(name: str) -> str:
    """Return the text of a file, or of stdin for "-". Raises BadArguments."""
    try:
        return home.content_of(name).decode()
    except UnicodeDecodeError as error:
        raise BadArguments(f"{name} is not UTF-8 text.") from error


def run_in_engine(setup: EngineSetup, command: ImportCache | ExportCache) -> CacheMoved | int:
    """Return the engine's answer to `command`, or the number of the signal that interrupted it. Raises
    CacheNotMoved.
    """
    application = QCoreApplication.instance() or QCoreApplication(["hearth"])
    process = EngineProcess(program.engine(setup.paths.segments, setup.quota))
    errand = Errand(process, setup.load, command)
    loop = QEventLoop()
    process.ended.connect(loop.quit)
    with (
        signals.received(errand.stop),
        logs.written(setup.paths.logs, "cache"),
        excepthook.installed(lambda error: errand.fail(words(error))),
    ):
        process.start(errand)
        loop.exec()
    del application
    return errand.result()


def take_in(setup: EngineSetup, file: Path, text: str, system: str, title: str) -> CommandOutcome:
    """Begin a chat with the cache in `file`, which was made of `text`. The text becomes the chat's draft.

    Raises AlreadyRunning, CacheNotMoved, StorageError; there is no new chat then.
    """
    with alone(setup.paths), closing(Library.open(setup.paths.library_file)) as library:
        chat = library.conversations.create(title=title, system=system, model=setup.load.subject)
        done: CacheMoved | int = 0
        try:
            command = ImportCache(uuid4().hex, chat.id, str(paths.absolute(file)), text, system)
            done = run_in_engine(setup, command)
            library.conversations.save_draft(chat.id, SavedDraft(text))
        finally:
            if not isinstance(done, CacheMoved):
                library.trash.erase(chat.id)
    said = "Imported {tokens} ({size}) as a new chat; its draft is the text."
    return _outcome(done, chat.id, title, said)


def give_out(setup: EngineSetup, name: str, file: Path) -> CommandOutcome:
    """Write the cache of a chat, named by its title or id, to `file`. Raises as `take_in`, and BadArguments."""
    with alone(setup.paths), closing(Library.open(setup.paths.library_file)) as library:
        chat = library.conversations.find(name)
        try:
            branch = turn_jobs.read(library, chat.id if chat else name)
        except NoSuchConversation as error:
            raise BadArguments(f"There is no chat {name!r}.") from error
        if not branch.history:
            raise BadArguments("There is nothing in this chat yet.")
        path = str(paths.absolute(file))
        messages = with_system(branch.history, setup.system)
        done = run_in_engine(setup, ExportCache(uuid4().hex, branch.conversation.id, messages, path))
    return _outcome(done, branch.conversation.id, branch.conversation.title, "Exported {tokens} ({size}).")


def _outcome(done: CacheMoved | int, conversation: str, title: str, said: str) -> CommandOutcome:
    if isinstance(done, int):
        return CommandOutcome(None, (), signal=done)
    moved = {"conversation": conversation, "title": title, "tokens": done.tokens, "bytes": done.bytes}
    return CommandOutcome(moved, [said.format(tokens=counted(done.tokens, "token"), size=size(done.bytes))])


class Errand:
    """Implements `app.base.ports.EngineListener` for one command: starts the engine, sends the command and ends the
    engine.
    """

    def __init__(self, process: EngineProcess, model: LoadModel, command: ImportCache | ExportCache) -> None:
        self._process = process
        self._model = model
        self._command = command
        self._signal = 0
        self._end: CacheMoved | int | str | None = None
        """The outcome, the number of a signal, or why the command was refused. Nothing replaces an outcome."""

    def engine_event(self, event: Event) -> None:
        """The engine obeys in order: it loads the model first."""
        match event:
            case Ready():
                self._process.send(self._model)
                self._process.send(self._command)
            case ModelFailed():
                self.fail(load_words(name_of(Path(event.path)), event.code, event.message))
            case CacheMoved() if event.request != self._command.request:
                return
            case CacheMoved() if event.code:
                self.fail(engine_words(event.code, event.message))
            case CacheMoved():
                self._end_by(event)

    def engine_lost(self) -> None:
        """A restarted engine would not have the command."""
        self.fail("The engine stopped. The log has the details.")

    engine_replaced = engine_lost

    def group_ended(self, _end: GroupEnded, *, again: bool) -> None:  # noqa: ARG002 - the command is lost either way
        """As EngineListener; the command is lost with its engine."""
        self.engine_lost()

    def fail(self, reason: str) -> None:
        """End with this sentence, unless it has ended already."""
        self._end_by(self._end or reason)

    engine_failed = fail

    def stop(self, number: int) -> None:
        """End because of a signal; a second signal kills the engine."""
        if self._signal:
            self._process.kill()
        self._signal = number
        self._end_by(number)

    def result(self) -> CacheMoved | int:
        """Return the outcome, once the engine has ended; see `run_in_engine`."""
        if isinstance(self._end, CacheMoved | int):
            return self._end
        raise CacheNotMoved(self._end or "")

    def _end_by(self, end: CacheMoved | int | str) -> None:
        before = self._end
        if not isinstance(before, CacheMoved):
            self._end = end
        if before is None:
            self._process.shutdown(ENGINE_SECONDS)
