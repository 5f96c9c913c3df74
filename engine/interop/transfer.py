"""Imports prompt caches from mlx-lm's files, and exports them, in steps between which the engine's loop runs other
work.

An imported cache becomes one segment at the start of a conversation. Every prompt that begins with the segment's text
is restored from it. Runs on the engine's main thread.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import mlx.core as mx

from engine.cache.codec import codec
from engine.cache.codec.codec import Layout
from engine.cache.disk import disk_tier
from engine.cache.disk.io_thread import Failure, Priority
from engine.cache.lookup import LookupRequest, LookupResult
from engine.cache.manager import CacheManager
from engine.cache.retention import StateRole
from engine.cache.segment import cut
from engine.decode.prefill import checkpoint
from engine.interop.convert import fill, layers, opened, reason, write
from engine.interop.verify import prefill, verify
from engine.memory.footprint import admit, row_bytes
from engine.memory.machine import free_bytes
from engine.model.loader import LoadedModel
from engine.prompt.imported_prefixes import ImportedPrefix, mark
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import CacheMoved, ImportCache
from engine.protocol.errors import (
    CacheNotWritten,
    CacheRefused,
    ContextFull,
    EngineError,
    MemoryFull,
    PromptRefused,
    RequestError,
)
from engine.turn.prepare import prepare_history
from resources.language.sentence import sentence

log = logging.getLogger(__name__)

_Command = ImportCache | protocol.ExportCache

_AS_MLX_LM_SAYS = '{"trust_remote_code": false}'
"""mlx-lm's program looks for this in a file: how to load the tokenizer."""


@dataclass(eq=False)
class _Transfer:
    """One command. `steps` is the rest of its work, None while it waits for the disk."""

    command: _Command
    steps: Iterator[None] | None = None


