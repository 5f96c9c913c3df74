"""Ranks fetch records from each other, in portions over their control connections.

One portion at a time is on its way, so beats and inputs wait for at most one. Bytes that another rank sends become
arrays only if their number is that of the arrays.

Any thread may fetch; it waits meanwhile. The links' threads call `hear`.
"""

from __future__ import annotations

import itertools
import queue
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.ranks.inputs import Fetch, Form, Portion
from engine.ranks.part import PartMismatchError
from storage.segments.records import ITEM_BYTES, Tensor, tensor_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.ranks.inputs import Carried

PORTION_BYTES: Final = 1 << 18
"""Less than 3 ms of a connection of 1 Gb/s."""
ANSWER_SECONDS: Final = 10.0
"""How long the other rank may take to send a portion."""
MOST_BYTES: Final = 1 << 32
"""The largest record that is sent."""
_MEASURED_BYTES: Final = 1 << 20
"""A shorter record says more about the time to its first byte than about the rate of the connection."""


class FetchError(Exception):
    """The other rank does not send a record."""


class NotThereError(FetchError):
    """The other rank has no such record."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The arrays of a record as they are sent."""

    forms: tuple[Form, ...]
    data: memoryview

    @classmethod
    def of(cls, tensors: Mapping[str, Tensor]) -> Contents:
        """Copies them."""
        forms = tuple(Form(name, tensor.dtype, tensor.shape) for name, tensor in tensors.items())
        return cls(forms, memoryview(b"".join(tensor.data.cast("B") for tensor in tensors.values())))

    def tensors(self) -> dict[str, Tensor]:
        """Views of the bytes. Raises PartMismatchError if there are not exactly enough of them."""
        found: dict[str, Tensor] = {}
        at = 0
        for form in self.forms:
            if form.dtype not in ITEM_BYTES or min(form.shape, default=0) < 0:
                raise PartMismatchError(f"there is no array of {form.dtype} and {form.shape}")
            size = tensor_bytes(form.dtype, form.shape)
            found[form.name] = Tensor(form.dtype, form.shape, self.data[at : at + size])
            at += size
        if at != len(self.data) or len(found) != len(self.forms):
            raise PartMismatchError("the arrays have other bytes than were sent")
        return found


class Exchange:
    """The road of one rank to the others. `send` takes a message to a rank. `find` looks for this rank's share of a
    record that another one fetches and passes it on, or None.
    """

    def __init__(
        self,
        send: Callable[[int, Carried], object],
        find: Callable[[int, Fetch, Callable[[Contents | None], None]], object],
    ) -> None:
        self._send = send
        self._find = find
        self._numbers = itertools.count()
        self._answers: dict[int, queue.SimpleQueue[Portion]] = {}
        self._sending: dict[int, tuple[int, Contents]] = {}
        self._turn = threading.Lock()
        self.bytes_per_second: float | None = None

    def seconds(self, size: int) -> float | None:
        """How long it takes to fetch so many bytes; None if that is not known yet."""
        return size / self.bytes_per_second if self.bytes_per_second else None

    def fetch(self, rank: int, segment: str, kind: str, before_portion: Callable[[], object] = int) -> Contents:
        """That rank's share of a record. `before_portion` is called before each portion. Raises FetchError and
        NotThereError, and what `before_portion` raises.
        """
        with self._turn:
            number = next(self._numbers)
            self._answers[number] = queue.SimpleQueue()
            try:
                return self._fetched(rank, Fetch(number, segment, kind), before_portion)
            finally:
                del self._answers[number]

    def _fetched(self, rank: int, wanted: Fetch, before_portion: Callable[[], object]) -> Contents:
        before_portion()
        first = self._portion(rank, wanted)
        if not first.forms:
            raise NotThereError(f"rank {rank} does not have the {wanted.kind} record of {wanted.segment}")
        if first.size > MOST_BYTES:
            raise FetchError(f"rank {rank} would send {first.size} bytes")
        data, seconds = bytearray(first.data), 0.0
        while len(data) < first.size:
            before_portion()
            began = time.monotonic()
            portion = self._portion(rank, Fetch(wanted.number, wanted.segment, wanted.kind, len(data)))
            if portion.at != len(data) or not portion.data:
                raise FetchError(f"rank {rank} sent another portion than the one from byte {len(data)}")
            data += portion.data
            seconds += time.monotonic() - began
        if len(data) != first.size:
            raise FetchError(f"rank {rank} sent {len(data)} bytes of {first.size}")
        if len(data) >= _MEASURED_BYTES and seconds:
            self.bytes_per_second = len(data) / seconds
        return Contents(first.forms, memoryview(data))

    def _portion(self, rank: int, wanted: Fetch) -> Portion:
        self._send(rank, wanted)
        try:
            return self._answers[wanted.number].get(timeout=ANSWER_SECONDS)
        except queue.Empty:
            raise FetchError(f"rank {rank} sent no portion in {ANSWER_SECONDS:.0f} s") from None

    def hear(self, rank: int, message: Carried) -> None:
        """That rank fetches something, or answers. An answer that no call waits for is dropped."""
        if isinstance(message, Fetch):
            self._answer(rank, message)
        elif answers := self._answers.get(message.number):
            answers.put(message)

    def _answer(self, rank: int, wanted: Fetch) -> None:
        if not wanted.at:
            self._find(rank, wanted, lambda found: self._begin(rank, wanted, found))
            return
        number, contents = self._sending.get(rank, (-1, None))
        if contents is None or number != wanted.number:
            self._send(rank, Portion(wanted.number))
        else:
            self._send_portion(rank, wanted, contents)

    def _begin(self, rank: int, wanted: Fetch, contents: Contents | None) -> None:
        if contents is None:
            self._send(rank, Portion(wanted.number))
            return
        self._sending[rank] = wanted.number, contents
        self._send_portion(rank, wanted, contents)

    def _send_portion(self, rank: int, wanted: Fetch, contents: Contents) -> None:
        end = wanted.at + PORTION_BYTES
        forms = () if wanted.at else contents.forms
        if end >= len(contents.data):
            self._sending.pop(rank, None)
        data = bytes(contents.data[wanted.at : end])
        self._send(rank, Portion(wanted.number, wanted.at, len(contents.data), data, forms))
