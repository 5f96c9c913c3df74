"""The comparison of two versions of mlx-lm: what it finds, what it calls broken, and what it installs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.conformance.table import ALONE, EXACT, REFUSED, UNLOADED, WRONG, Checked, Row
from tests.conformance.upstream import comparison, environment, symbols

LLAMA = Checked(Row("llama", "2 KV", EXACT, "together", "0", ""), 1.0)


def changed(seconds: float = 1.0, **fields: str) -> Checked:
    return Checked(replace(LLAMA.row, **fields), seconds)


def differences(old: Checked, new: Checked) -> list[tuple[str, str, str, bool]]:
    return [(row.what, row.before, row.after, row.broken) for row in comparison.of_families([old], [new])]


def test_equal_families_are_no_difference() -> None:
    """Another rounding and a little more time do not count."""
    assert differences(LLAMA, LLAMA) == []
    assert differences(LLAMA, changed(1.4, error="< 1e-6")) == []


@pytest.mark.parametrize("worse", [ALONE, REFUSED, UNLOADED, WRONG])
def test_a_worse_outcome_is_broken(worse: str) -> None:
    """What Hearth could do with a family, it can no longer."""
    (found,) = differences(LLAMA, changed(verdict=worse, reason="token 0 is another one"))
    assert (found[0], found[1], found[3]) == ("outcome", "exact", True)
    assert ("token 0 is another one" in found[2]) == (worse in {WRONG, UNLOADED})


def test_a_better_outcome_is_not_broken() -> None:
    """An exception or a patch of Hearth may go."""
    assert differences(changed(verdict=ALONE), LLAMA) == [("outcome", "alone only", "exact", False)]


def test_other_caches_and_another_way_to_share_steps_are_told() -> None:
    """They work, but a stored state may not fit, and the docs change."""
    assert differences(LLAMA, changed(caches="2 Rotating", batching="merged")) == [
        ("caches", "2 KV", "2 Rotating", False),
        ("shares steps", "together", "merged", False),
    ]


def test_a_crash_hides_no_other_difference() -> None:
    """A family that crashed has no caches to compare: only its outcome is a row."""
    assert differences(LLAMA, changed(verdict=WRONG, caches="", batching="", reason="killed")) == [
        ("outcome", "exact", "WRONG: killed", True)
    ]


@pytest.mark.parametrize(("old", "new"), [(1.0, 3.0), (3.0, 1.0)])
def test_twice_the_time_is_a_difference(old: float, new: float) -> None:
    """In both directions, but a fraction of a second is noise."""
    assert differences(changed(old), changed(new)) == [("time", f"{old} s", f"{new} s", False)]
    assert differences(changed(old / 10), changed(new / 10)) == []


def test_families_come_and_go() -> None:
    """A family that is gone is broken only if it worked."""
    checked = [LLAMA, changed(family="gear", verdict=UNLOADED)]
    found = comparison.of_offers(["gear", "llama", "phi"], ["new", "phi"], comparison.working(checked))
    assert [(row.subject, row.after, row.broken) for row in found] == [
        ("gear", "gone", False),
        ("llama", "gone", True),
        ("new", "new: needs a configuration", False),
    ]


def test_symbols_are_compared_by_their_source() -> None:
    """A missing one is broken. A changed one is counted in lines, and the diff shows them."""
    before = {"a.f": "def f():\n    return 1\n", "a.g": "1", "a.h": "2"}
    after = {"a.f": "def f():\n    x = 2\n    return x\n", "a.g": "", "a.h": "2"}
    found = [(row.subject, row.after, row.broken) for row in comparison.of_symbols(before, after)]
    assert found == [("a.f", "changed, +2 -1 lines", False), ("a.g", "missing", True)]
    assert "-    return 1\n+    x = 2\n+    return x\n" in comparison.diff(before, after)


def test_packages_that_had_to_change_are_told() -> None:
    """Tools of the developer that only the first environment has are none of them."""
    found = comparison.of_versions({"mlx": "1", "mypy": "2", "regex": "3"}, {"mlx": "2", "regex": "3", "extra": "1"})
    assert [(row.subject, row.before, row.after) for row in found] == [("extra", "", "1"), ("mlx", "1", "2")]


def test_the_table_begins_with_what_is_broken() -> None:
    """And a cell never ends its row early."""
    fine = comparison.Difference("a", "time", "1 s", "3 s")
    broken = comparison.Difference("b", "outcome", "exact", "WRONG: x | y", broken=True)
    assert comparison.table([fine, broken]).splitlines()[2:] == [
        "| b | outcome | exact | WRONG: x / y | BROKEN |",
        "| a | time | 1 s | 3 s |  |",
    ]


def test_what_the_engine_uses_is_found_in_its_code() -> None:
    """Imported names, and the attributes that are taken of them or set on them."""
    code = (
        "from mlx_lm.models import base as b\nfrom mlx_lm.utils import load\nimport os\n"
        "def f():\n    from transformers.utils import chat\n    chat.compile = os.path\n    return b.attend(load)\n"
    )
    assert symbols.used(code) == {
        "mlx_lm.models.base", "mlx_lm.models.base.attend", "mlx_lm.utils.load",
        "transformers.utils.chat", "transformers.utils.chat.compile",
    }  # fmt: skip


def test_every_symbol_of_the_engine_is_there_now() -> None:
    """With the pinned libraries none is missing, and the caches and the patched families are among them."""
    found = symbols.sources()
    assert [name for name, text in found.items() if text == symbols.MISSING] == []
    assert {"mlx_lm.models.cache.KVCache", "mlx_lm.models.gemma2.Attention", "mlx_lm.models.plamo3"} <= found.keys()
    assert found["mlx_lm.models.cache.KVCache"].startswith("class KVCache")


def test_what_is_not_there_is_missing() -> None:
    """A module, a name of a module, and a family."""
    assert symbols.source("mlx_lm.nowhere.f") == symbols.MISSING
    assert symbols.source("mlx_lm.utils.nothing_at_all") == symbols.MISSING
    assert symbols.source_of_module("mlx_lm.models.nowhere") == symbols.MISSING
    assert symbols.source("mlx_lm.models.cache") is None, "a module is no symbol"


def test_the_pins_but_for_some_packages_are_installed() -> None:
    """Each with its hashes, under the name that is pinned."""
    pinned = environment.PINNED.read_text("utf-8")
    kept = environment.without(pinned, {"mlx-lm", "pyside6-essentials"})
    assert "mlx-lm==" in pinned
    assert "mlx-lm==" not in kept
    assert "\npyside6-essentials==" not in kept
    assert "\ntransformers==" in kept
    assert kept.count("==") == pinned.count("==") - 2
    assert environment.without(pinned, set()) == pinned
