from __future__ import annotations

from typing import Any

import jinja2
import pytest

from engine.errors import NoChatTemplate, PromptRefused
from engine.protocol import ChatMessage
from engine.template import ChatTemplate
from tests.fakes.tiny_models import CHATML

SYSTEM = ChatMessage("system", "Be brief.")
HELLO = ChatMessage("user", "Hello.")
HI = ChatMessage("assistant", "Hi!")
STRICT = "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}{% endfor %}"


class Jinja:
    """As much of a tokenizer as renders."""

    def __init__(self, template: str) -> None:
        self.chat_template = template

    def apply_chat_template(self, conversation: list[dict[str, str]], **options: Any) -> str:
        def refuse(message: str) -> None:
            raise jinja2.TemplateError(message)

        environment = jinja2.Environment(autoescape=False)  # noqa: S701 # prompts are no HTML
        template = environment.from_string(self.chat_template)
        return template.render(messages=conversation, raise_exception=refuse, **options)


def test_positions_are_the_ends_of_turns() -> None:
    """The user's turn ends before the assistant's header, and the reply starts after it."""
    rendered = ChatTemplate(Jinja(CHATML)).render([SYSTEM, HELLO])
    assert rendered.text[: rendered.turn_chars].endswith("Hello.<|im_end|>\n")
    assert rendered.text[rendered.turn_chars :] == "<|im_start|>assistant\n"
    assert rendered.start_chars == len(rendered.text)
    assert rendered.text[: rendered.system_chars].endswith("Be brief.<|im_end|>\n<|im_start|>user\n")


def test_a_reply_to_be_continued_is_part_of_the_prompt() -> None:
    """Continue: the header stands before what is there, and nothing closes it."""
    rendered = ChatTemplate(Jinja(CHATML)).render([HELLO, ChatMessage("assistant", "Hi th")])
    assert rendered.text[rendered.start_chars :] == "Hi th"
    assert rendered.text[: rendered.start_chars].endswith("<|im_start|>assistant\n")


def test_the_history_is_what_the_next_prompt_begins_with() -> None:
    """A conversation is warmed as exactly the text that will be asked for."""
    template = ChatTemplate(Jinja(CHATML))
    history = template.render_history([SYSTEM, HELLO, HI]).text
    assert template.render([SYSTEM, HELLO, HI, HELLO]).text.startswith(history)


@pytest.mark.parametrize("messages", [[], [SYSTEM], [HI]])
def test_nothing_to_answer_is_refused(messages: list[ChatMessage]) -> None:
    """A prompt always answers a user."""
    with pytest.raises(PromptRefused):
        ChatTemplate(Jinja(CHATML)).render(messages)


def test_what_the_template_refuses_is_said_in_its_words() -> None:
    """The reason is the template's own; no exception of a foreign library reaches the loop."""
    with pytest.raises(PromptRefused, match="no system"):
        ChatTemplate(Jinja(STRICT)).render([SYSTEM, HELLO])


def test_a_model_without_a_template_is_refused() -> None:
    """It cannot hold a conversation."""
    with pytest.raises(NoChatTemplate):
        ChatTemplate(Jinja(""))
