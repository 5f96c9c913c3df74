"""Every kind of cache gives the same logits warm as cold. A record that no cache could have produced is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import mlx.core as mx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mlx_lm.models.cache import ArraysCache, CacheList, KVCache, RotatingKVCache

from engine.cache.codec import codec
from engine.cache.codec.cache_classes import Arrays
from engine.cache.disk.disk_tier import to_tensors
from engine.memory.footprint import row_bytes
from tests.fakes.rigs import IDS, Rig
from tests.fakes.tensors import to_arrays

ROUNDING = 5e-5


def distance(a: mx.array, b: mx.array) -> float:
    return abs(mx.abs(a - b).max().item())


def fed(rig: Rig, bounds: Sequence[int]) -> tuple[list[Any], list[codec.Piece]]:
    """Caches that were fed IDS[:bounds[-1]] in chunks that end at `bounds`, and the records taken on the way, converted
    to bytes and back as the disk would.
    """
    caches, pieces, at = rig.fresh_caches(), [], 0
    for bound in bounds:
        rig.read(caches, IDS[at:bound])
        taken = {kind: through_bytes(arrays) for kind, arrays in codec.take(caches, at, bound).items()}
        pieces.append(codec.Piece(at, bound, taken))
        at = bound
    return caches, pieces


def through_bytes(arrays: Arrays) -> Arrays:
    return to_arrays(to_tensors(arrays))


def restored(rig: Rig, pieces: Sequence[codec.Piece]) -> list[Any]:
    fresh = rig.fresh_caches()
    codec.restore(rig.layout, fresh, list(pieces))
    assert codec.covers(fresh, pieces[-1].end)
    return fresh


def inside(caches: Sequence[Any]) -> dict[str, Any]:
    """Everything that the caches hold, as plain values."""
    return {f"{path} {name}": plain(value) for path, leaf in codec.leaves(caches) for name, value in vars(leaf).items()}


def plain(value: Any) -> Any:
    if isinstance(value, mx.array):
        return str(value.dtype), value.tolist()
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


@pytest.mark.sweep(4)
def test_records_of_growing_layers_can_be_taken_later(rig: Rig) -> None:
    """Caches that stand beyond a segment give the same records as at its end, to the bit. Caches with windows or states
    report that theirs would differ.
    """
    caches, pieces = fed(rig, [9, 20, 41])
    assert codec.is_cuttable(caches) == codec.is_cuttable(rig.fresh_caches()) == (rig.layout.forms.keys() == {"kv"})
    for piece in pieces if codec.is_cuttable(caches) else ():
        later = codec.take(caches, piece.start, piece.end)
        assert plain(list(later["kv"].values())) == plain(list(piece.records["kv"].values()))


def test_warm_equals_cold_at_the_logits(rig: Rig) -> None:
    """A conversation restored from three segments continues exactly like one that was never interrupted. One changed
    token shows that the comparison can fail.
    """
    caches, pieces = fed(rig, [9, 20, 41])
    cold = rig.read(caches, IDS[41:60])
    error = distance(rig.read(restored(rig, pieces), IDS[41:60]), cold)
    changed = rig.fresh_caches()
    for ids in ([*IDS[:5], IDS[5] + 1, *IDS[6:9]], IDS[9:20], IDS[20:39], [IDS[39] + 1, IDS[40]]):
        rig.read(changed, ids)
    assert error < ROUNDING
    assert error < distance(rig.read(changed, IDS[41:60]), cold) / 100


@pytest.mark.sweep
@pytest.mark.parametrize(
    "bounds",
    [
        *([1], [5, 9], [30], [3, 20, 26, 28], [11, 12, 13, 40], [255, 256, 257], [250, 300, 513]),
        *([*range(10, 11 + steps)] for steps in (3, 14, 22)),
    ],
    ids=lambda bounds: f"{bounds[0]} to {bounds[-1]} in {len(bounds)}",
)
def test_warm_goes_on_equal_to_cold(rig: Rig, bounds: list[int]) -> None:
    """Warm equals cold a step, a chunk and twelve single steps later: before a window is full, at its edge, after it
    wraps, around buffer growth, from many short segments or a long one, and after a reply of single steps, when a
    ring's cursor may be anywhere.
    """
    cold, pieces = fed(rig, bounds)
    warm, at = restored(rig, pieces), bounds[-1]
    for ids in ([IDS[at]], IDS[at + 1 : at + 5], *([token] for token in IDS[at + 5 : at + 17])):
        assert distance(rig.read(warm, ids), rig.read(cold, ids)) < ROUNDING


@pytest.mark.sweep(4)
def test_several_turns_from_restart_to_restart(rig: Rig) -> None:
    """Every turn is restored from records of turns that were themselves restored. Errors do not add up."""
    cold, warm, pieces = rig.fresh_caches(), rig.fresh_caches(), []
    for start, end in ((0, 14), (14, 15), (15, 40), (40, 52), (52, 300), (300, 310)):
        said = [rig.read(caches, IDS[start:end]) for caches in (cold, warm)]
        assert distance(*said) < ROUNDING
        pieces.append(codec.Piece(start, end, codec.take(warm, start, end)))
        warm = restored(rig, pieces)


def test_a_checkpoint_stays_what_it_was(rig: Rig) -> None:
    """Decoding further does not change a record: it is independent of its caches."""
    caches = rig.fresh_caches()
    rig.read(caches, IDS[:20])
    taken = codec.take(caches, 0, 20)
    mx.eval(taken)
    before = {kind: plain(list(arrays.values())) for kind, arrays in taken.items()}
    for token in IDS[20:40]:
        rig.read(caches, [token])
    assert {kind: plain(list(arrays.values())) for kind, arrays in taken.items()} == before


def test_records_can_serve_twice(rig: Rig) -> None:
    """After a fork, two conversations continue from the same records without affecting each other."""
    cold, pieces = fed(rig, [12, 30])
    first, second = restored(rig, pieces), restored(rig, pieces)
    for token in IDS[40:60]:
        rig.read(first, [token])
    assert distance(rig.read(second, IDS[30:40]), rig.read(cold, IDS[30:40])) < ROUNDING


def test_a_delta_is_only_its_own_tokens(rig: Rig) -> None:
    """The bytes of a record grow with the turn, not with the conversation. No spare room of a buffer is kept."""
    caches = rig.fresh_caches()
    rig.read(caches, IDS[:60])
    sizes = [{k: codec.size_of(a) for k, a in codec.take(caches, 60 - n, 60).items()} for n in (5, 10, 40)]
    five, ten, forty = sizes
    assert five.get("kv", 0) * 2 == ten.get("kv", 0)
    assert five.get("window", 0) * 2 == ten.get("window", 0)
    assert forty.get("window", 0) * 10 == ten.get("window", 0) * 12, "a window of 12 never holds more than that"
    assert five.get("state", 0) == forty.get("state", 0)


@pytest.mark.sweep(4)
def test_the_footprint_predicts_a_rows_size(rig: Rig) -> None:
    """The footprint, measured on a few tokens, predicts the size of a restored conversation of any length."""
    for bounds in ([4], [9, 100], [255, 256], [300]):
        warm = restored(rig, fed(rig, bounds)[1])
        held = sum(cache.nbytes for cache in warm)
        expected = row_bytes(rig.layout.footprint, bounds[-1])
        assert held <= expected <= held + 256 * rig.layout.footprint.token_bytes


@pytest.mark.sweep(4)
def test_a_record_holds_no_larger_buffer(rig: Rig) -> None:
    """A record holds no buffer larger than itself: dropping the caches frees their memory."""
    caches = rig.fresh_caches()
    rig.read(caches, IDS[:300])
    mx.clear_cache()
    whole = mx.get_active_memory()
    held = sum(cache.nbytes for cache in caches)
    taken = codec.take(caches, 290, 300)
    mx.eval(taken)
    del caches
    arrays = [array for kind in taken.values() for array in kind.values()]
    counted = sum(array.nbytes for array in arrays)
    assert mx.get_active_memory() <= whole - held + counted + len(arrays) * (1 << 14)


# --- what is refused


def refused(rig: Rig, pieces: Sequence[codec.Piece], fresh: list[Any] | None = None) -> bool:
    """Whether `pieces` were refused and the caches left unchanged."""
    caches = rig.fresh_caches() if fresh is None else fresh
    before = inside(caches)
    if not codec.restore(rig.layout, caches, list(pieces)):
        assert inside(caches) == before, "a failed restore leaves nothing half-set"
        return True
    return False


_BOUNDS = [5, 12, 13, 30]


def _dropped(array: mx.array, axis: int) -> mx.array:
    return mx.take(array, mx.arange(1, array.shape[axis]), axis=axis)


_CHANGES: dict[str, Callable[[mx.array, int], mx.array]] = {
    "cast": lambda a, n: a.astype([mx.float32, mx.float16, mx.int32, mx.uint32, mx.bool_][n % 5]),
    "cut": lambda a, n: _dropped(a, n % a.ndim),
    "repeated": lambda a, n: mx.concatenate([a, a], axis=n % a.ndim),
    "turned": lambda a, n: mx.swapaxes(a, 0, n % a.ndim),
    "flattened": lambda a, _: a.reshape(-1),
    "wrapped": lambda a, n: mx.expand_dims(a, n % (a.ndim + 1)),
    "reshaped": lambda a, n: a.reshape((a.size, *[1] * n)[: 1 + n % 5]),
}


@pytest.mark.parametrize("spoil", ["missing", "extra", "none"])
def test_records_with_other_layers_are_refused(rig: Rig, spoil: str) -> None:
    """Records of every kind are refused if this model's caches could not have produced them, and only then."""
    for kind in rig.layout.forms:
        _, pieces = fed(rig, [12, 20])
        target = dict(pieces[-1].records[kind])
        name, array = [*target.items()][-1]
        if spoil == "missing":
            del target[name]
        if spoil == "extra":
            target["99.keys"] = array
        pieces[-1] = replace(pieces[-1], records={**pieces[-1].records, kind: target})
        assert refused(rig, pieces) == (spoil != "none")


