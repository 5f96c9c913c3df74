"""Renaming and removing a folder: its chats are kept, and the user can have the folder back."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, permutations
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.conversations.conversations import Conversations
from storage.errors import EnvironmentProblem, Problem
from storage.library import conversations
from tests.unit.app.conftest import Scene


@pytest.fixture
def work(scene: Scene, chats: Conversations) -> tuple[str, ...]:
    """Three chats in a folder. A fourth one is in another folder."""
    made = tuple(scene.library.conversations.create(title=title).id for title in ("One", "Two", "Three", "Four"))
    chats.labels.move_to_folder(*made[:3], folder="Work")
    chats.labels.move_to_folder(made[3], folder="Home")
    return made[:3]


def filed(scene: Scene) -> dict[str, str]:
    """The folder of each listed chat that has one, by the chat's title."""
    return {row.title: row.folder for row in scene.window.rows if row.folder}


@pytest.mark.usefixtures("work")
def test_a_removed_folder_comes_back(scene: Scene, chats: Conversations) -> None:
    """Its chats stay in the list. A notice names the folder, and its Undo puts the chats back into it."""
    chats.labels.remove_folder("Work")
    assert (filed(scene), len(scene.window.rows)) == ({"Four": "Home"}, 4)
    notice = scene.window.notices["folder:Work"]
    assert (notice.action, notice.undoes, notice.passing) == ("Undo", True, True)
    assert notice.text == "The folder “Work” was removed. Its chats were kept."
    chats.labels.undo_folder("Work")
    assert filed(scene) == {"One": "Work", "Two": "Work", "Three": "Work", "Four": "Home"}
    assert not scene.window.notices


@pytest.mark.usefixtures("work")
def test_each_removed_folder_has_its_own_undo(scene: Scene, chats: Conversations) -> None:
    """In any order."""
    chats.labels.remove_folder("Work")
    chats.labels.remove_folder("Home")
    assert not filed(scene)
    chats.labels.undo_folder("Work")
    assert set(scene.window.notices) == {"folder:Home"}
    chats.labels.undo_folder("Home")
    assert scene.window.store.folders.now == ("Home", "Work")


def test_undo_moves_no_chat_that_the_user_has_filed_since(
    scene: Scene, chats: Conversations, work: tuple[str, ...]
) -> None:
    """A chat that was deleted in the meantime is left out too. The others go back."""
    chats.labels.remove_folder("Work")
    chats.labels.move_to_folder(work[0], folder="Home")
    scene.library.trash.add(work[1])
    chats.labels.undo_folder("Work")
    assert filed(scene) == {"One": "Home", "Three": "Work", "Four": "Home"}


@pytest.mark.usefixtures("work")
def test_a_folder_is_renamed_with_all_that_lies_in_it(scene: Scene, chats: Conversations) -> None:
    """Chats in other folders stay there. The way back is another name, so there is no notice."""
    chats.labels.rename_folder("Work", " Office ")
    assert filed(scene) == {"One": "Office", "Two": "Office", "Three": "Office", "Four": "Home"}
    assert not scene.window.notices


@pytest.mark.usefixtures("work")
def test_two_folders_that_became_one_come_apart_again(scene: Scene, chats: Conversations) -> None:
    """Nothing else could tell which chat was in which of the two."""
    chats.labels.rename_folder("Home", "Work ")
    assert set(filed(scene).values()) == {"Work"}
    notice = scene.window.notices["folder:Home"]
    assert (notice.action, notice.undoes, notice.passing) == ("Undo", True, True)
    assert notice.text == "The chats of “Home” are in “Work” now."
    chats.labels.undo_folder("Home")
    assert filed(scene) == {"One": "Work", "Two": "Work", "Three": "Work", "Four": "Home"}
    assert not scene.window.notices


@pytest.mark.parametrize("undone", [("Home", "Work"), ("Work", "Home")])
@pytest.mark.usefixtures("work")
def test_a_merger_and_a_removal_after_it_are_undone_in_any_order(
    scene: Scene, chats: Conversations, undone: tuple[str, str]
) -> None:
    """Each chat is in its own folder again."""
    chats.labels.rename_folder("Home", "Work")
    chats.labels.remove_folder("Work")
    assert not filed(scene)
    for folder in undone:
        chats.labels.undo_folder(folder)
    assert filed(scene) == {"One": "Work", "Two": "Work", "Three": "Work", "Four": "Home"}


