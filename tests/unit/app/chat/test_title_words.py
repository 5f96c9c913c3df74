"""Which answers of a model are titles."""

from __future__ import annotations

from pathlib import Path

import pytest
from mlx_lm import generate, load

import resources
from app.chat.titles import SAMPLE, request, title_from_answer

QUESTION = "Why is the prefix cache shared between my tabs?"
ANSWER = "Both requests join the same batch, so the blocks are pinned."


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("Shared prefix cache", "Shared prefix cache"),
        ("“Shared Prefix Cache.”", "Shared Prefix Cache"),
        ("**Title: Shared prefix cache**\n", "Shared prefix cache"),
        ("\n\n# Prefix   cache\n", "Prefix cache"),
        ("Batches", "Batches"),
        ("Sharing a Cache", "Sharing a Cache"),
        ("Cache Design Questions", "Cache Design Questions"),
    ],
)
def test_a_title_is_taken_without_its_wrapping(said: str, title: str) -> None:
    """Quotation marks, Markdown and a word before it are not part of it."""
    assert title_from_answer(said, QUESTION, ANSWER) == title


@pytest.mark.parametrize(
    "said",
    [
        *("", "  \n ", "...", "Hi! What can I do for you?", "I cannot help with that cache.", "Sorry, no prefix"),
        "Why is the prefix cache shared between tabs",
        *("Cooking with garlic", "Question of the prefix of Paris, France"),
        *("Prefix cache,", "Shared prefix cache:", "The prefix cache…", "Shared prefix cache\nIt is about…"),
        "cache" * 20,
        "The prefix cache can",
        "The cache of the",
        "Prefix \ufffd cache",
        "Prefix \x1b cache",
    ],
)
def test_anything_else_is_refused(said: str) -> None:
    """Sentences and pieces of them, refusals, more than six words, more than one line, words most of which are not the
    chat's, and what is no text.
    """
    assert title_from_answer(said, QUESTION, ANSWER) == ""


def test_no_title_has_only_the_inside_of_a_word_in_common() -> None:
    """A word of the title begins as a word of the chat does."""
    assert title_from_answer("Fixed rain", QUESTION, "It was a prefixed train.") == ""


def test_scripts_without_blanks_have_titles_too() -> None:
    """If they share signs with the chat."""
    assert title_from_answer("里斯本旅行", "五月去里斯本怎么样?", "很好") == "里斯本旅行"
    assert title_from_answer("编程语言", "五月去里斯本怎么样?", "很好") == ""


def test_a_long_chat_is_asked_about_by_its_beginning() -> None:
    """The request stays short however long the chat is."""
    (message,) = request("q" * 100_000, "a" * 100_000)
    assert len(message.content) < 4000


def test_the_built_in_model_names_no_chat() -> None:
    """The settings say so. It finds no title of the sample."""
    model, tokenizer = load(str(Path(resources.__file__).parent / "demo_model"))[:2]
    asked = [{"role": "user", "content": one.content} for one in request(*SAMPLE)]
    said = generate(model, tokenizer, tokenizer.apply_chat_template(asked, add_generation_prompt=True), max_tokens=24)
    assert title_from_answer(said, *SAMPLE) == ""
