"""ModelSettingsDialog: the settings of one model. It sends all of them at once when the user saves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from PySide6.QtWidgets import QWidget

from resources.language.text import mark, number, plural, tr
from ui.context import ModelsContext
from ui.intents.models import ConfigureModel
from ui.state.chat_settings import SamplingView
from ui.state.models import ModelRow, ModelSettingsView
from ui.theme.long_texts import cut
from ui.theme.phrases import one_line
from ui.widgets.choice_pill import ChoicePill
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.segmented import Segmented
from ui.widgets.settings_group import SettingsGroup, SettingsRow, named
from ui.widgets.sheet import Sheet
from ui.widgets.stop_slider import StopSlider
from ui.widgets.text_field import LineField, TextField

_WIDTH_PX: Final = 600
_PRECISIONS: Final = ((0, mark("Full")), (8, mark("8-bit")), (4, mark("4-bit")))
_REASONING: Final = ((None, mark("As in the app")), (True, mark("Reason first")), (False, mark("Answer at once")))
_ABOUT_PLACE: Final = mark("On several Macs it has the memory of all. The model must be on each of them.")
_LIMITS: Final = tuple(4096 << power for power in range(9))
"""The context limits that the slider offers, if the model and the memory can take them."""
_APPS: Final = SamplingView()
_TEMPERATURES: Final = tuple(tenths / 10 for tenths in range(21))
_TOP_PS: Final = tuple(percent / 100 for percent in range(5, 101, 5))


class ModelSettingsDialog(Sheet):
    """A sheet over the window."""

    def __init__(self, context: ModelsContext, row: ModelRow, view: ModelSettingsView, parent: QWidget | None) -> None:
        super().__init__("modelSettings", tr("Settings of {name}", name=cut(row.name)), parent)
        self.setFixedWidth(_WIDTH_PX)
        self._context, self._model, self._view = context, row.id, view
        self._places = _places(view)
        self.alias = named(LineField(view.alias, placeholderText=view.own_name), "", label=tr("Name"))
        self.alias.setFixedWidth(300)
        self._limits = _limits(view)
        words = [_limit_words(limit, view) for limit in self._limits]
        self.context = StopSlider(tr("Longest chat"), words, self._limits.index(view.context_limit))
        self.precision = _segmented(_PRECISIONS, view.kv_bits)
        self.reasoning = _segmented(_REASONING, view.thinking)
        self._temperatures = _with(view.temperature, _TEMPERATURES, view.own_temperature, _APPS.temperature)
        self.temperature = _slider(tr("Temperature"), self._temperatures, view.temperature, view.own_temperature)
        self._top_ps = _with(view.top_p, _TOP_PS, view.own_top_p, _APPS.top_p)
        self.top_p = _slider(tr("Top-p"), self._top_ps, view.top_p, view.own_top_p)
        self.place = ChoicePill("", tr("Runs on"))
        places = tuple((str(at), words, "") for at, (_, words) in enumerate(self._places))
        self.place.set_choices(places, str([macs for macs, _ in self._places].index(view.macs)))
        self.place.picked.connect(self._pick_place)
        self.system = named(TextField(view.system), "notes", 13, tr("Instructions"))
        self.system.setPlaceholderText(tr("None", "system prompt"))
        self.system.setTabChangesFocus(True)
        self.system.setFixedHeight(84)
        self.cancel_button = PushButton(tr("Cancel"), "cancel", self.reject)
        self.save_button = PushButton(tr("Save"), "save", self._save)
        self.save_button.setDefault(True)
        self._lay_out(0 if view.context_limit else row.fit.longest)

    def _lay_out(self, longest: int) -> None:
        about = tr("Up to {longest} tokens fit now.", longest=longest) if longest else tr("Shorter takes less memory.")
        memory = SettingsGroup(
            SettingsRow(tr("Name"), tr("In lists and menus."), self.alias),
            SettingsRow(tr("Longest chat"), about, self.context),
            SettingsRow(
                tr("Chats are kept ready in"), tr("Fewer bits take less room and are less exact."), self.precision
            ),
        )
        if len(self._places) > 1:
            memory.add(SettingsRow(tr("Runs on"), tr(_ABOUT_PLACE), self.place))
        answers = SettingsGroup()
        if self._view.reasons:
            answers.add(SettingsRow(tr("Reasoning"), "", self.reasoning))
        prompt = SettingsRow(tr("Instructions"), tr("For chats that have none of their own."))
        prompt.column.addWidget(self.system)
        answers.add(
            SettingsRow(tr("Temperature"), "", self.temperature), SettingsRow(tr("Top-p"), "", self.top_p), prompt
        )
        buttons = in_row(Placed(), self.cancel_button, self.save_button, spacing=8)
        whole = in_column(memory, answers, buttons, spacing=14, margins=(20, 18, 20, 18), of=self)
        self.setFixedHeight(whole.heightForWidth(_WIDTH_PX))

    def _pick_place(self, at: str) -> None:
        macs, words = self._places[int(at)]
        self._view = replace(self._view, macs=macs)
        self.place.show_name(words)

    def _save(self) -> None:
        settings = replace(
            self._view,
            alias=self.alias.text().strip(),
            context_limit=self._limits[self.context.slider.value()],
            kv_bits=_PRECISIONS[self.precision.current()][0],
            thinking=_REASONING[self.reasoning.current()][0],
            temperature=self._temperatures[self.temperature.slider.value()],
            top_p=self._top_ps[self.top_p.slider.value()],
            system=self.system.toPlainText().strip(),
        )
        self._context.send(ConfigureModel(self._model, settings))
        self.accept()


def _limits(view: ModelSettingsView) -> tuple[int, ...]:
    """The limits below the most that fits, and at the right end the model's own (0)."""
    offered = {limit for limit in _LIMITS if not view.most_context or limit < view.most_context}
    return (*sorted(offered | ({view.context_limit} - {0})), 0)