@pytest.mark.usefixtures("work")
def test_a_merger_is_undone_after_another_renaming(scene: Scene, chats: Conversations) -> None:
    """The chats are found under the newest name."""
    chats.labels.rename_folder("Home", "Work")
    chats.labels.rename_folder("Work", "Office")
    chats.labels.undo_folder("Home")
    assert filed(scene) == {"One": "Office", "Two": "Office", "Three": "Office", "Four": "Home"}


@pytest.mark.parametrize("undone", list(permutations("ABC")))
def test_mergers_one_upon_the_other_are_undone_in_any_order(
    scene: Scene, chats: Conversations, undone: tuple[str, ...]
) -> None:
    """Each chat is in its own folder again. No notice goes without that."""
    for name in "ABCD":
        chats.labels.move_to_folder(scene.library.conversations.create(title=name).id, folder=name)
    for folder, to in ("AB", "BC", "CD"):
        chats.labels.rename_folder(folder, to)
    for folder in undone:
        chats.labels.undo_folder(folder)
    assert filed(scene) == {"A": "A", "B": "B", "C": "C", "D": "D"}


@given(
    st.lists(st.tuples(st.sampled_from(("merge", "remove", "undo", "file")), *[st.sampled_from("ABC")] * 2), max_size=9)
)
def test_each_undo_brings_a_chat_to_where_it_was_before(scene: Scene, acts: list[tuple[str, str, str]]) -> None:
    """What happened to the chat from then on is undone with it. What the user has filed since stays there."""
    chats, made = scene.conversations(), {name: scene.library.conversations.create(title=name).id for name in "ABC"}
    scene.window.notices.clear()
    where, offers = dict(zip(made, made, strict=True)), dict[str, int]()
    pasts: dict[str, list[tuple[int, str]]] = {name: [] for name in made}
    for name, chat in made.items():
        chats.labels.move_to_folder(chat, folder=name)
    for number, (act, folder, other) in enumerate(acts):
        to, inside = other if act == "merge" else "", [name for name in made if where[name] == folder]
        match act:
            case "file":
                chats.labels.move_to_folder(made[folder], folder=other)
                where[folder], pasts[folder] = other, []
            case "undo":
                chats.labels.undo_folder(folder)
                undone = offers.pop(folder, None)
                for name, past in pasts.items():
                    if undone in dict(past):
                        where[name], pasts[name] = folder, [one for one in past if one[0] < undone]
            case _ if to != folder:
                chats.labels.rename_folder(folder, to) if to else chats.labels.remove_folder(folder)
                if not to or (inside and to in where.values()):
                    offers[folder] = number
                    for name in inside:
                        pasts[name].append((number, folder))
                where |= dict.fromkeys(inside, to)
        assert filed(scene) == {name: place for name, place in where.items() if place}
        assert set(scene.window.notices) == {f"folder:{name}" for name in offers}
    scene.library.trash.erase(*made.values())


def test_undo_of_a_merger_moves_no_chat_that_was_filed_since(
    scene: Scene, chats: Conversations, work: tuple[str, ...]
) -> None:
    """The user may have put it into a third folder."""
    chats.labels.rename_folder("Work", "Home")
    chats.labels.move_to_folder(work[0], folder="Travel")
    chats.labels.undo_folder("Work")
    assert filed(scene) == {"One": "Travel", "Two": "Work", "Three": "Work", "Four": "Home"}
    chats.labels.undo_folder("Work")
    assert filed(scene) == {"One": "Travel", "Two": "Work", "Three": "Work", "Four": "Home"}


def test_a_folder_is_moved_as_a_whole_or_not_at_all(scene: Scene, chats: Conversations, work: tuple[str, ...]) -> None:
    """The disk may fill up at any chat of it. Then nothing has moved, and nothing is to be undone."""
    written = scene.library.written
    chats.labels.rename_folder("Work", "Home")
    chats.labels.undo_folder("Work")
    chats.labels.pin(*work, pinned=True)
    assert scene.library.written == written + 3
    with patch.object(conversations, "change", _failing_at(3)):
        chats.labels.remove_folder("Work")
        assert set(scene.window.notices) == {"refused"}
    assert filed(scene) == {"One": "Work", "Two": "Work", "Three": "Work", "Four": "Home"}


def _failing_at(number: int) -> Callable[..., None]:
    calls, change = count(1), conversations.change

    def failing(*arguments: Any, **values: Any) -> None:
        if next(calls) == number:
            raise EnvironmentProblem(Problem.DISK_FULL)
        change(*arguments, **values)

    return failing
