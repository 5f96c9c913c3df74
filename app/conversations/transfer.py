"""Transfer: imports conversations from files, exports them, and reports the progress. No Qt.

Files are read and written beside the library's thread, because they may be large.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.base.errors import notice
from app.import_export import files, markdown
from app.import_export.import_summary import sentence
from storage.library.archive_import import ArchiveImport
from ui.state.notice import Notice
from ui.theme.phrases import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import ChatsSink
    from app.conversations.list import ChatList
    from app.conversations.stores import Stores
    from storage.library.archive import Archive
    from storage.library.library import Library

_KEY: Final = "transfer"


class Transfer:
    """`opened` is called with the id of an imported chat, if the file has only one."""

    def __init__(self, stores: Stores, window: ChatsSink, chats: ChatList, opened: Callable[[str], object]) -> None:
        self._stores = stores
        self._window = window
        self._list = chats
        self._opened = opened

    def import_file(self, path: str) -> None:
        """Add all readable chats of a file to the library, and report what was not readable. If adding fails, the
        library stays as it was.
        """
        self._say(f"Reading {Path(path).name}")
        self._stores.kept.tasks.apart(partial(files.read, Path(path)), self._add, self._failed)

    def export_file(self, conversation: str, path: str) -> None:
        """Write one chat ("": all chats) to a file. The suffix of `path` chooses the format."""
        job = partial(_archived, conversation=conversation)
        tasks = self._stores.of(conversation).tasks
        tasks.run(job, partial(self._write, Path(path)), self._failed)

    def copy_markdown(self, conversation: str) -> None:
        """Copy one chat to the clipboard."""
        self._stores.of(conversation).tasks.run(
            lambda library: markdown.encode(_archived(library, conversation)), self._copied, self._failed
        )

    def _copied(self, text: str) -> None:
        self._window.copy_text(text)
        self._say("The chat is on the clipboard, as Markdown.")

    def _add(self, archive: Archive) -> None:
        self._import_next(ArchiveImport(archive), sentence(archive.remarks), "")

    def _import_next(self, running: ArchiveImport, remarks: str, shown: str) -> None:
        """Import one portion. Other library jobs that were given meanwhile run before the next portion."""
        if (now := _progress(running)) != shown:
            self._say(now)
        job, done = partial(_import_portion, running=running), partial(self._portion_imported, running, remarks, now)
        self._stores.kept.tasks.run(job, done, self._failed)

    def _portion_imported(self, running: ArchiveImport, remarks: str, shown: str, complete: bool) -> None:  # noqa: FBT001 - what the job found
        if complete:
            self._added(running.ids, remarks)
        else:
            self._import_next(running, remarks, shown)

    def _added(self, made: tuple[str, ...], remarks: str) -> None:
        self._say(f"{counted(len(made), 'chat')} imported. {remarks}".rstrip())
        self._list.refresh()
        if len(made) == 1:
            self._opened(made[0])

    def _write(self, path: Path, archive: Archive) -> None:
        told = f"{counted(len(archive.conversations), 'chat')} exported to {path.name}."
        work = partial(files.write, archive, path)
        self._stores.kept.tasks.apart(work, lambda _: self._say(told), self._failed)

    def _say(self, text: str) -> None:
        self._window.show_notice(Notice(_KEY, text, passing=True))

    def _failed(self, error: Exception) -> None:
        self._window.clear_notice(_KEY)
        self._window.show_notice(notice(error))


def _progress(running: ArchiveImport) -> str:
    """In steps of ten percent, so that the notice does not change all the time."""
    return f"Importing {counted(len(running.ids), 'chat')}: {10 * (10 * running.done // max(running.count, 1))} %"


def _import_portion(library: Library, running: ArchiveImport) -> bool:
    return library.transfer.import_next(running)


def _archived(library: Library, conversation: str) -> Archive:
    return library.transfer.export((conversation,)) if conversation else library.transfer.export()
