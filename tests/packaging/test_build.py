"""The build's own files: spec, scripts, sizes and workflows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import contents
import pytest
import sizes
import yaml  # type: ignore[import-untyped]  # read in three places, all of them checked here

ROOT = Path(sizes.__file__).resolve().parent.parent
SCRIPTS = sorted((ROOT / "packaging").glob("*.sh"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def test_packaging_is_no_package() -> None:
    """A package of this name would hide the library `packaging`."""
    assert not (ROOT / "packaging" / "__init__.py").exists()


def test_spec_is_python_and_names_files_that_are_there() -> None:
    """The spec compiles and its files exist, so that the build does not fail at its end."""
    text = (ROOT / "packaging" / "hearth.spec").read_text("utf-8")
    compile(text, "hearth.spec", "exec")
    assert (ROOT / "resources" / "icon" / "Hearth.icns").is_file()
    assert all((ROOT / "packaging" / name).is_file() for name in ("Info.plist", "entitlements.plist"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_script_is_read_without_a_fault(script: Path) -> None:
    """Bash parses the script without an error, on any system."""
    done = subprocess.run(["/bin/bash", "-n", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["sign", "dmg", "notarize"])
def test_scripts_for_a_mac_are_refused_elsewhere(name: str, tmp_path: Path) -> None:
    """A script that needs a Mac prints one clear line elsewhere and changes nothing."""
    (tmp_path / "uname").write_text("#!/bin/sh\necho Linux\n")
    (tmp_path / "uname").chmod(0o700)
    done = subprocess.run(
        ["/bin/bash", ROOT / "packaging" / f"{name}.sh", "dist/Hearth.app"],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"`make {name}` works on macOS only" in done.stderr


def test_bundle_is_weighed_by_its_parts(tmp_path: Path) -> None:
    """A part has the same name on both systems, and a link has no size."""
    for place in ("Contents/Frameworks/mlx/a", "Contents/Resources/mlx/b", "Contents/MacOS/Hearth"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_bytes(b"12345")
    (tmp_path / "Contents/Frameworks/link").symlink_to("mlx/a")
    found = sizes.parts(tmp_path)
    assert found == {"mlx": 10, "Hearth": 5}
    assert sizes.table(found).endswith("the bundle")


def test_bundle_over_its_budget_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The check fails as soon as the bundle exceeds its budget, so that more size is a decision."""
    with (tmp_path / "large").open("wb") as file:
        file.truncate(sizes.BUDGET_MB[sys.platform] * 1_000_000)
    monkeypatch.setattr(sys, "argv", ["sizes", str(tmp_path)])
    assert sizes.main() == 0
    (tmp_path / "more").write_bytes(b"1")
    assert sizes.main() == 1
    assert "larger than its budget" in capsys.readouterr().err


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_workflow_names_what_is_there(workflow: Path) -> None:
    """Every target and script that a job runs exists, and no action is taken from a branch."""
    text = workflow.read_text("utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    steps = [step for job in jobs.values() for step in job["steps"]]
    runs = "\n".join(step.get("run", "") for step in steps)
    assert set(re.findall(r"\bmake ([a-z-]+)", runs)) <= TARGETS
    assert all((ROOT / path).is_file() for path in re.findall(r"packaging/\w+\.\w+", runs))
    assert all(re.search(r"@v\d+$", step["uses"]) for step in steps if "uses" in step)


def test_app_is_built_on_the_oldest_macos() -> None:
    """The bundle is built on the oldest macOS, because a build on a newer one may require that one."""
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "macos.yml").read_text("utf-8"))["jobs"]
    assert jobs["bundle"]["runs-on"] == f"macos-{contents.OLDEST_MACOS[0]}"
    assert len(jobs["newer"]["strategy"]["matrix"]["os"]) > 1
