"""DetailPane: the card with everything about the selected model: what it is good for and how it runs here in sentences,
what it takes of the memory, its facts as labels with values, one a line, what engineers ask behind a fold, and the
buttons of its actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from resources.language.text import mark, tr
from ui.context import ModelsContext
from ui.dialogs.confirmation import confirm
from ui.intents.models import Download
from ui.models.row_words import ICONS, RowAction, intent_of, menu_actions, open_download, progress_line, share, why_kept
from ui.state.models import DownloadState, DownloadView, FitLevel, FitView, ModelDetail, ModelRow, ModelState
from ui.theme.long_texts import breakable, cut
from ui.theme.phrases import of_machine, size
from ui.theme.theme import ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.blocks import Block, Blocks, UsageBar
from ui.widgets.elided_text import without_middle
from ui.widgets.face_button import ActionButton, ButtonFace
from ui.widgets.gauge import Gauge, Part
from ui.widgets.layouts import Placed, held, in_column, in_row, steady
from ui.widgets.push_button import FoldButton
from ui.widgets.scroll_area import ScrollArea
from ui.widgets.settings_group import named, plain_label, show_words, text_label
from ui.widgets.switch import Switch


def ask_to_cancel(parent: QWidget, name: str, download: DownloadView, cancel: Callable[[], object]) -> None:
    """Call `cancel` if the user agrees, or at once if nothing of the model `name` is here yet."""
    if not download.done:
        cancel()
        return
    question = tr("Cancel the download of {name}?", name=name)
    about = tr("What is here already, {done}, is deleted.", done=size(download.done))
    confirm(parent.window(), question, about, tr("Delete"), cancel, tr("Keep"))


_USE, _USE_ANYWAY = mark("Use in this chat"), mark("Use anyway")
_DOWNLOAD_ANYWAY = mark("Download anyway")
_LISTED = (
    *(RowAction.NEW_CHAT, RowAction.DOWNLOAD, RowAction.CONTINUE),
    *(RowAction.TRY_AGAIN, RowAction.PAUSE, RowAction.CANCEL),
)
"""The actions that a row has as buttons."""
_OTHERS = (RowAction.FILES, RowAction.SETTINGS, RowAction.REMOVE)

_BUTTON_GAP_PX = 8


class DetailButtons(QWidget):
    """`requested` carries an intent, `settings_requested` the id of the model whose settings are wanted. `used` is
    emitted after a model was picked: all chats are answered by it.
    """

    settings_requested = Signal(str)
    used = Signal()

    def __init__(self, context: ModelsContext) -> None:
        super().__init__()
        self._context = context
        self._detail: ModelDetail | None = None
        self._answering = ""
        self.act = {action: ActionButton(_face(action)) for action in (RowAction.USE, *_LISTED, *_OTHERS)}
        self.use, self.files, self.settings, self.remove = (self.act[one] for one in (RowAction.USE, *_OTHERS))
        self.head = Switch(tr("Faster answers"))
        self.head_label = text_label("", "detailMuted", 13)
        self._all = tuple(self.act.values())
        self._head = held(in_row(Placed(self.head_label), self.head, spacing=-1, margins=(0, 0, 0, 4)))
        self._lines = tuple(in_row(Placed(), spacing=_BUTTON_GAP_PX) for _ in range(3))
        self.column = in_column(self._head, *self._lines, spacing=_BUTTON_GAP_PX, of=self)
        self._arrange()
        for action, button in self.act.items():
            button.clicked.connect(lambda _on=False, action=action: self._act(action))

    def _arrange(self) -> None:
        """Fill one line after the other, the main button first."""
        line, placed = 0, list[ActionButton]()
        for button in self._all:
            if not self._fits([*placed, button]) and placed and line + 1 < len(self._lines):
                line, placed = line + 1, []
            if self._lines[line].indexOf(button) != len(placed):
                self._lines[line].insertWidget(len(placed), button)
            placed.append(button)

    def _fits(self, buttons: list[ActionButton]) -> bool:
        shown = [button.sizeHint().width() for button in buttons if not button.isHidden()]
        return sum(shown) + _BUTTON_GAP_PX * (len(shown) - 1) <= self.width()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Use the room."""
        super().resizeEvent(event)
        self._arrange()

    def set_answering(self, model: str) -> None:
        """Offer to use another model than `model` in the chat in front, or any in a new chat if none is open ("")."""
        self._answering = model
        if self._detail is not None:
            self.show_detail(self._detail)

    def show_detail(self, detail: ModelDetail) -> None:
        """Offer what can be done with this model."""
        former, self._detail = self._detail, detail
        if former is None or former.head != detail.head:
            self.head.set_on(detail.head is not None and detail.head.wanted)
        row, why_not, is_large = detail.row, why_kept(detail.row), detail.row.fit.level is FitLevel.TOO_LARGE
        offered = menu_actions(row)
        can_use = RowAction.NEW_CHAT in offered and bool(self._answering)
        self.use.setVisible(can_use and not (row.loaded and row.id == self._answering))
        self.use.set_face(ButtonFace(tr(_USE_ANYWAY if is_large else _USE), primary=True))
        for action in _LISTED:
            self.act[action].setVisible(action in offered and not (can_use and action is RowAction.NEW_CHAT))
        download = tr(_DOWNLOAD_ANYWAY if is_large else RowAction.DOWNLOAD)
        self.act[RowAction.DOWNLOAD].set_face(ButtonFace(download, "download", primary=True))
        self._head.setVisible(detail.head is not None and RowAction.DOWNLOAD in offered)
        self.head_label.setText(tr("Faster answers: +{size}", size=size(detail.head.size)) if detail.head else "")
        self.files.setVisible(RowAction.FILES in offered)
        self.settings.setVisible(detail.settings is not None)
        self.remove.setVisible(RowAction.REMOVE in offered)
        self.remove.setEnabled(not why_not)
        self.remove.setToolTip(why_not)
        self.remove.setAccessibleDescription(why_not)
        self.setVisible(any(not button.isHidden() for button in self._all))
        self._arrange()

    def _act(self, action: RowAction) -> None:
        assert self._detail is not None, "buttons are shown for a model only"
        self.act_on(self._detail.row, action)

    def act_on(self, row: ModelRow, action: RowAction) -> None:
        """Do an action of a row. Ask first if it deletes what is on the disk."""
        if action is RowAction.SETTINGS:
            self.settings_requested.emit(row.id)
            return
        shown = self._detail if self._detail is not None and self._detail.row.id == row.id else ModelDetail(row)
        wanted = intent_of(action, row, shown.revision)
        if action is RowAction.DOWNLOAD and shown.revision and shown.head and self.head.isChecked():
            wanted = Download(row.repository or row.id, shown.revision, shown.head.repository)
        send, download = partial(self._context.send, wanted), open_download(row)
        if action is RowAction.CANCEL and download is not None:
            ask_to_cancel(self, row.name, download, send)
        elif action is RowAction.REMOVE:
            about = tr("Its files are deleted. Chats stay, and another model can answer in them.")
            confirm(self.window(), tr("Remove {name}?", name=row.name), about, tr("Remove"), send)
        else:
            send()
        if action is RowAction.USE:
            self.used.emit()


