"""The bytes that a long chat writes to disk, through the manager and a real store."""

from __future__ import annotations

from pathlib import Path

from tests.fakes.long_chat import Shape, desk, talk

TURNS = 40


def test_a_turn_writes_its_own_delta_and_little_beside(tmp_path: Path) -> None:
    """Over forty turns, a turn's files take at most a twentieth more than its keys and values and its one state,
    and late turns no more than early ones. Rewriting the whole cache would take more than ten times as much.
    """
    with desk(tmp_path / "segments") as at:
        sizes = talk(at, Shape(layers=8, size=16, state_bytes=1 << 16), TURNS, said=30, answered=70)
    assert all(written <= 1.05 * new for new, written in zip(sizes.new, sizes.written, strict=True))
    assert max(sizes.written) - min(sizes.written) <= 256, "but for the digits of positions"
    assert sum(sizes.whole) > 10 * sum(sizes.written)
