"""SamplingSection: how the answers of a chat are drawn, with presets, sliders and the rarer values folded away."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from resources.language.text import mark, tr
from ui.context import ChatContext, follow
from ui.inspector.heading import SectionHeading
from ui.inspector.value_row import ValueRow, ValueSpec
from ui.intents.chat_settings import SetPreset, SetSwitch, SetValue
from ui.state.chat_settings import ChatSettingsView
from ui.theme.tooltips import plain_tip
from ui.widgets.choice_pill import NARROWEST_PX, ChoicePill
from ui.widgets.layouts import Placed, held, in_column, in_row
from ui.widgets.push_button import FoldButton
from ui.widgets.settings_group import hidden_label, named, show_words, text_label
from ui.widgets.switch import Switch
from ui.widgets.text_field import TextField

_STOP_PX: Final = 58
_LENGTHS: Final = (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768)
_OFTEN: Final = (
    ValueSpec(
        "temperature",
        mark("Temperature"),
        mark("Higher values make the answers more surprising; 0 always takes the likeliest word."),
        tuple(step / 20 for step in range(41)),
        words=mark("creativity randomness"),
    ),
    ValueSpec(
        "top_p",
        mark("Top-p"),
        mark("Only the likeliest words that together have this share of the probability are drawn."),
        tuple(step / 100 for step in range(101)),
    ),
    ValueSpec(
        "max_tokens",
        mark("Longest answer"),
        mark("An answer ends after this many tokens; about three of four are whole words."),
        _LENGTHS,
        words=mark("length maximum short"),
    ),
)
_SELDOM: Final = (
    ValueSpec(
        "top_k",
        mark("Top-k"),
        mark("Only this many of the likeliest words are drawn; 0 sets no limit."),
        tuple(range(0, 201, 5)),
    ),
    ValueSpec(
        "min_p",
        mark("Min-p"),
        mark("Words that are less likely than this share of the likeliest one are left out."),
        tuple(step / 100 for step in range(51)),
    ),
    ValueSpec(
        "repetition_penalty",
        mark("Repetition penalty"),
        mark("Above 1, words that were just used become less likely."),
        tuple(1 + step / 50 for step in range(51)),
    ),
    ValueSpec(
        "seed", mark("Seed"), mark("The same seed draws the same answer to the same chat."), unset=mark("Random")
    ),
)
PARTS: Final = (
    ValueSpec("instructions", mark("Instructions"), words=mark("system prompt persona role")),
    ValueSpec("inspectorPreset", mark("Preset"), words=mark("values save import sampling")),
    ValueSpec("inspectorStop", mark("Stop words, one a line")),
    *(*_OFTEN, *_SELDOM),
)
"""What the command palette finds in the inspector: its parts by their object names, and the sampling values."""


class SamplingSection(QWidget):
    """`requested` carries a `ChatSettingsIntent`. `menu_requested` asks for the menu of presets."""

    def __init__(self, context: ChatContext) -> None:
        super().__init__()
        self._context = context
        self.preset = named(ChoicePill("", tr("Preset"), narrowest_px=NARROWEST_PX), "inspectorPreset")
        self.rows = {spec.name: ValueRow(spec) for spec in (*_OFTEN, *_SELDOM)}
        self.stop = StopWords()
        switch = Switch(tr("Think before answering"), lambda is_on: context.send(SetSwitch("thinking", is_on)))
        self.thinking = named(switch, "inspectorThinking")
        thinking = text_label(tr("Think before answering"), "rowAbout", 13)
        self.thinking_row = held(in_row(Placed(thinking), self.thinking, spacing=-1))
        self.more = held(in_column(*(self.rows[spec.name] for spec in _SELDOM), self.stop, spacing=6))
        self.more_button = FoldButton("inspectorMore", tr("More values"), tr("Fewer values"), self.more)
        often = (self.rows[spec.name] for spec in _OFTEN)
        fold = in_row(self.more_button, Placed(), spacing=-1)
        heading = SectionHeading(tr("Preset"), self.preset)
        in_column(heading, *often, self.thinking_row, self.more, fold, spacing=6, of=self)
        for name, row in self.rows.items():
            row.changed.connect(partial(self._set, name))
        self.stop.changed.connect(partial(self._set, "stop"))
        self.preset.picked.connect(lambda preset: self._context.send(SetPreset(preset)))
        follow(self, context.store.capabilities, lambda able: self.thinking_row.setVisible(able.thinks))

    def _set(self, name: str, text: str) -> None:
        self._context.send(SetValue(name, text))

    def show_settings(self, view: ChatSettingsView) -> None:
        """Show the values of a conversation."""
        self.preset.set_presets(self._context.store.presets.now, view.preset)
        self.preset.show_name(view.preset_words)
        name, trouble = view.refused
        for row in self.rows.values():
            value, suggested = (getattr(part, row.spec.name) for part in (view.values, view.suggested))
            wrong = trouble if row.spec.name == name else ""
            row.show_value(value, suggested, own=row.spec.name in view.own, trouble=wrong)
        self.stop.show_stops(view.values.stop, trouble if name == "stop" else "")
        self.thinking.set_on(view.thinking)

    def flush(self) -> None:
        """Report what was typed and not reported yet."""
        for row in self.rows.values():
            row.flush()
        self.stop.flush()


class StopWords(QWidget):
    """The texts that end an answer, one a line. `changed` carries the lines when the field rests."""

    changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._shown = ""
        self.setToolTip(plain_tip(tr("An answer ends before any of these texts would be shown.")))
        words = tr("Stop words, one a line")
        self.field = named(TextField(placeholder=tr("None")), "inspectorStop", 13, words)
        self.field.setTabChangesFocus(True)
        self.field.setFixedHeight(_STOP_PX)
        self.field.rested.connect(self.flush)
        self.trouble = hidden_label("inspectorTrouble", 12)
        in_column(text_label(words, "rowAbout", 13), self.field, self.trouble, spacing=4, margins=(0, 2, 0, 0), of=self)

    def show_stops(self, stops: tuple[str, ...], trouble: str) -> None:
        """Show the lines that hold, unless the user is writing others."""
        self._shown = "\n".join(stops)
        show_words(self.trouble, trouble)
        if not trouble and not self.field.hasFocus():
            self.field.setPlainText(self._shown)

    def flush(self) -> None:
        """Report the lines, if they are new."""
        typed = self.field.toPlainText()
        if typed.strip("\n") != self._shown:
            self._shown = typed.strip("\n")
            self.changed.emit(self._shown)
