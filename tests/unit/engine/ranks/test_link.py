"""Links over socket pairs: a peer that closes, falls silent or sends garbage is lost once, with a reason."""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import pytest

from engine.protocol import framing
from engine.protocol.messages import ChatMessage, Generate
from engine.ranks import link as links
from engine.ranks.inputs import (
    LONGEST_REPORT,
    Alive,
    Ended,
    Execute,
    Figures,
    Hello,
    Outcome,
    RankTurn,
    Report,
    decode_input,
    decode_report,
    encode,
)
from engine.ranks.link import SILENT_SECONDS, STARTING_SECONDS, Link, Pipes
from engine.ranks.lockstep import Leader
from engine.workers.requests import MOST_WORDS
from storage.untrusted import UntrustedDataError

WAIT = 10.0


class Pair:
    """The leader's end of a link, and the raw socket of its peer. `now` is the time of its clock, in seconds."""

    def __init__(self) -> None:
        self.own, self.peer = socket.socketpair()
        self.now = 100.0
        self.heard: queue.SimpleQueue[Report] = queue.SimpleQueue()
        self.lost: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._files = (self.own.makefile("rb"), self.own.makefile("wb"))
        self.link: Link[Report] = Link(Pipes(*self._files), decode_report, lambda: self.now)

    def start(self) -> None:
        """Let the link listen."""
        self.link.start(self.heard.put, self.lost.put)

    def reason(self) -> str:
        """Why the link was lost."""
        return self.lost.get(timeout=WAIT)

    def close(self) -> None:
        """End the link's threads."""
        self.link.expect_end()
        self.peer.close()
        self.own.shutdown(socket.SHUT_RDWR)
        self.join("link", "beat", "check", "sending")
        self._files[0].close()
        with suppress(OSError):
            self._files[1].close()
        self.own.close()

    def join(self, *names: str) -> None:
        """Wait until the link's threads of these names have ended."""
        for thread in [one for one in threading.enumerate() if one.name in names]:
            thread.join(WAIT)
            assert not thread.is_alive()


@pytest.fixture
def unstarted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pair]:
    """A pair whose beat is so short that no test waits for it."""
    monkeypatch.setattr(links, "BEAT_SECONDS", 0.001)
    pair = Pair()
    yield pair
    pair.close()


@pytest.fixture
def pair(unstarted: Pair) -> Pair:
    """A pair whose link listens."""
    unstarted.start()
    return unstarted


def test_messages_arrive_in_order_without_the_beats(pair: Pair) -> None:
    """However the stream cuts them."""
    data = b"".join(encode(one) for one in (Outcome("a"), Alive(), Outcome("b")))
    for at in range(0, len(data), 7):
        pair.peer.sendall(data[at : at + 7])
    assert [pair.heard.get(timeout=WAIT), pair.heard.get(timeout=WAIT)] == [Outcome("a"), Outcome("b")]
    assert pair.lost.empty()


def test_a_peer_hears_that_the_process_runs(pair: Pair) -> None:
    """Without being asked, and for as long as the link lasts."""
    beats = pair.peer.makefile("rb")
    assert [beats.readline() for _ in range(3)] == [encode(Alive())] * 3
    beats.close()


def test_a_silent_peer_is_lost(pair: Pair) -> None:
    """Its connection stays open: a stopped process closes nothing."""
    pair.peer.sendall(encode(Outcome("a")))
    pair.heard.get(timeout=WAIT)
    pair.now += SILENT_SECONDS - 0.5
    pair.peer.sendall(encode(Outcome("b")))
    pair.heard.get(timeout=WAIT)
    pair.now += SILENT_SECONDS - 0.5
    assert pair.lost.empty(), "it has spoken since"
    pair.now += 0.6
    assert "silent for" in pair.reason()


def test_a_peer_that_starts_may_be_silent_for_longer(pair: Pair) -> None:
    """While it loads MLX and forms the group, also after its Hello, none of its threads can send."""
    pair.peer.sendall(encode(Hello({})))
    assert pair.heard.get(timeout=WAIT) == Hello({})
    pair.now += SILENT_SECONDS + 0.5
    pair.peer.sendall(encode(Outcome("a")))
    assert pair.heard.get(timeout=WAIT) == Outcome("a")
    assert pair.lost.empty()
    pair.now += SILENT_SECONDS + 0.5
    assert "silent for" in pair.reason()


