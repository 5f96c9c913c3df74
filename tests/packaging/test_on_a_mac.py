"""The Mac's side of each branch on the platform, run on Linux, and the table of these branches in docs/macos.md.

A child process takes itself for a Mac: it changes `sys.platform` before it imports Hearth. A script takes a machine for
one by the `uname` that comes first in its PATH.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import check_contents
import contents
import pytest
import sizes

ROOT = Path(contents.__file__).resolve().parent.parent
GIT = shutil.which("git") or "git"
BRANCH = r"sys\.platform|platform\.(system|machine)|[Dd]arwin|(^|[^A-Z_])MAC([^A-Z_]|$)"
NO_BRANCHES = (":!tests", ":!docs", ":!packaging/requirements*.txt", ":!.github", ":!*.md")
ROW = re.compile(r"^\| `([^`]+)` \| [^|]+ \| `([^`]+)::(\w+)` \|$", re.MULTILINE)


def test_table_names_each_branch_and_its_test() -> None:
    """A branch that is added or removed changes the table, and each test in it exists."""
    found = subprocess.run(
        [GIT, "grep", "-lE", BRANCH, "--", ".", *NO_BRANCHES], cwd=ROOT, capture_output=True, text=True, check=True
    )
    rows = ROW.findall((ROOT / "docs" / "macos.md").read_text("utf-8"))
    assert [file for file, _, _ in rows] == sorted(found.stdout.splitlines())
    for _, path, test in rows:
        assert f"def {test}(" in (ROOT / path).read_text("utf-8"), test


def on_a_mac(code: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """Start a process that takes itself for a Mac as soon as it has imported the libraries."""
    imports = "import ctypes.util, json, os, sys, sysconfig, urllib.request, uuid\n"
    imports += "import PySide6.QtSvg, PySide6.QtWidgets, mlx.core, platformdirs, psutil\n"
    return subprocess.Popen(
        [sys.executable, "-c", f"{imports}sysconfig.get_config_vars()\nsys.platform = 'darwin'\n{code}", *arguments],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def tool(folder: Path, name: str, script: str) -> None:
    """A program of the system, as a script that comes first in the PATH."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o700)


@pytest.fixture
def mac(tmp_path: Path) -> Path:
    """A folder of programs that make the machine a Mac."""
    tool(tmp_path / "bin", "uname", "echo Darwin")
    return tmp_path / "bin"


def path_with(folder: Path) -> dict[str, str]:
    return {"PATH": f"{folder}:/usr/bin:/bin"}


def test_caches_stay_out_of_backups(tmp_path: Path) -> None:
    """The folder of the segments is excluded from Time Machine when it is created, and only then."""
    tool(tmp_path / "bin", "tmutil", f'echo "$@" >> {tmp_path}/told')
    code = "from app.base import paths\npaths.prepare(paths.find())\npaths.prepare(paths.find())"
    with on_a_mac(code, HEARTH_HOME=str(tmp_path / "home"), **path_with(tmp_path / "bin")) as process:
        assert process.communicate(timeout=60)[1] == ""
    assert (tmp_path / "told").read_text() == f"addexclusion {tmp_path}/home/segments\n"


LOOK = """
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QMessageBox
from app.desktop.launch import Application
application = Application()
from ui.dialogs.confirmation import confirm
from ui.theme.style_sheet import PLAIN_DESKTOP
from ui.theme.theme import LIGHT, mono_font, ui_font
from ui.window.actions import NEXT_TAB
from ui.widgets.choice_pill import ChoicePill
from ui.window.main_window import MainWindow
system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
window = MainWindow(system=lambda: LIGHT)
pill = ChoicePill("", "Preset", window)
pill.set_choices((("a", "Alpha", "about it"),), "a")
pill.choices.addAction("Other")
pill.choices.open_above(pill)
heights = [pill.choices.actionGeometry(action).height() for action in pill.choices.actions()]
box = confirm(window, "Delete?", "", "Delete", lambda: None)
print(json.dumps({
    "button": not window.tab_row.more.isHidden(),
    "f10": any(action.objectName() == "action_menu" for action in window.actions()),
    "floating": bool(window.actions_by_name.menu.property("floating")),
    "lines": bool(pill.choices.property("floating")) and heights[0] > 1.4 * heights[1],
    "sign": box.icon() is QMessageBox.Icon.Warning,
    "icon": not application.windowIcon().isNull(),
    "tab": NEXT_TAB,
    "font": ui_font().families() == system.families(),
    "code": mono_font().families(),
    "plain": PLAIN_DESKTOP.format(t=LIGHT) in LIGHT.qss(),
}))
"""


