"""The formats of files, and that a written file is complete or missing."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.base.errors import ExportRefused, ImportCancelled, ImportRefused
from app.import_export import files, hearth_json
from app.import_export.import_summary import Remark, sentence
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage, ArchivedPrompt
from storage.library.columns import LONGEST_FIELD

SAID = (ArchivedMessage("0", None, "user", "Why?", created=1), ArchivedMessage("1", "0", "assistant", "So.", created=2))
ARCHIVE = Archive((ArchivedConversation("Reasons", SAID, leaf="1", created=1, updated=2),))
CHATGPT = [
    {
        "title": "Theirs",
        "create_time": 5.0,
        "mapping": {"a": {"message": {"author": {"role": "user"}, "content": {"parts": ["hello"]}}, "parent": None}},
    }
]


@pytest.mark.parametrize("suffix", [".md", ".json", ".hearth"])
@pytest.mark.parametrize("name", ["chats", "鷺" * 80], ids=["usual", "long"])
def test_what_is_exported_is_imported_again(tmp_path: Path, name: str, suffix: str) -> None:
    """Both formats give the same chat again, under the longest name that a dialog offers, too. Nothing else is left in
    the folder.
    """
    path = tmp_path / f"{name}{suffix}"
    path.write_text("an older export")
    files.write(ARCHIVE, path)
    assert files.read(path) == ARCHIVE
    assert list(tmp_path.iterdir()) == [path]


def test_an_import_brings_folders_that_a_menu_can_list(tmp_path: Path) -> None:
    """The menus of the window hold all folders, and a start fills them. The chats of the others come without one, which
    is said.
    """
    chats = tuple(ArchivedConversation(str(place), SAID, folder=f"folder {place % 1100}") for place in range(1200))
    files.write(Archive(chats), tmp_path / "all.hearth")
    found = files.read(tmp_path / "all.hearth")
    folders = [one.folder for one in found.conversations]
    assert (len(folders), len({*folders} - {""}), folders.count("")) == (1200, 1000, 100)
    assert found.remarks == ((Remark.DETAIL, 100),)


def test_an_import_tells_which_texts_it_cuts(tmp_path: Path) -> None:
    """The library keeps only the beginning of instructions and of a prompt. The notice counts those that lose words."""
    systems = ("s" * LONGEST_FIELD, "s" * (LONGEST_FIELD + 1), "s" * 10 * LONGEST_FIELD)
    chats = tuple(ArchivedConversation("One", SAID, system=system) for system in systems)
    prompts = (ArchivedPrompt("Long", "p" * (LONGEST_FIELD + 1)), ArchivedPrompt("Short", "p"))
    files.write(Archive(chats, prompts=prompts), tmp_path / "all.hearth")
    remarks = files.read(tmp_path / "all.hearth").remarks
    assert remarks == ((Remark.LONG, 3),)
    assert sentence(remarks) == "3 prompts or sets of instructions were too long and were shortened."


def test_a_format_is_known_by_what_is_in_the_file(tmp_path: Path) -> None:
    """ChatGPT's list, with or without its zip, and Hearth's JSON are recognised under any name."""
    (tmp_path / "a.json").write_text(json.dumps(CHATGPT))
    with zipfile.ZipFile(tmp_path / "b", "w") as archive:
        archive.writestr("export/conversations.json", json.dumps(CHATGPT))
        archive.writestr("export/user.json", "{}")
    files.write(ARCHIVE, tmp_path / "c.json")
    titles = [files.read(tmp_path / name).conversations[0].title for name in ("a.json", "b", "c.json")]
    assert titles == ["Theirs", "Theirs", "Reasons"]


@pytest.mark.parametrize("name", ["a.json", "a.zip", "a.hearth", "a.md"])
def test_reading_ends_as_soon_as_it_is_stopped(tmp_path: Path, name: str) -> None:
    """A file may be read for minutes. Also in a zip, where other errors of reading mean damage."""
    content = json.dumps([CHATGPT[0] | {"pad": os.urandom(1 << 16).hex()} for _ in range(20)])
    (tmp_path / name).write_text(content)
    if name == "a.zip":
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("conversations.json", content)
    asked: list[bool] = []

    def stopped() -> bool:
        asked.append(len(asked) == 1)
        return asked[-1]

    with pytest.raises(ImportCancelled):
        files.read(tmp_path / name, stopped)
    assert asked == [False, True]


def test_a_chat_without_a_date_is_as_old_as_its_file(tmp_path: Path) -> None:
    """Its date is not 1970."""
    path = tmp_path / "chat.md"
    path.write_text("## User\nhi\n## Assistant\nhello")
    (one,) = files.read(path).conversations
    assert one.created == one.updated == path.stat().st_mtime_ns // 1_000_000


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("noise.json", b"\x00\x01\x02"),
        ("empty.json", b""),
        ("other.json", b'{"some": "thing"}'),
        ("list.json", b"[1, 2]"),
        ("objects.json", b'[{"a": 1}]'),
        ("cut.json", b'[{"mapping": {"a": {"message": '),
        ("none.json", b"[]"),
        ("deep.json", b'[{"mapping":' + b"[" * 100_000),
        ("deeper.json", b'{"a":' * 100_000),
        ("newer.json", b'{"format": "hearth", "version": 99, "conversations": 5}'),
        ("torn.json", b'{"format": "hearth", "version": 1, "conversations": [{"title": "x", "messages": [5]}]}'),
        ("plain.md", b"# Shopping\n- milk"),
        ("torn.zip", b"PK\x05\x06" + bytes(18)),
    ],
)
def test_what_is_no_chat_is_refused_by_name(tmp_path: Path, name: str, content: bytes) -> None:
    """One clear sentence names the file, whatever it holds."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ImportRefused, match=name):
        files.read(tmp_path / name)


