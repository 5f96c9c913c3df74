"""Clicks: what the links and icons of a transcript do, and the menu of those that write answers. Runs on the GUI
thread.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QRect, QRectF, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from resources.language.text import mark, tr
from ui.intents.chat import Regenerate
from ui.transcript.anchors import WHOLE_MESSAGE, AnchorAction, parse_action
from ui.transcript.message_lines import NOTE_VERBS, code_text, other_end
from ui.widgets.menu import Menu, context_menu, two_lines

if TYPE_CHECKING:
    from ui.transcript.transcript import Transcript

COPIED_MS: Final = 1600
"""How long a tick replaces the icon that the user clicked to copy."""

_ALTERNATIVE_CHOICES: Final = (
    (1, mark("Regenerate"), mark("One more answer, beside this one")),
    (3, mark("3 alternatives"), mark("Three more, written at the same time")),
)
_OPENED_SCHEMES: Final = {"http", "https", "mailto"}


class Clicks:
    """Follows the anchors of one transcript."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._copied_timer = transcript.timer(self._forget_copied)
        transcript.anchorClicked.connect(self._follow)
        transcript.pointer.menu_requested.connect(self.show_menu)

    def show_menu(self, href: str, place: QPoint) -> bool:
        """Offer to generate several answers, if the anchor generates one. Return whether a menu was shown."""
        action = parse_action(href)
        if action is None or action.verb not in {"alternatives", "choose"}:
            return False
        self._menu(action).open_at(place)
        return True

    def _follow(self, url: QUrl) -> None:
        action = parse_action(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))
        if action is None:
            if url.scheme() in _OPENED_SCHEMES and not QDesktopServices.openUrl(url):
                self._transcript.link_refused.emit(url.toString())
        elif (intent := action.intent()) is not None:
            self._transcript.requested.emit(intent)
        elif action.verb == "edit":
            self._transcript.edit_started.emit(action.message)
        elif action.verb == "fold":
            self._toggle_fold(action.message)
        elif action.verb in NOTE_VERBS:
            self._go_to(action.message, other_end(action).href)
        elif action.verb == "choose":
            self._menu(action).open_beside(self._place_of(action))
        else:
            self._copy(action)

    def _menu(self, action: AnchorAction) -> Menu:
        menu = context_menu("answersMenu", self._transcript, lines=2)
        for count, words, about in _ALTERNATIVE_CHOICES:
            ask = partial(self._transcript.requested.emit, Regenerate(action.message, count))
            menu.addAction("", ask).setText(two_lines(tr(words), tr(about)))
        return menu

    def _place_of(self, action: AnchorAction) -> QRect:
        """Where an anchor is on the screen."""
        transcript, line = self._transcript, self._line_of(action.message, action.href)
        block = transcript.document().findBlock(line or 0)
        found = (transcript.look.backdrop.anchor_rect(block, action.href) or QRectF()).toRect()
        corner = found.topLeft() - QPoint(0, transcript.verticalScrollBar().value())
        return QRect(transcript.viewport().mapToGlobal(corner), found.size())

    def _toggle_fold(self, message: str) -> None:
        """Fold or unfold reasoning or a long question. The line that the user clicked stays under the mouse."""
        transcript, messages = self._transcript, self._transcript.messages
        index = messages.index(message)
        if index is not None:
            messages.fold(message, not messages[index].is_folded)
            with transcript.scrolling.keeping_top():
                transcript.updates.write([index])

    def _go_to(self, message: str, href: str) -> None:
        """Show the line of a message that has this anchor."""
        if (line := self._line_of(message, href)) is not None:
            self._transcript.scrolling.bring_into_view(self._transcript.rect_at(line))

    def _line_of(self, message: str, href: str) -> int | None:
        """The position after the line of a message that has this anchor, None if it is not on the page."""
        writer, index = self._transcript.writer, self._transcript.messages.index(message)
        lines = () if index is None else writer.lines(index)
        found = (at for at, line in enumerate(lines) if any(span.style.href == href for span in line.spans))
        at = next(found, None)
        return None if index is None or at is None else writer.line_end(index, at)

    def _copy(self, action: AnchorAction) -> None:
        messages = self._transcript.messages
        index = messages.index(action.message)
        if index is None:
            return
        is_whole, number = action.number == WHOLE_MESSAGE, action.number
        copied = messages[index].text if is_whole else code_text(messages.lines(index), number)
        QGuiApplication.clipboard().setText(copied)
        messages.mark_copied(action.message, action.number)
        self._copied_timer.start(COPIED_MS)
        self._transcript.updates.flush()

    def _forget_copied(self) -> None:
        self._transcript.messages.mark_copied("")
        self._transcript.updates.flush()
