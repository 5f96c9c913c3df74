"""The seam through which every sentence that people read passes: looks it up in the user's language and fills its
fields. Without a language it is the English of the code, so that pure code and the command line need no set-up.

- A sentence is whole, with named fields: `tr("Delete {name}?", name=title)`. Sentences are never joined from parts.
- The present language is one reference that is replaced as a whole, so any thread may look up.
- `packaging/translations.py` finds the texts in the code, so the first argument is a literal, or a constant that was
  made by `mark` or `mark_plural`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from resources.language.formats import FieldFormatter, Formats


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its code, its translations by (source, comment), and how it writes numbers and dates. `changed` gets
    each text at last; the pseudo-locale of the tests marks it there.
    """

    code: str = "en"
    texts: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    formats: Formats = field(default_factory=Formats)
    changed: Callable[[str], str] | None = None

    def look_up(self, source: str, comment: str, form: int) -> str:
        """The translation of a text, or the text itself."""
        found = self.texts.get((source, comment))
        return found[min(form, len(found) - 1)] if found else ""


class _Present:
    language = Language()
    formatter = FieldFormatter(language.formats)


def install(language: Language) -> None:
    """Speak this language from now on."""
    _Present.language, _Present.formatter = language, FieldFormatter(language.formats)


def present() -> Language:
    """The language that is spoken now."""
    return _Present.language


def mark(text: str, comment: str = "") -> str:
    """Mark a constant as a text for people. It is looked up where it is shown: `tr(NAME)`."""
    del comment  # for the translator
    return text


def mark_plural(one: str, many: str) -> tuple[str, str]:
    """Mark a constant that depends on a number. It is looked up where it is shown: `plural(*NAME, count)`."""
    return one, many


def tr(text: str, comment: str = "", /, **fields: object) -> str:
    """A text in the user's language. `comment` tells two meanings of one text apart."""
    return _filled(_Present.language.look_up(text, comment, 0) or text, fields)


def plural(one: str, many: str, count: int, /, **fields: object) -> str:
    """A text that depends on a number, its field {count}, in the user's language. Translations are found by `many`."""
    is_one = count == 1
    text = _Present.language.look_up(many, "", 0 if is_one else 1) or (one if is_one else many)
    return _filled(text, {"count": count, **fields})


def number(value: float, how: str = ",d") -> str:
    """A number as the user's language writes it."""
    return _Present.language.formats.number(value, how)


def _filled(text: str, fields: Mapping[str, object]) -> str:
    changed = _Present.language.changed
    text = text if changed is None else changed(text)
    return _Present.formatter.vformat(text, (), fields) if "{" in text else text
