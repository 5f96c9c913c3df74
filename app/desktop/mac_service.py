"""MacService: the entry in the Services menu of a Mac's other apps. It begins a chat with the text selected there.

Info.plist names the entry and its message. It runs on the window's thread. The text only fills a draft.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.desktop.objective_c import Method

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.desktop.objective_c import ObjectiveC

MESSAGE: Final = "newChat"
"""The name of the message in Info.plist."""
_TEXT: Final = "public.utf8-plain-text"


class MacService:
    """Calls `start_draft` with each text. It must live as long as the app."""

    def __init__(self, runtime: ObjectiveC, start_draft: Callable[[str], object]) -> None:
        self._runtime = runtime
        self._start_draft = start_draft
        self._method = Method(self._asked)
        service = runtime.make_class("HearthService", f"{MESSAGE}:userData:error:", self._method)
        self._object = runtime.send(runtime.send(service, "alloc"), "init")
        application = runtime.send(runtime.named("NSApplication"), "sharedApplication")
        runtime.send(application, "setServicesProvider:", self._object)

    def _asked(self, _self: int, _selector: int, pasteboard: int, _data: int, _error: int) -> None:
        runtime = self._runtime
        text = runtime.text(runtime.send(pasteboard, "stringForType:", runtime.string(_TEXT)))
        if text.strip():
            self._start_draft(text)
