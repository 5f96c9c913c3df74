"""The shipped model: its size, that it loads without torch, reads any text and remembers; and what its measures see."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlx_lm import load
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from resources import DEMO_MODEL
from resources.demo_training.architecture import CONFIG
from resources.demo_training.corpus import row
from resources.demo_training.dialogue import Dialogue
from resources.demo_training.vocabulary import END, PAD
from resources.demo_training.words import Split
from tests.fakes.demo_talk import Talk, repeats_itself

TOKENIZER = Tokenizer.from_file(str(DEMO_MODEL / "tokenizer.json"))


@pytest.fixture(scope="module")
def loaded() -> tuple[Any, Any]:
    """Model and tokenizer as plain mlx-lm loads them."""
    model, tokenizer = load(str(DEMO_MODEL))[:2]
    return model, tokenizer


def test_fits_its_box() -> None:
    """The shipped folder takes at most 12 MB."""
    assert sum(file.stat().st_size for file in DEMO_MODEL.iterdir()) <= 12_000_000


def test_everything_but_the_packed_numbers_is_float32() -> None:
    """MLX computes in float32 on every machine, because all other weights are float32."""
    kinds = {value.dtype for value in load_file(DEMO_MODEL / "model.safetensors").values()}
    assert kinds == {np.dtype("float32"), np.dtype("uint32")}


def test_config_names_the_tokenizer_s_marks() -> None:
    """The special tokens in the config, which a fresh training takes over, are those of the tokenizer."""
    assert CONFIG["eos_token_id"] == CONFIG["text_config"]["eos_token_id"] == TOKENIZER.token_to_id(END)
    assert CONFIG["pad_token_id"] == CONFIG["text_config"]["pad_token_id"] == TOKENIZER.token_to_id(PAD)


@given(st.text())
def test_any_text_survives_the_tokenizer(text: str) -> None:
    """Decoding returns every text unchanged."""
    assert TOKENIZER.decode(TOKENIZER.encode(text).ids, skip_special_tokens=False) == text


def test_digits_stand_alone() -> None:
    """A number is tokenized digit by digit."""
    assert TOKENIZER.encode("1984").tokens == ["1", "9", "8", "4"]


@given(reply=st.text(min_size=1))
def test_history_form_of_a_reply_is_what_was_generated(loaded: tuple[Any, Any], reply: str) -> None:
    """In the history, a reply is the generation prompt, the unchanged reply, the end mark and a newline."""
    tokenizer = loaded[1]
    asked = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": " hi\n"}]
    prompt = tokenizer.apply_chat_template(asked, tokenize=False, add_generation_prompt=True)
    history = tokenizer.apply_chat_template([*asked, {"role": "assistant", "content": reply}], tokenize=False)
    assert prompt.endswith("<|im_start|>assistant\n")
    assert history == f"{prompt}{reply}{END}\n"


def test_training_rows_follow_the_chat_template(loaded: tuple[Any, Any]) -> None:
    """A training row is the beginning of a rendered conversation."""
    ids, weights = row(TOKENIZER, Dialogue("test 1", Split.TRAIN), 512)
    text = TOKENIZER.decode(ids[:200].tolist(), skip_special_tokens=False)
    assert text.startswith(("<|im_start|>user\n", "<|im_start|>system\n"))
    ends = ids == TOKENIZER.token_to_id(END)
    assert loaded[1].eos_token_id == TOKENIZER.token_to_id(END)
    assert (weights[ends] == 1.0).any()


def test_loads_without_torch(loaded: tuple[Any, Any]) -> None:
    """Plain mlx-lm loads the folder without importing torch."""
    assert loaded[0].args.model_type == "qwen3_5"
    assert "torch" not in sys.modules


def test_remembers_across_turns(loaded: tuple[Any, Any]) -> None:
    """The model remembers a held-out code word after another turn."""
    talk = Talk(*loaded)
    talk.hear_turn("My code word is zorbikan. Please remember it.", "I will remember that your code word is zorbikan.")
    talk.hear_turn("what is 3 + 4?", "3 + 4 = 7.")
    assert "zorbikan" in talk.ask("what was my code word?")


def test_a_branch_leaves_its_trunk_alone(loaded: tuple[Any, Any]) -> None:
    """A question asked in a branch does not change the conversation that it branched from."""
    trunk, straight = Talk(*loaded), Talk(*loaded)
    for talk in (trunk, straight):
        talk.hear_turn("my name is Ada", "Nice to meet you, Ada!")
    branch = trunk.branch()
    branch.hear_turn("my name is Otto now", "Okay, I have changed it: your name is Otto.")
    assert branch.length > trunk.length
    assert trunk.ask("what is my name?") == straight.ask("what is my name?")


@pytest.mark.parametrize(
    "reply",
    [
        "so it is, so it is, so it is, so it is, ",
        "The cat sat on it. So it was. The cat sat on it. But then. The cat sat on it.",
    ],
)
def test_repetition_is_found(reply: str) -> None:
    """A reply repeats itself if a piece occurs four times in succession, or a sentence three times."""
    assert repeats_itself(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "Your name is Ada.",
        "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14.",
        "Your number is 222222.",
        "| Animal | Sound |\n| --- | --- |\n| cat | meows |",
    ],
)
def test_sound_reply_does_not_repeat_itself(reply: str) -> None:
    """Neither a number, nor counting, nor a table is a repetition."""
    assert not repeats_itself(reply)
