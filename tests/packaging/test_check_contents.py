"""The list of the bundle's contents: how it names files, and that the check can fail."""

from __future__ import annotations

import sys
from pathlib import Path

import check_contents
import contents
import layout
import pytest


@pytest.mark.parametrize(
    ("place", "named"),
    [
        ("libssl.so.3", "libssl.so"),
        ("libssl.3.dylib", "libssl.dylib"),
        ("libpython3.11.so.1.0", "libpython.so"),
        ("python3.12/lib-dynload/_json.cpython-312-darwin.so", "python/lib-dynload/*"),
        ("Python.framework/Versions/3.12/Python", "Python.framework/Python"),
        ("numpy.libs/libgfortran-040039e1-0352e75f.so.5.0.0", "numpy.libs/libgfortran.so"),
        ("PySide6/libpyside6.abi3.so.6.11", "PySide6/libpyside6.so"),
        ("PySide6/libpyside6.abi3.6.11.dylib", "PySide6/libpyside6.dylib"),
        ("PySide6/Qt/lib/QtCore.framework/Versions/A/QtCore", "PySide6/Qt/lib/QtCore.framework/QtCore"),
        ("msgspec/_core.cpython-313-x86_64-linux-gnu.so", "msgspec/_core.so"),
    ],
)
def test_library_has_one_name_in_every_version(place: str, named: str) -> None:
    """The list changes only if the bundle gets another library."""
    assert check_contents.line(place, native=True) == named


@pytest.mark.parametrize(
    ("place", "named"),
    [
        ("numpy-2.4.6.dist-info/licenses/LICENSE.txt", "numpy.dist-info/*"),
        ("transformers/models/bert/configuration_bert.py", "transformers/models/*"),
        ("resources/recommended_models.json", "resources/*"),
        ("base_library.zip", "base_library.zip"),
    ],
)
def test_other_files_are_named_by_their_folder(place: str, named: str) -> None:
    """The list names other files by their folder, so that people can read it."""
    assert check_contents.line(place, native=False) == named


def test_more_or_less_than_the_list_is_a_difference() -> None:
    """Only files that depend on how CPython was built may be absent."""
    listed = ["a.so", "b.so", "? libssl.so", "? libffi.so"]
    assert list(check_contents.differences(["a.so", "b.so", "libssl.so"], listed)) == []
    assert list(check_contents.differences(["a.so", "libgtk-3.so"], listed)) == [
        "libgtk-3.so is in the bundle and not in the list",
        "b.so is in the list and not in the bundle",
    ]


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bundle whose program needs the C library and a library beside it."""
    inside = tmp_path / "Hearth" / "_internal"
    inside.mkdir(parents=True)
    for path in (inside.parent / contents.NAME, inside / "libssl.so.3"):
        path.write_bytes(b"\x7fELF")
    monkeypatch.setattr(check_contents, "needs", lambda _: ["libc.so.6", "libssl.so.3"])
    return inside.parent


def test_library_that_linux_need_not_have_is_reported(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that Linux systems need not have is reported, because the bundle runs without the build machine."""
    assert list(check_contents.unmet(bundle)) == []
    monkeypatch.setattr(check_contents, "needs", lambda path: ["libgtk-3.so.0"] if path.name == contents.NAME else [])
    assert list(check_contents.unmet(bundle)) == [f"{contents.NAME} needs libgtk-3.so.0, which not every Linux has"]


def test_check_of_a_bundle_that_differs_fails(
    bundle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`make bundle-check` stops at a library that only the build machine has."""
    written = bundle.parent / "list.txt"
    written.write_text("? libssl.so\n")
    monkeypatch.setitem(check_contents.LISTS, "linux", written)
    monkeypatch.setattr(sys, "argv", ["check_contents", str(bundle), "--write"])
    assert check_contents.main() == 0
    assert check_contents.read(written) == ["? libssl.so", contents.NAME]
    monkeypatch.setattr(sys, "argv", ["check_contents", str(bundle)])
    assert check_contents.main() == 0
    (bundle / "_internal" / "libgtk-3.so.0").write_bytes(b"\x7fELF")
    assert check_contents.main() == 1
    assert "libgtk-3.so is in the bundle and not in the list" in capsys.readouterr().out


@pytest.mark.parametrize("system", check_contents.LISTS)
def test_list_is_in_order_and_has_no_foreign_plugin(system: str) -> None:
    """Lists are sorted, as `--write` makes them, and name only those files of Qt that contents.py names."""
    listed = check_contents.read(check_contents.LISTS[system])
    assert listed == sorted(set(listed))
    of_qt = [entry for entry in listed if entry.startswith("PySide6/") and check_contents.is_of_a_wheel(entry)]
    assert len(of_qt) > len(contents.QT_MODULES)
    assert [entry for entry in of_qt if not contents.is_needed(entry)] == []


def test_place_is_the_same_on_both_systems(tmp_path: Path) -> None:
    """The files of one library have the same name on both systems, wherever PyInstaller puts them."""
    for place in ("Hearth/_internal/numpy/a", "Hearth.app/Contents/Frameworks/numpy/a"):
        (tmp_path / place).parent.mkdir(parents=True)
        (tmp_path / place).touch()
    (tmp_path / "Hearth.app/Contents/Resources").mkdir()
    (tmp_path / "Hearth.app/Contents/Resources/numpy").symlink_to("../Frameworks/numpy")
    assert list(layout.files(tmp_path / "Hearth")) == list(layout.files(tmp_path / "Hearth.app")) == ["numpy/a"]


def test_link_without_a_target_is_dangling(tmp_path: Path) -> None:
    """A link that leads out of the bundle is dangling too."""
    (tmp_path / "file").touch()
    for name, target in (("good", "file"), ("broken", "none"), ("out", "/usr")):
        (tmp_path / name).symlink_to(target)
    assert layout.dangling(tmp_path) == ["broken", "out"]
