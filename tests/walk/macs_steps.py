"""Steps on the settings page about several Macs: this one waits for others, and codes that nobody shows are typed."""

from __future__ import annotations

from tests.walk import hands
from tests.walk.overlays import is_free
from tests.walk.user import User
from ui.dialogs.macs_pane import MacsPane, PairSheet
from ui.dialogs.settings_dialog import SettingsDialog

_WRONG_CODES = ("K7Q2-9FMX-03TD-AA8R-YZ51-6WHC", "no code", "0")


def lends_this_mac(user: User) -> None:
    """Let other Macs use this one, or end that. The page says where it waits, or why it does not."""
    if (pane := _page(user)) is None or not pane.others_use.isEnabled():
        return
    lending = user.house.hearth.macs.lending
    wanted = not lending.view().is_on
    user.tell(f"lends: {wanted}")
    hands.click(pane.others_use)
    user.house.until(lambda: not lending.view().is_busy, "this Mac neither waits nor says why")
    view = lending.view()
    assert view.is_on is wanted
    assert bool(view.address or view.problem) is wanted, f"{view}"
    if view.address and pane.code_button.isVisible():
        hands.click(pane.code_button)
        user.house.until(lambda: bool(pane.code.text()), "no code is shown")


def types_a_wrong_code(user: User) -> None:
    """Type a code that no Mac shows. The sheet says so in words, and stays open for another one."""
    if (pane := _page(user)) is None:
        return
    hands.click(pane.add_button)
    sheet = next(one for one in hands.dialogs() if isinstance(one, PairSheet))
    own = user.house.hearth.macs.lending.view()
    codes = (*_WRONG_CODES, *([own.code] if own.code else []))
    sheet.code.setText(user.one(codes))
    sheet.address.setText(user.one(("127.0.0.1:1", "127.0.0.1", "no such place", own.address or "127.0.0.1:2")))
    hands.click(sheet.pair_button)
    user.house.until(lambda: bool(sheet.outcome.text()) and sheet.pair_button.isEnabled(), "the sheet says nothing")
    hands.click(sheet.cancel_button)


def _page(user: User) -> MacsPane | None:
    """The page, if nothing lies over the window. It can be used once the Macs are listed."""
    if not is_free(user):
        return None
    dialogs = user.window.dialogs
    dialogs.open_settings_at("Macs")  # in German, too
    [opened] = [one for one in hands.dialogs() if isinstance(one, SettingsDialog)]
    user.house.until(opened.macs.isEnabled, "the page of the Macs stays empty")
    return opened.macs
