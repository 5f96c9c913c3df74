"""The variables of a saved prompt: `{{name}}` stands for words that the user gives when the prompt is used. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_VARIABLE: Final = re.compile(r"\{\{\s*+([^{}\s](?:[^{}\n]{0,58}[^{}\s])?)\s*+\}\}")


def variables(text: str) -> tuple[str, ...]:
    """The names of the variables in `text`, each once, in order."""
    return tuple(dict.fromkeys(_VARIABLE.findall(text)))


def filled(text: str, values: Mapping[str, str]) -> str:
    """`text` with the values in place of the variables. A variable without a value stays."""
    return _VARIABLE.sub(lambda found: values.get(found[1], found[0]), text)
