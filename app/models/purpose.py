"""What a model is made for, in one sentence: from the tags of its card, and from its chat template. Pure.

A card is untrusted: only tags of the list below and codes of languages are taken from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from engine.protocol.inspection import ModelFacts
from resources.language.text import mark, mark_plural, plural, present, tr
from ui.theme.phrases import enumerated

_USES: Final = {
    mark("chat", "what a model is made for"): {"conversational", "chat"},
    mark("code", "what a model is made for"): {"code"},
    mark("mathematics", "what a model is made for"): {"math"},
    mark("reasoning", "what a model is made for"): {"reasoning", "thinking"},
    mark("tool use", "what a model is made for"): {"tool-use", "tool-calling", "function-calling"},
}
_TAGS: Final = frozenset[str]().union(*_USES.values())
_LANGUAGE: Final = "language:"
_NAMES: Final = {"en": mark("English", "spoken"), "de": mark("German", "spoken")}
_SPOKEN: Final = mark_plural(
    "Made for {uses}, in {name} and {count} other language.", "Made for {uses}, in {name} and {count} other languages."
)
_CODE: Final = re.compile(r"[a-z]{2,3}")


def told_tags(tags: Iterable[str], languages: object) -> tuple[str, ...]:
    """Those of a card's tags that say what the model is made for, with its `languages` as "language:en"."""
    codes = languages if isinstance(languages, list) else [languages]
    spoken = {_LANGUAGE + code for code in codes if isinstance(code, str) and _CODE.fullmatch(code)}
    return tuple(sorted(_TAGS.intersection(tags) | spoken))


def purpose(tags: Sequence[str], facts: ModelFacts | None) -> str:
    """Return "Made for chat, code and tool use, in English and 7 other languages."; "" if nothing is known."""
    can = {"reasoning": facts.thinks, "tool-use": bool(facts.tool_format)} if facts else {}
    known = {*tags, *(tag for tag, is_so in can.items() if is_so)}
    uses = [tr(name, "what a model is made for") for name, words in _USES.items() if words & known]
    codes = [tag.removeprefix(_LANGUAGE) for tag in tags if tag.startswith(_LANGUAGE)]
    language = next((code for code in (present().code, "en") if code in codes), "")
    said = {"uses": enumerated(uses) if uses else "", "name": tr(_NAMES[language], "spoken") if language else ""}
    if not uses or not language:
        return tr("Made for {uses}.", **said) if uses else ""
    if len(codes) == 1:
        return tr("Made for {uses}, in {name}.", **said)
    return plural(*_SPOKEN, len(codes) - 1, **said)
