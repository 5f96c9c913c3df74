"""The protocol between app and engine: every command that goes down and every event that comes up.

Owns the shapes of the messages and their version; that of the sampling settings, with the rule for which of them are
possible, comes from `engine.protocol.sampling_settings`. Their codec is left to `engine.protocol.framing`, who sends
what and when to `engine.server.server` and to the app's bridge. Only standard types and msgspec: both processes import
this module.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from engine.protocol.sampling_settings import Sampling as Sampling  # noqa: PLC0414 # app imports the protocol from here alone

PROTOCOL_VERSION = 6
"""Raised with every incompatible change; the app refuses an engine that greets it with another number."""

MOST_ALTERNATIVES = 4
"""Answers to one prompt that the engine decodes at once."""

Role = Literal["system", "user", "assistant", "tool"]
Source = Literal["batch", "hot", "disk", "none"]
Phase = Literal["queued", "restoring", "prefill", "decode", "paused"]
FinishReason = Literal["stop", "length", "context", "cancelled", "failed"]
Channel = Literal["answer", "reasoning", "tool"]
KvBits = Literal[0, 4, 8]
History = Literal["kept", "stripped", "rewritten"]
Batching = Literal["together", "merged", "alone"]
LoadStage = Literal["checking", "building", "reading", "trying", "hashing", "rendering"]


class ToolCall(msgspec.Struct, frozen=True):
    """A function that the model wants to be called: its name, and its arguments as a JSON object."""

    name: str
    arguments: str


class ChatMessage(msgspec.Struct, frozen=True):
    """One message of the branch that is being continued.

    `ledger` is what the engine returned in `TurnFinished` for this reply: its exact tokens, opaque to the app, given
    back unchanged. Empty means that the text is encoded again. `reasoning` and `tool_calls` are what a reply said in
    its other channels; a message of the role `tool` answers the last call that is still open.
    """

    role: Role
    content: str
    ledger: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()


class LoadModel(msgspec.Struct, frozen=True, tag="load_model"):
    """Replace the loaded model by the one in the folder `path`. Answered by ModelLoaded or ModelFailed.

    `kv_bits` 8 or 4 keeps the keys and values of growing layers quantised; 0 keeps them as the model made them.
    """

    path: str
    kv_bits: KvBits = 0


class Generate(msgspec.Struct, frozen=True, tag="generate"):
    """Answer the last message. A last message of the role `assistant` is continued where it stops.

    `cached` False neither reads nor writes any cache (a private answer, or a control in a comparison). `thinking` lets
    a model that can reason first. `tools` is a JSON array of function schemas (empty: none). `alternatives` names
    further requests for answers to the same prompt, at most three: all decode together from one prefill.
    """

    request: str
    conversation: str
    messages: tuple[ChatMessage, ...]
    sampling: Sampling = Sampling()
    cached: bool = True
    thinking: bool = False
    tools: str = ""
    alternatives: tuple[str, ...] = ()


class Warm(msgspec.Struct, frozen=True, tag="warm"):
    """A conversation was opened: bring its cache into memory before anyone asks. Answered by Warmed."""

    conversation: str
    messages: tuple[ChatMessage, ...]
    thinking: bool = False
    tools: str = ""


class Focus(msgspec.Struct, frozen=True, tag="focus"):
    """The conversation that is now on the screen; the scheduler serves it first. Empty: none."""

    conversation: str


class Cancel(msgspec.Struct, frozen=True, tag="cancel"):
    """End a request within one step. Answered by TurnFinished(reason="cancelled"); unknown requests are ignored."""

    request: str


class Pause(msgspec.Struct, frozen=True, tag="pause"):
    """Stop writing a request's answer but keep its place. Answered by Progress(phase="paused")."""

    request: str


class Resume(msgspec.Struct, frozen=True, tag="resume"):
    """Go on with a paused request: the same tokens come as if it had never paused."""

    request: str


class Forget(msgspec.Struct, frozen=True, tag="forget"):
    """Erase every cached record that no other conversation reaches. Answered by Memory."""

    conversation: str


