"""The decode batch: rows that take one step together. Owns joining, leaving and stepping.

Which rows share a padded buffer is `engine.company`'s to say, what is copied `engine.arrangement`'s. A row alone
decodes on its own caches. Beyond that it depends on the model: "together", all rows share one forward pass, each
cluster of them with its own keys and values; "merged", each cluster has a forward pass of its own; "alone", each row.

The step is pipelined: the next token of every row is put on its way before the current one is read, so that at any
moment the caches cover exactly the prompt and the tokens that were emitted. A row's first token is drawn before it
joins.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import mlx.core as mx
from mlx.utils import tree_flatten

from engine import attention
from engine.arrangement import Seating, arranged, form, token_bytes, unread
from engine.company import Sizes, seated
from engine.rows import Places
from engine.sampling import draw_all, recent

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from collections.abc import Sequence as Many

    from engine.protocol import Company
    from engine.sequence import Sequence


@dataclass(eq=False)
class _Group:
    """Rows that share a forward pass. `caches` are one row's own or those of many; `pending`, (rows,), are the tokens
    that were drawn but not emitted yet.

    `form` is what a newcomer's caches must look like to join, None where nobody can.
    """

    rows: list[Sequence]
    caches: list[Any]
    pending: mx.array
    places: Places
    form: Hashable | None

    @property
    def nbytes(self) -> int:
        """The bytes that its caches hold."""
        held: int = sum(cache.nbytes for cache in self.caches)
        return held


class _Portions:
    """Computes new arrays in portions of a tenth of the `whole` (bytes), or of one array if that is more: old and new
    ones lie in memory together for no longer. The last portion is only put on its way, as nobody has to wait for it.
    """

    def __init__(self, whole: int) -> None:
        self._most = whole / 10
        self._size = 0
        self._arrays: list[mx.array] = []

    def add(self, arrays: Many[mx.array]) -> None:
        """Compute these in time."""
        for array in arrays:
            if self._size + array.nbytes > self._most:
                mx.eval(self._arrays)
                self._size, self._arrays = 0, []
            self._size += array.nbytes
            self._arrays.append(array)

    def send(self) -> None:
        """Put the rest on its way."""
        mx.async_eval(self._arrays)  # type: ignore[no-untyped-call] # the stub lacks this signature


class Batch:
    """All rows of one model that are decoding."""

    def __init__(self, model: Any, *, company: Company) -> None:
        self._model = model
        self._company = company
        self._weights = _bytes(model.parameters())
        self._groups: list[_Group] = []
        if self._company == "together":
            attention.install(model)

    def __len__(self) -> int:
        return sum(len(group.rows) for group in self._groups)

    @property
    def sequences(self) -> list[Sequence]:
        """The sequences that are decoding."""
        return [row for group in self._groups for row in group.rows]

    @property
    def nbytes(self) -> int:
        """The bytes that the rows' caches hold."""
        return sum(group.nbytes for group in self._groups)

    def join(self, sequence: Sequence) -> None:
        """Let a read or paused sequence decode; its caches and its drawn token belong to the batch until it leaves."""
        self.join_all([sequence])

    def join_all(self, sequences: Many[Sequence]) -> None:
        """Let several join at once, which copies less than one after another."""
        newcomers = [self._alone(sequence) for sequence in sequences]
        for kind in dict.fromkeys(group.form for group in newcomers):
            if kind is None:
                self._groups += [group for group in newcomers if group.form is None]
            else:
                self._seat([group for group in newcomers if group.form == kind])

    def leave(self, sequence: Sequence) -> list[Any]:
        """Take a sequence out and return its own caches, which hold its prompt and every token it emitted."""
        group, index = next(self._find(sequence))
        sequence.drawn = int(group.pending[index].item())  # type: ignore[arg-type] # ids are whole numbers
        portions = _Portions(group.nbytes)
        caches = []
        for own, new in self._parted(group, index, portions):
            portions.add(new)
            caches.append(own)
        portions.send()
        return caches

    def drop(self, sequence: Sequence) -> None:
        """Take a sequence out, if it is here, and let its caches go."""
        for group, index in list(self._find(sequence)):
            portions = _Portions(group.nbytes)
            for own, new in self._parted(group, index, portions):
                del own, new
            portions.send()

    def step(self) -> list[tuple[Sequence, int]]:
        """One token of every row."""
        current = [group.pending for group in self._groups]
        for group in self._groups:
            self._forward(group)
        return [e for group, tokens in zip(self._groups, current, strict=True) for e in _emitted(group, tokens)]

    def clear(self) -> None:
        """Drop all rows and their caches."""
        self._groups.clear()

    # --- who sits where

    def _alone(self, sequence: Sequence) -> _Group:
        assert sequence.drawn is not None, "whoever joins was read to its end, or has left"
        pending, sequence.drawn = mx.array([sequence.drawn]), None
        caches, sequence.caches = sequence.caches, []
        kind = form(caches, sequence.position, self._company)
        return _Group([sequence], list(caches), pending, Places([[sequence.position]]), kind)

    def _seat(self, newcomers: list[_Group]) -> None:
        """Let newcomers of one form join those of their form that are here."""
        hosts = [group for group in self._groups if group.form == newcomers[0].form]
        clusters = [cluster for group in hosts for cluster in group.places.clusters]
        lengths = [group.places.lengths[0] for group in newcomers]
        seats = seated(clusters, lengths, Sizes(token_bytes(newcomers[0].caches), self._weights))
        self._groups = [group for group in self._groups if group not in hosts]
        if self._company == "together":
            self._groups.append(self._united([*hosts, *newcomers], seats))
            return
        for seat in seats:
            members = _members([*hosts, *newcomers], seat)
            self._groups.append(self._united(members, [list(range(len(seat)))]))

    def _united(self, groups: list[_Group], clusters: list[list[int]]) -> _Group:
        """One group of all rows of `groups`, in clusters of rows numbered through them."""
        if len(groups) == 1:
            return groups[0]
        rows = [row for group in groups for row in group.rows]
        seating = Seating.of(clusters, [length for group in groups for length in group.places.lengths])
        portions = _Portions(sum(group.nbytes for group in groups))
        caches = []
        for layer in range(len(groups[0].caches)):
            cache, new = arranged([group.caches[layer] for group in groups], seating, self._company)
            for group in groups:
                group.caches[layer] = None  # held twice no longer than until the new one is computed
            portions.add(new)
            caches.append(cache)
        portions.send()
        pending = mx.concatenate([group.pending for group in groups])[mx.array(seating.rows)]
        return _Group([rows[i] for i in seating.rows], caches, pending, seating.places, groups[0].form)

    def _find(self, sequence: Sequence) -> Iterator[tuple[_Group, int]]:
        for group in self._groups:
            yield from ((group, i) for i, row in enumerate(group.rows) if row is sequence)

    def _parted(self, group: _Group, index: int, portions: _Portions) -> Iterator[tuple[Any, Many[mx.array]]]:
        """Take a row out of its group and give its own caches layer by layer, with the arrays in them that are new."""
        if len(group.rows) == 1:
            self._groups.remove(group)
            yield from ((cache, ()) for cache in group.caches)
            return
        lengths = group.places.lengths
        own, rest = Seating.of([[index]], lengths), Seating.of(_without(group.places.clusters, index), lengths)
        for layer in range(len(group.caches)):
            taken = arranged([group.caches[layer]], own, self._company)
            group.caches[layer], new = arranged([group.caches[layer]], rest, self._company)
            yield taken
            del taken
            portions.add(new)
        group.rows = [group.rows[i] for i in rest.rows]
        group.pending = group.pending[mx.array(rest.rows)]
        group.places = rest.places

    # --- the step

    def _forward(self, group: _Group) -> None:
        fed = group.pending
        logits = self._model(fed[:, None], cache=group.caches)[:, -1, :]
        positions = [row.position + 1 for row in group.rows]
        before = [_recent(row) for row in group.rows]
        group.pending = draw_all(logits, [row.sampler for row in group.rows], positions, before, fed)
        mx.async_eval(group.pending, unread(group.caches))  # type: ignore[no-untyped-call] # the stub lacks this signature
        group.places.advance()


