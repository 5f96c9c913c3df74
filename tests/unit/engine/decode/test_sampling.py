"""The tokens that a row draws depend on its own settings, seed, position and tokens, and on nothing else."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import mlx.core as mx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mlx_lm import sample_utils

from engine.decode.sampling import PENALTY_TOKENS, RowSampler, draw_all, recent_tokens
from engine.protocol.errors import RequestError
from engine.protocol.sampling_settings import Sampling

VOCABULARY = 50

SETTINGS = [
    Sampling(temperature=0.0),
    Sampling(temperature=1.0, seed=1),
    Sampling(temperature=1.0, seed=2),
    Sampling(temperature=0.8, top_p=0.9, seed=3),
    Sampling(temperature=0.8, top_p=0.9, seed=4),
    Sampling(temperature=1.4, top_p=0.95, top_k=8, min_p=0.02, seed=5),
    Sampling(temperature=1.0, min_p=0.2, repetition_penalty=1.3, seed=6),
    Sampling(temperature=0.0, repetition_penalty=1.5),
    Sampling(temperature=1.4, top_p=0.95, top_k=8, min_p=0.02, seed=7),
]


def logits_of(rows: int, key: int = 0) -> mx.array:
    return mx.random.normal((rows, VOCABULARY), key=mx.random.key(key)) * 3


def history(row: int) -> list[int]:
    return [(row * 7 + i * i) % VOCABULARY for i in range(PENALTY_TOKENS - 1)]


def draw(logits: mx.array, rows: Sequence[int]) -> list[int]:
    """The tokens that these rows of SETTINGS draw together from their rows of `logits`."""
    index = mx.array(list(rows))
    fed = mx.array([row % VOCABULARY for row in rows])
    positions = [100 + row for row in rows]
    samplers = [RowSampler(SETTINGS[row]) for row in rows]
    drawn: list[int] = draw_all(logits[index], samplers, positions, [history(r) for r in rows], fed).tolist()  # type: ignore[assignment] # a vector of ids
    return drawn


@given(st.permutations(range(len(SETTINGS))), st.integers(1, len(SETTINGS)), st.integers(0, 1000))
def test_a_row_draws_the_same_in_any_batch(order: list[int], size: int, key: int) -> None:
    """A row draws the same tokens alone and in any batch, whatever the order and the other rows' settings."""
    logits, rows = logits_of(len(SETTINGS), key), order[:size]
    assert draw(logits, rows) == [draw(logits, [row])[0] for row in rows]


@given(
    st.floats(0.1, 2.0),
    st.sampled_from([0.0, 0.3, 0.9, 1.0]),
    st.sampled_from([0.0, 0.05, 0.5]),
    st.sampled_from([0, 1, 7, 49]),
)
def test_tokens_are_drawn_from_what_mlx_lm_draws_from(
    temperature: float, top_p: float, min_p: float, top_k: int
) -> None:
    """The filtered log-probabilities equal those of mlx-lm's sampler, with the same order of filters."""
    logprobs = logits_of(3)
    logprobs = logprobs - mx.logsumexp(logprobs, axis=-1, keepdims=True)
    seen: list[mx.array] = []

    def catch(filtered: mx.array, temp: float) -> mx.array:
        seen.append(filtered * (1 / temp))
        return filtered

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sample_utils, "categorical_sampling", catch)
        sample_utils.make_sampler(temperature, top_p, min_p, top_k=top_k)(logprobs)
    ours = RowSampler(Sampling(temperature, top_p, top_k, min_p)).filters.apply(logprobs)
    assert mx.array_equal(ours, seen[0])


def test_tokens_come_as_often_as_they_should() -> None:
    """Over many positions, each token is drawn with its probability, and filtered tokens never."""
    sampler = RowSampler(Sampling(temperature=0.9, top_k=6, seed=12))
    logits, times = logits_of(1), 3000
    drawn = draw_all(mx.repeat(logits, times, axis=0), [sampler] * times, range(times))
    counts = Counter(drawn.tolist())  # type: ignore[arg-type] # a vector of ids
    logprobs = logits - mx.logsumexp(logits, axis=-1, keepdims=True)
    expected = mx.softmax(sampler.filters.apply(logprobs), axis=-1)[0]
    for token in range(VOCABULARY):
        share = float(expected[token])
        assert abs(counts[token] - share * times) <= 4 * (times * share * (1 - share)) ** 0.5


