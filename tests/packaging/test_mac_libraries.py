"""The requirements of a library for macOS."""

from __future__ import annotations

from pathlib import Path

import mac_libraries
import pytest
from mac_libraries import Library

MACOS = (15, 0)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for place in ("mlx/core.so", "mlx/lib/libmlx.dylib"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_bytes(b"\xcf\xfa\xed\xfe")
    return tmp_path


def core(site: Path, need: str, *rpaths: str) -> Library:
    return Library(site / "mlx" / "core.so", (14, 0), (need, "/usr/lib/libSystem.B.dylib"), rpaths)


def test_met_needs_are_no_fault(site: Path) -> None:
    """A library finds its dependency beside it, and system libraries are provided by the system."""
    library = core(site, "@rpath/libmlx.dylib", "@loader_path/nowhere", "@loader_path/lib")
    assert mac_libraries.faults([library], site, MACOS) == []
    assert mac_libraries.resolved("@rpath/libmlx.dylib", library, site) == site / "mlx/lib/libmlx.dylib"


@pytest.mark.parametrize(
    "need", ["@rpath/libjaccl.dylib", "@loader_path/../../elsewhere.dylib", "/opt/lib/libmlx.dylib"]
)
def test_need_outside_the_bundle_is_a_fault(site: Path, need: str) -> None:
    """A dependency that only the build machine has is reported."""
    (site.parent / "elsewhere.dylib").touch()
    (fault,) = mac_libraries.faults([core(site, need, "@loader_path/lib")], site, MACOS)
    assert need in fault


def test_absolute_rpath_is_a_fault(site: Path) -> None:
    """A library must not search a folder of the build machine, even if it needs nothing from it."""
    library = core(site, "@loader_path/lib/libmlx.dylib", "/Users/builder/lib")
    assert mac_libraries.faults([library], site, MACOS) == ["mlx/core.so: absolute rpath /Users/builder/lib"]


def test_library_for_a_newer_macos_is_a_fault(site: Path) -> None:
    """No file of the app may be built for a newer macOS than Info.plist promises."""
    library = Library(site / "mlx" / "core.so", MACOS, (), ())
    assert mac_libraries.faults([library], site, MACOS) == []
    (fault,) = mac_libraries.faults([library], site, (14, 4))
    assert fault == "mlx/core.so: built for macOS 15.0, but Info.plist promises 14.4"


def test_links_are_not_counted_twice(site: Path) -> None:
    """A link at the top of the bundle does not count as a second library, and data files do not count at all."""
    (site / "libmlx.dylib").symlink_to("mlx/lib/libmlx.dylib")
    (site / "data.json").write_text("{}")
    assert [path.name for path in mac_libraries.find(site)] == ["core.so", "libmlx.dylib"]