def _face(action: RowAction) -> ButtonFace:
    icon = "" if action is RowAction.CANCEL else ICONS.get(action, "")
    return ButtonFace(tr(action), icon, primary=action is RowAction.NEW_CHAT)


_STRIP_PX = 16
_CELL_GAP_PX = 2.0
_LEAST_CELL_PX = 3.0
_COLOURS = {
    "attention": "accent",
    "window": "window_layer",
    "recurrent": "recurrent_layer",
    "mixed": "mixed_layer",
    "none": "field",
}


class LayerStrip(Blocks):
    """Cells of one width from the first layer to the last. If there are very many, the gaps shrink."""

    def __init__(self) -> None:
        super().__init__()
        self._layers: tuple[str, ...] = ()
        self.setFixedHeight(_STRIP_PX)

    def set_layers(self, layers: tuple[str, ...], text: str) -> None:
        """Show these kinds of layers; `text` says them in words."""
        self._layers = layers
        self.setAccessibleName(tr("Layers: {text}", text=text))
        self.setToolTip(plain_tip(text))
        self.update()

    def cells(self) -> list[QRectF]:
        """The cells from left to right."""
        count = len(self._layers)
        if not count:
            return []
        gap = min(_CELL_GAP_PX, max(0.0, (self.width() - count * _LEAST_CELL_PX) / count))
        width = (self.width() + gap) / count
        return [QRectF(number * width, 0, width - gap, _STRIP_PX) for number in range(count)]

    def blocks(self) -> Iterable[Block]:
        """The cells in the colours of their layers."""
        for layer, cell in zip(self._layers, self.cells(), strict=True):
            yield Block(cell, _COLOURS.get(layer, "field"), 2)


