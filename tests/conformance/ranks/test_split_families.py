"""The families that mlx-lm can split: the page is complete, and the check of one runs in real processes. `make
conformance-ranks` checks all of them.
"""

from __future__ import annotations

import pytest

from tests.conformance.ranks import table
from tests.conformance.ranks.check import REFUSED, ROUNDING, WRONG
from tests.conformance.ranks.families import RANKS, SPLIT
from tests.conformance.ranks.groups import check_briefly

PAGE = table.read(table.PATH.read_text("utf-8"))


def test_the_page_says_how_each_family_can_be_split() -> None:
    """Over two and three machines. None is wrong, and each refusal has its reason."""
    assert PAGE.keys() == {
        (family, how, str(ranks)) for family, ways in SPLIT.items() for how in ways for ranks in RANKS
    }
    assert {row.verdict for row in PAGE.values()} <= {*table.VERDICTS} - {WRONG}
    assert all(row.reason for row in PAGE.values() if row.verdict == REFUSED)


@pytest.mark.usefixtures("preloaded")
def test_a_hybrid_is_restored_and_wrong_weights_are_noticed() -> None:
    """In two processes, with a share each."""
    [result] = check_briefly(["qwen3_5:pipeline"], ranks=2)
    assert (result.verdict, result.reason) == (ROUNDING, "")