def test_an_export_that_no_import_takes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be all that is left of these chats one day. Markdown is written at any size, to be read."""
    monkeypatch.setattr(files, "LARGEST", 1000)
    files.write(ARCHIVE, tmp_path / "fits.hearth")
    assert files.read(tmp_path / "fits.hearth").conversations
    large = Archive((ArchivedConversation("Long", (ArchivedMessage("1", None, "user", "word " * 300),)),))
    with pytest.raises(ExportRefused, match="would be larger"):
        files.write(large, tmp_path / "large.hearth")
    files.write(large, tmp_path / "large.md")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["fits.hearth", "large.md"]


@pytest.mark.parametrize("suffix", [".hearth", ".md"])
def test_countless_empty_chats_are_not_all_taken(tmp_path: Path, suffix: str) -> None:
    """The window lists all of them at each start."""
    path = tmp_path / f"a{suffix}"
    chats = 20_000
    heads = {".hearth": '{"format":"hearth","version":1,"conversations":[', ".md": ""}
    ones = {".hearth": '{"title":""},' * chats + '{"title":""}]}', ".md": "<!-- hearth:chat -->\n" * chats}
    path.write_text(heads[suffix] + ones[suffix])
    found = files.read(path)
    assert len(found.conversations) == 10_000 + path.stat().st_size // 100
    assert dict(found.remarks)[Remark.END] == 1


@pytest.mark.parametrize("suffix", [".hearth", ".md"])
def test_countless_empty_messages_are_not_taken(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes rows of the library. The chats before them are imported."""
    monkeypatch.setattr(hearth_json, "_MESSAGES", 100)
    path = tmp_path / f"a{suffix}"
    if suffix == ".md":
        path.write_text(
            "<!-- hearth:chat -->\n# Sound\n<!-- hearth:chat -->\n# All\n" + "<!-- hearth:user -->\n" * 1000
        )
    else:
        said = '{{"id":"{}","parent":null,"role":"user","content":""}}'
        many = ",".join(map(said.format, range(1000)))
        path.write_text(
            '{"format":"hearth","version":1,"conversations":[{"title":"Sound","messages":[]},'
            f'{{"title":"All","messages":[{many}]}}]}}'
        )
    found = files.read(path)
    assert [one.title for one in found.conversations] == ["Sound"]
    assert found.remarks


def test_a_newer_export_says_so(tmp_path: Path) -> None:
    """The user learns that an update helps."""
    (tmp_path / "newer.json").write_text('{"format": "hearth", "version": 99}')
    with pytest.raises(ImportRefused, match="newer Hearth"):
        files.read(tmp_path / "newer.json")


@pytest.mark.parametrize("name", ["chats.json", "chats.md", "chats.zip"])
def test_what_is_no_file_is_neither_waited_for_nor_read(tmp_path: Path, name: str) -> None:
    """A pipe would block, and a device may never end."""
    os.mkfifo(tmp_path / name)
    with pytest.raises(ImportRefused, match=f"{name}: This is not a file"):
        files.read(tmp_path / name)
    device = tmp_path / f"endless-{name}"
    device.symlink_to("/dev/zero")
    with pytest.raises(ImportRefused, match="This is not a file"):
        files.read(device)


def test_a_folder_that_is_refused_leaves_no_descriptor(tmp_path: Path) -> None:
    """A thousand folders of this name that are dropped would take all that the app may have."""
    (tmp_path / "chats.hearth").mkdir()
    before = psutil.Process().num_fds()
    for _ in range(3):
        with pytest.raises(ImportRefused, match="This is not a file"):
            files.read(tmp_path / "chats.hearth")
    assert psutil.Process().num_fds() == before


def test_what_cannot_be_read_or_written_is_refused(tmp_path: Path) -> None:
    """A missing file, a folder in its place or an unknown suffix is one sentence, not a crash."""
    for path in (tmp_path / "gone.md", tmp_path):
        with pytest.raises(ImportRefused, match=path.name):
            files.read(path)
    for path in (tmp_path / "none" / "chat.md", tmp_path / "chat.doc"):
        with pytest.raises(ExportRefused):
            files.write(ARCHIVE, path)
    assert not (tmp_path / "chat.doc").exists()


@given(st.binary(max_size=300), st.sampled_from([".json", ".md", ".zip"]))
def test_no_bytes_are_ever_a_crash(tmp_path_factory: pytest.TempPathFactory, content: bytes, suffix: str) -> None:
    """Any content is an archive or a refusal."""
    path = tmp_path_factory.mktemp("any") / f"file{suffix}"
    path.write_bytes(content)
    try:
        assert files.read(path).conversations
    except ImportRefused as refusal:
        assert path.name in str(refusal)  # noqa: PT017 - either is right


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_markdown_may_be_in_any_unicode(tmp_path: Path, encoding: str) -> None:
    """Editors of Windows save it so. No letter is lost."""
    files.write(ARCHIVE, tmp_path / "chats.md")
    plain = files.read(tmp_path / "chats.md")
    (tmp_path / "chats.md").write_bytes((tmp_path / "chats.md").read_text("utf-8").encode(encoding))
    assert [one.messages for one in files.read(tmp_path / "chats.md").conversations] == [
        one.messages for one in plain.conversations
    ]


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_an_exported_file_is_like_any_other_that_the_user_saves(tmp_path: Path, mask: int) -> None:
    """The umask decides its mode, because it is made to be shared."""
    before = os.umask(mask)
    try:
        files.write(ARCHIVE, tmp_path / "chats.md")
    finally:
        os.umask(before)
    assert (tmp_path / "chats.md").stat().st_mode & 0o777 == 0o666 & ~mask
