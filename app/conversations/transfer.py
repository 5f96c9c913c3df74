"""Transfer: imports conversations from files, exports them, and reports the progress. No Qt.

Files are read and written beside the library's thread, because they may be large. They are imported one after another,
so that only one of them is in memory. `ImportOutcome` words what all that were waiting brought, once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import Final

from app.base.errors import LOST_FILES, ImportCancelled, notice
from app.conversations import prompts
from app.conversations.chats import Chats
from app.conversations.presets import Presets
from app.conversations.prompts import SavedPrompts
from app.import_export.import_summary import Remarks, counts, sentence
from resources.language.text import mark, plural, tr
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.archive_import import ArchiveImport
from storage.library.library import Library
from storage.library.rows import Message, MessageData
from ui.intents.library import CancelImport, ImportAgain
from ui.intents.notice import Notice
from ui.theme.phrases import enumerated, one_line, quoted

_BOTH: Final = 2
_MOST_TOLD: Final = 3
"""So many files that were refused are named, with the reason, and so many chats that were left out."""


@dataclass(slots=True)
class ImportOutcome:
    """The files that were imported, the ids of their chats that are new or were here already, how many prompts and
    presets are new, the errors of the files that were refused, and whether the user has cancelled the rest.
    """

    paths: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    here: list[str] = field(default_factory=list)
    prompts: int = 0
    presets: int = 0
    errors: list[Exception] = field(default_factory=list)
    is_cancelled: bool = False
    _remarks: Remarks = field(default_factory=Counter)
    _left_out: list[str] = field(default_factory=list)
    _has_own: bool = False

    def add(self, path: str, complete: ArchiveImport, archive: Archive) -> None:
        """What `archive`, the file at `path`, has was imported."""
        self.paths.append(path)
        self.made += complete.ids
        self.here += complete.here
        self._remarks.update(dict(archive.remarks))
        self._left_out += archive.left_out

    def add_own(self, prompts: int, presets: int) -> None:
        """A file had prompts or presets, of which so many are new."""
        self._has_own = True
        self.prompts += prompts
        self.presets += presets

    @property
    def files(self) -> int:
        """How many files were imported or refused."""
        return len(self.paths) + len(self.errors)

    @property
    def is_known(self) -> bool:
        """Whether the files have chats, and all of them were here already."""
        return bool(self.here) and not self.made

    @property
    def only_chat(self) -> str:
        """The only chat of all files, or ""."""
        chats = {*self.made, *self.here}
        return chats.pop() if len(chats) == 1 else ""

    @property
    def words(self) -> str:
        """The sentences about what came; empty if no file could be imported."""
        told = (
            tr("The import was cancelled.") if self.is_cancelled else "",
            _counted(len(self.made), len(self.here)),
            _own(self.prompts, self.presets) if self._has_own else "",
            sentence(counts(self._remarks)),
            _named(self._left_out),
        )
        return " ".join(filter(None, told))

    def refusals(self) -> Iterator[Notice]:
        """One notice for each kind of error, because a notice replaces an earlier one of its kind."""
        kinds: dict[str, list[Notice]] = {}
        for error in self.errors:
            told = notice(error)
            kinds.setdefault(told.key, []).append(told)
        for first, *others in kinds.values():
            texts = list(dict.fromkeys((first.text, *(one.text for one in others))))
            if (more := len(texts) - _MOST_TOLD) > 0:
                more_words = plural(
                    "{count} other file was not imported.", "{count} other files were not imported.", more
                )
                texts[_MOST_TOLD:] = [more_words]
            yield replace(first, text="\n".join(texts))


def _counted(made: int, here: int) -> str:
    """The sentence about the chats of the files; empty if they have none."""
    if made and here:
        known = plural("{count} was here already", "{count} were here already", here)
        return plural("{count} chat imported, {known}.", "{count} chats imported, {known}.", made, known=known)
    if here == _BOTH:
        return tr("Both chats are here already.")
    if here:
        return plural("This chat is here already.", "All {count} chats are here already.", here)
    return plural("{count} chat imported.", "{count} chats imported.", made) if made else ""


def _named(titles: list[str]) -> str:
    """The sentence about chats that were left out; empty if there are none, or none has a title."""
    shown = [quoted(title) for title in titles if one_line(title)]
    if len(shown) > _MOST_TOLD:
        return tr("Left out: {titles} and others.", titles=", ".join(shown[:_MOST_TOLD]))
    return tr("Left out: {titles}.", titles=enumerated(shown)) if shown else ""


def _own(prompts: int, presets: int) -> str:
    """The sentence about what came beside the chats."""
    prompts_words = plural("{count} prompt was added.", "{count} prompts were added.", prompts)
    presets_words = plural("{count} preset was added.", "{count} presets were added.", presets)
    told = " ".join(words for count, words in ((prompts, prompts_words), (presets, presets_words)) if count)
    return told or tr("The prompts and presets are here already.")


TRANSFER: Final = "transfer"
"""The key of the notice about an import or an export. If all imported chats are here already, its button imports their
files again.
"""
_WITHOUT_FILES: Final = mark("The text of attached files is in .hearth files alone.")


class Transfer:
    """`opened` is called with the id of an imported chat, or of the one that is here already, if the files have only
    one. The user's prompts and `presets` travel with an export of all chats. `models` returns the folders in which the
    user's models are; it is called on the thread that reads a file. `cancelled` ends the import that runs: what was
    added of the present file is erased, the files behind it are not read, and those before it stay.
    """

    def __init__(
        self,
        chats: Chats,
        presets: Presets,
        prompts: SavedPrompts,
        opened: Callable[[str], object],
        models: Callable[[], Iterable[Path]],
    ) -> None:
        self._chats = chats
        self._presets = presets
        self._prompts = prompts
        self._opened = opened
        self._models = models
        self._queue: dict[str, bool] = {}  # paths, the present one first, and whether they are imported again
        self._outcome = ImportOutcome()
        self._last: tuple[str, ...] = ()
        self.cancelled = Event()  # the thread that reads a file asks it
        self._is_closed = False

    def import_file(self, path: str, *, again: bool = False) -> None:
        """Add all readable chats of a file to the library, and report what was not readable. Skip chats that are here
        already, unless they are to be imported `again`. If adding fails, the library stays as it was.

        A file that waits or is being imported is not imported a second time meanwhile: its chats are not here yet. The
        system may report one file both on the command line and by an event. Once the app is closing, nothing is
        imported any more.
        """
        if path not in self._queue and not self._is_closed:
            self._queue[path] = again
            if len(self._queue) == 1:
                self.cancelled.clear()
                self._begin()

    def import_again(self) -> None:
        """Import the last files, whose chats are all here already."""
        for path in self._last:
            self.import_file(path, again=True)

    def close(self) -> None:
        """The app is closing: cancel the import that runs. Its rest could take minutes."""
        self._is_closed = True
        self.cancelled.set()

    def export_file(self, conversations: tuple[str, ...], path: str) -> None:
        """Write chats to a file, all of them if none is named. The suffix of `path` chooses the format."""
        own, changes, unsaved = self._presets.archived(), dict(self._prompts.saves.items()), self._unsaved()

        def job(library: Library) -> Archive:
            if conversations:
                return _with_replies(library.transfer.export(conversations), unsaved)
            told = prompts.archived(library, changes)
            return _with_replies(replace(library.transfer.export(), presets=own, prompts=told), unsaved)

        self._chats.of(next(iter(conversations), "")).tasks.run(job, partial(self._write, Path(path)), self._failed)

    def copy_markdown(self, conversation: str) -> None:
        """Copy one chat to the clipboard."""
        tasks, unsaved = self._chats.of(conversation).tasks, self._unsaved()

        def job(library: Library) -> Archive:
            return _with_replies(library.transfer.export((conversation,)), unsaved)

        def encode(archive: Archive) -> str:
            from app.import_export import markdown

            return markdown.encode(archive)

        def copy(text: str) -> None:
            self._chats.window.copy_text(text)
            self._say(tr("The chat is on the clipboard, as Markdown."))

        tasks.run(job, lambda archive: tasks.apart(partial(encode, archive), copy, self._failed), self._failed)

    def _unsaved(self) -> dict[str, Message]:
        """The answers that the library does not have yet, such as on a full disk, by their ids."""
        sessions = self._chats.sessions.of_all("")
        return {reply.id: reply for session in sessions for reply in session.presenter.unsaved()}

    def _begin(self) -> None:
        """Import the first file of the queue."""
        path, again = next(iter(self._queue.items()))
        name, number, count = Path(path).name, self._outcome.files + 1, self._outcome.files + len(self._queue)
        one, several = tr("Reading {name}", name=name), mark("Reading {name}, file {number} of {count}")
        self._say_running(one if count == 1 else tr(several, name=name, number=number, count=count))
        read = partial(_read, Path(path), self.cancelled, self._models)
        self._chats.kept.tasks.read_chats(read, partial(self._add, again=again), self._not_imported)

    def _add(self, archive: Archive, *, again: bool) -> None:
        if self.cancelled.is_set():
            self._not_imported(ImportCancelled())
            return
        if again:
            archive = replace(archive, conversations=tuple(map(_copy, archive.conversations)))
        go_on = partial(self._import_next, ArchiveImport(archive, again=again), archive)
        if not (archive.prompts or archive.presets):
            go_on()
            return
        new = self._presets.take(archive.presets)

        def taken(prompts: int) -> None:
            self._outcome.add_own(prompts, new)
            self._prompts.show()
            go_on()

        self._chats.kept.tasks.run(lambda library: prompts.take(library, archive.prompts), taken, self._not_imported)

    def _import_next(self, running: ArchiveImport, archive: Archive, shown: str = "") -> None:
        """Import one portion. Other library jobs that were given meanwhile run before the next portion."""
        tasks, mark = self._chats.kept.tasks, running.mark
        if self.cancelled.is_set():
            tasks.run(
                lambda library: library.trash.discard_import(mark),
                lambda _: self._not_imported(ImportCancelled()),
                self._not_imported,
            )
            return
        if (now := _progress(running)) != shown:
            self._say_running(now)

        def imported(complete: bool) -> None:  # noqa: FBT001 - what the job found
            if complete:
                self._outcome.add(next(iter(self._queue)), running, archive)
                self._end()
            else:
                self._import_next(running, archive, now)

        tasks.run(lambda library: library.transfer.import_next(running), imported, self._not_imported)

    def _not_imported(self, error: Exception) -> None:
        if isinstance(error, ImportCancelled):
            self._outcome.is_cancelled = True
        else:
            self._outcome.errors.append(error)
        self._end()

    def _end(self) -> None:
        """A file was imported or refused: begin the next one, or tell what all of them brought."""
        del self._queue[next(iter(self._queue))]
        if self._outcome.is_cancelled:
            self._queue.clear()
        if self._queue:
            self._begin()
            return
        outcome, self._outcome = self._outcome, ImportOutcome()
        self._last = tuple(outcome.paths)
        if words := outcome.words:
            self._say(words, again=outcome.is_known)
        else:
            self._chats.window.clear_notice(TRANSFER)
        for refusal in outcome.refusals():
            self._chats.window.show_notice(refusal)
        self._chats.list.refresh()
        if outcome.only_chat:
            self._opened(outcome.only_chat)

    def _write(self, path: Path, archive: Archive) -> None:
        count = len(archive.conversations)
        told = plural("{count} chat exported to {name}.", "{count} chats exported to {name}.", count, name=path.name)
        has_files = any(said.attachments for chat in archive.conversations for said in chat.messages)
        if path.suffix.lower() == ".md" and has_files:
            told = f"{told} {tr(_WITHOUT_FILES)}"
        elif archive.lost:
            told = f"{told} {plural(*LOST_FILES, archive.lost)}"

        def write() -> None:
            from app.import_export import files

            files.write(archive, path)

        self._chats.kept.tasks.apart(write, lambda _: self._say(told), self._failed)

    def _say(self, text: str, *, again: bool = False) -> None:
        """`again`: offer to import the files once more."""
        action, intent = (tr("Import again"), ImportAgain()) if again else ("", None)
        self._chats.window.show_notice(Notice(TRANSFER, text, action, intent=intent, passing=True))

    def _say_running(self, text: str) -> None:
        """Say how far an import is. The notice stays until its end."""
        self._chats.window.show_notice(Notice(TRANSFER, text, tr("Cancel"), intent=CancelImport(), stays=True))

    def _failed(self, error: Exception) -> None:
        self._chats.window.clear_notice(TRANSFER)
        self._chats.window.show_notice(notice(error))


def _with_replies(archive: Archive, replies: Mapping[str, Message]) -> Archive:
    """The archive with these replies in place of what the library has of them."""
    names = [one.name for one in fields(MessageData)]

    def newest(said: ArchivedMessage) -> ArchivedMessage:
        reply = replies.get(said.id)
        return said if reply is None else replace(said, **{name: getattr(reply, name) for name in names})

    chats = archive.conversations
    return replace(archive, conversations=tuple(replace(c, messages=tuple(map(newest, c.messages))) for c in chats))


def _copy(chat: ArchivedConversation) -> ArchivedConversation:
    """A chat beside the one that is here already. A chat without a title stays so."""
    return replace(chat, title=tr("{title} (copy)", title=chat.title) if chat.title else "", pinned=False)


def _progress(running: ArchiveImport) -> str:
    """Say how much is imported, in steps of ten percent, so that the notice does not change all the time. Empty while
    chats are compared.
    """
    if not running.count:
        return ""
    percent, count = 10 * (10 * running.done // running.count), len(running.ids)
    return plural("Importing {count} chat: {percent}%", "Importing {count} chats: {percent}%", count, percent=percent)


# The formats are imported by the jobs that read or write a file: no start needs them.


def _read(path: Path, cancelled: Event, models: Callable[[], Iterable[Path]]) -> Archive:
    """The file may come from anyone. So a chat whose model is none of the user's has none, as a chat is answered by its
    own model. An answer that failed does not say why: the words would stand in the window as Hearth's.
    """
    from app.import_export import files

    found, places = files.read(path, cancelled.is_set), tuple(models())

    def is_ours(model: Path) -> bool:
        """By the names alone: a look at the disk may wait for another computer."""
        return ".." not in model.parts and any(map(model.is_relative_to, places))

    def own(chat: ArchivedConversation) -> ArchivedConversation:
        messages = tuple(replace(said, error="") if said.error else said for said in chat.messages)
        return replace(chat, model=chat.model if is_ours(Path(chat.model)) else "", messages=messages)

    return replace(found, conversations=tuple(map(own, found.conversations)))
