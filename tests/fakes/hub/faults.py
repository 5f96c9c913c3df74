"""The misbehaviour of the loopback hub, as values. A rule says which requests it concerns."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Fault:
    """A wrong answer of the hub.

    - `status` other than 0 is the whole answer, with `headers` and `body`.
    - `silent`: it never answers. `loop`: it redirects to itself.
    - `drip`: it sends these bytes, and then one byte after the other without end.
    - `cut`: it closes the connection after this many bytes of the body. `rate`: bytes per second.
    - `flip`: it changes one byte of the body. `size`: it says that the file has this size, and sends as much.
    - `no_range`: it answers a range with the whole file.
    """

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    silent: bool = False
    loop: bool = False
    drip: bytes = b""
    cut: int | None = None
    rate: float = 0.0
    flip: bool = False
    size: int | None = None
    no_range: bool = False


@dataclass
class Rule:
    """A fault for the requests whose path matches `path` (as a file name pattern) and whose method is `method`.

    The first `skip` of them are answered rightly, the next `times` are not (None: all later ones).
    """

    fault: Fault
    path: str = "*"
    method: str = ""
    times: int | None = 1
    skip: int = 0

    def concerns(self, method: str, path: str) -> bool:
        """Count a request. Returns whether the fault is its answer."""
        if self.method not in ("", method) or not fnmatchcase(path, self.path) or self.times == 0:
            return False
        if self.skip:
            self.skip -= 1
            return False
        if self.times is not None:
            self.times -= 1
        return True


def gated(*, member: bool = False) -> Fault:
    """The answer for a file of a gated model: 401 without a token, 403 with one that was not admitted."""
    return Fault(403 if member else 401, {"X-Error-Code": "GatedRepo", "X-Error-Message": "Access is restricted."})


def too_many(retry_after: int | None = None) -> Fault:
    """429, with the wait in seconds if the hub tells one."""
    return Fault(429, {} if retry_after is None else {"Retry-After": str(retry_after)})


def no_repository(*, known: bool = False) -> Fault:
    """The answer for a repository that is not there: 401 without a token, 404 with one."""
    return Fault(404 if known else 401, {"X-Error-Code": "RepoNotFound", "X-Error-Message": "Repository not found"})


def no_revision(revision: str) -> Fault:
    """The answer for a revision that is not there."""
    return Fault(404, {"X-Error-Code": "RevisionNotFound", "X-Error-Message": f"Invalid rev id: {revision}"})


def no_file() -> Fault:
    """The answer for a file that is not there."""
    return Fault(404, {"X-Error-Code": "EntryNotFound", "X-Error-Message": "Entry not found"})


def bad_token() -> Fault:
    """The answer to a token that the hub does not know."""
    return Fault(401, {"X-Error-Message": "Invalid credentials in Authorization header"})
