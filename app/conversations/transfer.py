"""Transfer: imports conversations from files, exports them, and reports the progress. No Qt.

Files are read and written beside the library's thread, because they may be large.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.base.errors import notice
from app.conversations import prompts
from app.import_export.import_summary import sentence
from resources.language.text import plural, tr
from storage.library.archive_import import ArchiveImport
from ui.state.notice import Notice

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import ChatsSink
    from app.conversations.list import ChatList
    from app.conversations.presets import Presets
    from app.conversations.stores import Stores
    from storage.library.archive import Archive
    from storage.library.library import Library
    from ui.state.prompts import PromptView

TRANSFER: Final = "transfer"
"""The key of the notice about an import or an export. If all chats of a file are here already, its button imports the
file again.
"""


@dataclass(frozen=True, slots=True)
class _FileImport:
    """An import of the file at `path`. `remarks` are sentences that follow the one about its chats."""

    path: str
    running: ArchiveImport
    remarks: str


class Transfer:
    """`opened` is called with the id of an imported chat, or of the one that is here already, if the file has only one.
    The user's prompts and `presets` travel with an export of all chats.
    """

    def __init__(
        self, stores: Stores, window: ChatsSink, chats: ChatList, presets: Presets, opened: Callable[[str], object]
    ) -> None:
        self._stores = stores
        self._window = window
        self._list = chats
        self._presets = presets
        self._opened = opened
        self._last = ""
        self._importing: set[str] = set()

    def import_file(self, path: str, *, again: bool = False) -> None:
        """Add all readable chats of a file to the library, and report what was not readable. Skip chats that are here
        already, unless they are to be imported `again`. If adding fails, the library stays as it was.

        A file that is being imported is not imported a second time meanwhile: its chats are not here yet. The system
        may report one file both on the command line and by an event.
        """
        if path in self._importing:
            return
        self._importing.add(path)
        self._say(tr("Reading {name}", name=Path(path).name))
        add = partial(self._add, path, again=again)
        self._stores.kept.tasks.apart(partial(_read, Path(path)), add, partial(self._not_imported, path))

    def import_again(self) -> None:
        """Import the file whose chats are all here already."""
        self.import_file(self._last, again=True)

    def export_file(self, conversation: str, path: str) -> None:
        """Write one chat ("": all chats) to a file. The suffix of `path` chooses the format."""
        job = partial(_archived, conversation=conversation)
        tasks = self._stores.of(conversation).tasks
        own = () if conversation else self._presets.archived()
        tasks.run(job, lambda archive: self._write(Path(path), replace(archive, presets=own)), self._failed)

    def export_chosen(self, conversations: tuple[str, ...], path: str) -> None:
        """Write several chats to a file. The suffix of `path` chooses the format."""
        self._stores.kept.tasks.run(
            lambda library: library.transfer.export(conversations), partial(self._write, Path(path)), self._failed
        )

    def copy_markdown(self, conversation: str) -> None:
        """Copy one chat to the clipboard."""
        self._stores.of(conversation).tasks.run(
            lambda library: _markdown(_archived(library, conversation)), self._copied, self._failed
        )

    def _copied(self, text: str) -> None:
        self._window.copy_text(text)
        self._say(tr("The chat is on the clipboard, as Markdown."))

    def _add(self, path: str, archive: Archive, *, again: bool) -> None:
        self._list.settle()  # a chat whose deletion can still be undone is not here
        begun = _FileImport(path, ArchiveImport(archive, again=again), sentence(archive.remarks))
        if not (archive.prompts or archive.presets):
            self._import_next(begun, "")
            return
        new = self._presets.take(archive.presets)

        def taken(found: tuple[int, tuple[PromptView, ...]]) -> None:
            prompts, views = found
            self._window.set_prompts(views)
            self._import_next(replace(begun, remarks=f"{_own(prompts, new)} {begun.remarks}".strip()), "")

        self._stores.kept.tasks.run(partial(_take, archive=archive), taken, partial(self._not_imported, path))

    def _import_next(self, begun: _FileImport, shown: str) -> None:
        """Import one portion. Other library jobs that were given meanwhile run before the next portion."""
        if (now := _progress(begun.running)) != shown:
            self._say(now)
        job, done = partial(_import_portion, running=begun.running), partial(self._portion_imported, begun, now)
        self._stores.kept.tasks.run(job, done, partial(self._not_imported, begun.path))

    def _portion_imported(self, begun: _FileImport, shown: str, complete: bool) -> None:  # noqa: FBT001 - what the job found
        if complete:
            self._added(begun)
        else:
            self._import_next(begun, shown)

    def _added(self, begun: _FileImport) -> None:
        made, here = begun.running.ids, begun.running.here
        self._last = begun.path
        self._importing.discard(begun.path)
        is_known = here and not made
        self._say(f"{_counted(len(made), len(here))} {begun.remarks}".strip(), tr("Import again") if is_known else "")
        self._list.refresh()
        if len(made) + len(here) == 1:
            self._opened((*made, *here)[0])

    def _not_imported(self, path: str, error: Exception) -> None:
        self._importing.discard(path)
        self._failed(error)

    def _write(self, path: Path, archive: Archive) -> None:
        count = len(archive.conversations)
        told = plural("{count} chat exported to {name}.", "{count} chats exported to {name}.", count, name=path.name)
        work = partial(_write, archive, path)
        self._stores.kept.tasks.apart(work, lambda _: self._say(told), self._failed)

    def _say(self, text: str, action: str = "") -> None:
        self._window.show_notice(Notice(TRANSFER, text, action, passing=True))

    def _failed(self, error: Exception) -> None:
        self._window.clear_notice(TRANSFER)
        self._window.show_notice(notice(error))


def _counted(made: int, here: int) -> str:
    """The sentence about the chats of a file; empty if it has none."""
    if made and here:
        known = plural("{count} was here already", "{count} were here already", here)
        return plural("{count} chat imported, {known}.", "{count} chats imported, {known}.", made, known=known)
    if here:
        return plural("This chat is here already.", "All {count} chats are here already.", here)
    return plural("{count} chat imported.", "{count} chats imported.", made) if made else ""


def _progress(running: ArchiveImport) -> str:
    """Say how much is imported, in steps of ten percent, so that the notice does not change all the time. Empty while
    chats are compared.
    """
    if not running.count:
        return ""
    percent, count = 10 * (10 * running.done // running.count), len(running.ids)
    return plural("Importing {count} chat: {percent} %", "Importing {count} chats: {percent} %", count, percent=percent)


def _import_portion(library: Library, running: ArchiveImport) -> bool:
    return library.transfer.import_next(running)


# The formats are imported by the jobs that read or write a file: no start needs them.


def _read(path: Path) -> Archive:
    from app.import_export import files

    return files.read(path)


def _write(archive: Archive, path: Path) -> None:
    from app.import_export import files

    files.write(archive, path)


def _markdown(archive: Archive) -> str:
    from app.import_export import markdown

    return markdown.encode(archive)


def _archived(library: Library, conversation: str) -> Archive:
    if conversation:
        return library.transfer.export((conversation,))
    return replace(library.transfer.export(), prompts=prompts.archived(library))


def _take(library: Library, archive: Archive) -> tuple[int, tuple[PromptView, ...]]:
    return prompts.take(library, archive.prompts), prompts.listed(library)


def _own(prompts: int, presets: int) -> str:
    """The sentence about what came beside the chats."""
    prompts_words = plural("{count} prompt was added.", "{count} prompts were added.", prompts)
    presets_words = plural("{count} preset was added.", "{count} presets were added.", presets)
    told = " ".join(words for count, words in ((prompts, prompts_words), (presets, presets_words)) if count)
    return told or tr("Its prompts and presets are here already.")
