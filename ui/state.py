"""View state: the frozen values that the app hands to the window. No Qt, no engine, no storage.

Owns their shapes only; the widgets decide how a value looks, the app decides when it changes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from datetime import datetime


class ChatPhase(StrEnum):
    """What a conversation's model is doing right now."""

    IDLE = "idle"
    QUEUED = "queued"
    RESTORING = "restoring"
    PREFILL = "prefill"
    GENERATING = "generating"
    PAUSED = "paused"


class MessageState(StrEnum):
    """How far a message is. Every state but OPEN is final until the user acts."""

    OPEN = "open"
    DONE = "done"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


class Warmth(StrEnum):
    """Whether the next answer can start without reading the conversation again."""

    UNKNOWN = "unknown"
    COLD = "cold"
    RESTORING = "restoring"
    WARM = "warm"


class EngineState(StrEnum):
    """The engine process as the window shows it."""

    STARTING = "starting"
    LOADING = "loading"
    READY = "ready"
    RESTARTING = "restarting"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """One line pair of the sidebar. `updated` is aware local time.

    `folder` is the name of the folder that it lies in ("" for none); pinned ones stand above all others. `marks` are
    the places in `snippet`, from and to, where a search was found. `cached` False: it is not kept warm on disk.
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
    """A conversation in Recently Deleted, which goes for good when `days_left` are over."""

    id: str
    title: str
    snippet: str
    days_left: int


@dataclass(frozen=True, slots=True)
class AttachmentView:
    """A file that goes, or went, with a message. `detail` in words: its size, or what is wrong with it."""

    id: str
    name: str
    detail: str = ""


Channel = Literal["answer", "reasoning", "tool"]
"""Which part of a reply text belongs to."""


@dataclass(frozen=True, slots=True)
class ToolView:
    """A function that a reply wants to be called; `arguments` as indented JSON."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class MessageView:
    """One message of the transcript. `footer` is shown beside a finished reply ("412 tokens · 63.8 tok/s"), `error`
    under a failed one.

    `reasoning` is what the model thought first, `thought` the line that stands for it when it is folded ("Thought for
    4 s"). `place` of `places` counts the alternatives of a message from 1; one place means that there are none.
    `out_of_context` is set where the model reads the conversation from a later message on.
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
    """The live figures of one conversation: its tab dot, sidebar row, composer button and status strip follow them.

    `prefill_done` and `prefill_total` are tokens. `cause` tells in words why something had to be read again.
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
    """All that a tab needs to open. `messages` may begin in the middle of the chat: `earlier` tells that there are more
    before them. `attachments` are those of the draft. A `private` chat is written nowhere; one that is not `cached` is
    not kept warm on disk.
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
    """A model in the picker. `id` is its folder; `detail` one honest line about it."""

    id: str
    name: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ModelCapabilities:
    """What the loaded model can do: `thinks` offers reasoning; `lines` say in words how its chats are kept, one fact a
    line; `kv_bits` is the precision of its cache (0: full).
    """

    thinks: bool = False
    lines: tuple[str, ...] = ()
    kv_bits: Literal[0, 4, 8] = 0


@dataclass(frozen=True, slots=True)
class EngineView:
    """The engine's state, with one line in words for the states that last."""

    state: EngineState
    text: str = ""


@dataclass(frozen=True, slots=True)
class MemoryView:
    """The sidebar's foot: bytes in use by the engine, bytes of this machine, conversations kept in memory."""

    used_bytes: int
    total_bytes: int
    warm_chats: int


@dataclass(frozen=True, slots=True)
class StorageView:
    """What Hearth takes on this disk, for the settings: bytes of caches held, allowed, at most allowable, and written
    today; `cached` False: no chat is kept warm on disk; `automatic`: Hearth chose what is allowed. `facts` and
    `trouble` in words; `backups` newest first, each an id and its words ("Today 09:12 · 1.2 MB").
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
    """Something the user should know and, where `action` is set, can do. `key` comes back when it is clicked; a
    notice with the key of one that is shown replaces it. `other` is a second thing to do instead. `lasting`: it tells
    of a state, and is said once until that is over, though it was put away.
    """

    key: str
    text: str
    action: str = ""
    other: str = ""
    lasting: bool = field(default=False, kw_only=True)
