"""Model families: exact when batched and from disk, or reported to run alone. These tests restart all of them and take
some through everything; `make conformance` takes all of them through everything.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import ArraysCache

from engine.cache.codec import codec
from engine.cache.codec.codec import leaves
from engine.decode import prefill
from engine.protocol.errors import ModelUnreadable
from tests.conformance import table
from tests.conformance.configs.common import WINDOW
from tests.conformance.families import FAMILIES, NOT_LOADED, NOT_RUN, PATCHES, REASONS, TESTED, offered
from tests.conformance.scenario import check, check_restart
from tests.conformance.subject import make, make_unpatched

pytestmark = pytest.mark.filterwarnings("ignore:`rope_scaling` is deprecated:FutureWarning")
"""transformers warns about the configurations of published models, which have it."""

PAGE = table.read(table.PATH.read_text("utf-8"))


@pytest.mark.sweep(2)
@pytest.mark.parametrize("family", TESTED)
def test_a_family_is_as_the_page_says(family: str, tmp_path: Path) -> None:
    """Cold equals warm, a batched row equals the row alone, and the page is right about the family."""
    outcome = check(make(family, tmp_path / "model"), tmp_path / "segments")
    assert outcome.findings.wrong == []
    assert table.differences([table.row(outcome)], {family: PAGE[family]}) == []


@pytest.mark.sweep(5)
@pytest.mark.parametrize("family", sorted(FAMILIES.keys() - NOT_LOADED - set(TESTED)))
def test_a_family_comes_back_from_disk(family: str, tmp_path: Path) -> None:
    """Each other family's folder is loaded, a turn is written, the engine ends, and the next turn starts from the disk:
    with the logits of the bare model, and as the page says about the family.
    """
    outcome = check_restart(make(family, tmp_path / "model"), tmp_path / "segments")
    assert outcome.findings.wrong == []
    assert table.differences([table.row(outcome)], {family: PAGE[family]}) == []


@pytest.mark.parametrize("family", NOT_LOADED)
def test_some_folders_still_cannot_be_loaded(family: str, tmp_path: Path) -> None:
    """The page says so. If one can be loaded, it must be checked like the others."""
    with pytest.raises(ModelUnreadable):
        make(family, tmp_path / "model")
    assert PAGE[family] == table.unloaded(family)


def test_every_family_is_checked_or_left_out_with_a_reason() -> None:
    """Every family of mlx-lm is checked, or left out with a reason. No row of the page is wrong."""
    assert offered() == FAMILIES.keys() | NOT_RUN.keys()
    assert not FAMILIES.keys() & NOT_RUN.keys()
    assert PAGE.keys() == FAMILIES.keys()
    assert {row.verdict for row in PAGE.values()} <= {*table.VERDICTS} - {table.WRONG}
    assert all(row.reason for row in PAGE.values() if row.verdict != table.EXACT)


@pytest.mark.parametrize("family", ["afm7", "minimax_m3_vl"])
def test_batching_still_changes_some_families(family: str, tmp_path: Path) -> None:
    """Merged as in mlx-lm, these are wrong. When mlx-lm fixes one, its patch or its exception can go."""
    findings = check(make_unpatched(family, tmp_path / "model"), tmp_path / "segments", "merged").findings
    assert any("in a batch" in wrong for wrong in findings.wrong)


def test_the_window_of_plamo3_is_still_larger_than_its_cache(tmp_path: Path) -> None:
    """Unpatched, it is wrong even alone. When mlx-lm fixes it, its patch can go."""
    findings = check(make_unpatched("plamo3", tmp_path / "model"), tmp_path / "segments", "alone").findings
    assert any("prompt" in wrong for wrong in findings.wrong)


@pytest.mark.parametrize("family", ["gemma2", "gpt_bigcode"])
def test_batching_still_breaks_some_families(family: str, tmp_path: Path) -> None:
    """Merged as in mlx-lm, these raise. When mlx-lm fixes one, its patch or its exception can go."""
    subject = make_unpatched(family, tmp_path / "model")
    with pytest.raises(ValueError, match=r"broadcast|length-1"):
        check(subject, tmp_path / "segments", "merged")


@pytest.mark.parametrize("family", ["llama4", "deepseek_v41"])
def test_some_caches_still_cannot_be_merged(family: str, tmp_path: Path) -> None:
    """These run alone because mlx-lm cannot merge their caches. When it can, the exception can go."""
    assert any(not hasattr(type(leaf), "merge") for _, leaf in leaves(make(family, tmp_path / "model").fresh()))


def test_the_loader_patches_models(tmp_path: Path) -> None:
    """A patched family is patched when it is loaded from its folder."""
    assert make("plamo3", tmp_path / "repaired").fresh()[0].max_size == WINDOW + 1
    assert make_unpatched("plamo3", tmp_path / "bare").fresh()[0].max_size == WINDOW


def test_every_exception_and_every_patch_is_tested() -> None:
    """Every family that runs alone for a reason, or is patched, is in one of the tests above."""
    assert REASONS.keys() | PATCHES.keys() == {
        "afm7", "deepseek_v41", "gemma2", "gpt_bigcode", "llama4", "minimax_m3_vl", "plamo3",
    }  # fmt: skip


def test_a_wrong_first_token_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite can fail: a first token that the prompt's last logits do not choose is found."""
    monkeypatch.setattr(prefill, "draw_all", lambda logits, *_: mx.argmin(logits, axis=-1))
    findings = check(make("llama", tmp_path / "model"), tmp_path / "segments").findings
    assert {wrong.rpartition(": ")[2] for wrong in findings.wrong} == {"token 0 is another one"}


def test_a_wrong_state_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite can fail: a slightly wrong restored recurrent state is found in the turn that restored it. By the last
    token of the prompt, whose logits alone are computed, this damage has decayed; the tokens after it add it up again.
    """
    whole = codec.restore

    def damaged(layout: Any, caches: list[Any], pieces: Any) -> int:
        length = whole(layout, caches, pieces)
        for _, leaf in leaves(caches if length else []):
            if isinstance(leaf, ArraysCache):
                leaf[1] = leaf[1] + mx.array(0.5)
        return length

    monkeypatch.setattr(codec, "restore", damaged)
    findings = check(make("qwen3_5", tmp_path / "model"), tmp_path / "segments").findings
    assert any(wrong.startswith("turn 2, talk") for wrong in findings.wrong)
    assert not any(wrong.startswith("turn 1") for wrong in findings.wrong)
