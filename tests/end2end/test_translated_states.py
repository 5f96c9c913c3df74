"""Every state of the window that `make shots` draws, in other languages."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.shots.__main__ import SCREEN
from tests.shots.languages import PSEUDO

PARTS = 15


@pytest.mark.sweep(1)
@pytest.mark.timeout(400)
@pytest.mark.parametrize("part", range(PARTS))
def test_every_text_is_translated_and_none_is_cut_off(part: int) -> None:
    """In the pseudo-locale each text of the window has passed through the seam, and is 40 % longer than the English
    one. No label and no button is too narrow for that. Each state shows something, without a warning of Qt.
    """
    command = (sys.executable, "-m", "tests.shots.inspection", PSEUDO, str(part), str(PARTS))
    screen = {"QT_QPA_PLATFORM": f"offscreen:configfile={SCREEN}"}
    done = subprocess.run(command, env={**os.environ, **screen}, capture_output=True, text=True, check=False)
    assert done.stdout.split("\n") == ["", ""], done.stderr
    assert done.returncode == 0
