"""The languages of the pictures: those of Hearth, and a pseudo-locale in which every text is longer, has accents and
stands in brackets. A text without brackets did not pass through the seam, and one that is cut off has too little room.
"""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QTranslator

from resources.language import catalogue, text
from resources.language.formats import FORMATS, Formats
from resources.language.text import Language

PSEUDO: Final = "pseudo"
ALL: Final = (*catalogue.NAMES, PSEUDO)
OPEN, CLOSE = "⟦", "⟧"
_FOREIGN: Final = "ÅÉÎÖÛåçéîñöûýÇÑŠ"
_ACCENTS: Final = str.maketrans("AEIOUaceinouyCNS", _FOREIGN)
_PART: Final = re.compile(r"(\{+\w*[^{}]*\}+)")
_LONGER: Final = 0.4
"""How much longer a text may become in another language."""


_FILLING: Final = "~~~~~ "


def pseudo(words: str) -> str:
    """A text of the pseudo-locale. Its fields stay."""
    parts = _PART.split(words)
    parts[::2] = [part.translate(_ACCENTS) for part in parts[::2]]
    length = round(_LONGER * sum(map(len, parts[::2])))
    return f"{OPEN}{''.join(parts)}{(_FILLING * length)[:length].rstrip()}{CLOSE}"


def is_pseudo(word: str) -> bool:
    """Whether a word has letters that the pseudo-locale put into it."""
    return not set(word).isdisjoint(_FOREIGN)


def speak(code: str) -> None:
    """Speak a language of the pictures. Views that exist already keep their texts."""
    if code == PSEUDO:
        weekdays, months = (tuple(map(pseudo, names)) for names in (Formats().weekdays, Formats().months))
        text.install(Language(PSEUDO, formats=Formats(weekdays=weekdays, months=months), changed=pseudo))
    else:
        text.install(Language(code, catalogue.read(code), FORMATS[code]))


def install_words_of_qt(code: str) -> None:
    """Let Qt's own words be of this language too, once there is an application."""
    words = QTranslator(QCoreApplication.instance())
    if words.load(f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        QCoreApplication.installTranslator(words)
