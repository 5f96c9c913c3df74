"""Keeps small secrets in the system's keychain, if it has one. Blocks: a keychain may ask the user.

Secrets are never logged.
"""

from __future__ import annotations

import logging
from typing import Final

from storage.errors import KeychainRefused

_SERVICE: Final = "Hearth"
_log = logging.getLogger(__name__)


def secret(name: str) -> str | None:
    """The secret of this name; None if the keychain has none. Raises KeychainRefused if it does not say, or if there is
    no keychain.
    """
    import keyring
    from keyring.errors import KeyringError

    try:
        if _exists():
            found: str | None = keyring.get_password(_SERVICE, name)
            return found
    except (KeyringError, OSError, RuntimeError) as error:
        _log.warning("the keychain cannot be asked: %s", type(error).__name__)
        raise KeychainRefused from error
    raise KeychainRefused


def keep(name: str, value: str) -> bool:
    """Whether the keychain has taken the secret."""
    import keyring
    from keyring.errors import KeyringError

    try:
        if not _exists():
            return False
        keyring.set_password(_SERVICE, name, value)
    except (KeyringError, OSError, RuntimeError) as error:
        _log.warning("the keychain refuses a secret: %s", type(error).__name__)
        return False
    return True


def forget(name: str) -> None:
    """Delete the secret of this name, if there is one. Raises KeychainRefused."""
    import keyring
    from keyring.errors import KeyringError, PasswordDeleteError

    try:
        if _exists():
            keyring.delete_password(_SERVICE, name)
    except PasswordDeleteError:  # it had none
        return
    except (KeyringError, OSError, RuntimeError) as error:
        raise KeychainRefused from error


def _exists() -> bool:
    """Whether the system has a keychain. keyring ranks a real one at 1 or more, and a plain file below."""
    import keyring

    rank: float = keyring.get_keyring().priority
    return rank >= 1