def test_a_seed_and_a_position_decide() -> None:
    """The same seed draws the same tokens again. Another seed or position draws independently."""
    flat, positions = mx.zeros((20, 4096)), range(20)

    def drawn(seed: int, place: int) -> list[int]:
        tokens = draw_all(flat, [RowSampler(Sampling(temperature=1.0, seed=seed))] * 20, [p + place for p in positions])
        return tokens.tolist()  # type: ignore[return-value] # a vector of ids

    assert drawn(9, 0) == drawn(9, 0)
    assert drawn(9, 0)[1:] == drawn(9, 1)[:-1]
    assert len(set(drawn(9, 0))) > 15
    assert len(set(drawn(9, 0)) & set(drawn(10, 0))) < 5


def test_a_penalty_is_mlx_lms_own() -> None:
    """The penalised logits equal those of mlx-lm's processor over the row's whole history. It sees 20 tokens of it."""
    prompt, emitted, fed = [(i * 3) % VOCABULARY for i in range(40)], [5, 5, 9], mx.array([11])
    position = len(prompt) + len(emitted)
    whole = mx.array([*prompt, *emitted, 11])
    (processor,) = sample_utils.make_logits_processors(repetition_penalty=1.7)
    expected = processor(whole, mx.array(logits_of(1)))
    sampler = RowSampler(Sampling(repetition_penalty=1.7))
    ours = sampler.penalise(mx.array(logits_of(1)), recent_tokens(prompt, emitted, position), fed)
    assert mx.array_equal(ours, expected)
    assert not mx.array_equal(ours, logits_of(1))


def test_a_penalty_stays_in_its_row() -> None:
    """A penalised row changes neither its neighbour's logits nor the caller's."""
    logits = mx.array([[2.0, 1.9, 0.0]] * 2)
    samplers = [RowSampler(Sampling(temperature=0, repetition_penalty=p)) for p in (2.0, 1.0)]
    assert draw_all(logits, samplers, [4, 4], [[0], []], mx.array([0, 0])).tolist() == [1, 0]
    assert logits.tolist() == mx.array([[2.0, 1.9, 0.0]] * 2).tolist()


@given(st.integers(1, 60), st.integers(0, 60), st.integers(0, 120))
def test_the_history_is_the_rows_own_tokens(prompt: int, emitted: int, position: int) -> None:
    """However a history is divided into prompt and answer (a continued reply, a restart), the recent tokens are the
    last ones before the fed token.
    """
    whole = list(range(prompt + emitted))
    position = min(position, len(whole))
    assert (
        recent_tokens(whole[:prompt], whole[prompt:], position)
        == whole[max(0, position - PENALTY_TOKENS + 1) : position]
    )


def test_drawing_waits_for_nothing() -> None:
    """Drawing does not evaluate the token that is being fed, so the pipeline continues."""
    samplers = [RowSampler(s) for s in SETTINGS]
    before = [history(row) for row in range(len(SETTINGS))]

    def next_tokens(fed: mx.array, shift: mx.array) -> mx.array:
        return draw_all(logits_of(len(SETTINGS)) + shift, samplers, range(len(SETTINGS)), before, fed)

    fed = mx.zeros((1, len(SETTINGS)), dtype=mx.uint32)
    assert mx.vmap(next_tokens)(fed, mx.zeros((1, 1))).shape == (1, len(SETTINGS))
    with pytest.raises(ValueError, match="eval"):
        mx.vmap(lambda x: mx.array([x.item()]))(mx.zeros((1,)))


