"""Odd and damaged files of chats: nothing is lost silently."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.base.errors import ImportRefused
from app.import_export import files, hearth_json, markdown
from app.import_export.import_summary import Remark, sentence
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.library import Library
from tests.fakes.archives import archives
from tests.fakes.library import import_all
from tests.fakes.odd_exports import Export, chatgpt


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("odd")


@pytest.fixture(scope="module")
def library() -> Iterator[Library]:
    """One library for all tests, because making one takes longer than filling it."""
    with closing(Library.in_memory()) as made:
        yield made


def _read(folder: Path, name: str, content: bytes) -> Archive:
    """Return the archive in the file, an empty one if the file is refused."""
    path = folder / name
    path.write_bytes(content)
    try:
        return files.read(path)
    except ImportRefused as refusal:
        if not str(refusal).startswith((f"{name}: ", f"{name} cannot be read: ")):
            raise
        return Archive()


def _in_the_library(library: Library, archive: Archive) -> str:
    found = library.transfer.export(import_all(library, archive))
    assert len(found.conversations) == len(archive.conversations)
    return "\n".join(said.content + said.reasoning for one in found.conversations for said in one.messages)


def _check(library: Library, export: Export, archive: Archive) -> None:
    """Check that every word of the export is in the library, and that each of its chats is there or counted."""
    text = _in_the_library(library, archive)
    assert [word for word in export.words if word not in text] == []
    told = dict(archive.remarks)
    if archive.conversations:
        left_out = told.get(Remark.CHAT, 0) + told.get(Remark.EMPTY, 0)
        assert len(archive.conversations) + left_out == export.chats


@given(chatgpt(), st.booleans())
def test_every_word_of_a_chatgpt_export_is_imported(
    folder: Path,
    library: Library,
    export: Export,
    zipped: bool,  # noqa: FBT001 - drawn
) -> None:
    """With any dates, links and speakers, nothing raises and no chat is lost silently."""
    content = json.dumps(export.content).encode()
    if zipped:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("conversations.json", content)
        content = packed.getvalue()
    _check(library, export, _read(folder, "theirs.json", content))


@given(archives(), st.data())
def test_a_changed_byte_costs_no_other_chat(
    folder: Path, library: Library, archive: Archive, data: st.DataObject
) -> None:
    """Any byte of Hearth's JSON or Markdown is replaced by any other: losses are counted, and no unexpected error is
    raised.
    """
    for name, content in (("a.json", hearth_json.encode(archive)), ("a.md", markdown.encode(archive).encode())):
        damaged = bytearray(content)
        for _ in range(data.draw(st.integers(1, 3))):
            if damaged:
                damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
        found = _read(folder, name, bytes(damaged))
        assert sentence(found.remarks) or not found.remarks
        _in_the_library(library, found)


@given(st.lists(st.tuples(st.sampled_from(("user", "assistant", "tool", "system", "chat")), st.booleans())), st.data())
def test_every_word_between_our_marks_is_imported(
    folder: Path, library: Library, parts: list[tuple[str, bool]], data: st.DataObject
) -> None:
    """Also with removed headings, a missing mark of the chat, and impossible dates."""
    lines, words = [], []
    for number, (kind, headed) in enumerate(parts):
        moment = data.draw(st.sampled_from(("", " 5", " 999999999999999")))
        lines.append(f"<!-- hearth:{kind}{moment} -->")
        lines += [f"## {kind.title()}"] if headed else []
        if kind not in ("system", "chat"):
            lines.append(f"word{number}.")
            words.append(f"word{number}.")
    found = _read(folder, "some.md", "\n".join(lines).encode())
    text = _in_the_library(library, found)
    assert [word for word in words if word not in text] == []


@given(
    st.integers(0, 2000),
    st.integers(0, 255),
    st.sampled_from((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2)),
)
def test_a_damaged_zip_is_an_import_or_a_refusal(folder: Path, at: int, byte: int, packing: int) -> None:
    """Its names, sizes and methods may all be wrong."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", packing) as archive:
        for number in range(2):
            archive.writestr(f"conversations-{number}.json", json.dumps([_one_chat(str(number))]))
    content = bytearray(packed.getvalue())
    names = {place for found in re.finditer(rb"conversations-..json", content) for place in range(*found.span())}
    content[at % len(content)] = byte
    found = _read(folder, "bad.zip", bytes(content))
    if found.conversations:
        assert len(found.conversations) == 2 or found.remarks or at % len(content) in names


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", ["theirs.json", "ours.json", "ours.md"])
@pytest.mark.parametrize("bit", [0x01, 0x80], ids=("low", "high"))
def test_no_flipped_bit_loses_a_word_silently(folder: Path, name: str, bit: int) -> None:
    """Any bit of the file is flipped: each word is imported, or the loss is counted, or the bit was part
    of that word.
    """
    content = _samples()[name]
    for place in range(len(content)):
        damaged = bytearray(content)
        damaged[place] ^= bit
        found = _read(folder, name, bytes(damaged))
        text = "".join(said.content + said.reasoning for one in found.conversations for said in one.messages)
        lost = [word for word in (b"quartz", b"violet", b"walnut") if word.decode() not in text and word in damaged]
        assert not lost or found.remarks or not found.conversations, (place, content[place - 20 : place + 20], lost)


