"""The contents of the bundle, compared with the installed libraries."""

from __future__ import annotations

import ast
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import contents
import owners
import pytest

from engine.workers.versions import versions

ROOT = Path(__file__).resolve().parent.parent.parent
TRANSFORMERS = Path((find_spec("transformers") or pytest.fail("transformers is a requirement")).origin or "").parent
SOURCES = [path for room in contents.OWN_PACKAGES for path in (ROOT / room).rglob("*.py")]
SHIPPED = [path for path in SOURCES if "demo_training" not in path.parts]


@cache
def imported() -> set[str]:
    """Every dotted name that the app imports anywhere."""
    found: set[str] = set()
    for path in SHIPPED:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


@pytest.mark.parametrize("name", [*contents.HIDDEN_MODULES, *contents.HIDDEN_PACKAGES, *contents.OWN_PACKAGES])
def test_hidden_module_is_still_there(name: str) -> None:
    """A hidden module that a library no longer has would be missing from the bundle with only a warning."""
    assert find_spec(name) is not None


def test_versions_that_macs_compare_can_be_read_in_the_bundle() -> None:
    """They are in the metadata of the libraries. Without them a worker ends each conversation."""
    assert {name for name in versions() if name != "protocol"} <= set(contents.NAMED_BY_VERSION)
    assert all(contents.is_needed(f"{name}-1.0.dist-info/METADATA") for name in ("mlx", "mlx_lm", "transformers"))


def test_qt_modules_are_those_that_are_imported() -> None:
    """The check of the macOS wheels follows the libraries of exactly these modules."""
    used = {name.split(".")[1] for name in imported() if name.startswith("PySide6.")}
    assert used == set(contents.QT_MODULES)


def test_nothing_excluded_is_imported() -> None:
    """The bundle contains everything that the app imports."""
    assert not [name for name in imported() if name.startswith(contents.EXCLUDED)]
    assert not {name.partition(".")[0] for name in imported()} & owners.strangers()


def test_every_tokenizer_and_config_stays() -> None:
    """A model in the user's folder needs these files of transformers, whatever its family."""
    kept = [*TRANSFORMERS.glob("models/*/tokenization_*.py"), *TRANSFORMERS.glob("models/*/configuration_*.py")]
    kept += TRANSFORMERS.glob("models/auto/*.py")
    assert len(kept) > 100
    assert all(contents.is_needed(path.relative_to(TRANSFORMERS.parent).as_posix()) for path in kept)


@pytest.mark.parametrize(
    "path",
    [
        "transformers/models/bert/modeling_bert.py",
        "transformers/models/llava/image_processing_llava.pyc",
        "hearth-0.1.0.dist-info/direct_url.json",
        "resources/demo_training/texts/words.toml",
        "resources/screenshots/light.png",
        "resources/__init__.py",
        "mlx/include/mlx/array.h",
        "PySide6/Qt/translations/qt_de.qm",
        "pytest_timeout-2.4.0.dist-info/METADATA",
        "libcudart.so",
        "libgtk-3.so.0",
        "libreadline.so.8",
        "libpng16.16.dylib",
    ],
)
def test_files_that_no_user_needs_stay_out(path: str) -> None:
    """Sources of training, models for torch, headers, and the build's path and machine are not shipped."""
    assert not contents.is_needed(path)


@pytest.mark.parametrize(
    ("path", "used"),
    [
        ("PySide6/QtWidgets.abi3.so", True),
        ("PySide6/libpyside6.abi3.so.6.11", True),
        ("PySide6/libpyside6qml.abi3.so.6.11", False),
        ("PySide6/Qt/lib/libQt6Gui.so.6", True),
        ("PySide6/Qt/lib/libQt6WaylandClient.so.6", False),
        ("PySide6/Qt/lib/QtCore.framework/Versions/A/QtCore", True),
        ("PySide6/Qt/lib/QtQml.framework/Versions/A/QtQml", False),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/plugins/platforms/libqwayland.so", False),
        ("PySide6/Qt/plugins/platforms/libqcocoa.dylib", True),
        ("PySide6/QtQuick.abi3.so", False),
        ("PySide6/Qt/plugins/sqldrivers/libqsqlodbc.dylib", False),
        ("PySide6/Assistant.app/Contents/MacOS/Assistant", False),
    ],
)
def test_of_qt_only_what_the_window_uses(path: str, used: bool) -> None:  # noqa: FBT001 - the expected answer
    """A plugin that happens to be installed on the build machine does not go into the bundle."""
    assert contents.is_needed(path) is used


def test_link_goes_with_the_file_that_it_leads_to() -> None:
    """No link is left without its target."""
    assert contents.is_needed_link("libQt6Core.so.6", "PySide6/Qt/lib/libQt6Core.so.6")
    assert not contents.is_needed_link("libQt6WaylandClient.so.6", "PySide6/Qt/lib/libQt6WaylandClient.so.6")
    assert contents.is_needed_link("PySide6/Qt/lib/QtGui.framework/Versions/Current", "A")
    assert not contents.is_needed_link("PySide6/Qt/lib/QtQml.framework/Versions/Current", "A")


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("libssl.so.3", "libssl"),
        ("libsqlite3.0.dylib", "libsqlite3"),
        ("libbz2.so.1.0", "libbz2"),
        ("libicudata.so.73", "libicudata"),
    ],
)
def test_library_s_name_has_no_version(file: str, name: str) -> None:
    """One name identifies a library on every machine."""
    assert contents.library_name(file) == name


def test_version_is_the_package_s() -> None:
    """The Finder shows what `hearth --version` says."""
    assert contents.version().count(".") == 2
