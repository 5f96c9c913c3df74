"""Prefilling a prompt: the number of passes, the checkpoints, and cancelling in the middle."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest

from engine.cache import segment
from engine.cache.codec import codec
from engine.cache.manager import CacheManager
from engine.decode import prefill
from engine.decode.batch import Batch
from engine.decode.last_logits import LastLogits, narrow, widen
from engine.decode.prefill import begin_chunk, finish_chunk, prefill_chunk, take_checkpoints
from engine.model.loader import LoadedModel
from engine.protocol.messages import Cancel, Generate, ModelLoaded, Progress
from engine.schedule.scheduler import MOST_DIVIDED
from engine.schedule.sequence import Sequence
from tests.fakes import tiny_models
from tests.fakes.chat_tokenizers import TEMPLATES
from tests.fakes.decoding import ids, largest, pending_sequence, ready
from tests.fakes.engine_life import SYSTEM, Chat, Engine, counted_passes, own_tokens

STRIDE = 256
LONG = "word " * (3 * STRIDE // 5)


@pytest.fixture(autouse=True)
def _short_stride(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message that is long for a tiny model."""
    monkeypatch.setattr(segment, "STRIDE", STRIDE)


def stopped(home: Path, model: Path, command: Generate, tokens: int) -> Engine:
    """An engine whose request is cancelled after `tokens` prefilled tokens."""
    life = Engine(home, model)
    stop = life.once(
        lambda e: isinstance(e, Progress) and e.phase == "prefill" and e.done >= tokens, Cancel(command.request)
    )
    return life.live(command, on=stop)


def states(home: Path) -> int:
    return len(list((home / "segments").glob("??/*.state.safetensors")))


def test_a_cancelled_prefill_resumes_at_the_last_inner_bound(tmp_path: Path, model_folder: Path) -> None:
    """A prefill cancelled in a long message resumes after its last inner bound, even in a new engine. When the turn is
    done, its end is the only checkpoint of it on disk.
    """
    chat = Chat("c")
    command = chat.ask(LONG)
    done = stopped(tmp_path, model_folder, command, 2 * STRIDE).finished(command.request)
    assert done.reason == "cancelled"
    assert states(tmp_path) == 2, "the shared start's and that of the last bound that was crossed"
    again = Generate("c2", "c", command.messages, command.sampling)
    life = Engine(tmp_path, model_folder).live(again)
    usage = life.finished("c2").usage
    shared = usage.cached_tokens - 2 * STRIDE
    assert len(SYSTEM.content) < shared < len(SYSTEM.content) + 30
    assert usage.cached_from == "disk"
    assert usage.prefill_tokens < STRIDE + STRIDE // 2
    assert states(tmp_path) == 2, "the shared start's and the reply's"
    assert life.text("c2") == life.cold(again)


def test_a_long_message_costs_the_next_turn_nothing(tmp_path: Path, model_folder: Path) -> None:
    """The pieces of a long message have the same keys in the next turn, which prefills only its own tokens."""
    chat = Chat("c")
    chat.turn(Engine(tmp_path, model_folder), LONG)
    usage = chat.turn(Engine(tmp_path, model_folder), "And now?").usage
    assert (usage.cached_from, usage.miss_cause) == ("disk", "")
    assert usage.prefill_tokens == own_tokens("And now?")


