"""What Hearth needs of macOS beyond Qt, on the main thread only.

- `ObjectiveC` calls the Objective-C runtime. A receiver, a selector, a class and an argument are addresses. 0 is nil,
  and a message to nil does nothing.
- `AppNap` keeps macOS from slowing the app down while answers are written, also if its window is covered. Between
  answers the app may nap, and the computer may sleep at any time.
- `MacService` is the entry in the Services menu of other apps, which Info.plist names. It begins a chat with the text
  that is selected there. The text only fills a draft.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from ctypes import c_bool, c_char_p, c_size_t, c_uint64, c_void_p
from typing import Any, Final, Self

MAC: Final = sys.platform == "darwin"  # platform: no other system has the runtime
LIBRARIES: Final = ("/usr/lib/libobjc.dylib", "/System/Library/Frameworks/AppKit.framework/AppKit")
Method = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p)
"""A method with three arguments and no result: receiver, selector, arguments."""


class ObjectiveC:
    """`library` is libobjc. It must outlive the object."""

    def __init__(self, library: Any) -> None:
        self._library = library
        for name, result, kinds in (
            ("objc_getClass", c_void_p, [c_char_p]),
            ("sel_registerName", c_void_p, [c_char_p]),
            ("objc_allocateClassPair", c_void_p, [c_void_p, c_char_p, c_size_t]),
            ("class_addMethod", c_bool, [c_void_p, c_void_p, c_void_p, c_char_p]),
            ("objc_registerClassPair", None, [c_void_p]),
        ):
            function = getattr(library, name)
            function.restype, function.argtypes = result, kinds

    @classmethod
    def find(cls) -> Self | None:
        """The runtime of this process, None on other systems."""
        if not MAC:
            return None
        library, _appkit = map(ctypes.CDLL, LIBRARIES)
        return cls(library)

    def named(self, name: str) -> int:
        """A class."""
        return int(self._library.objc_getClass(name.encode()) or 0)

    def send(self, receiver: int, selector: str, *arguments: int) -> int:
        """Send a message whose arguments are objects or addresses. Returns its result, an object or an address."""
        return self._call([c_void_p] * len(arguments), receiver, selector, *arguments)

    def send_options(self, receiver: int, selector: str, options: int, argument: int) -> int:
        """Send a message with options, 64 bits, and an object."""
        return self._call([c_uint64, c_void_p], receiver, selector, options, argument)

    def string(self, text: str) -> int:
        """An NSString, which lives until the end of this turn of the event loop."""
        content = ctypes.create_string_buffer(text.encode())
        return self.send(self.named("NSString"), "stringWithUTF8String:", ctypes.addressof(content))

    def text(self, string: int) -> str:
        """The text of an NSString; "" of nil."""
        address = self.send(string, "UTF8String") if string else 0
        return ctypes.string_at(address).decode("utf-8", "replace") if address else ""

    def make_class(self, name: str, selector: str, method: Callable[[int, int, int, int, int], None]) -> int:
        """A new class of objects that answer one message, as `Method` says. The method must outlive the class."""
        made: int = self._library.objc_allocateClassPair(self.named("NSObject"), name.encode(), 0)
        code = ctypes.cast(method, c_void_p)  # type: ignore[arg-type] # the caller made it with `Method`
        self._library.class_addMethod(made, self._selector(selector), code, b"v@:@@^@")
        self._library.objc_registerClassPair(made)
        return made

    def _selector(self, name: str) -> int:
        return int(self._library.sel_registerName(name.encode()))

    def _call(self, kinds: list[Any], receiver: int, selector: str, *arguments: int) -> int:
        call = ctypes.cast(self._library.objc_msgSend, ctypes.CFUNCTYPE(c_void_p, c_void_p, c_void_p, *kinds))
        return int(call(receiver, self._selector(selector), *arguments) or 0)


_USER_INITIATED: Final = 0x00FFFFFF & ~(1 << 20)
"""NSActivityUserInitiatedAllowingIdleSystemSleep."""


class AppNap:
    """Without the runtime of a Mac it does nothing."""

    def __init__(self, runtime: ObjectiveC | None) -> None:
        self._runtime = runtime
        self._activity = 0

    def follow(self, *, busy: bool) -> None:
        """Begin or end the activity. Called every second."""
        runtime = self._runtime
        if runtime is None or busy == bool(self._activity):
            return
        process = runtime.send(runtime.named("NSProcessInfo"), "processInfo")
        if busy:
            begin = "beginActivityWithOptions:reason:"
            activity = runtime.send_options(
                process, begin, _USER_INITIATED, runtime.string("Answers are being written")
            )
            self._activity = runtime.send(activity, "retain")
        else:
            runtime.send(process, "endActivity:", self._activity)
            runtime.send(self._activity, "release")
            self._activity = 0


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
