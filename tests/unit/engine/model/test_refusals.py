"""Each reason why a folder cannot be used has its own sentence, from the loader and from the inspector."""

from __future__ import annotations

import json
import os
import struct
from base64 import b64encode
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from sentencepiece import SentencePieceTrainer

from engine.inspect.facts import inspected
from engine.protocol import errors
from engine.protocol.inspection import InspectModel
from tests.fakes.tiny_models import loaded

Spoil = Callable[["Path"], None]
CODE = "import pathlib\npathlib.Path(__file__).with_name('it ran').write_text('')\n"


def inspect(folder: Path) -> None:
    inspected(InspectModel(str(folder)))


def inspect_on_the_hub(folder: Path) -> None:
    inspected(InspectModel(str(folder), weight_bytes=1000))


def changed(name: str = "config.json", **changes: Any) -> Spoil:
    def spoil(folder: Path) -> None:
        file = folder / name
        before = json.loads(file.read_text("utf-8")) if file.exists() else {}
        file.write_text(json.dumps({name: value for name, value in (before | changes).items() if value is not None}))

    return spoil


def without(*names: str) -> Spoil:
    def spoil(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return spoil


def instead(name: str) -> Spoil:
    def spoil(folder: Path) -> None:
        (folder / "model.safetensors").rename(folder / name)

    return spoil


def cut(folder: Path) -> None:
    weights = folder / "model.safetensors"
    os.truncate(weights, weights.stat().st_size - 100)


def adapter(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "adapters.safetensors")
    (folder / "config.json").rename(folder / "adapter_config.json")


def with_code(name: str, **changes: Any) -> Spoil:
    """A configuration that names a program in the folder, which would leave a trace if it ran."""

    def spoil(folder: Path) -> None:
        (folder / "custom.py").write_text(CODE)
        changed(name, **changes)(folder)

    return spoil


def not_a_tokenizer(kind: str, name: str) -> Spoil:
    """A configuration whose tokenizer is of another class of transformers. Nothing tells that one to run no code."""

    def spoil(folder: Path) -> None:
        with_code(name, auto_map={kind: "custom.Riddle"})(folder)
        changed("tokenizer_config.json", tokenizer_class=kind)(folder)

    return spoil


INDEX = {"model.embed_tokens.weight": "model.safetensors", "lm_head.weight": "model-00002-of-00002.safetensors"}
AUTO_MAP = {"AutoConfig": "custom.Config", "AutoModelForCausalLM": "custom.Model"}

MULTIPLIED = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 10}
ANY_MULTIPLIED = MULTIPLIED | {"pattern": {"Regex": "."}}


def letters(text: str) -> bytes:
    """SentencePiece's map of letters that puts `text` in place of an "a": a trie of double arrays, then the texts."""
    table = [0] * 1024
    table[0], table[256 ^ ord("a")] = 256 << 10, ord("a") | 1 << 8 | 512 << 10
    packed = struct.pack("<1024I", *table)
    return struct.pack("<I", len(packed)) + packed + text.encode() + b"\0"


BOOK_FOR_A = {"type": "Precompiled", "precompiled_charsmap": b64encode(letters("b" * 2000)).decode()}


def by_sentencepiece(folder: Path, name: str = "tokenizer.model") -> None:
    """A tokenizer in SentencePiece's own form alone, whose map of letters has a book in place of an "a"."""
    rule = folder / "rule.tsv"
    rule.write_text("61\t" + " ".join(["62"] * 2000))
    with (folder / name).open("wb") as file:
        SentencePieceTrainer.train(
            sentence_iterator=iter(["c d e f"]),
            model_writer=file,
            vocab_size=8,
            normalization_rule_tsv=str(rule),
            minloglevel=9,
        )
    (folder / "tokenizer.json").unlink()


def in_sentencepiece(folder: Path) -> None:
    """The same for a class that encodes with SentencePiece itself."""
    by_sentencepiece(folder, "spiece.model")
    changed("tokenizer_config.json", tokenizer_class="GPTSw3Tokenizer")(folder)


Refusal = tuple[type[errors.ModelError], str]
Harm = dict[str, tuple[Spoil, Refusal]]

NO_CODE: Refusal = (errors.ModelNeedsCode, "It needs program code from its own folder, which Hearth never runs.")
NO_TOKENIZER: Refusal = (errors.ModelUnreadable, "Its file tokenizer_config.json cannot be read.")
UNKNOWN: Refusal = (errors.ModelUnsupported, "This version of Hearth does not support this kind of model.")
TOO_LONG: Refusal = (errors.ModelUnreadable, "Its tokenizer would make texts so long that they fill the memory.")


def foreign(form: str) -> Refusal:
    return errors.ForeignWeights, f"Its weights are in the {form}. Hearth reads safetensors only."


