"""Inspector: the pane at the window's right edge about the chat in front.

It shows the chat's model, its instructions and how its answers are drawn. Its left edge can be dragged.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from resources.language.text import mark, tr
from ui.context import Context, WindowContext, follow
from ui.inspector.heading import SectionHeading
from ui.inspector.label_section import LabelSection
from ui.inspector.memory_section import MemorySection
from ui.inspector.preset_menu import PresetMenu
from ui.inspector.sampling_section import SamplingSection
from ui.intents.chat import ChatIntent, InChat
from ui.intents.chat_settings import SetSystem
from ui.intents.models import PickModel
from ui.state.chat_memory import ChatMemoryView
from ui.state.chat_settings import ChatSettingsView
from ui.state.engine import ModelView
from ui.theme.appearance import appearance
from ui.theme.theme import MAC, ui_font
from ui.widgets.edge import Edge
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.scroll_area import ScrollArea
from ui.widgets.select_button import SelectButton
from ui.widgets.settings_group import named, text_label
from ui.widgets.text_field import TextField

WIDTH_PX: Final = 296
NARROWEST_PX: Final = 272
WIDEST_PX: Final = 460
_SIDE_PX: Final = 18
_BAR_PX: Final = 0 if MAC else 10  # platform: the scroll bar lies over the content there
_TOP_PX: Final = 46
_LEAST_PX: Final = 64
_MOST_PX: Final = 220
_RIM_PX: Final = 18
_USUAL: Final = "usualPixels"
_ABOUT: Final = mark("After a change, the next message reads the chat again.")
_SAVED: Final = mark("These settings are saved with this chat.")
_NEVER_SAVED: Final = mark("This chat and its settings are never saved.")


class Inspector(QFrame):
    """`view` has the settings that it shows. `left` is emitted if the user closes the pane.

    Nothing can be changed between `turn` and the settings that the app shows then: those of before may be older than
    what the user has just typed.
    """

    left = Signal()
    width_changed = Signal(int)

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        named(self, "inspector", label=tr("This chat"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        of_chat = Context(context.store, self._ask)
        self.view: ChatSettingsView | None = None
        self._wanted = ""
        self._models: tuple[tuple[ModelView, ...], str] | None = None
        self.close_button = IconButton("panel-right", tr("Hide chat settings"), name="hideInspector", act=self.left)
        self.model = named(SelectButton(tr("Model")), "inspectorModel")
        self.instructions = InstructionsField()
        self.about_instructions = text_label(tr(_ABOUT), "footnote", 12)
        self.sampling = SamplingSection(of_chat)
        self.memory = MemorySection(of_chat)
        self.labels = LabelSection(of_chat)
        self.saved = text_label("", "footnote", 12)
        self.nothing = text_label(tr("No chat is open"), "footnote", 13)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.preset_menu = PresetMenu(context, self)
        self.edge = Edge(self, Qt.AlignmentFlag.AlignRight)
        self.foot = named(QFrame(), "inspectorFoot")  # stands below what scrolls, so that no edge cuts it off
        in_row(self.saved, spacing=-1, margins=(_SIDE_PX, 9, _SIDE_PX, 11), of=self.foot)
        self._lay_out()
        self._connect()
        self.set_width(WIDTH_PX)
        appearance.changed.connect(self._follow_theme)
        self.turn(None)
        follow(self, context.store.presets, lambda _presets: self._show_again())

    def _lay_out(self) -> None:
        self.inside = named(QWidget(), "inspectorInside")
        self.sections = in_column(
            *(SectionHeading(tr("Model")), self.model, 8),
            *(SectionHeading(tr("Instructions")), self.instructions, self.about_instructions),
            *(8, self.memory, 8, self.sampling, 8, self.labels, Placed()),
            spacing=6,
            margins=(_SIDE_PX, 4, _SIDE_PX - _BAR_PX, 14),
            of=self.inside,
        )
        self.area = ScrollArea("inspectorScroll")
        self.area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # so that nothing moves aside
        bar = self.area.verticalScrollBar()
        bar.rangeChanged.connect(lambda _, end: bar.setEnabled(end > 0))
        self.area.setWidget(self.inside)
        head = QWidget()
        head.setFixedHeight(_TOP_PX)
        title = text_label(tr("This chat"), "rowName", ui_font(15, QFont.Weight.DemiBold))
        in_row(Placed(title), self.close_button, margins=(_SIDE_PX, 1, 12, 0), of=head)
        in_column(head, Placed(self.area), Placed(self.nothing), self.foot, margins=(1, 0, 0, 0), of=self)

    def _connect(self) -> None:
        self.model.picked.connect(lambda model: self._context.send(PickModel(model)))
        self.instructions.written.connect(lambda text: self._ask(SetSystem(text)))
        self.edge.dragged.connect(self._drag)
        self.edge.reset.connect(lambda: self._drag(WIDTH_PX - self.width()))

    def _ask(self, intent: ChatIntent) -> None:
        if self.view is not None:
            self._context.send(InChat(self.view.conversation, intent))

    def turn(self, view: ChatSettingsView | None) -> None:
        """Another chat is in front, and these settings are known of it; None for no chat. What was typed for the one
        before is reported first.
        """
        self.flush()
        self.inside.setEnabled(False)  # no field has the keyboard then, so each shows the new text
        self.instructions.turn()
        self.memory.turn()
        if view is None:
            self.view = None
            self._show_parts(has_chat=False)
        else:
            self.show_known(replace(view, refused=("", "")))

    def show_settings(self, view: ChatSettingsView) -> None:
        """Show the settings that the chat in front has now."""
        self.inside.setEnabled(True)
        self.show_known(view)
        self.reveal(self._wanted)

    def show_known(self, view: ChatSettingsView) -> None:
        """Show settings of the chat in front, which may be older than those in the library."""
        self.view = view
        self._show_parts(has_chat=True)
        self.instructions.show_text(view.system, view.model_system)
        self.sampling.show_settings(view)
        self.preset_menu.fill(self.sampling.preset.choices, view, self._context.store.presets.now)
        self.labels.show_settings(view)
        self.saved.setText(tr(_NEVER_SAVED) if view.private else tr(_SAVED))

    def _show_again(self) -> None:
        if self.view is not None:
            self.show_known(self.view)

    def _show_parts(self, *, has_chat: bool) -> None:
        for part in (self.area, self.foot):
            part.setVisible(has_chat)
        self.nothing.setVisible(not has_chat)

    def reveal(self, name: str) -> None:
        """Lead to one of the `PARTS`, by its name, once the chat's settings are there."""
        self._wanted = "" if self.inside.isEnabled() else name
        if name and self.inside.isEnabled():
            part = self.sampling.rows.get(name) or self.findChildren(QWidget, name)[0]
            unfolded = self.sampling.more_button
            unfolded.setChecked(unfolded.isChecked() or self.sampling.more.isAncestorOf(part))
            self.area.reveal(part)

    def flush(self) -> None:
        """Report what was typed and not reported yet."""
        self.instructions.flush()
        self.sampling.flush()
        self.labels.flush()

    def set_models(self, models: tuple[ModelView, ...], current: str) -> None:
        """Offer `models`; `current` is the one that would answer."""
        if (models, current) != self._models:
            self._models = (models, current)
            self.model.set_choices(tuple((model.id, model.name) for model in models), current, tr("No model"))

    def set_width(self, pixels: int) -> None:
        """Take this width, within limits. Larger letters need a wider pane."""
        self._wanted_px = pixels
        self.setFixedWidth(min(max(pixels, appearance.theme.reading.pane_px(NARROWEST_PX)), WIDEST_PX))

    def _drag(self, by: int) -> None:
        self.set_width(self.width() + by)
        self.width_changed.emit(self.width())

    def show_memory(self, view: ChatMemoryView) -> None:
        """Show what is kept of the chat."""
        self.memory.show_memory(view)
        self._size_letters()

    def _size_letters(self) -> None:
        """Give all parts the user's size of letters. Each part keeps its usual size in a property."""
        for part in self.findChildren(QWidget):
            usual = part.property(_USUAL) or part.font().pixelSize()
            wanted = appearance.theme.reading.pane_px(usual)
            if part.font().pixelSize() != wanted:
                part.setProperty(_USUAL, usual)
                font = part.font()
                font.setPixelSize(wanted)
                part.setFont(font)

    def _follow_theme(self) -> None:
        self._size_letters()
        self.set_width(self._wanted_px)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The content scrolls, so the pane never makes the window higher."""
        return QSize(self.width(), 0)


class InstructionsField(TextField):
    """The instructions of a chat (its system prompt), in a field that grows with its text.

    `written` carries the text when the field rests.
    """

    written = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        named(self, "instructions", 13, tr("Instructions"))
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._known = ""
        self._shown: str | None = None
        self.textChanged.connect(self._grow)
        self.rested.connect(self.flush)
        self._grow()

    def turn(self) -> None:
        """The next text is that of another chat."""
        self._shown = None

    def show_text(self, text: str, otherwise: str) -> None:
        """Show the saved instructions; `otherwise` are those of the model. Text that is being typed stays, and so does
        what was typed since the same instructions were shown.
        """
        self.setPlaceholderText(otherwise or tr("How the model shall answer in this chat"))
        before, self._shown = self._shown, text
        if text not in {before, self._known} and self.toPlainText().strip() == self._known:
            self._known = text
            self.setPlainText(text)

    def flush(self) -> None:
        """Report the text now, if it is new."""
        text = self.toPlainText().strip()
        if text != self._known:
            self._known = text
            self.written.emit(text)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As high as the text, within limits."""
        lines = max(1, self.document().size().toSize().height())
        height = lines * self.fontMetrics().lineSpacing() + _RIM_PX
        return QSize(super().sizeHint().width(), min(max(height, _LEAST_PX), _MOST_PX))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Larger letters need more height."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self.setFixedHeight(self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Another width wraps the text into another number of lines."""
        super().resizeEvent(event)
        self.setFixedHeight(self.sizeHint().height())

    def _grow(self) -> None:
        self.setFixedHeight(self.sizeHint().height())
