"""The recommended models: the rules of their file, and the choice for a machine."""

from __future__ import annotations

import re
from datetime import date

import pytest
import translations

from app.models import fit as machines
from app.models import welcome
from app.models.fit import Machine
from app.models.welcome import GIBIBYTE, Recommendations

BASE, FAST = "Apple M4", "Apple M4 Max"
MOST_OF_MEMORY = 0.6
"""The rest is for the system, other apps and more chats."""


@pytest.fixture(scope="module")
def file() -> Recommendations:
    return welcome.load()


def test_the_file_is_dated(file: Recommendations) -> None:
    """A reader can tell how old the recommendations are."""
    assert date(2026, 1, 1) < date.fromisoformat(file.date)


def test_each_model_has_its_facts_and_their_source(file: Recommendations) -> None:
    """No recommended model lacks a fact. A commit that no source names is left out, and it is never a branch."""
    for repository, model in file.models.items():
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", repository)
        assert re.fullmatch(r"([0-9a-f]{40})?", model.revision)
        assert model.name
        assert model.licence
        assert model.text.endswith(".")
        assert "Memory: computed" in model.source
        assert "Licence:" in model.source
        assert ("Commit" in model.source) == bool(model.revision)


def test_every_named_model_is_described_and_every_described_one_is_named(file: Recommendations) -> None:
    """A tier never names a model without facts, and the file carries no model that is never offered."""
    named = {one for tier in file.tiers for one in (tier.smart, tier.quick, tier.smart_on_base_chip) if one}
    assert named == set(file.models)


def test_the_tiers_rise_from_no_memory(file: Recommendations) -> None:
    """Every amount of memory has a tier."""
    bounds = [tier.memory_gb for tier in file.tiers]
    assert bounds[0] == 0
    assert bounds == sorted(set(bounds))


@pytest.mark.parametrize("chip", [BASE, FAST])
@pytest.mark.parametrize("gigabytes", [8, 16, 18, 24, 32, 36, 48, 64, 96, 128, 192, 256, 512])
def test_a_pick_leaves_memory_for_the_rest(file: Recommendations, gigabytes: int, chip: str) -> None:
    """On every Mac that is sold, both picks take at most 60 % of its memory, and less than that on the disk."""
    machine = Machine(gigabytes * GIBIBYTE, chip)
    for pick in file.picks(machine):
        model = file.models[pick.id]
        assert model.memory <= MOST_OF_MEMORY * machine.memory
        assert model.bytes <= model.memory


def test_a_pick_says_what_it_takes_of_this_machine(file: Recommendations) -> None:
    """The sentence on the welcome page names the memory of the model and that of the machine."""
    smart, quick = file.picks(Machine(16 * GIBIBYTE, BASE))
    assert (smart.label, smart.name) == ("Smart", "Qwen3.5 4B")
    assert smart.text == "Text, code and many languages.\nUses 4 of your 16 GB. Runs from 8 GB."
    assert (quick.label, quick.name) == ("Quick", "LFM2 2.6B")
    assert quick.text == "Help for every day.\nUses 2 of your 16 GB. Runs from 8 GB."


def test_a_base_chip_gets_a_model_that_it_can_read_fast(file: Recommendations) -> None:
    """A dense model of 16 GB would write a few words a second on a chip without Pro, Max or Ultra memory."""
    slow = file.picks(Machine(32 * GIBIBYTE, BASE))[0]
    fast = file.picks(Machine(32 * GIBIBYTE, FAST))[0]
    assert (slow.name, fast.name) == ("Qwen3.5 9B", "Qwen3.5 27B")


def test_memory_that_the_system_keeps_does_not_cost_a_tier(file: Recommendations) -> None:
    """A machine sold with 16 GB that tells 15.4 GB counts as one with 16 GB."""
    assert file.tier(Machine(int(15.4 * GIBIBYTE))).memory_gb == 16
    assert file.tier(Machine(12 * GIBIBYTE)).memory_gb == 0


def test_a_machine_without_a_named_chip_counts_as_slow() -> None:
    """Only an Apple chip with Pro, Max or Ultra has fast memory."""
    assert not Machine(GIBIBYTE, "").has_fast_memory
    assert not Machine(GIBIBYTE, "Intel(R) Core(TM) i9").has_fast_memory
    assert not Machine(GIBIBYTE, "Apple M2").has_fast_memory
    assert Machine(GIBIBYTE, "Apple M2 Ultra").has_fast_memory


def test_this_machine_tells_its_memory() -> None:
    """The memory comes from the system."""
    assert machines.this_machine().memory > GIBIBYTE // 2


@pytest.mark.parametrize(
    ("tool", "chip"),
    [(("/bin/sh", "-c", "echo Apple M4 Pro"), "Apple M4 Pro"), (("/no/such/tool",), ""), (("/bin/false",), "")],
)
def test_a_mac_names_its_chip(monkeypatch: pytest.MonkeyPatch, tool: tuple[str, ...], chip: str) -> None:
    """sysctl says it; without an answer the chip counts as a slow one."""
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    monkeypatch.setattr(machines, "_SYSCTL", tool)
    assert machines.this_machine().chip == chip


def test_what_is_said_about_a_model_can_be_translated(file: Recommendations) -> None:
    """The texts of the file are marked in the code, where translators' tools find them."""
    marked = {text.source for text in translations.found_texts()}
    assert {model.text for model in file.models.values()} <= marked
