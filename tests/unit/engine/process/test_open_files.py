"""The limit of open files. Each test uses a process of its own, because a lowered limit cannot be raised again."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest

from engine.process import open_files
from tests.fakes.command import ROOT


def limits_after(statement: str, soft: int, hard: int) -> list[int]:
    """The soft and the hard limit of a process that started with the given ones and ran `statement`."""
    code = (
        "import resource; from engine.process.open_files import *; from engine.process.transformers_files import *\n"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))\n{statement}\n"
        "print(*resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.split()]


@pytest.mark.parametrize(("soft", "hard", "raised"), [(32, 64, 64), (64, 4095, 4095)])
def test_the_soft_limit_is_raised_and_the_hard_one_kept(soft: int, hard: int, raised: int) -> None:
    """The soft limit is raised up to the hard limit."""
    assert limits_after("raise_limit()", soft, hard) == [raised, hard]


def test_the_soft_limit_is_not_raised_further_than_useful(monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS: the hard limit is infinite, but a soft limit cannot be. A high soft limit is not lowered."""
    taken: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda _what, limits: taken.append(limits))
    for soft in (256, 12_000, resource.RLIM_INFINITY):
        monkeypatch.setattr(resource, "getrlimit", lambda _what, soft=soft: (soft, resource.RLIM_INFINITY))
        open_files.raise_limit()
    assert taken == [(10_240, resource.RLIM_INFINITY)]


def test_a_system_that_refuses_keeps_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine then works with the limit that it has, and refuses only a model that needs more."""

    def refuse(_what: int, _limits: tuple[int, int]) -> None:
        raise ValueError("not allowed")

    monkeypatch.setattr(resource, "getrlimit", lambda _what: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", refuse)
    open_files.raise_limit()
    assert open_files.limit_below(256) == 256


@pytest.mark.sweep(1)
@pytest.mark.parametrize("hard", [64, 4095])
def test_the_import_of_mlx_lm_leaves_the_limit_alone(hard: int) -> None:
    """Without our guard, the import raises ValueError below 4,096."""
    assert limits_after("with kept_limit(), unused_hidden():\n    import mlx_lm", 48, hard) == [48, hard]


def test_the_import_of_mlx_lm_lowers_no_limit() -> None:
    """Without our guard, the import lowers a hard limit above 4,096 for good."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    assert limits_after("with kept_limit(), unused_hidden():\n    import mlx_lm", 48, hard) == [48, hard]


def test_other_limits_can_still_be_set() -> None:
    """Only the limit that mlx-lm sets is ignored, and only during the import."""
    statement = (
        "with kept_limit(): resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
        "assert resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (40, 50))"
    )
    assert limits_after(statement, 64, 64) == [40, 50]


def test_a_model_with_too_many_files_is_found_before_its_load() -> None:
    """The limit is reported if it is too low, and only then."""
    limits_after("assert (limit_below(32), limit_below(33)) == (0, 64)", 64, 64)


def test_an_infinite_limit_is_never_too_low(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system reports an infinite limit as a negative number."""
    monkeypatch.setattr(resource, "getrlimit", lambda _what: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert open_files.limit_below(100_000) == 0
