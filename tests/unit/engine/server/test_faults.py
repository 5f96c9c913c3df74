"""An injected failure inside the engine costs one request at most. `make soak` injects a failure at every call."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from engine.cache.manager import Checkpoint
from engine.cache.segment import Segment
from engine.decode.prefill import checkpoint
from engine.turn import finish
from tests.soak.faults import FAMILIES, Sweep
from tests.soak.injected import ERRORS

EACH = 8
"""One call in so many is tried."""
EACH_FUNCTION = 250
"""One function in so many is tried."""
pytestmark = pytest.mark.timeout(600)
_tried: set[tuple[str, ...]] = set()
"""The sites of the families before: each is tried once, in the first family that has it."""


@pytest.fixture(scope="module")
def sweep_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Sweep]:
    """The sweep of a family."""
    return cache(lambda family: Sweep(family, tmp_path_factory.mktemp(family)))


@pytest.mark.parametrize("family", ["llama", "gemma2", "qwen3_5"])
def test_a_failure_anywhere_makes_no_answer_wrong(family: str, sweep_of: Callable[[str], Sweep]) -> None:
    """Four chats answer, stop and continue after a restart while one call fails. No token is wrong, nothing
    wrong is kept, and each request ends once.
    """
    assert family in FAMILIES
    sweep = sweep_of(family)
    numbers = {number: site for number, site in sweep.sites("mlx").items() if site not in _tried}
    _tried.update(numbers.values())
    problems = [found for at in list(numbers)[::EACH] for found in sweep.fail("mlx", at, ERRORS[at % len(ERRORS)])]
    assert problems == []


def test_a_failure_of_any_function_ends_one_request_at_most(sweep_of: Callable[[str], Sweep]) -> None:
    """The same chats while one function of the engine's loop raises as it is entered, called from anywhere: no request
    is lost or ends twice, no neighbour says anything else, each chat goes on, and the engine never ends.
    """
    assert list(sweep_of("llama").entries(EACH_FUNCTION)) == []


def test_a_wrong_state_is_seen(sweep_of: Callable[[str], Sweep], monkeypatch: pytest.MonkeyPatch) -> None:
    """The sweep's comparison can fail: it finds values in memory and on disk that were changed before that."""

    def spoiled(caches: list[Any], segment: Segment, *, durable: bool) -> Checkpoint:
        made = checkpoint(caches, segment, durable=durable)
        records = {kind: {n: array * 1.01 for n, array in arrays.items()} for kind, arrays in made.records.items()}
        return Checkpoint(segment, records, durable)

    monkeypatch.setattr(finish, "checkpoint", spoiled)
    problems = sweep_of("llama").fail("mlx", 0, ERRORS[0])
    assert {"hot kv", "disk kv"} <= {problem.split(": ")[1].split(" of ")[0] for problem in problems}
