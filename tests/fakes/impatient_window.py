"""The window that does not wait for the end of another one. Run as a script."""

from __future__ import annotations

import sys

from app.__main__ import main
from app.desktop import home, launch

if __name__ == "__main__":
    home.LOCK_SECONDS = launch.ENDING_SECONDS = 0.0
    sys.exit(main())
