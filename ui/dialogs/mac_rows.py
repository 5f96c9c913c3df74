"""The rows of the settings page about several Macs: one for each Mac, with its state and a button that unpairs it."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QWidget

from resources.language.text import mark, tr
from ui.context import WindowContext
from ui.dialogs.confirmation import confirm
from ui.intents.macs import UnpairLeader, UnpairMac
from ui.state.macs import GroupPace, MacView, Reach
from ui.theme.phrases import Badge, one_line, size
from ui.theme.theme import ui_font
from ui.widgets.blocks import UsageBar
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.settings_group import text_label
from ui.widgets.tone_pill import TonePill

_PADDING_PX = (14, 10, 8, 10)
_GAP_PX = 10
_BESIDE_BAR_PX = 6
"""The bar ends under the cross, whose button is wider than it."""
_REASONS: Final = {
    GroupPace.FASTER: mark("more layers because it is faster"),
    GroupPace.SLOWER: mark("fewer layers because it is slower"),
}


class MacRow(QWidget):
    """A Mac that this one may use. `requested` carries an UnpairMac."""

    def __init__(self, context: WindowContext, view: MacView, model: str) -> None:
        super().__init__()
        self._context = context
        self._view = view
        self.name = _name(view.name)
        self.about = text_label("", "rowAbout", 12)
        self.holding = text_label("", "rowAbout", 12)
        self.pill = TonePill(Badge("", "quiet"))
        self.bar = UsageBar()
        self.unpair = IconButton("x", tr("Unpair {name}", name=one_line(view.name)))
        self.unpair.clicked.connect(self._ask)
        self._lay_out()
        self.show_mac(view, model)

    def _lay_out(self) -> None:
        text = in_column(self.name, self.about, self.holding, spacing=2)
        line = in_row(Placed(text), self.pill, self.unpair, spacing=_GAP_PX)
        bar = in_row(self.bar, margins=(0, 0, _BESIDE_BAR_PX, 0))
        in_column(line, bar, spacing=8, margins=_PADDING_PX, of=self)

    def show_mac(self, view: MacView, model: str) -> None:
        """Show another answer of the same Mac. `model` is the name of the model of which it may hold a part."""
        self._view = view
        self.pill.show_badge(badge(view))
        self.about.setText(about(view))
        self.holding.setText(holding(view.holds, model, view.pace))
        self.holding.setVisible(bool(view.holds))
        self.bar.set_share(1 - view.free / view.memory if view.memory else 0.0)
        self.bar.setVisible(view.reach is Reach.HERE and view.memory > 0)

    def _ask(self) -> None:
        name = one_line(self._view.name)
        confirm(
            self.window(),
            tr("Unpair {name}?", name=name),
            tr("Models that run on it are then loaded on this Mac alone. To use it again, pair it with a new code."),
            tr("Unpair"),
            partial(self._context.send, UnpairMac(self._view.id)),
        )


class LeaderRow(QWidget):
    """A Mac that may use this one. `requested` carries an UnpairLeader."""

    def __init__(self, context: WindowContext, mac: str, name: str) -> None:
        super().__init__()
        self._context = context
        self._mac, self._name = mac, one_line(name)
        self.name = _name(name)
        self.about = text_label("", "rowAbout", 12)
        self.unpair = IconButton("x", tr("Unpair {name}", name=self._name))
        self.unpair.clicked.connect(self._ask)
        text = in_column(self.name, self.about, spacing=2)
        in_row(Placed(text), self.unpair, spacing=_GAP_PX, margins=_PADDING_PX, of=self)

    def show_work(self, *, works: bool) -> None:
        """Show whether it uses this Mac now."""
        self.about.setText(tr("Uses this Mac now.") if works else tr("May use this Mac."))

    def _ask(self) -> None:
        confirm(
            self.window(),
            tr("Unpair {name}?", name=self._name),
            tr("It can then use this Mac no longer. To let it again, pair it with a new code."),
            tr("Unpair"),
            partial(self._context.send, UnpairLeader(self._mac)),
        )


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
    link = tr(
        "{rate}/s, answers in {milliseconds:.1f} ms", rate=size(round(view.rate)), milliseconds=1000 * view.round_trip
    )
    leader = tr("Works for {name}", name=one_line(view.leader)) if view.leader and not view.holds else ""
    return " · ".join(filter(None, (leader, free, link)))


def _name(name: str) -> QLabel:
    label = text_label(one_line(name), "rowName", 13)
    label.setFont(ui_font(13, QFont.Weight.DemiBold))
    label.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
    return label
