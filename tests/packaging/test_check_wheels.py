"""The check of the macOS wheels, without wheels and without a network."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import check_wheels
import oldest_wheels
import pytest


def _refused(*_arguments: object, **_options: object) -> None:
    raise subprocess.CalledProcessError(1, ["pip"])


def test_mac_gets_what_a_mac_needs() -> None:
    """A Mac gets the kernels for Metal, not those for the CPU, the ciphers of PDFs, and nothing for other systems."""
    wanted = set(check_wheels.wanted())
    assert {"mlx", "mlx-metal", "pyside6-essentials", "shiboken6", "cryptography"} <= wanted
    assert not wanted & {"mlx-cpu", "colorama", "httpx2-jsfetch"}


def test_without_the_net_the_check_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Offline, the check does not fail, and does not claim that all is well."""
    monkeypatch.setattr(oldest_wheels, "fetch", _refused)
    assert check_wheels.main() == 0
    assert "not checked" in capsys.readouterr().out


def test_wheel_without_the_kernels_fails(tmp_path: Path) -> None:
    """The check fails if mlx moves its files in a new release."""
    with pytest.raises(check_wheels.Wrong, match=r"no longer has mlx/lib/libmlx\.dylib"):
        check_wheels.check(tmp_path)


def test_wheels_are_laid_out_once(tmp_path: Path) -> None:
    """A second check does not unpack a wheel again."""
    with zipfile.ZipFile(tmp_path / "one-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("one/data", "x")
    check_wheels.unpack(tmp_path, tmp_path / "site")
    (tmp_path / "site" / "one" / "data").write_text("kept")
    check_wheels.unpack(tmp_path, tmp_path / "site")
    assert (tmp_path / "site" / "one" / "data").read_text() == "kept"
