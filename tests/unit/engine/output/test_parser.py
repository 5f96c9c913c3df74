"""The channel of every text in a reply, for the formats that models write, wherever their tokens divide the text."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from functools import cache
from pkgutil import iter_modules
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mlx_lm import tool_parsers
from mlx_lm.generate import TextStateMachine, make_text_state_machine
from mlx_lm.tokenizer_utils import NaiveStreamingDetokenizer, TokenizerWrapper

from engine.output.parser import ChannelText, OutputParser, divides_reasoning
from engine.protocol.messages import ToolCall
from tests.fakes.replies import ANALYSIS, HERMES, MOST_BYTES, OPEN_JSON, REPLIES, THINK, TOOLS, WEATHER, Reply, Speaker

FEW = settings(max_examples=settings().max_examples // 3)
"""For properties that are tried with each published format."""
LENGTHS = st.lists(st.integers(1, MOST_BYTES), max_size=200)
QWEN3 = REPLIES["qwen3"]
GPT_OSS = REPLIES["gpt-oss"]


@cache
def speaker(reply: Reply) -> Speaker:
    return Speaker(reply)


def like(model: Reply, raw: str, **changes: Any) -> tuple[Speaker, list[int]]:
    """A speaker of the same model, and the tokens of the reply `raw`."""
    made = speaker(Reply(raw, added=model.added, template=model.template, settings=model.settings, **changes))
    return made, made.encode(raw)


def follow(parser: OutputParser, tokens: Iterable[int]) -> list[ChannelText]:
    emitted = [piece for token in tokens for piece in parser.add(token)]
    return [*emitted, *parser.finish()]


def parsed(model: Reply, raw: str, **options: Any) -> tuple[OutputParser, list[ChannelText]]:
    """The parser of a whole reply `raw` of this model, and what it has emitted."""
    made, tokens = like(model, raw)
    parser = OutputParser(made.wrapper, **options)
    return parser, follow(parser, tokens)


def said(emitted: Sequence[ChannelText], channel: str) -> str:
    return "".join(piece.text for piece in emitted if piece.channel == channel)


def decoded(wrapper: Any, tokens: Iterable[int]) -> str:
    decoder = wrapper.detokenizer
    for token in tokens:
        decoder.add_token(token)
    decoder.finalize()
    text: str = decoder.text
    return text


@pytest.mark.parametrize("name", REPLIES)
@FEW
@given(lengths=LENGTHS)
def test_each_channel_gets_what_is_said_in_it(name: str, lengths: list[int]) -> None:
    """Answer, reasoning and calls of a published format are the same wherever its tokens divide it."""
    reply = REPLIES[name]
    model = speaker(reply)
    tokens = model.encode(reply.raw, lengths)
    parser = OutputParser(model.wrapper, header=reply.header, tools=TOOLS)
    emitted = follow(parser, tokens)
    assert (parser.answer, parser.reasoning, parser.tool_calls) == (reply.answer, reply.reasoning, reply.calls)
    assert (said(emitted, "answer"), said(emitted, "reasoning")) == (reply.answer, reply.reasoning)
    assert bool(said(emitted, "tool")) == bool(reply.calls)
    assert parser.raw == decoded(model.wrapper, tokens)
    assert not parser.stopped
    assert "\ufffd" not in "".join(piece.text for piece in emitted), "no part ends inside a character"


def test_an_incomplete_character_is_emitted_at_the_end() -> None:
    """Bytes that wait for others are emitted when nothing follows."""
    model = speaker(REPLIES["plain"])
    parser = OutputParser(model.wrapper)
    assert parser.add(model.encode("ü")[0]) == ()
    assert parser.finish() == (("answer", "\ufffd"),)


def test_every_parser_of_mlx_lm_is_among_them() -> None:
    """Every format from which mlx-lm parses calls is tested."""
    known = {module.name for module in iter_modules(tool_parsers.__path__)}
    assert known == {speaker(reply).wrapper.init_kwargs.get("tool_parser_type") for reply in REPLIES.values()} - {None}


@pytest.mark.parametrize(
    "name", [n for n in REPLIES if not n.startswith("gpt-oss") and n != "qwen3 that calls inside its reasoning"]
)
def test_channels_are_those_of_mlx_lms_server(name: str) -> None:
    """Except for newlines at its borders, each channel has the text that mlx-lm's state machine gives it."""
    reply = REPLIES[name]
    wrapper = speaker(reply).wrapper
    begin = wrapper.response_initial_state or ("reasoning" if reply.header else "normal")
    state, found = TextStateMachine.split(make_text_state_machine(wrapper).make_state(begin), reply.raw)
    _, rest, last = TextStateMachine.flush(state)
    texts = {"normal": "", "reasoning": ""}
    for channel, text in [*found, (last, rest)]:
        texts[channel] = texts.get(channel, "") + text
    assert texts["normal"].strip("\n") == reply.answer.strip("\n")
    assert texts["reasoning"].strip("\n") == reply.reasoning.strip("\n")
    assert ("tool" in texts) == bool(reply.calls)


