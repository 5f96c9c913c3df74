"""Whether a signed release is valid, and newer."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.base.errors import UpdateNotChecked
from app.updates.release import Release
from app.updates.release_check import is_newer, numbers

DAY = 24 * 3600
NOW = 1_000 * DAY
RELEASE = Release("0.2.0", NOW - DAY, NOW + DAY, "https://example.org/hearth")


@pytest.mark.parametrize(
    ("running", "newer"), [("0.1.0", True), ("0.1.9", True), ("0.2", False), ("0.2.0", False), ("0.10.0", False)]
)
def test_only_a_higher_version_is_newer(running: str, newer: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """The same version and a lower one are not offered, so no user is led back to an old version."""
    assert is_newer(RELEASE, running, 0, NOW) is newer


def test_an_expired_release_does_not_count() -> None:
    """A server that keeps serving an old file cannot hide newer releases for ever."""
    assert is_newer(RELEASE, "0.1.0", 0, RELEASE.expires - 1)
    with pytest.raises(UpdateNotChecked, match="expired"):
        is_newer(RELEASE, "0.1.0", 0, RELEASE.expires)


def test_an_older_release_than_before_does_not_count() -> None:
    """An earlier file than the last accepted one is a replay. The same one may be read again."""
    assert is_newer(RELEASE, "0.1.0", RELEASE.issued, NOW)
    with pytest.raises(UpdateNotChecked, match="older"):
        is_newer(RELEASE, "0.1.0", RELEASE.issued + 1, NOW)


def test_a_release_from_the_future_does_not_count() -> None:
    """Its date would be saved, and every real file would look like a replay."""
    assert is_newer(msgspec.structs.replace(RELEASE, issued=NOW + DAY, expires=NOW + 2 * DAY), "0.1", 0, NOW)
    with pytest.raises(UpdateNotChecked, match="future"):
        is_newer(msgspec.structs.replace(RELEASE, issued=NOW + DAY + 1, expires=NOW + 2 * DAY), "0.1", 0, NOW)


@pytest.mark.parametrize(
    "page",
    [
        "",
        "hearth",
        "http://example.org",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://",
        "https://[",
        "https://a\n",
    ],
)
def test_page_must_be_safe(page: str) -> None:
    """The browser opens an https page and nothing else."""
    with pytest.raises(UpdateNotChecked, match="page"):
        is_newer(msgspec.structs.replace(RELEASE, page=page), "0.1.0", 0, NOW)


@pytest.mark.parametrize("version", ["", "v1", "1.", ".1", "1.2rc1", "1.2.3.4.5", "1 2", "-1", "²", "1\n", "1" * 7])
def test_only_plain_numbers_are_compared(version: str) -> None:
    """A version that cannot be compared is never offered."""
    with pytest.raises(UpdateNotChecked):
        numbers(version)
    with pytest.raises(UpdateNotChecked):
        is_newer(msgspec.structs.replace(RELEASE, version=version), "0.1.0", 0, NOW)


@given(st.lists(st.integers(0, 999), min_size=1, max_size=4), st.lists(st.integers(0, 999), min_size=1, max_size=4))
def test_versions_compare_as_their_numbers(one: list[int], other: list[int]) -> None:
    """They are compared part by part as numbers, and zeros at the end do not count."""
    padded = [[*parts, 0, 0, 0, 0][:4] for parts in (one, other)]
    found = [numbers(".".join(map(str, parts))) for parts in (one, other)]
    assert (found[0] > found[1]) is (padded[0] > padded[1])
    assert (found[0] == found[1]) is (padded[0] == padded[1])
