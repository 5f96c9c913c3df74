"""The protocol between app and engine: the commands that the app sends and the events that the engine sends.

Those about caches are in `cache_messages`. Both processes import this module, so it imports only the standard library,
msgspec and the sentences.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from engine.protocol.cache_messages import CacheCommand, CacheEvent
from engine.protocol.group import GroupEnded
from engine.protocol.sampling_settings import OwnSampling, Sampling
from resources.language.sentence import Sentence

PROTOCOL_VERSION = 16
"""Raise this with every incompatible change. The app refuses an engine that greets it with another version."""

MOST_ALTERNATIVES = 4
"""The number of answers to one prompt that the engine can decode at once."""

Source = Literal["batch", "hot", "disk", "none"]
Phase = Literal["queued", "restoring", "prefill", "decode"]
FinishReason = Literal["stop", "length", "context", "cancelled", "failed"]
ReplyChannel = Literal["answer", "reasoning", "tool"]
KvBits = Literal[0, 4, 8]
History = Literal["kept", "stripped", "rewritten"]
Batching = Literal["together", "merged", "alone"]
"""Whether a model's rows share steps with unpadded caches, with padded ones, or not at all."""
Tokens = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]
HeadState = Literal["none", "missing", "unfit", "no_memory", "ready"]
"""The draft head of a model: its family has none, its folder has none, it does not fit the model, it does not fit into
memory, or it is in use if it gains.
"""
LoadStage = Literal["checking", "building", "reading", "trying", "hashing", "waiting", "rendering"]


class ToolCall(msgspec.Struct, frozen=True):
    """A function that the model calls: its name, and its arguments as a JSON object."""

    name: str
    arguments: str


