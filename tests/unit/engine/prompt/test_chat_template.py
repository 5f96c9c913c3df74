from __future__ import annotations

from typing import Any

import jinja2
import pytest

from engine.prompt.chat_template import ChatTemplate
from engine.protocol.errors import ChatTemplateUnusable, NoChatTemplate, PromptRefused
from engine.protocol.messages import ChatMessage, ToolCall, Warm
from tests.fakes.chat_tokenizers import ENDS, model
from tests.fakes.tiny_models import CHATML

SYSTEM = ChatMessage("system", "Be brief.")
HELLO = ChatMessage("user", "Hello.")
HI = ChatMessage("assistant", "Hi!")
STRICT = "{% for m in messages %}{% if m.role == 'tool' %}{{ raise_exception('no tools here') }}{% endif %}{% endfor %}"


def asked(*messages: ChatMessage) -> Warm:
    return Warm("c", messages)


class Jinja:
    """The part of a tokenizer that renders."""

    def __init__(self, template: str) -> None:
        self.chat_template = template

    def apply_chat_template(self, conversation: list[dict[str, str]], **options: Any) -> str:
        def refuse(message: str) -> None:
            raise jinja2.TemplateError(message)

        environment = jinja2.Environment(autoescape=False)  # noqa: S701 # prompts are no HTML
        template = environment.from_string(self.chat_template)
        return template.render(messages=conversation, raise_exception=refuse, **options)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("{% for", ""),
        ("{{ messages[5].content.strip() }}", ""),
        ("{% macro again() %}{{ again() }}{% endmacro %}{{ again() }}", ""),
        ("{{ raise_exception('Only a system prompt will do.') }}", ": Only a system prompt will do"),
    ],
)
def test_a_template_that_refuses_one_message_is_unusable(source: str, why: str) -> None:
    """No chat could begin, so the inspection and the load say it before the user writes."""
    with pytest.raises(ChatTemplateUnusable) as refusal:
        ChatTemplate(Jinja(source))
    assert str(refusal.value) == f"Its chat template refuses even a single message{why}."


def test_a_template_that_refuses_other_conversations_is_usable() -> None:
    """Many templates take roles only in their order."""
    picky = "{% if messages|length > 1 %}{{ raise_exception('one message') }}{% endif %}{{ messages[0].content }}"
    assert ChatTemplate(Jinja(picky)).render(asked(HELLO)).text == HELLO.content


def test_positions_are_the_ends_of_turns() -> None:
    """The user's turn ends before the assistant's header, and the reply starts after it."""
    rendered = ChatTemplate(Jinja(CHATML)).render(asked(SYSTEM, HELLO))
    assert rendered.text[: rendered.turn_chars].endswith("Hello.<|im_end|>\n")
    assert rendered.text[rendered.turn_chars :] == "<|im_start|>assistant\n"
    assert rendered.start_chars == len(rendered.text)
    assert rendered.text[: rendered.system_chars].endswith("Be brief.<|im_end|>")


@pytest.mark.parametrize("messages", [[], [SYSTEM], [HI]])
def test_a_prompt_without_a_question_is_refused(messages: list[ChatMessage]) -> None:
    """A prompt always answers a user."""
    with pytest.raises(PromptRefused):
        ChatTemplate(Jinja(CHATML)).render(asked(*messages))


def test_a_refusal_quotes_the_template() -> None:
    """The reason is the template's own. No exception of a library reaches the loop."""
    with pytest.raises(PromptRefused, match="no tools here"):
        ChatTemplate(Jinja(STRICT)).render(asked(HELLO, HI, ChatMessage("tool", "4")))


def test_a_template_without_a_system_role_gets_it_with_the_first_message() -> None:
    """A system prompt is never lost: if its role is refused, it precedes the first user message."""
    text = model("gemma2").template.render(asked(SYSTEM, HELLO, HI, HELLO)).text
    assert text.count("Be brief.") == 1
    assert "<start_of_turn>user\nBe brief.\n\nHello.<end_of_turn>" in text
    with pytest.raises(PromptRefused, match="system prompt"):
        model("gemma2").template.text([SYSTEM], asking=True)


def test_the_probe_finds_what_each_template_does() -> None:
    """The behaviour of each family is measured, not looked up by name."""
    found = {name: model(name).template.probe for name in ENDS}
    assert {name: (c.history, c.plain) for name, c in found.items()} == {
        "chatml": ("kept", "kept"),
        "qwen3": ("stripped", "stripped"),
        "qwen3_5": ("stripped", "stripped"),
        "llama3": ("kept", "kept"),
        "gemma2": ("kept", "kept"),
        "gemma3": ("kept", "kept"),
        "gpt_oss": ("rewritten", "rewritten"),
        "falcon_h1": ("kept", "kept"),
        "lfm2": ("rewritten", "kept"),
        "mistral_first": ("kept", "kept"),
        "mistral_last": ("rewritten", "rewritten"),
        "deepseek_v32": ("stripped", "kept"),
    }
    trait = {t: {n for n, c in found.items() if getattr(c, t)} for t in ("thinks", "trims", "tools")}
    assert trait == {
        "thinks": {"qwen3", "qwen3_5", "gpt_oss", "lfm2", "deepseek_v32"},
        "trims": {"qwen3_5", "llama3", "gemma2", "gemma3", "mistral_first", "mistral_last"},
        "tools": {"qwen3", "qwen3_5", "llama3", "gpt_oss", "falcon_h1", "deepseek_v32"},
    }


def test_a_call_keeps_what_its_template_accepts() -> None:
    """Some templates refuse a call with both content and reasoning. Then the content is kept."""
    call = ChatMessage("assistant", "I look.", reasoning="Hm.", tool_calls=(ToolCall("find", '{"b": 1, "a": "ü"}'),))
    text = model("gpt_oss").template.text([HELLO, call, ChatMessage("tool", "here")], asking=True)
    assert "I look." in text
    assert '{"b": 1, "a": "ü"}' in text, "arguments keep their order and their letters"


def test_the_day_is_formatted_by_the_template() -> None:
    """Templates that ask for the time get the conversation's day. Other templates are not changed."""
    text = model("gpt_oss").template.text([HELLO], asking=True, day="2001-02-03")
    assert "Current date: 2001-02-03\n" in text
    assert text.startswith("<|start|>system"), "what tells the day leaves no trace"


def test_a_model_without_a_template_is_refused() -> None:
    """It cannot hold a conversation."""
    with pytest.raises(NoChatTemplate):
        ChatTemplate(Jinja(""))


def test_a_template_of_plain_words_finds_the_last_word_of_a_long_text() -> None:
    """Without control tokens the last word is what a cut must spare. A picture in Base64 held the engine up for
    minutes: its end was looked for from each of its letters.
    """
    plain = ChatTemplate(Jinja("{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"))
    long = ChatMessage("system", "a" * 100_000 + " " * 100_000 + "b c")
    text, end = plain._measure_beginning((long, HELLO), thinking=False, tools="", day="")
    assert (text[:end], text[end:]) == (f"system: {long.content}\nuser: Hello.", "\nuser: ")