def quantised_as(kind: str) -> Refusal:
    return errors.QuantizationUnsupported, f"Its weights are quantised in a form that MLX does not read ({kind})."


def elsewhere(file: str, other: str) -> Refusal:
    return errors.ModelUnreadable, f"Its file {file} names a file elsewhere: {other[:80]}."


def too_many(name: str) -> Refusal:
    return errors.ModelUnreadable, f"Its configuration asks for more {name} than any model has."


HUGE = 2 * 10**9
PYTORCH = foreign("PyTorch format, which can run program code")
ABOUT_WEIGHTS: Harm = {
    "no weights": (
        without("model.safetensors"),
        (errors.ModelUnreadable, "Its folder holds no safetensors weights."),
    ),
    "a file of the index is missing": (
        changed("model.safetensors.index.json", weight_map=INDEX),
        (errors.DownloadUnfinished, "Its file model-00002-of-00002.safetensors is missing."),
    ),
    "a file is cut": (cut, (errors.DownloadUnfinished, "Its file model.safetensors is not complete.")),
    "GGUF": (instead("model-q4.gguf"), foreign("GGUF format")),
    "PyTorch": (instead("pytorch_model.bin"), PYTORCH),
    "PyTorch, as Meta names it": (instead("consolidated.00.pth"), PYTORCH),
    "NumPy": (instead("weights.npz"), foreign("NumPy format")),
    "other names": (
        instead("consolidated.safetensors"),
        (
            errors.ModelUnreadable,
            'Its folder holds no weights under the names that mlx-lm reads, such as "model".',
        ),
    ),
    "an adapter alone": (
        adapter,
        (errors.AdapterAlone, "It is an adapter, which works only together with the model that it was trained on."),
    ),
    "AWQ without its weights": (
        changed(quantization_config={"quant_method": "awq", "bits": 8}),
        quantised_as("awq"),
    ),
    "weights of another shape": (
        changed(hidden_size=64),
        (errors.ModelIncomplete, "Its files are damaged or incomplete."),
    ),
}
ABOUT_FILES: Harm = {
    "no configuration": (without("config.json"), (errors.ModelIncomplete, "Its file config.json is missing.")),
    "no tokenizer": (
        without("tokenizer.json"),
        (errors.NoTokenizer, "Its folder has no tokenizer, which turns text into numbers for the model."),
    ),
    "a damaged tokenizer": (
        lambda folder: os.truncate(folder / "tokenizer.json", 1000),
        (errors.ModelUnreadable, "Its file tokenizer.json cannot be read."),
    ),
    "a tokenizer that multiplies letters": (
        changed("tokenizer.json", normalizer={"type": "Sequence", "normalizers": [MULTIPLIED] * 4}),
        TOO_LONG,
    ),
    "a tokenizer that multiplies what it decodes": (
        changed("tokenizer.json", decoder={"type": "Sequence", "decoders": [ANY_MULTIPLIED] * 3}),
        TOO_LONG,
    ),
    "a tokenizer with a token of a whole book": (
        changed("tokenizer.json", model={"type": "BPE", "vocab": {"a": 0, "b" * 2000: 1}, "merges": []}),
        TOO_LONG,
    ),
    "a tokenizer with an added token of a whole book": (
        changed("tokenizer.json", added_tokens=[{"id": 300, "content": "b" * 2000, "special": False}]),
        TOO_LONG,
    ),
    "a tokenizer of pieces, one of them a whole book": (
        changed("tokenizer.json", model={"type": "Unigram", "vocab": [["a", -1.0], ["b" * 2000, -2.0]], "unk_id": 0}),
        TOO_LONG,
    ),
    "a tokenizer that puts a book in place of a letter": (
        changed("tokenizer.json", normalizer=BOOK_FOR_A),
        TOO_LONG,
    ),
    "a tokenizer of SentencePiece that does": (by_sentencepiece, TOO_LONG),
    "a tokenizer in SentencePiece that does": (in_sentencepiece, TOO_LONG),
    "a tokenizer that puts a line in place of a letter": (
        changed("tokenizer.json", normalizer=ANY_MULTIPLIED | {"content": "b" * 80}),
        TOO_LONG,
    ),
    "a tokenizer that makes a book of a long token": (
        changed("tokenizer.json", decoder=MULTIPLIED, added_tokens=[{"id": 259, "content": "a" * 200}]),
        TOO_LONG,
    ),
    "a map of letters that is larger than any": (
        changed("tokenizer.json", normalizer=BOOK_FOR_A | {"precompiled_charsmap": "AAAA" * (1 << 21)}),
        TOO_LONG,
    ),
    "a book among the tokens of its configuration": (
        changed("tokenizer_config.json", extra_special_tokens=["b" * 2000]),
        TOO_LONG,
    ),
    "a book among the tokens of another file": (changed("added_tokens.json", **{"b" * 2000: 259}), TOO_LONG),
    "a tokenizer in another file": (
        changed("tokenizer_config.json", fast_tokenizer_files=["../tokenizer.4.0.0.json"]),
        elsewhere("tokenizer_config.json", "../tokenizer.4.0.0.json"),
    ),
    "a tokenizer in a GGUF file": (
        changed("tokenizer_config.json", gguf_file="../a.gguf"),
        elsewhere("tokenizer_config.json", "../a.gguf"),
    ),
    "a configuration in another file": (
        changed(configuration_files=["config.4.0.0.json"]),
        elsewhere("config.json", "config.4.0.0.json"),
    ),
    "a vocabulary of the machine": (
        changed("tokenizer_config.json", tokenizer_class="GPT2Tokenizer", vocab=__file__, merges=__file__),
        elsewhere("tokenizer_config.json", __file__),
    ),
    "a vocabulary of the machine, unnamed": (
        changed("tokenizer_config.json", tokenizer_class="GPT2Tokenizer", init_inputs=[__file__]),
        elsewhere("tokenizer_config.json", __file__),
    ),
    "a pipe of the machine for SentencePiece": (
        changed(
            "tokenizer_config.json", tokenizer_class="SiglipTokenizer", sp_model_kwargs={"model_file": "/dev/null\0"}
        ),
        elsewhere("tokenizer_config.json", "/dev/null?"),
    ),
    "a tokenizer of the machine among special tokens": (
        changed("special_tokens_map.json", tokenizer_file=__file__),
        elsewhere("special_tokens_map.json", __file__),
    ),
    "more labels than can be counted": (changed(text_config={"num_labels": HUGE}), too_many("num_labels")),
    "more layers of a picture's part than can be counted": (
        changed(vision_config={"model_type": "gpt_neo", "attention_types": [[["global"], HUGE]]}),
        too_many("attention_types"),
    ),
    "more tokens than can be counted": (
        changed("tokenizer_config.json", tokenizer_class="T5Tokenizer", extra_ids=HUGE),
        too_many("extra_ids"),
    ),
    "more tokens than can be counted, after an offset": (
        changed("special_tokens_map.json", offset=HUGE),
        too_many("offset"),
    ),
    "no chat template": (
        changed("tokenizer_config.json", chat_template=None),
        (errors.NoChatTemplate, "This model brings no chat template, so it cannot hold a conversation."),
    ),
    "an unknown kind": (changed(model_type="zyzzyva9"), UNKNOWN),
    "a part of mlx-lm that is no model": (changed(model_type="cache"), UNKNOWN),
    "a kind for which mlx-lm ends the process": (changed(model_type="olmo"), UNKNOWN),
    "an unknown kind with code": (with_code("config.json", model_type="zyzzyva9", auto_map=AUTO_MAP), NO_CODE),
    "mlx-lm's model_file": (
        with_code("config.json", model_file="custom.py"),
        (errors.ModelNeedsCode, "Its configuration names a file with program code, which Hearth never runs."),
    ),
    "a tokenizer with code": (
        with_code(
            "tokenizer_config.json",
            tokenizer_class="RiddleTokenizer",
            auto_map={"AutoTokenizer": ["custom.Riddle", None]},
        ),
        NO_CODE,
    ),
    "a processor with code in place of a tokenizer": (
        not_a_tokenizer("AutoProcessor", "processor_config.json"),
        NO_TOKENIZER,
    ),
    "an extractor with code in place of a tokenizer": (
        not_a_tokenizer("AutoFeatureExtractor", "preprocessor_config.json"),
        NO_TOKENIZER,
    ),
    "a class that reads tokenizers in folders below": (
        changed("tokenizer_config.json", tokenizer_class="RagTokenizer"),
        NO_TOKENIZER,
    ),
    "vision only": (
        changed(model_type="clip", vision_config={"hidden_size": 32}),
        (errors.VisionOnly, "It works on images or sound, and Hearth cannot use its text part."),
    ),
    "a foreign quantisation": (
        changed(quantization_config={"quant_method": "bitsandbytes", "load_in_4bit": True}),
        quantised_as("bitsandbytes"),
    ),
    "a mode of a later MLX": (
        changed(quantization={"group_size": 32, "bits": 2, "mode": "mxfp2"}),
        quantised_as("mxfp2"),
    ),
}


