"""Which cases run: all (`--sweeps`, in `make soak`), a slice of each sweep (`make test`), or quick ones (`--quick`, in
`make quick`).

A sweep is a test with many cases. `@pytest.mark.sweep` keeps cases until each value of each parameter has had its turn.
`@pytest.mark.sweep(12)` keeps twelve cases, evenly spread. A unit test of the engine that is repeated for several tiny
models is one without a mark: it keeps one of the models. Which, follows from its name, so that other tests keep
the others. Each run keeps the same cases.

A quick run has one case of each unit test that opens no window, starts no process and plays no life of an engine.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Final
from zlib import crc32

import pytest

APART = (
    "app/backup",
    "app/cli",
    "app/desktop",
    "app/documents",
    "app/engine_client",
    "app/hub",
    "engine/interop",
    "engine/process",
    "engine/ranks",
    "engine/server",
    "storage/recovery",
    "storage/segments/test_kills.py",
    "ui",
)
"""Unit tests that are not quick, by their folders."""

MODELS: Final = re.compile(r"(?<![a-z0-9_])(qwen3_5|lfm2|falcon_h1|llama4?|gemma3_text|gemma2|mamba)(?![a-z0-9_])")
"""The tiny models (tests/fakes/tiny_models.py), in the name of a case."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--sweeps`: run every case."""
    parser.addoption("--sweeps", action="store_true", help="run every case of a sweep, not a slice of it")
    parser.addoption("--quick", action="store_true", help="run one case of each test that is quick")


def pytest_configure(config: pytest.Config) -> None:
    """Tell pytest of the mark."""
    config.addinivalue_line("markers", "sweep(most=None): `make test` runs a slice of the cases (tests/sweeps.py)")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what this run leaves out."""
    if config.getoption("sweeps"):
        return
    choose = _quick if config.getoption("quick") else _slice
    left = [item for _, cases in groupby(items, _test) for item in choose(list(cases))]
    if dropped := set(items) - set(left):
        config.hook.pytest_deselected(items=[item for item in items if item in dropped])
        items[:] = left


def _test(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def _quick(cases: list[pytest.Item]) -> Sequence[pytest.Item]:
    first = cases[0]
    folder = first.path.as_posix().partition("/tests/unit/")[2]
    shows = {"qapp", "qtbot"} & {*getattr(first, "fixturenames", ())}
    starts = hasattr(getattr(first, "module", None), "subprocess")
    return [] if not folder or folder.startswith(APART) or shows or starts else cases[:1]


def _slice(cases: list[pytest.Item]) -> Sequence[pytest.Item]:
    mark = cases[0].get_closest_marker("sweep")
    if mark is None:
        return _some_models(cases) if "/tests/unit/engine/" in cases[0].path.as_posix() else cases
    if mark.args:
        return cases[:: -(-len(cases) // mark.args[0])]
    return _each_value(cases)


def _some_models(cases: list[pytest.Item]) -> Sequence[pytest.Item]:
    """The cases of one of the models. Cases without a model stay."""
    models = {case: found[1] if (found := MODELS.search(case.name)) else "" for case in cases}
    named = [*dict.fromkeys(filter(None, models.values()))] or [""]
    kept = {"", named[crc32(cases[0].name.partition("[")[0].encode()) % len(named)]}
    return [case for case in cases if models[case] in kept]


def _each_value(cases: list[pytest.Item]) -> Sequence[pytest.Item]:
    """The fewest cases that a greedy choice finds in which each value of each parameter occurs."""
    values = {case: _values(case) for case in cases}
    missing = set().union(*values.values())
    kept = []
    while missing:
        best = max(cases, key=lambda case: len(values[case] & missing))
        kept.append(best)
        missing -= values[best]
    return [case for case in cases if case in kept]


def _values(case: pytest.Item) -> set[tuple[str, int]]:
    assert isinstance(case, pytest.Function), "only a parametrised function is a sweep"
    return {
        (name, id(value)) for name, value in case.callspec.params.items()
    }  # cases share the objects of their values
