"""Intents about all conversations, and about Recently Deleted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NewChat:
    """Start a conversation."""


@dataclass(frozen=True, slots=True)
class NewPrivateChat:
    """Start a conversation that is never written to disk."""


@dataclass(frozen=True, slots=True)
class FocusTab:
    """The tab of this conversation is in front now; "" if no tab is open."""

    conversation: str


@dataclass(frozen=True, slots=True)
class ArrangeTabs:
    """These conversations have a tab, in this order, and `shown` is in front ("" for none of them). `sides` are two
    that are shown beside each other, if there are such. Private ones are left out.
    """

    conversations: tuple[str, ...]
    shown: str
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Attend:
    """The user looks at these conversations now. `is_active`: the window has the keyboard."""

    conversations: tuple[str, ...]
    is_active: bool


@dataclass(frozen=True, slots=True)
class Search:
    """List only the conversations that contain these words; "" lists all."""

    text: str


@dataclass(frozen=True, slots=True)
class LookUp:
    """Find messages with these words for the command palette. The list stays as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class RenameFolder:
    """Rename a folder. An empty new name moves its conversations out of it."""

    folder: str
    to: str


@dataclass(frozen=True, slots=True)
class Import:
    """Read conversations from the file at `path`."""

    path: str


@dataclass(frozen=True, slots=True)
class ExportAll:
    """Write all conversations to a file. The suffix of `path` chooses the format."""

    path: str


@dataclass(frozen=True, slots=True)
class DeleteChats:
    """Delete several conversations, unless the user undoes that in time."""

    conversations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PinChats:
    """Pin several conversations, or unpin them."""

    conversations: tuple[str, ...]
    pinned: bool


@dataclass(frozen=True, slots=True)
class FileChats:
    """Move several conversations to a folder; "" moves them out of theirs."""

    conversations: tuple[str, ...]
    folder: str


@dataclass(frozen=True, slots=True)
class ExportChats:
    """Write several conversations to a file. The suffix of `path` chooses the format."""

    conversations: tuple[str, ...]
    path: str


SearchIntent = Search | LookUp
ChosenIntent = DeleteChats | PinChats | FileChats | ExportChats
ListIntent = NewChat | NewPrivateChat | FocusTab | ArrangeTabs | Attend | RenameFolder | Import | ExportAll


@dataclass(frozen=True, slots=True)
class ShowDeleted:
    """List what is in Recently Deleted."""


@dataclass(frozen=True, slots=True)
class Undelete:
    """Restore a deleted conversation."""

    conversation: str


@dataclass(frozen=True, slots=True)
class Erase:
    """Erase a deleted conversation for good."""

    conversation: str


@dataclass(frozen=True, slots=True)
class EraseAll:
    """Erase all deleted conversations for good."""


TrashIntent = ShowDeleted | Undelete | Erase | EraseAll