@given(lengths=LENGTHS, name=st.sampled_from(["qwen3 that calls", "gpt-oss", "gemma 4", "plain"]))
def test_the_decoder_makes_no_difference(name: str, lengths: list[int]) -> None:
    """The channels are the same through the decoder that mlx-lm uses for unknown tokenizers."""
    reply = REPLIES[name]
    model = speaker(reply)
    known = model.wrapper
    naive = TokenizerWrapper(
        known._tokenizer,
        NaiveStreamingDetokenizer,
        tool_parser=known.tool_parser,
        tool_call_start=known.tool_call_start,
        tool_call_end=known.tool_call_end,
    )
    parser = OutputParser(naive)
    follow(parser, model.encode(reply.raw, lengths))
    assert (parser.answer, parser.reasoning, parser.tool_calls) == (reply.answer, reply.reasoning, reply.calls)


@pytest.mark.parametrize("name", REPLIES)
@FEW
@given(lengths=LENGTHS, data=st.data())
def test_a_continued_reply_emits_only_new_text(name: str, lengths: list[int], data: st.DataObject) -> None:
    """Continued from any token, a reply is in the channel where it stopped, repeats nothing, omits nothing, and parses
    a call that began before as a whole.
    """
    reply = REPLIES[name]
    model = speaker(reply)
    tokens = model.encode(reply.raw, lengths)
    cut = data.draw(st.integers(0, len(tokens)))
    before = OutputParser(model.wrapper, header=reply.header, tools=TOOLS)
    follow(before, tokens[:cut])
    after = OutputParser(model.wrapper, tokens[:cut], header=reply.header, tools=TOOLS)
    follow(after, tokens[cut:])
    assert before.tool_calls == reply.calls[: len(before.tool_calls)]
    assert after.tool_calls == reply.calls[len(reply.calls) - len(after.tool_calls) :]
    assert len(before.tool_calls) + len(after.tool_calls) >= len(reply.calls)
    assert reply.answer.endswith(after.answer)
    assert reply.reasoning.endswith(after.reasoning)
    assert _letters(before.answer + after.answer) >= _letters(reply.answer)
    assert _letters(before.reasoning + after.reasoning) >= _letters(reply.reasoning)
    assert before.raw.rstrip("\ufffd") + after.raw == decoded(model.wrapper, tokens)


@given(
    st.lists(st.sampled_from(["<tool", "_call>", "</tool_call>", "<", "\n", " ", "a", "{"]), max_size=12),
    st.integers(0, 60),
)
def test_nothing_is_emitted_twice(parts: list[str], cut: int) -> None:
    """Text held back when a reply stopped was emitted then. Continued, a text without a call adds up to itself."""
    raw = "a" + "".join(parts)
    hermes = REPLIES["hermes, no token for its tags"]
    model = speaker(Reply(raw, template=hermes.template))
    tokens = model.encode(raw)
    before, after = OutputParser(model.wrapper), OutputParser(model.wrapper, tokens[:cut])
    follow(before, tokens[:cut])
    follow(after, tokens[cut:])
    assert before.answer + after.answer == before.raw + after.raw == raw


def _letters(text: str) -> int:
    return len(text) - text.count("\n")


@given(
    st.lists(st.one_of(st.sampled_from(QWEN3.added), st.text("ABCD \n<", max_size=4)), max_size=25),
    st.sampled_from(["", THINK]),
)
def test_no_word_is_ever_lost(parts: list[str], header: str) -> None:
    """Whatever a model writes, including misplaced marks and broken calls, every word appears in some channel and
    nothing raises.
    """
    model = speaker(Reply("ABCD", added=QWEN3.added, template=QWEN3.template))
    raw = "".join(parts)
    emitted = follow(OutputParser(model.wrapper, header=header), model.encode(raw))
    kept = said(emitted, "answer") + said(emitted, "reasoning")
    assert sorted(filter(str.isupper, kept)) == sorted(filter(str.isupper, raw))


@given(st.lists(st.one_of(st.sampled_from(GPT_OSS.added), st.sampled_from(["to=", "a", " ", "final"])), max_size=25))
def test_broken_harmony_is_no_error(parts: list[str]) -> None:
    """Harmony's marks in any order raise nothing, and the ledger's text is complete."""
    model = speaker(Reply("x", added=GPT_OSS.added))
    tokens = model.encode("".join(parts))
    parser = OutputParser(model.wrapper)
    follow(parser, tokens)
    assert parser.raw == decoded(model.wrapper, tokens)


