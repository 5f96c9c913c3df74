"""The signed file about a release."""

from __future__ import annotations

import base64
import json
import os
from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import resources
from app.base.errors import UpdateNotChecked
from app.updates.release import KEY_BYTES, Release, key_of, opened, public_key, sealed
from tests.fakes.foreign import DEPTH, flipped

SEED = bytes(range(KEY_BYTES))
KEY = public_key(SEED)
RELEASE = Release("0.2.0", 1_000, 2_000, "https://example.org/hearth", "# New\n\n“Warm”: all of it")


def test_what_was_signed_is_read() -> None:
    """Every field comes back."""
    assert opened(sealed(RELEASE, SEED), KEY) == RELEASE


def test_people_can_read_it() -> None:
    """The file is JSON with plain field names, so people can inspect what was signed."""
    sheet = json.loads(sealed(RELEASE, SEED))
    assert sheet["release"]["version"] == "0.2.0"
    assert sheet["release"]["notes"] == RELEASE.notes


@given(st.integers(min_value=0), st.integers(1, 255))
def test_one_changed_byte_is_never_read_as_something_else(place: int, by: int) -> None:
    """A changed file is refused, or gives the release that was signed."""
    sheet = bytearray(sealed(RELEASE, SEED))
    sheet[place % len(sheet)] ^= by
    with suppress(UpdateNotChecked):
        assert opened(bytes(sheet), KEY) == RELEASE


def test_one_changed_bit_anywhere_is_never_read_as_something_else() -> None:
    """Each flipped bit leads to a refusal or to the same release, and no other error is raised."""
    refused = 0
    for sheet in flipped(sealed(RELEASE, SEED)):
        try:
            assert opened(sheet, KEY) == RELEASE
        except UpdateNotChecked:
            refused += 1
    assert refused > 200, "the check sees damage"


@pytest.mark.parametrize("begun", [b"", b'{"signature": "", "release": ', b'{"signature": "", "release": {}, "more": '])
def test_a_sheet_that_nests_without_end_is_refused(begun: bytes) -> None:
    """Deep nesting is refused in each of its fields."""
    with pytest.raises(UpdateNotChecked):
        opened(begun + b"[" * DEPTH, KEY)


@given(st.binary(max_size=200))
def test_anything_else_is_refused(sheet: bytes) -> None:
    """Any bytes are refused, and nothing else happens."""
    with pytest.raises(UpdateNotChecked):
        opened(sheet, KEY)


def test_other_key_does_not_count() -> None:
    """A file that was signed with another key is refused."""
    with pytest.raises(UpdateNotChecked, match="not signed"):
        opened(sealed(RELEASE, os.urandom(KEY_BYTES)), KEY)


def test_second_release_in_the_file_does_not_count() -> None:
    """If a field appears twice, the one that is read is also the one whose signature is checked."""
    sheet = sealed(RELEASE, SEED)
    other = msgspec.json.encode(msgspec.structs.replace(RELEASE, version="9"))
    before = sheet.replace(b'"release":', b'"release": %s, "release":' % other, 1)
    after = sheet.rstrip()[:-1] + b', "release": %s}' % other
    assert opened(before, KEY) == RELEASE
    with pytest.raises(UpdateNotChecked):
        opened(after, KEY)


@pytest.mark.parametrize("signature", ["", "AAAA", "nicht base64", base64.b64encode(bytes(64)).decode(), "ä"])
def test_an_invalid_signature_is_refused(signature: str) -> None:
    """Too short, not base64 or all zeros, it is refused in the same way."""
    sheet = json.loads(sealed(RELEASE, SEED))
    words = json.dumps({"release": sheet["release"], "signature": signature})
    with pytest.raises(UpdateNotChecked):
        opened(words.encode(), KEY)


def test_deep_nesting_is_refused() -> None:
    """Endless brackets do not crash Hearth."""
    with pytest.raises(UpdateNotChecked):
        opened(b'{"signature":"","release":' + b"[" * 100_000, KEY)


def test_key_that_travels_with_the_app_is_one() -> None:
    """The public key in the resources is one line of base64 for 32 bytes."""
    assert len(key_of(resources.UPDATE_KEY.read_bytes())) == KEY_BYTES
    for bad in (b"", b"AAAA", b"*" * 44, base64.b64encode(bytes(64))):
        with pytest.raises(UpdateNotChecked):
            key_of(bad)
