"""Signs the file by which Hearth learns of a release. Its commands are for the publisher:

    sign_release.py key FILE                       a private key in FILE, its public half in resources/update_key.pub
    sign_release.py sign --key FILE --page URL --notes NOTES.md release.json
    sign_release.py check release.json             what the app would say of the file

The file's form and the rules are the app's own (`app.updates`), so that nothing is signed that it would refuse.
"""

from __future__ import annotations

import argparse
import base64
import os
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import resources
from app.base.errors import UpdateNotChecked
from app.updates.fetch import ADDRESS, LARGEST
from app.updates.release import KEY_BYTES, Release, key_of, opened, public_key, sealed
from app.updates.release_check import is_newer

ROOT: Final = Path(__file__).resolve().parent.parent
_DAY_S: Final = 24 * 3600
DAYS: Final = 400
"""The days for which a file is valid. Publish it again before that, even without a new release."""
_UNSET: Final = ".invalid/"


@dataclass(frozen=True, slots=True)
class Trust:
    """What installed apps trust: the public key that they contain, and the address that they ask."""

    public: Path
    address: str


THIS_TREE: Final = Trust(resources.UPDATE_KEY, ADDRESS)


class Refused(Exception):  # noqa: N818 - a verdict
    """The message says why nothing was written."""


def make_key(private: Path, trust: Trust) -> None:
    """Make a new pair of keys. The private key must lie outside the repository and overwrites no file. Raises
    Refused.
    """
    if private.resolve().is_relative_to(ROOT):
        raise Refused("The private key must lie outside the repository.")
    seed = os.urandom(KEY_BYTES)
    try:
        with os.fdopen(os.open(private, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(base64.b64encode(seed) + b"\n")
    except OSError as error:
        raise Refused(f"{private} cannot be written: {error.strerror}.") from error
    trust.public.write_bytes(base64.b64encode(public_key(seed)) + b"\n")


def signed(private: Path, release: Release, trust: Trust) -> bytes:
    """The file for `release`, checked as the app of this tree would check it. Raises Refused."""
    if _UNSET in trust.address:
        raise Refused("First set the address in app/updates/fetch.py: installed apps look there and nowhere else.")
    try:
        seed, key = key_of(private.read_bytes()), key_of(trust.public.read_bytes())
    except OSError as error:
        raise Refused(f"A key cannot be read: {error}.") from error
    if public_key(seed) != key:
        raise Refused(f"{private} does not belong to {trust.public}: installed apps would not trust it.")
    sheet = sealed(release, seed)
    if len(sheet) > LARGEST:
        raise Refused("The notes are too long.")
    is_newer(opened(sheet, key), "0", 0, time.time())
    return sheet


def judged(sheet: bytes, trust: Trust) -> str:
    """The app's verdict on a file. Raises UpdateNotChecked."""
    release = opened(sheet, key_of(trust.public.read_bytes()))
    is_newer(release, "0", 0, time.time())
    days = (release.expires - int(time.time())) // _DAY_S
    return f"Hearth {release.version}, {release.page}; counts for {days} more days."


def version() -> str:
    """The version of this tree."""
    project: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return project["version"]


def main(arguments: list[str] | None = None, trust: Trust = THIS_TREE) -> int:
    """Returns 0, or 1 after one line that says what is wrong."""
    options = _options(arguments)
    try:
        match options.command:
            case "key":
                make_key(options.file, trust)
                print(f"{options.file} is the private key: keep it, and show it to nobody. Commit the public one.")
            case "sign":
                options.file.write_bytes(signed(options.key, _release(options), trust))
                print(judged(options.file.read_bytes(), trust))
            case _:
                print(judged(options.file.read_bytes(), trust))
    except (Refused, UpdateNotChecked, OSError) as error:
        print(f"sign_release: {error}", file=sys.stderr)
        return 1
    return 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="sign_release.py", description="Tells installed apps of a release.")
    commands = parser.add_subparsers(dest="command", required=True)
    key = commands.add_parser("key", help="make the pair of keys, once")
    check = commands.add_parser("check", help="say what the app would make of a file")
    sign = commands.add_parser("sign", help="write the file about the release of this tree")
    sign.add_argument("--key", type=Path, required=True, help="the private key")
    sign.add_argument("--page", required=True, help="the https page where the release can be had")
    sign.add_argument("--notes", type=Path, required=True, help="what is new, in Markdown")
    sign.add_argument("--days", type=int, default=DAYS, help="how long the file counts (default: %(default)s)")
    for command in (key, check, sign):
        command.add_argument("file", type=Path)
    return parser.parse_args(arguments)


def _release(options: argparse.Namespace) -> Release:
    now = int(time.time())
    notes = options.notes.read_text("utf-8").strip()
    return Release(version(), now, now + options.days * _DAY_S, options.page, notes)


if __name__ == "__main__":
    sys.exit(main())
