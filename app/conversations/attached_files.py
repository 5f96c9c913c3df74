"""AttachedFiles: what the model is given of attached files, for the user to read and to save. No Qt."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.base.errors import ExportRefused, notice, refusal
from app.base.own_files import write_export
from app.chat import attachments
from app.documents.plain_text import escaped
from resources.language.text import tr
from storage.errors import NoSuchAttachment
from ui.intents.notice import Notice
from ui.state.chat import FileView
from ui.theme.phrases import size

if TYPE_CHECKING:
    from app.conversations.stores import Stores
    from storage.library.library import Library

_KEY = "file"


class AttachedFiles:
    """Shows and saves the text of files that are attached to messages or drafts. They stay as they are."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores

    def show(self, conversation: str, attachment: str) -> None:
        """Show a file, or why its text cannot be shown."""
        ports = self._stores.of(conversation)

        def show(file: FileView) -> None:
            if (tab := ports.sink.chats.tab(conversation)) is not None:
                tab.show_file(file)

        failed = lambda error: ports.sink.show_notice(refusal(error, conversation))  # noqa: E731 - one line of two
        ports.tasks.run(partial(_view, attachment=attachment), show, failed)

    def save(self, conversation: str, attachment: str, path: str) -> None:
        """Write the text of a file to `path`."""
        ports, file = self._stores.of(conversation), Path(path)

        def told(_: None) -> None:
            ports.sink.show_notice(Notice(_KEY, tr("{name} was saved.", name=file.name), passing=True))

        def failed(error: Exception) -> None:
            ports.sink.show_notice(notice(error))

        def write(text: str) -> None:
            ports.tasks.apart(partial(write_export, file, text.encode(), ExportRefused), told, failed)

        ports.tasks.run(lambda library: library.attachments.text_of(attachment), write, failed)


def _view(library: Library, attachment: str) -> FileView:
    file = library.attachments.get(attachment)
    name = escaped(file.name)
    if not file.text:
        note = tr("This file is not text. The model is only given its name.")
        return FileView(file.id, name, size(file.bytes), note=note)
    try:
        text = library.attachments.text_of(attachment)
    except NoSuchAttachment as error:
        return FileView(file.id, name, size(file.bytes), note=str(error))
    copy_name = f"{name}.txt" if attachments.is_extracted(file.name) else name
    length, left_out = attachments.length(file), attachments.left_out(file)
    return FileView(file.id, name, length, text, copy_name=copy_name, left_out=left_out)