class ChatMessage(msgspec.Struct, frozen=True, weakref=True):
    """One message of the branch that is continued.

    `ledger` is the value that `TurnFinished` returned for this reply: its exact tokens, opaque to the app and sent back
    unchanged. If it is empty, the text is encoded again. `reasoning` and `tool_calls` are the reply's other channels. A
    message with the role `tool` answers the last open call.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    ledger: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()


class LoadModel(msgspec.Struct, frozen=True, weakref=True, tag="load_model"):
    """Replace the loaded model by the one in the folder `path`, with the adapter in the folder `adapter` if that is not
    empty. Answered by ModelLoaded or ModelFailed, whose path is the `subject`.

    With `kv_bits` 8 or 4 the keys and values of growing layers are quantised; with 0 they are not. `context_limit`
    lowers the model's own limit of tokens; 0 keeps that. `anyway` loads a model that does not fit into the memory that
    is free now; one that is larger than the machine's memory is refused all the same.
    """

    path: str
    kv_bits: KvBits = 0
    adapter: str = ""
    context_limit: Tokens = 0
    anyway: bool = False

    @property
    def subject(self) -> str:
        """The folder that all events about this model name: the adapter's if it has one, else the model's."""
        return self.adapter or self.path


class CancelLoad(msgspec.Struct, frozen=True, weakref=True, tag="cancel_load"):
    """End all loads that were asked for before. Each is answered by ModelFailed with the code `load_cancelled`, unless
    it has ended already. The former model is unchanged, or loaded again.
    """


class UnloadModel(msgspec.Struct, frozen=True, weakref=True, tag="unload_model"):
    """Free the memory of the model and of the caches in memory, once running requests have ended. Answered by
    ModelUnloaded with an empty code.
    """


class Generate(msgspec.Struct, frozen=True, weakref=True, tag="generate"):
    """Answer the last message. If its role is `assistant`, continue it where it stops.

    If `cached` is False, the request neither reads nor writes a cache (a control in a comparison). If `on_disk` is
    False, its cache stays in memory (a private answer): nothing is read from the disk or written to it, and no request
    that is kept on disk shares it.
    `thinking` lets a model reason first, if it can. `tools` is a JSON array of function schemas (empty: none).
    `alternatives` names up to three more requests for answers to the same prompt; all of them decode together after one
    prefill. `day` is the ISO date for a template that asks, if the conversation begins; empty for that of the engine.
    """

    request: str
    conversation: str
    messages: Annotated[tuple[ChatMessage, ...], msgspec.Meta(min_length=1)]
    sampling: Sampling = Sampling()
    cached: bool = True
    thinking: bool = False
    tools: str = ""
    alternatives: tuple[str, ...] = ()
    on_disk: bool = True
    day: str = ""

    @property
    def requests(self) -> tuple[str, ...]:
        """The names of all its requests."""
        return (self.request, *self.alternatives)


class Warm(msgspec.Struct, frozen=True, weakref=True, tag="warm"):
    """A conversation was opened: load its cache into memory ahead of the next request. Answered by Warmed. If `on_disk`
    is False, only memory is looked at, as for a Generate. `day` is that of a Generate.
    """

    conversation: str
    messages: tuple[ChatMessage, ...]
    thinking: bool = False
    tools: str = ""
    on_disk: bool = True
    day: str = ""


class CountTokens(msgspec.Struct, frozen=True, weakref=True, tag="count_tokens"):
    """Count the tokens of a text that may become part of a message. Answered by TokensCounted, unless a later command
    with the same `subject` replaces this one or the model goes.
    """

    subject: str
    text: str


class FitPrompt(msgspec.Struct, frozen=True, weakref=True, tag="fit_prompt"):
    """Find out from where on `messages` fit into the model's context with `room` tokens to spare. `starts` are the
    places in `messages`, ascending, at which the part may begin. A system prompt belongs to each part. `day` is that of
    a Generate. Answered by PromptFitted.
    """

    request: str
    conversation: str
    messages: tuple[ChatMessage, ...]
    starts: tuple[int, ...]
    room: int = 0
    thinking: bool = False
    tools: str = ""
    day: str = ""


class Focus(msgspec.Struct, frozen=True, weakref=True, tag="focus"):
    """The conversation on the screen, which the scheduler serves first. Empty: none."""

    conversation: str


class Cancel(msgspec.Struct, frozen=True, weakref=True, tag="cancel"):
    """End a request within one step. Answered by TurnFinished(reason="cancelled"). Unknown requests are ignored."""

    request: str


class ExportCache(msgspec.Struct, frozen=True, weakref=True, tag="export_cache"):
    """Write the cache of a conversation to `path` as a prompt cache file of mlx-lm. The part of `messages` that is not
    cached is prefilled first. Answered by CacheMoved.
    """

    request: str
    conversation: str
    messages: tuple[ChatMessage, ...]
    path: str


class Ping(msgspec.Struct, frozen=True, weakref=True, tag="ping"):
    """Heartbeat. The loop itself answers with Pong, so the app notices a step that hangs. From now on sentences for
    people are in `language`, "" for no change.
    """

    language: str = ""


class Shutdown(msgspec.Struct, frozen=True, weakref=True, tag="shutdown"):
    """Finish the pending cache writes and end. The end of stdin means the same."""


Command = (
    LoadModel | CancelLoad | UnloadModel | Generate | Warm | Focus | Cancel | CountTokens | FitPrompt
    | ExportCache | Ping | Shutdown | CacheCommand
)  # fmt: skip


class Usage(msgspec.Struct, frozen=True):
    """The figures of one answer. Times are in milliseconds, rates in tokens per second.

    `prompt_tokens` = `cached_tokens` + `prefill_tokens`. `restore_ms` is 0 if nothing came from disk. Of `drafted`
    tokens that were guessed, `accepted` were right. `miss_cause` is empty if everything reusable was reused, else a
    code of `engine.cache.segment.MissCause`.
    """

    prompt_tokens: Tokens = 0
    cached_tokens: Tokens = 0
    cached_from: Source = "none"
    prefill_tokens: Tokens = 0
    completion_tokens: Tokens = 0
    restore_ms: float = 0.0
    ttft_ms: float = 0.0
    decode_tps: float = 0.0
    drafted: Tokens = 0
    accepted: Tokens = 0
    miss_cause: str = ""


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The first event of every engine."""

    version: int


class LoadProgress(msgspec.Struct, frozen=True, tag="load_progress"):
    """A load began or progressed: `done` of `total` bytes in the stages that read the weights, 0 of 0 in the others.

    The engine handles no command before ModelLoaded or ModelFailed. The app ends an engine whose load makes no
    progress.
    """

    path: str
    stage: LoadStage
    done: int = 0
    total: int = 0


