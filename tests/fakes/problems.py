"""Problems of the environment that a test expects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from storage.errors import EnvironmentProblem

if TYPE_CHECKING:
    from storage.errors import Problem


def reported(problem: Problem) -> pytest.RaisesExc[EnvironmentProblem]:
    """Expects an error of the environment that names this problem."""
    return pytest.raises(EnvironmentProblem, check=lambda error: error.problem is problem)