@pytest.mark.parametrize("top_k", [VOCABULARY, VOCABULARY + 1, -1])
def test_a_top_k_beyond_the_vocabulary_has_no_effect(top_k: int) -> None:
    """A top_k beyond the vocabulary is valid and has no effect."""
    filters = RowSampler(Sampling(temperature=1.0, top_k=top_k)).filters
    assert mx.array_equal(filters.apply(logits_of(2)), logits_of(2))


TYPES = [mx.float32, mx.bfloat16, mx.float16]


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("spread", [0.1, 0.5, 4.0])
def test_a_greedy_row_takes_the_largest_logit(kind: mx.Dtype, spread: float) -> None:
    """Alone, beside a sampling row and beside a penalised one, in any type. With flat logits, several rounded
    log-probabilities are equal, and the first of them may not be the best.
    """
    greedy = RowSampler(Sampling(temperature=0.0))
    others = [RowSampler(Sampling(seed=1)), RowSampler(Sampling(temperature=0.0, repetition_penalty=1.5))]
    logits = (mx.random.normal((60, 16_000), key=mx.random.key(3)) * spread).astype(kind)
    best = mx.argmax(logits, axis=-1).tolist()
    assert draw_all(logits, [greedy] * 60, range(60)).tolist() == best
    for other in others:
        pairs = draw_all(
            mx.repeat(logits, 2, axis=0), [greedy, other] * 60, range(120), [[], [5]] * 60, mx.array([5] * 120)
        )
        assert pairs[::2].tolist() == best


@pytest.mark.parametrize("kind", TYPES)
@given(st.floats(0, 10), st.integers(0, 1000), st.sampled_from([{}, {"top_k": 5}, {"min_p": 0.1}, {"top_p": 0.5}]))
@settings(max_examples=30)
def test_a_possible_temperature_draws_from_numbers(
    kind: mx.Dtype, temperature: float, key: int, more: dict[str, float]
) -> None:
    """In every type and at every temperature that is not greedy, the best token has a finite log-probability and no
    token has a NaN. Otherwise token 0 would be drawn.
    """
    sampler = RowSampler(Sampling(temperature=temperature, seed=1, **more))  # type: ignore[arg-type] # ints and floats
    logits = (mx.random.normal((1, 16_000), key=mx.random.key(key)) * 0.1).astype(kind)
    drawn = draw_all(logits, [sampler], [0]).item()
    if sampler.greedy:
        assert drawn == mx.argmax(logits).item()
    else:
        drawn_from = sampler.filters.apply(logits - mx.logsumexp(logits, axis=-1, keepdims=True))
        assert math.isfinite(mx.max(drawn_from).item())  # type: ignore[arg-type] # a number
        assert not mx.any(mx.isnan(drawn_from)).item()


@pytest.mark.parametrize("temperature", [0.0, 1e-320, 1e-45, 1e-39, 1e-30, 1e-5, 0.0009])
def test_a_tiny_temperature_is_greedy(temperature: float) -> None:
    """Its inverse may be infinite. The most probable token is taken, as at 0."""
    logits = logits_of(8)
    sampler = RowSampler(Sampling(temperature=temperature, top_k=3, seed=4))
    assert draw_all(logits, [sampler] * 8, range(8)).tolist() == mx.argmax(logits, axis=-1).tolist()


@pytest.mark.parametrize(
    "impossible",
    [
        Sampling(temperature=-1),
        Sampling(temperature=float("nan")),
        Sampling(min_p=1.1),
        Sampling(repetition_penalty=0),
        Sampling(repetition_penalty=float("inf")),
    ],
)
def test_impossible_settings_are_refused(impossible: Sampling) -> None:
    """A request with impossible settings ends with a sentence before it joins other rows."""
    with pytest.raises(RequestError, match="is not possible"):
        RowSampler(impossible)


@given(st.integers(0, 2**63 - 1), st.integers(0, 1 << 20))
def test_a_rows_keys_are_those_of_mlx(seed: int, position: int) -> None:
    """Position 0 draws with the key that MLX makes of the seed, and each position has a key of its own."""
    sampler = RowSampler(Sampling(seed=seed))
    assert list(sampler.key(0)) == mx.random.key(seed).tolist()
    assert sampler.key(position) != sampler.key(position + 1)
