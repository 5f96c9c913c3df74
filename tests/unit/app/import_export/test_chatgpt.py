"""ChatGPT's export: which nodes are shown, and how its tree becomes Hearth's."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from app.base.errors import ImportRefused
from app.import_export import chatgpt, json_array
from app.import_export.import_summary import Remark
from storage.library.archive import ArchivedConversation


def _node(parent: str | None, role: str, *parts: object, kind: str = "text", **more: Any) -> dict[str, Any]:
    content = {"content_type": kind, "parts": list(parts)} | more.pop("content", {})
    return {"parent": parent, "message": {"author": {"role": role}, "content": content} | more}


class _Trickle(io.BytesIO):
    """A file that gives a few bytes at a time."""

    def __init__(self, content: bytes, most: int) -> None:
        super().__init__(content)
        self._most = most

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size or 0, self._most))


def _read(mapping: dict[str, Any], current: str = "", **more: Any) -> ArchivedConversation:
    chats = [{"title": "T", "create_time": 1.5, "mapping": mapping, "current_node": current} | more]
    (one,) = chatgpt.read(io.BytesIO(json.dumps(chats).encode())).conversations
    return one


def _said(one: ArchivedConversation) -> list[tuple[str, str | None, str, str]]:
    return [(said.id, said.parent, said.role, said.content) for said in one.messages]


def test_branches_are_kept_and_the_shown_one_is_active() -> None:
    """An edited question and a regenerated answer become alternatives, in their order. The leaf is the one
    shown there.
    """
    one = _read(
        {
            "root": {"parent": None, "message": None, "children": ["q"]},
            "q": _node("root", "user", "first") | {"children": ["b", "a"]},
            "a": _node("q", "assistant", "later", metadata={"model_slug": "some-model"}, create_time=2.25),
            "b": _node("q", "assistant", "earlier"),
            "q2": _node("root", "user", "edited"),
        },
        "a",
    )
    assert _said(one) == [
        ("1", None, "user", "first"),
        ("2", "1", "assistant", "earlier"),
        ("3", "1", "assistant", "later"),
        ("4", None, "user", "edited"),
    ]
    assert one.leaf == "3"
    assert (one.messages[2].model, one.messages[2].created, one.created) == ("some-model", 2250, 1500)


@pytest.mark.parametrize("name", ["", "\0", "None", "\ud800"])
def test_a_node_may_have_any_name(name: str) -> None:
    """No name is taken for the place above the first nodes, whose children they are: the import would never end."""
    hidden = {**_node(name, "system", "hidden"), "children": ["last"]}
    one = _read({name: _node(None, "user", "asked"), "next": hidden, "last": _node("next", "assistant", "said")})
    assert [(said.role, said.content) for said in one.messages] == [("user", "asked"), ("assistant", "said")]


def test_hidden_nodes_are_skipped_and_their_children_kept() -> None:
    """System nodes, custom instructions and nodes marked as hidden are left out."""
    one = _read(
        {
            "s": _node(None, "system", "You are"),
            "i": _node("s", "user", "about me", kind="user_editable_context"),
            "h": _node("i", "user", "secret", metadata={"is_visually_hidden_from_conversation": True}),
            "q": _node("h", "user", "hello"),
        },
        "h",
    )
    assert _said(one) == [("1", None, "user", "hello")]
    assert one.leaf is None


def test_an_answer_in_several_steps_is_one_message() -> None:
    """Thoughts, code, its output and the words after it become one reply, so that speakers alternate."""
    one = _read(
        {
            "q": _node(None, "user", "1+1?"),
            "t": _node(
                "q", "assistant", kind="thoughts", content={"thoughts": [{"summary": "Add", "content": "them"}]}
            ),
            "c": _node(
                "t", "assistant", kind="code", content={"language": "python", "text": "1+1"}, recipient="python"
            ),
            "o": _node("c", "tool", kind="execution_output", content={"text": "2"}),
            "e": _node("o", "assistant", "Two."),
        },
        "o",
    )
    assert [said.role for said in one.messages] == ["user", "assistant"]
    assert one.messages[1].content == "```python\n1+1\n```\n\n```\n2\n```\n\nTwo."
    assert one.messages[1].reasoning == "Add\n\nthem"
    assert one.leaf == "2"


def test_a_branch_inside_of_an_answer_becomes_alternatives() -> None:
    """Both alternatives have the common beginning, and neither loses anything."""
    one = _read(
        {
            "q": _node(None, "user", "go"),
            "a": _node("q", "assistant", "start"),
            "b": _node("a", "assistant", "left"),
            "c": _node("a", "assistant", "right"),
            "d": _node("a", "user", "stop"),
        },
        "c",
    )
    assert _said(one)[1:] == [
        ("2", "1", "assistant", "start\n\nleft"),
        ("3", "1", "assistant", "start\n\nright"),
        ("4", "1", "assistant", "start"),
        ("5", "4", "user", "stop"),
    ]
    assert one.leaf == "3"


def test_pictures_and_files_are_named_as_text() -> None:
    """A picture or file is named in its place; transcribed speech is text."""
    parts = (
        {"content_type": "image_asset_pointer", "asset_pointer": "x"},
        {"content_type": "audio_transcription", "text": "spoken"},
        "look",
        {"content_type": "something_new"},
    )
    one = _read(
        {"q": _node(None, "user", *parts, kind="multimodal_text", metadata={"attachments": [{"name": "a\n.pdf"}]})}
    )
    assert one.messages[0].content == "[Image]\n\nspoken\n\nlook\n\n[something_new]\n\n[File: a\\n.pdf]"


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_the_first_line_keeps_its_indentation(role: str) -> None:
    """In Python it matters, and in Markdown it makes code. Line breaks around the words are left out, and parts
    without words.
    """
    code = "    if ready:\n        go()"
    for content in ({"parts": [f"\n{code}\n", " \n"]}, {"text": f"{code}\n"}, {"parts": [{"text": f"{code}\r\n"}]}):
        assert _read({"q": _node(None, role, content=content)}).messages[0].content == code
    assert not _read({"a": _node(None, role, " "), "q": _node("a", role, "x")}).messages[1:]


def test_odd_values_cost_themselves_only() -> None:
    """Wrong types, lone surrogates and missing parents do not affect the words around them."""
    raw = json.dumps(
        [
            {
                "title": None,
                "create_time": "yesterday",
                "mapping": {
                    "a": _node("lost", "user", "half \ud83d a sign", create_time=1e300, metadata=[]),
                    "b": 5,
                    "c": {"parent": "a", "message": {"author": None, "content": "x"}},
                    "d": _node("a", "assistant", 7, None, ["x"], "fine"),
                },
            },
            {"title": "no words", "mapping": {}},
        ]
    )
    (one,) = chatgpt.read(io.BytesIO(raw.encode())).conversations
    assert [said.content for said in one.messages] == ["half \ud83d a sign", "fine"]
    assert (one.title, one.created, one.messages[0].parent) == ("half \ud83d a sign", 0, None)


@pytest.mark.parametrize("title", [None, "", "  ", 5])
def test_a_chat_without_a_title_has_its_first_words(title: object) -> None:
    """The list would call it a new chat, as it calls an empty one. Its title is Hearth's, so a better one may come."""
    hidden, question = _node(None, "assistant", "Hello."), _node("a", "user", "\nWhy is the sky blue?\nBriefly.")
    one = _read({"a": hidden, "q": question}, "q", title=title)
    assert (one.title, one.titled) == ("Why is the sky blue", False)
    named = _read({"q": question}, "q", title="Sky")
    assert (named.title, named.titled) == ("Sky", True)
    assert not _read({"a": hidden}, "a", title=title).title, "without a question it has none"


