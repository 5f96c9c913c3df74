"""The bill of materials: what it says of a bundle, and that the check of it can fail."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import check_sbom
import contents
import layout
import native_versions
import owners
import pins
import pytest
import sbom
from components import CPYTHON, DEMO, HEARTH, ICONS, PYINSTALLER, Unknown

ROOT = Path(sbom.__file__).resolve().parent.parent
MODULES = {
    "__main__",
    "app.desktop.hearth",
    "numpy",
    "numpy.fft",
    "google",
    "google.protobuf",
    "json",
    "pyi_rth_inspect",
}


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small bundle with real files of numpy, the demo model and the icons."""
    folder = tmp_path / "Hearth"
    inside = folder / "_internal"
    numpy = next(file for file in owners.installed().files if file.startswith("numpy/fft/") and file.endswith(".so"))
    site = Path(str(distribution("numpy").locate_file("")))
    demo, icon = "resources/demo_model/config.json", "resources/icons/check.svg"
    for place, source in ((numpy, site / numpy), (demo, ROOT / demo), (icon, ROOT / icon)):
        (inside / place).parent.mkdir(parents=True)
        (inside / place).write_bytes(source.read_bytes())
    (folder / "Hearth").write_text("the program")
    monkeypatch.setattr(layout, "modules", lambda _: MODULES)
    return folder


def named(bill: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {part["name"]: part for part in (bill["metadata"]["component"], *bill["components"])}


def test_bill_is_valid_and_agrees_with_the_bundle(bundle: Path) -> None:
    """The bill is valid CycloneDX, and names every file with its hash and every module with its owner."""
    bill = sbom.made(bundle)
    assert list(check_sbom.faults(bundle, sbom.text(bill))) == []
    parts = named(bill)
    assert set(parts) == {HEARTH, CPYTHON, DEMO, ICONS, PYINSTALLER, "numpy", "protobuf"}
    assert parts["numpy"]["version"] == pins.runtime()["numpy"].version
    assert parts["numpy"]["licenses"][0]["expression"].startswith("BSD-3-Clause")
    assert parts["numpy"]["components"][0]["type"] == "library"
    assert parts[DEMO]["type"] == "machine-learning-model"
    pinned = parts["numpy"]["externalReferences"][0]["hashes"]
    assert [one["content"] for one in pinned] == pins.runtime()["numpy"].hashes


def test_bill_says_nothing_of_when_and_where(bundle: Path, tmp_path: Path) -> None:
    """Two builds of one tree have the same bill, in any folder. Another content has another serial number."""
    bill = sbom.made(bundle)
    moved = bundle.rename(tmp_path / "elsewhere")
    assert sbom.text(sbom.made(moved)) == sbom.text(bill)
    assert str(tmp_path) not in sbom.text(bill)
    assert "timestamp" not in bill["metadata"]
    (moved / "Hearth").write_text("another program")
    assert sbom.made(moved)["serialNumber"] != bill["serialNumber"]


def _add(bundle: Path, _: dict[str, Any]) -> None:
    (bundle / "_internal" / "libgtk-3.so.0").touch()


def _remove(bundle: Path, _: dict[str, Any]) -> None:
    (bundle / "_internal" / "resources" / "demo_model" / "config.json").unlink()


def _change(bundle: Path, _: dict[str, Any]) -> None:
    (bundle / "Hearth").write_text("another program")


def _link(bundle: Path, _: dict[str, Any]) -> None:
    (bundle / "_internal" / "libQt6.so").symlink_to("nowhere")


def _forget(_: Path, bill: dict[str, Any]) -> None:
    bill["components"] = [part for part in bill["components"] if part["name"] != "numpy"]


def _invent(_: Path, bill: dict[str, Any]) -> None:
    bill["components"].append({**named(bill)["protobuf"], "name": "tqdm", "properties": [], "bom-ref": "another"})


def _outdate(_: Path, bill: dict[str, Any]) -> None:
    named(bill)["protobuf"]["version"] = "1.0"


def _unlicense(_: Path, bill: dict[str, Any]) -> None:
    del named(bill)["protobuf"]["licenses"]


def _break(_: Path, bill: dict[str, Any]) -> None:
    named(bill)["protobuf"]["type"] = "thing"


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (_add, r"files that it does not name: libgtk-3\.so\.0 \(1\)"),
        (_remove, "files that are not in the bundle: resources/demo_model"),
        (_change, "files with another hash: Hearth"),
        (_link, r"links that lead to nothing in the bundle: libQt6\.so"),
        (_forget, "modules in the program that it does not name: numpy"),
        (_invent, "tqdm is named, but nothing of it is in the bundle"),
        (_outdate, r"protobuf 1\.0 is not what is pinned"),
        (_unlicense, "protobuf has no version or no licence"),
        (_break, "it is no CycloneDX"),
    ],
)
def test_bill_that_is_not_true_fails(bundle: Path, spoil: Callable[[Path, dict[str, Any]], None], fault: str) -> None:
    """The check fails if the bundle has a file that the bill does not name, or the reverse."""
    bill = json.loads(sbom.text(sbom.made(bundle)))
    spoil(bundle, bill)
    found = "\n".join(check_sbom.faults(bundle, sbom.text(bill)))
    assert re.search(fault, found), found