def _samples() -> dict[str, bytes]:
    """Return a file with two chats in each format."""
    said = (
        ArchivedMessage("0", None, "user", "quartz", created=1),
        ArchivedMessage("1", "0", "assistant", "violet", created=2),
    )
    alone = (ArchivedMessage("0", None, "user", "walnut", created=2),)
    archive = Archive(
        (ArchivedConversation("T", said, leaf="1", created=1, updated=2), ArchivedConversation("U", alone))
    )
    theirs = []
    for words in (("quartz", "violet"), ("walnut",)):
        mapping: dict[str, object] = {"r": {"id": "r", "message": None, "parent": None, "children": ["0"]}}
        for place, word in enumerate(words):
            author: dict[str, object] = {"role": "assistant" if place else "user", "metadata": {}}
            message = {"author": author, "create_time": 1.5, "content": {"content_type": "text", "parts": [word]}}
            mapping[str(place)] = {"message": message, "parent": str(place - 1) if place else "r", "children": []}
        theirs.append({"title": "T", "create_time": 1.5, "mapping": mapping, "current_node": "0"})
    return {
        "theirs.json": json.dumps(theirs).encode(),
        "ours.json": hearth_json.encode(archive),
        "ours.md": markdown.encode(archive).encode(),
    }


def _one_chat(words: str, **fields: object) -> dict[str, object]:
    message = {"author": {"role": "user"}, "content": {"parts": [words]}}
    return {"title": "T", "mapping": {"a": {"parent": None, "message": message}}} | fields


def _told(folder: Path, content: str | bytes, name: str = "file.json") -> tuple[list[str], str]:
    found = _read(folder, name, content if isinstance(content, bytes) else content.encode())
    return [said.content for one in found.conversations for said in one.messages], sentence(found.remarks)


@pytest.mark.parametrize(
    "moment", ["1e308", "1" * 4000, "1" * 5000, "NaN", "Infinity", "-1", '"yesterday"', "[]", "{}"]
)
def test_an_impossible_date_costs_itself_only(folder: Path, moment: str) -> None:
    """The chat gets the date of its file, and the remark says so."""
    chat = json.dumps(_one_chat("words", create_time=5)).replace(": 5", f": {moment}")
    words, told = _told(folder, f"[{chat}]")
    assert (words, told) == (["words"], "1 date was impossible and was ignored.")


def test_a_bad_byte_costs_one_character(folder: Path) -> None:
    """In Markdown and in ChatGPT's JSON. Hearth's own loses the chat, and says so."""
    said = (ArchivedMessage("0", None, "user", "caf?", created=1), ArchivedMessage("1", "0", "assistant", "so"))
    archive = Archive((ArchivedConversation("T", said, leaf="1", created=1),))
    for name, content in (
        ("b.md", markdown.encode(archive).encode()),
        ("c.json", json.dumps([_one_chat("caf?")]).encode()),
    ):
        words, told = _told(folder, content.replace(b"?", b"\xe9"), name)
        assert (words[0], told) == ("caf\ufffd", "1 unreadable character was replaced.")
    ours = hearth_json.encode(
        Archive((*archive.conversations, ArchivedConversation("U", (replace(said[1], parent=None),))))
    )
    assert _told(folder, ours.replace(b"?", b"\xe9"))[1] == "1 unreadable chat was left out."


