"""View state of one conversation: its messages, its draft and its status.

View state is the frozen values that the app sends to the window. The app decides when a value changes. The widgets
decide how it looks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Literal


class ChatPhase(StrEnum):
    """The current activity of a conversation's model."""

    IDLE = "idle"
    QUEUED = "queued"
    RESTORING = "restoring"
    PREFILL = "prefill"
    GENERATING = "generating"


class MessageState(StrEnum):
    """The progress of a message. Every state except OPEN is final until the user acts."""

    OPEN = "open"
    DONE = "done"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


class Warmth(StrEnum):
    """Whether the next answer can start without prefilling the conversation again."""

    UNKNOWN = "unknown"
    COLD = "cold"
    RESTORING = "restoring"
    WARM = "warm"


MOST_CHIPS: Final = 100
"""The files of a message that are shown one by one. An imported one may have any number, and Qt takes milliseconds for
each.
"""
MOST_CALLS: Final = 100
"""The tool calls of a message that are shown. An imported one may have any number, and each is a card."""
LONGEST_QUESTION: Final = 200_000
LONGEST_REASONING: Final = 1_000_000
"""The characters of a question and of reasoning that are shown and searched. An import may have any number, and they
are laid out at once when they unfold. All are copied.
"""
_LONGEST_CALL, _MOST_ROWS = 20_000, 1_000
"""The characters and rows of a call that are shown and searched. All of it is copied and printed."""


@dataclass(frozen=True, slots=True)
class AttachmentView:
    """A file or folder attached to a message or a draft. `detail` is its size in words, or what is wrong with it, and
    `left_out` says how many files of a folder the model is not given, and why. While it `is_pending`, it is being read,
    and cannot go with a message yet.
    """

    id: str
    name: str
    detail: str = ""
    left_out: str = ""
    is_folder: bool = False
    is_pending: bool = False

    @property
    def icon(self) -> str:
        """The name of its icon."""
        return "folder" if self.is_folder else "file-text"


@dataclass(frozen=True, slots=True)
class FileView:
    """An attached file as the model is given it: its text, or a `note` why there is none. `detail` is its size in
    words, `left_out` says which files of a folder it has not, and `copy_name` is the name of a copy of the text.
    """

    id: str
    name: str
    detail: str
    text: str = ""
    note: str = ""
    copy_name: str = ""
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class QueuedView:
    """A message that waits for the end of the answer, and the number of its files."""

    id: str
    text: str
    files: int = 0


@dataclass(frozen=True, slots=True)
class QueueView:
    """The messages that wait, in order. While the queue is `paused`, they are sent only if the user asks for it."""

    messages: tuple[QueuedView, ...] = ()
    paused: bool = False


Channel = Literal["answer", "reasoning", "tool"]
"""The part of a reply that a text belongs to."""


TooLong = Literal["", "message", "chat"]
"""What was longer than the model can read: the newest message alone, or the chat with it."""


@dataclass(frozen=True, slots=True)
class ToolView:
    """A tool call of a reply. `arguments` is indented JSON."""

    name: str
    arguments: str

    @property
    def shown(self) -> str:
        """The beginning of its arguments."""
        return "\n".join(self.arguments.strip("\n")[:_LONGEST_CALL].split("\n", _MOST_ROWS)[:_MOST_ROWS])


@dataclass(frozen=True, slots=True)
class MessageView:
    """One message of the transcript.

    - `footer` is shown under a finished reply ("412 tokens"), `error` under a failed one. `rate` is how fast the reply
      was written ("63.8 tok/s"), in the tip of the footer.
    - `reasoning` is the model's reasoning before its answer. `thought` is the line that replaces it while it is folded
      ("Thought for 4 s").
    - `more_calls` is the number of its tool calls that are not among `tools`.
    - `place` is the number of this alternative, from 1, and `places` is how many there are.
    - `out_of_context` is set if the model's context begins at a later message.
    - `question` is the message that a reply answers, and `writer` the name of the model that wrote it, "" if unknown.
    - `too_long` says what was longer than the model can read if a reply failed for that, else "". It would fail again.
    """

    id: str
    role: Literal["user", "assistant"]
    text: str
    state: MessageState = MessageState.DONE
    footer: str = ""
    rate: str = ""
    error: str = ""
    reasoning: str = ""
    thought: str = ""
    tools: tuple[ToolView, ...] = ()
    more_calls: int = 0
    place: int = 1
    places: int = 1
    out_of_context: bool = False
    attachments: tuple[AttachmentView, ...] = ()
    question: str = ""
    writer: str = ""
    too_long: TooLong = ""


@dataclass(frozen=True, slots=True)
class DraftView:
    """The tokens of the draft with its files, and the seconds that the model takes to read them (None: unknown). If
    they are not `exact`, they are an estimate.
    """

    tokens: int = 0
    exact: bool = True
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class ChatStatus:
    """The live figures of one conversation. The tab's dot, the sidebar, the composer's button and the status strip show
    them.

    `restore_ms` is what it took to restore the chat from disk, until the end of the next answer, and `instead_seconds`
    what the model would have taken to read the same tokens, None if that is not longer or not known.
    `prefill_done` and `prefill_total` are tokens. `cause` is the engine's code for why tokens had to be prefilled
    again, "" if nothing needs saying. `reread_seconds` is how long that takes for the whole chat, None if no speed was
    measured yet. `never_read` is set for an imported chat that no model has answered yet.
    """

    phase: ChatPhase = ChatPhase.IDLE
    warmth: Warmth = Warmth.UNKNOWN
    cached_tokens: int = 0
    restore_ms: float | None = None
    instead_seconds: float | None = None
    tokens_per_second: float | None = None
    context_tokens: int = 0
    context_limit: int = 0
    prefill_done: int = 0
    prefill_total: int = 0
    cause: str = ""
    reread_seconds: float | None = None
    never_read: bool = False
    draft: DraftView = DraftView()


@dataclass(frozen=True, slots=True)
class VoiceView:
    """The message that is being read aloud; "" for none."""

    message: str = ""


Edits = tuple[tuple[str, str], ...]
"""Edits of earlier messages that were not sent: the message and the words of each. The last one was typed last."""


@dataclass(frozen=True, slots=True)
class ChatView:
    """Everything that a tab needs to open a conversation.

    - `messages` may begin in the middle of the conversation; `earlier` says whether there are older ones.
    - `attachments` belong to the draft. `edits` were not sent, either; their messages are among those that are shown.
    - A `private` chat is never stored.
    - `cached` is False if the chat is not kept warm on disk.
    """

    id: str
    title: str
    messages: tuple[MessageView, ...] = ()
    draft: str = ""
    edits: Edits = ()
    thinking: bool = False
    status: ChatStatus = field(default_factory=ChatStatus)
    earlier: bool = False
    attachments: tuple[AttachmentView, ...] = ()
    private: bool = False
    cached: bool = True
    queue: QueueView = field(default_factory=QueueView)
