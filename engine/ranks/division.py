"""How a model's state is divided among ranks: the part of each, found by comparing the caches of the whole model with
those of its share.

mlx-lm's own functions split the model. Before they do, a few tokens run through the whole model without being
evaluated, so its weights are not read: that gives the forms of whole records. A form that is the same in the share is
whole on each rank; one that is shorter along one axis is split there. On the MLX thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlx_lm.models.cache import make_prompt_cache

from engine.cache.codec.codec import Layout
from engine.model.split import layers_here
from engine.model.trial import KvQuantization, tried
from engine.ranks.part import Part, Piece, even, segmented

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine.cache.codec.codec import ArrayForm
    from engine.protocol.inspection import Split
    from engine.protocol.messages import KvBits

    Place = Callable[[str, str], Piece | None]


@dataclass(frozen=True, slots=True)
class Rank:
    """One of `ranks` ranks that split a model in the way of `how`."""

    how: Split
    number: int
    ranks: int


@dataclass(frozen=True, slots=True)
class Division:
    """How the loaded model's state is divided. `identity` is that of the whole model, `own` this rank's part, with
    records as in `layout`. The leader alone has the `parts` of all ranks, and the layout of the `whole`.
    """

    identity: str
    own: Part
    layout: Layout
    parts: Mapping[int, Part]
    whole: Layout


@dataclass(frozen=True, slots=True)
class WholeModel:
    """A model before it is split. `layouts`: the forms of its records by the bits of its keys and values. `caches`: how
    many its layers have. `convolved`: the segments of its convolutions' channels that are split one by one, by their
    sum.
    """

    layouts: Mapping[int, Layout]
    caches: int
    convolved: Mapping[int, Sequence[int]]

    @classmethod
    def of(cls, model: Any, kv_bits: KvBits) -> WholeModel:
        """Evaluates nothing."""
        plain = make_prompt_cache(model)
        tried(model, plain)
        forms = {0: Layout.of(plain)}
        if (quantization := KvQuantization.fitting(plain, kv_bits)).bits:
            packed = quantization.packed(make_prompt_cache(model))
            tried(model, packed)
            forms[quantization.bits] = Layout.of(packed)
        return cls({bits: layout for bits, layout in forms.items() if layout}, len(plain), _convolved(model))

    def part(self, model: Any, share: Layout, kv_bits: KvBits, rank: Rank) -> Part | None:
        """The part of `rank`, which has `model` with records of the forms `share`; None if no rule is known."""
        whole = self.layouts.get(kv_bits)
        if whole is None:
            return None
        if rank.how == "pipeline":
            return self._layers(model, whole, share)
        name = f"tensor{rank.number}of{rank.ranks}"
        return _part(name, share, lambda kind, own: self._heads(whole, share, kind, own, rank))

    def division(
        self,
        identity: str,
        own: Part | None,
        layout: Layout | None,
        parts: Mapping[int, Part | None],
        kv_bits: KvBits,
    ) -> Division | None:
        """How the model is divided; None if the parts of all ranks do not make up whole records. Only the leader has
        `parts`, and knows.
        """
        whole, known = self.layouts.get(kv_bits), {rank: part for rank, part in parts.items() if part}
        if own is None or layout is None or whole is None or known.keys() != parts.keys():
            return None
        made = {kind: {p.name for part in known.values() for p in part.kinds.get(kind, ())} for kind in whole.forms}
        if parts and made != {kind: forms.keys() for kind, forms in whole.forms.items()}:
            return None
        return Division(identity, own, layout, known, whole)

    def _layers(self, model: Any, whole: Layout, share: Layout) -> Part | None:
        first, last = layers_here(model)
        if len(make_prompt_cache(model)) != last - first or last > self.caches:
            return None

        def place(kind: str, own: str) -> Piece | None:
            layer, _, rest = own.partition(".")
            name, form = f"{int(layer) + first}.{rest}", share.forms[kind][own]
            if whole.forms.get(kind, {}).get(name) != form:
                return None
            return Piece(name, own, 0, form[1][0], ((0, form[1][0]),))

        return _part(f"layers{first}to{last}", share, place)

    def _heads(self, whole: Layout, share: Layout, kind: str, own: str, rank: Rank) -> Piece | None:
        form, here = whole.forms.get(kind, {}).get(own), share.forms[kind][own]
        axis = _axis(form, here) if form else None
        if form is None or axis is None:
            return None
        length = form[1][axis]
        if form == here:
            return Piece(own, own, axis, length, ((0, length),))
        if axis < _LAST_OF_HEADS:
            piece = even(own, axis, length, rank.number, rank.ranks)
        else:
            piece = segmented(own, axis, self.convolved.get(length, ()), rank.number, rank.ranks)
        return piece if piece and piece.size == here[1][axis] and piece.length == length else None


_LAST_OF_HEADS = 2
"""Arrays are (1, heads, ...); an axis from here on is one of channels, whose order each family chooses."""


def _part(name: str, share: Layout, place: Place) -> Part | None:
    kinds: dict[str, tuple[Piece, ...]] = {}
    for kind, forms in share.forms.items():
        pieces = [place(kind, own) for own in forms]
        if None in pieces:
            return None
        kinds[str(kind)] = tuple(piece for piece in pieces if piece)
    return Part(name, kinds)


def _axis(whole: ArrayForm, own: ArrayForm) -> int | None:
    """The only axis along which two forms differ; 0 if they are equal; None if they cannot be compared."""
    if whole[0] != own[0] or len(whole[1]) != len(own[1]):
        return None
    differing = [axis for axis, (one, other) in enumerate(zip(whole[1], own[1], strict=True)) if one != other]
    return None if len(differing) > 1 else (differing or [0])[0]


def _convolved(model: Any) -> dict[int, Sequence[int]]:
    """The queries, keys and values of each layer with a convolution over all three."""
    found: dict[int, Sequence[int]] = {}
    for module in model.modules():
        if hasattr(module, "conv1d") and hasattr(module, "key_dim") and hasattr(module, "value_dim"):
            keys, values = module.key_dim, module.value_dim
            found[2 * keys + values] = (keys, keys, values)
        elif hasattr(module, "qkv_conv") and hasattr(module, "projection_dim"):
            found[3 * module.projection_dim] = (module.projection_dim,) * 3
    return found