def test_one_inner_state_of_a_long_message_is_kept_at_a_time(
    tmp_path: Path, model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each inner bound the state of the bound before it is dropped, and at the end of the message the last one. All
    keys and values stay.
    """
    inner: list[list[bool]] = []
    commit = CacheManager.commit

    def noted(self: CacheManager, *given: Any) -> None:
        checkpoints = given[2]
        assert all("kv" in c.records for c in checkpoints)
        inner.append(["state" in c.records for c in checkpoints if c.segment.inner])
        commit(self, *given)

    monkeypatch.setattr(CacheManager, "commit", noted)
    stopped(tmp_path, model_folder, Chat("a").ask(LONG), 2 * STRIDE)
    Engine(tmp_path, model_folder).live(Chat("b").ask(f"Or: {LONG}"))
    assert inner == [[False, True], [False, False, False]]


# --- passes

SHORT, LONGER = "And now?", "And now, if you please, something longer than what you have said so far about it?"


@pytest.mark.parametrize(
    ("family", "text", "passes"),
    [
        ("qwen3_5", SHORT, 1),
        ("qwen3_5", LONGER, 2),
        ("mamba", SHORT, 1),
        ("gemma3_text", SHORT, 2),
        ("llama", SHORT, 1),
        ("llama", LONGER, 1),
    ],
)
def test_a_warm_turn_takes_no_pass_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, family: str, text: str, passes: int
) -> None:
    """A short message and the reply's header, after which the first token is drawn, take one pass. A long message takes
    one of its own, and so does one at whose end a window must be kept. Every step after them emits a token.
    """
    folder = tiny_models.build(tmp_path / family, family)
    chat = Chat("c")
    chat.turn(Engine(tmp_path, folder), "Hello there, engine.")
    read = counted_passes(monkeypatch, family)
    second = chat.ask(text)
    life = Engine(tmp_path, folder)
    life.live(second, on=lambda event: read.clear() if isinstance(event, ModelLoaded) else None)
    usage = life.finished(second.request).usage
    assert usage.prefill_tokens == own_tokens(text) == sum(read[:passes])
    assert read[passes:] == [1] * usage.completion_tokens


def test_a_short_turn_stops_where_the_next_prompt_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the template changes replies, the state before a reply is where the next prompt starts: it costs a pass."""
    template = (TEMPLATES / "qwen3.jinja").read_text()
    folder = tiny_models.let_write(tiny_models.build(tmp_path / "stripping"), template)
    read = counted_passes(monkeypatch, "qwen3_5")
    chat = Chat("c", messages=[])
    life = Engine(tmp_path, folder)
    life.live(chat.ask("Hi."), on=lambda event: read.clear() if isinstance(event, ModelLoaded) else None, stores=2)
    assert read[:2] == [len("<user\nHi.>\n"), len("<assistant\n<think>\n\n</think>\n\n")]
    assert states(tmp_path) >= 1


def counting(model: LoadedModel) -> tuple[LastLogits, list[int]]:
    """The model's forward pass, and the number of tokens of each one from now on."""
    forward, passes = LastLogits(model.model), list[int]()

    def counted(tokens: Any, cache: list[Any]) -> Any:
        passes.append(tokens.shape[1])
        return model.model(tokens, cache=cache)

    forward._model = counted
    return forward, passes


def prefilled(model: LoadedModel, made: Sequence) -> list[int]:
    """Prefill a sequence to its end. Return the number of tokens of each forward pass."""
    forward, passes = counting(model)
    while not made.prefilled:
        prefill_chunk(forward, made, decoding=0)
        take_checkpoints(made)
    return passes


@pytest.mark.parametrize("model", ["qwen3_5", "lfm2", "falcon_h1"], indirect=True)
def test_one_pass_leaves_the_records_of_two(model: LoadedModel) -> None:
    """The segments of a short turn are the same in one pass as in two, with the same keys and values. The state at the
    shared prefix is taken in any case, and the one at the end of the user's turn in two passes only.
    """
    tokens, bounds = ids(40), (9, 17, 36)

    def read(*, stand: bool) -> tuple[list[int], Sequence]:
        made = pending_sequence(model.fresh_caches(), tokens)
        made.chain = list(segment.cut("model", tokens, bounds))
        made._prompt = replace(made.prompt, system_tokens=9)
        made.replies_stand = stand

        return prefilled(model, made), made

    (few, one), (more, other) = read(stand=True), read(stand=False)
    assert (few, more) == ([9, 31], [9, 8, 19, 4])
    assert one.drawn == other.drawn
    assert [c.segment for c in one.checkpoints] == [c.segment for c in other.checkpoints] == one.chain
    assert ["state" in c.records for c in one.checkpoints] == [True, False, False]
    for short, whole in zip(one.checkpoints, other.checkpoints, strict=True):
        assert short.durable == whole.durable
        for name, array in short.records["kv"].items():
            assert largest(array - whole.records["kv"][name]) < 1e-4


@pytest.mark.parametrize("model", ["qwen3_5"], indirect=True)
@pytest.mark.parametrize(("chunk", "passes"), [(2048, [70, 4]), (60, [60, 10, 4])])
def test_a_long_turn_stops_at_its_end(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch, chunk: int, passes: list[int]
) -> None:
    """What counts is the distance from the last state, and not what the last chunk has left over."""
    monkeypatch.setattr("engine.schedule.scheduler.CHUNK_ALONE", chunk)
    made = pending_sequence(model.fresh_caches(), ids(74))
    made.chain, made.replies_stand = list(segment.cut("model", ids(74), (70,))), True
    assert (prefilled(model, made), ["state" in c.records for c in made.checkpoints]) == (passes, [True])


def test_what_is_not_kept_needs_no_stop(tmp_path: Path, model_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request without a cache takes no checkpoints, so its chunks stop at no bound."""
    read = counted_passes(monkeypatch, "qwen3_5")
    command = Chat("c").ask("Hello.", cached=False)
    life = Engine(tmp_path, model_folder)
    life.live(command, on=lambda event: read.clear() if isinstance(event, ModelLoaded) else None)
    assert read[0] == life.finished(command.request).usage.prompt_tokens


@pytest.mark.parametrize("model", ["llama", "qwen3_5", "lfm2", "falcon_h1", "gemma3_text"], indirect=True)
def test_a_chunk_in_portions_computes_the_same(model: LoadedModel) -> None:
    """While rows decode, a short chunk is evaluated layer by layer, and other rows take steps in between. Its caches
    and its first token are exactly those of a chunk at once.
    """

    def chunk(*, decoding: int) -> tuple[int, Sequence]:
        made, steps = pending_sequence(model.fresh_caches(), ids(24)), 0
        begun = begin_chunk(LastLogits(model.model), made, decoding)
        for portion in begun.portions:
            mx.eval(portion)
            assert made.position == 0, "the chunk is not finished"
            other.step()
            steps += 1
        finish_chunk(made, begun)
        return steps, made

    other = Batch(model.model, batching=model.batching)
    other.join(ready(model.model, model.fresh_caches(), ids(9)))
    (none, whole), (some, divided) = chunk(decoding=0), chunk(decoding=1)
    assert (none, some) == (0, len(whole.caches))
    assert (whole.position, whole.drawn) == (divided.position, divided.drawn) == (24, whole.drawn)
    records = [codec.take(made.caches, 0, 24) for made in (whole, divided)]
    for kind, arrays in records[0].items():
        for name, array in arrays.items():
            assert mx.array_equal(array, records[1][kind][name])


@pytest.mark.parametrize("layers", [1, 2, 6, 12, 13, 30, 61])
def test_every_layer_is_in_one_of_twelve_parts(layers: int) -> None:
    """The logits follow them, as a part of their own."""
    parts = list(prefill._parts(list(range(layers))))
    assert [layer for part in parts for layer in part] == list(range(layers))
    assert len(parts) <= 12


@pytest.mark.parametrize("model", ["qwen3_5"], indirect=True)
def test_a_long_chunk_is_not_divided(model: LoadedModel) -> None:
    """Steps in between would make a long prompt take much longer."""
    made = pending_sequence(model.fresh_caches(), ids(MOST_DIVIDED + 20))
    begun = begin_chunk(LastLogits(model.model), made, decoding=3)
    assert (begun.portions, begun.end) == ([], MOST_DIVIDED + 20)


@pytest.mark.parametrize("model", ["llama", "qwen3_5", "lfm2", "falcon_h1", "gemma3_text"], indirect=True)
def test_a_long_prompt_draws_in_one_pass(model: LoadedModel) -> None:
    """If the model can compute the logits of the last token alone, no prompt is too long to draw from it. Else the last
    token has a pass of its own. The token and the logits are the same.
    """

    def read() -> tuple[list[int], Sequence, mx.array]:
        made = pending_sequence(model.fresh_caches(), ids(200))
        made.ending = segment.following(None, "model", ids(200), 200)
        passes = prefilled(model, made)
        return passes, made, made.prompt_end.logits

    one, narrowed, logits = read()
    widen(model.model)
    two, wide, expected = read()
    narrow(model.model, model.vocabulary_size)
    assert (one, two) == ([200], [199, 1])
    assert narrowed.drawn == wide.drawn
    assert largest(logits - expected) < 1e-4 * largest(expected)


@pytest.mark.parametrize("model", ["qwen3_5"], indirect=True)
def test_a_speculative_prefill_draws_no_token(model: LoadedModel) -> None:
    """Without a sampler nothing is drawn, and the last token of a long chunk needs no pass of its own."""
    made, (forward, read) = pending_sequence(model.fresh_caches(), ids(90)), counting(model)
    made.sampler = None
    prefill_chunk(forward, made, decoding=1)
    assert (made.prefilled, made.drawn, read) == (True, None, [90])


@pytest.mark.parametrize("model", ["llama"], indirect=True)
def test_checkpoints_behind_the_caches_are_those_at_the_bounds(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A prompt prefilled across its bounds in one pass leaves the same checkpoints as one whose passes end at them."""
    tokens = ids(30)

    def read() -> list[Any]:
        made = pending_sequence(model.fresh_caches(), tokens)
        made.chain = list(segment.cut("model", tokens, (9, 12, 25)))
        prefilled(model, made)
        return made.checkpoints

    over = read()
    monkeypatch.setattr(codec, "is_cuttable", lambda _: False)
    at = read()
    assert [c.segment for c in over] == [c.segment for c in at] == list(segment.cut("model", tokens, (9, 12, 25)))
    for one, other in zip(over, at, strict=True):
        assert one.records.keys() == other.records.keys() == {"kv"}
        for name, array in one.records["kv"].items():
            assert largest(array - other.records["kv"][name]) < 1e-4
