"""An Objective-C runtime for Linux: it records the messages, and answers them as the test says.

The functions are real C functions, so calls take the same way through ctypes as on a Mac.
"""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, c_bool, c_char_p, c_size_t, c_void_p
from types import SimpleNamespace

from app.desktop.objective_c import ObjectiveC

_FIRST = 0x1000


class FakeObjectiveC:
    """`runtime` is what the app uses. `sent` has (receiver, selector, arguments), with names in place of addresses."""

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._kept: list[object] = []
        self.sent: list[tuple[str, str, tuple[str, ...]]] = []
        self.methods: dict[str, int] = {}
        self.texts: dict[int, bytes] = {}
        self.library = SimpleNamespace(
            objc_getClass=self._keep(CFUNCTYPE(c_void_p, c_char_p)(lambda name: self.address(name.decode()))),
            sel_registerName=self._keep(CFUNCTYPE(c_void_p, c_char_p)(lambda name: self.address(name.decode()))),
            objc_msgSend=self._keep(CFUNCTYPE(c_void_p, *[c_void_p] * 4)(self._send)),
            objc_allocateClassPair=self._keep(
                CFUNCTYPE(c_void_p, c_void_p, c_char_p, c_size_t)(
                    lambda _above, name, _size: self.address(name.decode())
                )
            ),
            class_addMethod=self._keep(CFUNCTYPE(c_bool, c_void_p, c_void_p, c_void_p, c_char_p)(self._add)),
            objc_registerClassPair=self._keep(CFUNCTYPE(None, c_void_p)(lambda _made: None)),
        )
        self.runtime = ObjectiveC(self.library)

    def address(self, name: str) -> int:
        """The address that stands for a name."""
        return self._names.setdefault(name, _FIRST + 16 * len(self._names))

    def name(self, address: int | None) -> str:
        """The name of an address; a text is its own name."""
        if address in self.texts:
            return self.texts[address].decode()
        return next((name for name, found in self._names.items() if found == address), "")

    def text(self, words: str) -> int:
        """An NSString with these words."""
        address = self.address(f"text {len(self.texts)}")
        self.texts[address] = words.encode()
        return address

    def call(self, selector: str, *arguments: int) -> None:
        """Send a message to the object that the app has made."""
        kind = CFUNCTYPE(None, *[c_void_p] * 5)
        kind(self.methods[selector])(0, self.address(selector), *arguments)

    def _send(self, receiver: int, selector: int, first: int, second: int) -> int:
        name = self.name(selector)
        if name == "stringWithUTF8String:":
            return self.text(ctypes.string_at(first).decode())
        if name == "UTF8String":
            buffer = ctypes.create_string_buffer(self.texts[receiver])
            self._kept.append(buffer)
            return ctypes.addressof(buffer)
        arguments = (first, second)[: name.count(":")]
        told = tuple(self.name(one) or hex(one or 0) for one in arguments)
        self.sent.append((self.name(receiver), name, told))
        if name == "stringForType:":
            return receiver  # a pasteboard is its text here
        return self.address(f"{self.name(receiver)}.{name}")

    def _add(self, _made: int, selector: int, code: int, _types: bytes) -> bool:
        self.methods[self.name(selector)] = code
        return True

    def _keep(self, function: object) -> object:
        self._kept.append(function)
        return function
