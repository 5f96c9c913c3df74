"""Passes over whole buffers give the same logits and caches as over the tokens in them, and prepare few shapes."""

from __future__ import annotations

from dataclasses import replace

import mlx.core as mx
import pytest
from mlx_lm.models.cache import KVCache, RotatingKVCache

from engine.cache.codec import codec
from engine.decode.drafts import whole_buffers as module
from engine.decode.drafts.whole_buffers import (
    ROOM,
    WholeBuffers,
    computes_the_same,
    gains_from_whole_buffers,
    room,
    whole_buffers,
)
from engine.memory.footprint import row_bytes
from engine.model.loader import LoadedModel
from tests.fakes.decoding import ids, largest
from tests.fakes.drafting import LONG, SAMPLINGS, answer, assert_covered, batch_of, mostly, restorable, row_of, write
from tests.fakes.rigs import Rig


@pytest.mark.sweep(3)
def test_they_give_the_same_logits(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the buffer must grow for a pass."""
    monkeypatch.setattr(module, "ROOM", 256)
    caches, others = rig.fresh_caches(), rig.fresh_caches()
    for tokens in (ids(200), ids(9, 2), ids(17, 3), ids(40, 4), ids(256, 6), ids(5, 5)):
        with whole_buffers(caches, len(tokens)):
            seen = rig.model(mx.array([tokens]), cache=caches)
        expected = rig.model(mx.array([tokens]), cache=others)
        assert largest(seen - expected) < 1e-4 * largest(expected)


def test_caches_are_whole_for_one_pass(llama: Rig) -> None:
    """All or none of them, and none without tokens."""
    caches = llama.fresh_caches()
    llama.model(mx.array([ids(20)]), cache=caches)

    def whole(tokens: int) -> tuple[int, list[bool]]:
        with whole_buffers(caches, tokens) as room:
            return room, [type(leaf) is not KVCache for _, leaf in codec.leaves(caches)]

    assert [(room, any(leaves)) for room, leaves in [whole(0)]] == [(0, False)]
    assert [(room, all(leaves)) for room, leaves in [whole(9), whole(ROOM - 20), whole(ROOM)]] == [
        (ROOM, True),
        (ROOM, True),
        (2 * ROOM, True),
    ]
    assert all(type(leaf) is KVCache for _, leaf in codec.leaves(caches))


def test_a_buffer_with_too_much_room_is_cut(llama: Rig) -> None:
    """Memory is granted for a multiple of ROOM. A prompt's last chunk may leave more."""
    caches, others = llama.fresh_caches(), llama.fresh_caches()
    for tokens in (ids(250), ids(770, 2)):
        for held in (caches, others):
            llama.model(mx.array([tokens]), cache=held)
    assert caches[0].keys.shape[2] > ROOM > caches[0].offset
    with whole_buffers(caches, 4) as room:
        seen = llama.model(mx.array([ids(4, 3)]), cache=caches)
    expected = llama.model(mx.array([ids(4, 3)]), cache=others)
    assert room == caches[0].keys.shape[2] == ROOM
    assert largest(seen - expected) < 1e-4 * largest(expected)


def test_few_lengths_are_prepared(llama: Rig) -> None:
    """While a row grows by whole passes and single tokens, its passes see one length for each ROOM tokens."""
    caches, rooms = llama.fresh_caches(), set()
    llama.model(mx.array([ids(300)]), cache=caches)
    for turn in range(60):
        with whole_buffers(caches, 17) as room:
            llama.model(mx.array([ids(17, turn)]), cache=caches)
        rooms.add(room)
        llama.model(mx.array([ids(1, turn)]), cache=caches)
    assert rooms == {ROOM, 2 * ROOM}


@restorable
def test_drafts_change_no_token_over_whole_buffers(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same tokens, and caches that cover them. The memory that is granted for the row's tokens covers the whole
    buffers, after each step. A window is not counted: it holds the tokens of the last pass as well, as in a prefill,
    until the next one.
    """
    monkeypatch.setattr(module, "gains_from_whole_buffers", lambda _: True)
    expected = answer(rig, SAMPLINGS["sampled"])
    batch, row = batch_of(rig), row_of(rig, SAMPLINGS["sampled"], mostly(expected))
    row.granted = len(row.prompt.ids) + LONG + 1
    assert batch._speculation is not None
    granted = row_bytes(replace(rig.layout.footprint, growth=batch._speculation.growth, windows=()), row.granted)
    batch.join(row)
    whole, taken = False, 0
    while len(row.emitted) < LONG:
        taken += write(batch, row, len(row.emitted) + 1)
        held = [leaf for _, leaf in codec.leaves(batch._groups[0].caches) if type(leaf) is not RotatingKVCache]
        whole |= any(type(leaf) is KVCache and leaf.keys.shape[2] == ROOM for leaf in held)
        assert sum(leaf.nbytes for leaf in held) <= granted
    assert whole == any(type(leaf) is KVCache for _, leaf in codec.leaves(rig.fresh_caches()))
    assert taken < 0.8 * LONG
    assert row.emitted[:LONG] == expected
    row.caches = batch.leave(row)
    assert_covered(rig, row)


def test_models_are_probed(model: LoadedModel) -> None:
    """The families compute the same. The CPU gains nothing, so nothing is probed there."""
    assert computes_the_same(model.model)
    assert not gains_from_whole_buffers(model.model)


def test_a_model_that_makes_its_own_masks_is_found(llama: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would see what is behind its last token."""
    monkeypatch.setattr("mlx_lm.models.llama.create_attention_mask", lambda *_, **__: None)
    assert not computes_the_same(llama.model)


def test_a_shape_serves_its_whole_room(llama: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shapes of the first room are prepared when the model is loaded, and serve each position up to its last token.
    The next room needs its own.
    """
    monkeypatch.setattr(module, "gains_from_whole_buffers", lambda _: True)
    whole = WholeBuffers(llama.model, (1, 4, 16))
    assert whole.prepared == {(2, ROOM), (5, ROOM), (17, ROOM)}
    for position in (1, ROOM - 17):
        with whole.attended([], position, 17):
            pass
    assert len(whole.prepared) == 3
    with whole.attended([], ROOM - 16, 17):
        pass
    assert whole.prepared > {(17, 2 * ROOM)}
    assert (room(ROOM), room(ROOM + 1)) == (ROOM, 2 * ROOM)


def test_a_device_that_prepares_nothing_has_no_shapes(llama: Rig) -> None:
    """No draft needs preparing, and no buffer is whole."""
    whole = WholeBuffers(llama.model, (4, 8))
    caches = llama.fresh_caches()
    llama.model(mx.array([ids(5)]), cache=caches)
    with whole.attended(caches, 5, 5):
        llama.model(mx.array([ids(5)]), cache=caches)
    assert whole.prepared == set()
    assert caches[0].keys.shape[2] == whole.growth == KVCache.step
