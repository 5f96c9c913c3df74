"""The user's language: which one it is, how the system writes its numbers and dates, and Qt's own words in it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTime, QTranslator

from resources.language import catalogue, children, text
from resources.language.formats import Formats

_SHORT: Final = QLocale.FormatType.ShortFormat


def chosen(wanted: str) -> str:
    """The code of the language to speak: the one that the user wants, or the system's first that Hearth speaks."""
    if wanted in catalogue.NAMES:
        return wanted
    of_system = (name.partition("-")[0] for name in QLocale.system().uiLanguages())
    return next((code for code in of_system if code in catalogue.NAMES), "en")


def formats_of(code: str) -> Formats:
    """How numbers and dates are written: as the system does, if it speaks this language."""
    system = QLocale.system()
    spoken = QLocale.Language.English if system.language() == QLocale.Language.C else system.language()
    locale = system if spoken == QLocale(code).language() else QLocale(code)
    return Formats(
        group=locale.groupSeparator(),
        decimal=locale.decimalPoint(),
        weekdays=tuple(locale.standaloneDayName(day, _SHORT) for day in range(1, 8)),
        months=tuple(locale.monthName(month, _SHORT) for month in range(1, 13)),
        day_and_month=_day_and_month(locale),
        time=lambda moment: system.toString(
            QTime(moment.hour, moment.minute), _SHORT
        ),  # the clock is the computer's in every language
    )


def _day_and_month(locale: QLocale) -> str:
    if locale.dateFormat(_SHORT).startswith("M"):
        return "{month} {day}"
    return "{day}. {month}" if "d." in locale.dateFormat() else "{day} {month}"


class Speech:
    """Speaks one language at a time, in our words and in Qt's."""

    def __init__(self) -> None:
        self._words_of_qt = QTranslator(QCoreApplication.instance())  # no other thread may free it
        self._has_spoken = False

    def speak(self, wanted: str) -> bool:
        """Speak the language that the user wants. Returns whether it is another one than before. The first call
        installs the formats of the system in any case.
        """
        code, before = chosen(wanted), text.present().code
        if code == before and self._has_spoken:
            return False
        self._has_spoken = True
        text.install(text.Language(code, catalogue.read(code), formats_of(code)))
        children.tell(code)
        QCoreApplication.removeTranslator(self._words_of_qt)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if self._words_of_qt.load(f"qtbase_{code}", folder):
            QCoreApplication.installTranslator(self._words_of_qt)
        return code != before