@settings(max_examples=20)
@given(data=st.data())
def test_a_changed_record_is_refused_or_makes_no_difference(rig: Rig, data: st.DataObject) -> None:
    """Drop, rename, reshape or cast a part of a record, or change a number: the restored caches are the same to the
    last bit, or the record is refused and the caches are untouched.
    """
    if rig.name not in _pieces:
        _pieces[rig.name] = fed(rig, _BOUNDS)[1]
    pieces = list(_pieces[rig.name])
    expected = inside(restored(rig, pieces))
    at = data.draw(st.integers(0, len(pieces) - 1))
    piece = pieces[at]
    kind = data.draw(st.sampled_from(sorted(piece.records)))
    name = data.draw(st.sampled_from(sorted(piece.records[kind])))
    change = data.draw(st.sampled_from(["dropped", "renamed", "moved", "without", "start", "end", "gone", *_CHANGES]))
    number = data.draw(st.integers(0, 9))
    record = dict(piece.records[kind])
    others = {k: r for k, r in piece.records.items() if k != kind}
    match change:
        case "dropped":
            del record[name]
        case "renamed":
            record[data.draw(st.sampled_from([f"{name}x", f"9{name}", "keys", "", f"{name}.0"]))] = record.pop(name)
        case "moved":
            record[data.draw(st.sampled_from(sorted(record)))] = record.pop(name)
        case "without" | "start" | "end" | "gone":
            pass
        case _:
            record[name] = _CHANGES[change](record[name], number)
    pieces[at] = replace(piece, records=others if change == "without" else {**others, kind: record})
    if change in ("start", "end") and "kv" in rig.layout.forms:  # else a number that only the plan knows
        pieces[at] = replace(pieces[at], **{change: getattr(piece, change) + number - 5})
    if change == "gone" and piece is not _pieces[rig.name][-1]:
        del pieces[at]
    if not refused(rig, pieces):
        assert inside(restored(rig, pieces)) == expected


