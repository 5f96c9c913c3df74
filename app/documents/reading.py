"""Reading: the text of a document that the user attaches. Blocks, so it runs on the thread for files.

The document is read by a process of its own, for a limited time.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Final

from app.base import program
from app.base.errors import AttachmentRefused
from app.documents.kinds import Kind, kind_of
from app.documents.limits import MOST_SECONDS, Outcome
from resources.language.text import mark, tr
from storage.untrusted import UntrustedDataError, decode_json

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_IMAGE: Final = mark("“{name}” is an image. No model here can see images yet.")
_OLD: Final = mark(
    "“{name}” is in an old format of Office, or protected by a password. Save it as .docx or .xlsx, and attach that."
)
_SLOW: Final = mark("“{name}” takes too much time or memory to be read.")


def text_of(path: Path) -> str | None:
    """The text of a PDF, a Word document, a spreadsheet or a folder of code; None for any other file, which is attached
    as it is.

    Raises AttachmentRefused.
    """
    match kind_of(path):
        case Kind.PDF | Kind.OFFICE | Kind.FOLDER:
            return _checked(path, _read_apart(path))
        case Kind.IMAGE:
            raise _refused(path, (_IMAGE))
        case Kind.OLD_OFFICE:
            raise _refused(path, (_OLD))
        case Kind.OTHER:
            return None


def _read_apart(path: Path) -> Outcome:
    command = program.reader(path.absolute())
    try:
        done = subprocess.run(  # noqa: S603 - this app itself
            (command.program, *command.arguments),
            cwd=command.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=MOST_SECONDS,
            check=False,
        )
        return decode_json(done.stdout, Outcome)
    except (subprocess.TimeoutExpired, UntrustedDataError):
        return Outcome(refused=(_SLOW))
    except OSError as error:
        raise AttachmentRefused(
            tr("The process that reads documents cannot be started. Install Hearth again.")
        ) from error


def _checked(path: Path, outcome: Outcome) -> str:
    if outcome.refused:
        raise _refused(path, outcome.refused, outcome.fields)
    return outcome.text


def _refused(path: Path, sentence: str, fields: Mapping[str, str | int] | None = None) -> AttachmentRefused:
    return AttachmentRefused(tr(sentence, name=path.name, **(fields or {})))
