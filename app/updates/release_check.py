"""Decides whether a signed release is valid and newer than the running version. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from app.base.errors import UpdateNotChecked
from resources.language.text import tr

if TYPE_CHECKING:
    from app.updates.release import Release

_PLAIN: Final = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6}){0,3}", re.ASCII)
_DAY_S: Final = 24 * 3600
"""How far this computer's clock may be behind that of the computer which signed a release."""


def is_newer(release: Release, running: str, newest_issued: int, now: float) -> bool:
    """Return whether `release` has a higher version than the running one. A lower version is never offered.

    `newest_issued` is the latest `issued` that was accepted before. Raises UpdateNotChecked for an older file, which
    may be a replay, for an expired one, and for an unsafe page.
    """
    if release.expires <= now:
        raise UpdateNotChecked(tr("The file about updates has expired."))
    if release.issued < newest_issued:
        raise UpdateNotChecked(tr("The file about updates is older than one that was read before."))
    if release.issued > now + _DAY_S:
        raise UpdateNotChecked(tr("The file about updates comes from the future."))
    if not _is_safe(release.page):
        raise UpdateNotChecked(tr("The file about updates leads to no safe page."))
    return numbers(release.version) > numbers(running)


def numbers(version: str) -> tuple[int, ...]:
    """Return a version as comparable numbers: "1.10" is more than "1.9", and "1.0" equals "1". Raises UpdateNotChecked
    if it is not one to four plain numbers.
    """
    if not _PLAIN.fullmatch(version):
        raise UpdateNotChecked(tr("A version that is no plain number cannot be compared."))
    found = [int(part) for part in version.split(".")]
    while found and found[-1] == 0:
        found.pop()
    return tuple(found)


def _is_safe(page: str) -> bool:
    try:
        address = urlsplit(page)
    except ValueError:
        return False
    return address.scheme == "https" and bool(address.hostname) and page.isprintable() and " " not in page
