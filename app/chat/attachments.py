"""Attachments: which files are accepted, how they appear in the prompt, and how the window names them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from app.base.errors import AttachmentRefused
from app.documents.folder import FolderCounts, SkipReason, counts_in, is_folder
from app.documents.limits import MOST_TEXT_BYTES, pictures_in
from app.documents.plain_text import escaped, fenced
from resources.language.text import number, plural, tr
from storage.errors import StorageError
from storage.library.library import Library
from storage.library.rows import Attachment, Message
from ui.state.chat import AttachmentView
from ui.theme.phrases import size, token_count

_LEFT_OUT: Final = {
    SkipReason.BINARY: lambda count: plural("{count} that is not text", "{count} that are not text", count),
    SkipReason.LARGE: lambda count: plural("{count} that is too large", "{count} that are too large", count),
    SkipReason.EMPTY: lambda count: plural("{count} that is empty", "{count} that are empty", count),
    SkipReason.UNREADABLE: lambda count: plural("{count} that cannot be read", "{count} that cannot be read", count),
    SkipReason.IGNORED: lambda count: plural("{count} that .gitignore names", "{count} that .gitignore names", count),
    SkipReason.LINK: lambda count: plural("{count} that is a link", "{count} that are links", count),
}


def attach(library: Library, conversation: str, name: str, text: str, media: str = "") -> tuple[Attachment, ...]:
    """Attach the text of a file to the draft, under the file's name. Returns all attachments of the draft. Raises
    AttachmentRefused if the other files leave no room for it: each of a hundred may be as long as all may be together.
    """
    content = text.encode()
    if others := sum(file.bytes for file in library.attachments.of_draft(conversation)):
        refuse_much(name, others + len(content))
    library.attachments.add(conversation, name, content, media)
    return library.attachments.of_draft(conversation)


def refuse_much(name: str, size: int) -> None:
    """Raise AttachmentRefused if the files of a draft have this much text with the one of this name."""
    if size > MOST_TEXT_BYTES:
        raise AttachmentRefused(tr("With “{name}”, the files would have more text than any model can read.", name=name))


def detach(library: Library, conversation: str, attachment: str) -> tuple[Attachment, ...]:
    """Remove a file from the draft. Returns the remaining attachments. Raises NoSuchAttachment."""
    library.attachments.detach(conversation, attachment)
    return library.attachments.of_draft(conversation)


def texts(library: Library, messages: Iterable[Message]) -> dict[str, str]:
    """The contents of the text files of `messages`, by attachment id. Unreadable files are missing."""
    files = (file for message in messages for file in message.attachments if file.text)
    return {file.id: text for file in files if (text := text_of(library, file)) is not None}


def text_of(library: Library, file: Attachment) -> str | None:
    """The contents of a text file, None if it is not readable."""
    try:
        return library.attachments.text_of(file.id)
    except StorageError:
        return None


def words(message: Message, contents: Mapping[str, str]) -> str:
    """A message as the model reads it: its text, then each file in a code block under its name.

    `contents` are the files' texts by attachment id.
    """
    blocks = (block(file, contents.get(file.id)) for file in message.attachments)
    return "\n\n".join(part for part in (message.content, *blocks) if part)


def block(file: Attachment, text: str | None) -> str:
    """A file as the model reads it. Only imported chats have files of other kinds than text."""
    name = escaped(file.name)
    if not file.text:
        return f"{name}: this file is not text and cannot be read here."
    if text is None:
        return f"{name}: this file is not there any more."
    return fenced(name, text)


def is_extracted(name: str) -> bool:
    """Whether the library has the text alone of a file with this name. A folder has no suffix."""
    return Path(name).suffix.lower() in {"", ".pdf", ".docx", ".xlsx", ".pptx"}


def length(file: Attachment) -> str:
    """How long the text of a file is, which of a PDF or a folder is not the size of the file."""
    if not file.bytes:
        return tr("empty", "file")
    if is_folder(file.media):
        return _folder_length(counts_in(file.media), size(file.bytes))
    if pictures := pictures_in(file.media):
        return tr(
            "{size} of text, {missing} left out",
            size=size(file.bytes),
            missing=plural("{count} page", "{count} pages", pictures),
        )
    return tr("{size} of text", size=size(file.bytes)) if is_extracted(file.name) else size(file.bytes)


def _folder_length(counts: FolderCounts | None, words: str) -> str:
    """A folder that was imported may have no counts."""
    if counts is None:
        return tr("folder, {size} of text", size=words)
    files = plural("{count} file", "{count} files", counts.files)
    if missing := sum(counts.left_out.values()):
        return tr("{files}, {missing} left out, {size}", files=files, missing=number(missing), size=words)
    return tr("{files}, {size}", files=files, size=words)


def left_out(file: Attachment) -> str:
    """How many files of a folder or pages of a PDF are left out and why, "" if none is."""
    if pictures := pictures_in(file.media):
        return plural(
            "Left out: {count} page that is a picture without text",
            "Left out: {count} pages that are pictures without text",
            pictures,
        )
    counts = counts_in(file.media)
    reasons = [] if counts is None else [_LEFT_OUT[reason](count) for reason, count in counts.left_out.items()]
    return tr("Left out: {reasons}", reasons=", ".join(reasons)) if reasons else ""


def view(file: Attachment, tokens: int = 0, *, exact: bool = True) -> AttachmentView:
    """An attachment for the window, with its tokens if it is not sent yet. Those of an empty file are only its name."""
    about = length(file)
    if tokens and file.bytes:
        about = tr("{size} · {tokens}", size=about, tokens=token_count(tokens, exact=exact))
    return AttachmentView(file.id, escaped(file.name), about, left_out=left_out(file), is_folder=is_folder(file.media))