def test_window_looks_like_the_system() -> None:
    """Fonts, controls, icon and the keys for tabs are the system's. Only menus whose choices have a second line have
    Hearth's look, as the system's menus have no such line.
    """
    with on_a_mac(LOOK) as process:
        said, complaint = process.communicate(timeout=60)
    assert process.returncode == 0, complaint
    mac = {"icon": False, "tab": "Meta+Tab", "font": True, "code": ["Menlo"], "plain": False}
    mac |= {"button": False, "f10": False, "floating": False, "lines": True, "sign": True}
    assert json.loads(said) == mac


ENGINE = """
from engine.__main__ import main
status = main(["--segments", sys.argv[1]])
print("compiles" if "MLX_DISABLE_COMPILE" not in os.environ else "compiles nothing", file=sys.stderr)
raise SystemExit(status)
"""


def test_engine_ends_with_its_parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of its stdin tells of it, and the engine ends in order. MLX may compile its kernels."""
    monkeypatch.delenv("MLX_DISABLE_COMPILE")
    with on_a_mac(ENGINE, str(tmp_path / "segments")) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert '"ready"' in process.stdout.readline()
        process.stdin.close()
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert process.stderr.read().splitlines()[-1] == "compiles"


def test_make_builds_an_app(mac: Path) -> None:
    """`make` names the app, so that each check looks at it."""
    done = subprocess.run(
        ["/usr/bin/make", "-n", "sign"], cwd=ROOT, env=path_with(mac), capture_output=True, text=True, check=True
    )
    assert "packaging/sign.sh dist/Hearth.app" in done.stdout


def copied(script: str, tmp_path: Path) -> Path:
    """The script in a tree that is otherwise empty."""
    folder = tmp_path / "tree" / "packaging"
    folder.mkdir(parents=True)
    for name in (script, "only_mac.sh"):
        shutil.copy(ROOT / "packaging" / name, folder)
    return folder / script


@pytest.mark.parametrize(("system", "said"), [("Darwin", "hearth \n"), ("Linux", "python -m tests.tour ")])
def test_make_run_opens_the_window(mac: Path, tmp_path: Path, system: str, said: str) -> None:
    """A Mac always has a display. Another machine without one gets the tour."""
    script = copied("run.sh", tmp_path)
    (tmp_path / "tree" / ".venv").mkdir()
    for name in ("hearth", "python"):
        tool(tmp_path / "tree" / ".venv" / "bin", name, f'echo "{name} $*"')
    tool(mac, "uname", f"echo {system}")
    done = subprocess.run(["/bin/bash", script], env=path_with(mac), capture_output=True, text=True, check=True)
    assert done.stdout.splitlines(keepends=True)[-1].startswith(said)


def test_setup_takes_mlx_for_the_oldest_macos(mac: Path, tmp_path: Path) -> None:
    """uv takes the build of mlx for this Mac, so the one for the oldest is installed over it; for the bundle only."""
    script = copied("setup.sh", tmp_path)
    tree = tmp_path / "tree"
    (tree / "pyproject.toml").touch()
    (tree / ".venv").mkdir()
    (tmp_path / "done").touch()
    tool(tree / ".venv" / "bin", "python", f'echo "$*" >> {tmp_path}/done')
    tool(mac, "uv", 'echo "uv 0.13.8"')
    for requirements in ("requirements.txt", "requirements-dev.txt", "requirements-bundle.txt"):
        (script.parent / requirements).touch()
    for kind in ("runtime", "bundle"):
        subprocess.run(["/bin/bash", script, kind], env=path_with(mac), capture_output=True, check=True)
        done = (tmp_path / "done").read_text()
        assert done.endswith("packaging/oldest_wheels.py --install\n") is (kind == "bundle")


def test_app_is_signed_from_the_inside_out(mac: Path, tmp_path: Path) -> None:
    """Each library first, then its framework, the program, and the app; then the signature is verified."""
    script = copied("sign.sh", tmp_path)
    app = tmp_path / "Hearth.app"
    for place in ("Frameworks/Qt.framework/Qt", "Frameworks/libmlx.dylib", "Frameworks/data", "MacOS/Hearth"):
        (app / "Contents" / place).parent.mkdir(parents=True, exist_ok=True)
        (app / "Contents" / place).touch()
    tool(mac, "file", 'case "$2" in *data) echo data ;; *) echo Mach-O ;; esac')
    tool(mac, "codesign", f'for last; do :; done; echo "$1 $last" >> {tmp_path}/signed')
    subprocess.run(["/bin/bash", script, app], env=path_with(mac), capture_output=True, check=True)
    signed = [line.replace(str(app), "") for line in (tmp_path / "signed").read_text().splitlines()]
    inside = "--force /Contents/Frameworks/"
    assert sorted(signed[:2]) == [f"{inside}Qt.framework/Qt", f"{inside}libmlx.dylib"]
    assert signed[2:] == [f"{inside}Qt.framework", "--force /Contents/MacOS/Hearth", "--force ", "--verify "]


@pytest.mark.parametrize(("bundle", "status"), [("Hearth.app", 0), ("Hearth", 1)])
def test_app_has_a_list_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bundle: str, status: int) -> None:
    """An app is held against the list for macOS, a folder against the one for Linux."""
    (tmp_path / bundle).mkdir()
    lists = {system: tmp_path / f"{system}.txt" for system in check_contents.LISTS}
    lists["darwin"].write_text("? only there\n")
    lists["linux"].write_text("only here\n")
    monkeypatch.setattr(sys, "argv", ["check_contents", str(tmp_path / bundle)])
    assert check_contents.main(lists) == status


def test_app_has_a_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The app is weighed on a Mac as the folder is on Linux."""
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(sys, "argv", ["sizes", str(tmp_path)])
    assert sizes.main() == 0


