"""AttachmentChips: the row of files attached to the draft. `AttachDialog` asks for more files or a folder of code."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from PySide6.QtCore import QDir, QFileInfo, QItemSelectionModel, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QFileSystemModel,
    QGridLayout,
    QLabel,
    QListView,
    QSizePolicy,
    QWidget,
)

from resources.language.text import number, tr
from ui.context import Context, PageContext
from ui.intents.chat import Detach, ShowFile
from ui.state.chat import MOST_CHIPS, AttachmentView
from ui.theme.appearance import appearance
from ui.theme.long_texts import cut, shortened
from ui.theme.theme import draw_icon, ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.elided_text import draw_elided, without_middle
from ui.widgets.file_dialog import FileDialog
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import discard
from ui.widgets.push_button import PushButton
from ui.widgets.scroll_area import ScrollArea
from ui.widgets.settings_group import named
from ui.widgets.shapes import draw_shape, smooth_painter

_CLICKING_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_HEIGHT_PX = 32
_MOST_ROWS = 3
_ICON_PX = 15
_PAD_PX = 9
_GAP_PX = 7
_CLOSE_PX = 20
_NAME_PX = 200
_RADIUS_PX = 9


class AttachmentChips(ScrollArea):
    """One chip for each file, in rows, but for a number if there are more than MOST_CHIPS. They are hidden without
    files. More than three rows scroll.

    While a message is edited, its files are shown before those of the `draft`. `taken_off` has the ids of those that
    the user removed, which `taken` reports: they stay with the message as it was.
    """

    taken = Signal()

    def __init__(self, context: PageContext) -> None:
        super().__init__("attachments")
        self._context = context
        self.setAccessibleName(tr("Attached files"))
        self.draft: tuple[AttachmentView, ...] = ()
        self._edited: tuple[AttachmentView, ...] = ()
        self.taken_off: tuple[str, ...] = ()
        self._files: tuple[AttachmentView, ...] = ()
        self._chips: dict[AttachmentView, AttachmentChip] = {}
        self._inside = named(QWidget(), "attachmentRow")
        self._rest = named(QLabel(self._inside), "", 12)
        self.setWidget(self._inside)
        self.setFixedHeight(_HEIGHT_PX)
        self.hide()

    def set_attachments(self, attachments: tuple[AttachmentView, ...]) -> None:
        """Show these files of the draft. Files that were already shown keep their chips."""
        self.draft = attachments
        self._show()

    def set_edited(self, files: tuple[AttachmentView, ...]) -> None:
        """Show the files of a message that is edited, too. None end that."""
        self._edited, self.taken_off = files, ()
        self._show()

    def _show(self) -> None:
        attachments = (*self._edited, *self.draft)
        if attachments == self._files:
            return
        self._files, shown = attachments, attachments[:MOST_CHIPS]
        self._rest.setText(f"+{number(len(attachments) - MOST_CHIPS)}" if attachments != shown else "")
        discard(map(self._chips.pop, set(self._chips) - set(shown)))
        for file in shown:
            if file not in self._chips:
                self._chips[file] = AttachmentChip(Context(self._context.store, self._ask), file, self._inside)
                self._chips[file].show()
        self._arrange()
        self.setVisible(bool(attachments))

    def chips(self) -> list[AttachmentChip]:
        """The chips, from left to right."""
        return [self._chips[file] for file in self._files[:MOST_CHIPS]]

    def _ask(self, intent: Detach | ShowFile) -> None:
        if not isinstance(intent, Detach) or all(file.id != intent.attachment for file in self._edited):
            self._context.send(intent)
            return
        self._edited = tuple(file for file in self._edited if file.id != intent.attachment)
        self.taken_off = (*self.taken_off, intent.attachment)
        self._show()
        self.taken.emit()

    def _arrange(self) -> None:
        """Put the chips beside each other, and on the next row what does not fit."""
        room, x, y = self.viewport().width(), 0, 0
        chips = self.chips()
        for part in (*chips, self._rest) if self._rest.text() else chips:
            width = part.sizeHint().width()
            if x and x + width > room:
                x, y = 0, y + _HEIGHT_PX + _GAP_PX
            part.setGeometry(x, y, width, _HEIGHT_PX)
            x += width + _GAP_PX
        for before, after in pairwise(stop for chip in chips for stop in (chip, chip.close_button)):
            QWidget.setTabOrder(before, after)
        self._inside.setMinimumHeight(y + _HEIGHT_PX)
        self.setFixedHeight(min(y + _HEIGHT_PX, _MOST_ROWS * (_HEIGHT_PX + _GAP_PX) - _GAP_PX))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Another width has room for other rows."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._arrange()


class AttachmentChip(QWidget):
    """A file's name and size, and a cross that removes it. A click, Return or space shows what the model is given."""

    def __init__(
        self, context: Context[Detach | ShowFile], file: AttachmentView, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._context = context
        self.file = file
        self.setFont(ui_font(12))
        metrics = QFontMetrics(self.font())
        self.name = without_middle(file.name, metrics, _NAME_PX)
        self._name_px = metrics.horizontalAdvance(self.name)
        self._detail = cut(file.detail)
        self.setAccessibleName(" · ".join(filter(None, (file.name, file.detail))))
        words = "\n".join(filter(None, (self.accessibleName(), file.left_out)))
        tip = tr("{file}\nClick to see what the model is given", file=words)
        self.setToolTip(plain_tip(words if file.is_pending else tip))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if file.is_pending else Qt.FocusPolicy.TabFocus)
        self.setFixedHeight(_HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.close_button = IconButton(
            "x",
            tr("Remove {name}", name=file.name),
            self,
            pixels=(13, _CLOSE_PX),
            act=lambda: self._context.send(Detach(file.id)),
        )

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for icon, name, detail and cross. A long name is elided."""
        detail = QFontMetrics(self.font()).horizontalAdvance(self._detail) + _GAP_PX if self._detail else 0
        return QSize(_PAD_PX + _ICON_PX + 3 * _GAP_PX + self._name_px + detail + _CLOSE_PX, _HEIGHT_PX)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Take the click: the message box behind the chip must not."""
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Show the file if the button is released over its chip."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._show_file()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Show the file on Return and space; remove it on Delete."""
        if event.key() in _CLICKING_KEYS:
            self._show_file()
        elif event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self.close_button.click()
        else:
            super().keyPressEvent(event)

    def _show_file(self) -> None:
        if not self.file.is_pending:
            self._context.send(ShowFile(self.file.id))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Keep the cross at the right edge."""
        super().resizeEvent(event)
        self.close_button.move(self.width() - _CLOSE_PX - _GAP_PX + 1, (_HEIGHT_PX - _CLOSE_PX) // 2)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the chip, its icon and its text."""
        painter = smooth_painter(self)
        edge = appearance.theme.accent if self.hasFocus() else appearance.theme.hairline
        draw_shape(painter, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS_PX, appearance.theme.page, edge)
        corner = QPoint(_PAD_PX, (_HEIGHT_PX - _ICON_PX) // 2)
        draw_icon(painter, self.file.icon, appearance.theme.muted, _ICON_PX, corner)
        line = self.rect().adjusted(_PAD_PX + _ICON_PX + _GAP_PX, 0, -_GAP_PX, 0)
        draw_elided(painter, line, self.name, self.font(), appearance.theme.text)
        line.setLeft(line.left() + self._name_px + _GAP_PX)
        draw_elided(painter, line, self._detail, self.font(), appearance.theme.muted)


_LONGEST_NAME: Final = 32


class AttachDialog(FileDialog):
    """Asks for files. `filesSelected` carries their paths, or that of one folder.

    Qt's own dialog only enters a folder that is opened there. So it gets a button that attaches the selected folder, or
    the one that it shows. The system's dialog cannot have that button; the menu asks for a folder there.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, tr("Attach files"))
        self.setObjectName("attachDialog")
        self.setFileMode(QFileDialog.FileMode.ExistingFiles)
        self.finished.connect(self.deleteLater)
        self._folder = ""
        self._selection: QItemSelectionModel | None = None
        self.folder_button = PushButton("", "attachThisFolder", self._attach_folder)
        if isinstance(layout := self.layout(), QGridLayout):  # the types of files have that place, one for all
            for kind, name in ((QLabel, "fileTypeLabel"), (QComboBox, "fileTypeCombo")):
                if isinstance(found := self.findChild(kind, name), kind):
                    found.hide()
            layout.addWidget(self.folder_button, layout.rowCount() - 1, 1, Qt.AlignmentFlag.AlignLeft)
        # Qt's own signals leave out folders that were typed, and a click on the row that was current before
        shown, files = self.findChild(QFileSystemModel), self.findChild(QListView, "listView")
        if isinstance(shown, QFileSystemModel) and isinstance(files, QListView):
            shown.rootPathChanged.connect(self._offer)
            self._selection = files.selectionModel()
            self._selection.selectionChanged.connect(self._offer)
        self._offer()

    def _offer(self, *_: object) -> None:
        """Offer the folder that is selected alone, or the one that is shown."""
        rows = self._selection.selectedRows() if self._selection is not None else []
        selected = [str(row.data(QFileSystemModel.Roles.FilePathRole)) for row in rows]
        shown = self.directory().absolutePath()
        lies_here = len(selected) == 1 and QFileInfo(selected[0]).absolutePath() == shown
        self._folder = selected[0] if lies_here and QFileInfo(selected[0]).isDir() else shown
        name = shortened(QDir(self._folder).dirName() or self._folder, _LONGEST_NAME)
        self.folder_button.setText(tr("Attach the folder “{name}”", name=name).replace("&", "&&"))

    def _attach_folder(self) -> None:
        self.filesSelected.emit([self._folder])
        self.done(QDialog.DialogCode.Accepted)


class FolderDialog(FileDialog):
    """Asks for a folder of code. `filesSelected` carries its path."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, tr("Attach a folder"))
        self.setObjectName("attachFolderDialog")
        self.setFileMode(QFileDialog.FileMode.Directory)
        self.setOption(QFileDialog.Option.ShowDirsOnly)
        self.finished.connect(self.deleteLater)
