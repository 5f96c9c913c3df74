"""The check of what is kept on disk."""

from __future__ import annotations

import pytest

from app.cache.check import CacheCheck
from engine.protocol.cache_messages import CacheChecked, CheckCache
from resources.language import catalogue, text
from storage.errors import DamagedDatabase
from tests.unit.app.conftest import Scene


@pytest.fixture
def check(scene: Scene) -> CacheCheck:
    return CacheCheck(scene.tasks, scene.engine, lambda: None)


def _chat(scene: Scene, title: str) -> str:
    chat = scene.library.conversations.create().id
    scene.library.labels.rename(chat, title)
    return chat


def test_one_part_is_asked_for_after_another(scene: Scene, check: CacheCheck) -> None:
    """The progress is that of all parts, and the words at the end say how much was read."""
    check.begin()
    check.begin()
    check.checked(CacheChecked("k1", 1 << 20, 3 << 20))
    assert (check.view.is_running, check.view.done, check.view.total) == (True, 1 << 20, 3 << 20)
    check.checked(CacheChecked("", 2 << 20, 3 << 20))
    assert scene.engine.sent == [CheckCache(), CheckCache("k1")]
    assert not check.view.is_running
    assert check.view.text == "3 MB were read again and compared. No damage was found."


def test_damaged_chats_are_named(scene: Scene, check: CacheCheck) -> None:
    """With what follows for them. Many are counted, and one that was deleted has no title."""
    chats = [_chat(scene, title) for title in "ABCDE"]
    check.begin()
    check.checked(CacheChecked("", 1024, 1024, {chats[0]: 2}, 1))
    assert check.view.text == (
        "1 KB were read again and compared. A damaged part of “A” was removed: the chat is read again when it is "
        "answered next. A left-over file was removed."
    )
    check.begin()
    check.checked(CacheChecked("k", 1024, 2048, dict.fromkeys(chats[:2], 1)))
    check.checked(CacheChecked("", 1024, 2048, dict.fromkeys(chats[2:], 1)))
    assert " and 2 other chats." in check.view.text
    check.begin()
    check.checked(CacheChecked("", 1024, 1024, {"gone": 1}))
    assert "A damaged part of a deleted chat was removed" in check.view.text


def test_nothing_to_check_is_said(check: CacheCheck) -> None:
    """A check of nothing does not claim that it compared anything."""
    check.begin()
    check.checked(CacheChecked())
    assert check.view.text.startswith("Nothing is kept on disk")


def test_it_can_be_stopped(scene: Scene, check: CacheCheck) -> None:
    """The answer that is on its way is ignored, and no more is asked for."""
    check.begin()
    check.checked(CacheChecked("k1", 1 << 20, 3 << 20))
    asked = len(scene.engine.sent)
    check.stop()
    check.checked(CacheChecked("k2", 1 << 20, 3 << 20))
    assert len(scene.engine.sent) == asked
    assert check.view.text == "The check was stopped after 1 MB. No damage was found."


def test_a_new_engine_continues(scene: Scene, check: CacheCheck) -> None:
    """With the part that was not answered. Without a check, a new engine is asked for none."""
    check.connected()
    assert scene.engine.sent == []
    check.begin()
    check.checked(CacheChecked("k1", 1 << 20, 3 << 20))
    check.connected()
    assert scene.engine.sent[-1] == CheckCache("k1")


def test_a_store_that_cannot_be_read_ends_it(check: CacheCheck) -> None:
    """The reason is shown."""
    check.begin()
    check.checked(CacheChecked(trouble="The disk is away."))
    assert check.view.text == "The check ended early. The disk is away. No damage was found."


def test_no_damage_is_told_of_an_unreadable_library(scene: Scene, check: CacheCheck) -> None:
    """A library that cannot name chats says nothing of the caches: a check that found no damage says so."""
    check.begin()
    scene.tasks.broken = DamagedDatabase("The database is damaged.")
    check.checked(CacheChecked("", 1024, 1024))
    assert check.view.text == "1 KB were read again and compared. No damage was found."


def test_the_outcome_follows_the_language(scene: Scene, check: CacheCheck) -> None:
    """A user who picks another language after a check reads its outcome in that language, however the check ended."""
    german = text.Language("de", catalogue.read("de"))

    def in_german() -> str:
        text.install(german)
        words = check.view.text
        text.install(text.Language())
        return words

    untitled = scene.library.conversations.create().id
    check.begin()
    check.checked(CacheChecked("", 1024, 1024, {untitled: 1}, 2))
    assert "“New chat”" in check.view.text
    assert in_german().startswith("1 KB wurden neu gelesen und verglichen.")
    assert "„Neuer Chat“" in in_german()
    assert in_german().endswith("2 übrige Dateien wurden entfernt.")
    check.begin()
    check.checked(CacheChecked("", 1024, 1024, {"gone": 1}))
    assert "von einem gelöschten Chat wurde" in in_german()
    check.begin()
    check.stop()
    assert in_german().startswith("Die Prüfung wurde nach 0 Byte gestoppt.")
    check.begin()
    check.checked(CacheChecked(trouble="Trouble."))
    assert in_german().startswith("Die Prüfung endete vorzeitig.")
    check.begin()
    check.checked(CacheChecked())
    assert in_german().startswith("Auf der Festplatte wird nichts bereitgehalten")
