"""Loads huggingface_hub for Hearth, without its telemetry. Runs on any thread.

The telemetry asks the hub for a list of programs that may have started this one, and keeps the answer in a file of
which an odd content breaks every later question. Hearth asks the hub for models alone.
"""

from __future__ import annotations

import os

from app.base.errors import told_reason
from app.hub.errors import HubClosed, TokenUnreadable
from resources.language.sentence import sentence


def load() -> None:
    """Import huggingface_hub. Every part of the app that asks the hub calls this first.

    Raises HubClosed if the hub's address is malformed; huggingface_hub then cannot even be imported.
    """
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    import httpx2

    try:
        from huggingface_hub import constants

        httpx2.URL(constants.ENDPOINT)
    except (ValueError, httpx2.InvalidURL) as error:
        raise HubClosed(sentence("its address in HF_ENDPOINT is not valid")) from error
    constants.HF_HUB_DISABLE_TELEMETRY = True  # another part may have imported it before


def token(own: str | None) -> str | None:
    """The token to send: the user's `own`, or else HF_TOKEN, or else the one of `hf auth login`.

    Raises HubClosed, and TokenUnreadable for one that cannot be read or sent.
    """
    load()
    from huggingface_hub import constants, get_token

    try:
        known = own or (None if constants.HF_HUB_DISABLE_IMPLICIT_TOKEN else get_token())
        (known or "").encode("ascii")
    except UnicodeEncodeError as error:
        raise TokenUnreadable(
            sentence("The token in HF_TOKEN, or that of the login of Hugging Face, has letters that no token has.")
        ) from error
    except OSError as error:
        raise TokenUnreadable(
            sentence("The login of Hugging Face cannot be read: {reason}. Check HF_HOME.", reason=told_reason(error))
        ) from error
    return known