def test_text_is_held_back_only_while_it_may_be_a_mark() -> None:
    """Only the beginning of a possible mark is held back, until it cannot become one."""
    model, tokens = like(REPLIES["hermes, no token for its tags"], "a <tool b <t")
    parser = OutputParser(model.wrapper)
    texts = ["".join(piece.text for piece in parser.add(token)) for token in tokens]
    assert texts == ["a", "", " ", "", "", "", "", "", "<tool b", "", " ", ""]
    assert [piece.text for piece in parser.finish()] == ["<t"]


def test_a_mark_spelled_in_letters_is_text() -> None:
    """If a mark is a token of its own, its letters do not count: reasoning continues past a spelled end."""
    model = speaker(Reply("<think>It ends with </think>.", added=("<|x|>",), template=HERMES))
    made = speaker(Reply("It ends with </think>.", added=QWEN3.added, template=HERMES))
    spelled = made.spell("ends with </think>.")
    parser = OutputParser(made.wrapper, header=THINK)
    follow(parser, spelled)
    assert (parser.reasoning, parser.answer) == ("ends with </think>.", "")
    parser = OutputParser(model.wrapper)
    follow(parser, model.encode("<think>It ends with </think>."))
    assert parser.answer == "<think>It ends with </think>."


QUOTED = "Models write:\n```\n<think>\nhm\n</think>\n```\nLike this."
AGAIN = f"<think>A</think>\n<think>B</think>\nI look.\n{OPEN_JSON}<think>C</think>\nDone."
HALF = "Now:<tool_call>delete<arg_key>name</arg_key><arg_value>a"
LONG = json.dumps({"a": "b" * 9000})
CODE = "<|channel|>analysis to=python code<|message|>print(1)<|call|>"
ODD: dict[str, tuple[str, str, str, str, tuple[ToolCall, ...]]] = {
    "an answer that has begun may quote the mark of reasoning": ("qwen3", QUOTED, QUOTED, "", ()),
    "reasoning may begin again where no answer has": ("qwen3", AGAIN, "I look.\n\nDone.", "A\n\nB\n\nC", (WEATHER,)),
    "a call that the reasoning only mentions ends with it": (
        *("qwen3", "<think>I could use <tool_call> here.</think>\n\nYes.", "Yes.", "I could use <tool_call> here."),
        (),
    ),
    "half a call is none, even if mlx-lm's parser would accept it": ("glm 4.7", HALF, HALF, "", ()),
    "a long call in JSON is one": (
        *("qwen3", f'<tool_call>{{"name": "f", "arguments": {LONG}}}</tool_call>', "", ""),
        (ToolCall("f", LONG),),
    ),
    "a harmony call that is no JSON stays readable": (
        *("gpt-oss", f"{CODE}<|start|>assistant<|channel|>final<|message|>1", f"{CODE}\n\n1", ""),
        (),
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_what_is_misplaced_stays_where_the_user_sees_it(name: str) -> None:
    """mlx-lm's server would move the rest of an answer that quotes a mark to the reasoning."""
    model, raw, *expected = ODD[name]
    parser, _ = parsed(REPLIES[model], raw)
    assert [parser.answer, parser.reasoning, parser.tool_calls] == expected


@pytest.mark.parametrize(
    "broken",
    [
        '<tool_call>\n{"name": "get_weather", "argum\n</tool_call>',
        "<tool_call>7</tool_call>",
        '<tool_call>{"name": 7, "arguments": {}}</tool_call>',
        '<tool_call>{"name": "f", "arguments": [1]}</tool_call>',
        '<tool_call>{"name": "f", "arguments": {"a": NaN}}</tool_call>',
        '<tool_call>{"name": "f", "arguments": {"a": "\\ud800"}}</tool_call>',
        "<tool_call>" + "[" * 5000 + "</tool_call>",
        "<tool_call>and never an end",
    ],
    ids=range(8),
)
def test_an_unparsable_call_stays_in_the_answer(broken: str) -> None:
    """Text that looked like a call is part of the answer, letter by letter, with its marks."""
    raw = f"Look:\n{broken}\nWell."
    parser, emitted = parsed(QWEN3, raw)
    assert (parser.answer, parser.tool_calls) == (raw, ())
    assert broken.startswith(said(emitted, "tool")[:20])


def test_a_call_without_its_end_is_read_at_the_end() -> None:
    """A model that ends its turn instead of its call has made the call."""
    parser, emitted = parsed(QWEN3, OPEN_JSON.removesuffix("</tool_call>"))
    assert parser.tool_calls == (WEATHER,)
    assert said(emitted, "tool") == OPEN_JSON.removesuffix("</tool_call>")
    assert parser.answer == ""


@pytest.mark.parametrize(
    ("name", "mark", "body", "end"),
    [
        ("gemma 4", "<|tool_call>", "call:a{", "<tool_call|>"),
        ("glm 4.7", "<tool_call>", "f<arg_key>a</arg_key><arg_value>", "</tool_call>"),
        ("gpt-oss", "<|channel|>", " ", "a b"),
    ],
    ids=range(3),
)
def test_marks_in_the_wrong_places_hold_up_no_other_row(name: str, mark: str, body: str, end: str) -> None:
    """mlx-lm's parsers and the grammar of a header take time by powers of a text that fits neither."""
    raw = f"{mark}{body * 2000}{end}."
    model, tokens = like(REPLIES[name], raw)
    parser = OutputParser(model.wrapper)
    before = time.thread_time()
    follow(parser, tokens)
    assert time.thread_time() - before < 5
    assert (parser.answer, parser.tool_calls) == (raw, ())


@pytest.mark.parametrize("raw", ["Total", "to be", "tomorrow", " t", "Hello <|channel|> there", "<|end|> odd"])
def test_a_harmony_reply_without_headers_is_an_answer(raw: str) -> None:
    """A reply continued from plain text, or without its header, is emitted at once."""
    model, tokens = like(GPT_OSS, raw)
    parser = OutputParser(model.wrapper)
    follow(parser, tokens)
    assert parser.answer == decoded(model.wrapper, tokens)


def test_a_header_that_is_cut_off_is_no_answer() -> None:
    """An answer stopped inside a header does not show the header."""
    raw = "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>fin"
    parser, _ = parsed(GPT_OSS, raw)
    assert (parser.answer, parser.reasoning) == ("", "Hm.")
    model, tokens = like(GPT_OSS, raw)
    assert follow(OutputParser(model.wrapper), tokens[:3]) == []


TEXT = "Hm: 1, 2, 3\n\nand no more, 4."


@given(LENGTHS, st.lists(st.sampled_from(["\n\n", "1, 2", ", ", "4", "more, 4.", "x", "</think>"]), max_size=3))
def test_a_stop_sequence_ends_the_answer(lengths: list[int], stop: list[str]) -> None:
    """The answer ends before its first stop sequence. The reasoning ends nothing, and the ledger has everything."""
    raw = f"<think>\n1, 2\n\nx\n</think>\n\n{TEXT}"
    model, _ = like(QWEN3, raw)
    tokens = model.encode(raw, lengths)
    parser = OutputParser(model.wrapper, stop=stop)
    emitted = follow(parser, tokens)
    first = min((at for words in stop if (at := TEXT.find(words)) >= 0), default=None)
    assert said(emitted, "answer") == parser.answer == TEXT[:first]
    assert parser.stopped == (first is not None)
    assert said(emitted, "reasoning") == parser.reasoning == "1, 2\n\nx"
    assert parser.raw == raw


def test_a_stopped_reply_says_nothing_more() -> None:
    """After a stop sequence no channel gets more text, and no call is made."""
    parser, emitted = parsed(QWEN3, f"One END two{OPEN_JSON}", stop=["END"])
    assert [piece.text for piece in emitted] == list("One ")
    assert (parser.answer, parser.tool_calls) == ("One ", ())


@pytest.mark.parametrize(
    ("name", "tail", "opened"),
    [
        ("qwen3", "<|im_start|>assistant\n<think>\n", True),
        ("qwen3", "<|im_start|>assistant\n<think>\n\n</think>\n\n", False),
        ("qwen3", "<|im_start|>assistant\n", False),
        ("plain", "<|im_start|>assistant\n<think>\n", False),
        ("gpt-oss", ANALYSIS, True),
        ("gpt-oss", "<|start|>assistant", False),
        ("gemma 4", "<|turn>model\n<|channel>thought\n", True),
        ("gemma 4", "<|turn>model\n<|channel>thought\n<channel|>", False),
    ],
)
def test_a_prompt_tells_where_its_reply_begins(name: str, tail: str, *, opened: bool) -> None:
    """The reply begins in the reasoning if the prompt opened it and did not close it."""
    parser, _ = parsed(REPLIES[name], "Hm", header=tail)
    assert (parser.reasoning if opened else parser.answer) == "Hm"


@pytest.mark.parametrize(
    ("added", "divided"),
    [(QWEN3.added, True), ((), False), (GPT_OSS.added, True), (("<|channel>", "<channel|>"), True)],
)
def test_which_models_divide_their_reasoning(added: tuple[str, ...], *, divided: bool) -> None:
    """Those with marks for it in their vocabulary. (Whether the chat template supports it, its probe finds out.)"""
    assert divides_reasoning(speaker(Reply("x", added=added, template="{{ '<think>' }}")).wrapper) is divided
