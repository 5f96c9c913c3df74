"""The memory of a model's real answers."""

from __future__ import annotations

from pathlib import Path

from app.models import measurements
from app.models.measurements import Measured
from engine.protocol.messages import Usage
from tests.fakes.foreign import flipped


def test_speeds_come_from_real_answers() -> None:
    """The time of a restore is no reading."""
    usage = Usage(prefill_tokens=1000, ttft_ms=1500, restore_ms=500, completion_tokens=100, decode_tps=42.04)
    assert measurements.with_usage(Measured("i"), usage) == Measured("i", 1000.0, 42.0)


def test_short_answers_measure_nothing() -> None:
    """The former figures stay."""
    before = Measured("i", 900.0, 40.0)
    usage = Usage(prefill_tokens=10, ttft_ms=1500, completion_tokens=3, decode_tps=9.0)
    assert measurements.with_usage(before, usage) == before
    assert measurements.with_usage(before, Usage()) == before


def test_figures_come_back_as_they_were(tmp_path: Path) -> None:
    """A damaged file costs only the figures."""
    file = tmp_path / "m.json"
    kept = {"/m": Measured("i", 1.5, 2.5), "/n": Measured()}
    assert measurements.load(file) == {}
    measurements.save(kept, file)
    assert measurements.load(file) == kept
    assert file.stat().st_mode & 0o777 == 0o600
    for content in flipped(file.read_bytes()):
        file.write_bytes(content)
        measurements.load(file)


def test_a_disk_that_refuses_costs_only_the_figures(tmp_path: Path) -> None:
    """They are measured again."""
    measurements.save({"/m": Measured()}, tmp_path / "gone" / "m.json")
    assert measurements.load(tmp_path / "gone" / "m.json") == {}
