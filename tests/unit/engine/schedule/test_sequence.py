from __future__ import annotations

import pytest

from engine.protocol.messages import Generate, Phase
from tests.fakes.sequences import sequence_in

COMMAND = Generate("r", "c", ())


@pytest.mark.parametrize("phase", ["queued", "restoring", "decode"])
def test_only_a_restored_sequence_decodes(phase: Phase) -> None:
    """A transition from the wrong phase is a bug: it raises, and changes nothing."""
    made = sequence_in(phase, COMMAND, 10, position=10)
    with pytest.raises(AssertionError, match="is not in prefill"):
        made.start_decoding()
    assert made.state.phase == phase


def test_a_fork_continues_where_its_leader_stands() -> None:
    """It has the prompt, position and figures of its leader, and caches of its own."""
    leader, sibling = sequence_in("prefill", COMMAND, 10, position=10, granted=20), sequence_in("queued", COMMAND, 10)
    leader.fork(sibling, ["own caches"])
    assert (sibling.state.phase, sibling.position, sibling.granted) == ("prefill", 10, 20)
    assert (sibling.prompt, sibling.caches) == (leader.prompt, ["own caches"])
