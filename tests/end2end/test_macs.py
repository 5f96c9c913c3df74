"""Two Macs answer together, from the pairing to the loss of one: a window, a worker beside it, and real engines."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from app.engine_client.hosting import GROUP_KEY
from app.macs import pairing
from app.macs.macs import MISSING
from tests.end2end.conftest import Desk
from tests.fakes.macs import Other, other_mac
from tests.fakes.macs import mac as mac_at
from ui.dialogs.macs_pane import PairSheet
from ui.dialogs.settings_dialog import SettingsDialog
from ui.intents.macs import RunHere, UnpairMac
from ui.intents.models import ConfigureModel
from ui.state.models import ModelSettingsView
from ui.window.main_window import MainWindow


def pair_on_the_page(desk: Desk, window: MainWindow, studio: Other) -> None:
    """Click the Mac where the settings list it, type the code that it shows, and close the settings."""
    window.dialogs.open_settings_at("Macs")
    settings = window.findChild(SettingsDialog)
    assert settings is not None
    address = studio.worker.address
    desk.until(lambda: address in {mac.address for mac in settings.macs.found_rows})
    rows = settings.macs.found_rows
    button = next(row for mac, row in rows.items() if mac.address == address).findChild(QPushButton)
    assert button is not None
    button.click()
    sheet = settings.findChild(PairSheet)
    assert sheet is not None
    sheet.code.setText(studio.worker.offer.renew())
    sheet.pair_button.click()
    desk.until(lambda: bool(settings.macs.rows))
    settings.close()


def answer_together(desk: Desk, model: Path, studio: Other) -> str:
    """Pair the studio, and have the model run on both. Returns the studio's fingerprint."""
    app = desk.open()
    desk.until(lambda: app.connection.ready)
    pair_on_the_page(desk, app.window, studio)
    desk.until(lambda: bool(app.macs.others()))
    [(mac, _)] = app.macs.others()
    app.window.requested.emit(ConfigureModel(str(model), ModelSettingsView(macs=(mac,))))
    desk.until(lambda: not app.connection.ready)
    desk.until(lambda: app.connection.ready)
    return mac


def test_two_macs_answer_together_until_one_goes_away(
    desk: Desk, model: Path, answers: Callable[[int], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user pairs a Mac that the settings list, by its code, and has the model run on both. When the other Mac goes,
    the window names it and offers to continue here. If it is back before the user decides, at another port, the two
    answer together again. The chat keeps all its text.
    """
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    answers(8)
    shutil.copytree(model, mac_at(tmp_path / "studio").models / "publisher" / "tiny")
    with other_mac(tmp_path / "studio") as studio:
        mac = answer_together(desk, model, studio)
        app = desk.app
        name = dict(app.macs.others())[mac]
        chat = app.window.tabs.current()
        desk.send(chat, "Hello")
        desk.until(lambda: desk.is_idle(chat) and bool(desk.answer(chat).text))
        together = desk.answer(chat).text
        assert "2 Macs" in desk.tab(chat).strip.accessibleName()
    desk.until(lambda: GROUP_KEY in app.window.notices.keys())  # noqa: SIM118 - not a dict's
    desk.until(lambda: not app.macs.presenter.states[mac].reachable)
    with other_mac(tmp_path / "studio"):
        desk.until(lambda: app.connection.ready)
        assert "2 Macs" in desk.tab(chat).strip.accessibleName()
        assert app.window.notices.keys() == ()
    desk.until(lambda: GROUP_KEY in app.window.notices.keys())  # noqa: SIM118 - not a dict's
    notice = next(one for one in app.window.notices.notices() if one.key == GROUP_KEY)
    assert name in notice.text
    app.window.requested.emit(RunHere())
    desk.until(lambda: app.connection.ready)
    desk.send(chat, "Still there?")
    desk.until(lambda: desk.is_idle(chat) and desk.answer(chat).text not in {"", together})
    assert app.connection.ready


def test_a_mac_that_is_removed_gets_nothing_more_of_a_chat(
    desk: Desk, model: Path, answers: Callable[[int], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that does not hear that it was removed, or ignores it: its group ends in the middle of an answer, and
    this Mac answers alone.
    """
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    monkeypatch.setattr(pairing, "tell_unpaired", lambda *_: None)
    answers(4000)
    shutil.copytree(model, mac_at(tmp_path / "studio").models / "publisher" / "tiny")
    with other_mac(tmp_path / "studio") as studio:
        mac = answer_together(desk, model, studio)
        app = desk.app
        chat = app.window.tabs.current()
        desk.send(chat, "Hello")
        desk.until(lambda: desk.is_generating(chat) and bool(desk.answer(chat).text))
        assert studio.worker.leader
        app.window.requested.emit(UnpairMac(mac))
        desk.until(lambda: not studio.worker.leader)
        desk.until(lambda: app.connection.ready)
        assert MISSING in app.window.notices.keys()  # noqa: SIM118 - not a dict's
        desk.send(chat, "Alone now?")
        desk.until(lambda: desk.is_generating(chat) and bool(desk.answer(chat).text))
        assert not studio.worker.leader
