"""The device that MLX computes on."""

from __future__ import annotations

import subprocess
import sys

import mlx.core as mx
import pytest

from engine.model import device
from tests.fakes import command


def test_device_is_named_once_it_has_computed(capsys: pytest.CaptureFixture[str]) -> None:
    """The self-test names the device that computes the answers."""
    assert device.main() == 0
    assert capsys.readouterr().out == ("gpu\n" if mx.metal.is_available() else "cpu\n")


def test_wrong_product_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that computes a wrong product fails the check."""
    monkeypatch.setattr(mx, "matmul", lambda left, _right: left)
    assert device.main() == 1


def test_check_runs_in_a_process_of_its_own() -> None:
    """Missing kernels abort the check and not the window."""
    done = subprocess.run(
        [sys.executable, "-m", "app", "--device"], cwd=command.ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout in {"cpu\n", "gpu\n"}
