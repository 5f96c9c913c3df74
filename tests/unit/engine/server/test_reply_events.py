"""The events of a reply, through the real server: channels, stop sequences, penalties, alone and beside other rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from tokenizers import Tokenizer

from engine.protocol.messages import Deltas, ModelLoaded, ReplyChannel
from tests.fakes import tiny_models
from tests.fakes.chat_tokenizers import TEMPLATES
from tests.fakes.engine_life import GREEDY, Chat, Engine


def channels(life: Engine, request: str) -> set[ReplyChannel]:
    return {row.channel for e in life.heard(Deltas) for row in e.rows if row.request == request}


def test_reasoning_and_answers_have_channels_of_their_own_in_one_batch(tmp_path: Path) -> None:
    """One chat thinks while its neighbour answers. The model reports that it thinks when it is loaded: it has the tags
    of reasoning in its vocabulary, and a template that opens it.
    """
    thinker = tiny_models.build(tmp_path / "thinker", "llama", vocab_size=264)
    tokenizer = Tokenizer.from_file(str(thinker / "tokenizer.json"))
    tokenizer.add_special_tokens(["<think>", "</think>"])
    tokenizer.save(str(thinker / "tokenizer.json"))
    tiny_models.let_write(thinker, (TEMPLATES / "qwen3_5.jinja").read_text())
    thinking = replace(Chat("a").ask("Hello."), thinking=True)
    life = Engine(tmp_path, thinker).live(thinking, Chat("b").ask("Hello."), stores=2)
    assert channels(life, "a1") == {"reasoning"}
    assert channels(life, "b1") == {"answer"}
    assert [e.thinks for e in life.heard(ModelLoaded)] == [True]


@pytest.mark.parametrize(
    ("family", "beside"),
    [("qwen3_5", ""), ("qwen3_5", "bc"), ("falcon_h1", ""), ("mamba", "")],
    ids=["alone", "beside others", "falcon_h1", "mamba"],
)
def test_an_answer_ends_before_its_stop_sequence(tmp_path: Path, family: str, beside: str) -> None:
    """No part of the stop sequence is shown, alone or beside other rows. The tokens of the cut answer are not those of
    its text, so the next turn starts from its question, however short that is, and is right.
    """
    folder = tiny_models.build(tmp_path / "model", family)
    chat, life = Chat("a"), Engine(tmp_path, folder)
    ask = chat.ask("Hi.")
    whole = life.cold(ask)
    stop = whole[4:6]
    stopped = replace(ask, sampling=replace(GREEDY, stop=(stop, "never said")))
    life.live(stopped, *(Chat(name).ask(f"I am {name}.") for name in beside))
    assert life.text("a1") == whole[: whole.index(stop)]
    assert life.finished("a1").reason == "stop"
    asked = life.usage("a1").prompt_tokens
    following = chat.then(life, "And?")
    warm = Engine(tmp_path, folder).live(following)
    assert asked - len("<assistant\n") <= warm.usage("a2").cached_tokens <= asked
    assert warm.text("a2") == warm.cold(following)
