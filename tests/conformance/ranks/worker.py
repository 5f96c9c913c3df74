"""A process of a group. It does one part of the check of some families, and rank 0 prints a line of JSON for each split
of them.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ["MLX_DISABLE_COMPILE"] = "1"

import msgspec

from engine.ranks.rank import form
from tests.conformance.ranks.check import PARTS, Place


def main() -> None:
    """Arguments: the part, the rank, the folder of the group, and the checks, each as "family:split"."""
    part, rank, home = PARTS[sys.argv[1]], int(sys.argv[2]), Path(sys.argv[3])
    group = form(rank, home / "addresses")
    for name in sys.argv[4:]:
        family, _, how = name.partition(":")
        result = part(Place(family, how, group, home / str(rank) / name))  # type: ignore[arg-type] # a split
        if rank == 0:
            sys.stdout.buffer.write(msgspec.json.encode(result) + b"\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
