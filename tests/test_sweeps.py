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


MODELS = """
import pytest

@pytest.mark.parametrize("family", ["llama", "qwen3_5", "mamba", "lfm2", "other"])
@pytest.mark.parametrize("way", ["hot", "cold"])
def test_{}(family, way): pass
"""


def test_a_test_of_the_engine_keeps_one_of_the_models(pytester: pytest.Pytester) -> None:
    """Tests together have every model, each one of four. Other cases and tests elsewhere stay whole."""
    for folder, names in (("engine", "abcdefgh"), ("app", "a")):
        path = pytester.path / "tests" / "unit" / folder / f"test_{folder}.py"
        path.parent.mkdir(parents=True)
        path.write_text("".join(MODELS.format(name) for name in names))
    done = pytester.runpytest("-v", "-p", "tests.sweeps", "tests/unit/engine")
    ran = {line.partition("::test_")[2].partition("]")[0] for line in done.outlines if "PASSED" in line}
    kept = {name: {case[2:].split("-")[-1] for case in ran if case.startswith(f"{name}[")} for name in "abcdefgh"}
    assert set().union(*kept.values()) == {"llama", "qwen3_5", "mamba", "lfm2", "other"}
    assert all("other" in models and len(models) == 2 for models in kept.values())
    pytester.runpytest("-p", "tests.sweeps", "tests/unit/app").assert_outcomes(passed=10)
    pytester.runpytest("-p", "tests.sweeps", "--sweeps", "tests").assert_outcomes(passed=90)


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