_pieces: dict[str, list[codec.Piece]] = {}


def test_only_empty_caches_of_the_same_model_are_filled(rig: Rig) -> None:
    """Caches that hold something, or differ in number or class, are left as they are. So are all if there are no
    records.
    """
    used, pieces = fed(rig, [12, 20])
    assert refused(rig, [])
    assert refused(rig, pieces, used)
    assert refused(rig, pieces, rig.fresh_caches()[:-1])
    assert refused(rig, pieces, [RotatingKVCache(7) for _ in rig.fresh_caches()])


def test_an_unknown_kind_of_cache_has_no_layout() -> None:
    """An unsupported class is not stored, even if it is a subclass of a supported one, and its name is reported."""

    class Strange(KVCache):  # type: ignore[misc] # mlx-lm is untyped
        pass

    nested = [KVCache(), CacheList(ArraysCache(2), Strange())]
    assert codec.Layout.of(nested) is None
    assert codec.unsupported(nested) == ("Strange",)
    assert not codec.covers(nested, 0)
    assert codec.take(nested, 0, 1) == {}


# --- shapes that no tiny model has


def test_empty_slots_and_nested_lists_come_back_as_they_were() -> None:
    """An empty slot stays empty, including the first one. Lists may contain lists. A layer that is never fed stays
    empty, with offset 0. Records are bits, not values: the result of an overflow is restored unchanged.
    """

    def fresh() -> list[Any]:
        return [CacheList(ArraysCache(3), CacheList(KVCache(), RotatingKVCache(4))), KVCache(), ArraysCache(2)]

    live = fresh()
    live[0][0][1] = mx.full((1, 2, 3), 1.5)
    live[2][1] = mx.array([[float("nan"), float("inf"), -0.0, 1e-45]])
    for leaf in live[0][1].caches:
        leaf.update_and_fetch(mx.ones((1, 1, 6, 8)), mx.zeros((1, 1, 6, 4)))
    layout = codec.Layout.of(live)
    assert layout
    assert set(layout.forms["state"]) == {"0.0.1", "2.1"}
    again = fresh()
    taken = {kind: through_bytes(arrays) for kind, arrays in codec.take(live, 0, 6).items()}
    codec.restore(layout, again, [codec.Piece(0, 6, taken)])
    assert [slot is None for slot in again[0][0].cache] == [True, False, True]
    assert [slot is None for slot in again[2].cache] == [True, False]
    assert again[2][1].view(mx.uint32).tolist() == live[2][1].view(mx.uint32).tolist()
    assert again[1].empty()
    assert again[1].offset == 0
    assert plain(again[0][1][1].keys) == plain(mx.ones((1, 1, 4, 8)))
    assert codec.covers(again, 6)
