"""The real engine, whose model never finishes a long chunk of a prompt. Run as a script; the arguments are the
engine's.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

from engine import __main__ as engine
from engine.decode.last_logits import LastLogits

LONG = 500
"""The least tokens of a long chunk."""


class _Endless(LastLogits):
    """Computes short chunks alone."""

    def __call__(self, tokens: Sequence[int], caches: Sequence[Any]) -> Any:
        if len(tokens) >= LONG:
            time.sleep(3600)
        return super().__call__(tokens, caches)


def main() -> int:
    """Run the engine."""
    with patch("engine.server.generation.LastLogits", _Endless):
        return engine.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
