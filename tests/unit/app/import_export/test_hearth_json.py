"""Hearth's own JSON."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from app.base.errors import ImportCancelled
from app.import_export import hearth_json, json_array
from app.import_export.import_summary import Remark
from storage.library.archive import (
    Archive,
    ArchivedConversation,
    ArchivedMessage,
    ArchivedPreset,
    ArchivedPrompt,
)
from storage.library.library import Library
from storage.library.rows import LATEST, ArchivedAttachment
from storage.untrusted import decode_json
from tests.fakes.archives import archives, filled, renamed
from tests.fakes.foreign import DEPTH
from tests.fakes.library import import_all


@given(archives())
def test_a_round_trip_changes_nothing(archive: Archive) -> None:
    """Every byte of every attachment is the same after reading."""
    assert hearth_json.decode(hearth_json.encode(archive)) == archive


@settings(max_examples=25)
@given(archives())
def test_a_library_goes_through_a_file_into_another(archive: Archive) -> None:
    """Export and import carry everything: both libraries have the same chats. None of them is of days to come."""
    late = lambda: LATEST  # noqa: E731 - a clock
    with closing(Library.in_memory(late)) as one, closing(Library.in_memory(late)) as other:
        import_all(one, archive)
        import_all(other, hearth_json.decode(hearth_json.encode(one.transfer.export())))
        assert renamed(other.transfer.export()) == renamed(one.transfer.export()) == renamed(archive)


def test_no_field_of_a_chat_is_left_behind() -> None:
    """Neither by the file nor by the library, whatever fields a chat and its messages have."""
    file = filled(ArchivedAttachment, data=b"x")
    said = filled(ArchivedMessage, id="1", parent=None, state="failed", attachments=(file,))
    chat = filled(ArchivedConversation, messages=(said,), leaf="1", reads_from="1", sampling='{"temperature":0.5}')
    archive = Archive((chat,))
    assert hearth_json.decode(hearth_json.encode(archive)) == archive
    with closing(Library.in_memory(lambda: LATEST)) as library:
        import_all(library, archive)
        assert renamed(library.transfer.export()) == renamed(archive)


def test_countless_tiny_files_are_not_all_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes a block of the disk, so a small import must not fill it. A chat with too many is left out."""
    monkeypatch.setattr(hearth_json, "FILES", 5)
    file = ArchivedAttachment("a", "", b"x")
    many = tuple(ArchivedMessage(str(n), None, "user", "x", attachments=(file,) * 50) for n in range(3))
    few = (ArchivedMessage("1", None, "user", "x", attachments=(file,) * 5),)
    found = hearth_json.decode(hearth_json.encode(Archive((_chat("Many", many), _chat("Few", few)))))
    assert [chat.title for chat in found.conversations] == ["Few"]
    assert (found.remarks, found.left_out) == (((Remark.CHAT, 1),), ("Many",))


def _chat(title: str, messages: tuple[ArchivedMessage, ...]) -> ArchivedConversation:
    return ArchivedConversation(title, messages=messages)


_SAID = ArchivedMessage("1", None, "user", "x")


@pytest.mark.parametrize(
    "messages",
    [
        (_SAID, _SAID),
        (replace(_SAID, parent="gone"),),
        (replace(_SAID, parent="2"), replace(_SAID, id="2")),
        (replace(_SAID, created=-1),),
        (replace(_SAID, created=LATEST + 1),),
        (replace(_SAID, usage="[" * DEPTH),),
        (replace(_SAID, tool_calls="[" * DEPTH),),
    ],
    ids=("twins", "no parent", "parent behind", "before all time", "after all time", "deep figures", "deep calls"),
)
def test_a_chat_that_contradicts_itself_is_left_out(messages: tuple[ArchivedMessage, ...]) -> None:
    """Hearth writes none. The others are imported, and the user reads which one is missing."""
    found = hearth_json.decode(hearth_json.encode(Archive((_chat("Bad", messages), _chat("Good", (_SAID,))))))
    assert [chat.title for chat in found.conversations] == ["Good"]
    assert (found.remarks, found.left_out) == (((Remark.CHAT, 1),), ("Bad",))


@pytest.mark.parametrize(
    "change", [(b'"role":"user"', b'"role":7'), (b'"content"', b'"kontent"'), (b'"Bad"', b'"Bad","a":1')]
)
def test_a_damaged_chat_is_left_out_whole(change: tuple[bytes, bytes]) -> None:
    """A value of another type, or a name that Hearth does not know: part of a chat may be worse than none."""
    data = hearth_json.encode(Archive((_chat("Bad", (_SAID,)), _chat("Good", (_SAID,)))))
    found = hearth_json.decode(data.replace(*change, 1))
    assert [chat.title for chat in found.conversations] == ["Good"]
    assert (found.remarks, found.left_out) == (((Remark.CHAT, 1),), ("Bad",))


