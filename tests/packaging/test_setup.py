"""`packaging/setup.sh` on machines that lack a Python, have a GPU, or were interrupted.

Its uv is a script that notes the calls, unless a test says that it is the real one. `make test` itself begins with the
real one.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pins
import pytest

ROOT = Path(pins.__file__).resolve().parent.parent
BUILDS = "https://github.com/astral-sh/python-build-standalone/releases/download"
"""What uv replaces by the address of a mirror."""
LOCKS = ("requirements.txt", "requirements-dev.txt", "requirements-bundle.txt", "requirements-cuda.txt")
SYSTEM = ("awk", "bash", "cat", "chmod", "cksum", "cp", "dirname", "mkdir", "rm", "sed")
"""What the scripts call on any system. No package manager is among them, and no Python."""
UV = """
echo "$*" >> {calls}
case "$1 ${{2:-}}" in
    "--version "*) echo "uv 0.13.8" ;;
    "python find") echo python3.12 ;;
    "venv "*) mkdir -p .venv/bin; printf '#!/bin/sh\\n' > .venv/bin/python; chmod +x .venv/bin/python ;;
    "pip sync") cp .venv/requirements.txt {calls}.requirements ;;
    "pip install") [ ! -e {calls}.fails ] ;;
esac
"""


@dataclass(frozen=True, slots=True)
class Clone:
    """A clone with the script and the real pins, and the only folder of its PATH."""

    folder: Path
    tools: Path
    calls: Path

    def setup(self, kind: str = "runtime", **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the script."""
        given = {"PATH": str(self.tools), "HOME": str(self.folder.parent), **environment}
        script = self.folder / "packaging" / "setup.sh"
        return subprocess.run(
            [self.tools / "bash", script, kind], env=given, capture_output=True, text=True, check=False
        )

    def tool(self, name: str, script: str) -> None:
        """Put a program on the PATH."""
        file = self.tools / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def uv(self) -> None:
        """Put the uv on the PATH that notes its calls."""
        self.tool("uv", UV.format(calls=self.calls))

    def called(self, start: str) -> list[str]:
        """The calls of uv that begin so."""
        return [line for line in self.calls.read_text().splitlines() if line.startswith(start)]

    @property
    def installed(self) -> set[str]:
        """The names of the requirements that uv was given last."""
        return set(re.findall(r"^([a-z0-9-]+)==", Path(f"{self.calls}.requirements").read_text(), re.MULTILINE))


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """A fresh clone on a system that has neither uv nor a Python."""
    made = Clone(tmp_path / "clone", tmp_path / "tools", tmp_path / "calls")
    (made.folder / "packaging").mkdir(parents=True)
    for name in ("setup.sh", *LOCKS):
        shutil.copy(ROOT / "packaging" / name, made.folder / "packaging")
    shutil.copy(ROOT / "pyproject.toml", made.folder)
    made.tools.mkdir()
    for name in SYSTEM:
        made.tool(name, f'exec {shutil.which(name)} "$@"')
    made.tool("uname", "echo Linux")
    return made


def test_a_kind_of_setup_contains_the_smaller_ones(clone: Clone) -> None:
    """After the setup for the bundle, the one for the tests installs nothing: CI needs both."""
    clone.uv()
    counts = []
    for kind in ("dev", "runtime", "bundle", "dev", "runtime"):
        assert clone.setup(kind).returncode == 0
        counts.append(len(clone.called("pip sync")))
    assert counts == [1, 1, 2, 2, 2]
    assert len(clone.called("venv")) == 1


def test_the_next_setup_finishes_one_that_was_interrupted(clone: Clone) -> None:
    """A setup that ended in its middle is repeated in a new virtual environment: a package may be half there."""
    clone.uv()
    Path(f"{clone.calls}.fails").touch()
    broken = clone.setup()
    assert broken.returncode == 1
    assert broken.stderr == "Hearth setup: the hearth command could not be installed (see above).\n"
    Path(f"{clone.calls}.fails").unlink()
    assert clone.setup().returncode == 0
    assert len(clone.called("venv")) == 2
    assert clone.setup().stdout == ""
    assert len(clone.called("pip sync")) == 2