_GAUGE_NAME = mark("Memory on this Mac: {said}"), mark("Memory on this computer: {said}")


def parts(fit: FitView) -> tuple[Part, ...]:
    """The parts from left to right."""
    return (
        Part(tr("weights"), fit.weights, "accent"),
        Part(tr("chats"), fit.caches, "chats_share"),
        Part(tr("other apps"), fit.others, "others_share"),
        Part(tr("free", "memory"), fit.free, "rim"),
    )


_LINE_PX = 27
_PAD_PX = 5
_GAP_PX = 12


class FactsTable(QWidget):
    """Lines that are used again for other facts, so that an update does not flicker."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[FactLine] = []
        self._column = in_column(of=self)

    def show_facts(self, facts: tuple[tuple[str, str], ...]) -> None:
        """Show these facts instead of the ones before."""
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
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
        super().__init__(textFormat=Qt.TextFormat.PlainText, alignment=right | Qt.AlignmentFlag.AlignTop)
        named(self, "factValue", 13)
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
        path = without_middle(self._value, self.fontMetrics(), self.width())
        self.setText(breakable(self._value) if self.wordWrap() else path)


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

    def __init__(self, context: ModelsContext) -> None:
        super().__init__()
        self.detail: ModelDetail | None = None
        self.setObjectName("modelDetail")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.buttons = DetailButtons(context)
        self.title = text_label("", "detailTitle", ui_font(15, QFont.Weight.DemiBold))
        self.subtitle = text_label("", "detailMuted", 13)
        self.note = text_label("", "trouble", 13)
        self.progress = text_label("", "detailMuted", 13)
        self.bar = UsageBar()
        self.gauge = Gauge()
        self.about = text_label("", "detailText", 13)
        self.runs = text_label("", "detailText", 13)
        self.strip = LayerStrip()
        self.layers_text = text_label("", "detailMuted", 12)
        self.facts, self.technical = FactsTable(), FactsTable()
        self.card = text_label("", "detailText", 13, 2 * _LONGEST_CARD)
        self.card.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._lay_out()

    def _lay_out(self) -> None:
        self._note = _section("", (self.note,))
        self._download = _section("", (self.progress, self.bar), 8)
        self._words = _section("", (self.about, self.runs), 6)
        self._memory = _section(of_machine(*_MEMORY), (self.gauge,), 10)
        self._facts = _section("", (self.facts,))
        self._layers = _section(tr("Layers"), (self.strip, self.layers_text), 7)
        self._details = held(in_column(self._layers, 6, self.technical))
        folded = tr("Technical details"), tr("Hide technical details")
        self.fold_button = FoldButton("technicalDetails", *folded, self._details)
        self._technical = _section("", (held(in_row(self.fold_button, Placed())), self._details))
        self._card = _section(tr("Model card"), (self.card,), 6)
        inside = named(QWidget(), "detailInside")
        sections = (self._words, self._note, self._download, self._memory, self._facts, self._technical, self._card)
        parts = (self.title, 3, self.subtitle, *sections, Placed())
        self._column = in_column(*parts, margins=(_SIDE_PX, 19, _SIDE_PX, 0), of=inside)
        self.content = ScrollArea("detailScroll")
        self.content.setMinimumHeight(1)  # Qt would insist on some lines, and take their room from the buttons
        self.content.setWidget(inside)
        for changing in (inside, self.buttons):
            changing.installEventFilter(self)
        self.content.viewport().setObjectName("detailView")
        foot = in_column(self.buttons, margins=(_SIDE_PX, _FOOT_PX - 3, _SIDE_PX, _FOOT_PX))
        self.rule = steady(named(QFrame(), "detailRule"))
        self.content.verticalScrollBar().rangeChanged.connect(lambda _least, most: self.rule.setVisible(most > 0))
        self._whole = in_column(Placed(self.content), self.rule, foot, of=self)

    def show_detail(self, detail: ModelDetail) -> None:
        """Show everything about a model."""
        is_other = not self._shows(detail.row)
        self.detail = detail = self._with_known(detail)
        self.setAccessibleName(tr("About {name}", name=detail.row.name))
        show_words(self.subtitle, breakable(" · ".join(filter(None, (detail.publisher, detail.licence)))))
        show_words(self.about, detail.about)
        self.strip.set_layers(detail.layers, detail.layers_text)
        self.layers_text.setText(detail.layers_text)
        self._layers.setVisible(bool(detail.layers))
        self.facts.show_facts(detail.facts)
        self._facts.setVisible(bool(detail.facts))
        self.technical.show_facts(detail.technical)
        self._technical.setVisible(bool(detail.layers or detail.technical))
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
        told = {name: getattr(known, name) for name in ("layers", "layers_text", "facts", "technical", "about")}
        return replace(detail, row=row, **told)

    def _show_row(self, row: ModelRow) -> None:
        self.title.setText(breakable(row.name))
        self.note.setText(breakable(row.note))
        download = open_download(row)
        said = download is not None and row.note in download.text  # an error of the hub may come from both
        self._note.setVisible(bool(row.note) and not said)
        self._download.setVisible(download is not None)
        if download is not None:
            self.progress.setText("\n".join(filter(None, (progress_line(download), breakable(download.text)))))
            self.bar.set_share(share(download))
            self.bar.setVisible(bool(download.done) or download.state is not DownloadState.FAILED)
        self._memory.setVisible(bool(row.fit.weights))
        memory = parts(row.fit)
        words = ", ".join(part.words for part in memory)
        self.gauge.show_parts(memory, of_machine(*_GAUGE_NAME, said=words), row.fit.text)
        assert self.detail is not None, "a row is shown as a part of a detail"
        show_words(self.runs, " ".join(filter(None, (row.fit.text, self.detail.speed))))
        self._words.setVisible(bool(self.about.text() or self.runs.text()))
        self.buttons.show_detail(self.detail)
        self._settle()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fit the height to the content at this width."""
        super().resizeEvent(event)
        self._settle()
        self._whole.setGeometry(self.contentsRect())  # while it is being shown, Qt tells it of the first height only

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Fit the height again if a part inside has another height."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._settle()
        return super().eventFilter(watched, event)

    def _settle(self) -> None:
        for layout in (self._column, self.buttons.column):
            layout.activate()  # Qt would count parts that were shown or hidden only after the next event
        # more may come from the hub: the card takes all the room until then, so that no button moves
        may_grow = self.detail is not None and self.detail.row.state is ModelState.REMOTE and not self.detail.settled
        self.setMaximumHeight(_UNBOUNDED_PX if may_grow else self._content_height())
        self.updateGeometry()

    def _content_height(self) -> int:
        foot = self.buttons.sizeHint().height() if not self.buttons.isHidden() else 0
        bar = self.content.verticalScrollBar().sizeHint().width()  # shown once, Qt would keep it for a line it makes
        return self._column.heightForWidth(self.width() - 2 - bar) + 2 * _FOOT_PX - 2 + foot + 2

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The whole content."""
        return QSize(WIDTH_PX, self._content_height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """It scrolls if there is less room."""
        return QSize(240, 120)


def _section(heading: str, parts: tuple[QWidget, ...], gap: int = 0) -> QWidget:
    """A heading above its parts, with a gap before it. Hidden, it takes no room."""
    headings = (text_label(heading, "detailTitle", ui_font(13, QFont.Weight.DemiBold)),) if heading else ()
    return held(in_column(*headings, *parts, spacing=gap, margins=(0, _SECTION_PX, 0, 0)))