def test_a_peer_that_takes_nothing_is_lost_while_a_message_waits_for_it(pair: Pair) -> None:
    """A stopped process does not empty its pipe. The threads that send to it block, and the link still notices."""
    sending = threading.Thread(target=pair.link.send, args=(Outcome("x" * (1 << 24)),), name="sending")
    sending.start()
    sending.join(0.05)
    assert sending.is_alive(), "the buffers of the pair hold the whole message"
    pair.now += STARTING_SECONDS + 1
    assert "silent for" in pair.reason()


def test_a_closed_end_is_lost_once(pair: Pair) -> None:
    """Also if a message is sent afterwards."""
    pair.peer.close()
    assert pair.reason()
    pair.link.send(Outcome("a"))
    assert pair.lost.empty()


def test_a_broken_connection_is_noticed_while_sending(unstarted: Pair) -> None:
    """Messages to it are dropped, and nothing is raised. The loss is reported as soon as the link listens."""
    unstarted.peer.close()
    for _ in range(3):
        unstarted.link.send(Outcome("a"))
    unstarted.start()
    assert unstarted.reason()


def test_an_expected_end_is_no_loss(pair: Pair) -> None:
    """Both ends are about to end, and one is the first."""
    pair.link.expect_end()
    pair.peer.close()
    pair.link.send(Outcome("a"))
    pair.now += STARTING_SECONDS + 1
    pair.join("link", "check")
    assert pair.lost.empty()


@pytest.mark.parametrize(
    "garbage",
    [
        b"\n",
        b"hello\n",
        b"null\n",
        b"[]\n",
        b"{}\n",
        b'{"type":"nothing"}\n',
        b'{"type":"outcome","ticket":1}\n',
        b'{"type":"outcome","ticket":"\\ud800"}\n',
        b'{"type":"outcome","ticket":"\xed\xa0\x80"}\n',
        b"\xff\xfe\x00\n",
        b"[" * 100_000 + b"\n",
        b'{"type":"figures","name":"a","values":[' + b"9" * 5000 + b"]}\n",
        b'{"type":"figures","name":"a","values":[]}\n',
        encode(RankTurn()),
    ],
    ids=range(14),
)
def test_garbage_ends_the_link(pair: Pair, garbage: bytes) -> None:
    """With the reason that the decoder gives: a peer that sends anything else is no rank of this version."""
    pair.peer.sendall(garbage)
    assert "Error" in pair.reason()
    assert pair.heard.empty()


def test_an_endless_line_ends_the_link(unstarted: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before it fills the memory."""
    monkeypatch.setattr(links, "Lines", lambda _longest: framing.Lines(1 << 12))
    unstarted.start()
    unstarted.peer.sendall(b"x" * (1 << 13))
    assert "Error" in unstarted.reason()


def test_commands_keep_every_character() -> None:
    """An input is one line, whatever a chat holds."""
    told = Execute(Generate("r", "c", (ChatMessage("user", 'a\nb\r\x00"\u2028\U0001f600'),)))
    assert encode(told).count(b"\n") == 1
    assert decode_input(encode(told)) == told


@pytest.mark.parametrize(
    ("report", "reason"), [(Figures("layers", (1,)), "more reports"), (Outcome("lookup"), "more outcomes")]
)
def test_a_follower_that_reports_without_end_is_lost(report: Report, reason: str) -> None:
    """Reports that the leader did not ask for would fill its memory. It computes meanwhile, and takes none of them."""
    pair = Pair()
    leader = Leader({1: pair.link}, queue.SimpleQueue())
    pair.link.start(partial(leader.hear, 1), pair.lost.put)

    talking = threading.Thread(target=talk, args=(pair.peer, encode(report) * 100))
    talking.start()
    assert reason in pair.reason()
    pair.close()
    talking.join(WAIT)


def talk(peer: socket.socket, said: bytes) -> None:
    """Say this until the connection is closed."""
    with suppress(OSError):
        while True:
            peer.sendall(said)


def test_a_report_is_short() -> None:
    """Many may wait, so each has a limit that holds any words."""
    assert len(encode(Ended("\x00" * MOST_WORDS))) < LONGEST_REPORT
    with pytest.raises(UntrustedDataError):
        decode_report(encode(Outcome("x" * 1000)))
