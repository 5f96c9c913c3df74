"""Intents about what the library holds: all conversations, Recently Deleted, and the prompts that the user saved."""

from __future__ import annotations

from msgspec import Struct


class NewChat(Struct, frozen=True):
    """Start a conversation."""


class NewPrivateChat(Struct, frozen=True):
    """Start a conversation that is never written to disk."""


class FocusTab(Struct, frozen=True):
    """The tab of this conversation is in front now; "" if no tab is open."""

    conversation: str


class ArrangeTabs(Struct, frozen=True):
    """These conversations have a tab, in this order, and `shown` is in front ("" for none of them). `sides` are two
    that are shown beside each other, if there are such. Private ones are left out.
    """

    conversations: tuple[str, ...]
    shown: str
    sides: tuple[str, ...]


class Attend(Struct, frozen=True):
    """The user looks at these conversations now. `is_active`: the window has the keyboard."""

    conversations: tuple[str, ...]
    is_active: bool


class OpenLast(Struct, frozen=True):
    """Open this conversation, which was in front at the last run. A start after broken ones opens none."""

    conversation: str


class Search(Struct, frozen=True):
    """List only the conversations that contain these words; "" lists all."""

    text: str


class LookUp(Struct, frozen=True):
    """Find messages with these words for the command palette. The list stays as it is."""

    text: str


class RenameFolder(Struct, frozen=True):
    """Rename a folder."""

    folder: str
    to: str


class RemoveFolder(Struct, frozen=True):
    """Move all conversations out of a folder. The app offers to undo that."""

    folder: str


class UndoFolder(Struct, frozen=True):
    """Move the conversations back that were moved out of a folder, or into another one by its new name."""

    folder: str


class Import(Struct, frozen=True):
    """Read conversations from the file at `path`."""

    path: str


class CancelImport(Struct, frozen=True):
    """End the import that runs."""


class ImportAgain(Struct, frozen=True):
    """Import the last files once more, although all of their conversations are here already."""


class DeleteChats(Struct, frozen=True):
    """Delete conversations together. The app offers to undo that."""

    conversations: tuple[str, ...]


class UndoDelete(Struct, frozen=True):
    """Bring back this conversation, and those that were deleted together with it."""

    conversation: str


class PinChats(Struct, frozen=True):
    """Pin conversations above all others, or unpin them."""

    conversations: tuple[str, ...]
    pinned: bool


class FileChats(Struct, frozen=True):
    """Move several conversations to a folder; "" moves them out of theirs."""

    conversations: tuple[str, ...]
    folder: str


class ExportChats(Struct, frozen=True):
    """Write conversations to a file, all of them if none is named. The suffix of `path` chooses the format."""

    conversations: tuple[str, ...]
    path: str


SearchIntent = Search | LookUp
ChosenIntent = DeleteChats | UndoDelete | PinChats | FileChats | ExportChats
FolderIntent = RenameFolder | RemoveFolder | UndoFolder
FileIntent = Import | CancelImport | ImportAgain
ListIntent = NewChat | NewPrivateChat | FocusTab | ArrangeTabs | Attend | OpenLast | FolderIntent | FileIntent


class ShowDeleted(Struct, frozen=True):
    """List what is in Recently Deleted."""


class Undelete(Struct, frozen=True):
    """Restore deleted conversations."""

    conversations: tuple[str, ...]


class Erase(Struct, frozen=True):
    """Erase deleted conversations for good."""

    conversations: tuple[str, ...]


class EraseAll(Struct, frozen=True):
    """Erase all deleted conversations for good."""


TrashIntent = ShowDeleted | Undelete | Erase | EraseAll


class SavePrompt(Struct, frozen=True):
    """Replace a prompt, given by its id, or add one with a new id."""

    prompt: str
    name: str
    text: str


class DeletePrompt(Struct, frozen=True):
    """Delete a prompt."""

    prompt: str


class ImportPrompts(Struct, frozen=True):
    """Add the prompts in the file at `path`."""

    path: str


class ExportPrompts(Struct, frozen=True):
    """Write all prompts to the file at `path`."""

    path: str


PromptIntent = SavePrompt | DeletePrompt | ImportPrompts | ExportPrompts
