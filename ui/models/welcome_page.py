"""WelcomePage: what the window shows at the first run, in the place of sidebar and chats."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QWidget

from resources.language.text import mark, tr
from ui.context import ModelsContext
from ui.intents.models import LookAround
from ui.models.pick_card import PickCard
from ui.state.models import ModelPick, WelcomeView
from ui.theme.phrases import of_machine
from ui.theme.theme import title_font, ui_font
from ui.widgets.face_button import ActionButton, ButtonFace
from ui.widgets.layouts import Placed, centred, in_column, in_row
from ui.widgets.paragraph import Paragraph
from ui.widgets.push_button import PushButton
from ui.widgets.theme_icons import IconLabel

_WIDTH_PX = 618
_ICON_PX = 46
_ROOMY_PX = 600
_ABOUT = (
    mark("Models run on this Mac, and every chat stays ready:\ncome back next week, and the answer starts at once."),
    mark(
        "Models run on this computer, and every chat stays ready:\ncome back next week, and the answer starts at once."
    ),
)
_FOUND = mark("Models found on this Mac"), mark("Models found on this computer")
_PRIVATE = (
    mark("Nothing leaves your Mac, except these downloads."),
    mark("Nothing leaves your computer, except these downloads."),
)
_NONE_FOUND = mark("Models you have already")
_NONE_FOUND_ABOUT = mark("Add a folder that holds some. They are used in place, never copied.")


class WelcomePage(QScrollArea):
    """Two picks to download, the models that are here already, and the built-in model.

    `models_requested` is emitted if the user wants to choose among the models on this machine.
    """

    models_requested = Signal()

    def __init__(self, context: ModelsContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.setObjectName("welcome")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.cards: tuple[PickCard, ...] = ()
        self._build()
        self._lay_out()
        self.choose_button.clicked.connect(self.models_requested)
        self.built_in_button.clicked.connect(lambda: self._context.send(LookAround()))

    def _build(self) -> None:
        self._flame = IconLabel("flame", "accent", _ICON_PX)
        self._flame.setContentsMargins(0, 0, 0, 13)
        self._title = _line(tr("Welcome to Hearth"), "welcomeTitle", title_font(30))
        self._about = Paragraph("welcomeText", ui_font(15), Qt.AlignmentFlag.AlignHCenter)
        self._about.say(of_machine(*_ABOUT))
        self.found_title = _line("", "welcomeName", ui_font(13, QFont.Weight.DemiBold))
        self.found_title.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self.found = Paragraph("welcomeText", ui_font(13))
        self._folder = IconLabel("folder", "text", 18)
        self.choose_button = ActionButton(ButtonFace(tr("Choose…")))
        self.built_in_button = PushButton(tr("Look around first with the tiny built-in model"), "builtIn")
        self.built_in_button.setFont(ui_font(13))
        self.built_in_button.setCursor(Qt.CursorShape.PointingHandCursor)
        self._private = _line(of_machine(*_PRIVATE), "welcomeText", ui_font(12))

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setObjectName("welcomeView")
        block = QWidget()
        block.setMaximumWidth(_WIDTH_PX)
        self._picks = in_row(spacing=18)
        in_column(
            *(centred(self._flame), self._title, 10, self._about, 24, self._picks, 20, self._found_card(), 18),
            *(centred(self.built_in_button), 8, self._private),
            margins=(0, 10, 0, 10),
            of=block,
        )
        middle = in_row(Placed(), Placed(block, 1000), Placed(), margins=(24, 0, 24, 0))
        in_column(Placed(), middle, Placed(), of=inside)
        self.setWidget(inside)

    def _found_card(self) -> QFrame:
        card = QFrame()
        card.setObjectName("welcomeCard")
        text = in_column(self.found_title, self.found, spacing=3)
        in_row(self._folder, Placed(text), 8, self.choose_button, spacing=12, margins=(17, 12, 17, 12), of=card)
        return card

    def show_welcome(self, view: WelcomeView) -> None:
        """Show the picks and what was found. Cards of the same picks stay."""
        if [card.pick.id for card in self.cards] != [pick.id for pick in view.picks]:
            self._replace_cards(view.picks)
        for card, pick in zip(self.cards, view.picks, strict=True):
            card.show_pick(pick)
        self.found_title.setText(of_machine(*_FOUND) if view.found else tr(_NONE_FOUND))
        self.found.say(view.found or tr(_NONE_FOUND_ABOUT))

    def _replace_cards(self, picks: tuple[ModelPick, ...]) -> None:
        for card in self.cards:
            self._picks.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = tuple(PickCard(self._context, pick, first=number == 0) for number, pick in enumerate(picks))
        for card in self.cards:
            self._picks.addWidget(card, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Leave out the flame in a low window, so that nothing else is cut off."""
        super().resizeEvent(event)
        self._flame.setVisible(event.size().height() >= _ROOMY_PX)

    def take_focus(self) -> None:
        """Take the keyboard."""
        (self.cards[0].button if self.cards else self.choose_button).setFocus(Qt.FocusReason.OtherFocusReason)


def _line(text: str, name: str, font: QFont) -> QLabel:
    label = QLabel(text, alignment=Qt.AlignmentFlag.AlignHCenter, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
    label.setObjectName(name)
    label.setFont(font)
    return label
