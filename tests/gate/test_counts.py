"""The regression gate: what the engine does on a fixed journey, in exact numbers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import mlx.core as mx
import pytest

from storage.segments.files import Disk
from tests.gate import page
from tests.gate.journey import FAMILIES, travelled
from tests.gate.seams import COUNTS, Tally, counted

RECORDED = page.read(page.PATH.read_text("utf-8"))


@pytest.mark.parametrize("family", FAMILIES)
def test_a_journey_takes_what_is_recorded(family: str) -> None:
    """No change of the code makes a count worse by accident, and the page always has the newest."""
    differing = page.differences({family: travelled(family)}, {family: RECORDED[family]})
    assert not differing, "\n".join([*differing, page.ADVICE])


def test_the_page_is_as_its_command_writes_it() -> None:
    """It is not edited by hand, and no count on it is always zero."""
    assert page.written(RECORDED) == page.PATH.read_text("utf-8")
    assert RECORDED.keys() == FAMILIES.keys()
    totals = sum((found for counts in RECORDED.values() for found in counts.values()), Counter[str]())
    assert all(totals[name] for name in COUNTS)


def test_a_difference_names_its_count_and_both_values() -> None:
    """A failure says which count changed, from what to what, and in which direction."""
    before, now = {"llama": {"forget": Counter(opens=1200, reads=3)}}, {"llama": {"forget": Counter(opens=7, reads=4)}}
    assert page.differences(now, before) == [
        "llama, forget: opens 1,200 before, 7 now: better",
        "llama, forget: reads 3 before, 4 now: worse",
    ]
    assert page.differences({"llama": {}}, {"llama": {"forget": Counter(opens=1)}})[0] == (
        "llama, forget: passes 0 before, not counted now"
    )


def test_every_seam_counts(tmp_path: Path) -> None:
    """Each call that is counted on the journey is counted once, and none after it."""
    tally = Tally()

    class Model:
        def __call__(self, tokens: mx.array) -> mx.array:
            return tokens + 1

    with counted(Model, tally):
        mx.eval(Model()(mx.zeros((2, 3))))
        mx.array(1).item()
        disk = Disk()
        with disk.create(tmp_path / "file") as file:
            disk.write(file, b"12345")
    Model()(mx.zeros((1, 1)))
    expected = Counter(passes=1, tokens=6, evaluations=1, waits=1, opens=1, written=5)
    assert tally.taken() == expected