@pytest.mark.parametrize(
    ("use", "harm"),
    [
        *product((loaded, inspect), ABOUT_WEIGHTS.items()),
        *product((loaded, inspect, inspect_on_the_hub), ABOUT_FILES.items()),
    ],
    ids=lambda one: one[0] if isinstance(one, tuple) else one.__name__,
)
def test_a_folder_that_cannot_be_used(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    use: Callable[[Path], object],
    harm: tuple[str, tuple[Spoil, Refusal]],
) -> None:
    """The sentence says what is wrong, and the code what the user can do. A model on the hub is refused for the same
    reasons, before it is downloaded. No code of the folder runs, and no library asks on stdin whether it may.
    """
    _, (spoil, expected) = harm
    monkeypatch.setattr("builtins.input", pytest.fail)
    spoil(folder)
    with pytest.raises(errors.ModelError) as refusal:
        use(folder)
    assert (type(refusal.value), str(refusal.value)) == expected
    assert not (folder / "it ran").exists()


@pytest.mark.parametrize("use", [loaded, inspect])
@pytest.mark.parametrize("name", ["model [8-bit]", "model?", "*model"])
def test_a_path_that_is_a_pattern_is_named(folder: Path, use: Callable[[Path], object], name: str) -> None:
    """mlx-lm looks for weights by a pattern, and finds none there. To download the model again would not help."""
    odd = folder.rename(folder.with_name(name))
    with pytest.raises(errors.ModelUnreadable) as refusal:
        use(odd)
    assert str(refusal.value) == "Its path has a *, ? or [, so mlx-lm finds no weights there: rename the folder."


