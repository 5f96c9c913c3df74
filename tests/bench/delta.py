"""Delta writes: the bytes that a turn of a long chat writes, compared with its new bytes and with the whole cache."""

from __future__ import annotations

import tempfile
from pathlib import Path

from engine.model.loader import LoadedModel
from tests.bench.figures import Figure
from tests.fakes.long_chat import Shape, desk, talk

TITLE = "Bytes written over a chat of 100 turns"
TURNS = 100


def measure(_: LoadedModel) -> list[Figure]:
    """Caches of 16 kB per token and 0.5 MB of state. The first ratio is best at 1; the larger the second, the
    better.
    """
    with tempfile.TemporaryDirectory() as home, desk(Path(home) / "segments") as at:
        sizes = talk(at, Shape(layers=16), TURNS)
    new, written, whole = (sum(one) / 1e6 for one in (sizes.new, sizes.written, sizes.whole))
    return [
        Figure("a chat, in bytes of its new state (fewer are better)", written, "MB", new, written / new),
        Figure("a chat, against rewriting its cache every turn", written, "MB", whole, whole / written),
    ]
