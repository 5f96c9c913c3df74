"""The language of the processes that the app starts. A variable of the environment carries it to each of them, so that
their sentences need no other way.

A process without that variable, such as a command in a terminal, speaks English.
"""

from __future__ import annotations

import os
from typing import Final

from resources.language import catalogue, text
from resources.language.formats import FORMATS

_VARIABLE: Final = "HEARTH_LANGUAGE"


def tell(code: str) -> None:
    """Let processes that are started from now on speak this language."""
    os.environ[_VARIABLE] = code


def speak_as_told() -> None:
    """Speak the language that the app told this process."""
    speak(os.environ.get(_VARIABLE, ""))


def speak(code: str) -> None:
    """Speak a language. A code that Hearth does not know changes nothing."""
    if code in catalogue.NAMES and code != text.present().code:
        text.install(text.Language(code, catalogue.read(code), FORMATS[code]))
