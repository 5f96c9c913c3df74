"""The pinned requirements in the repository."""

from __future__ import annotations

from pathlib import Path

import oldest_wheels
import pins
import pytest

FOLDER = Path(pins.__file__).parent
FILES = ("requirements.txt", "requirements-dev.txt", "requirements-bundle.txt")
CUDA = "requirements-cuda.txt"


@pytest.mark.parametrize("name", [*FILES, CUDA])
def test_every_pin_has_a_hash_and_no_address(name: str) -> None:
    """An installation gets exactly the pinned files, from any index."""
    text = (FOLDER / name).read_text("utf-8")
    assert "://" not in text
    assert "--index" not in text
    assert all("--hash=sha256:" in pin.text for pin in pins.pins(text).values())


def test_larger_sets_hold_the_smaller_ones() -> None:
    """Tests and bundles use the same versions as the app."""
    small, middle, large = (pins.pins((FOLDER / name).read_text("utf-8")) for name in FILES)
    assert {name: pin.version for name, pin in small.items()}.items() <= {
        n: p.version for n, p in middle.items()
    }.items()
    assert {name: pin.version for name, pin in middle.items()}.items() <= {
        n: p.version for n, p in large.items()
    }.items()
    assert {"pyinstaller", "lief", "icnsutil", "macholib"} <= set(large) - set(middle)


def test_mlx_and_its_kernels_are_of_one_version() -> None:
    """mlx and the kernels of each platform and device have the same version."""
    found, cuda = pins.runtime(), pins.pins((FOLDER / CUDA).read_text("utf-8"))
    kernels = [found[name] for name in (*oldest_wheels.BY_MACOS, "mlx-cpu")]
    assert len({pin.version for pin in [*kernels, cuda["mlx"], cuda["mlx-cuda-13"]]}) == 1


def test_pin_for_any_platform_keeps_its_hashes() -> None:
    """pip on Linux can download a file that is marked for macOS, and still checks its hash."""
    pin = pins.runtime()["mlx-metal"]
    assert "darwin" in pin.marker
    text = pins.without_marker(pin)
    assert text.startswith(f"mlx-metal=={pin.version} \\\n")
    assert text.count("--hash") == pin.text.count("--hash")


def test_other_lines_are_not_taken_for_pins() -> None:
    """A requirements file in another format is an error, not an empty list."""
    with pytest.raises(ValueError, match="no pinned requirement"):
        pins.pins("numpy>=2\n")
