"""Caches that come in from mlx-lm and go out to it, through the whole loop: a real model, a real disk, real files."""

from __future__ import annotations

from pathlib import Path

import mlx.core as mx
import pytest
from mlx_lm.generate import generate_step
from mlx_lm.models.cache import load_prompt_cache
from mlx_lm.utils import load
from msgspec.structs import replace

from engine.interop import transfer
from engine.memory.footprint import Admission
from engine.protocol import messages as protocol
from engine.protocol.messages import CacheMoved, ChatMessage, ExportCache, Generate, ImportCache
from resources import DEMO_MODEL
from tests.fakes import tiny_models
from tests.fakes.engine_life import GREEDY, SYSTEM, Chat, Engine
from tests.fakes.prompt_caches import read_ahead

GOLDEN = Path(__file__).parents[3] / "golden" / "prompt_caches" / "mlx-lm-0.31.3-demo.safetensors"
GOLDEN_TEXT = "My name is Quillon. I live by the sea."
TEXT = "It was a dark and stormy night; the rain fell in torrents. " * 4


@pytest.fixture(params=["qwen3_5", "llama", "gemma3_text"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hybrid, a model of keys and values alone, one with windows."""
    return tiny_models.build(tmp_path_factory.mktemp("models") / request.param, request.param)


def moved(life: Engine) -> CacheMoved:
    (event,) = (e for e in life.events if isinstance(e, CacheMoved))
    return event


def asked(*messages: ChatMessage, cached: bool = True, conversation: str = "c") -> Generate:
    return Generate("g", conversation, messages, GREEDY, cached)


@pytest.mark.parametrize(("more", "system"), [("", SYSTEM.content), ("\n\nWhat fell in torrents?", "")])
def test_a_conversation_starts_warm_with_what_mlx_lm_read(tmp_path: Path, folder: Path, more: str, system: str) -> None:
    """In a later process, the first prompt that begins with the text reads only what is new, and the answer is that of
    an engine which reads all of it.
    """
    file = tmp_path / "read.safetensors"
    tokens = read_ahead(folder, TEXT, file, system)
    taken = moved(Engine(tmp_path, folder).live(ImportCache("i", "c", str(file), TEXT, system)))
    assert taken == CacheMoved("i", tokens, file.stat().st_size)
    begun = (ChatMessage("system", system),) if system else ()
    prompt = (*begun, ChatMessage("user", TEXT + more))
    warm = Engine(tmp_path, folder).live(asked(*prompt))
    usage = warm.finished("g").usage
    assert (usage.cached_tokens, usage.cached_from, usage.miss_cause) == (tokens, "disk", "")
    cold = Engine(tmp_path / "cold", folder).live(asked(*prompt, cached=False))
    assert warm.text("g") == cold.text("g")


def test_the_turns_after_it_are_warm_as_well(tmp_path: Path, folder: Path) -> None:
    """The second prompt of an imported conversation builds on the first, in each later process."""
    file = tmp_path / "read.safetensors"
    read_ahead(folder, TEXT, file)
    Engine(tmp_path, folder).live(ImportCache("i", "c", str(file), TEXT))
    chat = Chat("c", messages=[])
    for turn, text in enumerate([TEXT + " So?", "Go on.", "And the end?"]):
        command = chat.ask(text)
        life = Engine(tmp_path, folder).live(command)
        usage = chat.hear(life, command).usage
        assert usage.cached_from == "disk"
        assert usage.prefill_tokens < 40, turn


def test_it_is_warm_at_once_in_the_same_process(tmp_path: Path, model_folder: Path) -> None:
    """What was imported is in memory, and its tokens are known, before the import is told to be over."""
    file = tmp_path / "read.safetensors"
    tokens = read_ahead(model_folder, TEXT, file)
    question = asked(ChatMessage("user", TEXT + "?"))
    life = Engine(tmp_path, model_folder)
    life.live(ImportCache("i", "c", str(file), TEXT), then=lambda e: question if isinstance(e, CacheMoved) else None)
    usage = life.finished("g").usage
    assert (usage.cached_tokens, usage.cached_from) == (tokens, "hot")


def test_a_file_that_mlx_lm_0_31_wrote_comes_in(tmp_path: Path) -> None:
    """The built-in model goes on from what that release read with it."""
    taken = moved(Engine(tmp_path, DEMO_MODEL).live(ImportCache("i", "c", str(GOLDEN), GOLDEN_TEXT)))
    assert taken == CacheMoved("i", 17, GOLDEN.stat().st_size)
    usage = Engine(tmp_path, DEMO_MODEL).live(asked(ChatMessage("user", GOLDEN_TEXT))).finished("g").usage
    assert (usage.cached_tokens, usage.cached_from) == (17, "disk")


def test_a_line_end_that_only_the_text_file_has_does_no_harm(tmp_path: Path, model_folder: Path) -> None:
    """mlx-lm is told a text with its last line's end or without; either way it is found in the text file."""
    file = tmp_path / "read.safetensors"
    tokens = read_ahead(model_folder, TEXT, file)
    assert moved(Engine(tmp_path, model_folder).live(ImportCache("i", "c", str(file), TEXT + "\n"))).tokens == tokens
    prompt = asked(ChatMessage("user", TEXT + "\nWell?"))
    assert Engine(tmp_path, model_folder).live(prompt).finished("g").usage.cached_tokens == tokens


def test_what_is_forgotten_is_no_beginning_any_more(tmp_path: Path, model_folder: Path) -> None:
    """Erased with its conversation, from disk and from what the next process knows."""
    file = tmp_path / "read.safetensors"
    read_ahead(model_folder, TEXT, file)
    Engine(tmp_path, model_folder).live(ImportCache("i", "c", str(file), TEXT))
    Engine(tmp_path, model_folder).live(protocol.Forget("c"))
    assert not list((tmp_path / "segments").rglob("*.safetensors"))
    usage = Engine(tmp_path, model_folder).live(asked(ChatMessage("user", TEXT))).finished("g").usage
    assert (usage.cached_tokens, usage.miss_cause) == (0, "new")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (TEXT.replace("dark", "bark"), "another text"),
        (TEXT[::-1], "another text"),
        (TEXT + "More.", "tokens, and this text makes"),
        ("", "tokens, and this text makes"),
    ],
)
def test_the_cache_of_another_text_is_refused(tmp_path: Path, model_folder: Path, text: str, why: str) -> None:
    """As long or not, it is not stored, and the words say so."""
    file = tmp_path / "read.safetensors"
    read_ahead(model_folder, TEXT, file)
    refused = moved(Engine(tmp_path, model_folder).live(ImportCache("i", "c", str(file), text)))
    assert (refused.code, refused.tokens) == ("cache_refused", 0)
    assert why in refused.message
    assert not list((tmp_path / "segments").rglob("*.safetensors"))


