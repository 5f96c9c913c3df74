"""The settings page about several Macs: those that this one may use, this one as others may use it, and those that are
on the network.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFont, QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from resources.language.text import mark, tr
from ui.context import WindowContext, follow
from ui.dialogs.mac_rows import LeaderRow, MacRow, holding
from ui.dialogs.pair_sheet import PairSheet
from ui.intents.macs import LetOthersUse, NewPairingCode, ShowMacs
from ui.state.macs import FoundMac, MacsView, PairingStep, ThisMacView
from ui.theme.long_texts import breakable
from ui.theme.phrases import one_line
from ui.theme.theme import mono_font, ui_font
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import SettingsGroup, SettingsRow, text_label
from ui.widgets.switch import Switch

LOOK_MS: Final = 15_000
"""While the page is shown, the Macs are asked so often."""
_ABOUT: Final = mark(
    "A model that is too large for one Mac can run on two or more together. Pair another Mac that has Hearth, then "
    "choose in the model's settings where it runs."
)
_ABOUT_USE: Final = mark("Paired Macs can then run their models on this one, too. Hearth must be open here.")
_ABOUT_CODE: Final = mark("Type it in Hearth on the other Mac. It is valid for ten minutes, and for one Mac.")
_ABOUT_FOUND: Final = mark(
    "Macs that let others use them are listed here. Some networks keep them apart: then add a Mac by its address."
)
_BLIND: Final = mark(
    "Hearth may not look for Macs here: allow it in System Settings, Privacy & Security, Local Network, or add a Mac "
    "by its address."
)
_UNENCRYPTED: Final = mark(
    "Pairing and commands are encrypted. What the Macs compute together is not encrypted on its way between them, so "
    "use a cable or a network that you trust."
)


class MacsPane(QWidget):
    """Shows the values that the app sends, and reports what the user wants."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self._view = MacsView()
        self._sheet: PairSheet | None = None
        self.rows: dict[str, MacRow] = {}
        self.leader_rows: dict[str, LeaderRow] = {}
        self._leaders: tuple[tuple[str, str], ...] = ()
        self.found_rows: dict[FoundMac, SettingsRow] = {}
        self.add_button = PushButton(tr("Add a Mac…"), "addMac")
        self.others_use = Switch(tr("Let other Macs use this one"))
        self.code = text_label("", "rowName", 15)
        self.copy = IconButton("copy", tr("Copy the pairing code"))
        self.code_button = PushButton(tr("Show a code"), "showCode")
        self._look = QTimer(self, interval=LOOK_MS)
        self._build()
        self._connect()
        self._show_macs(self._view)
        self.setEnabled(False)  # until the app has sent values
        follow(self, context.store.macs, self._show_macs)

    def _build(self) -> None:
        self.own_row = SettingsRow(tr("This Mac"))
        self.macs, adding, self.this, self.found = self.groups = tuple(SettingsGroup() for _ in range(4))
        self.macs.hide()
        adding.add(SettingsRow(tr("Run large models on several Macs"), tr(_ABOUT), self.add_button))
        self.use_row = SettingsRow(tr("Let other Macs use this one"), tr(_ABOUT_USE), self.others_use)
        self.this.add(self.use_row)
        self.code_row = self._code_row()
        self.this.add(self.code_row)
        self.found_row = SettingsRow(tr("On this network"), tr(_ABOUT_FOUND))
        self.found.add(self.found_row)
        self.trouble = text_label("", "trouble", 12)
        self.footnote = text_label(tr(_UNENCRYPTED), "footnote", 12)
        in_column(self.trouble, *self.groups, self.footnote, Placed(), spacing=14, of=self)

    def _code_row(self) -> SettingsRow:
        self.code.setFont(mono_font(15))
        self.code.setWordWrap(False)
        self.code.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = SettingsRow(tr("Pairing code"), tr(_ABOUT_CODE), self.code_button)
        row.column.addLayout(in_row(self.code, self.copy, Placed(), spacing=6))
        return row

    def _connect(self) -> None:
        self.add_button.clicked.connect(lambda: self._open_sheet(None))
        self.others_use.clicked.connect(lambda on: self._context.send(LetOthersUse(on)))
        self.code_button.clicked.connect(lambda: self._context.send(NewPairingCode()))
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._view.this.code))
        self._look.timeout.connect(lambda: self._context.send(ShowMacs()))

    def _open_sheet(self, found: FoundMac | None) -> None:
        self._sheet = sheet = PairSheet(self._context, self.window(), found)
        sheet.finished.connect(self._forget_sheet)
        sheet.open()

    def _forget_sheet(self) -> None:
        self._sheet = None

    def _show_macs(self, view: MacsView) -> None:
        """Show the Macs. A row stays where it is if only its answer changed."""
        self._view = view
        self.setEnabled(True)
        self.trouble.setText(view.trouble)
        self.trouble.setVisible(bool(view.trouble))
        self._show_rows(view)
        self._show_this(view.this)
        self._show_found(view)
        if self._sheet is not None and view.pairing.step is not PairingStep.IDLE:
            self._sheet.show_pairing(view.pairing)

    def _show_rows(self, view: MacsView) -> None:
        if list(self.rows) != [mac.id for mac in view.macs]:
            self.macs.clear()
            self.own_row = SettingsRow(tr("This Mac"))
            self.own_row.name.setFont(ui_font(13, QFont.Weight.DemiBold))
            self.macs.add(self.own_row)
            self.rows = {mac.id: MacRow(self._context, mac, view.model) for mac in view.macs}
            for row in self.rows.values():
                self.macs.add(row)
            self.macs.setVisible(bool(view.macs))
        for mac in view.macs:
            self.rows[mac.id].show_mac(mac, view.model)
        self.own_row.set_about(holding(view.this.holds, view.model, view.this.pace))
        self.own_row.setVisible(view.this.holds > 0)

    def _show_this(self, this: ThisMacView) -> None:
        self.others_use.set_on(this.is_on)
        self.others_use.setEnabled(not this.is_busy)
        self.use_row.set_about(_about_use(this))
        self.code_row.setVisible(this.is_on and not this.problem)
        self.code.setText(this.code)
        self.code.setVisible(bool(this.code))
        self.copy.setVisible(bool(this.code))
        self.code_button.setText(tr("New code") if this.code else tr("Show a code"))
        self._show_leaders(this)
        self.this.update()

    def _show_leaders(self, this: ThisMacView) -> None:
        """Show the Macs that may use this one. A row that is clicked stays while its Mac begins and ends its work."""
        if this.leaders != self._leaders:
            self._leaders = this.leaders
            for row in self.leader_rows.values():
                self.this.remove(row)
            self.leader_rows = {mac: LeaderRow(self._context, mac, name) for mac, name in this.leaders}
            for row in self.leader_rows.values():
                self.this.add(row)
        for mac, name in this.leaders:
            self.leader_rows[mac].show_work(works=bool(name) and name == this.leader)

    def _show_found(self, view: MacsView) -> None:
        """Show the Macs on the network, last on the page: nothing that is clicked moves as they come and go."""
        self.found_row.set_about(tr(_ABOUT_FOUND if view.can_find else _BLIND))
        if tuple(self.found_rows) == view.found:
            return
        for row in self.found_rows.values():
            self.found.remove(row)
        self.found_rows = {mac: self._row_of(mac) for mac in view.found}
        for row in self.found_rows.values():
            self.found.add(row)
        self.found.update()

    def _row_of(self, mac: FoundMac) -> SettingsRow:
        name = breakable(one_line(mac.name))
        if not mac.is_understood:
            return SettingsRow(name, tr("Has another version of Hearth. Install the same one on both."))
        pair = PushButton(tr("Pair…"), "pairFound")
        pair.setAccessibleDescription(one_line(mac.name))
        pair.clicked.connect(lambda: self._open_sheet(mac))
        return SettingsRow(name, mac.address, pair)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Ask the Macs as long as the page is shown."""
        super().showEvent(event)
        self._context.send(ShowMacs())
        self._look.start()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        """Another page is shown, or none."""
        super().hideEvent(event)
        self._look.stop()


def _about_use(this: ThisMacView) -> str:
    if this.problem:
        return this.problem
    if this.is_busy:
        return tr("Starting…") if this.is_on else tr("Ending…")
    return tr("This Mac waits at {address}.", address=this.address) if this.address else tr(_ABOUT_USE)
