"""Sweeps: tests with many cases, of which `make test` runs a slice and `make soak` (`--sweeps`) runs all.

`@pytest.mark.sweep` keeps cases until each value of each parameter has had its turn. `@pytest.mark.sweep(12)` keeps
twelve cases, evenly spread. Each run keeps the same ones.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--sweeps`: run every case."""
    parser.addoption("--sweeps", action="store_true", help="run every case of a sweep, not a slice of it")


def pytest_configure(config: pytest.Config) -> None:
    """Tell pytest of the mark."""
    config.addinivalue_line("markers", "sweep(most=None): `make test` runs a slice of the cases (tests/sweeps.py)")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the cases of each sweep that are not in its slice."""
    if config.getoption("sweeps"):
        return
    left = [item for _, cases in groupby(items, _test) for item in _slice(list(cases))]
    if dropped := set(items) - set(left):
        config.hook.pytest_deselected(items=[item for item in items if item in dropped])
        items[:] = left


def _test(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def _slice(cases: list[pytest.Item]) -> Sequence[pytest.Item]:
    mark = cases[0].get_closest_marker("sweep")
    if mark is None:
        return cases
    if mark.args:
        return cases[:: -(-len(cases) // mark.args[0])]
    return _each_value(cases)


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