def test_a_file_is_read_in_pieces() -> None:
    """However small the pieces are, every chat is whole and no character is cut."""
    chats = [{"title": f"é {n}", "mapping": {"q": _node(None, "user", "ü" * 50)}} for n in range(20)]
    raw = b"\xef\xbb\xbf \n" + json.dumps(chats, ensure_ascii=False, indent=1).encode()
    read = chatgpt.read(_Trickle(raw, 3)).conversations
    assert [one.title for one in read] == [f"é {n}" for n in range(20)]
    assert {one.messages[0].content for one in read} == {"ü" * 50}


@pytest.mark.parametrize(
    "limit",
    [
        "app.import_export.json_array.LARGEST",
        "app.import_export.json_array.LONGEST",
        "app.import_export.chatgpt.LARGEST",
    ],
)
def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    """One chat, the unpacked file and all text together have limits, so that no file fills the memory."""
    monkeypatch.setattr(limit, 1000)
    monkeypatch.setattr("app.import_export.json_array.CHUNK", 100)
    with pytest.raises(ImportRefused):
        _read({"q": _node(None, "user", "x" * 5000)})


@pytest.mark.parametrize("chats", [1, 2])
def test_countless_tiny_chats_are_not_all_taken(monkeypatch: pytest.MonkeyPatch, chats: int) -> None:
    """Each takes memory, also a short one. What was read is imported, and the remarks say that the end is missing."""
    monkeypatch.setattr("app.import_export.chatgpt.MOST_MESSAGES", 2)
    source = json.dumps([{"mapping": {"q": _node(None, "user", "x")}}] * chats).encode()
    read = chatgpt.read(io.BytesIO(source))
    assert len(read.conversations) == chats
    assert [key for key, _ in read.remarks] == [Remark.END] * (chats - 1)


