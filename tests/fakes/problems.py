"""Problems of the environment that a test expects, and functions that fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

import pytest

from storage.errors import EnvironmentProblem, Problem


def reported(problem: Problem) -> pytest.RaisesExc[EnvironmentProblem]:
    """Expects an error of the environment that names this problem."""
    return pytest.raises(EnvironmentProblem, check=lambda error: error.problem is problem)


def raising(error: BaseException) -> Callable[..., NoReturn]:
    """A function that raises `error`, whatever it is called with."""

    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    return fail
