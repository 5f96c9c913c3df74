"""The register of repairs: which of mlx-lm's families the engine mends when it loads them. Owns the list.

Each repair is a module of its own and changes one loaded model, never mlx-lm. The conformance suite fails when mlx-lm
no longer needs one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.model.patches import afm7, gemma2, plamo3

if TYPE_CHECKING:
    from collections.abc import Callable

_REPAIRS: dict[str, Callable[[Any], None]] = {
    "afm7": afm7.repair,
    "gemma2": gemma2.repair,
    "plamo3": plamo3.repair,
}


def repair(model: Any) -> None:
    """Mend `model`, fresh from mlx-lm, if its family needs it."""
    if mend := _REPAIRS.get(str(getattr(model, "model_type", ""))):
        mend(model)
