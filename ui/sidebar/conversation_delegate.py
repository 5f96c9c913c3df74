"""Paints the lines of the sidebar's list, and creates the field that edits a title."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from resources.language.text import tr
from ui.sidebar.conversation_list import ConversationList
from ui.sidebar.conversations_model import ConversationRole, ConversationsModel
from ui.sidebar.row_slide import RowSlide
from ui.sidebar.search_marks import Marks, cut_before_mark
from ui.sidebar.sections import Heading, HeadingKind
from ui.theme.appearance import appearance
from ui.theme.direction import is_right_to_left
from ui.theme.long_texts import cut
from ui.theme.theme import draw_icon, ui_font
from ui.theme.tooltips import plain_tip
from ui.transcript import utf16
from ui.widgets.elided_text import draw_elided, draw_written, start_of_difference, with_difference
from ui.widgets.settings_group import named
from ui.widgets.shapes import draw_disc, draw_shape
from ui.widgets.text_field import LineField

ROW_PX = 52
SECTION_PX = 31
_INSET_PX = 10
_TEXT_PX = 20
_DOT_PX = 7
_DOT_ROOM_PX = 13
_ICON_PX = 12
_TAGS_SHARE = 0.45
_HEADING_ICONS = {HeadingKind.PINNED: "pin", HeadingKind.FOLDER: "folder"}
_Index = QModelIndex | QPersistentModelIndex


class ConversationDelegate(QStyledItemDelegate):
    """Paints a conversation as title and time above its snippet or live line, and a heading as one small line.

    `target` is the heading under which a dragged conversation would be dropped.
    """

    def __init__(self, model: ConversationsModel, slide: RowSlide, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model, self._slide = model, slide
        self.target = QPersistentModelIndex()
        appearance.follow(self._follow_theme)

    def _follow_theme(self) -> None:
        """Paint in `theme` from now on, with its size of letters."""
        self._px = px = appearance.theme.reading.pane_px
        self._title_font = ui_font(px(13), QFont.Weight.Medium)
        self._detail_font = ui_font(px(12))
        self._time_font = ui_font(px(11))
        self._section_font = ui_font(px(11), QFont.Weight.DemiBold)
        self._snippet = MarkedLine(self._detail_font)
        self._row_size, self._heading_size = QSize(0, px(ROW_PX)), QSize(0, px(SECTION_PX))  # a list sets the width

    def sizeHint(self, _option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802 - Qt's name
        """All rows have one height, and all headings another. A list of 10,000 asks for all of them at once."""
        return self._row_size if self._model.is_row(index.row()) else self._heading_size

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one line."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRect(option.rect)
        rect.setWidth(option.widget.width())  # a scroll bar must not move the text at the right
        if shift := self._slide.shift(index):
            rect.translate(0, shift)
            painter.fillRect(rect, QColor(appearance.theme.sidebar))  # no line shows through another
        if index.data(ConversationRole.ID):
            has_focus = bool(option.state & QStyle.StateFlag.State_HasFocus)
            by_key = isinstance(option.widget, ConversationList) and option.widget.is_keyed
            self._paint_surface(painter, rect, option.state, has_keyboard=has_focus and by_key)
            self._paint_row(painter, rect, index)
        else:
            if self.target.isValid() and self.target == index:
                draw_shape(painter, rect.adjusted(_INSET_PX, 8, -_INSET_PX, 0), 6, appearance.theme.selection)
            self._paint_heading(painter, rect, index.data(ConversationRole.HEADING), option.state)
        painter.restore()

    def _paint_surface(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, *, has_keyboard: bool) -> None:
        if state & QStyle.StateFlag.State_Selected:
            colour = appearance.theme.selected_row
        elif state & QStyle.StateFlag.State_MouseOver:
            colour = appearance.theme.hovered_row
        elif has_keyboard:
            colour = appearance.theme.sidebar
        else:
            return
        inset = 0.5 if has_keyboard else 0.0
        surface = QRectF(rect).adjusted(_INSET_PX + inset, 1.5, -_INSET_PX + 1 - inset, -1 - inset)
        draw_shape(painter, surface, 8, colour, appearance.theme.accent if has_keyboard else "")

    def _paint_heading(self, painter: QPainter, rect: QRect, heading: Heading, state: QStyle.StateFlag) -> None:
        line = rect.adjusted(18, 9, -_TEXT_PX, 0)
        if heading.kind is HeadingKind.FOLDER:
            if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_Active:
                ring = QRectF(rect).adjusted(_INSET_PX + 0.5, 8.5, -_INSET_PX - 0.5, -0.5)
                draw_shape(painter, ring, 6, edge=appearance.theme.accent)
            chevron = "chevron-right" if heading.folded else "chevron-down"
            self._paint_icon(painter, chevron, line.right() - _ICON_PX + 2, line)
            line.setRight(line.right() - _ICON_PX - 4)
        if icon := _HEADING_ICONS.get(heading.kind):
            self._paint_icon(painter, icon, line.left(), line)
            line.setLeft(line.left() + _ICON_PX + 5)
        if heading.folded or heading.kind is HeadingKind.FOUND:
            self._paint_right(painter, line, str(heading.size), self._time_font)
        draw_elided(painter, line, heading.title, self._section_font, appearance.theme.faint)

    def _paint_icon(self, painter: QPainter, name: str, left: int, line: QRect) -> None:
        draw_icon(painter, name, appearance.theme.faint, _ICON_PX, QPoint(left, line.center().y() - _ICON_PX // 2 + 1))

    def _paint_right(self, painter: QPainter, line: QRect, text: str, font: QFont) -> None:
        """Paint `text` at the end of `line`, and shorten `line` by it."""
        width = QFontMetrics(font).horizontalAdvance(text)
        end = QRect(line.right() - width + 1, line.top(), width + 1, line.height())
        draw_elided(painter, end, text, font, appearance.theme.faint)
        line.setRight(line.right() - width - 10)

    def _paint_row(self, painter: QPainter, rect: QRect, index: _Index) -> None:
        line = QRect(rect.left() + _TEXT_PX, rect.top() + self._px(6), rect.width() - 2 * _TEXT_PX + 1, self._px(20))
        self._paint_right(painter, line, str(index.data(ConversationRole.TIME)), self._time_font)
        if index.data(ConversationRole.PIN):
            self._paint_icon(painter, "pin", line.right() - _ICON_PX + 4, line)
            line.setRight(line.right() - _ICON_PX - 2)
        if index.data(ConversationRole.UNREAD):
            self._paint_dot(painter, line, appearance.theme.success)
            line.setLeft(line.left() + _DOT_ROOM_PX)
        title, font, room = str(index.data()), self._title_font, line.width()
        title = with_difference(title, start_of_difference(title, self._model.titles(), font, room), font, room)
        draw_written(painter, line, title, font, appearance.theme.text)
        line = QRect(rect.left() + _TEXT_PX, rect.top() + self._px(26), rect.width() - 2 * _TEXT_PX + 1, self._px(19))
        if index.data(ConversationRole.LIVE):
            self._paint_dot(painter, line, appearance.theme.accent)
            live, place = str(index.data(ConversationRole.LIVE)), line.adjusted(_DOT_ROOM_PX, 0, 0, 0)
            draw_elided(painter, place, live, self._detail_font, appearance.theme.accent)
            return
        if tags := index.data(ConversationRole.TAGS):
            words, room = cut(" ".join(f"#{tag}" for tag in tags)), round(line.width() * _TAGS_SHARE)
            words = QFontMetrics(self._time_font).elidedText(words, Qt.TextElideMode.ElideRight, room)
            self._paint_right(painter, line, words, self._time_font)
        else:
            line.setRight(line.right() - 13)
        found = (str(index.data(ConversationRole.SNIPPET)), index.data(ConversationRole.MARKS))
        self._snippet.draw(painter, line, found)

    def _paint_dot(self, painter: QPainter, line: QRect, colour: str) -> None:
        draw_disc(painter, QRectF(line.left() + 0.5, line.center().y() - _DOT_PX / 2 + 0.5, _DOT_PX, _DOT_PX), colour)

    def helpEvent(  # noqa: N802 - Qt's name
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: _Index
    ) -> bool:
        """Show a title that is cut off as a whole."""
        title = str(index.data() or "")
        time = QFontMetrics(self._time_font).horizontalAdvance(str(index.data(ConversationRole.TIME)))
        marks = (_ICON_PX + 2) * bool(index.data(ConversationRole.PIN))
        marks += _DOT_ROOM_PX * bool(index.data(ConversationRole.UNREAD))
        room = option.rect.width() - 2 * _TEXT_PX - time - marks - 9
        is_cut = QFontMetrics(self._title_font).horizontalAdvance(cut(title)) > room
        if not index.data(ConversationRole.ID) or not is_cut:
            QToolTip.hideText()
            return super().helpEvent(event, view, option, index)
        QToolTip.showText(event.globalPos(), plain_tip(title), view.viewport(), option.rect)
        return True

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, _index: _Index) -> QWidget:  # noqa: N802 - Qt's name
        """A text field for the title."""
        return named(LineField(parent), "rename", self._title_font, tr("Title of the chat"))

    def setEditorData(self, editor: QWidget, index: _Index) -> None:  # noqa: N802 - Qt's name
        """Begin with the title. What is typed stays if the row changes meanwhile."""
        if not (isinstance(editor, QLineEdit) and editor.isModified()):
            super().setEditorData(editor, index)

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, _index: _Index) -> None:  # noqa: N802 - Qt's name
        """Cover the line of the title only."""
        rect: QRect = option.rect
        editor.setGeometry(rect.adjusted(_TEXT_PX - 6, 4, -_INSET_PX, self._px(28) - rect.height()))


_IN_VIEW, _AHEAD = 0.75, 0.4
"""If the first mark ends beyond one share of the line, the text before it is cut so that the mark ends at the other."""
_ELLIPSIS = "…"


class MarkedLine:
    """Paints marked words bolder and darker, and cuts the start of the text so that the first mark is in view.

    The text is laid out as a whole, so that right-to-left text keeps its order around a mark.
    """

    def __init__(self, font: QFont) -> None:
        self._font = font
        self._ellipsis = QFontMetrics(font).horizontalAdvance(_ELLIPSIS)

    def draw(self, painter: QPainter, line: QRect, found: tuple[str, Marks]) -> None:
        """Paint a text with its marks into `line`."""
        text, marks = found
        if marks:
            self._draw_marked(painter, line, self._with_mark_in_view(text, marks, line.width()))
        else:
            draw_written(painter, line, text, self._font, appearance.theme.muted)

    def _draw_marked(self, painter: QPainter, line: QRect, found: tuple[str, Marks]) -> None:
        text, marks = found
        laid = self._layout(text, marks, line.width())
        if laid.lineAt(0).textLength() < utf16.length(text):
            laid = self._layout(text, marks, line.width() - self._ellipsis)
            shown = utf16.part(text, 0, laid.lineAt(0).textLength()).rstrip() + _ELLIPSIS
            laid = self._layout(shown, marks, line.width() + self._ellipsis)
        painter.setPen(QColor(appearance.theme.muted))
        laid.draw(painter, QPointF(line.left(), line.top() + round((line.height() - laid.lineAt(0).height()) / 2)))

    def _layout(self, text: str, marks: Marks, width: int) -> QTextLayout:
        """A layout whose first line is as much text as fits into `width`."""
        laid = QTextLayout(text, self._font)
        side = Qt.AlignmentFlag.AlignRight if is_right_to_left(text) else Qt.AlignmentFlag.AlignLeft
        option = QTextOption(side | Qt.AlignmentFlag.AlignAbsolute)
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        option.setWrapMode(QTextOption.WrapMode.WrapAnywhere)
        laid.setTextOption(option)
        laid.setFormats([_heavier(text, mark) for mark in marks])
        laid.beginLayout()
        laid.createLine().setLineWidth(width)
        laid.endLayout()
        return laid

    def _with_mark_in_view(self, text: str, marks: Marks, width: int) -> tuple[str, Marks]:
        metrics = QFontMetrics(self._font)
        end = metrics.horizontalAdvance(text[: marks[0][1]])
        if end <= width * _IN_VIEW:
            return text, marks
        too_long = end - round(width * _AHEAD)
        start = 0
        while start < marks[0][0] and metrics.horizontalAdvance(text[:start]) < too_long:
            start += 1
        return cut_before_mark(text, marks, start)


def _heavier(text: str, mark: tuple[int, int]) -> QTextLayout.FormatRange:
    start, stop = mark
    marked = QTextLayout.FormatRange()
    marked.start = utf16.length(text[:start])
    marked.length = utf16.length(text[start:stop])
    heavy = QTextCharFormat()
    heavy.setFontWeight(QFont.Weight.DemiBold)
    heavy.setForeground(QColor(appearance.theme.text))
    marked.format = heavy
    return marked
