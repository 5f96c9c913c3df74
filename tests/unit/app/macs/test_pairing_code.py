"""The code that a person types: forgiving about its form, exact about its content."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.macs.errors import PairingFailed
from app.macs.pairing import PairingCode

FINGERPRINTS = st.binary(min_size=32, max_size=32).map(bytes.hex)


@given(FINGERPRINTS)
def test_a_code_is_read_as_it_was_made(fingerprint: str) -> None:
    """It names its certificate, and has six groups of four."""
    code = PairingCode.made(fingerprint)
    assert PairingCode.typed(str(code)) == code
    assert code.names(fingerprint)
    assert [len(group) for group in str(code).split("-")] == [4] * 6


@given(FINGERPRINTS, st.integers(0, 79))
def test_a_code_names_no_certificate_with_another_bit_in_80(fingerprint: str, bit: int) -> None:
    """The rest of the fingerprint is not in it."""
    other = f"{int(fingerprint, 16) ^ 1 << 255 - bit:064x}"
    assert not PairingCode.made(fingerprint).names(other)


def test_what_people_confuse_is_forgiven() -> None:
    """Capital and small letters, O and 0, I and L and 1, spaces and dashes of any kind."""
    code = PairingCode.made("01" * 32)
    typed = str(code).replace("0", "o").replace("1", "l", 1).replace("1", "I", 1).replace("-", " \u2013 ").lower()
    assert PairingCode.typed(f"  {typed}\n") == code


@given(FINGERPRINTS, st.data())
def test_most_typing_errors_are_noticed_before_anything_is_sent(fingerprint: str, data: st.DataObject) -> None:
    """The check bits miss one error in 32. An error that they miss makes another code, never this one."""
    code = str(PairingCode.made(fingerprint)).replace("-", "")
    at = data.draw(st.integers(0, 23))
    wrong = data.draw(st.sampled_from(sorted(set("0123456789ABCDEFGHJKMNPQRSTVWXYZ") - {code[at]})))
    try:
        read = PairingCode.typed(code[:at] + wrong + code[at + 1 :])
    except PairingFailed:
        return
    assert str(read).replace("-", "") != code


@pytest.mark.parametrize("text", ["", "ABCD", "U" * 24, "0" * 25, "\u0661" * 24, "ß" * 24, "ABCD-EFGH-\0"])
def test_anything_else_is_no_code(text: str) -> None:
    """With a sentence that says what a code looks like."""
    with pytest.raises(PairingFailed, match="24 letters and digits"):
        PairingCode.typed(text)