def test_a_file_that_was_formatted_is_the_same() -> None:
    """Other programs indent JSON, or order its names."""
    data = hearth_json.encode(OWN)
    assert hearth_json.decode(json.dumps(json.loads(data), indent=2, sort_keys=True).encode()) == OWN


OWN = Archive(
    (ArchivedConversation("T", (ArchivedMessage("1", None, "user", "x"),)),),
    (),
    (ArchivedPrompt("P", "Say {{it}}"),),
    (ArchivedPreset("0123456789ab", "Dry", '{"temperature":0.1}'),),
)


def test_prompts_and_presets_travel_with_the_chats() -> None:
    """A file without them is the same as before there were any."""
    assert hearth_json.decode(hearth_json.encode(OWN)) == OWN
    assert hearth_json.encode(Archive()) == b'{"format":"hearth","version":1,"conversations":[]}'


def test_prompts_of_a_damaged_file_are_kept() -> None:
    """What is no prompt is counted. A file that breaks off has none, and keeps its chats."""
    data = hearth_json.encode(OWN)
    odd = data.replace(b'"prompts":[', b'"prompts":[7,')
    found = hearth_json.decode(odd)
    assert (found.prompts, found.presets) == (OWN.prompts, OWN.presets)
    assert dict(found.remarks)[Remark.OWN] == 1
    broken = hearth_json.decode(data[:-20])
    assert [chat.title for chat in broken.conversations] == ["T"]
    assert dict(broken.remarks)[Remark.END] == 1


def test_countless_prompts_are_not_all_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is a row of the library, so a small file must not bring a million. Those left out are counted."""
    monkeypatch.setattr(hearth_json, "OWN", 3)
    many = Archive(OWN.conversations, (), OWN.prompts * 5, OWN.presets * 5)
    found = hearth_json.decode(hearth_json.encode(many))
    assert (len(found.prompts), len(found.presets), found.remarks) == (3, 3, ((Remark.OWN, 4),))


@pytest.mark.parametrize("change", [b"", b" "])
def test_reading_can_be_cancelled_at_any_message(change: bytes) -> None:
    """A whole file takes minutes. The app that closes waits for that thread, as it does if the file is damaged."""
    said = tuple(ArchivedMessage(str(count), None, "user", "x" * 2000) for count in range(2000))
    data = hearth_json.encode(Archive((ArchivedConversation("T", said), ArchivedConversation("U", said)))) + change
    asked = iter([False] * 2)
    with pytest.raises(ImportCancelled):
        hearth_json.decode(data.replace(b":[", b":[" + change, 1), lambda: next(asked, True))


def test_no_decoder_is_given_a_whole_chat(monkeypatch: pytest.MonkeyPatch) -> None:
    """It holds the interpreter's lock until its end. For 20 MB of tiny chats the window stopped for 14 seconds."""
    kinds: list[object] = []

    def decode(data: bytes, kind: Any) -> Any:
        kinds.append(kind)
        return decode_json(data, kind)

    monkeypatch.setattr(hearth_json, "decode_json", decode)
    said = tuple(ArchivedMessage(str(count), None, "user", "x") for count in range(3))
    archive = Archive((ArchivedConversation("T", said),) * 2)
    assert hearth_json.decode(hearth_json.encode(archive)) == archive
    assert [kinds.count(kind) for kind in (ArchivedConversation, hearth_json._MESSAGE_PARTS)] == [0, 6]


def test_a_file_of_countless_values_is_read_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """They would take more than thirty times the file's size as memory. The same chats are found."""
    monkeypatch.setattr(hearth_json, "_MOST_COMMAS", 3)
    assert hearth_json.decode(hearth_json.encode(OWN)) == OWN


@pytest.mark.parametrize(("most", "kept"), [(1000, ["First", "Long", "Last"]), (100, ["First"])])
def test_the_files_of_a_chat_may_make_it_long(monkeypatch: pytest.MonkeyPatch, most: int, kept: list[str]) -> None:
    """Also in a file that is read in portions. A long chat of countless values would fill the memory, so the import
    ends there.
    """
    monkeypatch.setattr(hearth_json, "_MOST_COMMAS", 0)
    for name, value in (("LARGEST", 10_000), ("CHUNK", 100), ("_MOST_COMMAS", most)):
        monkeypatch.setattr(json_array, name, value)
    said = ArchivedMessage("1", None, "user", "," * 200)
    long = replace(said, attachments=(ArchivedAttachment("a", "", b"x" * 50_000),))
    chats = tuple(
        ArchivedConversation(title, (one,))
        for title, one in zip(("First", "Long", "Last"), (said, long, said), strict=True)
    )
    found = hearth_json.decode(hearth_json.encode(Archive(chats)))
    assert [one.title for one in found.conversations] == kept
    assert bool(found.remarks) == (kept == ["First"])
