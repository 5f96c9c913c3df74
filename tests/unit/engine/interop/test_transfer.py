"""Imports from mlx-lm and exports to it through the whole loop: a real model, a real disk, real files."""

from __future__ import annotations

from pathlib import Path

import mlx.core as mx
import pytest
from mlx_lm.generate import generate_step
from mlx_lm.models.cache import load_prompt_cache
from mlx_lm.utils import load

from engine.interop import transfer
from engine.memory.machine import Machine
from engine.protocol.cache_messages import CacheMoved, Forget, ImportCache
from engine.protocol.messages import ChatMessage, ExportCache, Generate
from resources import DEMO_MODEL
from tests.fakes import tiny_models
from tests.fakes.engine_life import GREEDY, SYSTEM, Chat, Engine
from tests.fakes.problems import raising
from tests.fakes.prompt_caches import read_ahead

GOLDEN = Path(__file__).parents[3] / "golden" / "prompt_caches" / "mlx-lm-0.31.3-demo.safetensors"
GOLDEN_TEXT = "My name is Quillon. I live by the sea."
TEXT = "It was a dark and stormy night; the rain fell in torrents. " * 4


@pytest.fixture(params=["qwen3_5", "llama", "gemma3_text"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hybrid, a model with attention only, and one with windows."""
    return tiny_models.build(tmp_path_factory.mktemp("models") / request.param, request.param)


@pytest.fixture
def file(tmp_path: Path, model_folder: Path) -> Path:
    """What mlx-lm has computed from TEXT with the model in `model_folder`."""
    read_ahead(model_folder, TEXT, tmp_path / "read.safetensors")
    return tmp_path / "read.safetensors"


def moved(life: Engine) -> CacheMoved:
    (event,) = life.heard(CacheMoved)
    return event


def asked(*messages: ChatMessage, cached: bool = True, conversation: str = "c") -> Generate:
    return Generate("g", conversation, messages, GREEDY, cached)


@pytest.mark.parametrize(("more", "system"), [("", SYSTEM.content), ("\n\nWhat fell in torrents?", "")])
def test_a_conversation_starts_warm_from_an_imported_cache(
    tmp_path: Path, folder: Path, more: str, system: str
) -> None:
    """In a later process, the first prompt that begins with the text prefills only the new tokens, and its answer
    equals that of an engine which prefills everything. In each further process, the next prompt builds on the first.
    """
    file = tmp_path / "read.safetensors"
    tokens = read_ahead(folder, TEXT, file, system)
    taken = moved(Engine(tmp_path, folder).live(ImportCache("i", "c", str(file), TEXT, system)))
    assert taken == CacheMoved("i", tokens, file.stat().st_size)
    chat = Chat("c", messages=[ChatMessage("system", system)] if system else [])
    command = chat.ask(TEXT + more)
    warm = Engine(tmp_path, folder).live(command)
    usage = chat.hear(warm, command).usage
    assert (usage.cached_tokens, usage.cached_from, usage.miss_cause) == (tokens, "disk", "")
    assert warm.text(command.request) == warm.cold(command)
    for text in ("Go on.", "And the end?"):
        usage = chat.turn(Engine(tmp_path, folder), text).usage
        assert usage.cached_from == "disk"
        assert usage.prefill_tokens < 40


def test_an_import_is_warm_at_once_in_the_same_process(tmp_path: Path, model_folder: Path, file: Path) -> None:
    """When the import ends, its cache is in memory and its tokens are known."""
    question = asked(ChatMessage("user", TEXT + "?"))
    life = Engine(tmp_path, model_folder)
    life.live(ImportCache("i", "c", str(file), TEXT), then=lambda e: question if isinstance(e, CacheMoved) else None)
    usage = life.finished("g").usage
    assert (usage.cached_tokens, usage.cached_from) == (moved(life).tokens, "hot")


def test_a_file_that_mlx_lm_0_31_wrote_is_imported(tmp_path: Path) -> None:
    """The built-in model continues from a cache that release 0.31 wrote with it."""
    taken = moved(Engine(tmp_path, DEMO_MODEL).live(ImportCache("i", "c", str(GOLDEN), GOLDEN_TEXT)))
    assert taken == CacheMoved("i", 17, GOLDEN.stat().st_size)
    usage = Engine(tmp_path, DEMO_MODEL).live(asked(ChatMessage("user", GOLDEN_TEXT))).finished("g").usage
    assert (usage.cached_tokens, usage.cached_from) == (17, "disk")


def test_a_final_newline_of_the_text_file_does_no_harm(tmp_path: Path, model_folder: Path, file: Path) -> None:
    """mlx-lm gets a text with or without its final newline. Both are found in the text file."""
    tokens = moved(Engine(tmp_path, model_folder).live(ImportCache("i", "c", str(file), TEXT + "\n"))).tokens
    assert tokens
    prompt = asked(ChatMessage("user", TEXT + "\nWell?"))
    assert Engine(tmp_path, model_folder).live(prompt).finished("g").usage.cached_tokens == tokens


def test_a_forgotten_import_is_no_prefix_any_more(tmp_path: Path, model_folder: Path, file: Path) -> None:
    """Forget erases an imported prefix with its conversation, from disk and for the next process."""
    Engine(tmp_path, model_folder).live(ImportCache("i", "c", str(file), TEXT))
    Engine(tmp_path, model_folder).live(Forget("c"))
    assert not list((tmp_path / "segments").rglob("*.safetensors"))
    usage = Engine(tmp_path, model_folder).live(asked(ChatMessage("user", TEXT))).finished("g").usage
    assert (usage.cached_tokens, usage.miss_cause) == (0, "new")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (TEXT.replace("dark", "bark"), "another text"),
        (TEXT + "More.", "tokens, and this text makes"),
        ("", "tokens, and this text makes"),
    ],
)
def test_the_cache_of_another_text_is_refused(
    tmp_path: Path, model_folder: Path, file: Path, text: str, why: str
) -> None:
    """The cache of another text is not stored, whatever its length, and the message says so."""
    refused = moved(Engine(tmp_path, model_folder).live(ImportCache("i", "c", str(file), text)))
    assert (refused.code, refused.tokens) == ("cache_refused", 0)
    assert why in refused.message
    assert not list((tmp_path / "segments").rglob("*.safetensors"))


def test_a_long_text_is_checked_as_a_whole(tmp_path: Path, folder: Path) -> None:
    """The cache of a long text is refused as that of one with another letter in its middle, and imported as its own."""
    long = TEXT * 12
    tokens = read_ahead(folder, long, tmp_path / "read.safetensors")
    assert tokens > 2048
    half = len(long) // 2
    for text, taken in ((long[:half] + "#" + long[half + 1 :], 0), (long, tokens)):
        command = ImportCache("i", "c", str(tmp_path / "read.safetensors"), text)
        assert moved(Engine(tmp_path, folder).live(command)).tokens == taken


def test_another_models_cache_is_refused(tmp_path: Path, model_folder: Path) -> None:
    """The cache of a model that differs only in its weights is refused too."""
    other = tiny_models.build(tmp_path / "other")
    weights = mx.load(str(other / "model.safetensors"))
    assert isinstance(weights, dict)
    mx.save_safetensors(str(other / "model.safetensors"), {n: w * 1.5 for n, w in weights.items()}, {"format": "mlx"})
    file = tmp_path / "read.safetensors"
    read_ahead(other, TEXT, file)
    refused = moved(Engine(tmp_path, model_folder).live(ImportCache("i", "c", str(file), TEXT)))
    assert "another model" in refused.message


@pytest.mark.parametrize("content", [None, b"no cache"])
def test_a_file_without_a_cache_is_refused(tmp_path: Path, model_folder: Path, content: bytes | None) -> None:
    """A missing or invalid file gives one sentence, and the engine continues."""
    file = tmp_path / "read.safetensors"
    if content is not None:
        file.write_bytes(content)
    life = Engine(tmp_path, model_folder).live(ImportCache("i", "c", str(file), TEXT), asked(ChatMessage("user", "Hi")))
    assert moved(life).code == "cache_refused"
    assert life.finished("g").reason == "length"


def test_a_model_that_fails_on_a_cache_ends_the_import_alone(
    tmp_path: Path, model_folder: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a foreign file makes the model fail, the engine continues to answer."""
    monkeypatch.setattr(transfer, "verify", raising(ValueError("shapes do not match")))
    life = Engine(tmp_path, model_folder).live(ImportCache("i", "c", str(file), TEXT), asked(ChatMessage("user", "Hi")))
    assert (moved(life).code, moved(life).message) == ("request_failed", "The cache could not be moved.")
    assert life.finished("g").reason == "length"


def test_an_import_without_a_disk_is_refused(tmp_path: Path, model_folder: Path, file: Path) -> None:
    """Without a disk, a warm start would end with the process, so the import is refused with the reason."""
    (tmp_path / "segments").write_text("a file where the folder should be")
    failed = moved(Engine(tmp_path, model_folder).live(ImportCache("i", "c", str(file), TEXT)))
    assert failed.code
    assert failed.message
    assert not failed.tokens


def test_a_transfer_that_does_not_fit_into_memory_is_refused(tmp_path: Path, model_folder: Path, file: Path) -> None:
    """An import or export that does not fit into memory is refused with the figures."""
    full = Machine(free_bytes=lambda: 0)
    for command in (
        ImportCache("i", "c", str(file), TEXT),
        ExportCache("e", "c", (ChatMessage("user", "Hi"),), str(tmp_path / "out.safetensors")),
    ):
        assert moved(Engine(tmp_path, model_folder, machine=full).live(command)).code == "memory_full"


def test_a_text_beyond_the_context_is_refused(tmp_path: Path) -> None:
    """No prompt could begin with it."""
    small = tiny_models.build(tmp_path / "small", "llama", max_position_embeddings=100)
    file = tmp_path / "read.safetensors"
    read_ahead(small, TEXT, file)
    assert moved(Engine(tmp_path, small).live(ImportCache("i", "c", str(file), TEXT))).code == "context_full"


def talked(tmp_path: Path, folder: Path) -> Chat:
    """A conversation of two turns, on disk."""
    chat = Chat("c")
    for text in ("Hello there, engine.", "Go on, please."):
        chat.turn(Engine(tmp_path, folder), text)
    return chat


def test_mlx_lm_continues_an_exported_conversation(tmp_path: Path, folder: Path) -> None:
    """From the file alone, mlx-lm continues as the engine does."""
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


def test_uncached_tokens_are_prefilled_for_the_export(tmp_path: Path, folder: Path) -> None:
    """With an empty disk, or for a question without an answer, the missing tokens are prefilled and the file is the
    same.
    """
    chat = talked(tmp_path, folder)
    chat.ask("And what of this one?")
    model, *_ = load(str(folder))
    logits = []
    for home in (tmp_path, tmp_path / "elsewhere"):
        path = str(home / "out.safetensors")
        Engine(home, folder).live(ExportCache("e", "c", tuple(chat.messages), path))
        logits.append(model(mx.array([[5, 6]]), cache=load_prompt_cache(path)))
    assert mx.allclose(logits[0], logits[1], atol=1e-4)


def test_an_export_is_not_the_cache_of_its_text(tmp_path: Path, model_folder: Path) -> None:
    """The file of a conversation with one question is refused as the cache of that text: it holds the end of the turn,
    which is in no text.
    """
    out = tmp_path / "out.safetensors"
    Engine(tmp_path, model_folder).live(ExportCache("e", "c", (ChatMessage("user", TEXT),), str(out)))
    refused = moved(Engine(tmp_path, model_folder).live(ImportCache("i", "d", str(out), TEXT)))
    assert "tokens, and this text makes" in refused.message


@pytest.mark.parametrize(
    ("path", "messages", "code"),
    [
        ("out.safetensors", 1, ""),
        ("nowhere/out.safetensors", 1, "cache_not_written"),
        ("out.txt", 1, "cache_not_written"),
        ("out.safetensors", 0, "prompt_refused"),
    ],
)
def test_an_export_ends_with_a_file_or_an_error(
    tmp_path: Path, model_folder: Path, path: str, messages: int, code: str
) -> None:
    """A failure is reported, and leaves no file: an empty conversation has no tokens. In each case the disk may evict
    the records again.
    """
    used = []
    life = Engine(tmp_path, model_folder)
    command = ExportCache("e", "c", (ChatMessage("user", "Hi"),) * messages, str(tmp_path / path))
    life.live(command, on=lambda event: used.append(life.manager.in_use) if isinstance(event, CacheMoved) else None)
    assert (moved(life).code, used) == (code, [frozenset()])
    assert bool(list(tmp_path.glob("*out*"))) != bool(code)


def test_answers_continue_during_transfers(tmp_path: Path, model_folder: Path, file: Path) -> None:
    """A chat that is answered beside an import and an export gets the same answer as alone."""
    out = tmp_path / "out.safetensors"
    chat = asked(ChatMessage("user", "Hello."), conversation="other")
    life = Engine(tmp_path, model_folder).live(
        chat,
        ImportCache("i", "c", str(file), TEXT),
        ExportCache("e", "c", (ChatMessage("user", TEXT),), str(out)),
    )
    assert life.text("g") == life.cold(chat)
    assert {e.request: e.code for e in life.events if isinstance(e, CacheMoved)} == {"i": "", "e": ""}


def test_a_transfer_without_a_model_fails(tmp_path: Path) -> None:
    """An import without a model fails as an answer would."""
    life = Engine(tmp_path, tmp_path / "no model")
    life.live(ImportCache("i", "c", "a file", TEXT), ends_on_failure=False)
    assert moved(life).code == "no_model"
