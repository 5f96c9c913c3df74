"""The question before a download is cancelled, which deletes what it has fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.language.text import tr
from ui.dialogs.confirmation import confirm
from ui.theme.phrases import size

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from ui.state.models import DownloadView


def ask_to_cancel(parent: QWidget, name: str, download: DownloadView, cancel: Callable[[], object]) -> None:
    """Call `cancel` if the user agrees, or at once if nothing of the model `name` is here yet."""
    if not download.done:
        cancel()
        return
    question = tr("Cancel the download of {name}?", name=name)
    about = tr("What is here already, {done}, is deleted.", done=size(download.done))
    confirm(parent.window(), question, about, tr("Delete"), cancel, tr("Keep"))
