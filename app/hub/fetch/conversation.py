"""Turns every error of the network between a download and the hub into a HubError."""

from __future__ import annotations

from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import httpx2
from huggingface_hub.errors import OfflineModeIsEnabled

from app.hub.errors import NO_CONNECTION, HubAnswerUnreadable, HubError, HubUnreachable, refusal
from app.hub.fetch.errors import CommitGone, HubClosed
from resources.language.sentence import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

_BAD_CREDENTIALS: Final = "Invalid credentials in Authorization header"
_LONGEST_WAIT: Final = 6
"""Digits of a wait in seconds."""


@contextmanager
def asking() -> Iterator[None]:
    """Within the context, every error of the network becomes a HubError. HubClosed is one that stays."""
    try:
        yield
    except OfflineModeIsEnabled as error:
        raise HubClosed(sentence("HF_HUB_OFFLINE is set")) from error
    except httpx2.TooManyRedirects as error:
        raise HubClosed(sentence("it redirects in circles")) from error
    except (httpx2.UnsupportedProtocol, httpx2.InvalidURL) as error:
        raise HubClosed(sentence("its address is not valid")) from error
    except (httpx2.ConnectError, httpx2.ProxyError) as error:
        raise HubUnreachable(sentence(NO_CONNECTION)) from error
    except httpx2.TimeoutException as error:
        raise HubUnreachable(sentence("it does not answer")) from error
    except httpx2.TransportError as error:
        raise HubUnreachable(sentence("the connection broke off")) from error
    except (httpx2.RequestError, httpx2.StreamError) as error:
        raise HubAnswerUnreadable(sentence("The hub's answer cannot be read.")) from error


def refused(response: httpx2.Response) -> HubError:
    """Return the error for an answer that is no success."""
    code = response.headers.get("X-Error-Code", "") or _unsaid(response)
    if code == "RevisionNotFound":
        return CommitGone(sentence("The hub has no such version of this model."))
    told = response.headers.get("Retry-After", "").strip()
    wait = float(told) if told.isdecimal() and len(told) <= _LONGEST_WAIT else None
    return refusal(response.status_code, code, wait)


def _unsaid(response: httpx2.Response) -> str:
    """The hub also answers 401 for a repository that is missing or private, and names that only in newer versions."""
    known = response.headers.get("X-Error-Message", "") == _BAD_CREDENTIALS
    return "" if known or response.status_code != HTTPStatus.UNAUTHORIZED else "RepoNotFound"
