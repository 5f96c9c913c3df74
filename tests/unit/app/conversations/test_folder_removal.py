"""Removing a folder: its chats are kept, and the user can have the folder back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from app.conversations.conversations import Conversations
    from tests.unit.app.conftest import Scene


@pytest.fixture
def work(scene: Scene, chats: Conversations) -> tuple[str, ...]:
    """Three chats in a folder. A fourth one is in another folder."""
    made = tuple(scene.library.conversations.create(title=title).id for title in ("One", "Two", "Three", "Four"))
    chats.labels.file_all(made[:3], "Work")
    chats.labels.move_to_folder(made[3], "Home")
    return made[:3]


def filed(scene: Scene) -> dict[str, str]:
    """The folder of each listed chat that has one, by the chat's title."""
    return {row.title: row.folder for row in scene.window.rows if row.folder}


@pytest.mark.usefixtures("work")
def test_a_removed_folder_comes_back(scene: Scene, chats: Conversations) -> None:
    """Its chats stay in the list. A notice names the folder, and its Undo puts the chats back into it."""
    chats.folder_removal.remove("Work")
    assert (filed(scene), len(scene.window.rows)) == ({"Four": "Home"}, 4)
    notice = scene.window.notices["folder:Work"]
    assert (notice.action, notice.undoes, notice.passing) == ("Undo", True, True)
    assert notice.text == "The folder “Work” was removed. Its chats were kept."
    chats.folder_removal.undo("Work")
    assert filed(scene) == {"One": "Work", "Two": "Work", "Three": "Work", "Four": "Home"}
    assert not scene.window.notices


@pytest.mark.usefixtures("work")
def test_each_removed_folder_has_its_own_undo(scene: Scene, chats: Conversations) -> None:
    """In any order."""
    chats.folder_removal.remove("Work")
    chats.folder_removal.remove("Home")
    assert not filed(scene)
    chats.folder_removal.undo("Work")
    assert set(scene.window.notices) == {"folder:Home"}
    chats.folder_removal.undo("Home")
    assert scene.window.folders == ("Home", "Work")


def test_undo_moves_no_chat_that_the_user_has_filed_since(
    scene: Scene, chats: Conversations, work: tuple[str, ...]
) -> None:
    """A chat that was deleted in the meantime is left out too. The others go back."""
    chats.folder_removal.remove("Work")
    chats.labels.move_to_folder(work[0], "Home")
    scene.library.trash.add(work[1])
    chats.folder_removal.undo("Work")
    assert filed(scene) == {"One": "Home", "Three": "Work", "Four": "Home"}
