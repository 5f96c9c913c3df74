"""Loads huggingface_hub for Hearth, without its telemetry. Runs on any thread.

The telemetry asks the hub for a list of programs that may have started this one, and keeps the answer in a file of
which an odd content breaks every later question. Hearth asks the hub for models alone.
"""

from __future__ import annotations

import os


def load() -> None:
    """Import huggingface_hub. Every part of the app that asks the hub calls this first."""
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    from huggingface_hub import constants

    constants.HF_HUB_DISABLE_TELEMETRY = True  # another part may have imported it before
