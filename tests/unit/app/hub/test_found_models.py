"""The rows of a search: their words and their order."""

from __future__ import annotations

from app.hub.found_models import NOT_LOADABLE, FoundModel, found_row, found_rows, of_list, suggested
from app.models.fit import Machine, MemoryNow
from ui.state.models import FitLevel, ModelState

GB = 10**9
MEMORY = MemoryNow(total=16 * GB, available=10 * GB)


def test_a_row_says_publisher_size_licence_downloads_and_gate() -> None:
    """What decides about a download stands in one line."""
    row = found_row(
        FoundModel("LiquidAI/LFM2-2.6B-4bit", 1_503_238_553, downloads=12_345, licence="lfm1.0", gated=True), MEMORY
    )
    assert (row.id, row.name) == ("LiquidAI/LFM2-2.6B-4bit", "LFM2 2.6B · 4-bit")
    assert row.detail == "LiquidAI · gated · 1.4 GB · lfm1.0 · 12k downloads"
    assert row.figures == "1.4 GB"
    assert row.state is ModelState.REMOTE
    assert row.fit.level is FitLevel.FITS
    assert (row.fit.text, row.fit.longest) == ("", 0)


def test_a_suggestion_says_what_the_welcome_page_says() -> None:
    """What it is for and on which computers it runs, as there."""
    smart, _ = suggested(Machine(16 << 30))
    row = found_row(smart, MEMORY)
    assert row.detail == "Smart · 2.8 GB · runs from 8 GB · Text, code and many languages"
    shown = of_list(row, smart, settled=True)
    assert (shown.about, dict(shown.facts)) == (
        "Smart · Text, code and many languages.",
        {"Fits computers with": "8 GB or more"},
    )
    assert (shown.licence, shown.settled) == ("Apache 2.0", True)


def test_many_downloads_are_said_in_millions() -> None:
    """A narrow list has no room for seven digits."""
    assert found_row(FoundModel("one/model", downloads=2_345_678), MEMORY).detail == "one · 2.3M downloads"


def test_facts_that_the_hub_does_not_tell_are_left_out() -> None:
    """A model of unknown size has no fit, and no figure is made up."""
    row = found_row(FoundModel("one/model"), MEMORY)
    assert row.detail == "one"
    assert row.fit.level is FitLevel.UNKNOWN


def test_models_that_fit_come_first_then_the_most_downloaded() -> None:
    """A popular model that this machine cannot load does not hide one that it can."""
    found = (
        FoundModel("a/huge", 40 * GB, downloads=9_000_000),
        FoundModel("a/unknown", 0, downloads=5000),
        FoundModel("a/small", 2 * GB, downloads=10),
        FoundModel("a/common", 3 * GB, downloads=500),
        FoundModel("a/tight", int(9.7 * GB), downloads=900),
        FoundModel("a/torch", 0, loadable=False, downloads=10**7),
    )
    rows = found_rows(found, MEMORY)
    assert [row.id for row in rows] == ["a/common", "a/small", "a/tight", "a/unknown", "a/huge", "a/torch"]
    assert [row.fit.level for row in rows[:3]] == [FitLevel.FITS, FitLevel.FITS, FitLevel.TIGHT]


def test_weights_of_another_kind_are_marked() -> None:
    """The row says why the model cannot be used and what to do."""
    row = found_row(FoundModel("a/torch", loadable=False), MEMORY)
    assert (row.state, row.note) == (ModelState.UNUSABLE, NOT_LOADABLE)