def test_a_circle_is_opened_where_it_comes_first_in_the_file(folder: Path) -> None:
    """Its messages are imported in their order, with their replies. A message that follows itself begins the chat."""

    def node(parent: str, words: str, role: str) -> dict[str, object]:
        return {"parent": parent, "message": {"author": {"role": role}, "content": {"parts": [words]}}}

    circle = {
        "tail": node("b", "tail", "user"),
        "a": node("c", "one", "user"),
        "b": node("a", "two", "assistant"),
        "c": node("b", "three", "user"),
        "self": node("self", "alone", "user"),
    }
    found = _read(folder, "circle.json", json.dumps([{"mapping": circle}]).encode())
    messages = {said.id: said for said in found.conversations[0].messages}
    lines = []
    for said in messages.values():
        above = messages.get(said.parent or "")
        lines.append((said.content, above.content if above else None))
    assert sorted(lines, key=str) == [("alone", None), ("one", None), ("tail", "two"), ("three", "two"), ("two", "one")]
    assert sentence(found.remarks) == "2 circles of messages were opened."


def test_chats_behind_a_damaged_one_are_imported(folder: Path) -> None:
    """Damaged chats: one nested too deeply, one with a wrong character, one cut off by the end of the file."""
    good = [json.dumps(_one_chat(words)) for words in ("one", "two", "three")]
    deep = '{"mapping": ' + '{"a": ' * 100_000 + "1" + "}" * 100_001
    wrong = good[0].replace('"user"', "user}", 1).replace("{", "{{", 1)
    whole = f"[{good[0]}, {deep}, {good[1]}, {wrong}, 5, {good[2]}"
    words, told = _told(folder, f"{whole}, {good[0][:50]}")
    assert words == ["one", "two", "three"]
    assert told == (
        "3 unreadable chats were left out and the end of the file is missing, damaged or too large and was left out."
    )
    assert _told(folder, f"{whole}] [{good[0]}]")[0] == ["one", "two", "three", "one"]


def test_our_own_file_that_was_cut_gives_back_its_whole_chats(folder: Path) -> None:
    """Cut at any place, the file gives its whole chats, and the loss is counted."""
    said = (ArchivedMessage("0", None, "user", "words", created=1),)
    content = hearth_json.encode(Archive(tuple(ArchivedConversation(f"T{n}", said, created=1) for n in range(3))))
    seen = Counter[int]()
    for end in range(len(content)):
        found = _read(folder, "cut.json", content[:end])
        seen[len(found.conversations)] += 1
        assert len(found.conversations) in (0, 3) or Remark.END in dict(found.remarks)
    assert set(seen) == {0, 1, 2, 3}


def test_a_file_of_empty_chats_says_so(folder: Path) -> None:
    """The error says why nothing was imported."""
    path = folder / "empty.json"
    path.write_text(json.dumps([{"mapping": {}}] * 2))
    with pytest.raises(ImportRefused, match=r"There is no chat in this file\. 2 chats without a word were left out\."):
        files.read(path)


@pytest.mark.parametrize(
    "line",
    [
        "## User" + " " * 60_000 + "x",
        "# " + " # " * 30_000 + "x",
        "**User** " + " " * 60_000 + "x",
        "User" + " " * 60_000,
    ],
    ids=("heading", "title", "bold", "plain"),
)
@pytest.mark.timeout(20)
def test_a_long_line_is_read_in_linear_time(folder: Path, line: str) -> None:
    """Spaces in a heading once took time in the third power of their number."""
    words, _ = _told(folder, f"{line}\n## User\nhello\n## Assistant\n{line}\n", "long.md")
    assert words[0] == "hello"


def _comb(teeth: int) -> dict[str, object]:
    def node(parent: str | None, role: str, words: str) -> dict[str, object]:
        return {"parent": parent, "message": {"author": {"role": role}, "content": {"parts": [words]}}}

    mapping = {"q": node(None, "user", "go"), "p": node("q", "assistant", "begin " * 13_000)}
    mapping |= {
        f"b{n}": node("p" if n % 2 else f"b{n - 2}" if n else "p", "assistant", f"leaf{n}. " * 20) for n in range(teeth)
    }
    return {"mapping": mapping}


def test_an_import_stores_little_more_than_the_file_holds(folder: Path) -> None:
    """Thousands of branches inside a reply share their beginning. No word is lost, and a remark says so."""
    content = json.dumps([_comb(3000), _comb(3)]).encode()
    found = _read(folder, "comb.json", content)
    text = [said.content for one in found.conversations for said in one.messages]
    assert sum(map(len, text)) <= 2 * len(content) + (1 << 20)
    joined = "".join(text)
    assert all(f"leaf{n}. " in joined for n in range(3000))
    assert sentence(found.remarks) == "1 chat branches so often that its replies are stored in pieces."
    small = found.conversations[1].messages
    assert all(said.content.startswith(("go", "begin")) for said in small)
