"""The prompt for the title of a chat, and the rule for which answers are titles. Pure."""

from __future__ import annotations

import re
from typing import Final

from engine.protocol.messages import ChatMessage

MOST_WORDS: Final = 6
_LONGEST: Final = 60
_PART: Final = 1500
"""Characters of the question and of the answer that the model reads."""
_ASK: Final = (
    "Give the conversation below a title of at most six words, in its own language. Answer with the title alone, "
    "without quotation marks.\n\nQuestion: {question}\n\nAnswer: {answer}"
)
_WRAPPING: Final = " \t\"'“”„‘’«»*_#`.:;,!…"  # noqa: RUF001 - quotation marks of many languages
_LEAD: Final = re.compile(r"(?:title|titel|titre)\s*[:\-–]\s*", re.IGNORECASE)  # noqa: RUF001 - a dash that models write
_NO_TITLE: Final = frozenset(("i", "i'm", "sorry", "sure", "hi", "hello", "here", "as", "yes", "no", "you", "we"))
"""Words with which a model begins a sentence to the user."""
_UNFINISHED: Final = frozenset(
    (
        *("a", "an", "and", "are", "by", "can", "for", "from", "in", "is", "of", "on", "or", "that", "the", "to"),
        *("with", "das", "der", "die", "ein", "eine", "für", "ist", "kann", "mit", "oder", "und", "von", "zu"),
    )
)
"""Words with which a piece of a sentence ends, and no title does."""
_WORD: Final = re.compile(r"\w{4,}")
_STEM: Final = 5


def request(question: str, answer: str) -> tuple[ChatMessage, ...]:
    """The prompt for a title. It has only the beginning of a long question or answer."""
    return (ChatMessage("user", _ASK.format(question=question[:_PART].strip(), answer=answer[:_PART].strip())),)


def title_from_answer(said: str, question: str, answer: str) -> str:
    """The title in a model's answer, "" if that is no usable title: a sentence or a piece of one, a refusal, signs
    that are no text, or words that have nothing to do with the chat.
    """
    lines = [line for line in map(str.strip, said.splitlines()) if line]
    if not lines or lines[0].rstrip(_WRAPPING).endswith("?"):
        return ""
    title = " ".join(_LEAD.sub("", lines[0].strip(_WRAPPING), count=1).strip(_WRAPPING).split())
    words = title.split()
    if not 0 < len(words) <= MOST_WORDS or len(title) > _LONGEST or words[0].casefold().strip(_WRAPPING) in _NO_TITLE:
        return ""
    if words[-1].casefold() in _UNFINISHED or not title.isprintable() or "\N{REPLACEMENT CHARACTER}" in title:
        return ""
    return title if _is_about(title, f"{question} {answer}") else ""


def _is_about(title: str, chat: str) -> bool:
    """Whether they share the beginning of a word. Scripts without blanks share two signs."""
    text = chat.casefold()
    stems = {word[:_STEM] for word in _WORD.findall(title.casefold())}
    if title.isascii() or " " in title:
        return any(stem in text for stem in stems)
    signs = title.casefold()
    return any(signs[at : at + 2] in text for at in range(len(signs) - 1))
