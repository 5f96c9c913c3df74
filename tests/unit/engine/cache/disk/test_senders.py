"""The threads that send slabs."""

from __future__ import annotations

import threading

import pytest

from engine.cache.disk.senders import Senders


def test_a_job_runs_on_as_many_threads_as_wanted_and_they_stay() -> None:
    """The caller's thread is one of them. The next run starts no thread if it needs no more."""
    senders, seen = Senders(), list[set[int]]()
    for others in (0, 2, 1, 2):
        met, idents = threading.Barrier(others + 1), set[int]()

        def job(met: threading.Barrier = met, idents: set[int] = idents) -> None:
            idents.add(threading.get_ident())
            met.wait(60)

        senders.run(job, others)
        seen.append(idents)
    senders.close()
    assert [len(idents) for idents in seen] == [1, 3, 2, 3]
    assert seen[1] == seen[3] >= seen[2] >= seen[0] == {threading.get_ident()}
    assert not {thread.ident for thread in threading.enumerate()} & (seen[1] - seen[0])


@pytest.mark.parametrize("here", [True, False])
def test_an_error_in_any_thread_is_raised_when_all_have_ended(*, here: bool) -> None:
    """And the threads run the next job."""
    senders, caller, ended = Senders(), threading.get_ident(), list[int]()
    met = threading.Barrier(2)

    def job() -> None:
        met.wait(60)
        if (threading.get_ident() == caller) == here:
            raise ValueError("no")
        ended.append(1)

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            senders.run(job, 1)
    senders.close()
    assert len(ended) == 2
