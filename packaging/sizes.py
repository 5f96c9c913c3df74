"""Measures the bundle. The build fails if the bundle exceeds its budget."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

BUDGET_MB: Final = {"linux": 330, "darwin": 330}
"""The size on disk. On macOS 147 MB of it are mlx's kernels."""
_LARGEST: Final = 14
_MB: Final = 1e6


def parts(bundle: Path) -> dict[str, int]:
    """The bytes of each top-level part of the bundle, largest first."""
    found: dict[str, int] = {}
    for path in _files(bundle):
        name = _part(path.relative_to(bundle))
        found[name] = found.get(name, 0) + path.stat().st_size
    return dict(sorted(found.items(), key=lambda part: -part[1]))


def _files(bundle: Path) -> Iterator[Path]:
    return (path for path in bundle.rglob("*") if path.is_file() and not path.is_symlink())


def _part(place: Path) -> str:
    """Hearth/_internal/mlx/lib/x and Hearth.app/Contents/Frameworks/mlx/lib/x both belong to `mlx`."""
    names = [name for name in place.parts if name not in {"_internal", "Contents", "Frameworks", "Resources", "MacOS"}]
    return names[0] if names else place.name


def table(found: dict[str, int]) -> str:
    """The largest parts, the rest, and the sum."""
    shown = list(found.items())[:_LARGEST]
    rest = sum(found.values()) - sum(size for _, size in shown)
    rows = [*shown, ("all the rest", rest), ("the bundle", sum(found.values()))]
    return "\n".join(f"{size / _MB:8.1f} MB  {name}" for name, size in rows)


def main() -> int:
    """Returns 0 within the budget, else 1."""
    found = parts(Path(sys.argv[1]))
    print(table(found))
    total, budget = sum(found.values()) / _MB, BUDGET_MB[sys.platform]
    if total > budget:
        print(f"The bundle is larger than its budget of {budget} MB.", file=sys.stderr)
        return 1
    print(f"{budget - total:8.1f} MB  left of a budget of {budget} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