@pytest.mark.parametrize("place", ["libgtk-3.so.0", "attrs/__init__.py", "resources/unknown/file"])
def test_file_of_unknown_origin_stops_the_build(bundle: Path, place: str) -> None:
    """A file that no pinned requirement installed stops the build."""
    (bundle / "_internal" / place).parent.mkdir(exist_ok=True)
    (bundle / "_internal" / place).touch()
    with pytest.raises(Unknown, match=place):
        sbom.made(bundle)


def test_module_of_unknown_origin_stops_the_build(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that only the tests need stops the build, even if a shipped library imports it."""
    monkeypatch.setattr(layout, "modules", lambda _: {*MODULES, "attrs"})
    with pytest.raises(Unknown, match="attrs"):
        sbom.made(bundle)


def test_commands_write_and_check_the_bill(
    bundle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bill lies beside the bundle. If the bundle changes afterwards, the check fails with a status."""
    monkeypatch.setattr("sys.argv", ["sbom", str(bundle)])
    assert (sbom.main(), check_sbom.main()) == (0, 0)
    assert (bundle.parent / "Hearth.cdx.json").is_file()
    (bundle / "_internal" / "libgtk-3.so.0").touch()
    assert (sbom.main(), check_sbom.main()) == (1, 1)
    assert capsys.readouterr().err.count("libgtk-3.so.0") == 2


def test_app_s_own_libraries_are_no_strangers() -> None:
    """The strangers are the libraries that only tests and the build need, never those of the app."""
    strangers = owners.strangers()
    assert {"pytest", "hypothesis", "cyclonedx", "attrs", "mypy"} <= strangers
    assert not strangers & {"app", "engine", "numpy", "mlx", "yaml", "PySide6", "packaging", "google"}


def test_every_named_library_of_python_has_a_project_and_a_question() -> None:
    """The bill of materials can name each of the libraries that a CPython may bring."""
    assert set(contents.PYTHON_LIBRARIES) == set(native_versions.PROJECTS)


@pytest.mark.parametrize("library", ["libcrypto", "libsqlite3", "libbz2", "liblzma"])
def test_library_is_asked_for_its_version(library: str) -> None:
    """The bill names the version that the file itself reports."""
    loaded = [line.split()[-1] for line in _maps() if library in line]
    if not loaded:
        pytest.skip(f"this CPython has no {library} of its own")
    assert native_versions.version(Path(loaded[0]))[0].isdigit()


def _maps() -> list[str]:
    for name in ("_bz2", "_lzma", "_sqlite3", "_ssl"):
        import_module(name)
    maps = Path("/proc/self/maps")
    return maps.read_text().splitlines() if maps.exists() else []
