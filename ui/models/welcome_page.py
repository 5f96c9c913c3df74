"""WelcomePage: what the window shows at the first run, in the place of sidebar and chats."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from resources.language.text import mark, tr
from ui.context import ModelsContext
from ui.dialogs.file_dialogs import ask_model_folder
from ui.intents import models
from ui.models.detail_pane import ask_to_cancel
from ui.models.models_page import HUB, LOCAL
from ui.models.row_words import progress_line, share
from ui.state.models import DownloadState, ModelPick, WelcomeView
from ui.theme.long_texts import breakable, cut
from ui.theme.phrases import Badge, of_machine, size
from ui.theme.theme import title_font, ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.blocks import UsageBar
from ui.widgets.face_button import ActionButton, ButtonFace
from ui.widgets.layouts import Placed, centred, discard, in_column, in_row, steady
from ui.widgets.push_button import PushButton
from ui.widgets.scroll_area import ScrollArea
from ui.widgets.settings_group import named, plain_label
from ui.widgets.theme_icons import IconLabel
from ui.widgets.tone_pill import TonePill

_LINE_PERCENT = 120  # of the font's own line height, which is about 120 % of its size


class Paragraph(QLabel):
    """Shows plain text that wraps. The style sheet colours it by its object name."""

    def __init__(self, name: str, font: int, align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft) -> None:
        super().__init__(wordWrap=True, textFormat=Qt.TextFormat.RichText, alignment=align)
        named(self, name, font)

    def say(self, words: str) -> None:
        """Show `words` as they are; nothing in them is markup."""
        self.setAccessibleName(words)
        lines = escape(cut(words)).replace("\n", "<br>")
        self.setText(f'<p style="line-height: {_LINE_PERCENT}%">{lines}</p>' if words else "")


_DOWNLOAD = ButtonFace(mark("Download"), "download")
_STOPPED = {
    DownloadState.PAUSED: ButtonFace(mark("Continue"), "download"),
    DownloadState.FAILED: ButtonFace(mark("Try again")),  # with an icon, the German words have no room beside "Cancel"
}
_PAUSE = ButtonFace(mark("Pause"), "pause")
_CHECKING = ButtonFace(mark("Checking…"))
_START = ButtonFace(mark("Start chatting"), "message-square", primary=True)


class PickCard(QFrame):
    """One pick. Its button downloads the model, pauses that, and starts a chat with it at the end. A second one cancels
    the download.
    """

    def __init__(self, context: ModelsContext, pick: ModelPick, *, first: bool) -> None:
        super().__init__()
        self._context, self._first = context, first
        named(self, "welcomeCard", label=f"{pick.label}: {pick.name}")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        pill = TonePill(Badge(pick.label, "success"))
        self.bytes = plain_label("welcomeText", 13)
        self.name = plain_label("welcomeName", 17, QFont.Weight.DemiBold)
        self.text = Paragraph("welcomeText", 13)
        self.bar = steady(UsageBar())
        self.button = named(ActionButton(_DOWNLOAD, self._act), "pickButton")
        self.button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        cancel = tr("Cancel the download of {name}", name=pick.name)
        self.cancel_button = named(ActionButton(ButtonFace(tr("Cancel")), self._cancel), "pickCancel", label=cancel)
        head = in_row(pill, Placed(), self.bytes, spacing=-1)
        buttons = in_row(Placed(self.button), self.cancel_button, spacing=8)
        parts = (head, 12, self.name, 6, self.text, Placed(), 9, self.bar, 9, buttons)
        in_column(*parts, margins=(20, 20, 20, 19), of=self)
        self.show_pick(pick)

    def show_pick(self, pick: ModelPick) -> None:
        """Show the pick as it is now. A download's progress replaces what the model takes: the card keeps its size."""
        self.pick = pick
        self.bytes.setText(size(pick.size))
        self.setToolTip(plain_tip(f"{pick.id} · {pick.licence}"))
        self.name.setText(breakable(pick.name))
        download, words = pick.download if not pick.model else None, pick.text
        if download is not None:
            words = download.text or "\n".join((pick.text.partition("\n")[0], progress_line(download)))
            self.bar.set_share(share(download))
        is_failed = download is not None and download.state is DownloadState.FAILED
        self.text.say(words)
        self.bar.setVisible(download is not None and not is_failed)  # a bar would say that something runs
        self.text.setProperty("failed", is_failed)
        self.text.style().polish(self.text)
        face = self._face()
        is_primary = face.primary or (self._first and face not in {_PAUSE, _CHECKING})
        self.button.set_face(ButtonFace(tr(face.text), face.icon, primary=is_primary))
        self.button.setEnabled(face != _CHECKING)
        self.cancel_button.setVisible(face == _PAUSE or face in _STOPPED.values())

    def _face(self) -> ButtonFace:
        if self.pick.model:
            return _START
        if self.pick.download is None:
            return _DOWNLOAD
        state = self.pick.download.state
        if state in {DownloadState.VERIFYING, DownloadState.DONE}:
            return _CHECKING
        return _STOPPED.get(state, _PAUSE)

    def _act(self) -> None:
        face = self._face()
        if face == _START:
            self._context.send(models.PickModel(self.pick.model))
            self._context.send(models.FinishWelcome())
        elif face == _PAUSE:
            self._context.send(models.PauseDownload(self.pick.id))
        else:
            self._context.send(models.Download(self.pick.id, self.pick.revision))

    def _cancel(self) -> None:
        assert self.pick.download is not None, "the button is shown for a download only"
        cancel = partial(self._context.send, models.CancelDownload(self.pick.id))
        ask_to_cancel(self, self.pick.name, self.pick.download, cancel)


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


