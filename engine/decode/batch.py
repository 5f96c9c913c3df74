"""The decode batch: rows that take one step together. See Batch for the thread and the invariants.

Limits are set elsewhere: how many rows decode at once by `engine.schedule.scheduler`, which rows are padded to each
other or packed one after another by `engine.decode.clustering`.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Many
from itertools import accumulate
from typing import Any

import mlx.core as mx
from mlx.utils import tree_flatten

from engine.decode import ragged_attention
from engine.decode.cache_merging import Arrangement, batch_form, regrouped, token_bytes
from engine.decode.clustering import MOST_PACKED, ByteSizes, PaddedRows, assign_clusters, numbered
from engine.decode.drafts.speculation import Speculation
from engine.decode.group import Group
from engine.decode.ragged_attention import RowPositions
from engine.decode.sampling import NO_NUMBER, draw_all, ids_of, recent_tokens
from engine.protocol.messages import Batching
from engine.schedule.sequence import Sequence


class Batch:
    """All rows of one model that are decoding.

    A row alone decodes on its own caches. Several rows share steps by the model's `batching`: "together" means one
    forward pass for all rows, with the keys and values of each cluster apart; "merged" means one forward pass for each
    cluster; "alone" means one for each row. With a `speculation`, a step may emit several tokens of a row, which takes
    its passes alone meanwhile.

    Threads: the MLX thread calls every method.

    Invariants:
    - Every change of a group is a transaction. The new groups are built and evaluated first, from sources that stay as
      they are, and then replace the old ones at once. A call that raises leaves the batch and its sequences as they
      were, apart from `step`.
    - A sequence is in at most one group.
    - The step is pipelined: the next token of every row is being computed before the current one is read. So after
      a step the caches cover exactly the prompt and the emitted tokens.
    - A row's first token is drawn before the row joins. It may be emitted before the row's first step feeds it.
    """

    def __init__(
        self,
        model: Any,
        *,
        batching: Batching,
        speculation: Speculation | None = None,
        agree: Callable[[str, int], int] = lambda _name, own: own,
    ) -> None:
        self._model = model
        self._batching = batching
        self._speculation = speculation
        self._agree = agree
        self._weights = agree("weights", _bytes(model.parameters()))
        self._groups: list[Group] = []
        if self._batching == "together":
            ragged_attention.install(model)

    def __len__(self) -> int:
        return sum(len(group.rows) for group in self._groups)

    @property
    def sequences(self) -> list[Sequence]:
        """The sequences that are decoding."""
        return [row for group in self._groups for row in group.rows]

    def join(self, sequence: Sequence) -> None:
        """Add a prefilled sequence, with its caches and its drawn token."""
        self.join_all([sequence])

    def join_all(self, sequences: Many[Sequence]) -> None:
        """Add several sequences at once, which copies less than one by one. Either all of them join, or none."""
        self._groups = self._united(self._groups, [self._alone(sequence) for sequence in sequences])
        for sequence in sequences:
            sequence.caches, sequence.drawn = [], None

    def note_drawn(self, sequence: Sequence) -> None:
        """Note the token that was drawn after the answer of a row that is about to leave, if one could be drawn. Waits
        for that token.
        """
        group, index = self._found(sequence)
        drawn = ids_of(group.pending)[index]
        sequence.drawn = None if drawn == NO_NUMBER else drawn

    def leave(self, sequence: Sequence) -> list[Any]:
        """Remove a sequence. Returns its own caches, which hold its prompt and every token that a step has fed."""
        group, index = self._found(sequence)
        own, rest = self._regrouped([group], [[index]]), self._without(group, index)
        drawn = ids_of(own.pending)[0] if sequence.drawn is None else sequence.drawn
        self._replace(group, rest)
        sequence.drawn = drawn
        return own.caches

    def drop(self, sequence: Sequence) -> None:
        """Remove a sequence and its caches."""
        group, index = self._found(sequence)
        self._replace(group, self._without(group, index))

    def drop_group(self, sequence: Sequence) -> list[Sequence]:
        """Remove a sequence with all rows of its group, and their caches. Returns the rows.

        Copies nothing, so it cannot fail.
        """
        group, _ = self._found(sequence)
        self._replace(group, None)
        return group.rows

    def step(self) -> list[tuple[Sequence, int]]:
        """One token for every row, or several for some. If it raises, some rows may have advanced and others not: clear
        the batch.
        """
        speculation = self._speculation
        if speculation is None:
            return self._ordinary_step(self._groups)
        if speculation.parts(self._groups):
            self._groups = self._parted(self._groups)
        elif speculation.unites(self._groups):
            self._groups = self._united([], self._groups)
        return speculation.step(self._groups, self._ordinary_step)

    def clear(self) -> None:
        """Remove all rows and their caches."""
        self._take([])

    # --- groups and clusters

    def _alone(self, sequence: Sequence) -> Group:
        """A group of one newcomer, on its own caches."""
        assert sequence.drawn is not None, "a newcomer was prefilled to its end, or has left"
        kind = batch_form(sequence.caches, sequence.position, self._batching)
        positions = RowPositions([PaddedRows([sequence.position])])
        drawn = mx.array([sequence.drawn])
        return Group([sequence], list(sequence.caches), drawn, positions, kind)

    def _united(self, groups: list[Group], newcomers: Many[Group]) -> list[Group]:
        """The groups after newcomers, each a row alone, have joined the rows of their forms."""
        for kind in dict.fromkeys(group.batch_form for group in newcomers):
            alike = [group for group in newcomers if group.batch_form == kind]
            groups = [*groups, *alike] if kind is None else self._joined(groups, alike)
        return groups

    def _parted(self, groups: Many[Group]) -> list[Group]:
        """A group for each row."""
        return [self._regrouped([group], [[index]]) for group in groups for index in range(len(group.rows))]

    def _joined(self, groups: list[Group], newcomers: list[Group]) -> list[Group]:
        """The groups after newcomers of one form have joined the rows of that form."""
        hosts = [group for group in groups if group.batch_form == newcomers[0].batch_form]
        others = [group for group in groups if group not in hosts]
        clusters = [cluster for group in hosts for cluster in group.positions.clusters]
        lengths = [group.positions.lengths[0] for group in newcomers]
        most_packed = MOST_PACKED if self._batching == "together" else 1
        most = 1 << 53  # the least of what lacks to it is the most of all machines
        token = most - self._agree("token bytes", most - token_bytes(newcomers[0].caches))
        sizes = ByteSizes(token, self._weights, most_packed)
        clusters_after = assign_clusters(clusters, lengths, sizes)
        if self._batching == "together":
            return [*others, self._regrouped([*hosts, *newcomers], clusters_after)]
        apart = [_members([*hosts, *newcomers], cluster) for cluster in clusters_after]
        return [*others, *(self._regrouped(members, [list(range(_rows(members)))]) for members in apart)]

    def _without(self, group: Group, index: int) -> Group | None:
        """The group without one of its rows; None if that was its last."""
        clusters = _clusters_without(group.positions.clusters, index)
        return self._regrouped([group], clusters) if clusters else None

    def _regrouped(self, groups: list[Group], clusters: list[list[int]]) -> Group:
        """One group of the rows of `groups` that `clusters` name, numbered through all groups; evaluated.

        `groups` stay as they are. Until the new group replaces them, the copied caches are in memory twice.
        """
        arrangement = Arrangement.of(clusters, [layout for group in groups for layout in group.positions.layouts])
        if len(groups) == 1 and arrangement.rows == list(range(len(groups[0].rows))):
            return groups[0]
        layers = zip(*(group.caches for group in groups), strict=True)
        made = [regrouped(sources, arrangement, self._batching) for sources in layers]
        pending = mx.concatenate([group.pending for group in groups])[mx.array(arrangement.rows)]
        mx.eval([new for _, new in made], pending)
        rows = [row for group in groups for row in group.rows]
        caches, first = [cache for cache, _ in made], groups[0]
        own = [rows[i] for i in arrangement.rows]
        return Group(own, caches, pending, arrangement.positions, first.batch_form)

    def _found(self, sequence: Sequence) -> tuple[Group, int]:
        """The group of a sequence, and its index there. Raises LookupError if it is in no group."""
        for group in self._groups:
            if sequence in group.rows:
                return group, group.rows.index(sequence)
        raise LookupError(f"request {sequence.request} is not in the batch")

    def _replace(self, group: Group, new: Group | None) -> None:
        groups = [new if old is group else old for old in self._groups]
        self._take([kept for kept in groups if kept is not None])

    def _take(self, groups: list[Group]) -> None:
        """Continue with `groups`: a row has left."""
        self._groups = groups
        if self._speculation is not None:
            self._speculation.keep(self.sequences)

    # --- the step

    def _ordinary_step(self, groups: Many[Group]) -> list[tuple[Sequence, int]]:
        """One token for every row of `groups`."""
        current = [group.pending for group in groups]
        for group in groups:
            self._forward(group)
        return [e for group, tokens in zip(groups, current, strict=True) for e in _emitted(group, tokens)]

    def _forward(self, group: Group) -> None:
        fed = group.pending
        logits = self._model(fed[:, None], cache=group.caches)[:, -1, :]
        positions = [row.position + 1 for row in group.rows]
        before = [_recent(row) for row in group.rows]
        group.pending = draw_all(logits, [row.sampler for row in group.rows], positions, before, fed)
        mx.async_eval(group.pending, [cache.offset for cache in group.padded])  # type: ignore[no-untyped-call] # the stub lacks this signature
        group.positions.advance()


def _bytes(parameters: Any) -> int:
    flat: list[tuple[str, mx.array]] = tree_flatten(parameters)  # type: ignore[assignment] # a list, as no dict is given
    return sum(array.nbytes for _, array in flat)


def _emitted(group: Group, tokens: mx.array) -> list[tuple[Sequence, int]]:
    """Advance each row by the token that the step has fed: the next token of its answer."""
    ids = ids_of(tokens)
    for row in group.rows:
        row.position += 1
    return list(zip(group.rows, ids, strict=True))


def _recent(row: Sequence) -> list[int]:
    """The row's tokens before the pending one that its sampler looks at."""
    if not row.sampler.penalised:
        return []
    return recent_tokens(row.prompt.ids, row.emitted, row.position)


def _members(groups: Many[Group], cluster: Many[int]) -> list[Group]:
    """The groups whose rows are in `cluster`. Rows are numbered through all groups."""
    ends = accumulate(len(group.rows) for group in groups)
    return [group for group, end in zip(groups, ends, strict=True) if end - 1 in cluster]


def _rows(groups: Many[Group]) -> int:
    return sum(len(group.rows) for group in groups)


def _clusters_without(clusters: Many[Many[int]], index: int) -> list[list[int]]:
    """The rows of `clusters`, numbered through them, without row `index`. No cluster is empty."""
    rest = [[row for row in cluster if row != index] for cluster in numbered(clusters)]
    return [cluster for cluster in rest if cluster]
