"""The logits of the last token alone: those that the model computes beside all others, with fewer products."""

from __future__ import annotations

from pathlib import Path

import mlx.core as mx
import pytest
from mlx_lm.models.cache import make_prompt_cache

from engine.decode.last_logits import LastLogits, is_narrow, last_only, narrow, widen
from engine.model.loader import LoadedModel
from engine.schedule.scheduler import CHUNK_ALONE, MOST_DRAWN_FROM
from tests.fakes.decoding import ids, largest
from tests.fakes.rigs import Rig
from tests.fakes.tiny_models import build, opened, quantised


def test_they_are_those_of_all_tokens(rig: Rig) -> None:
    """With every kind of cache, fresh and filled. The caches continue as after the whole pass."""
    last, caches, others = LastLogits(rig.model), rig.fresh_caches(), rig.fresh_caches()
    assert last.most_tokens == CHUNK_ALONE
    for tokens in (ids(40), ids(9, 2), ids(1, 3)):
        expected = rig.model(mx.array([tokens]), cache=others)[:, -1]
        assert largest(last(tokens, caches) - expected) < 1e-4 * largest(expected)


def test_heads_see_all_tokens_everywhere_else(model: LoadedModel) -> None:
    """A pass that verifies a draft needs them all, also after a pass that needed the last one, or that failed."""
    tokens = mx.array([ids(7)])
    with last_only():
        alone = model.model(tokens, cache=model.fresh_caches())
    every = model.model(tokens, cache=model.fresh_caches())
    with pytest.raises((TypeError, AttributeError)):
        LastLogits(model.model)(ids(7), [object()] * len(model.fresh_caches()))
    again = model.model(tokens, cache=model.fresh_caches())
    assert [one.shape for one in (alone, every, again)] == [(1, count, model.vocabulary_size) for count in (1, 7, 7)]


@pytest.mark.parametrize("tied", [True, False])
def test_a_wide_model_computes_all_of_them(tmp_path: Path, *, tied: bool) -> None:
    """`widen` undoes `narrow`, and drawing from long chunks is then not worth it. A head is an embedding or a layer."""
    bare = opened(build(tmp_path / "llama", "llama", tie_word_embeddings=tied))
    assert LastLogits(bare).most_tokens == MOST_DRAWN_FROM
    kinds = [type(part) for part in bare.modules()]
    narrow(bare, 260)
    assert is_narrow(bare)
    assert [type(part) for part in bare.modules()] != kinds
    widen(bare)
    assert [type(part) for part in bare.modules()] == kinds
    with last_only():
        assert bare(mx.array([ids(7)])).shape[1] == 7


def test_quantised_heads_are_narrow_too(tmp_path: Path) -> None:
    """Their weights have a row for each token as well."""
    bare = opened(quantised(tmp_path / "model"))
    expected = bare(mx.array([ids(30)]))[:, -1]
    narrow(bare, 260)
    with last_only():
        assert bare(mx.array([ids(30)])).shape[1] == 1
    logits = LastLogits(bare)(ids(30), make_prompt_cache(bare))
    assert largest(logits - expected) < 1e-3 * largest(expected)
