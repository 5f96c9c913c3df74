"""Intents in one conversation: its turns, its draft, its labels and its tab.

A widget that shows one conversation does not know its id: it emits a `ChatIntent`, and the page, the list or the menu
wraps that in `InChat`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ui.intents.chat_settings import ChatSettingsIntent
from ui.intents.queue import QueueIntent, SendQueued, SendQueuedNow


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
    """Replace the user's message `message` by `text`, and answer it on a branch of its own. Its files `without` do not
    go along.
    """

    message: str
    text: str
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """Show the alternative of a message that stands `by` places further."""

    message: str
    by: int


EVERYTHING = "*"
"""In place of a message: up to the first one."""


@dataclass(frozen=True, slots=True)
class ShowEarlier:
    """Load the messages above `before`, the first message on the screen: at least up to the message `until`."""

    before: str
    until: str = ""


@dataclass(frozen=True, slots=True)
class FindEarlier:
    """Count the hits of `terms` in the messages above `before`, the first message on the screen."""

    terms: tuple[str, ...]
    before: str


@dataclass(frozen=True, slots=True)
class DeleteTurn:
    """Delete the question and the answers that `message` belongs to. The app offers to undo that."""

    message: str


@dataclass(frozen=True, slots=True)
class ReadAll:
    """Let the model read the turns again that were left out of its context, if all of the chat fits."""


@dataclass(frozen=True, slots=True)
class LeaveOut:
    """Leave the oldest turns out of the model's context, and ask for the last answer again."""


@dataclass(frozen=True, slots=True)
class CarryOn:
    """Copy the last turn to a new chat, and go on there."""


@dataclass(frozen=True, slots=True)
class ShowFile:
    """Show what the model is given of an attached file."""

    attachment: str


@dataclass(frozen=True, slots=True)
class SaveFile:
    """Write the text of an attached file to `path`."""

    attachment: str
    path: str


AnswerIntent = Submit | Extend | Retry | Edit | SendQueuedNow | SendQueued
"""These have the model answer."""
TurnIntent = Stop | Pause | Resume | DeleteTurn
ContextIntent = ReadAll | LeaveOut | CarryOn
ReadingIntent = Step | ShowEarlier | FindEarlier | ShowFile | SaveFile


@dataclass(frozen=True, slots=True)
class SaveDraft:
    """Save the text that was typed and not sent."""

    text: str


@dataclass(frozen=True, slots=True)
class CountDraft:
    """Count the tokens of the text that is in the message box now."""

    text: str


@dataclass(frozen=True, slots=True)
class Attach:
    """Attach the files at these paths to the draft."""

    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AttachPicture:
    """Attach the picture that was pasted, which is no file."""


@dataclass(frozen=True, slots=True)
class Detach:
    """Remove an attachment, given by its id, from the draft."""

    attachment: str


DraftIntent = SaveDraft | CountDraft | Attach | AttachPicture | Detach


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


LabelIntent = Rename | Pin | MoveToFolder | SetTags | KeepWarm


@dataclass(frozen=True, slots=True)
class Open:
    """Show the conversation in a tab."""


@dataclass(frozen=True, slots=True)
class OpenAt:
    """Show the conversation in a tab, with the words `terms` marked, at the message `message`."""

    message: str
    terms: tuple[str, ...]


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
class CopyAsMarkdown:
    """Copy the conversation to the clipboard, as Markdown."""


@dataclass(frozen=True, slots=True)
class FindWarmModels:
    """Mark the models that could continue the conversation from cached state: the user opens the menu of models."""


TabIntent = Open | OpenAt | CloseTab | Delete | Fork | Export | CopyAsMarkdown | FindWarmModels

ChatIntent = (
    AnswerIntent
    | TurnIntent
    | ContextIntent
    | ReadingIntent
    | DraftIntent
    | QueueIntent
    | LabelIntent
    | TabIntent
    | ChatSettingsIntent
)


@dataclass(frozen=True, slots=True)
class InChat:
    """`intent`, in the conversation with this id."""

    conversation: str
    intent: ChatIntent
