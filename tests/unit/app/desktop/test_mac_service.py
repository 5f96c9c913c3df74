"""The entry in the Services menu of a Mac."""

from __future__ import annotations

from app.desktop.objective_c import MESSAGE, MacService
from tests.fakes.objective_c import FakeObjectiveC


def test_selected_text_begins_a_chat() -> None:
    """The text of the pasteboard fills a draft. An empty one begins nothing."""
    mac, drafts = FakeObjectiveC(), list[str]()
    service = MacService(mac.runtime, drafts.append)
    assert ("NSApplication.sharedApplication", "setServicesProvider:", ("HearthService.alloc.init",)) in mac.sent
    for text in ("Übersetze das: “fox”", "  \n"):
        mac.call(f"{MESSAGE}:userData:error:", mac.text(text), 0, 0)
    assert drafts == ["Übersetze das: “fox”"]
    assert service is not None
