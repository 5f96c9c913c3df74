"""An offered code: one Mac, ten minutes, three tries."""

from __future__ import annotations

from app.macs.pairing import MOST_TRIES, VALID_SECONDS, Offer, PairingCode

FINGERPRINT = "5a" * 32


class Clock:
    """Seconds that pass only if a test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def secret(code: str) -> str:
    return PairingCode.typed(code).secret


def test_a_code_is_used_once() -> None:
    """The second Mac needs another one."""
    offer = Offer(FINGERPRINT)
    assert not offer.accept("0000000"), "nothing is offered"
    code = offer.renew()
    assert offer.code == code
    assert offer.accept(secret(code))
    assert offer.used
    assert not offer.code
    assert not offer.accept(secret(code))


def test_a_few_wrong_tries_end_a_code() -> None:
    """Also for the Mac that then has the right one. A new code is different."""
    offer = Offer(FINGERPRINT)
    code = offer.renew()
    for _ in range(MOST_TRIES):
        assert offer.code == code
        assert not offer.accept("\u00fc\ud800")
    assert not offer.code
    assert not offer.accept(secret(code))
    assert offer.renew() != code


def test_a_code_expires() -> None:
    """After ten minutes, to the second."""
    clock = Clock()
    offer = Offer(FINGERPRINT, clock)
    code = offer.renew()
    clock.now = VALID_SECONDS - 1
    assert offer.code == code
    clock.now = VALID_SECONDS
    assert not offer.code
    assert not offer.accept(secret(code))