def test_changed_pins_are_installed(clone: Clone) -> None:
    """After a pull with another pin, the next setup installs it. So it does after the virtual environment has lost its
    Python.
    """
    clone.uv()
    clone.setup()
    with (clone.folder / "packaging" / "requirements.txt").open("a") as file:
        file.write("another==1 \\\n    --hash=sha256:0\n")
    clone.setup()
    assert "another" in clone.installed
    (clone.folder / ".venv" / "bin" / "python").unlink()
    clone.setup()
    assert len(clone.called("venv")) == 2


@pytest.mark.parametrize(
    ("gpu", "wish", "device"),
    [
        ("580.95.05, 9.0", "", "cuda"),
        ("590.10, 7.5\\n590.10, 12.0", "", "cuda"),
        ("580.95.05, 9.0", "cpu", "cpu"),
        ("570.86.15, 9.0", "", "cpu"),
        ("580.95.05, 7.0", "", "cpu"),
        ("", "", "cpu"),
    ],
    ids=["a GPU", "two GPUs", "declined", "an old driver", "an old GPU", "no GPU"],
)
def test_a_gpu_of_nvidia_gets_mlx_for_cuda(clone: Clone, gpu: str, wish: str, device: str) -> None:
    """A machine with an NVIDIA driver gets MLX's build for CUDA in place of the one for the CPU, and one line says so.
    HEARTH_DEVICE=cpu declines it.
    """
    clone.uv()
    clone.tool("nvidia-smi", f"printf '{gpu}\\n'")
    done = clone.setup(HEARTH_DEVICE=wish)
    assert done.returncode == 0
    builds = {"cuda": {"mlx-cuda-13", "nvidia-cublas"}, "cpu": {"mlx-cpu"}}
    assert builds[device] | {"mlx", "mlx-lm", "numpy", "zeroconf"} <= clone.installed
    assert not (builds["cuda"] | builds["cpu"]) - builds[device] & clone.installed
    assert done.stdout.count("HEARTH_DEVICE=cpu") == (device == "cuda")


def test_a_change_of_the_device_installs_again(clone: Clone) -> None:
    """HEARTH_DEVICE=cpu takes effect in a clone that has the build for CUDA."""
    clone.uv()
    clone.tool("nvidia-smi", "echo 580.95.05, 9.0")
    clone.setup()
    clone.setup(HEARTH_DEVICE="cpu")
    assert "mlx-cpu" in clone.installed
    assert "mlx-cuda-13" not in clone.installed


def test_a_uv_that_is_here_is_used(clone: Clone) -> None:
    """uv from the PATH is used if it is new enough. Otherwise any Python, even an old one, installs the pinned uv into
    a folder of the clone, with its hash.
    """
    clone.uv()
    clone.setup()
    assert not (clone.folder / ".uv").exists()
    clone.tool("uv", 'echo "uv 0.4.30"')
    clone.tool("python3", f'case "$*" in *--target*) cat .uv/requirements.txt > {clone.calls}.uv ;; esac')
    (clone.folder / ".venv" / ".hearth-runtime").unlink()
    clone.setup()
    taken = pins.pins(Path(f"{clone.calls}.uv").read_text())
    assert list(taken) == ["uv"]
    assert taken["uv"].hashes


@pytest.mark.parametrize(("manager", "command"), [("", "Please install"), ("dnf", "Please run:  sudo dnf install")])
def test_without_any_python_one_sentence_says_how_to_get_one(clone: Clone, manager: str, command: str) -> None:
    """Without uv and Python, the setup ends with one sentence that has the command of the system."""
    if manager:
        clone.tool(manager, "exit 1")
    done = clone.setup()
    assert done.returncode == 1
    assert done.stderr.startswith(f"Hearth setup: there is neither uv nor Python here. {command}")


def test_a_python_that_does_not_fit_is_refused(clone: Clone) -> None:
    """PYTHON=FILE names the Python. If it is too old, one sentence says so."""
    clone.uv()
    clone.tool("old", "exit 1")
    done = clone.setup(PYTHON="old")
    assert done.returncode == 1
    assert done.stderr == "Hearth setup: PYTHON=old is not Python 3.11, 3.12, 3.13 or 3.14.\n"
    assert clone.setup(PYTHON=sys.executable).returncode == 0
    assert f"--python {sys.executable}" in clone.called("venv")[0]