def _bytes(parameters: Any) -> int:
    flat: list[tuple[str, mx.array]] = tree_flatten(parameters)  # type: ignore[assignment] # a list, as no dict is given
    return sum(array.nbytes for _, array in flat)


def _emitted(group: _Group, tokens: mx.array) -> list[tuple[Sequence, int]]:
    """Read the tokens that the step has fed, which are the next of each row's answer."""
    ids: list[int] = tokens.tolist()  # type: ignore[assignment] # a vector of ids is a list of ints
    for row in group.rows:
        row.position += 1
    return list(zip(group.rows, ids, strict=True))


def _recent(row: Sequence) -> list[int]:
    """A row's tokens before the pending one, as far as its sampler looks back."""
    if not row.sampler.penalised:
        return []
    return recent(row.laid_out.ids, row.emitted, row.position)


def _members(groups: Many[_Group], seat: Many[int]) -> list[_Group]:
    """The groups that sit there, rows being numbered through all of them."""
    ends = accumulate(len(group.rows) for group in groups)
    return [group for group, end in zip(groups, ends, strict=True) if end - 1 in seat]


def _without(clusters: Many[Many[int]], index: int) -> list[list[int]]:
    """The rows of `clusters`, numbered through them, without one of them; no cluster is left empty."""
    rest: list[list[int]] = []
    row = 0
    for cluster in clusters:
        kept = [r for r in range(row, row + len(cluster)) if r != index]
        rest += [kept] if kept else []
        row += len(cluster)
    return rest