class ModelLoaded(msgspec.Struct, frozen=True, tag="model_loaded"):
    """A model is ready. `context_limit` is in tokens (0: unknown). `uncached` tells the user why this model's
    conversations cannot be cached; empty if they can.

    `thinks`: the model can reason before it answers. `kv_bits`: the quantisation in use, 0 if there is none. `identity`
    names the model in StoreReport. `sampling` is what its maker suggests. `shares` are the bytes of its weights on each
    machine of a group, by rank, and `layer_times` the nanoseconds that each takes for a layer (0: no layer is on one
    machine alone).
    """

    path: str
    context_limit: int
    uncached: str = ""
    thinks: bool = False
    kv_bits: KvBits = 0
    identity: str = ""
    sampling: OwnSampling = OwnSampling()
    shares: tuple[int, ...] = ()
    layer_times: tuple[int, ...] = ()
    head: HeadState = "none"


class ModelUnloaded(msgspec.Struct, frozen=True, tag="model_unloaded"):
    """No model is loaded any more. With an empty `code` the app asked for that; `path` is empty if none was loaded.
    Else the engine gave this model up because it failed repeatedly; or it was unloaded for another model, which failed,
    and could not be loaded again.
    """

    path: str
    code: str
    message: str


class ModelFailed(msgspec.Struct, frozen=True, tag="model_failed"):
    """The model could not be loaded. The previous one is unchanged. `message` is a sentence about "it": the app names
    the model.
    """

    path: str
    code: str
    message: str


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    """A request entered a phase, or progressed within it: `done` of `total` tokens of its prompt."""

    request: str
    conversation: str
    phase: Phase
    done: int = 0
    total: int = 0
    cached_tokens: int = 0
    restore_ms: float = 0.0
    miss_cause: str = ""


class Delta(msgspec.Struct, frozen=True):
    """New text of one row in one of its channels. The text of a tool call is its raw form.

    `tokens` is the number of tokens of the answer so far, `tps` the decode rate so far.
    """

    request: str
    conversation: str
    text: str
    tokens: int
    tps: float = 0.0
    channel: ReplyChannel = "answer"


class Deltas(msgspec.Struct, frozen=True, tag="deltas"):
    """The new text of all rows after one decode step."""

    rows: tuple[Delta, ...]


class TurnFinished(msgspec.Struct, frozen=True, tag="turn_finished"):
    """A request has ended. `ledger` belongs to the reply's text: the app stores it and sends it back.

    If the reason is `failed`, `code` and `message` describe the error, and `told` is the message for another language;
    the text so far is kept. `tool_calls` are the calls in the reply's tool channel.
    """

    request: str
    conversation: str
    reason: FinishReason
    usage: Usage
    ledger: str = ""
    code: str = ""
    message: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    told: Sentence | str = ""


class TokensCounted(msgspec.Struct, frozen=True, tag="tokens_counted"):
    """The outcome of CountTokens."""

    subject: str
    tokens: int


class PromptFitted(msgspec.Struct, frozen=True, tag="prompt_fitted"):
    """The outcome of FitPrompt: the first of the starts from which the conversation fits. If no part leaves so much
    room, it is the last start if that part can be read at all, else -1. An error is in `code` and `message`.
    """

    request: str
    conversation: str
    start: int = -1
    code: str = ""
    message: str = ""


class Warmed(msgspec.Struct, frozen=True, tag="warmed"):
    """The outcome of Warm: the tokens of the conversation that are now in memory, of `prompt_tokens` in all.
    `restore_ms` is 0 if nothing came from disk.
    """

    conversation: str
    cached_tokens: int
    prompt_tokens: int
    restore_ms: float
    miss_cause: str = ""


class Rejected(msgspec.Struct, frozen=True, tag="rejected"):
    """A command could not be parsed or obeyed, and belongs to no request."""

    code: str
    message: str


class Pong(msgspec.Struct, frozen=True, tag="pong"):
    """The answer to Ping."""


Event = (
    Ready | LoadProgress | ModelLoaded | ModelFailed | ModelUnloaded | Progress | Deltas | TurnFinished | Warmed
    | TokensCounted | PromptFitted | Rejected | GroupEnded | Pong | CacheEvent
)  # fmt: skip
