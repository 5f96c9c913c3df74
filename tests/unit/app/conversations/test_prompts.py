"""Saved prompts: changes, files, and what is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.conversations.conversations import Conversations
from storage.errors import EnvironmentProblem, Problem
from tests.unit.app.conftest import Scene


def shown(scene: Scene) -> list[tuple[str, str]]:
    return [(prompt.name, prompt.text) for prompt in scene.window.store.prompts.now]


def test_a_prompt_is_saved_changed_and_deleted(scene: Scene, chats: Conversations) -> None:
    """Each change is shown at once. A prompt without a name is called by its first words."""
    chats.prompts.save("id", "", "Translate {{text}}")
    (made,) = scene.window.store.prompts.now
    assert made.name == "Translate {{text}}"
    chats.prompts.save(made.id, " To  German ", "Translate {{text}}")
    assert shown(scene) == [("To German", "Translate {{text}}")]
    chats.prompts.delete(made.id)
    assert shown(scene) == []


def test_each_change_is_shown_before_the_library_has_it(scene: Scene, chats: Conversations) -> None:
    """Also once it has refused the change, and once it has listed what it has: the form begins with what is shown."""
    chats.prompts.save("one", "One", "1")
    chats.prompts.save("two", "Two", "2")
    newest = [("New", "3"), ("One", "1 changed")]
    scene.tasks.held = True
    chats.prompts.show()
    chats.prompts.save("one", "One", "1 changed")
    chats.prompts.save("new", "New", "3")
    chats.prompts.delete("two")
    assert shown(scene) == newest
    scene.tasks.run_next()
    assert shown(scene) == newest
    scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    scene.tasks.let_go()
    scene.tasks.broken = None
    chats.prompts.show()
    assert (shown(scene), chats.prompts.saves.is_refused) == (newest, True)
    chats.tick()
    assert [(one.name, one.text) for one in scene.library.prompts.listed()] == shown(scene) == newest


def test_a_prompt_that_was_refused_is_saved_once_the_disk_takes_it(scene: Scene, chats: Conversations) -> None:
    """The newest words of each, once, also if the app closes before the next second. A deleted one is not."""
    chats.prompts.save("one", "One", "1")
    chats.prompts.save("two", "Two", "2")
    one, two = scene.window.store.prompts.now
    for later, text in ((chats.tick, "new"), (chats.settle, "newer")):
        scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
        chats.prompts.save(one.id, "One", "1 changed")
        chats.prompts.save(one.id, "One", f"1 {text}")
        chats.prompts.save(two.id, "Two", "2 changed")
        chats.prompts.save(text, "Three", text)
        scene.window.notices.clear()
        chats.tick()
        assert scene.window.notices == {}
        scene.tasks.broken = None
        chats.prompts.delete(two.id)
        later()
        later()
        assert shown(scene)[0] == ("One", f"1 {text}")
        assert shown(scene)[-1] == ("Three", text)
    assert len(scene.window.store.prompts.now) == 3


def test_a_prompt_that_is_saved_again_while_a_retry_runs_stops_no_other_retry(
    scene: Scene, chats: Conversations
) -> None:
    """The retry is refused, and the library takes the same words right after it."""
    scene.tasks.broken = full = EnvironmentProblem(Problem.DISK_FULL)
    chats.prompts.save("one", "One", "1")
    scene.tasks.held = True
    chats.prompts.saves.retry()
    chats.prompts.save("one", "One", "1")
    chats.prompts.save("two", "Two", "2")
    scene.tasks.run_next()
    scene.tasks.broken = None
    scene.tasks.run_next()
    scene.tasks.broken = full
    scene.tasks.let_go()
    scene.tasks.broken = None
    chats.tick()
    assert set(shown(scene)) == {("One", "1"), ("Two", "2")}


def test_prompts_travel_as_a_file(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """A file that was exported is imported elsewhere; prompts that are there already are not doubled."""
    chats.prompts.save("one", "One", "1 {{a}}")
    chats.prompts.save("two", "Two", "2")
    chats.prompts.export_file(str(tmp_path / "p.json"))
    told = scene.window.notices["prompts"]
    assert (told.text, told.about) == ("2 prompts exported.", "prompts")
    chats.prompts.delete(scene.window.store.prompts.now[0].id)
    chats.prompts.import_file(str(tmp_path / "p.json"))
    assert scene.window.notices["prompts"].text == "1 prompt imported."
    assert shown(scene) == [("One", "1 {{a}}"), ("Two", "2")]
    chats.prompts.import_file(str(tmp_path / "p.json"))
    assert scene.window.notices["prompts"].text == "All prompts of this file are here already."


def test_a_file_of_prompts_is_no_export_of_chats(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """The sentence is true of an export of Hearth's that has no chats."""
    chats.prompts.export_file(str(tmp_path / "p.json"))
    chats.transfer.import_file(str(tmp_path / "p.json"))
    assert "p.json: This file has no chats from Hearth or ChatGPT." in {
        told.text for told in scene.window.notices.values()
    }


def test_a_file_of_countless_prompts_is_refused(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """They can be deleted only one by one, and each start lists them all."""
    prompts = ",".join(f'{{"name":"","text":"{count}"}}' for count in range(1001))
    (tmp_path / "p.json").write_text(f'{{"format":"hearth-prompts","version":1,"prompts":[{prompts}]}}')
    chats.prompts.import_file(str(tmp_path / "p.json"))
    assert any("more than 1,000 prompts" in notice.text for notice in scene.window.notices.values())
    assert shown(scene) == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("no json", "damaged"),
        ('{"format": "other", "version": 1, "prompts": []}', "no file of prompts"),
        ('{"format": "hearth-prompts", "version": 2, "prompts": []}', "A newer Hearth"),
    ],
)
def test_another_file_is_refused(scene: Scene, chats: Conversations, tmp_path: Path, content: str, words: str) -> None:
    """One sentence says what is wrong with the file, and nothing is imported."""
    (tmp_path / "p.json").write_text(content)
    chats.prompts.import_file(str(tmp_path / "p.json"))
    assert [notice.about for notice in scene.window.notices.values() if words in notice.text] == ["prompts"]
    assert shown(scene) == []


def test_a_file_that_cannot_be_written_is_named(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """A missing folder is an error in words."""
    chats.prompts.export_file(str(tmp_path / "gone" / "p.json"))
    assert any("p.json" in notice.text for notice in scene.window.notices.values())
