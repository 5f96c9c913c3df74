"""What is said of a library by what it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mac_libraries
import pytest
from mac_libraries import Library

if TYPE_CHECKING:
    from pathlib import Path

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
    """A library beside the one that needs it is found, and the system's own are the system's."""
    library = core(site, "@rpath/libmlx.dylib", "@loader_path/nowhere", "@loader_path/lib")
    assert mac_libraries.faults([library], site, MACOS) == []
    assert mac_libraries.resolved("@rpath/libmlx.dylib", library, site) == site / "mlx/lib/libmlx.dylib"


@pytest.mark.parametrize(
    "need", ["@rpath/libjaccl.dylib", "@loader_path/../../elsewhere.dylib", "/opt/lib/libmlx.dylib"]
)
def test_need_outside_the_bundle_is_a_fault(site: Path, need: str) -> None:
    """What only the machine of the build has is named."""
    (site.parent / "elsewhere.dylib").touch()
    (fault,) = mac_libraries.faults([core(site, need, "@loader_path/lib")], site, MACOS)
    assert need in fault


def test_absolute_rpath_is_a_fault(site: Path) -> None:
    """A folder of the machine of the build is never looked into, even where nothing is needed from it."""
    library = core(site, "@loader_path/lib/libmlx.dylib", "/Users/builder/lib")
    assert mac_libraries.faults([library], site, MACOS) == ["mlx/core.so: absolute rpath /Users/builder/lib"]


def test_library_for_a_newer_macos_is_a_fault(site: Path) -> None:
    """Info.plist promises no macOS that a file of the app was not built for."""
    library = Library(site / "mlx" / "core.so", MACOS, (), ())
    assert mac_libraries.faults([library], site, MACOS) == []
    (fault,) = mac_libraries.faults([library], site, (14, 4))
    assert fault == "mlx/core.so: built for macOS 15.0, but Info.plist promises 14.4"


def test_links_are_not_counted_twice(site: Path) -> None:
    """The link at the top of the bundle is no second library, and data are none."""
    (site / "libmlx.dylib").symlink_to("mlx/lib/libmlx.dylib")
    (site / "data.json").write_text("{}")
    assert [path.name for path in mac_libraries.find(site)] == ["core.so", "libmlx.dylib"]
