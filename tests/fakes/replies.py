"""Replies as published models write them, and a tokenizer for each: byte-level, with the model's own special tokens.

Its vocabulary also holds every run of up to four bytes of the reply, so that a test can choose the boundaries of the
ordinary tokens, even within a character.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mlx_lm.tokenizer_utils import load
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from engine.protocol.messages import ToolCall

MOST_BYTES = 4
"""The longest ordinary token."""

END = "<|im_end|>"
THINK, ANALYSIS = "<think>\n", "<|start|>assistant<|channel|>analysis<|message|>"
WEATHER = ToolCall("get_weather", '{"city": "Zürich"}')
OPEN_JSON = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Zürich"}}\n</tool_call>'
HERMES = '{{ "<tool_call>" }}{{ tool_call.name }} thinking'
TOOLS: list[dict[str, Any]] = [
    {
        "type": "function",
        "function": {
            "name": "add",
            "parameters": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "number"}}},
        },
    }
]


@dataclass(frozen=True)
class Reply:
    """The text that a model writes, and its parts by channel.

    `added` are its special tokens. `template` has the words of its chat template by which mlx-lm recognises its tools.
    `settings` are further settings that mlx-lm reads from a model. `header` is the end of a prompt that opens the
    reasoning.
    """

    raw: str
    answer: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    added: tuple[str, ...] = ()
    template: str = ""
    header: str = ""
    settings: tuple[tuple[str, str], ...] = ()


_QWEN = ("<think>", "</think>", "<tool_call>", "</tool_call>")
_HARMONY = (
    *("<|start|>", "<|channel|>", "<|message|>", "<|end|>"),
    *("<|constrain|>", "<|call|>", "<|return|>"),
)
_XTML = ("<|open|>", "<|close|>", "<|sep|>", "<|end_of_msg|>")
_CODER = "{{ '<tool_call>\\n<function=' }}"

REPLIES = {
    "plain": Reply("Ein Gruß 🔥 aus Zürich.\n", "Ein Gruß 🔥 aus Zürich.\n"),
    "qwen3": Reply("<think>\nHm, 你好.\n</think>\n\nHallo 🔥!", "Hallo 🔥!", "Hm, 你好.", (), _QWEN, HERMES),
    "qwen3, opened by the prompt": Reply("Hm.\n</think>\n\nHallo!", "Hallo!", "Hm.", (), _QWEN, HERMES, THINK),
    "qwen3 that calls": Reply(
        f"<think>\nWeather.\n</think>\n\nLet me see.\n{OPEN_JSON}\n{OPEN_JSON}",
        "Let me see.",
        "Weather.",
        (WEATHER, WEATHER),
        _QWEN,
        HERMES,
    ),
    "qwen3 that calls inside its reasoning": Reply(
        f"<think>\nI call\n{OPEN_JSON}\nand think on.</think>Done.",
        "Done.",
        "I call\n\nand think on.",
        (WEATHER,),
        _QWEN,
        HERMES,
    ),
    "hermes, no token for its tags": Reply(f"So:\n{OPEN_JSON}\nThere.", "So:\n\nThere.", "", (WEATHER,), (), HERMES),
    "qwen3-coder": Reply(
        "I add.\n<tool_call>\n<function=add>\n<parameter=a>\n2\n</parameter>\n<parameter=b>\n0.5\n</parameter>\n"
        "</function>\n</tool_call>",
        "I add.",
        "",
        (ToolCall("add", '{"a": 2, "b": 0.5}'),),
        _QWEN[2:],
        _CODER,
    ),
    "gpt-oss": Reply(
        "<|channel|>analysis<|message|>User greets.<|end|><|start|>assistant<|channel|>final<|message|>Hi 🔥 there.",
        "Hi 🔥 there.",
        "User greets.",
        (),
        _HARMONY,
    ),
    "gpt-oss that calls": Reply(
        "<|channel|>analysis<|message|>Need it.<|end|><|start|>assistant<|channel|>commentary<|message|>I look.<|end|>"
        "<|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>"
        '{"city": "Zürich"}<|call|>',
        "I look.",
        "Need it.",
        (WEATHER,),
        _HARMONY,
    ),
    "gpt-oss that calls by its role": Reply(
        ' to=functions.get_weather<|channel|>commentary json<|message|>{"city":"Zürich"}',
        "",
        "",
        (WEATHER,),
        _HARMONY,
    ),
    "gpt-oss in several messages": Reply(
        "<|channel|>analysis<|message|>One.<|end|><|start|>assistant<|channel|>analysis<|message|>Two.<|end|>"
        "<|start|>assistant<|channel|>commentary<|message|>Three.<|end|>"
        "<|start|>assistant<|channel|>final<|message|>Four.",
        "Three.\n\nFour.",
        "One.\n\nTwo.",
        (),
        _HARMONY,
    ),
    "gpt-oss without a header": Reply("totally plain", "totally plain", "", (), _HARMONY),
    "gpt-oss, opened by the prompt": Reply(
        "Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.", "Yes.", "Hm.", (), _HARMONY, header=ANALYSIS
    ),
    "mistral, a list": Reply(
        '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Zürich"}}]',
        "",
        "",
        (WEATHER,),
        ("[TOOL_CALLS]", "[ARGS]"),
        "[TOOL_CALLS]",
    ),
    "mistral, two headers": Reply(
        'Yes.[TOOL_CALLS]get_weather[ARGS]{"city": "Zürich"}[TOOL_CALLS]add[ARGS]{"a": 1}',
        "Yes.",
        "",
        (WEATHER, ToolCall("add", '{"a": 1}')),
        ("[TOOL_CALLS]", "[ARGS]"),
        "[TOOL_CALLS]",
    ),
    "llama 3, which marks nothing": Reply(
        '{"name": "get_weather", "parameters": {"city": "Zürich"}}',
        '{"name": "get_weather", "parameters": {"city": "Zürich"}}',
    ),
    "lfm2": Reply(
        '<|tool_call_start|>[get_weather(city="Zürich"), add(a=1, b=2)]<|tool_call_end|>I look.',
        "I look.",
        "",
        (WEATHER, ToolCall("add", '{"a": 1, "b": 2}')),
        ("<|tool_call_start|>", "<|tool_call_end|>"),
    ),
    "gemma 4": Reply(
        '<|channel>thought\nHm.\n<channel|>Yes: <|tool_call>call:get_weather{city:<|"|>Zürich<|"|>}<tool_call|>',
        "Yes: ",
        "Hm.",
        (WEATHER,),
        ("<|channel>", "<channel|>", "<|tool_call>", "<tool_call|>", '<|"|>'),
        "<|tool_call><tool_call|>",
    ),
    "function gemma": Reply(
        "<start_function_call>call:get_weather{city:<escape>Zürich<escape>}<end_function_call>",
        "",
        "",
        (WEATHER,),
        ("<start_function_call>", "<end_function_call>", "<escape>"),
        "<start_function_call>",
    ),
    "glm 4.7": Reply(
        "<think>Hm.</think>\nI look.<tool_call>get_weather<arg_key>city</arg_key><arg_value>Zürich</arg_value>"
        "</tool_call>",
        "I look.",
        "Hm.",
        (WEATHER,),
        (*_QWEN, "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>"),
        "<arg_key>",
    ),
    "laguna": Reply(
        "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Zürich</arg_value></tool_call>",
        "",
        "",
        (WEATHER,),
        _QWEN,
        settings=(("tool_parser_type", "laguna"),),
    ),
    "longcat": Reply(
        "<longcat_think>Hm.</longcat_think><longcat_tool_call>get_weather\n<longcat_arg_key>city</longcat_arg_key>\n"
        "<longcat_arg_value>Zürich</longcat_arg_value>\n</longcat_tool_call>",
        "",
        "Hm.",
        (WEATHER,),
        ("<longcat_think>", "</longcat_think>", "<longcat_tool_call>", "</longcat_tool_call>"),
        "<longcat_tool_call>",
    ),
    "minimax m2": Reply(
        'Hm.</think>\n\nI look.\n<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Zürich'
        '</parameter>\n</invoke>\n<invoke name="add">\n<parameter name="a">1</parameter>\n</invoke>\n'
        "</minimax:tool_call>",
        "I look.",
        "Hm.",
        (WEATHER, ToolCall("add", '{"a": 1}')),
        ("<think>", "</think>", "<minimax:tool_call>", "</minimax:tool_call>"),
        "<minimax:tool_call>",
        THINK,
    ),
    "no token for thinking": Reply("<think>Hm.</think>Yes.", "<think>Hm.</think>Yes."),
    "minicpm 5": Reply(
        '<function name="get_weather"><param name="city">Zürich</param></function>',
        "",
        "",
        (WEATHER,),
        (),
        '<function name="<param name="',
    ),
    "kimi k2": Reply(
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>"
        '{"city": "Zürich"}<|tool_call_end|><|tool_calls_section_end|>',
        "",
        "",
        (WEATHER,),
        (
            *("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"),
            *("<|tool_call_begin|>", "<|tool_call_end|>", "<|tool_call_argument_begin|>"),
        ),
        "<|tool_calls_section_begin|>",
    ),
    "kimi k3": Reply(
        "<|open|>think<|sep|>Hm.<|close|>think<|sep|><|open|>response<|sep|>I look.<|close|>response<|sep|>"
        '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|>'
        '<|open|>argument key="city" type="string"<|sep|>Zürich<|close|>argument<|sep|><|close|>call<|sep|>'
        "<|close|>tools<|sep|><|close|>message<|sep|>",
        "I look.",
        "Hm.",
        (WEATHER,),
        _XTML,
    ),
    "muse spark": Reply(
        " to=self<|message|>Hm.<|eom|><|header_start|>assistant to=user<|message|>I look.<|eom|>"
        '<|header_start|>assistant<atem:function_calls><atem:invoke name="get_weather">'
        '<atem:parameter name="city">Zürich</atem:parameter></atem:invoke></atem:function_calls>',
        "I look.",
        "Hm.",
        (WEATHER,),
        ("<|message|>", "<|eom|>", "<|eot|>", "<|header_start|>"),
        "<atem:function_calls>",
        settings=(("chat_template_type", "muse_spark"),),
    ),
}


class Speaker:
    """The tokenizer of a model that writes `reply`, as mlx-lm loads it."""

    def __init__(self, reply: Reply) -> None:
        self._bytes = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
        runs = {run for text in self._ordinary(reply) for run in _runs(self._spelled(text))} - set(alphabet)
        tokenizer = Tokenizer(models.BPE(vocab={t: i for i, t in enumerate([*alphabet, *sorted(runs)])}, merges=[]))
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        tokenizer.add_special_tokens([END, *reply.added])
        settings = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": END, "chat_template": reply.template}
        with TemporaryDirectory() as place:
            folder = Path(place)
            tokenizer.save(str(folder / "tokenizer.json"))
            (folder / "tokenizer_config.json").write_text(json.dumps(settings))
            self.wrapper: Any = load(folder, defaults=dict(reply.settings))
        self._ids: dict[str, int] = self.wrapper.get_vocab()
        self._added = reply.added

    def encode(self, text: str, lengths: Sequence[int] = ()) -> list[int]:
        """`text` in tokens: special tokens are whole, the others have `lengths` bytes in turn, then one each."""
        ids: list[int] = []
        wanted = iter(lengths)
        for part in _parts(text, self._added):
            if part in self._added:
                ids.append(self._ids[part])
            else:
                ids += [self._ids[run] for run in _cut(self._spelled(part), wanted)]
        return ids

    @staticmethod
    def _ordinary(reply: Reply) -> list[str]:
        return [part for part in _parts(reply.raw, reply.added) if part not in reply.added]

    def spell(self, text: str) -> list[int]:
        """`text` in tokens of one byte each, also where it spells a special token."""
        return [self._ids[letter] for letter in self._spelled(text)]

    def _spelled(self, text: str) -> str:
        """One letter per byte."""
        return "".join(piece for piece, _ in self._bytes.pre_tokenize_str(text))


def _parts(text: str, added: Sequence[str]) -> list[str]:
    parts = [text]
    for token in sorted(added, key=len, reverse=True):
        parts = [new for part in parts for new in ([part] if part in added else _around(part, token))]
    return [part for part in parts if part]


def _around(text: str, token: str) -> list[str]:
    first, *rest = text.split(token)
    return [first, *(part for after in rest for part in (token, after))]


def _runs(text: str) -> set[str]:
    return {text[at : at + n] for at in range(len(text)) for n in range(1, MOST_BYTES + 1)}


def _cut(text: str, lengths: Any) -> list[str]:
    borders = [0]
    while borders[-1] < len(text):
        borders.append(borders[-1] + next(lengths, 1))
    return [text[a:b] for a, b in pairwise(borders)]
