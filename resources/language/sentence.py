"""A sentence as a value that has no language yet: what happened may be told, or read from a file, long after it
happened and in another language. Pure: any thread or process may make one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from string import Formatter
from typing import Final

from resources.language.text import tr

_FORMATS: Final = re.compile(r",?(\.\d)?[dfg]?", re.ASCII)
"""What our texts say about the digits of a number. Others could make a text of any length."""
_MOST_FIELDS: Final = 20
"""Our texts have at most six places for values. Sentences within sentences could multiply."""
_DEEPEST: Final = 4
"""Hearth nests sentences two deep. A file could nest them so deep that showing them raises RecursionError."""
_LONGEST: Final = 10_000
"""The characters of a value that are shown."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text of the code and its values. `str` gives it in the user's current language, and so does a field that is a
    sentence itself.

    Raises ValueError if the text cannot be filled with the values: a sentence may come from a file.
    """

    text: str
    fields: dict[str, Sentence | str | int | float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the fields. A name with a dot or a bracket would read into a value."""
        if self.depth > _DEEPEST:
            raise ValueError("sentences within sentences within sentences")
        places = list(Formatter().parse(self.text))
        if len(places) > _MOST_FIELDS:
            raise ValueError(f"{len(places)} places for values")
        for _literal, name, how, conversion in places:
            if name is None:
                continue
            value = self.fields.get(name)
            if value is None or not name.isidentifier() or conversion or not _FORMATS.fullmatch(how or ""):
                raise ValueError(f"the field {name!r} has no value, or no format of ours")
            if isinstance(value, int | float):
                _try(value, how or "")

    @property
    def depth(self) -> int:
        """How many sentences are within each other here, this one included."""
        return 1 + max((one.depth for one in self.fields.values() if isinstance(one, Sentence)), default=0)

    def __str__(self) -> str:
        """The sentence in the user's language."""
        fields = self.fields.items()
        shown = {name: one if isinstance(one, int | float) else str(one)[:_LONGEST] for name, one in fields}
        return tr(self.text, **shown)


def _try(value: float, how: str) -> None:
    """Raise ValueError if the number has no such format: a whole one has no decimals, or is too large for them."""
    try:
        format(value, how)
    except OverflowError as error:
        raise ValueError(str(error)) from error


def sentence(text: str, /, **fields: Sentence | str | float) -> Sentence:
    """Like `tr`, for a sentence that may be shown later. `text` is a literal, or a constant that was made by `mark`."""
    return Sentence(text, dict(fields))
