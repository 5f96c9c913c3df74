"""Finds texts of the window that did not pass through the seam, texts that are cut off, states of which nothing is to
be seen, and warnings of Qt: `python -m tests.shots.inspection LANGUAGE` brings the window into every state and prints
what it finds, one line each. With `1 3` behind the language it looks at each third state, beginning with the second.

With the pseudo-locale both are looked for; a text without its brackets did not pass the seam. What people wrote is left
out: the texts of the pictures' own content. So are figures, names of keys, and what has no words.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, Qt, qInstallMessageHandler
from PySide6.QtGui import QAction, QImage, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QLineEdit,
    QMenu,
    QScrollArea,
    QTextBrowser,
    QWidget,
)

from tests.shots import languages
from ui.widgets.face_button import Pill

HERE: Final = Path(__file__).parent
CONTENT: Final = (
    *(HERE / f"{name}.py" for name in ("content", "states", "macs", "extremes")),
    HERE.parent / "fakes" / "model_views.py",
)
_PROPERTIES: Final = (
    "text",
    "toolTip",
    "accessibleName",
    "accessibleDescription",
    "placeholderText",
    "windowTitle",
    "title",
)
_ROLES: Final = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole)
_TAG: Final = re.compile(r"<[^>]+>")
_TOKEN: Final = re.compile(r"[^\W\d_]{2,}")
_BRACKETED: Final = re.compile(rf"{languages.OPEN}[^{languages.OPEN}{languages.CLOSE}]*{languages.CLOSE}")
_OF_THE_PLATFORM: Final = re.compile("This plugin does not support")
"""The offscreen platform, about itself."""
_APART: Final = 16
"""Pixels between the points that are looked at."""
_JOINER: Final = "\u200d"
_REST_MS: Final = 30
"""Texts need not wait for animations."""
_LAYOUTS: Final = 12
_LONG: Final = 20
_STREAMED: Final = 3
_NAMES: Final = frozenset({"Hearth", "English", "Deutsch", "Qt", "GB", "MB", "KB", "ms", "esc", "OK", "Cancel"})
"""Names are the same in each language. The last two are buttons of Qt, which has translations of its own."""
_KEYS: Final = frozenset(
    {
        "Ctrl",
        "Alt",
        "Shift",
        "Meta",
        "Return",
        "Esc",
        "Del",
        "PgUp",
        "PgDown",
        "Home",
        "End",
        "Up",
        "Down",
        "Left",
        "Right",
        "Tab",
    }
)


@cache
def written() -> tuple[str, ...]:
    """What people wrote in the pictures."""
    texts = {
        node.value
        for path in CONTENT
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return tuple(sorted(texts))


@cache  # most texts of a state are those of the state before
def foreign(text: str) -> bool:
    """Whether a text has words that neither the seam nor a person has written."""
    before = None
    while before != text:
        before, text = text, _BRACKETED.sub(" ", text)
    text = _TAG.sub(" ", text).replace(_JOINER, "")
    for long in (word for word in _known() if len(word) > _LONG):
        text = text.replace(long, " ")
    return any(not _is_known(word, text) for word in _TOKEN.findall(text))


def _is_known(word: str, text: str) -> bool:
    """Whether a word is of a person, or of the pseudo-locale; also the rest of one that was elided or is being
    streamed.
    """
    if word in _known() or languages.is_pseudo(word):
        return True
    is_rest = f"{word}…" in text or f"…{word}" in text or len(word) <= _STREAMED
    return is_rest and any(known.startswith(word) or known.endswith(word) for known in _known())


@cache
def _known() -> frozenset[str]:
    return frozenset(word for line in written() for word in _TOKEN.findall(line)) | _NAMES | _KEYS


def shown(window: QWidget) -> Iterator[tuple[str, str]]:
    """Every text of the visible widgets and their actions, with the name of its place."""
    for widget in (window, *window.findChildren(QWidget)):
        if not widget.isVisible() or isinstance(widget.parent(), QLineEdit):
            continue
        for name in _PROPERTIES:
            value = widget.property(name)
            if isinstance(value, str) and not (name == "text" and isinstance(widget, QLineEdit)):
                yield f"{_place(widget)}.{name}", value
        if isinstance(widget, QTextBrowser):
            yield _place(widget), widget.toPlainText()
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from _items(_place(widget), widget.model())
        for action in widget.actions():
            yield from _of_action(_place(widget), action)


def _of_action(place: str, action: QAction) -> Iterator[tuple[str, str]]:
    yield f"{place} action {action.objectName()}", action.text().replace("&", "")
    if action.toolTip() != action.text():
        yield f"{place} action {action.objectName()} tool tip", action.toolTip()


def _items(place: str, model: QAbstractItemModel) -> Iterator[tuple[str, str]]:
    for row in range(model.rowCount()):
        for role in _ROLES:
            value = model.data(model.index(row, 0, QModelIndex()), role)
            if isinstance(value, str):
                yield f"{place} row {row}", value


def cut(window: QWidget) -> Iterator[tuple[str, str]]:
    """Visible labels and buttons that have less room than their text takes, and what is wider than the area in which
    it scrolls. A pill elides its text itself.
    """
    for area in window.findChildren(QScrollArea):
        content, room = area.widget(), area.viewport()
        if content is not None and area.isVisible() and content.width() > room.width():
            yield f"{_place(area)} {room.size().toTuple()}", f"{content.width()} px of content"
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or not isinstance(widget, QLabel | QAbstractButton):
            continue
        words = widget.text()
        if not words or isinstance(widget.parent(), QLineEdit) or isinstance(widget, Pill):
            continue
        if isinstance(widget, QLabel) and widget.wordWrap():
            if widget.heightForWidth(widget.width()) > widget.height() + 1:
                yield f"{_place(widget)} {widget.size().toTuple()}", words
        elif widget.minimumSizeHint().width() > widget.width() + 1:
            yield f"{_place(widget)} {widget.size().toTuple()}", words


def _place(widget: QWidget) -> str:
    return widget.objectName() or type(widget).__name__


class Painted:
    """Collects the texts that are painted by hand, as in lists."""

    def __init__(self) -> None:
        self.texts: set[str] = set()
        draw = QPainter.drawText

        def noted(painter: QPainter, *what: Any) -> Any:
            self.texts.update(one for one in what if isinstance(one, str))
            return draw(painter, *what)

        QPainter.drawText = noted  # type: ignore[assignment, method-assign] # the only way to see what is painted


def inspect(language: str, part: int, parts: int) -> Iterator[str]:
    """What is wrong in any of the states that belong to a part, one line for each text."""
    from tests.shots.extremes import STATES  # its content is made of texts, in the language that is spoken by then
    from tests.shots.studio import Studio
    from ui.theme.theme import LIGHT

    Studio.rest_ms = _REST_MS
    painted, found = Painted(), set()
    for name, bring in list(STATES.items())[part::parts]:
        studio = Studio(LIGHT)
        bring(studio)
        if _is_empty(studio.picture().toImage()):
            yield f"{name}: nothing is to be seen"
        _lay_out()
        for kind, place, text in _problems(studio.window, language, painted):
            if (kind, place, text) not in found:
                found.add((kind, place, text))
                yield f"{name}: {kind}: {place}: {text!r}"
        studio.close()


def _is_empty(image: QImage) -> bool:
    """Whether a picture has one colour only."""
    points = product(range(0, image.width(), _APART), range(0, image.height(), _APART))
    return len({image.pixel(x, y) for x, y in points}) == 1


def _lay_out() -> None:
    """Let each part that was laid out ask those around it for room: a busy machine has had no time for that yet."""
    for _ in range(_LAYOUTS):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        QApplication.processEvents()


def _problems(main: QWidget, language: str, painted: Painted) -> Iterator[tuple[str, str, str]]:
    for window in QApplication.topLevelWidgets():
        if window.isVisible() and (window is main or window.parent() is not None or isinstance(window, QMenu)):
            yield from (("cut off", place, text) for place, text in cut(window))
            if language == languages.PSEUDO:
                yield from (("untranslated", place, text) for place, text in shown(window) if foreign(text))
    if language == languages.PSEUDO:
        yield from (("untranslated", "painted", text) for text in sorted(painted.texts) if foreign(text))


def main() -> int:
    """Print what is wrong. Returns how many lines that are, at most 1."""
    from app.desktop.launch import Application

    language, part, parts = sys.argv[1], *map(int, sys.argv[2:] or (0, 1))
    languages.speak(language)
    application = Application()
    languages.install_words_of_qt(language)
    warnings: list[str] = []
    qInstallMessageHandler(lambda _kind, _context, text: warnings.append(text or ""))
    problems = [*inspect(language, part, parts), *(text for text in warnings if not _OF_THE_PLATFORM.match(text))]
    print("\n".join(problems))
    application.quit()
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