def _places(view: ModelSettingsView) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Where the model can run: on this Mac, on it with another, with all others, and as it does now."""
    names = dict(view.other_macs)
    offered = [(), *((mac,) for mac in names), *([tuple(names)] if len(names) > 1 else [])]
    if view.macs not in offered:  # the same Macs in another order would read each chat again
        offered = [*(macs for macs in offered if set(macs) != set(view.macs)), view.macs]
    return tuple((macs, _place_words(macs, names)) for macs in offered)


def _place_words(macs: tuple[str, ...], names: Mapping[str, str]) -> str:
    if not macs:
        return tr("This Mac")
    if len(macs) == 1 and macs[0] in names:
        return tr("This Mac and {name}", name=one_line(names[macs[0]]))
    return plural("{count} Mac", "{count} Macs", 1 + len(macs))


def _limit_words(limit: int, view: ModelSettingsView) -> str:
    if limit:
        return tr("{limit} tokens", limit=limit)
    most = view.most_context
    return tr("Up to {most_context} tokens", most_context=most) if most else tr("The model's own")


def _segmented(choices: tuple[tuple[int | None, str], ...], current: int | None) -> Segmented:
    segments = Segmented(tuple(tr(words) for _, words in choices))
    segments.choose([value for value, _ in choices].index(current))
    return segments


def _with(
    current: float | None, values: tuple[float, ...], own: float | None, apps: float | None
) -> tuple[float | None, ...]:
    """`values` with the current one among them, and None in the place of the model's own value or the app's."""
    default = (apps or 0.0) if own is None else own
    numbers = {*values} - {default} | {current}
    return tuple(sorted({*numbers, None}, key=lambda value: default if value is None else value))


def _slider(label: str, values: tuple[float | None, ...], current: float | None, own: float | None) -> StopSlider:
    first = tr("The app's") if own is None else tr("The model's own: {own:g}", own=own)
    words = [first if value is None else number(value, "g") for value in values]
    return StopSlider(label, words, values.index(current))
