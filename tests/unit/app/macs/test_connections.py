"""Which connections go if there are too many. No socket, no clock."""

from __future__ import annotations

from app.macs.guest import MOST, MOST_OF_MAC, SHARE, Connections


def _strangers(connections: Connections[str], count: int) -> None:
    for number in range(count):
        assert connections.enter(f"s{number}", f"10.0.0.{number}") is None


def _paired(connections: Connections[str], count: int, host: str = "mac") -> None:
    for number in range(count):
        assert connections.enter(f"p{number}", host) is None
        assert connections.prove(f"p{number}", f"mac {number}")


def test_an_address_has_a_small_share() -> None:
    """Its oldest connection goes for its newest one, so a Mac behind the same address still gets its turn."""
    connections: Connections[str] = Connections()
    left = [connections.enter(f"c{number}", "a") for number in range(SHARE + 2)]
    assert left == [None] * SHARE + ["c0", "c1"]
    assert connections.enter("other", "b") is None


def test_what_has_proved_itself_does_not_count_in_the_share() -> None:
    """A leader copies a model, asks for the state and leads a group at the same time."""
    connections: Connections[str] = Connections()
    _paired(connections, 2 * SHARE)
    assert [connections.enter(f"c{number}", "mac") for number in range(SHARE + 1)] == [None] * SHARE + ["c0"]


def test_the_oldest_stranger_goes_if_places_run_out() -> None:
    """A newer one may be a paired Mac that is about to prove itself."""
    connections: Connections[str] = Connections()
    _strangers(connections, MOST - 1)
    connections.prove("s0", "another")
    assert [connections.enter(f"c{number}", f"c{number}") for number in range(2)] == ["s1", "s2"]


def test_one_place_is_kept_for_paired_macs() -> None:
    """An address from which a paired Mac came before gets it, and strangers never do."""
    connections: Connections[str] = Connections()
    _paired(connections, 1)
    connections.leave("p0")
    _strangers(connections, MOST - 1)
    assert connections.enter("again", "mac") is None
    assert connections.enter("stranger", "b") == "s0"


def test_strangers_go_before_a_known_address() -> None:
    """Many addresses that connect again and again do not end a paired Mac that is about to prove itself."""
    connections: Connections[str] = Connections()
    _paired(connections, 1)
    connections.leave("p0")
    assert connections.enter("again", "mac") is None
    left = [connections.enter(f"s{number}", f"10.0.0.{number}") for number in range(2 * MOST)]
    assert "again" not in left
    assert left.count(None) == MOST - 2


def test_a_newcomer_goes_if_all_others_have_proved_themselves() -> None:
    """No paired Mac loses its connection."""
    connections: Connections[str] = Connections()
    _paired(connections, MOST - 1)
    assert connections.enter("stranger", "b") == "stranger"
    assert connections.enter("last", "mac") is None
    connections.prove("last", "another")
    assert connections.enter("more", "mac") == "more"


def test_an_ended_connection_gives_its_place_back() -> None:
    """Also one that went for another: that it ends twice, or proves itself too late, changes nothing."""
    connections: Connections[str] = Connections()
    _strangers(connections, MOST - 1)
    assert connections.enter("new", "b") == "s0"
    connections.prove("s0", "another")
    connections.leave("s0")
    connections.leave("s1")
    assert connections.enter("newer", "c") is None
    assert connections.enter("newest", "d") == "s2"


def test_one_mac_does_not_shut_the_others_out() -> None:
    """Neither by one address nor by many, and what it has given back it gets again."""
    connections: Connections[str] = Connections()
    proved = []
    for number in range(MOST_OF_MAC + 2):
        assert connections.enter(f"c{number}", f"10.0.0.{number}") is None
        proved.append(connections.prove(f"c{number}", "mac"))
    assert proved == [True] * MOST_OF_MAC + [False] * 2
    connections.leave("c0")
    assert connections.prove(f"c{MOST_OF_MAC}", "mac")
    assert connections.enter("other", "b") is None
    assert connections.prove("other", "another mac")
