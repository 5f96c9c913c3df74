"""`make bench peers`: the time to the first token on the same journey through Hearth and other servers, in one run."""

from __future__ import annotations

import os
import signal
import statistics
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from resources import DEMO_MODEL
from tests.bench import published
from tests.bench.figures import Figure, faster
from tests.bench.peers.hearth import Hearth
from tests.bench.peers.journey import stages
from tests.bench.peers.peer import Answer, Peer
from tests.bench.peers.server import Server, installed

JOURNEYS = 3

Results = dict[str, list["Answer"]]
"""The answers of each stage, one for each journey."""


def measure() -> list[Figure]:
    """Print the table. Returns the time of each stage compared with each other peer's."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the children are ended below
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ended:
        home = Path(folder)
        model = _model(home)
        peers: list[Peer] = [Hearth(model, home / "hearth")]
        ended.callback(peers[0].close)
        for server in installed(model, home):
            ended.callback(server.close)
            peers += [server] if _starts(server) else []
        results = _travelled(peers)
    print(f"\n{_table(results)}\n", flush=True)
    print("\n".join(_disagreements(results)), flush=True)
    return _figures(results)


def _model(home: Path) -> Path:
    wish = os.environ.get("BENCH_MODEL", str(DEMO_MODEL))
    if wish not in published.SIZES:
        return Path(wish)
    (home / "model").mkdir()
    return published.write(wish, home / "model")


def _starts(server: Server) -> bool:
    """Whether a server can answer with this model. Prints why it cannot."""
    try:
        server.start()
        server.stop()
    except RuntimeError as error:
        print(error, flush=True)
        return False
    return True


def _travelled(peers: Sequence[Peer]) -> dict[str, Results]:
    """The results of each peer. The peers take turns, journey by journey."""
    results: dict[str, Results] = {peer.name: {} for peer in peers}
    for number in range(JOURNEYS):
        for peer in peers:
            for stage, answer in stages(peer, number):
                results[peer.name].setdefault(stage, []).append(answer)
    return results


def _table(results: dict[str, Results]) -> str:
    """A row for each stage: the time of each peer, the tokens from its cache, and how many times slower it was."""
    ours, *others = results
    head = ["First token (ms)", ours, "cached", *(cell for other in others for cell in (other, "cached", "ratio"))]
    rows = [head]
    for stage, answers in results[ours].items():
        row = [stage, *_cells(answers)]
        for other in others:
            theirs = results[other][stage]
            row += [*_cells(theirs), f"{_first(theirs) / _first(answers):.2f}x"]
        rows.append(row)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows)


def _cells(answers: Sequence[Answer]) -> list[str]:
    cached = answers[-1].cached
    return [f"{_first(answers):,.1f}", "?" if cached is None else f"{cached:,}"]


def _first(answers: Sequence[Answer]) -> float:
    return statistics.median(answer.first_ms for answer in answers)


def _figures(results: dict[str, Results]) -> list[Figure]:
    ours, *others = results
    return [
        faster(f"{stage}, against {other}", _first(answers), _first(results[other][stage]))
        for stage, answers in results[ours].items()
        for other in others
    ]


def _disagreements(results: dict[str, Results]) -> list[str]:
    """A line for each other peer that says whether its answers are Hearth's."""
    ours, *others = results
    return [_agreement(other, results[ours], results[other]) for other in others]


def _agreement(name: str, ours: Results, theirs: Results) -> str:
    unlike = [
        stage
        for stage, answers in ours.items()
        if [answer.text.strip() for answer in answers] != [answer.text.strip() for answer in theirs[stage]]
    ]
    return f"{name}: other answers than Hearth's: {', '.join(unlike)}" if unlike else f"{name}: Hearth's answers"
