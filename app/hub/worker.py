"""The process that downloads one model, as the window sees it. Runs on the window's thread and never blocks it.

The process is `hearth models fetch`. It is ended by a kill, which is the normal case: a later one continues.
"""

from __future__ import annotations

import logging
from typing import Final

from PySide6.QtCore import Signal

from app.base.line_process import LineProcess
from app.hub.fetch import progress
from storage.untrusted import UntrustedDataError

_LONGEST: Final = 1 << 20
_log = logging.getLogger(__name__)


class Worker(LineProcess):
    """`reported` carries each `Report`."""

    reported = Signal(object)

    def __init__(self) -> None:
        super().__init__(_LONGEST)
        self.arrived.connect(self._read)
        self.logged.connect(lambda line: _log.warning("the download says: %s", line))

    def _read(self) -> None:
        for line in self.lines():
            try:
                report = progress.decode(line or b"")
            except UntrustedDataError:
                _log.warning("a line of %d bytes from a download is no report", len(line or b""))
            else:
                self.reported.emit(report)
