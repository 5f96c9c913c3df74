"""Lists the mlx-lm model families that the engine patches when it loads them.

Each patch is a module that changes one loaded model, never mlx-lm. The conformance suite fails when mlx-lm no longer
needs a patch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.model.patches import afm7, gemma2, plamo3

if TYPE_CHECKING:
    from collections.abc import Callable

_REPAIRS: dict[str, Callable[[Any], None]] = {
    "afm7": afm7.patch,
    "gemma2": gemma2.patch,
    "plamo3": plamo3.patch,
}


def patch(model: Any) -> None:
    """Patch `model`, fresh from mlx-lm, if its family needs it."""
    if mend := _REPAIRS.get(str(getattr(model, "model_type", ""))):
        mend(model)