def with_real_uv(clone: Clone) -> None:
    """Put the real uv on the PATH, without what needs an index."""
    uv = Path(sys.executable).with_name("uv")
    clone.tool("uv", f'if [ "$1" != pip ]; then exec {uv} "$@"; fi')


def mirror(folder: Path) -> dict[str, str]:
    """A mirror of Python builds with one archive, whose Python is that of these tests. Returns the environment that
    makes uv use it.
    """
    version, tag, arch = "3.13.99", "20260101", {"arm64": "aarch64"}.get(platform.machine(), platform.machine())
    system, libc, triple = "linux", "gnu", "unknown-linux-gnu"
    if sys.platform == "darwin":
        system, libc, triple = "darwin", "none", "apple-darwin"
    python = folder / "python"
    (python / "bin").mkdir(parents=True)
    (python / "lib" / "python3.13").mkdir(parents=True)
    (python / "lib" / "python3.13" / "_sysconfigdata__.py").write_text(
        "# system configuration generated and used by the sysconfig module\nbuild_time_vars = {}\n"
    )
    real = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    for name in ("python3.13", "python3", "python"):
        (python / "bin" / name).write_text(f'#!/bin/sh\nexec {real} "$@"\n')
        (python / "bin" / name).chmod(0o755)
    name = f"cpython-{version}+{tag}-{arch}-{triple}-install_only_stripped.tar.gz"
    (folder / tag).mkdir()
    with tarfile.open(folder / tag / name, "w:gz") as archive:
        archive.add(python, "python")
    build = {
        "name": "cpython",
        "arch": {"family": arch, "variant": None},
        "os": system,
        "libc": libc,
        "major": 3,
        "minor": 13,
        "patch": 99,
        "prerelease": "",
        "url": f"{BUILDS}/{tag}/{name.replace('+', '%2B')}",
        "sha256": hashlib.sha256((folder / tag / name).read_bytes()).hexdigest(),
        "variant": None,
        "build": tag,
    }
    (folder / "downloads.json").write_text(json.dumps({f"cpython-{version}-{system}-{arch}-{libc}": build}))
    return {
        "UV_PYTHON_DOWNLOADS_JSON_URL": str(folder / "downloads.json"),
        "UV_PYTHON_INSTALL_MIRROR": folder.as_uri(),
        "UV_NO_CONFIG": "1",
    }


def test_a_missing_python_is_downloaded_into_the_clone(clone: Clone, tmp_path: Path) -> None:
    """If no Python fits, the real uv downloads one into the clone, and one line says so and how to avoid it. The next
    setup finds it there.
    """
    with_real_uv(clone)
    clone.tool("python3", "echo Python 3.9; exit 1")
    environment = mirror(tmp_path / "mirror")
    done = clone.setup(**environment)
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stderr.splitlines() if "There is no Python 3.11 to 3.14 here" in line]
    assert len(told) == 1
    assert "PYTHON=FILE" in told[0]
    assert [path.name for path in (clone.folder / ".python").glob("cpython-3.13.99-*")]
    assert subprocess.run([clone.folder / ".venv" / "bin" / "python", "-c", ""], check=False).returncode == 0
    shutil.rmtree(clone.folder / ".venv")
    assert "There is no Python" not in clone.setup(UV_OFFLINE="1", **environment).stderr


def test_offline_without_a_python_one_sentence_says_how_to_get_one(clone: Clone, tmp_path: Path) -> None:
    """If no Python fits and none can be downloaded, the setup ends with the command of the system."""
    with_real_uv(clone)
    clone.tool("dnf", "exit 1")
    missing = {**mirror(tmp_path / "mirror"), "UV_PYTHON_INSTALL_MIRROR": (tmp_path / "nowhere").as_uri()}
    done = clone.setup(**missing)
    assert done.returncode == 1
    sentence = "Hearth setup: no Python could be downloaded. Please run:  sudo dnf install python3.13\n"
    assert sentence in done.stderr


def test_setup_and_package_agree_on_the_pythons() -> None:
    """The Pythons that the setup takes are those of the package's metadata."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    assert f"fitting='cpython{wanted}'" in (ROOT / "packaging" / "setup.sh").read_text("utf-8")
