"""Intents: what the user asks of the app, as frozen values. Each widget emits them on one signal, `requested`.

A widget that shows one conversation does not know its id: it emits a `ChatIntent`, and the page, the list or the menu
wraps that in `InChat`. The window emits only an `Intent`. The app matches every kind: `app.desktop.dispatch`. No Qt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ui.model_intents import ModelIntent as ModelIntent  # noqa: PLC0414 # the union of all intents needs it

# --- turns


@dataclass(frozen=True, slots=True)
class Submit:
    """Send a message. `text` is empty if the attached files are the whole message."""

    text: str


@dataclass(frozen=True, slots=True)
class Stop:
    """End the answer that is being written."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Pause the answer that is being written."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Continue the paused answer."""


@dataclass(frozen=True, slots=True)
class Extend:
    """Continue a reply that was cut short."""

    message: str


@dataclass(frozen=True, slots=True)
class Retry:
    """Write `count` more alternatives of the reply `message`."""

    message: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the user's message `message` by `text`, and answer it on a branch of its own."""

    message: str
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """Show the alternative of a message that stands `by` places further."""

    message: str
    by: int


@dataclass(frozen=True, slots=True)
class ShowEarlier:
    """Load the messages above `before`, the first message on the screen."""

    before: str


TurnIntent = Submit | Stop | Pause | Resume | Extend | Retry | Edit | Step | ShowEarlier


# --- what is being written


@dataclass(frozen=True, slots=True)
class SaveDraft:
    """Save the text that was typed and not sent."""

    text: str


@dataclass(frozen=True, slots=True)
class Attach:
    """Attach the file at `path` to the draft."""

    path: str


@dataclass(frozen=True, slots=True)
class Detach:
    """Remove an attachment, given by its id, from the draft."""

    attachment: str


DraftIntent = SaveDraft | Attach | Detach


# --- how a conversation is listed, answered and kept


@dataclass(frozen=True, slots=True)
class Rename:
    """Give the conversation the user's own title."""

    title: str


@dataclass(frozen=True, slots=True)
class Pin:
    """Pin the conversation above all others, or unpin it."""

    pinned: bool


@dataclass(frozen=True, slots=True)
class MoveToFolder:
    """Move the conversation to a folder, by the folder's name. An empty name moves it out of its folder."""

    folder: str


@dataclass(frozen=True, slots=True)
class SetTags:
    """Replace the conversation's tags by these, separated by commas."""

    tags: str


@dataclass(frozen=True, slots=True)
class KeepWarm:
    """Allow the engine to cache this conversation on disk, or forbid it."""

    cached: bool


@dataclass(frozen=True, slots=True)
class SetThinking:
    """Let the model think before it answers, or not."""

    thinking: bool


@dataclass(frozen=True, slots=True)
class SetPreset:
    """Sample the answers with this preset."""

    preset: str


LabelIntent = Rename | Pin | MoveToFolder | SetTags | KeepWarm | SetThinking | SetPreset


# --- a conversation and its tab


@dataclass(frozen=True, slots=True)
class Open:
    """Show the conversation in a tab."""


@dataclass(frozen=True, slots=True)
class CloseTab:
    """The user closed the conversation's tab."""


@dataclass(frozen=True, slots=True)
class Delete:
    """Delete the conversation. The app offers to undo that."""


@dataclass(frozen=True, slots=True)
class Fork:
    """Open a copy of the conversation that ends with `message`."""

    message: str


@dataclass(frozen=True, slots=True)
class Export:
    """Write the conversation to a file. The suffix of `path` chooses the format."""

    path: str


@dataclass(frozen=True, slots=True)
class FindWarmModels:
    """Mark the models that could continue the conversation from cached state: the user opens the menu of models."""


TabIntent = Open | CloseTab | Delete | Fork | Export | FindWarmModels

ChatIntent = TurnIntent | DraftIntent | LabelIntent | TabIntent


@dataclass(frozen=True, slots=True)
class InChat:
    """`intent`, in the conversation with this id."""

    conversation: str
    intent: ChatIntent


# --- all conversations


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
class Search:
    """List only the conversations that contain these words; "" lists all."""

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


ListIntent = NewChat | NewPrivateChat | FocusTab | Search | RenameFolder | Import | ExportAll


# --- Recently Deleted


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


# --- settings


@dataclass(frozen=True, slots=True)
class ShowStorage:
    """Measure what Hearth takes on this disk, for the settings."""


@dataclass(frozen=True, slots=True)
class SetQuota:
    """Limit the caches to this many bytes; 0 lets Hearth choose."""

    quota: int


@dataclass(frozen=True, slots=True)
class SetCaching:
    """Allow caches on disk, or forbid all of them."""

    enabled: bool


@dataclass(frozen=True, slots=True)
class SetUnloadAfter:
    """Unload a model that was not used for this many minutes; 0 is never."""

    minutes: int


@dataclass(frozen=True, slots=True)
class ClearCaches:
    """Delete all caches on disk."""


@dataclass(frozen=True, slots=True)
class RestoreBackup:
    """Replace the library by this copy, given by its id."""

    backup: str


@dataclass(frozen=True, slots=True)
class Reveal:
    """Show one of Hearth's folders in the system's file manager."""

    folder: Literal["data", "logs", "backups"]


SettingsIntent = ShowStorage | SetQuota | SetCaching | SetUnloadAfter | ClearCaches | RestoreBackup | Reveal


# --- newer versions


@dataclass(frozen=True, slots=True)
class ShowUpdate:
    """Show what is known of newer versions."""


@dataclass(frozen=True, slots=True)
class AllowUpdateChecks:
    """Look for newer versions once a day, or never."""

    allowed: bool


@dataclass(frozen=True, slots=True)
class CheckForUpdate:
    """Look for a newer version now."""


@dataclass(frozen=True, slots=True)
class OpenUpdatePage:
    """Open the newer version's page in the browser."""


@dataclass(frozen=True, slots=True)
class SkipUpdate:
    """Do not offer this newer version again."""


UpdateIntent = ShowUpdate | AllowUpdateChecks | CheckForUpdate | OpenUpdatePage | SkipUpdate


# --- notices


@dataclass(frozen=True, slots=True)
class NoticeAction:
    """The user chose the first action that the notice with this key offers."""

    key: str


@dataclass(frozen=True, slots=True)
class NoticeOther:
    """The user chose the second action that the notice with this key offers."""

    key: str


NoticeIntent = NoticeAction | NoticeOther

Intent = InChat | ListIntent | TrashIntent | ModelIntent | SettingsIntent | UpdateIntent | NoticeIntent
