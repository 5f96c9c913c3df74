"""Look: the theme of a transcript and the width of its column, and how what is written follows them.

Invariants:
- After a change, what is in view is written again at once, and the rest in pieces, the nearest first. The text in view
  does not move, and the selection stays.
- A hidden transcript waits until it is shown.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QUrl
from PySide6.QtGui import QPixmap, QTextDocument

from ui.theme.theme import BODY_PX, Theme, icon_pixmap, ui_font
from ui.transcript.backdrop import Backdrop
from ui.transcript.block_formats import GUTTER_PX
from ui.transcript.formats import ICON_PX, Formats

if TYPE_CHECKING:
    from ui.transcript.transcript import Transcript

_NARROWEST_MARGIN_PX: Final = 20
_REFLOW_MS: Final = 80
_PIECE: Final = 4_000
"""How many characters are written again at once, after those in view."""


class Look:
    """The look of one transcript. `column` is the width of its text, in pixels."""

    def __init__(self, theme: Theme, page: Transcript) -> None:
        self.theme = theme
        self.column = theme.reading.column
        self.backdrop = Backdrop(page.document(), Formats(theme, self.column))
        self.refresh_timer = page.timer(partial(self.refresh, _PIECE))
        self._page = page
        self._icons: set[str] = set()
        self._width = self.column + 2 * GUTTER_PX  # for which lines are written; `column` is ahead of it during a drag
        self._reflow_timer = page.timer(self._reflow)
        page.setLineWrapColumnOrWidth(self._width)
        page.sideways.begin(self.column)
        self._apply_theme()

    def set_theme(self, theme: Theme) -> None:
        """Apply `theme`."""
        self.theme = theme
        self._apply_theme()
        self.fit_column()
        self._restyle()

    def _apply_theme(self) -> None:
        font = ui_font(self.theme.reading.px(BODY_PX))
        if self._page.document().defaultFont() != font:  # Qt would lay out everything again
            self._page.document().setDefaultFont(font)
        self._page.setPalette(self.theme.palette())
        self.renew_icons()

    def icon(self, name: str) -> QPixmap | None:
        """The icon with a name and a colour, as `CharFormats` writes it. None if the name is another one."""
        icon, _, colour = name.partition(" ")
        if not colour:
            return None
        self._icons.add(name)
        return icon_pixmap(icon, colour, self.theme.reading.px(ICON_PX), self._page.devicePixelRatioF())

    def renew_icons(self) -> None:
        """Make the icons that are here again, for the size of the text and the resolution of the screen."""
        for name in self._icons:
            self._page.document().addResource(
                QTextDocument.ResourceType.ImageResource.value, QUrl(name), self.icon(name)
            )

    def fit_column(self) -> None:
        """Centre the column. If the view is narrower than the column, wrap again: at once if a pane beside it came or
        went, and when resizing pauses if an edge is dragged.
        """
        page = self._page
        bar = page.verticalScrollBar()
        taken = bar.width() if bar.isVisibleTo(page) else 0  # a page that is hidden now has its scroll bar all the same
        full = self.theme.reading.column + 2 * GUTTER_PX
        left = max(_NARROWEST_MARGIN_PX, (page.width() - full) // 2)
        right = max(_NARROWEST_MARGIN_PX - taken, page.width() - full - left - taken, 0)
        margins = page.viewportMargins()
        if (margins.left(), margins.right()) != (left, right):
            page.setViewportMargins(left, 0, right, 0)
        column = max(1, min(full, page.width() - left - right - taken) - 2 * GUTTER_PX)
        if column != self.column:
            self.column = column
            is_dragged = self._reflow_timer.isActive()
            self._reflow_timer.start(_REFLOW_MS)
            if not is_dragged:
                self._restyle()

    def refresh(self, most: int = 0) -> None:
        """Write what is in view again, if it looks otherwise, and as long as `most` more characters take."""
        page = self._page
        is_wrapped = page.lineWrapColumnOrWidth() == self._width
        if not page.isVisible() or (is_wrapped and not page.writer.is_stale):
            return
        anchor, position = page.textCursor().anchor(), page.textCursor().position()
        near = page.scrolling.in_view()
        with page.scrolling.keeping(partial(page.scrolling.line_top, near.start)), page.writing():
            if not is_wrapped:
                page.setLineWrapColumnOrWidth(self._width)
            page.writer.refresh(near, most)
            if anchor != position:
                page.select(anchor, position)
        if page.writer.is_stale:
            self.refresh_timer.start(0)

    def _restyle(self) -> None:
        """The theme or the column has changed."""
        self._width = self.column + 2 * GUTTER_PX
        formats = Formats(self.theme, self.column)
        self.backdrop = Backdrop(self._page.document(), formats)
        self._page.writer.restyle(formats)
        self._page.sideways.begin(self.column)
        self.refresh()

    def _reflow(self) -> None:
        """Wrap again if the column has changed since the last time."""
        if self._width != self.column + 2 * GUTTER_PX:
            self._restyle()
