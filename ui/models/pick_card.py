"""PickCard: a recommended model on the welcome page, with its download."""

from __future__ import annotations

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from resources.language.text import mark, tr
from ui.context import ModelsContext
from ui.intents.models import CancelDownload, Download, FinishWelcome, PauseDownload, PickModel
from ui.models.detail_pane import ask_to_cancel
from ui.models.row_words import progress_line, share
from ui.state.models import DownloadState, DownloadView, ModelPick
from ui.theme.long_texts import breakable
from ui.theme.phrases import Badge, size
from ui.theme.theme import ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.blocks import UsageBar
from ui.widgets.face_button import ActionButton, ButtonFace
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.paragraph import Paragraph
from ui.widgets.settings_group import plain_label
from ui.widgets.tone_pill import TonePill

_HEIGHT_PX = 210
_DOWNLOAD = ButtonFace(mark("Download"), "download")
_STOPPED = {
    DownloadState.PAUSED: ButtonFace(mark("Continue"), "download"),
    DownloadState.FAILED: ButtonFace(mark("Try again"), "refresh-cw"),
}
_PAUSE = ButtonFace(mark("Pause"), "pause")
_CANCEL = ButtonFace(mark("Cancel"))
_CHECKING = ButtonFace(mark("Checking…"))
_START = ButtonFace(mark("Start chatting"), "message-square", primary=True)


class PickCard(QFrame):
    """One pick. Its button downloads the model, pauses that, and starts a chat with it at the end. A second one cancels
    the download.
    """

    def __init__(self, context: ModelsContext, pick: ModelPick, *, first: bool) -> None:
        super().__init__()
        self._context = context
        self.setObjectName("welcomeCard")
        self.setAccessibleName(f"{pick.label}: {pick.name}")
        self.pick = pick
        self._first = first
        self.setMinimumHeight(_HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.pill = TonePill(Badge(pick.label, "success"))
        self.bytes = plain_label("welcomeText", 13)
        self.name = plain_label("welcomeName", 17, QFont.Weight.DemiBold)
        self.text = Paragraph("welcomeText", ui_font(13))
        self.progress = plain_label("welcomeText", 12)
        self.progress.setWordWrap(True)
        self.bar = UsageBar()
        for part in (self.progress, self.bar):
            _keep_room(part)
        self.button = ActionButton(_DOWNLOAD)
        self.button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.button.setObjectName("pickButton")
        self.button.clicked.connect(self._act)
        self.cancel_button = ActionButton(ButtonFace(tr(_CANCEL.text)))
        self.cancel_button.setObjectName("pickCancel")
        self.cancel_button.setAccessibleName(tr("Cancel the download of {name}", name=pick.name))
        self.cancel_button.clicked.connect(self._cancel)
        self._lay_out()
        self.show_pick(pick)

    def _lay_out(self) -> None:
        head = in_row(self.pill, Placed(), self.bytes, spacing=-1)
        buttons = in_row(Placed(self.button), self.cancel_button, spacing=8)
        in_column(
            *(head, 12, self.name, 6, self.text, Placed()),
            *(self.progress, 4, self.bar, 7, buttons),
            margins=(20, 20, 20, 19),
            of=self,
        )

    def show_pick(self, pick: ModelPick) -> None:
        """Show the pick as it is now. The card keeps its size while a download runs."""
        self.pick = pick
        self.bytes.setText(size(pick.size))
        self.setToolTip(plain_tip(f"{pick.id} · {pick.licence}"))
        self.name.setText(breakable(pick.name))
        self.text.say(pick.text)
        self._show_download(pick.download if not pick.model else None)
        face = self._face()
        is_primary = face.primary or (self._first and face not in {_PAUSE, _CHECKING})
        self.button.set_face(ButtonFace(tr(face.text), face.icon, primary=is_primary))
        self.button.setEnabled(face != _CHECKING)
        self.cancel_button.setVisible(face == _PAUSE or face in _STOPPED.values())

    def _show_download(self, download: DownloadView | None) -> None:
        for part in (self.progress, self.bar):
            part.setVisible(download is not None)
        if download is not None:
            self.progress.setText(breakable(download.text) or progress_line(download))
            self.bar.set_share(share(download))

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
            self._context.send(PickModel(self.pick.model))
            self._context.send(FinishWelcome())
        elif face == _PAUSE:
            self._context.send(PauseDownload(self.pick.id))
        else:
            self._context.send(Download(self.pick.id, self.pick.revision))

    def _cancel(self) -> None:
        download = self.pick.download
        if download is not None:
            wanted = CancelDownload(self.pick.id)
            ask_to_cancel(self, self.pick.name, download, lambda: self._context.send(wanted))


def _keep_room(part: QWidget) -> None:
    """Let a hidden part take its room, so that nothing moves when it is shown."""
    policy = part.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    part.setSizePolicy(policy)