class WelcomePage(ScrollArea):
    """Two picks to download, the models that are here already, and the built-in model.

    `models_requested` carries the list of the models page that the user wants to see.
    """

    models_requested = Signal(int)

    def __init__(self, context: ModelsContext) -> None:
        super().__init__("welcome")
        self._context = context
        self.cards: tuple[PickCard, ...] = ()
        self._flame = IconLabel("flame", "accent", _ICON_PX)
        self._flame.setContentsMargins(0, 0, 0, 13)
        self.found_title = _line("", "welcomeName", ui_font(13, QFont.Weight.DemiBold))
        self.found_title.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self.found = Paragraph("welcomeText", 13)
        self.choose_button = ActionButton(ButtonFace(), self._choose)
        look_around = tr("Look around first with the tiny built-in model")
        self.built_in_button = _link(look_around, lambda: context.send(models.LookAround()))
        self.find_button = _link(tr("Find other models"), lambda: self.models_requested.emit(HUB))
        self._lay_out()

    def _lay_out(self) -> None:
        title = _line(tr("Welcome to Hearth"), "welcomeTitle", title_font(30))
        about = Paragraph("welcomeText", 15, Qt.AlignmentFlag.AlignHCenter)
        about.say(of_machine(*_ABOUT))
        private = _line(of_machine(*_PRIVATE), "welcomeText", ui_font(12))
        self._picks = in_row(spacing=18)
        found, text = named(QFrame(), "welcomeCard"), in_column(self.found_title, self.found, spacing=3)
        parts = (IconLabel("folder", "text", 18), Placed(text), 8, self.choose_button)
        in_row(*parts, spacing=12, margins=(17, 12, 17, 12), of=found)
        links = (centred(self.built_in_button), centred(self.find_button))
        inside, block = named(QWidget(), "welcomeView"), QWidget()
        block.setMaximumWidth(_WIDTH_PX)
        above = (centred(self._flame), title, 10, about, 22, self._picks, 18, found, 16)
        in_column(*above, *links, 8, private, margins=(0, 10, 0, 10), of=block)
        middle = in_row(Placed(), Placed(block, 1000), Placed(), margins=(24, 0, 24, 0))
        in_column(Placed(), middle, Placed(), of=inside)
        self.setWidget(inside)

    def show_welcome(self, view: WelcomeView) -> None:
        """Show the picks and what was found. Cards of the same picks stay."""
        if [(card.pick.id, card.pick.label) for card in self.cards] != [(pick.id, pick.label) for pick in view.picks]:
            discard(self.cards)
            self.cards = tuple(PickCard(self._context, pick, first=at == 0) for at, pick in enumerate(view.picks))
            for card in self.cards:
                self._picks.addWidget(card, 1)
        for card, pick in zip(self.cards, view.picks, strict=True):
            card.show_pick(pick)
        self.found_title.setText(of_machine(*_FOUND) if view.found else tr(_NONE_FOUND))
        self.found.say(view.found or tr(_NONE_FOUND_ABOUT))
        self._has_found = bool(view.found)
        self.choose_button.set_face(ButtonFace(tr("Choose…") if view.found else tr("Add folder…")))

    def _choose(self) -> None:
        """Show the models on this machine. If there are none yet, ask for a folder. The app says what it has."""
        if self._has_found:
            self.models_requested.emit(LOCAL)
        else:
            ask_model_folder(self.window(), lambda path: self._context.send(models.AddModelFolder(path)))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Leave out the flame in a low window, so that nothing else is cut off."""
        super().resizeEvent(event)
        self._flame.setVisible(event.size().height() >= _ROOMY_PX)

    def take_focus(self) -> None:
        """Take the keyboard."""
        (self.cards[0].button if self.cards else self.choose_button).setFocus(Qt.FocusReason.OtherFocusReason)


def _link(text: str, act: Callable[[], object]) -> PushButton:
    button = named(PushButton(text, act=act), "builtIn", 13)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    return button


def _line(text: str, name: str, font: QFont) -> QLabel:
    centre, plain = Qt.AlignmentFlag.AlignHCenter, Qt.TextFormat.PlainText
    return named(QLabel(text, alignment=centre, wordWrap=True, textFormat=plain), name, font)