class SetBudget(msgspec.Struct, frozen=True, tag="set_budget"):
    """From now on the caches on disk may take `quota` bytes, and those of `pinned` conversations are never evicted.

    What is too much goes at once. Answered by StoreReport.
    """

    quota: int
    pinned: tuple[str, ...] = ()


class ReportStore(msgspec.Struct, frozen=True, tag="report_store"):
    """Tell what the caches on disk are. Answered by StoreReport."""


class ListCached(msgspec.Struct, frozen=True, tag="list_cached"):
    """Tell whose caches are on disk. Answered by CachedConversations."""


class ImportCache(msgspec.Struct, frozen=True, tag="import_cache"):
    """Take in mlx-lm's prompt cache file `path`, made of `text` as a user's message (or the beginning of one) after the
    system prompt `system`, as the warm start of the new `conversation`. Answered by CacheMoved.
    """

    request: str
    conversation: str
    path: str
    text: str
    system: str = ""


class ExportCache(msgspec.Struct, frozen=True, tag="export_cache"):
    """Write the cache of a conversation to `path` as a prompt cache file of mlx-lm; what is not cached of `messages` is
    read first. Answered by CacheMoved.
    """

    request: str
    conversation: str
    messages: tuple[ChatMessage, ...]
    path: str


class Ping(msgspec.Struct, frozen=True, tag="ping"):
    """Heartbeat; answered by Pong from the loop itself, so that a hung step is noticed."""


class Shutdown(msgspec.Struct, frozen=True, tag="shutdown"):
    """Finish the pending cache writes and end. The end of stdin means the same."""


Command = (
    LoadModel | Generate | Warm | Focus | Cancel | Pause | Resume | Forget | SetBudget | ReportStore
    | ListCached | ImportCache | ExportCache | Ping | Shutdown
)  # fmt: skip


class Usage(msgspec.Struct, frozen=True):
    """The figures of one answer. Times in milliseconds, rates in tokens a second.

    `prompt_tokens` = `cached_tokens` + `prefill_tokens`. `miss_cause` is empty where everything that could be reused
    was; else a code of `engine.cache.planner.MissCause`.
    """

    prompt_tokens: int = 0
    cached_tokens: int = 0
    cached_from: Source = "none"
    prefill_tokens: int = 0
    completion_tokens: int = 0
    restore_ms: float = 0.0
    ttft_ms: float = 0.0
    decode_tps: float = 0.0
    miss_cause: str = ""


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """First event of every engine."""

    version: int


class LoadProgress(msgspec.Struct, frozen=True, tag="load_progress"):
    """A load has begun or moved on: `done` of `total` bytes in the stages that read the weights, 0 of 0 in the others.

    The engine obeys nothing until ModelLoaded or ModelFailed. The app ends an engine whose load makes no progress.
    """

    path: str
    stage: LoadStage
    done: int = 0
    total: int = 0


class ModelLoaded(msgspec.Struct, frozen=True, tag="model_loaded"):
    """A model is ready. `context_limit` in tokens (0: unknown). `uncached` tells in words why this model's
    conversations cannot be kept warm; empty where they can.

    `history`: whether its chat template keeps replies as they were said, strips their reasoning once the user goes on,
    or rewrites them. `batching`: whether its rows share steps with unpadded caches ("together"), with padded ones, or
    not at all; `untried`: from how many tokens on that was not tried (0: whatever the length, it was). `thinks`: it can
    reason before it answers. `kv_bits` as they came true, 0 where they could not.
    """

    path: str
    context_limit: int
    uncached: str = ""
    history: History = "kept"
    batching: Batching = "together"
    thinks: bool = False
    kv_bits: KvBits = 0
    untried: int = 0


class ModelUnloaded(msgspec.Struct, frozen=True, tag="model_unloaded"):
    """No model is loaded now. The engine gave this one up because it failed again and again; or it made room for
    another one, which failed, and could not be loaded again.
    """

    path: str
    code: str
    message: str