class Transfers:
    """The imports and exports of one loaded model. `available` gives the bytes of memory that can be taken now."""

    def __init__(
        self,
        model: LoadedModel,
        manager: CacheManager,
        emit: Callable[[CacheMoved], None],
        available: Callable[[], int] = free_bytes,
    ) -> None:
        self._model = model
        self._manager = manager
        self._emit = emit
        self._available = available
        self._transfers: list[_Transfer] = []

    @property
    def running(self) -> int:
        """The number of transfers that have not ended."""
        return len(self._transfers)

    @property
    def busy(self) -> bool:
        """Whether a call of `step` has work to do."""
        return any(transfer.steps for transfer in self._transfers)

    def begin(self, command: _Command) -> None:
        """Begin a transfer. It ends with a CacheMoved event."""
        transfer = _Transfer(command)
        self._transfers.append(transfer)
        if isinstance(command, ImportCache):
            transfer.steps = self._importing(transfer, command)
        else:
            transfer.steps = self._looking_up(transfer, command)

    def step(self) -> None:
        """Run one portion of the oldest transfer that is not waiting. The edge of a transfer: whatever a foreign file
        causes ends the transfers alone.
        """
        transfer, steps = next((transfer, transfer.steps) for transfer in self._transfers if transfer.steps)
        try:
            next(steps, None)
        except OSError as error:
            self._fail(transfer, CacheRefused(f"The file cannot be read{reason(error)}."))
        except EngineError as error:
            self._fail(transfer, error)
        except Exception:
            log.exception("transferring a cache")
            self.fail_all(RequestError(sentence("The cache could not be moved.")))

    def fail_all(self, error: EngineError) -> None:
        """End every transfer with `error`."""
        for transfer in list(self._transfers):
            self._fail(transfer, error)

    def _fail(self, transfer: _Transfer, error: EngineError) -> None:
        self._finish(transfer, CacheMoved(transfer.command.request, code=error.code, message=str(error)))

    def _finish(self, transfer: _Transfer, event: CacheMoved) -> None:
        """Finish a transfer and emit its only event."""
        if transfer in self._transfers:
            self._transfers.remove(transfer)
            self._manager.release(transfer.command.conversation, transfer.command.request)
            self._emit(event)
            mx.clear_cache()

    def _layout(self) -> Layout:
        if self._model.machines > 1:
            raise CacheRefused("A model that runs on several machines has no cache that fits into one file.")
        if self._model.layout is None:
            raise CacheRefused(self._model.uncached)
        return self._model.layout

    def _reserve_memory(self, need: int) -> None:
        """Raises MemoryFull unless `need` bytes are free or can be freed."""
        admission = admit(need, self._available(), 0, self._manager.hot.bytes)
        if admission.verdict != "now":
            raise MemoryFull(f"{admission.words}.")
        if admission.reclaim:
            self._manager.hot.evict(admission.reclaim)

    # --- in

    def _importing(self, transfer: _Transfer, command: ImportCache) -> Iterator[None]:
        layout, caches = self._layout(), self._model.fresh_caches()
        with opened(Path(command.path)) as file:
            stored = layers(file, layout, caches)
            text, ids = imported_prefix(self._model, command, max((layer.length for layer in stored), default=0))
            self._reserve_memory(2 * file.bytes)
            fill(file, stored, len(ids))
            size = file.bytes
        yield
        computed = yield from verify(self._model, caches, ids)
        transfer.steps = None
        self._store(transfer, text, ids, computed, size)

    def _store(self, transfer: _Transfer, text: str, ids: Sequence[int], caches: Sequence[Any], size: int) -> None:
        """Store these caches as the start of the conversation, in memory and on disk."""
        model, prefix = self._model, ImportedPrefix.of(text)
        conversation = transfer.command.conversation
        (segment,) = cut(model.identity.model, ids, [len(ids)], [len(ids)])
        records = checkpoint(caches, segment, durable=True).records
        self._manager.hot.put(segment, StateRole.TURN, records)
        self._manager.hot.claim(conversation, [segment])
        new = mark(disk_tier.new_segment(segment, model.identity.model, records), prefix)

        def stored(result: int | Failure) -> None:
            if isinstance(result, Failure):
                self._manager.hot.forget(conversation)
                self._finish(transfer, CacheMoved(transfer.command.request, code=result.code, message=result.message))
                return
            model.imported_prefixes.add([prefix])
            self._finish(transfer, CacheMoved(transfer.command.request, len(ids), size))

        self._manager.ask(Priority.WRITE, lambda store: store.commit(conversation, [new], self._manager.in_use), stored)

    # --- out

    def _looking_up(self, transfer: _Transfer, command: protocol.ExportCache) -> Iterator[None]:
        layout = self._layout()
        prompt, chain = prepare_history(self._model, protocol.Warm(command.conversation, command.messages))
        if not prompt.ids:
            raise PromptRefused("There is nothing to export yet.")
        transfer.steps = None
        length = len(prompt.ids)
        request = LookupRequest(
            command.conversation, chain, layout.needs, length + 1, prompt.reusable, [command.request]
        )
        self._manager.look_up(request, partial(self._found, transfer, command, prompt.ids))
        yield

    def _found(
        self, transfer: _Transfer, command: protocol.ExportCache, ids: Sequence[int], found: LookupResult
    ) -> None:
        transfer.steps = self._exporting(transfer, command, ids, found)

    def _exporting(
        self, transfer: _Transfer, command: protocol.ExportCache, ids: Sequence[int], found: LookupResult
    ) -> Iterator[None]:
        layout, caches = self._layout(), self._model.fresh_caches()
        self._reserve_memory(2 * row_bytes(layout.footprint, len(ids)))
        reached = codec.restore(layout, caches, found.pieces)
        yield
        for _ in prefill(self._model, caches, ids[reached:]):
            yield
        if not codec.covers(caches, len(ids)):
            raise CacheNotWritten("This model's caches are not what their tokens would make them.")
        about = {"model": self._model.path, "tokenizer_config": _AS_MLX_LM_SAYS}
        size = write(Path(command.path), caches, about)
        self._finish(transfer, CacheMoved(command.request, len(ids), size))


def imported_prefix(model: LoadedModel, command: ImportCache, tokens: int) -> tuple[str, list[int]]:
    """The prompt text and token ids of an imported cache that covers `tokens` tokens (0: the file does not say).

    mlx-lm keeps the final newline of a prompt from standard input, and has none in a prompt from an argument; both are
    tried. Raises CacheRefused, PromptRefused or ContextFull.
    """
    lengths = []
    for content in dict.fromkeys((command.text, command.text.rstrip("\n"))):
        said = (protocol.ChatMessage("system", command.system),) if command.system else ()
        messages = (*said, protocol.ChatMessage("user", content))
        text = model.template.unfinished(messages)
        ids = model.encode(text)
        lengths.append(len(ids))
        if tokens in (0, len(ids)):
            _check(model, messages, text, len(ids))
            return text, ids
    raise CacheRefused(f"The cache in this file covers {tokens:,} tokens, and this text makes {lengths[0]:,}.")


def _check(model: LoadedModel, messages: tuple[protocol.ChatMessage, ...], text: str, tokens: int) -> None:
    if model.context_limit and tokens >= model.context_limit:
        raise ContextFull(f"The text takes {tokens:,} tokens; this model reads {model.context_limit:,} at most.")
    if not tokens or not model.template.render(protocol.Warm("", messages)).text.startswith(text):
        raise CacheRefused("Hearth writes the beginning of this model's prompts in another way than mlx-lm.")
