"""What a model is made for, in a sentence."""

from __future__ import annotations

import pytest
from msgspec import structs

from app.models.purpose import purpose, told_tags
from tests.unit.app.models.test_facts import HYBRID

PLAIN = structs.replace(HYBRID, thinks=False, tool_format="")


@pytest.mark.parametrize(
    ("tags", "languages", "said"),
    [
        (
            ("mlx", "conversational", "code"),
            ["en", "de", "fr"],
            "Made for chat and code, in English and 2 other languages.",
        ),
        (("chat",), "en", "Made for chat, in English."),
        (("chat",), ["zh"], "Made for chat."),
        (("chat",), ["en", "zh"], "Made for chat, in English and 1 other language."),
        (("chat", "math", "reasoning"), None, "Made for chat, mathematics and reasoning."),
        (("mlx", "safetensors"), ["en"], ""),
        ((), ["no such code", 7, "DE"], ""),
    ],
)
def test_the_tags_of_a_card_say_what_the_model_is_made_for(tags: tuple[str, ...], languages: object, said: str) -> None:
    """Those that Hearth has words for. Nothing else of a card gets into the sentence, and without one there is none."""
    assert purpose(told_tags(tags, languages), PLAIN) == said


def test_the_chat_template_says_what_else_the_model_can() -> None:
    """A model without a card has a template, which tells of reasoning and of tools."""
    assert purpose((), HYBRID) == "Made for reasoning and tool use."
    assert purpose(("chat",), HYBRID) == "Made for chat, reasoning and tool use."
    assert purpose((), None) == ""


@pytest.mark.usefixtures("german")
def test_the_users_language_is_named() -> None:
    """If the model speaks it: it decides more than the others do."""
    tags = told_tags(("chat", "code"), ["en", "de", "fr"])
    assert purpose(tags, PLAIN) == "Gemacht für Chats und Programmieren, auf Deutsch und in 2 weiteren Sprachen."
    assert purpose(told_tags(("chat",), ["en"]), PLAIN) == "Gemacht für Chats, auf Englisch."