def test_a_chat_of_countless_nodes_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tree would take minutes and gigabytes. The chats behind it are read."""
    monkeypatch.setattr("app.import_export.chatgpt._MOST_NODES", 2)
    chats = [{"mapping": {str(at): _node(None, "user", "x") for at in range(count)}} for count in (3, 2)]
    read = chatgpt.read(io.BytesIO(json.dumps(chats).encode()))
    assert [len(one.messages) for one in read.conversations] == [2]
    assert read.remarks == ((Remark.CHAT, 1),)


def test_a_string_that_never_ends_is_refused_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more of it is read than one chat may have."""
    monkeypatch.setattr("app.import_export.json_array.LARGEST", 10_000)
    monkeypatch.setattr("app.import_export.json_array.CHUNK", 100)
    source = io.BytesIO(b'[{"title": "' + b"x" * 100_000)
    with pytest.raises(ImportRefused, match="longer than any chat"):
        chatgpt.read(source)
    assert source.tell() < 30_000


def test_a_zip_that_grows_far_more_than_chats_do_is_not_unpacked(tmp_path: Path) -> None:
    """A packed file of megabytes may hold gigabytes of one letter."""
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", '[{"title": "' + "x" * (4 << 20))
    with (tmp_path / "bomb.zip").open("rb") as file, pytest.raises(ImportRefused, match="grow far more"):
        chatgpt.read_zip(file)


def test_only_what_was_read_so_far_is_in_memory() -> None:
    """Files are read chat by chat: a file with a hundred chats is never in memory as a whole."""
    source = _Trickle(json.dumps([{"mapping": {}, "pad": "x" * 500}] * 100).encode(), 1000)
    stream = json_array.elements(source, Counter())
    places = [source.tell() for _ in stream]
    assert len(places) == 100
    assert places[9] < 10 * 600 + 3000


def test_a_chain_of_any_length_is_read() -> None:
    """There is no recursion: a chat of ten thousand turns is read like any other."""
    mapping = {
        f"n{n}": _node(f"n{n - 1}" if n else None, "assistant" if n % 2 else "user", str(n)) for n in range(10_000)
    }
    assert len(_read(mapping, "n9999").messages) == 10_000


def test_the_parts_of_a_zip_have_one_limit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A zip may hold any number of parts, each of which is not too long."""
    monkeypatch.setattr(chatgpt, "MOST_MESSAGES", 4)
    chats = json.dumps([{"title": "t", "mapping": {"q": _node(None, "user", "x")}}] * 2)
    with zipfile.ZipFile(tmp_path / "parts.zip", "w") as archive:
        for number in range(3):
            archive.writestr(f"conversations-00{number}.json", chats)
    with (tmp_path / "parts.zip").open("rb") as file:
        read = chatgpt.read_zip(file)
    assert len(read.conversations) == 4
    assert read.remarks == ((Remark.PART, 1),)


def test_the_parts_of_a_zip_share_the_room_for_text(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A packed file of 10 MB may have thousands of parts, each of which unpacks to a megabyte of one letter."""
    monkeypatch.setattr(chatgpt, "LARGEST", 250)
    chats = json.dumps([{"title": "t", "mapping": {"q": _node(None, "user", "x" * 100)}}])
    with zipfile.ZipFile(tmp_path / "parts.zip", "w") as archive:
        for number in range(5):
            archive.writestr(f"conversations-00{number}.json", chats)
    with (tmp_path / "parts.zip").open("rb") as file:
        read = chatgpt.read_zip(file)
    assert len(read.conversations) == 2
    assert read.remarks == ((Remark.PART, 3),)


def test_a_zip_of_countless_files_is_refused_before_they_are_listed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each takes eight times its room in the file as memory, and the list cannot be cancelled while it is read."""
    monkeypatch.setattr(chatgpt, "_LONGEST_DIRECTORY", 1000)
    with zipfile.ZipFile(tmp_path / "files.zip", "w") as archive:
        archive.writestr("conversations.json", json.dumps([{"mapping": {"q": _node(None, "user", "x")}}]))
        for number in range(30):
            archive.writestr(f"picture-{number}.png", b"")
    with (tmp_path / "files.zip").open("rb") as file, pytest.raises(ImportRefused, match="too many files"):
        chatgpt.read_zip(file)


def test_a_zip_may_hold_several_parts(tmp_path: Path) -> None:
    """Large exports come in numbered files; one without any is refused."""
    with zipfile.ZipFile(tmp_path / "parts.zip", "w") as archive:
        for number in range(2):
            chat = {"title": str(number), "mapping": {"q": _node(None, "user", "x")}}
            archive.writestr(f"conversations-00{number}.json", json.dumps([chat]))
    with (tmp_path / "parts.zip").open("rb") as file:
        assert [one.title for one in chatgpt.read_zip(file).conversations] == ["0", "1"]
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("picture.png", b"")
    with (
        (tmp_path / "other.zip").open("rb") as file,
        pytest.raises(ImportRefused, match="There is no chat in this archive"),
    ):
        chatgpt.read_zip(file)
