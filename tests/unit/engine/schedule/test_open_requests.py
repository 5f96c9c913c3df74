from __future__ import annotations

from engine.protocol.messages import Generate
from engine.schedule.open_requests import OpenRequests


def opened(request: str, *alternatives: str) -> Generate:
    return Generate(request, "c", (), alternatives=alternatives)


def test_a_request_is_closed_once() -> None:
    """The second attempt finds it closed, even if another request has its name by then."""
    requests = OpenRequests()
    first = requests.open(opened("a"), now=0.0)
    assert requests.close(first)
    assert not requests.close(first)
    again = requests.open(opened("a"), now=1.0)
    assert not requests.close(first)
    assert again in requests
    assert requests.find("a") is again


def test_no_two_open_requests_share_a_name() -> None:
    """A name is free again after its request has ended."""
    requests = OpenRequests()
    first = requests.open(opened("a", "b"), now=0.0)
    assert [requests.can_take(opened(name)) for name in ("a", "b", "c", "")] == [False, False, True, False]
    requests.close(first)
    assert requests.can_take(opened("a"))


def test_the_next_alternative_is_the_heir() -> None:
    """If the leader ends, its first sibling leads the others. If a sibling ends, the leader loses it."""
    requests = OpenRequests()
    leader = requests.open(opened("a", "b", "c"), now=0.0)
    second, third = leader.siblings
    requests.close(leader)
    assert requests.separate(leader) is second
    assert second.siblings == [third]
    requests.close(third)
    assert requests.separate(third) is None
    assert second.siblings == []
