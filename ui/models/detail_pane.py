"""DetailPane: the card with everything about the selected model. Its facts are labels with values, one a line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSizePolicy, QWidget

from resources.language.text import mark, tr
from ui.context import ModelsContext
from ui.models.detail_buttons import DetailButtons
from ui.models.layer_strip import LayerStrip
from ui.models.memory_gauge import MemoryGauge
from ui.models.row_words import open_download, progress_line, share
from ui.state.models import FitView, ModelDetail, ModelRow, ModelState
from ui.theme.long_texts import breakable, cut
from ui.theme.phrases import of_machine
from ui.theme.theme import ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.blocks import UsageBar
from ui.widgets.elided_text import without_middle
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.settings_group import plain_label, text_label

_LINE_PX = 27
_PAD_PX = 5
_GAP_PX = 12


class FactsTable(QWidget):
    """Lines that are used again for other facts, so that an update does not flicker."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines: list[FactLine] = []
        self._column = in_column(of=self)

    def show_facts(self, facts: Iterable[tuple[str, str]]) -> None:
        """Show these facts instead of the ones before."""
        facts = tuple(facts)
        while len(self.lines) < len(facts):
            self.lines.append(FactLine())
            self._column.addWidget(self.lines[-1])
        for number, line in enumerate(self.lines):
            line.setVisible(number < len(facts))
            if number < len(facts):
                line.show_fact(*facts[number])


class FactLine(QWidget):
    """A label at the left, its value at the right. A value of several words wraps, a path is shortened."""

    def __init__(self) -> None:
        super().__init__()
        self.name = plain_label("factName", 13)
        self.name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.value = _FactValue()
        name = Placed(self.name, 0, Qt.AlignmentFlag.AlignTop)
        in_row(name, Placed(self.value), spacing=_GAP_PX, margins=(0, _PAD_PX, 0, _PAD_PX), of=self)
        self.setMinimumHeight(_LINE_PX)

    def show_fact(self, name: str, value: str) -> None:
        """Show another fact."""
        self.name.setText(cut(name))
        self.value.say(value)


