from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog, QFileSystemModel, QListView, QWidget
from pytestqt.qtbot import QtBot

from ui.dialogs.file_dialogs import ask_export, ask_export_all, ask_import, documents_path, file_name


def dialog(parent: QWidget, name: str) -> QFileDialog:
    found = parent.findChild(QFileDialog, name)
    assert found is not None
    return found


def test_a_chat_is_exported_as_markdown_by_default(parent: QWidget, tmp_path: Path) -> None:
    """Its title is the suggested file name."""
    taken: list[str] = []
    ask_export(parent, "Trip: Lisbon/May", taken.append)
    asked = dialog(parent, "exportDialog")
    asked.setDirectory(str(tmp_path))
    asked.selectFile(file_name("Trip: Lisbon/May"))
    asked.accept()
    assert taken == [str(tmp_path / "Trip Lisbon May.md")]


def test_the_next_dialog_begins_in_the_last_folder(parent: QWidget, tmp_path: Path) -> None:
    """In that of the last file that was chosen, whatever it was for."""
    ask_export(parent, "Trip", lambda _: None)
    asked = dialog(parent, "exportDialog")
    asked.setDirectory(str(tmp_path))
    asked.selectFile("Trip")
    asked.accept()
    ask_import(parent, lambda _: None)
    assert dialog(parent, "importDialog").directory().absolutePath() == str(tmp_path)


@pytest.mark.parametrize(("kind", "suffix"), [("Hearth chats (*.hearth)", "hearth"), ("JSON (*.json)", "json")])
def test_the_suffix_follows_the_chosen_format(parent: QWidget, tmp_path: Path, kind: str, suffix: str) -> None:
    """The user does not have to type it. All formats that a chat is exported in are offered."""
    taken: list[str] = []
    ask_export(parent, "Trip", taken.append)
    asked = dialog(parent, "exportDialog")
    asked.setDirectory(str(tmp_path))
    asked.selectNameFilter(kind)
    asked.filterSelected.emit(kind)
    asked.selectFile("Trip")
    asked.accept()
    assert taken == [str(tmp_path / f"Trip.{suffix}")]


def test_all_chats_are_exported_in_hearths_format_by_default(parent: QWidget, tmp_path: Path) -> None:
    """That format loses nothing."""
    taken: list[str] = []
    ask_export_all(parent, taken.append)
    asked = dialog(parent, "exportDialog")
    asked.setDirectory(str(tmp_path))
    asked.selectFile("Hearth chats")
    asked.accept()
    assert taken == [str(tmp_path / "Hearth chats.hearth")]


def test_an_existing_file_is_chosen_to_import(parent: QWidget, tmp_path: Path) -> None:
    """A file that does not exist cannot be chosen."""
    path = tmp_path / "conversations.json"
    path.write_text("[]")
    taken: list[str] = []
    ask_import(parent, taken.append)
    asked = dialog(parent, "importDialog")
    asked.setDirectory(str(tmp_path))
    asked.selectFile(path.name)
    asked.accept()
    assert taken == [str(path)]


def test_several_files_are_imported_together(parent: QWidget, tmp_path: Path, qtbot: QtBot) -> None:
    """Other apps export each chat to a file of its own. They are selected in the list, or typed."""
    for name in ("a.md", "b.md"):
        (tmp_path / name).touch()
    taken: list[str] = []
    ask_import(parent, taken.append)
    asked = dialog(parent, "importDialog")
    asked.setDirectory(str(tmp_path))
    files = asked.findChild(QFileSystemModel)
    listed = asked.findChild(QListView, "listView")
    assert isinstance(files, QFileSystemModel)
    assert isinstance(listed, QListView)
    qtbot.waitUntil(lambda: files.rowCount(listed.rootIndex()) == 2)
    listed.selectAll()
    asked.accept()
    assert sorted(taken) == [str(tmp_path / name) for name in ("a.md", "b.md")]


def test_cancelling_reports_no_path(parent: QWidget) -> None:
    """The callback is not called."""
    taken: list[str] = []
    ask_import(parent, taken.append)
    dialog(parent, "importDialog").reject()
    assert taken == []


@given(st.text(max_size=200))
def test_any_title_makes_a_file_name(title: str) -> None:
    """The name is valid on every system and does not hide the file."""
    name = file_name(title)
    assert name
    assert len(name) <= 80
    assert not set(name) & set('<>:"/\\|?*\n\t\0')
    assert name.strip(" .") == name


def test_a_file_for_a_chat_gets_a_free_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the documents of the user, with a number behind the title if there is such a file."""
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _place: str(tmp_path))
    assert documents_path("Why / how?", "pdf") == str(tmp_path / "Why how.pdf")
    (tmp_path / "Why how.pdf").touch()
    assert documents_path("Why / how?", "pdf") == str(tmp_path / "Why how 2.pdf")
