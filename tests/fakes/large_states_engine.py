"""An engine for which every state is large, as a process: a chat keeps few of them on disk from the start."""

from __future__ import annotations

import sys

from engine.__main__ import main
from engine.cache import retention

if __name__ == "__main__":
    retention.MOST_BYTES = 0
    sys.exit(main())
