"""The settings page about several Macs: those that this one may use, this one as others may use it, and those that are
on the network. `PairSheet` asks for the code and the address of another Mac, and shows how the pairing goes.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFont, QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QWidget

from resources.language.text import mark, tr
from ui.context import WindowContext, follow
from ui.dialogs.confirmation import confirm
from ui.intents.macs import LetOthersUse, NewPairingCode, PairMac, ShowMacs, UnpairLeader, UnpairMac
from ui.state.macs import FoundMac, GroupPace, MacsView, MacView, PairingStep, PairingView, Reach, ThisMacView
from ui.theme.long_texts import breakable
from ui.theme.phrases import Badge, one_line, size
from ui.theme.theme import mono_font, ui_font
from ui.widgets.blocks import UsageBar
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Piece, Placed, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import SettingsGroup, SettingsRow, named, show_words, text_label
from ui.widgets.sheet import Sheet
from ui.widgets.switch import Switch
from ui.widgets.text_field import LineField
from ui.widgets.tone_pill import TonePill

_WIDTH_PX: Final = 440
_PADDING_PX = (14, 10, 8, 10)
_GAP_PX = 10
_BESIDE_BAR_PX = 6
"""The bar ends under the cross, whose button is wider than it."""
_REASONS: Final = {
    GroupPace.FASTER: mark("more layers because it is faster"),
    GroupPace.SLOWER: mark("fewer layers because it is slower"),
}


class _PairedRow(QWidget):
    """A paired Mac, with a button that unpairs it by `intent`. `loss` says what that ends."""

    def __init__(self, context: WindowContext, name: str, loss: str, intent: UnpairMac | UnpairLeader) -> None:
        super().__init__()
        name = one_line(name)
        self.name = text_label(name, "rowName", ui_font(13, QFont.Weight.DemiBold))
        self.about = text_label("", "rowAbout", 12)
        self.unpair = IconButton("x", tr("Unpair {name}", name=name))
        question, unpair = tr("Unpair {name}?", name=name), partial(context.send, intent)
        self.unpair.clicked.connect(lambda: confirm(self.window(), question, loss, tr("Unpair"), unpair))


class MacRow(_PairedRow):
    """A Mac that this one may use."""

    def __init__(self, context: WindowContext, view: MacView, model: str) -> None:
        loss = tr("Models that run on it are then loaded on this Mac alone. To use it again, pair it with a new code.")
        super().__init__(context, view.name, loss, UnpairMac(view.id))
        self.holding = text_label("", "rowAbout", 12)
        self.pill = TonePill(Badge("", "quiet"))
        self.bar = UsageBar()
        text = in_column(self.name, self.about, self.holding, spacing=2)
        line = in_row(Placed(text), self.pill, self.unpair, spacing=_GAP_PX)
        bar = in_row(self.bar, margins=(0, 0, _BESIDE_BAR_PX, 0))
        in_column(line, bar, spacing=8, margins=_PADDING_PX, of=self)
        self.show_mac(view, model)

    def show_mac(self, view: MacView, model: str) -> None:
        """Show another answer of the same Mac. `model` is the name of the model of which it may hold a part."""
        self.pill.show_badge(badge(view))
        self.about.setText(about(view))
        show_words(self.holding, holding(view.holds, model, view.pace))
        self.bar.set_share(1 - view.free / view.memory if view.memory else 0.0)
        self.bar.setVisible(view.reach is Reach.HERE and view.memory > 0)


class LeaderRow(_PairedRow):
    """A Mac that may use this one."""

    def __init__(self, context: WindowContext, mac: str, name: str) -> None:
        loss = tr("It can then use this Mac no longer. To let it again, pair it with a new code.")
        super().__init__(context, name, loss, UnpairLeader(mac))
        text = in_column(self.name, self.about, spacing=2)
        in_row(Placed(text), self.unpair, spacing=_GAP_PX, margins=_PADDING_PX, of=self)

    def show_work(self, *, works: bool) -> None:
        """Show whether it uses this Mac now."""
        self.about.setText(tr("Uses this Mac now.") if works else tr("May use this Mac."))


def badge(view: MacView) -> Badge:
    """The state of a Mac in a word or two."""
    if view.reach is Reach.ASKING:
        return Badge(tr("Asking…"), "quiet")
    if view.reach is Reach.AWAY:
        return Badge(tr("Not reachable"), "danger")
    if view.holds:
        return Badge(tr("In use"), "accent")
    return Badge(tr("Busy"), "warning") if view.leader else Badge(tr("Ready", "a Mac"), "success")


def holding(bytes_: int, model: str, pace: GroupPace) -> str:
    """How much of the loaded model a Mac has, and why, if its memory is not the only reason."""
    if not bytes_:
        return ""
    held = tr("Holds {size} of {model}", size=size(bytes_), model=model)
    return f"{held} · {tr(_REASONS[pace])}" if pace in _REASONS else held


def about(view: MacView) -> str:
    """What is known of a Mac, in a line."""
    if view.reach is Reach.AWAY:
        return view.problem
    if view.reach is Reach.ASKING:
        return view.address
    free = tr("{free} of {memory} free", free=size(view.free), memory=size(view.memory))
    milliseconds = 1000 * view.round_trip
    link = tr("{rate}/s, answers in {milliseconds:.1f} ms", rate=size(round(view.rate)), milliseconds=milliseconds)
    leader = tr("Works for {name}", name=one_line(view.leader)) if view.leader and not view.holds else ""
    return " · ".join(filter(None, (leader, free, link)))


class PairSheet(Sheet):
    """A sheet over the settings. It stays open while the Macs talk, and closes itself once they are paired. With a Mac
    that was `found` on the network, only the code is missing.
    """

    def __init__(self, context: WindowContext, parent: QWidget, found: FoundMac | None = None) -> None:
        super().__init__("pairSheet", tr("Add a Mac"), parent)
        self.setFixedWidth(_WIDTH_PX)
        self.code, self.address = LineField(), LineField(placeholderText=tr("studio.local", "an example"))
        self.code.setFont(mono_font(13))
        self.pair_button = PushButton(tr("Pair"), "pair")
        self.pair_button.setDefault(True)
        self.pair_button.clicked.connect(
            lambda: context.send(PairMac(self.code.text().strip(), self.address.text().strip()))
        )
        self.cancel_button = PushButton(tr("Cancel"), "pairCancel", self.reject)
        self.outcome = text_label("", "trouble", 12)
        said = tr("On the other Mac, open Macs in the settings, let others use it, and type here what it shows.")
        if found is not None:
            name = one_line(found.name)
            said = tr("On {name}, open Macs in the settings, have it show a code, and type it here.", name=name)
            self.address.setText(found.address)
        fields: list[Piece] = []
        for words, field in ((tr("Pairing code"), self.code), (tr("Address"), self.address)):
            label = named(QLabel(words), "", 13)
            label.setBuddy(field)
            field.setAccessibleName(words)
            field.textChanged.connect(self._allow)
            fields += [6, label, field]
        foot = in_row(Placed(), self.cancel_button, self.pair_button, spacing=-1)
        told = text_label(said, "sheetText", 13)
        in_column(told, *fields, 4, self.outcome, 6, foot, spacing=6, margins=(22, 20, 22, 18), of=self)
        self.show_pairing(PairingView())

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
        show_words(self.outcome, view.text if view.step is PairingStep.FAILED else "")
        self.adjustSize()


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
        self._sheet: PairSheet | None = None
        self.rows: dict[str, MacRow] = {}
        self.leader_rows: dict[tuple[str, str], LeaderRow] = {}
        self.found_rows: dict[FoundMac, SettingsRow] = {}
        self.add_button = PushButton(tr("Add a Mac…"), "addMac", lambda: self._open_sheet(None))
        self.others_use = Switch(tr("Let other Macs use this one"), lambda on: context.send(LetOthersUse(on)))
        self.code = text_label("", "rowName", mono_font(15))
        self.code.setWordWrap(False)
        self.code.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = IconButton(
            "copy", tr("Copy the pairing code"), act=lambda: QGuiApplication.clipboard().setText(self.code.text())
        )
        self.code_button = PushButton(tr("Show a code"), "showCode", lambda: context.send(NewPairingCode()))
        self._look = QTimer(self, interval=LOOK_MS)
        self._look.timeout.connect(lambda: context.send(ShowMacs()))
        self._lay_out()
        self._show_macs(MacsView())
        self.setEnabled(False)  # until the app has sent values
        follow(self, context.store.macs, self._show_macs)

    def _lay_out(self) -> None:
        self.own_row = SettingsRow(tr("This Mac"))
        self.own_row.name.setFont(ui_font(13, QFont.Weight.DemiBold))
        self.use_row = SettingsRow(tr("Let other Macs use this one"), tr(_ABOUT_USE), self.others_use)
        self.code_row = SettingsRow(tr("Pairing code"), tr(_ABOUT_CODE), self.code_button)
        self.code_row.column.addLayout(in_row(self.code, self.copy, Placed(), spacing=6))
        self.found_row = SettingsRow(tr("On this network"), tr(_ABOUT_FOUND))
        self.groups = (
            SettingsGroup(self.own_row),
            SettingsGroup(SettingsRow(tr("Run large models on several Macs"), tr(_ABOUT), self.add_button)),
            SettingsGroup(self.use_row, self.code_row),
            SettingsGroup(self.found_row),
        )
        self.macs, _, self.this, self.found = self.groups
        self.macs.hide()
        self.trouble = text_label("", "trouble", 12)
        footnote = text_label(tr(_UNENCRYPTED), "footnote", 12)
        in_column(self.trouble, *self.groups, footnote, Placed(), spacing=14, of=self)

    def _open_sheet(self, found: FoundMac | None) -> None:
        self._sheet = sheet = PairSheet(self._context, self.window(), found)
        sheet.finished.connect(self._forget_sheet)
        sheet.open()

    def _forget_sheet(self) -> None:
        self._sheet = None

    def _show_macs(self, view: MacsView) -> None:
        """Show the Macs. A row stays where it is if only its answer changed."""
        self.setEnabled(True)
        show_words(self.trouble, view.trouble)
        self._show_rows(view)
        self._show_this(view.this)
        self._show_found(view)
        if self._sheet is not None and view.pairing.step is not PairingStep.IDLE:
            self._sheet.show_pairing(view.pairing)

    def _show_rows(self, view: MacsView) -> None:
        if list(self.rows) != [mac.id for mac in view.macs]:
            self.macs.remove(*self.rows.values())
            self.rows = {mac.id: MacRow(self._context, mac, view.model) for mac in view.macs}
            self.macs.add(*self.rows.values())
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
        show_words(self.code, this.code)
        self.copy.setVisible(bool(this.code))
        self.code_button.setText(tr("New code") if this.code else tr("Show a code"))
        self._show_leaders(this)
        self.this.update()

    def _show_leaders(self, this: ThisMacView) -> None:
        """Show the Macs that may use this one. A row that is clicked stays while its Mac begins and ends its work."""
        if this.leaders != tuple(self.leader_rows):
            self.this.remove(*self.leader_rows.values())
            self.leader_rows = {leader: LeaderRow(self._context, *leader) for leader in this.leaders}
            self.this.add(*self.leader_rows.values())
        for (mac, _), row in self.leader_rows.items():
            row.show_work(works=mac == this.leader)

    def _show_found(self, view: MacsView) -> None:
        """Show the Macs on the network, last on the page, each in the row that it has: nothing that is clicked is
        replaced as others come and go.
        """
        self.found_row.set_about(tr(_ABOUT_FOUND if view.can_find else _BLIND))
        gone, come = self.found_rows.keys() - set(view.found), [mac for mac in view.found if mac not in self.found_rows]
        if gone or come:
            self.found.remove(*map(self.found_rows.pop, gone))
            self.found_rows |= {mac: self._row_of(mac) for mac in come}
            self.found.add(*(self.found_rows[mac] for mac in come))
            self.found.update()

    def _row_of(self, mac: FoundMac) -> SettingsRow:
        name = breakable(one_line(mac.name))
        if not mac.is_understood:
            return SettingsRow(name, tr("Has another version of Hearth. Install the same one on both."))
        pair = PushButton(tr("Pair…"), "pairFound", lambda: self._open_sheet(mac))
        pair.setAccessibleDescription(one_line(mac.name))
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