class Built(SimpleNamespace):
    """The arguments of one of PyInstaller's names. This analysis found nothing."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(arguments=arguments, options=options, datas=[], binaries=[], pure=[], scripts=[])


@pytest.mark.parametrize("system", ["darwin", "linux"])
def test_spec_frames_an_app(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a Mac the folder becomes an app without a console, with a link to the kernels; on Linux it stays a folder."""
    asked: list[Path] = []
    hooks = ModuleType("PyInstaller.utils.hooks")
    hooks.collect_submodules = lambda *_, **__: []  # type: ignore[attr-defined]
    hooks.collect_data_files = lambda *_, **__: []  # type: ignore[attr-defined]
    hooks.copy_metadata = lambda _: []  # type: ignore[attr-defined]
    libraries = ModuleType("mac_libraries")
    libraries.demand_oldest = asked.append  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "PyInstaller.utils.hooks", hooks)
    monkeypatch.setitem(sys.modules, "mac_libraries", libraries)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(sys, "path", [*sys.path])
    framed: list[Built] = []
    names: dict[str, Any] = dict.fromkeys(("Analysis", "PYZ", "EXE", "COLLECT"), Built)
    names |= {"BUNDLE": lambda *_, **options: framed.append(options), "SPECPATH": str(ROOT / "packaging")}
    exec(compile((ROOT / "packaging" / "hearth.spec").read_text("utf-8"), "hearth.spec", "exec"), names)  # noqa: S102 - our own spec
    is_mac = system == "darwin"
    options = names["program"].options
    assert (options["console"], options["target_arch"]) == ((False, "arm64") if is_mac else (True, None))
    assert [path.name for path in asked] == ["libmlx.dylib"] * is_mac
    links = [entry for entry in names["analysis"].datas if entry[2] == "SYMLINK"]
    assert links == [("mlx.metallib", contents.METALLIB, "SYMLINK")] * is_mac
    assert len(framed) == is_mac
