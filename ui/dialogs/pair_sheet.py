"""PairSheet: asks for the code and the address of another Mac, and shows how the pairing goes."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QWidget

from resources.language.text import tr
from ui.context import WindowContext
from ui.intents.macs import PairMac
from ui.state.macs import FoundMac, PairingStep, PairingView
from ui.theme.phrases import one_line
from ui.theme.theme import mono_font, ui_font
from ui.widgets.layouts import Piece, Placed, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import text_label

_WIDTH_PX: Final = 440


class PairSheet(QDialog):
    """A sheet over the settings. It stays open while the Macs talk, and closes itself once they are paired. With a Mac
    that was `found` on the network, only the code is missing.
    """

    def __init__(self, context: WindowContext, parent: QWidget, found: FoundMac | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.setObjectName("pairSheet")
        self.setWindowTitle(tr("Add a Mac"))
        self.setFixedWidth(_WIDTH_PX)
        self.code, self.address = QLineEdit(), QLineEdit(placeholderText=tr("studio.local", "an example"))
        self.code.setFont(mono_font(13))
        self.pair_button = PushButton(tr("Pair"), "pair")
        self.pair_button.setDefault(True)
        self.cancel_button = PushButton(tr("Cancel"), "pairCancel")
        self.outcome = text_label("", "trouble", 12)
        self._lay_out(_about(found))
        self._connect()
        if found is not None:
            self.address.setText(found.address)
        self.show_pairing(PairingView())

    def _lay_out(self, about: str) -> None:
        fields: list[Piece] = []
        for words, field in ((tr("Pairing code"), self.code), (tr("Address"), self.address)):
            label = QLabel(words)
            label.setFont(ui_font(13))
            label.setBuddy(field)
            field.setAccessibleName(words)
            fields += [6, label, field]
        foot = in_row(Placed(), self.cancel_button, self.pair_button, spacing=-1)
        said = text_label(about, "sheetText", 13)
        in_column(said, *fields, 4, self.outcome, 6, foot, spacing=6, margins=(22, 20, 22, 18), of=self)

    def _connect(self) -> None:
        for field in (self.code, self.address):
            field.textChanged.connect(self._allow)
        self.pair_button.clicked.connect(self._pair)
        self.cancel_button.clicked.connect(self.reject)
        self.finished.connect(self.deleteLater)

    def _pair(self) -> None:
        self._context.send(PairMac(self.code.text().strip(), self.address.text().strip()))

    def _allow(self) -> None:
        typed = bool(self.code.text().strip() and self.address.text().strip())
        self.pair_button.setEnabled(typed and self.code.isEnabled())

    def show_pairing(self, view: PairingView) -> None:
        """Show how far the pairing is."""
        if view.step is PairingStep.DONE:
            self.accept()
            return
        is_busy = view.step is PairingStep.BUSY
        for field in (self.code, self.address):
            field.setEnabled(not is_busy)
        self.pair_button.setText(tr("Pairing…") if is_busy else tr("Pair"))
        self._allow()
        self.outcome.setText(view.text if view.step is PairingStep.FAILED else "")
        self.outcome.setVisible(bool(self.outcome.text()))
        self.adjustSize()


def _about(found: FoundMac | None) -> str:
    if found is None:
        return tr("On the other Mac, open Macs in the settings, let others use it, and type here what it shows.")
    return tr("On {name}, open Macs in the settings, have it show a code, and type it here.", name=one_line(found.name))
