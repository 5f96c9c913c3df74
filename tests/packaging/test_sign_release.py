"""The tool that announces a release to installed apps."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec
import pytest
import sign_release
from sign_release import Trust

from app.base.errors import UpdateNotChecked
from app.updates.fetch import LARGEST
from app.updates.release import Release, key_of, opened

if TYPE_CHECKING:
    from pathlib import Path

NOW = int(time.time())
RELEASE = Release("0.2.0", NOW, NOW + 1000, "https://example.org/hearth", "# New")


@dataclass(frozen=True)
class Publisher:
    """Someone with a private key, and the apps that trust it."""

    private: Path
    trust: Trust

    def sign(self, **changed: object) -> bytes:
        return sign_release.signed(self.private, msgspec.structs.replace(RELEASE, **changed), self.trust)


@pytest.fixture
def publisher(tmp_path: Path) -> Publisher:
    made = Publisher(tmp_path / "private.key", Trust(tmp_path / "public.pub", "https://example.org/release.json"))
    sign_release.make_key(made.private, made.trust)
    return made


def test_app_reads_a_signed_file(publisher: Publisher) -> None:
    """Tool and app share the format, so neither can change alone."""
    sheet = publisher.sign()
    assert opened(sheet, key_of(publisher.trust.public.read_bytes())) == RELEASE
    told = sign_release.judged(sheet, publisher.trust)
    assert told == "Hearth 0.2.0, https://example.org/hearth; counts for 0 more days."


def test_only_the_owner_can_read_the_private_key(publisher: Publisher) -> None:
    """Only the owner can read the private key. It overwrites no file, and must lie outside the repository."""
    files = publisher.private, publisher.trust.public
    before = [file.read_bytes() for file in files]
    assert publisher.private.stat().st_mode & 0o777 == 0o600
    with pytest.raises(sign_release.Refused, match="cannot be written"):
        sign_release.make_key(publisher.private, publisher.trust)
    with pytest.raises(sign_release.Refused, match="outside the repository"):
        sign_release.make_key(sign_release.ROOT / "resources" / "private.key", publisher.trust)
    assert [file.read_bytes() for file in files] == before


def test_key_that_no_app_trusts_signs_nothing(publisher: Publisher, tmp_path: Path) -> None:
    """The private key must match the public key in the app."""
    other = replace(publisher.trust, public=tmp_path / "other.pub")
    sign_release.make_key(tmp_path / "other.key", other)
    with pytest.raises(sign_release.Refused, match="does not belong"):
        replace(publisher, trust=other).sign()
    with pytest.raises(sign_release.Refused, match="cannot be read"):
        replace(publisher, private=tmp_path / "no.key").sign()


def test_nothing_is_signed_without_a_real_address(publisher: Publisher) -> None:
    """Nothing can be signed as long as the app has no real address to ask."""
    nowhere = replace(publisher.trust, address="https://updates.hearth.invalid/release.json")
    with pytest.raises(sign_release.Refused, match="address"):
        replace(publisher, trust=nowhere).sign()


@pytest.mark.parametrize(
    "changed", [{"version": "1.0rc1"}, {"page": "http://example.org"}, {"expires": NOW - 1}, {"issued": NOW + 10**6}]
)
def test_file_that_the_app_would_refuse_is_not_signed(publisher: Publisher, changed: dict[str, object]) -> None:
    """A mistake is found before it is published."""
    with pytest.raises(UpdateNotChecked):
        publisher.sign(**changed)


def test_too_long_notes_are_not_signed(publisher: Publisher) -> None:
    """Notes that make the file too large for the app are refused."""
    with pytest.raises(sign_release.Refused, match="too long"):
        publisher.sign(notes="x" * LARGEST)


def test_commands_do_it_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three commands lead from the key to the checked file. An error is one line with status 1."""
    notes, key, file = tmp_path / "notes.md", tmp_path / "private.key", tmp_path / "release.json"
    notes.write_text("# New\n")
    trust = Trust(tmp_path / "update_key.pub", "https://example.org/release.json")
    sign = ["sign", "--key", str(key), "--page", RELEASE.page, "--notes", str(notes), "--days", "30", str(file)]
    for command in (["key", str(key)], sign, ["check", str(file)]):
        assert sign_release.main(command, trust) == 0
    told = f"Hearth {sign_release.version()}, https://example.org/hearth; counts for "
    assert capsys.readouterr().out.count(told) == 2
    assert sign_release.main(["key", str(key)], trust) == 1
    assert capsys.readouterr().err == f"sign_release: {key} cannot be written: File exists.\n"
