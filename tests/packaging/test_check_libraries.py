"""The check of a finished Hearth.app, without a real one."""

from __future__ import annotations

import plistlib
from pathlib import Path

import check_libraries
import mac_libraries
import pytest
from mac_libraries import Library


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An app with the kernels in both places, whose libraries need nothing."""
    inside = tmp_path / "Hearth.app" / "Contents" / "Frameworks"
    (inside / "mlx" / "lib").mkdir(parents=True)
    (inside / "mlx" / "lib" / "mlx.metallib").write_text("kernels")
    (inside / "mlx" / "lib" / "libmlx.dylib").write_bytes(b"\xcf\xfa\xed\xfe")
    (inside.parent / "Info.plist").write_bytes(plistlib.dumps({"LSMinimumSystemVersion": "15.0"}))
    (inside / "mlx.metallib").symlink_to("mlx/lib/mlx.metallib")
    monkeypatch.setattr(mac_libraries, "read", lambda path: Library(path, (15, 0), (), ()))
    return tmp_path / "Hearth.app"


def test_complete_app_has_no_fault(app: Path) -> None:
    """A complete app has kernels beside each path that the loader may report, and no library for a newer macOS than it
    promises.
    """
    assert list(check_libraries.faults(app)) == []


def test_dangling_link_to_the_kernels_is_a_fault(app: Path) -> None:
    """A link to missing kernels is a fault."""
    (app / "Contents/Frameworks/mlx/lib/mlx.metallib").unlink()
    assert len(list(check_libraries.faults(app))) == 2


def test_mlx_for_a_newer_macos_is_a_fault(app: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such an app would abort on every older macOS."""
    monkeypatch.setattr(mac_libraries, "read", lambda path: Library(path, (26, 2), (), ()))
    (fault,) = check_libraries.faults(app)
    assert "built for macOS 26.2" in fault


def test_app_that_promises_an_older_macos_than_its_libraries_is_a_fault(app: Path) -> None:
    """The check uses the promise in the finished app itself."""
    (app / "Contents/Info.plist").write_bytes(plistlib.dumps({"LSMinimumSystemVersion": "14.4"}))
    (fault,) = check_libraries.faults(app)
    assert fault.endswith("built for macOS 15.0, but Info.plist promises 14.4")
