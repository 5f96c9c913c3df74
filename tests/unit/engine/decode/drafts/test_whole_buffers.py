"""Passes over whole buffers: the same logits and the same caches as over the tokens in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mlx.core as mx
import pytest
from mlx_lm.models.cache import KVCache

from engine.cache.codec import codec
from engine.decode.drafts import speculation
from engine.decode.drafts.whole_buffers import ROOM, computes_the_same, gains_from_whole_buffers, whole_buffers
from tests.fakes import rigs
from tests.fakes.decoding import ids, largest
from tests.fakes.drafting import LONG, NEVER, SAMPLINGS, answer, assert_covered, batch_of, mostly, row_of, write

if TYPE_CHECKING:
    from engine.model.loader import LoadedModel
    from tests.fakes.rigs import Rig

drafting = pytest.mark.parametrize("rig", [name for name in rigs.NAMES if name not in NEVER], indirect=True)


def test_they_give_the_same_logits(rig: Rig) -> None:
    """Also if the buffer must grow for a pass."""
    caches, others = rig.fresh_caches(), rig.fresh_caches()
    for tokens in (ids(200), ids(9, 2), ids(17, 3), ids(40, 4), ids(ROOM, 6), ids(5, 5)):
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


@drafting
def test_drafts_change_no_token_over_whole_buffers(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same tokens, and caches that cover them."""
    monkeypatch.setattr(speculation, "gains_from_whole_buffers", lambda _: True)
    expected = answer(rig, SAMPLINGS["sampled"])
    batch, row = batch_of(rig), row_of(rig, SAMPLINGS["sampled"], mostly(expected))
    batch.join(row)
    assert write(batch, row, LONG) < 0.8 * LONG
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
