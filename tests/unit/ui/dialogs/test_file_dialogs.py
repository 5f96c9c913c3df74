from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QFileDialog, QWidget

from ui.dialogs.file_dialogs import ask_export, ask_export_all, ask_import, file_name

if TYPE_CHECKING:
    from pathlib import Path


def dialog(parent: QWidget, name: str) -> QFileDialog:
    found = parent.findChild(QFileDialog, name)
    assert found is not None
    return found


def test_a_chat_is_offered_to_be_written_readably(parent: QWidget, tmp_path: Path) -> None:
    """Under its title, as Markdown."""
    taken: list[str] = []
    ask_export(parent, "Trip: Lisbon/May", taken.append)
    asked = dialog(parent, "exportDialog")
    asked.setDirectory(str(tmp_path))
    asked.selectFile(file_name("Trip: Lisbon/May"))
    asked.accept()
    assert taken == [str(tmp_path / "Trip Lisbon May.md")]


def test_the_suffix_follows_the_kind_of_file(parent: QWidget, tmp_path: Path) -> None:
    """Who picks the whole of it gets that, without typing it."""
    taken: list[str] = []
    ask_export(parent, "Trip", taken.append)
    asked = dialog(parent, "exportDialog")
    asked.setDirectory(str(tmp_path))
    asked.selectNameFilter("Hearth chats (*.hearth)")
    asked.filterSelected.emit("Hearth chats (*.hearth)")
    asked.selectFile("Trip")
    asked.accept()
    assert taken == [str(tmp_path / "Trip.hearth")]


def test_all_chats_are_offered_to_be_written_whole(parent: QWidget, tmp_path: Path) -> None:
    """As Hearth's own file, which loses nothing and is opened by a double click."""
    taken: list[str] = []
    ask_export_all(parent, taken.append)
    asked = dialog(parent, "exportDialog")
    asked.setDirectory(str(tmp_path))
    asked.selectFile("Hearth chats")
    asked.accept()
    assert taken == [str(tmp_path / "Hearth chats.hearth")]


def test_a_file_is_chosen_to_be_read(parent: QWidget, tmp_path: Path) -> None:
    """One that is there."""
    path = tmp_path / "conversations.json"
    path.write_text("[]")
    taken: list[str] = []
    ask_import(parent, taken.append)
    asked = dialog(parent, "importDialog")
    asked.setDirectory(str(tmp_path))
    asked.selectFile(path.name)
    asked.accept()
    assert taken == [str(path)]


def test_who_cancels_gets_nothing(parent: QWidget) -> None:
    """No path is said."""
    taken: list[str] = []
    ask_import(parent, taken.append)
    dialog(parent, "importDialog").reject()
    assert taken == []


@given(st.text(max_size=200))
def test_any_title_makes_a_file_name(title: str) -> None:
    """One that no system refuses, hides or takes for a folder."""
    name = file_name(title)
    assert name
    assert len(name) <= 80
    assert not set(name) & set('<>:"/\\|?*\n\t\0')
    assert name.strip(" .") == name