class ModelFailed(msgspec.Struct, frozen=True, tag="model_failed"):
    """The model could not be loaded; the one before stays as it was. `message` is a sentence about "it": the app names
    the model.
    """

    path: str
    code: str
    message: str


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    """A request entered a phase, or moved on within it: `done` of `total` tokens of its prompt."""

    request: str
    conversation: str
    phase: Phase
    done: int = 0
    total: int = 0
    cached_tokens: int = 0
    restore_ms: float = 0.0
    miss_cause: str = ""


class Delta(msgspec.Struct, frozen=True):
    """New text of one row, in one of its channels; the text of a tool call is its raw form.

    `tokens` is the number of tokens of the answer so far, `tps` its decode rate so far.
    """

    request: str
    conversation: str
    text: str
    tokens: int
    tps: float = 0.0
    channel: Channel = "answer"


class Deltas(msgspec.Struct, frozen=True, tag="deltas"):
    """The new text of all rows after one decode step."""

    rows: tuple[Delta, ...]


class TurnFinished(msgspec.Struct, frozen=True, tag="turn_finished"):
    """A request has ended. `ledger` belongs with the reply's text; the app stores it and gives it back.

    With reason `failed`, `code` and `message` tell the error; the text so far stands. `tool_calls` are the calls that
    the reply's tool channel consists of.
    """

    request: str
    conversation: str
    reason: FinishReason
    usage: Usage
    ledger: str = ""
    code: str = ""
    message: str = ""
    tool_calls: tuple[ToolCall, ...] = ()


class Warmed(msgspec.Struct, frozen=True, tag="warmed"):
    """The outcome of Warm: how much of the conversation is in memory now, out of `prompt_tokens`."""

    conversation: str
    cached_tokens: int
    prompt_tokens: int
    restore_ms: float
    miss_cause: str = ""


class TurnStored(msgspec.Struct, frozen=True, tag="turn_stored"):
    """A turn's state is on disk (`error` empty), or could not be written (`error` says why, in words)."""

    conversation: str
    error: str = ""


class StoreReport(msgspec.Struct, frozen=True, tag="store_report"):
    """The caches on disk: bytes held, and how many they may be; how many conversations and records; bytes written
    today. `damaged` counts refused records by cause, ever since. `trouble` says in words why the disk cannot be used
    now (empty: it can), `code` which kind of trouble that is. `failures` counts the reads and writes that failed since
    the engine started, by code.
    """

    held_bytes: int
    quota_bytes: int
    conversations: int
    records: int
    written_today: int
    damaged: dict[str, int] = {}
    trouble: str = ""
    code: str = ""
    failures: dict[str, int] = {}


class CachedConversations(msgspec.Struct, frozen=True, tag="cached_conversations"):
    """The outcome of ListCached: the conversations that have records on disk. Empty if the store cannot be read now."""

    conversations: tuple[str, ...]


class CacheMoved(msgspec.Struct, frozen=True, tag="cache_moved"):
    """The outcome of ImportCache or ExportCache: the tokens that the cache covers and the bytes of its file, or an
    error in `code` and `message`.
    """

    request: str
    tokens: int = 0
    bytes: int = 0
    code: str = ""
    message: str = ""


class Memory(msgspec.Struct, frozen=True, tag="memory"):
    """What the engine holds, after it changed: bytes of weights and caches in use, conversations kept hot."""

    active_bytes: int
    hot_bytes: int
    hot_conversations: int


class Rejected(msgspec.Struct, frozen=True, tag="rejected"):
    """A command that could not be read or obeyed and that belongs to no request."""

    code: str
    message: str


class SetAside(msgspec.Struct, frozen=True, tag="set_aside"):
    """The engine could not read one of its own files and has renamed it. `message` says so in words; no chat lost
    anything.
    """

    message: str


class Pong(msgspec.Struct, frozen=True, tag="pong"):
    """The answer to Ping."""


Event = (
    Ready | LoadProgress | ModelLoaded | ModelFailed | ModelUnloaded | Progress | Deltas | TurnFinished | Warmed
    | TurnStored | StoreReport | CachedConversations | CacheMoved | Memory | Rejected
    | SetAside | Pong
)  # fmt: skip
