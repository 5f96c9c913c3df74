"""Warm equals cold, at the logits, on the real cache classes of real (tiny) models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mlx.core as mx
import pytest

from engine.cache import codec, wire
from engine.errors import CacheMismatch

if TYPE_CHECKING:
    from engine.loader import LoadedModel

IDS = [(7 * i * i + 3 * i) % 250 for i in range(60)]
ROUNDING = 2e-5


def read(model: LoadedModel, caches: list[Any], ids: list[int]) -> mx.array:
    """Feed `ids`; the log-probabilities after the last of them, shape (vocabulary,)."""
    logits: mx.array = model.model(mx.array([ids]), cache=caches)[0, -1]
    logprobs = logits - mx.logsumexp(logits)
    mx.eval(logprobs, [leaf.state for _, leaf in codec.leaves(caches)])
    return logprobs


def distance(a: mx.array, b: mx.array) -> float:
    return abs(mx.abs(a - b).max().item())


def recorded(model: LoadedModel, bounds: list[int]) -> list[codec.Piece]:
    """The records of IDS[:bounds[-1]], through bytes and back, as a disk would give them."""
    caches, pieces, at = model.fresh_caches(), [], 0
    for bound in bounds:
        read(model, caches, IDS[at:bound])
        taken = {kind: through_bytes(arrays) for kind, arrays in codec.take(caches, at, bound).items()}
        pieces.append(codec.Piece(at, bound, taken))
        at = bound
    return pieces


def through_bytes(arrays: codec.Arrays) -> codec.Arrays:
    return wire.typed(wire.up(wire.down(arrays)))


def restored(model: LoadedModel, bounds: list[int]) -> list[Any]:
    assert model.layout is not None
    fresh = model.fresh_caches()
    codec.restore(model.layout, fresh, recorded(model, bounds))
    assert codec.covers(fresh, bounds[-1])
    return fresh


def test_warm_equals_cold_at_the_logits(model: LoadedModel) -> None:
    """A conversation restored from three segments continues exactly as one that was never interrupted; one changed
    token shows that the comparison can fail."""
    cold = read(model, model.fresh_caches(), IDS)
    warm_caches = restored(model, [9, 20, 41])
    error = distance(read(model, warm_caches, IDS[41:]), cold)
    changed = [*IDS[:5], IDS[5] + 1, *IDS[6:]]
    moved = distance(read(model, model.fresh_caches(), changed), cold)
    assert error < ROUNDING
    assert error < moved / 100


def test_warm_goes_on_equal_to_cold(model: LoadedModel) -> None:
    """Not only the first token: twenty single steps past the restored point, over every window and buffer edge."""
    cold, warm = model.fresh_caches(), restored(model, [30])
    read(model, cold, IDS[:30])
    for token in IDS[30:50]:
        assert distance(read(model, warm, [token]), read(model, cold, [token])) < ROUNDING


def test_a_checkpoint_stays_what_it_was(model: LoadedModel) -> None:
    """Decoding on does not change what was taken: a record is independent of the caches it came from."""
    caches = model.fresh_caches()
    read(model, caches, IDS[:20])
    taken = codec.take(caches, 0, 20)
    mx.eval(taken)
    before = plain(taken)
    for token in IDS[20:40]:
        read(model, caches, [token])
    assert plain(taken) == before


def plain(records: dict[str, codec.Arrays]) -> dict[str, Any]:
    return {f"{kind} {name}": array.tolist() for kind, arrays in records.items() for name, array in arrays.items()}


def test_records_can_serve_twice(model: LoadedModel) -> None:
    """A fork: two conversations continue from the same records without touching each other."""
    assert model.layout is not None
    pieces = recorded(model, [12, 30])
    first, second = model.fresh_caches(), model.fresh_caches()
    for fresh in (first, second):
        codec.restore(model.layout, fresh, pieces)
    for token in IDS[40:50]:
        read(model, first, [token])
    cold = read(model, model.fresh_caches(), IDS[:40])
    assert distance(read(model, second, IDS[30:40]), cold) < ROUNDING


@pytest.mark.parametrize("spoil", ["missing", "extra", "dtype", "rank", "heads", "shorter"])
def test_records_that_no_cache_made_are_refused(model: LoadedModel, spoil: str) -> None:
    """Whatever this model's caches could not have produced is refused, in records of every kind."""
    assert model.layout is not None
    for kind in model.layout.forms:
        pieces = recorded(model, [12, 20])
        target = dict(pieces[-1].records[kind])
        name = next(iter(target))
        array = target[name]
        match spoil:
            case "missing":
                del target[name]
            case "extra":
                target["99.keys"] = array
            case "dtype":
                target[name] = array.astype(mx.float16)
            case "rank":
                target[name] = array[None]
            case "heads":
                target[name] = mx.concatenate([array, array], axis=1)
            case "shorter":
                target[name] = array[:, :, 1:] if array.ndim > 2 else array[:, 1:]
        pieces[-1] = codec.Piece(12, 20, {**pieces[-1].records, kind: target})
        with pytest.raises(CacheMismatch):
            codec.restore(model.layout, model.fresh_caches(), pieces)


@pytest.mark.parametrize("bounds", [[5, 9], [30], [3, 20, 26, 28], [11, 12, 13, 40]])
def test_windows_are_whole_at_every_bound(model: LoadedModel, bounds: list[int]) -> None:
    """Before the window is full, at its edge and past its wrap, from many short segments or one long: warm is cold."""
    end = bounds[-1]
    cold = read(model, model.fresh_caches(), IDS[: end + 6])
    warm = restored(model, bounds)
    assert distance(read(model, warm, IDS[end : end + 6]), cold) < ROUNDING


def test_a_delta_is_only_its_own_tokens(model: LoadedModel) -> None:
    """Bytes written grow with the turn, not with the conversation, and no spare room of a buffer is kept."""
    caches = model.fresh_caches()
    read(model, caches, IDS)
    sizes = [{k: codec.size_of(a) for k, a in codec.take(caches, 60 - n, 60).items()} for n in (5, 10, 40)]
    five, ten, forty = sizes
    assert five.get("kv", 0) * 2 == ten.get("kv", 0)
    assert five.get("window", 0) * 2 == ten.get("window", 0)
    assert forty.get("window", 0) * 10 == ten.get("window", 0) * 12, "a window of 12 never holds more than that"
    assert five.get("state", 0) == forty.get("state", 0)


def test_an_unknown_kind_of_cache_has_no_layout() -> None:
    """What Hearth does not know it does not keep."""

    class Strange:
        offset = 0

        def empty(self) -> bool:
            return True

    assert codec.Layout.of([Strange()]) is None