@pytest.mark.parametrize("use", [loaded, inspect, inspect_on_the_hub])
@pytest.mark.parametrize(
    "spoil",
    [
        with_code("config.json", auto_map=AUTO_MAP),
        changed("tokenizer_config.json", tokenizer_class=None),
        with_code("tokenizer_config.json", auto_map={"AutoTokenizer": [None, "custom.Riddle"]}),
    ],
)
def test_code_that_is_not_needed_is_not_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, use: Callable[[Path], object], spoil: Spoil
) -> None:
    """A model that mlx-lm knows is used although it brings code, and no library asks on stdin whether that may run."""
    monkeypatch.setattr("builtins.input", pytest.fail)
    spoil(folder)
    use(folder)
    assert not (folder / "it ran").exists()


def test_the_trace_of_code_can_be_seen(folder: Path) -> None:
    """The tests above would notice if the code ran: mlx-lm runs it for callers who trust the folder."""
    from mlx_lm.utils import load_model as trusting

    with_code("config.json", model_file="custom.py")(folder)
    with pytest.raises(AttributeError):
        trusting(folder, lazy=True, trust_remote_code=True)
    assert (folder / "it ran").exists()


LONGEST = "\u0635\u0644\u0649 \u0627\u0644\u0644\u0647 \u0639\u0644\u064a\u0647 \u0648\u0633\u0644\u0645"
"""What NFKC puts in place of one letter: no other becomes as many."""
SPACE = {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}
SPACES = SPACE | {"pattern": {"Regex": " {2,}"}}
PUBLISHED = {
    "Llama and Gemma": [{"type": "Prepend", "prepend": "\u2581"}, SPACE, {"type": "NFKC"}],
    "SentencePiece's map": [
        {"type": "Precompiled", "precompiled_charsmap": b64encode(letters(LONGEST)).decode()},
        SPACES,
        {"type": "Prepend", "prepend": "\u2581"},
    ],
}


@pytest.mark.parametrize("use", [loaded, inspect])
@pytest.mark.parametrize("steps", PUBLISHED.values(), ids=PUBLISHED)
def test_published_normalizers_are_no_harm(
    folder: Path, use: Callable[[Path], object], steps: list[dict[str, Any]]
) -> None:
    """They put some letters in place of one, and one before the text."""
    strip = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
    changed("tokenizer.json", normalizer={"type": "Sequence", "normalizers": steps})(folder)
    changed("tokenizer.json", decoder={"type": "Sequence", "decoders": [strip]})(folder)
    use(folder)


@pytest.mark.parametrize("use", [loaded, inspect])
def test_large_numbers_of_published_models_are_no_harm(folder: Path, use: Callable[[Path], object]) -> None:
    """Gemma 3n says where in its vocabulary sounds and pictures begin. No list is made of that."""
    parts = {"audio_config": {"vocab_offset": 262_272}, "vision_config": {"vocab_offset": 262_144}}
    changed("config.json", **parts)(folder)
    use(folder)


@pytest.mark.parametrize("use", [loaded, inspect])
def test_paths_of_the_machine_that_made_a_model_are_no_harm(folder: Path, use: Callable[[Path], object]) -> None:
    """Older libraries left them in a configuration. No library opens a folder or the tokenizer's own file there."""
    left = {"tokenizer_file": "/home/maker/tokenizer.json", "name_or_path": str(folder), "vocab_file": "vocab.json"}
    none = {"sp_model_kwargs": {}, "init_inputs": [], "fast_tokenizer_files": ["tokenizer.json"]}
    changed("tokenizer_config.json", **left, **none, model_max_length=10**30, added_tokens_decoder={})(folder)
    use(folder)
