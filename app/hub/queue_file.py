"""Keeps the queue of downloads in a file, so that it survives the app."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

import msgspec

from app.base.errors import reason
from app.hub.fetch import names
from app.hub.queue import Queue, QueuedDownload
from storage.folders import write_durably
from storage.untrusted import MEBIBYTE, MissingFileError, UntrustedDataError, decode_json, read_file

if TYPE_CHECKING:
    from pathlib import Path

_LARGEST: Final = MEBIBYTE
_log = logging.getLogger(__name__)


def load(path: Path) -> Queue:
    """The queue in the file. A damaged file is an empty queue: the partial downloads themselves stay."""
    try:
        queue = decode_json(read_file(path, _LARGEST), Queue)
    except MissingFileError:
        return Queue()
    except UntrustedDataError as error:
        _log.warning("the queue of downloads cannot be read: %s", error)
        return Queue()
    return Queue(tuple(filter(_is_sound, queue)))


def _is_sound(download: QueuedDownload) -> bool:
    return names.is_repository(download.repository) and (not download.head or names.is_repository(download.head))


def save(path: Path, queue: Queue) -> None:
    """Replace the file in one step. A full disk loses the newest change of the order, nothing else."""
    try:
        write_durably(path, path.with_name(path.name + ".new"), msgspec.json.encode(queue.at_rest()))
    except OSError as error:
        _log.warning("the queue of downloads cannot be saved: %s", reason(error))
