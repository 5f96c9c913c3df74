"""The states of several Macs: the page of the settings, the sheet over it, and what the window says of a group."""

from __future__ import annotations

from dataclasses import replace

from app.engine_client.hosting import group_notice, regrouping_view
from engine.protocol.group import GroupEnded
from resources.language.text import tr
from tests.shots.content import DETAIL, GB, LOCAL_MODELS, STORAGE, chat
from tests.shots.states import STATES, state
from tests.shots.studio import Studio
from ui.intents.macs import CopyToMac, StopCopy
from ui.intents.notice import Notice
from ui.models.models_page import ModelsPage
from ui.state.engine import EngineState, EngineView
from ui.state.macs import FoundMac, GroupPace, MacsView, MacView, PairingStep, PairingView, Reach, ThisMacView
from ui.state.models import FitLevel, FitView, ModelSettingsView
from ui.theme.phrases import of_total
from ui.widgets.push_button import PushButton

__all__ = ["STATES"]

_STUDIO = MacView(
    "a1", "Mac Studio", "192.168.1.20:42517", Reach.HERE, memory=128 * GB, free=71 * GB, rate=1.1e9,
    round_trip=0.0004, holds=38 * GB,
)  # fmt: skip
_READY = replace(_STUDIO, id="e5", name="Mac Pro", memory=192 * GB, free=160 * GB, holds=0)
_AWAY = MacView("b2", "Mac mini", "mini.local:42517", Reach.AWAY, tr("{mac} does not answer.", mac="Mac mini"))
_ASKING = MacView("d4", "Lab", "10.0.0.4:42517")
_WAITING = ThisMacView(
    is_on=True, address="192.168.1.7:42517", code="K7Q2-9FMX-03TD-AA8R-YZ51-6WHC",
    leaders=(("c3", "MacBook Pro"),), leader="MacBook Pro",
)  # fmt: skip
_PLACED = ModelSettingsView(macs=("a1",), other_macs=(("a1", "Mac Studio"), ("e5", "Mac Pro")))
_MODEL = "Qwen3.5 122B · 4-bit"


def _page(studio: Studio, view: MacsView) -> None:
    studio.open(chat())
    studio.window.dialogs.open_settings_at(tr("Macs"))
    studio.window.store.storage.put(STORAGE)
    studio.window.store.macs.put(view)


@state
def macs_none(studio: Studio) -> None:
    _page(studio, MacsView())


@state
def macs_paired(studio: Studio) -> None:
    this = ThisMacView(holds=17 * GB, pace=GroupPace.SLOWER)
    fast = replace(_STUDIO, holds=42 * GB, pace=GroupPace.FASTER)
    _page(studio, MacsView(this, (fast, _READY, _AWAY, _ASKING), _MODEL))


@state
def macs_lent(studio: Studio) -> None:
    _page(studio, MacsView(_WAITING))


_FOUND = (
    FoundMac("MacBook Air", "192.168.1.9:42517"),
    FoundMac("Mac Studio", "192.168.1.20:42517"),
    FoundMac("iMac", "192.168.1.31:42517", is_understood=False),
)


@state
def macs_found(studio: Studio) -> None:
    _page(studio, MacsView(found=_FOUND))


@state
def macs_not_found(studio: Studio) -> None:
    _page(studio, MacsView(can_find=False))


@state
def macs_pairing_found(studio: Studio) -> None:
    _page(studio, MacsView(found=_FOUND))
    button = studio.window.findChild(PushButton, "pairFound")
    assert button is not None
    button.click()


@state
def macs_not_lent(studio: Studio) -> None:
    _page(
        studio,
        MacsView(
            ThisMacView(
                is_on=True,
                problem=tr(
                    "This Mac cannot wait at {address}: {reason}.",
                    address="192.168.1.7:42517",
                    reason=tr("Hearth waits there already, in its window or as a command, or another program does"),
                ),
            )
        ),
    )


def _sheet(studio: Studio, pairing: PairingView) -> None:
    _page(studio, MacsView())
    button = studio.window.findChild(PushButton, "addMac")
    assert button is not None
    button.click()
    studio.window.store.macs.put(MacsView(pairing=pairing))


@state
def macs_pairing(studio: Studio) -> None:
    _sheet(studio, PairingView(PairingStep.BUSY))


@state
def macs_not_paired(studio: Studio) -> None:
    _sheet(studio, PairingView(PairingStep.FAILED, tr("There is a typing error in the code.")))


@state
def mac_lost(studio: Studio) -> None:
    studio.open(chat())
    studio.window.store.engine.put(regrouping_view(GroupEnded(1), _STUDIO.name))


@state
def mac_away(studio: Studio) -> None:
    studio.open(chat())
    notice = group_notice(GroupEnded(1, "not_started"), _STUDIO.name, fits_here=True)
    studio.window.store.engine.put(EngineView(EngineState.FAILED, notice.text))
    studio.window.show_notice(notice)


@state
def two_macs(studio: Studio) -> None:
    studio.open(chat())
    studio.window.store.engine.put(EngineView(EngineState.READY, macs=2))


@state
def models_for_several_macs(studio: Studio) -> None:
    text = tr("It does not fit on this Mac alone, but on several together: choose them in its settings.")
    fit = FitView(FitLevel.TOGETHER, 70 * GB, 2 * GB, 9 * GB, 0, 0, text)
    row = replace(LOCAL_MODELS.rows[0], fit=fit)
    rows = (row, *LOCAL_MODELS.rows[1:])
    studio.window.stage.show_models()
    studio.window.store.local_models.put(replace(LOCAL_MODELS, rows=rows))
    studio.window.store.model_detail.put(replace(DETAIL, row=row, settings=_PLACED))


@state
def model_runs_on(studio: Studio) -> None:
    models_for_several_macs(studio)
    page = studio.window.findChild(ModelsPage)
    assert page is not None
    page.pane.buttons.settings.click()


@state
def mac_lacks_a_model(studio: Studio) -> None:
    studio.open(chat())
    text = tr("{name} is not on {mac} yet, so it cannot run there.", name="Qwen3.5 9B", mac=_STUDIO.name)
    studio.window.show_notice(Notice("macs:copy:m", text, tr("Copy it there"), intent=CopyToMac("m")))
    copying = tr(
        "Copying {name} to {mac}: {amount}", name="LFM2 2.6B", mac=_READY.name, amount=of_total(3 * GB, 5 * GB)
    )
    studio.window.show_notice(Notice("macs:copy:n", copying, tr("Stop"), intent=StopCopy("n")))
