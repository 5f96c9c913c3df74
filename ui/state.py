"""View state: the frozen values that the app sends to the window. No Qt, no engine, no storage.

The app decides when a value changes. The widgets decide how it looks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from datetime import datetime


class ChatPhase(StrEnum):
    """The current activity of a conversation's model."""

    IDLE = "idle"
    QUEUED = "queued"
    RESTORING = "restoring"
    PREFILL = "prefill"
    GENERATING = "generating"
    PAUSED = "paused"


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


class EngineState(StrEnum):
    """The state of the engine process."""

    STARTING = "starting"
    LOADING = "loading"
    READY = "ready"
    RESTARTING = "restarting"
    FAILED = "failed"
    UNLOADED = "unloaded"


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """One conversation in the sidebar.

    - `updated` is aware local time.
    - `folder` is the name of its folder, "" for none.
    - `pinned` rows stand above all others.
    - `marks` are the ranges of `snippet`, as (start, end), that match a search.
    - `cached` is False if the conversation is not kept warm on disk.
    """

    id: str
    title: str
    snippet: str
    updated: datetime
    pinned: bool = False
    folder: str = ""
    tags: tuple[str, ...] = ()
    marks: tuple[tuple[int, int], ...] = ()
    cached: bool = True


@dataclass(frozen=True, slots=True)
class DeletedRow:
    """A conversation in Recently Deleted. It is erased when `days_left` have passed."""

    id: str
    title: str
    snippet: str
    days_left: int


@dataclass(frozen=True, slots=True)
class AttachmentView:
    """A file attached to a message or a draft. `detail` is its size in words, or what is wrong with it."""

    id: str
    name: str
    detail: str = ""


Channel = Literal["answer", "reasoning", "tool"]
"""The part of a reply that a text belongs to."""


@dataclass(frozen=True, slots=True)
class ToolView:
    """A tool call of a reply. `arguments` is indented JSON."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class MessageView:
    """One message of the transcript.

    - `footer` is shown under a finished reply ("412 tokens · 63.8 tok/s"), `error` under a failed one.
    - `reasoning` is the model's reasoning before its answer. `thought` is the line that replaces it while it is folded
      ("Thought for 4 s").
    - `place` is the number of this alternative, from 1, and `places` is how many there are.
    - `out_of_context` is set if the model's context begins at a later message.
    """

    id: str
    role: Literal["user", "assistant"]
    text: str
    state: MessageState = MessageState.DONE
    footer: str = ""
    error: str = ""
    reasoning: str = ""
    thought: str = ""
    tools: tuple[ToolView, ...] = ()
    place: int = 1
    places: int = 1
    out_of_context: bool = False
    attachments: tuple[AttachmentView, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatStatus:
    """The live figures of one conversation. The tab's dot, the sidebar, the composer's button and the status strip show
    them.

    `prefill_done` and `prefill_total` are tokens. `cause` says in words why tokens had to be prefilled again.
    """

    phase: ChatPhase = ChatPhase.IDLE
    warmth: Warmth = Warmth.UNKNOWN
    cached_tokens: int = 0
    restore_ms: float | None = None
    tokens_per_second: float | None = None
    first_token_ms: float | None = None
    context_tokens: int = 0
    context_limit: int = 0
    prefill_done: int = 0
    prefill_total: int = 0
    cause: str = ""


@dataclass(frozen=True, slots=True)
class ChatView:
    """Everything that a tab needs to open a conversation.

    - `messages` may begin in the middle of the conversation; `earlier` says whether there are older ones.
    - `attachments` belong to the draft.
    - A `private` chat is never stored.
    - `cached` is False if the chat is not kept warm on disk.
    """

    id: str
    title: str
    messages: tuple[MessageView, ...] = ()
    draft: str = ""
    preset: str = "balanced"
    thinking: bool = False
    status: ChatStatus = field(default_factory=ChatStatus)
    earlier: bool = False
    attachments: tuple[AttachmentView, ...] = ()
    private: bool = False
    cached: bool = True


@dataclass(frozen=True, slots=True)
class ModelView:
    """A model in the picker. `id` is its folder, `name` its alias if it has one, `detail` one line about it.

    `identity` names its cached state in the engine, "" if it was never loaded. `warm_chats` counts the chats with such
    state.
    """

    id: str
    name: str
    detail: str = ""
    identity: str = ""
    warm_chats: int = 0


@dataclass(frozen=True, slots=True)
class ModelCapabilities:
    """The abilities of the loaded model.

    `thinks` is set if it can reason before it answers. `lines` say in words how its chats are cached, one fact a line.
    `kv_bits` is the precision of its cache; 0 means full precision.
    """

    thinks: bool = False
    lines: tuple[str, ...] = ()
    kv_bits: Literal[0, 4, 8] = 0


@dataclass(frozen=True, slots=True)
class EngineView:
    """The state of the engine. `text` explains a state that lasts.

    While a model is loaded, `share` is what is done of the present stage, from 0 to 1 (None: unknown). `can_cancel`:
    the user can end the load.
    """

    state: EngineState
    text: str = ""
    share: float | None = None
    can_cancel: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class MemoryView:
    """The figures of the sidebar's footer: memory of the engine and of the machine in bytes, and how many chats are in
    memory.
    """

    used_bytes: int
    total_bytes: int
    warm_chats: int


@dataclass(frozen=True, slots=True)
class StorageView:
    """The use of the disk, for the settings.

    - `held_bytes`, `quota_bytes` and `most_bytes` are the size of the caches, their limit, and the highest limit
      possible.
    - `written_today` is in bytes.
    - `cached` is False if no chat is kept warm on disk.
    - `automatic` is set if Hearth chose the limit.
    - `facts` and `trouble` are shown as they are.
    - `backups` are newest first, each an id and a text ("Today 09:12 · 1.2 MB").
    """

    held_bytes: int = 0
    quota_bytes: int = 0
    most_bytes: int = 0
    written_today: int = 0
    cached: bool = True
    facts: tuple[str, ...] = ()
    trouble: str = ""
    backups: tuple[tuple[str, str], ...] = ()
    folder: str = ""
    automatic: bool = True


@dataclass(frozen=True, slots=True)
class UpdateView:
    """The content of the update dialog.

    `running` is the version that runs. `status` says in words what is known. `version` is the newer version that is
    available ("" if there is none), with its `notes` in Markdown. If `allowed`, the app checks once a day. `checking`
    is set while it checks.
    """

    running: str
    status: str = ""
    version: str = ""
    notes: str = ""
    allowed: bool = False
    checking: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that the user should know, and may act on.

    - `key` identifies the notice. A notice replaces an earlier one with the same key, and clicks report it.
    - `action` and `other` are the texts of up to two buttons.
    - A `lasting` notice describes a state. It is shown once until that state ends, even if the user closes it.
    """

    key: str
    text: str
    action: str = ""
    other: str = ""
    lasting: bool = field(default=False, kw_only=True)