class _FactValue(QLabel):
    def __init__(self) -> None:
        super().__init__(textFormat=Qt.TextFormat.PlainText)
        self.setObjectName("factValue")
        self.setFont(ui_font(13))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
        self.setAlignment(right | Qt.AlignmentFlag.AlignTop)
        self._value = ""

    def say(self, value: str) -> None:
        self._value = value
        self.setWordWrap(" " in value)
        self.setAccessibleName(value)
        self.setToolTip("" if " " in value else plain_tip(value))
        self._fit()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for a few letters: a value never makes the card wider."""
        return QSize(24, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Shorten a path to the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        shortened = without_middle(self._value, self.fontMetrics(), self.width())
        self.setText(breakable(self._value) if self.wordWrap() else shortened)


WIDTH_PX = 318
_LONGEST_CARD = 21_000
"""Characters. The app sends no more, with a sentence that there are."""
_MEMORY = mark("Memory on this Mac"), mark("Memory on this computer")
_SIDE_PX = 20
_SECTION_PX = 18
_FOOT_PX = 18
_UNBOUNDED_PX = 16777215


class DetailPane(QFrame):
    """Shows a `ModelDetail`, and its row again if only that changes. It is as high as its content, if there is room;
    otherwise the content scrolls above the buttons.
    """

    def __init__(self, context: ModelsContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.detail: ModelDetail | None = None
        self.setObjectName("modelDetail")
        self.content = QScrollArea()
        self.content.setObjectName("detailScroll")
        self.content.setFrameShape(QFrame.Shape.NoFrame)
        self.content.setWidgetResizable(True)
        self.content.setMinimumHeight(1)  # Qt would insist on some lines, and take their room from the buttons
        self.content.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.content.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.buttons = DetailButtons(context)
        self._build()
        self._lay_out()

    def _build(self) -> None:
        self.title = _label("detailTitle", 15, QFont.Weight.DemiBold)
        self.subtitle = _label("detailMuted", 13)
        self.note = _label("trouble", 13)
        self.progress = _label("detailMuted", 13)
        self.bar = UsageBar()
        self.gauge = MemoryGauge()
        self.fit = _label("detailMuted", 12)
        self.strip = LayerStrip()
        self.layers_text = _label("detailMuted", 12)
        self.facts = FactsTable()
        self.card = text_label("", "detailText", 13, 2 * _LONGEST_CARD)
        self.card.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def _lay_out(self) -> None:
        self._memory = _Section(of_machine(*_MEMORY), (self.gauge, self.fit), 10)
        self._layers = _Section(tr("Layers"), (self.strip, self.layers_text), 7)
        self._download = _Section("", (self.progress, self.bar), 8)
        self._note = _Section("", (self.note,), 0)
        self._facts = _Section("", (self.facts,), 0)
        self._card = _Section(tr("Model card"), (self.card,), 6)
        inside = QWidget()
        inside.setObjectName("detailInside")
        sections = (self._note, self._download, self._memory, self._layers, self._facts, self._card)
        self._column = in_column(
            *(self.title, 3, self.subtitle, *sections, Placed()), margins=(_SIDE_PX, 19, _SIDE_PX, 0), of=inside
        )
        self.content.setWidget(inside)
        for changing in (inside, self.buttons):
            changing.installEventFilter(self)
        self.content.viewport().setObjectName("detailView")
        foot = in_column(self.buttons, margins=(_SIDE_PX, _FOOT_PX - 2, _SIDE_PX, _FOOT_PX))
        in_column(Placed(self.content), foot, of=self)

    def show_detail(self, detail: ModelDetail) -> None:
        """Show everything about a model."""
        is_other = not self._shows(detail.row)
        self.detail = detail = self._with_known(detail)
        self.setAccessibleName(tr("About {name}", name=detail.row.name))
        self.subtitle.setText(breakable(" · ".join(filter(None, (detail.about, detail.publisher, detail.licence)))))
        self.subtitle.setVisible(bool(self.subtitle.text()))
        self.strip.set_layers(detail.layers, detail.layers_text)
        self.layers_text.setText(detail.layers_text)
        self._layers.setVisible(bool(detail.layers))
        self.facts.show_facts(detail.facts)
        self._facts.setVisible(bool(detail.facts))
        self.card.setText(breakable(detail.card, _LONGEST_CARD))
        self._card.setVisible(bool(detail.card))
        self._show_row(detail.row)
        if is_other:
            self.content.verticalScrollBar().setValue(0)

    def show_row(self, row: ModelRow) -> None:
        """Update what the list says of the model. The rest stays if it is the same model."""
        if self.detail is not None and self._shows(row):
            self.detail = replace(self.detail, row=row)
            self._show_row(row)
        else:
            self.show_detail(ModelDetail(row))

    def _shows(self, row: ModelRow) -> bool:
        """Whether this model is shown already. A model of the hub gets another id once it is on this machine."""
        if self.detail is None:
            return False
        shown = self.detail.row
        return shown.id == row.id or bool(row.repository and row.repository == shown.repository)

    def _with_known(self, detail: ModelDetail) -> ModelDetail:
        """Keep the facts on the screen until a model that was just downloaded has been inspected."""
        known = self.detail
        if known is None or not self._shows(detail.row) or detail.facts or detail.row.note:
            return detail
        row = detail.row if detail.row.fit.weights else replace(detail.row, fit=known.row.fit)
        return replace(detail, row=row, layers=known.layers, layers_text=known.layers_text, facts=known.facts)

    def _show_row(self, row: ModelRow) -> None:
        self.title.setText(breakable(row.name))
        self.note.setText(breakable(row.note))
        download = open_download(row)
        said = download is not None and row.note in download.text  # an error of the hub may come from both
        self._note.setVisible(bool(row.note) and not said)
        self._show_download(row)
        self._show_fit(row.fit)
        assert self.detail is not None, "a row is shown as a part of a detail"
        self.buttons.show_detail(self.detail)
        self._settle()

    def _show_download(self, row: ModelRow) -> None:
        download = open_download(row)
        self._download.setVisible(download is not None)
        if download is not None:
            self.progress.setText("\n".join(filter(None, (progress_line(download), breakable(download.text)))))
            self.bar.set_share(share(download))

    def _show_fit(self, fit: FitView) -> None:
        self._memory.setVisible(bool(fit.weights))
        self.gauge.set_fit(fit)
        self.fit.setText(fit.text)
        self.fit.setVisible(bool(fit.text))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fit the height to the content at this width."""
        super().resizeEvent(event)
        self._settle()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Fit the height again if a part inside has another height."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._settle()
        return super().eventFilter(watched, event)

    def _settle(self) -> None:
        for layout in (self._column, self.buttons.column):
            layout.activate()  # Qt would count parts that were shown or hidden only after the next event
        self.setMaximumHeight(_UNBOUNDED_PX if self._may_grow() else self._content_height())
        self.updateGeometry()

    def _may_grow(self) -> bool:
        """Whether more may come from the hub. The card takes all the room until then, so that no button moves."""
        return self.detail is not None and self.detail.row.state is ModelState.REMOTE

    def _content_height(self) -> int:
        foot = self.buttons.sizeHint().height() if not self.buttons.isHidden() else 0
        return self._column.heightForWidth(self.width() - 2) + 2 * _FOOT_PX - 2 + foot + 2

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The whole content."""
        return QSize(WIDTH_PX, self._content_height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """It scrolls if there is less room."""
        return QSize(240, 120)


class _Section(QWidget):
    """A heading above its parts, with a gap before it. Hidden, it takes no room."""

    def __init__(self, heading: str, parts: tuple[QWidget, ...], gap: int) -> None:
        super().__init__()
        headings: list[QLabel] = []
        if heading:
            headings.append(_label("detailTitle", 13, QFont.Weight.DemiBold))
            headings[0].setText(heading)
        in_column(*headings, *parts, spacing=gap, margins=(0, _SECTION_PX, 0, 0), of=self)


def _label(name: str, pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QLabel:
    label = text_label("", name, pixels)
    label.setFont(ui_font(pixels, weight))
    return label