def test_another_models_cache_is_refused(tmp_path: Path, model_folder: Path) -> None:
    """Also that of a model which differs in its weights alone."""
    other = tiny_models.build(tmp_path / "other")
    weights = mx.load(str(other / "model.safetensors"))
    assert isinstance(weights, dict)
    mx.save_safetensors(str(other / "model.safetensors"), {n: w * 1.5 for n, w in weights.items()}, {"format": "mlx"})
    file = tmp_path / "read.safetensors"
    read_ahead(other, TEXT, file)
    refused = moved(Engine(tmp_path, model_folder).live(ImportCache("i", "c", str(file), TEXT)))
    assert "another model" in refused.message


@pytest.mark.parametrize("content", [None, b"", b"no cache"])
def test_what_is_no_file_of_a_cache_is_refused(tmp_path: Path, model_folder: Path, content: bytes | None) -> None:
    """Missing, empty or something else: one sentence, and the engine goes on."""
    file = tmp_path / "read.safetensors"
    if content is not None:
        file.write_bytes(content)
    life = Engine(tmp_path, model_folder).live(ImportCache("i", "c", str(file), TEXT), asked(ChatMessage("user", "Hi")))
    assert moved(life).code == "cache_refused"
    assert life.finished("g").reason == "length"


def test_a_model_that_fails_on_a_cache_ends_the_import_alone(
    tmp_path: Path, model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a foreign file leads to, the engine answers on."""

    def broken(*_: object) -> None:
        raise ValueError("shapes do not match")

    file = tmp_path / "read.safetensors"
    read_ahead(model_folder, TEXT, file)
    monkeypatch.setattr(transfer, "verify", broken)
    life = Engine(tmp_path, model_folder).live(ImportCache("i", "c", str(file), TEXT), asked(ChatMessage("user", "Hi")))
    assert (moved(life).code, moved(life).message) == ("request_failed", "The cache could not be moved.")
    assert life.finished("g").reason == "length"


def test_what_cannot_be_stored_is_not_imported(tmp_path: Path, model_folder: Path) -> None:
    """Without a disk a warm start would be gone with the process, so it is told why there is none."""
    (tmp_path / "segments").write_text("a file where the folder should be")
    file = tmp_path / "read.safetensors"
    read_ahead(model_folder, TEXT, file)
    failed = moved(Engine(tmp_path, model_folder).live(ImportCache("i", "c", str(file), TEXT)))
    assert failed.code
    assert failed.message
    assert not failed.tokens


def test_what_does_not_fit_into_memory_is_not_tried(
    tmp_path: Path, model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in nor out: the figures are told instead."""
    monkeypatch.setattr(transfer, "admit", lambda need, *_: Admission("refuse", need, 0))
    file = tmp_path / "read.safetensors"
    read_ahead(model_folder, TEXT, file)
    for command in (
        ImportCache("i", "c", str(file), TEXT),
        ExportCache("e", "c", (ChatMessage("user", "Hi"),), str(tmp_path / "out.safetensors")),
    ):
        assert moved(Engine(tmp_path, model_folder).live(command)).code == "memory_full"


def test_a_text_beyond_what_the_model_reads_is_refused(tmp_path: Path) -> None:
    """No prompt could begin with it."""
    small = tiny_models.build(tmp_path / "small", "llama", max_position_embeddings=100)
    file = tmp_path / "read.safetensors"
    read_ahead(small, TEXT, file)
    assert moved(Engine(tmp_path, small).live(ImportCache("i", "c", str(file), TEXT))).code == "context_full"


def talked(tmp_path: Path, folder: Path) -> Chat:
    """A conversation of two turns, on disk."""
    chat = Chat("c")
    for text in ("Hello there, engine.", "Go on, please."):
        command = chat.ask(text)
        chat.hear(Engine(tmp_path, folder).live(command), command)
    return chat


def test_a_conversation_goes_out_and_mlx_lm_goes_on_with_it(tmp_path: Path, folder: Path) -> None:
    """What mlx-lm says next, from the file alone, is what the engine says next."""
    chat = talked(tmp_path, folder)
    out = tmp_path / "out.safetensors"
    gone = moved(Engine(tmp_path, folder).live(ExportCache("e", "c", tuple(chat.messages), str(out))))
    assert gone.bytes == out.stat().st_size
    following = "And now the end."
    answer = chat.ask(following)
    life = Engine(tmp_path, folder).live(answer)
    caches, metadata = load_prompt_cache(str(out), return_metadata=True)
    assert metadata["model"] == str(folder)
    model, tokenizer, *_ = load(str(folder))
    new = tokenizer.encode(f"<|im_start|>user\n{following}<|im_end|>\n<|im_start|>assistant\n")
    assert gone.tokens + len(new) == life.finished(answer.request).usage.prompt_tokens
    said = [int(token) for token, _ in generate_step(mx.array(new), model, max_tokens=12, prompt_cache=caches)]
    assert tokenizer.decode(said) == life.text(answer.request)


def test_what_is_not_cached_is_read_for_the_file(tmp_path: Path, folder: Path) -> None:
    """With an empty disk, and of a question that has no answer yet, the file is the same size and says the same."""
    chat = talked(tmp_path, folder)
    chat.messages.append(ChatMessage("user", "And what of this one?"))
    for home in (tmp_path, tmp_path / "elsewhere"):
        home.mkdir(exist_ok=True)
        path = home / "out.safetensors"
        moved(Engine(home, folder).live(ExportCache("e", "c", tuple(chat.messages), str(path))))
    warm, cold = (load_prompt_cache(str(home / "out.safetensors")) for home in (tmp_path, tmp_path / "elsewhere"))
    model, *_ = load(str(folder))
    first, second = (model(mx.array([[5, 6]]), cache=caches) for caches in (warm, cold))
    assert mx.allclose(first, second, atol=1e-4)


def test_what_went_out_comes_in_again(tmp_path: Path, model_folder: Path) -> None:
    """A conversation of one question, exported, is the import of its text on another machine."""
    out = tmp_path / "out.safetensors"
    question = (ChatMessage("user", TEXT),)
    moved(Engine(tmp_path, model_folder).live(ExportCache("e", "c", question, str(out))))
    refused = moved(Engine(tmp_path, model_folder).live(ImportCache("i", "d", str(out), TEXT)))
    assert "tokens, and this text makes" in refused.message, "the end of the turn is in it, which no text is"


@pytest.mark.parametrize("path", ["nowhere/out.safetensors", "out.txt"])
def test_what_cannot_be_written_is_told(tmp_path: Path, model_folder: Path, path: str) -> None:
    """And nothing is left behind."""
    command = ExportCache("e", "c", (ChatMessage("user", "Hi"),), str(tmp_path / path))
    assert moved(Engine(tmp_path, model_folder).live(command)).code == "cache_not_written"
    assert not list(tmp_path.glob("*out*"))


@pytest.mark.parametrize("path", ["out.safetensors", "missing/out.safetensors"])
def test_what_went_out_is_not_in_use_any_more(tmp_path: Path, model_folder: Path, path: str) -> None:
    """The disk may evict it again, whether the file could be written or not."""
    used = []
    life = Engine(tmp_path, model_folder)
    command = ExportCache("e", "c", (ChatMessage("user", "Hi"),), str(tmp_path / path))
    life.live(command, on=lambda event: used.append(life.manager.in_use) if isinstance(event, CacheMoved) else None)
    assert used == [frozenset()]


def test_an_empty_conversation_is_not_exported(tmp_path: Path, model_folder: Path) -> None:
    """There is nothing in it."""
    command = ExportCache("e", "c", (), str(tmp_path / "out.safetensors"))
    assert moved(Engine(tmp_path, model_folder).live(command)).code == "prompt_refused"


def test_answers_go_on_while_caches_move(tmp_path: Path, model_folder: Path) -> None:
    """A chat that is written beside an import and an export says what it says alone."""
    file, out = tmp_path / "read.safetensors", tmp_path / "out.safetensors"
    read_ahead(model_folder, TEXT, file)
    chat = asked(ChatMessage("user", "Hello."), conversation="other")
    alone = Engine(tmp_path / "alone", model_folder).live(replace(chat, cached=False)).text("g")
    life = Engine(tmp_path, model_folder).live(
        chat,
        ImportCache("i", "c", str(file), TEXT),
        ExportCache("e", "c", (ChatMessage("user", TEXT),), str(out)),
    )
    assert life.text("g") == alone
    assert {e.request: e.code for e in life.events if isinstance(e, CacheMoved)} == {"i": "", "e": ""}


def test_without_a_model_nothing_moves(tmp_path: Path) -> None:
    """It is told, as for an answer."""
    life = Engine(tmp_path, tmp_path / "no model")
    life.live(ImportCache("i", "c", "a file", TEXT), ends_on_failure=False)
    assert moved(life).code == "no_model"
