"""The slice of a sweep that `make test` runs."""

from __future__ import annotations

import pytest

pytest_plugins = ("pytester",)

SWEEPS = """
import pytest

@pytest.mark.sweep
@pytest.mark.parametrize("letter", "abc")
@pytest.mark.parametrize("number", range(20))
def test_each_value(letter, number): pass

@pytest.mark.sweep(4)
@pytest.mark.parametrize("number", range(10))
def test_some(number): pass

@pytest.mark.parametrize("number", range(3))
def test_all(number): pass
"""


@pytest.mark.parametrize(("option", "ran"), [([], 20 + 4 + 3), (["--sweeps"], 60 + 10 + 3)])
def test_a_slice_has_each_value_and_a_sweep_every_case(pytester: pytest.Pytester, option: list[str], ran: int) -> None:
    """A slice of a product has each value of each parameter. With `--sweeps` every case runs."""
    pytester.makepyfile(SWEEPS)
    done = pytester.runpytest("-v", "-p", "tests.sweeps", *option)
    done.assert_outcomes(passed=ran, deselected=73 - ran)
    named = [line.partition("[")[2].partition("]")[0].split("-") for line in done.outlines if "each_value[" in line]
    assert [set(values) for values in zip(*named, strict=True)] == [{*map(str, range(20))}, {*"abc"}]


def test_a_quick_run_has_one_case_of_each_quick_unit_test(pytester: pytest.Pytester) -> None:
    """One case of each unit test runs, unless it opens a window, starts a process or is in a slow folder."""
    files = {
        "unit/app/chat/test_chat.py": SWEEPS,
        "unit/app/chat/test_window.py": "def test_opens(qapp): pass",
        "unit/app/chat/test_process.py": "import subprocess\ndef test_starts(): pass",
        "unit/engine/server/test_life.py": "def test_lives(): pass",
        "end2end/test_story.py": "def test_tells(): pass",
    }
    for name, text in files.items():
        path = pytester.path / "tests" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    pytester.runpytest("-p", "tests.sweeps", "--quick").assert_outcomes(passed=3, deselected=70 + 4)
