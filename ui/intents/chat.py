"""Intents in one conversation: its turns, the messages that wait for the end of its answer, its draft, its labels and
its tab.

A widget that shows one conversation does not know its id: it emits a `ChatIntent`, and the page, the list or the menu
wraps that in `InChat`.
"""

from __future__ import annotations

from msgspec import Struct

from ui.intents.chat_settings import ChatSettingsIntent
from ui.state.chat import Edits


class Submit(Struct, frozen=True):
    """Send a message. `text` is empty if the attached files are the whole message."""

    text: str


class Stop(Struct, frozen=True):
    """End the answer that is being written."""


class Extend(Struct, frozen=True):
    """Continue a reply that was cut short."""

    message: str


class Regenerate(Struct, frozen=True):
    """Write `count` more alternatives of the reply `message`."""

    message: str
    count: int = 1


class Edit(Struct, frozen=True):
    """Replace the user's message `message` by `text`, and answer it on a branch of its own. Its files `without` do not
    go along.
    """

    message: str
    text: str
    without: tuple[str, ...] = ()


class Step(Struct, frozen=True):
    """Show the alternative of a message that stands `by` places further."""

    message: str
    by: int


EVERYTHING = "*"
"""In place of a message: up to the first one."""


class ShowEarlier(Struct, frozen=True):
    """Load the messages above `before`, the first message on the screen: at least up to the message `until`."""

    before: str
    until: str = ""


class FindEarlier(Struct, frozen=True):
    """Count the hits of `terms` in the messages above `before`, the first message on the screen."""

    terms: tuple[str, ...]
    before: str


class DeleteTurn(Struct, frozen=True):
    """Delete the question and the answers that `message` belongs to. The app offers to undo that."""

    message: str


class UndoDeleteTurn(Struct, frozen=True):
    """Bring back the turn that was deleted last."""


class ReturnToBranch(Struct, frozen=True):
    """Show the branch again that an edit, another answer or a search has left."""


class ReadAll(Struct, frozen=True):
    """Let the model read the turns again that were left out of its context, if all of the chat fits."""


class LeaveOut(Struct, frozen=True):
    """Leave the oldest turns out of the model's context, and ask for the last answer again."""


class CarryOn(Struct, frozen=True):
    """Copy the last turn to a new chat, and go on there."""


class ShowFile(Struct, frozen=True):
    """Show what the model is given of an attached file."""

    attachment: str


class SaveFile(Struct, frozen=True):
    """Write the text of an attached file to `path`."""

    attachment: str
    path: str


class EditQueued(Struct, frozen=True):
    """Return a message that waits to the composer."""

    message: str


class DropQueued(Struct, frozen=True):
    """Remove a message that waits."""

    message: str


class SendQueuedNow(Struct, frozen=True):
    """End the answer that is being written, and send this message of those that wait."""

    message: str


class SendQueued(Struct, frozen=True):
    """Send the messages that wait, after a pause."""


AnswerIntent = Submit | Extend | Regenerate | Edit | SendQueuedNow | SendQueued
"""These have the model answer."""
QueueIntent = EditQueued | DropQueued
TurnIntent = Stop | DeleteTurn | UndoDeleteTurn | ReturnToBranch
ContextIntent = ReadAll | LeaveOut | CarryOn


ReadingIntent = Step | ShowEarlier | FindEarlier | ShowFile | SaveFile


class SaveDraft(Struct, frozen=True):
    """Save the text that was typed and not sent, and edits that were not sent."""

    text: str
    edits: Edits = ()


class CountDraft(Struct, frozen=True):
    """Count the tokens of the text that is in the message box now. If it is to replace the earlier `message`, count
    that one's files too, but for those in `without`.
    """

    text: str
    message: str = ""
    without: tuple[str, ...] = ()


class Attach(Struct, frozen=True):
    """Attach the files at these paths to the draft."""

    paths: tuple[str, ...]


class AttachPicture(Struct, frozen=True):
    """Attach the picture that was pasted, which is no file."""


class AttachText(Struct, frozen=True):
    """Attach a text as a file, because it is too long for the message box."""

    text: str


class Detach(Struct, frozen=True):
    """Remove an attachment, given by its id, from the draft."""

    attachment: str


DraftIntent = SaveDraft | CountDraft | Attach | AttachPicture | AttachText | Detach


class Rename(Struct, frozen=True):
    """Give the conversation the user's own title."""

    title: str


class MoveToFolder(Struct, frozen=True):
    """Move the conversation to a folder, by the folder's name. An empty name moves it out of its folder."""

    folder: str


class SetTags(Struct, frozen=True):
    """Replace the conversation's tags by these, separated by commas."""

    tags: str


LabelIntent = Rename | MoveToFolder | SetTags


class Open(Struct, frozen=True):
    """Show the conversation in a tab."""


class OpenAt(Struct, frozen=True):
    """Show the conversation in a tab, with the words `terms` marked, at the message `message`."""

    message: str
    terms: tuple[str, ...]


class CloseTab(Struct, frozen=True):
    """The user closed the conversation's tab."""


class Fork(Struct, frozen=True):
    """Open a copy of the conversation that ends with `message`."""

    message: str


class CopyAsMarkdown(Struct, frozen=True):
    """Copy the conversation to the clipboard, as Markdown."""


class FindWarmModels(Struct, frozen=True):
    """Mark the models that could continue the conversation from cached state: the user opens the menu of models."""


TabIntent = Open | OpenAt | CloseTab | Fork | CopyAsMarkdown | FindWarmModels

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


class InChat(Struct, frozen=True):
    """`intent`, in the conversation with this id."""

    conversation: str
    intent: ChatIntent
