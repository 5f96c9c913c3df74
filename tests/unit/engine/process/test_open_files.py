"""The limit of open files, in processes of their own: one that was lowered stays so."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest

from engine.process import open_files
from tests.fakes.command import ROOT


def limits_after(statement: str, soft: int, hard: int) -> list[int]:
    """The soft and the hard limit of a process that began with others and has done `statement`."""
    code = (
        "import resource; from engine.process.open_files import *\n"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))\n{statement}\n"
        "print(*resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.split()]


@pytest.mark.parametrize(("soft", "hard", "raised"), [(32, 64, 64), (64, 4095, 4095)])
def test_the_soft_limit_is_raised_and_the_hard_one_kept(soft: int, hard: int, raised: int) -> None:
    """As far as the system allows."""
    assert limits_after("raise_limit()", soft, hard) == [raised, hard]


def test_no_more_is_taken_than_is_of_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS: the hard limit is infinite there, but no soft limit may be. One that is high already is not lowered."""
    taken: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda _what, limits: taken.append(limits))
    for soft in (256, 12_000, resource.RLIM_INFINITY):
        monkeypatch.setattr(resource, "getrlimit", lambda _what, soft=soft: (soft, resource.RLIM_INFINITY))
        open_files.raise_limit()
    assert taken == [(10_240, resource.RLIM_INFINITY)]


def test_a_system_that_refuses_keeps_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine then works with what it has, and refuses only a model that needs more."""

    def refuse(_what: int, _limits: tuple[int, int]) -> None:
        raise ValueError("not allowed")

    monkeypatch.setattr(resource, "getrlimit", lambda _what: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", refuse)
    open_files.raise_limit()
    assert open_files.limit_below(256) == 256


@pytest.mark.parametrize("hard", [64, 4095])
def test_the_import_of_mlx_lm_leaves_the_limit_alone(hard: int) -> None:
    """By itself it raises ValueError below 4,096."""
    assert limits_after("with kept_limit():\n    import mlx_lm", 48, hard) == [48, hard]


def test_the_import_of_mlx_lm_lowers_no_limit() -> None:
    """By itself it lowers a hard limit above 4,096 for good."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    assert limits_after("with kept_limit():\n    import mlx_lm", 48, hard) == [48, hard]


def test_other_limits_can_still_be_set() -> None:
    """Only the one that mlx-lm is known to set is kept; afterwards it can be set again too."""
    statement = (
        "with kept_limit(): resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
        "assert resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (40, 50))"
    )
    assert limits_after(statement, 64, 64) == [40, 50]


def test_a_model_of_more_files_than_may_be_open_is_known_before() -> None:
    """The limit is named if it is too low, and only then."""
    limits_after("assert (limit_below(32), limit_below(33)) == (0, 64)", 64, 64)


def test_an_infinite_limit_is_never_too_low(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told as a negative number."""
    monkeypatch.setattr(resource, "getrlimit", lambda _what: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert open_files.limit_below(100_000) == 0
