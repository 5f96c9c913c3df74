"""Imports and exports."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import func, select

from app.base.own_values import OwnValues
from app.base.settings import OwnPreset
from app.chat import attachments, views
from app.chat.status import stored_usage
from app.conversations.conversations import Conversations
from app.conversations.transfer import TRANSFER
from app.import_export import files
from app.import_export.hearth_json import encode
from engine.protocol.messages import Usage
from storage.errors import EnvironmentProblem, Problem
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage, ArchivedPreset
from storage.library.schema import message
from tests.fakes.library import say, texts
from tests.unit.app.conftest import Scene
from ui.state.chat import MessageState


def _chat(scene: Scene, title: str) -> str:
    chat = scene.library.conversations.create(title=title).id
    say(scene.library, chat, f"About {title}", f"All of {title}")
    return chat


def _told(scene: Scene) -> list[str]:
    return [notice.text for notice in scene.window.notices.values()]


def test_all_chats_go_out_and_come_back(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """The file has every chat. Imported ones are listed beside those that exist."""
    exported = [_chat(scene, title) for title in ("One", "Two")]
    chats.transfer.export_file((), str(tmp_path / "all.json"))
    assert _told(scene) == ["2 chats exported to all.json."]
    scene.library.trash.erase(*exported)
    _chat(scene, "Three")
    chats.transfer.import_file(str(tmp_path / "all.json"))
    assert _told(scene) == ["2 chats imported."]
    assert sorted(row.title for row in scene.window.rows) == ["One", "Three", "Two"]
    assert scene.window.opened == []


def test_a_file_chooses_no_model_that_is_none_of_the_users(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """A chat is answered by its own model. An imported one keeps it if that lies where the user's models are. A file of
    a stranger may name any other folder, such as one that came with it: that chat is answered by the model in use.
    """
    scene.model_places = (tmp_path / "models",)
    own = str(tmp_path / "models/publisher/name")
    models = ("", own, str(tmp_path / "name"), str(tmp_path / "models/../name"), "models/name", "/net/stranger/name")
    archive = Archive(tuple(ArchivedConversation(str(place), model=model) for place, model in enumerate(models)))
    (tmp_path / "all.hearth").write_bytes(encode(archive))
    chats.transfer.import_file(str(tmp_path / "all.hearth"))
    kept = {row.title: scene.library.conversations.get(row.id).model for row in scene.window.rows}
    assert kept == {"1": own} | dict.fromkeys("02345", "")


def test_chats_that_are_here_are_skipped(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """One sentence says how many came and how many were here."""
    exported = [_chat(scene, title) for title in ("One", "Two", "Three", "Four")]
    chats.transfer.export_file((), str(tmp_path / "all.hearth"))
    scene.library.trash.erase(*exported[2:])
    chats.transfer.import_file(str(tmp_path / "all.hearth"))
    assert _told(scene) == ["2 chats imported, 2 were here already."]
    assert sorted(row.title for row in scene.window.rows) == ["Four", "One", "Three", "Two"]
    assert scene.window.opened == []
    scene.library.trash.erase(exported[0])
    chats.transfer.import_file(str(tmp_path / "all.hearth"))
    assert _told(scene) == ["1 chat imported, 3 were here already."]
    assert scene.window.opened == []


def test_a_file_whose_chats_are_all_here_can_be_imported_again(
    scene: Scene, chats: Conversations, tmp_path: Path
) -> None:
    """The notice has a button for that. Only a file that brings nothing offers it. The titles say which are the copies,
    and none of them is pinned.
    """
    exported = [_chat(scene, title) for title in ("One", "Two")]
    scene.library.labels.set_pinned(*exported, pinned=True)
    chats.transfer.export_file((), str(tmp_path / "all.hearth"))
    chats.transfer.import_file(str(tmp_path / "all.hearth"))
    told = scene.window.notices[TRANSFER]
    assert (told.text, told.action) == ("Both chats are here already.", "Import again")
    assert len(scene.window.rows) == 2
    chats.transfer.import_again()
    told = scene.window.notices[TRANSFER]
    assert (told.text, told.action) == ("2 chats imported.", "")
    shown = [(row.title, row.pinned) for row in scene.window.rows]
    assert sorted(shown) == [("One", True), ("One (copy)", False), ("Two", True), ("Two (copy)", False)]
    assert {*exported} < {row.id for row in scene.window.rows}


def test_the_only_chat_of_a_file_is_opened_if_it_is_here(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """The user wants to see it. A tab that it has already stays where it is read. The copy that the button makes is
    another chat.
    """
    chat = _chat(scene, "One")
    chats.transfer.export_file((chat,), str(tmp_path / "one.hearth"))
    for _ in range(2):
        chats.transfer.import_file(str(tmp_path / "one.hearth"))
        assert _told(scene) == ["This chat is here already."]
    assert [view.id for view in scene.window.opened] == scene.window.fronted == [chat]
    chats.transfer.import_again()
    assert _told(scene) == ["1 chat imported."]
    assert scene.window.opened[-1].id != chat


def test_a_file_is_not_imported_twice_at_once(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """An impatient user opens it again, or the system reports it twice. After its end, also in vain, it can come
    again.
    """
    exported = [_chat(scene, title) for title in ("One", "Two")]
    file = tmp_path / "all.hearth"
    chats.transfer.export_file((), str(file))
    scene.library.trash.erase(*exported)
    scene.tasks.held = True
    for _time in range(2):
        chats.transfer.import_file(str(file))
    scene.tasks.let_go()
    assert _told(scene) == ["2 chats imported."]
    assert len(scene.library.conversations.listed()) == 2
    content = file.read_bytes()
    file.write_bytes(b"rubbish")
    chats.transfer.import_file(str(file))
    assert list(scene.window.notices) == ["error:import_refused"]
    scene.window.notices.clear()
    file.write_bytes(content)
    chats.transfer.import_file(str(file))
    assert _told(scene) == ["Both chats are here already."]


def _markdown(folder: Path, title: str) -> Path:
    """Another app's export of one chat."""
    file = folder / f"{title}.md"
    file.write_text(f"# {title}\n\n## You\n\nwords about {title}\n\n## ChatGPT\n\nother words\n", "utf-8")
    return file


def _import_together(scene: Scene, chats: Conversations, *files: Path) -> None:
    scene.tasks.held = True
    for file in files:
        chats.transfer.import_file(str(file))
    scene.tasks.let_go()


def test_the_outcome_of_several_files_is_told_once(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """Ten exports of another app are as many files: the last one's outcome alone would say that one chat came."""
    files = [_markdown(tmp_path, title) for title in ("one", "two", "three")]
    _import_together(scene, chats, *files)
    assert _told(scene) == ["3 chats imported."]
    assert sorted(row.title for row in scene.window.rows) == ["one", "three", "two"]
    assert scene.window.opened == []
    _import_together(scene, chats, *files)
    told = scene.window.notices[TRANSFER]
    assert (told.text, told.action) == ("All 3 chats are here already.", "Import again")
    scene.tasks.held = True
    chats.transfer.import_again()
    scene.tasks.let_go()
    assert _told(scene) == ["3 chats imported."]
    assert len(scene.window.rows) == 6


def test_the_progress_of_several_files_counts_them(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """The user sees how many are still to come."""
    scene.tasks.held = True
    for title in "ab":
        chats.transfer.import_file(str(_markdown(tmp_path, title)))
    told: list[str] = []
    while scene.tasks.waiting:
        scene.tasks.run_next()
        told += [text for text in _told(scene) if text not in told]
    assert "Reading b.md, file 2 of 2" in told


def test_files_that_are_refused_are_named_beside_what_came(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """Each with its reason, as long as they are few. The others are imported."""
    good = _markdown(tmp_path, "T")
    bad = [tmp_path / f"bad {number}.json" for number in range(5)]
    for file in bad:
        file.write_text("5")
    _import_together(scene, chats, bad[0], good, *bad[1:])
    assert scene.window.notices[TRANSFER].text == "1 chat imported."
    lines = scene.window.notices["error:import_refused"].text.split("\n")
    assert [line.partition(":")[0] for line in lines[:-1]] == ["bad 0.json", "bad 1.json", "bad 2.json"]
    assert lines[-1] == "2 other files were not imported."
    assert [view.title for view in scene.window.opened] == ["T"]


def test_a_chat_that_was_just_deleted_is_imported(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """It stays in Recently Deleted."""
    chat = _chat(scene, "One")
    chats.transfer.export_file((chat,), str(tmp_path / "one.hearth"))
    chats.delete(chat)
    chats.transfer.import_file(str(tmp_path / "one.hearth"))
    assert _told(scene) == ["1 chat imported.", "“One” was deleted."]
    assert [row.id for row in scene.library.trash.listed()] == [chat]
    assert scene.window.opened[-1].id != chat


def test_chats_that_were_left_out_are_named(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """The first three, with short titles. The user can look for them in the file."""
    said = (ArchivedMessage("1", "gone", "user", "x"),)
    bad = tuple(ArchivedConversation(title, said) for title in ("One", "", "Two", "A long title " * 9, "Four"))
    good = ArchivedConversation("Good", (replace(said[0], parent=None),))
    (tmp_path / "a.hearth").write_bytes(encode(Archive((*bad, good))))
    chats.transfer.import_file(str(tmp_path / "a.hearth"))
    told = scene.window.notices[TRANSFER].text
    assert told.startswith("1 chat imported. 5 unreadable chats were left out. Left out: “One”, “Two”, “A long")
    assert told.endswith("” and others.")


def test_a_private_chat_is_never_here(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """Its user exported it to keep it, so the import adds it to the library."""
    chats.creation.new_private()
    scene.converse(chats, private := scene.window.opened[-1].id, "A secret", "I see.")
    chats.transfer.export_file((private,), str(tmp_path / "mine.hearth"))
    chats.transfer.import_file(str(tmp_path / "mine.hearth"))
    assert _told(scene) == ["1 chat imported."]
    assert texts(scene.library, scene.window.opened[-1].id) == ["A secret", "I see."]


_NODE = {"author": {"role": "user"}, "create_time": 1_700_000_000.123456, "content": {"parts": ["words"]}}
_FORMATS = {
    "theirs.json": json.dumps([{"create_time": 1.7e9, "mapping": {"a": {"message": _NODE}}}]),
    "ours.json": encode(Archive((ArchivedConversation("T", (ArchivedMessage("1", None, "user", "words"),)),))).decode(),
    "ours.md": "<!-- hearth:chat 5 -->\n# T\n\n<!-- hearth:user 3 -->\n## User\n\nwords\n",
    "theirs.md": "# T\n\n## You\n\nwords\n\n## ChatGPT\n\nother words\n",
}


@pytest.mark.parametrize("name", _FORMATS)
def test_every_format_is_known_again(scene: Scene, chats: Conversations, tmp_path: Path, name: str) -> None:
    """Also in a copy of the file with another name and time, and also without any date in it."""
    first, second = tmp_path / name, tmp_path / f"copy of {name}"
    for file in (first, second):
        file.write_text(_FORMATS[name], "utf-8")
    os.utime(second, (1e9, 1e9))
    chats.transfer.import_file(str(first))
    assert _told(scene) == ["1 chat imported."]
    chats.transfer.import_file(str(second))
    assert _told(scene) == ["This chat is here already."]
    assert len(scene.library.conversations.listed()) == 1


def test_several_chats_go_out_together(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """Those that are chosen in the list, and no others."""
    chosen = tuple(_chat(scene, title) for title in ("One", "Two"))
    other = _chat(scene, "Three")
    chats.transfer.export_file(chosen, str(tmp_path / "some.hearth"))
    assert _told(scene) == ["2 chats exported to some.hearth."]
    scene.library.trash.erase(*chosen, other)
    chats.transfer.import_file(str(tmp_path / "some.hearth"))
    assert sorted(row.title for row in scene.window.rows) == ["One", "Two"]


def test_markdown_says_that_it_has_no_attached_files(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """It has their names. The other format has their text, too."""
    chat = scene.library.conversations.create().id
    attachments.attach(scene.library, chat, "list.txt", "bread", "")
    chats.sessions.of(chat).submit("What is missing?")
    for name, words in (("one.md", "The text of attached files is in .hearth files alone."), ("one.hearth", "")):
        chats.transfer.export_file((chat,), str(tmp_path / name))
        assert _told(scene) == [f"1 chat exported to {name}. {words}".rstrip()]


def test_an_export_says_which_files_it_lacks(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """A file that was erased with another chat, or lost with the disk, is counted."""
    chat = scene.library.conversations.create().id
    for name in ("list.txt", "more.txt"):
        attachments.attach(scene.library, chat, name, name, "")
    (file, _) = scene.library.attachments.of_draft(chat)
    chats.sessions.of(chat).submit("What is missing?")
    assert file.path is not None
    file.path.unlink()
    chats.transfer.export_file((chat,), str(tmp_path / "one.hearth"))
    assert _told(scene) == ["1 chat exported to one.hearth. 1 attached file is no longer there."]


def test_one_chat_is_opened_when_it_has_come(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """A file with a single chat opens it."""
    chat = _chat(scene, "One")
    _chat(scene, "Two")
    chats.transfer.export_file((chat,), str(tmp_path / "one.md"))
    assert _told(scene) == ["1 chat exported to one.md."]
    assert "Two" not in (tmp_path / "one.md").read_text("utf-8")
    scene.library.trash.erase(chat)
    chats.transfer.import_file(str(tmp_path / "one.md"))
    opened = scene.window.opened[-1]
    assert (opened.title, [view.text for view in opened.messages]) == ("One", ["About One", "All of One"])
    assert opened.id != chat


def test_a_private_chat_can_be_taken_out_by_its_user(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """It is written to the chosen file only."""
    chats.creation.new_private()
    chat = scene.window.opened[-1].id
    chats.sessions.of(chat).submit("A secret")
    chats.transfer.export_file((chat,), str(tmp_path / "mine.md"))
    assert "A secret" in (tmp_path / "mine.md").read_text("utf-8")
    assert scene.library.conversations.listed() == ()


def test_other_jobs_run_between_the_portions_of_an_import(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """A draft is saved between two portions. The progress is shown, and no chat is listed until the end."""
    said = tuple(ArchivedMessage(str(at), None, "user", f"words {at}") for at in range(450))
    (tmp_path / "long.json").write_bytes(encode(Archive((ArchivedConversation("Long", said),) * 2)))
    chats.creation.new()
    chat = scene.window.opened[-1].id
    scene.tasks.held = True
    chats.transfer.import_file(str(tmp_path / "long.json"))
    told, saved, listed = [], 0, set()
    while scene.tasks.waiting:
        chats.save_draft(chat, text := f"draft {saved}")
        for _ in range(2):  # a step of the import, and the draft
            scene.tasks.run_next()
        saved += scene.library.conversations.draft(chat).typed == text
        told += [text for text in _told(scene) if text not in told]
        listed.add(len(scene.library.conversations.listed()))
    assert saved > 9
    assert told[:3] == ["Reading long.json", "Importing 2 chats: 0%", "Importing 2 chats: 10%"]
    assert told[-1] == "2 chats imported."
    assert listed == {1, 3}


@pytest.mark.parametrize("steps", range(14))
def test_a_cancelled_import_leaves_whole_chats_or_none(
    scene: Scene, chats: Conversations, tmp_path: Path, steps: int
) -> None:
    """At any moment. Files that were complete before stay, and those behind are not read."""
    said = tuple(ArchivedMessage(str(at), None, "user", f"words {at}") for at in range(450))
    (tmp_path / "long.json").write_bytes(encode(Archive((ArchivedConversation("Long", said),) * 2)))
    scene.tasks.held = True
    for file in (_markdown(tmp_path, "before"), tmp_path / "long.json", _markdown(tmp_path, "behind")):
        chats.transfer.import_file(str(file))
    for _ in range(steps):
        scene.tasks.run_next()
    assert scene.window.notices[TRANSFER].action == "Cancel"
    assert not scene.window.notices[TRANSFER].passing
    chats.transfer.cancelled.set()
    scene.tasks.let_go()
    titles = [row.title for row in scene.library.conversations.listed()]
    assert titles in ([], ["before"])
    assert _told(scene) == [" ".join(("The import was cancelled.", *("1 chat imported." for _ in titles)))]
    with scene.library._database.transaction() as connection:
        assert connection.execute(select(func.count()).select_from(message)).scalar() == 2 * len(titles)
    chats.transfer.import_file(str(tmp_path / "behind.md"))
    scene.tasks.let_go()
    assert _told(scene) == ["1 chat imported."]


def test_an_app_that_closes_cancels_the_import_that_runs(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """Nobody waits for its rest, and no part of it stays."""
    scene.tasks.held = True
    for name in ("one", "two"):
        chats.transfer.import_file(str(_markdown(tmp_path, name)))
    scene.tasks.run_next()
    chats.settle()
    scene.tasks.let_go()
    assert scene.library.conversations.listed() == ()


def test_a_file_that_comes_while_the_app_closes_is_not_imported(
    scene: Scene, chats: Conversations, tmp_path: Path
) -> None:
    """The system opens it with the process that is ending. Reading it would keep the next start waiting."""
    chats.settle()
    chats.transfer.import_file(str(_markdown(tmp_path, "late")))
    assert scene.library.conversations.listed() == ()


def test_what_was_left_out_is_told_with_what_came(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """In one sentence, with numbers."""
    message = {"author": {"role": "user"}, "create_time": "soon", "content": {"parts": ["words"]}}
    exported = [{"mapping": {"a": {"parent": "a", "message": message}}}, {"mapping": {}}, 5]
    (tmp_path / "theirs.json").write_text(json.dumps(exported))
    chats.transfer.import_file(str(tmp_path / "theirs.json"))
    (told,) = _told(scene)
    assert told == (
        "1 chat imported. 1 date was impossible and was ignored, 1 circle of messages was opened, 1 chat without a "
        "word was left out and 1 unreadable chat was left out."
    )
    assert [view.text for view in scene.window.opened[-1].messages] == ["words"]


def test_a_bad_file_is_told_and_brings_nothing(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """One sentence names the file."""
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({"format": "other"}))
    for path in (bad, tmp_path / "none.json"):
        chats.transfer.import_file(str(path))
        assert [path.name in text for text in _told(scene)] == [True]
        scene.window.notices.clear()
    assert scene.library.conversations.listed() == ()


def test_what_cannot_be_written_is_told(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """The error is shown, not a success."""
    chat = _chat(scene, "One")
    chats.transfer.export_file((chat,), str(tmp_path / "nowhere" / "one.md"))
    assert list(scene.window.notices) == ["error:export_refused"]
    assert texts(scene.library, chat) == ["About One", "All of One"]


def test_a_chat_is_copied_as_markdown(scene: Scene, chats: Conversations) -> None:
    """The clipboard gets what a Markdown export would hold, of that chat alone."""
    chat = _chat(scene, "One")
    _chat(scene, "Two")
    chats.transfer.copy_markdown(chat)
    assert "About One" in scene.window.copied
    assert "All of One" in scene.window.copied
    assert "Two" not in scene.window.copied
    assert _told(scene) == ["The chat is on the clipboard, as Markdown."]


def test_the_library_does_not_wait_for_the_copy_of_a_chat(scene: Scene, chats: Conversations) -> None:
    """A long chat takes seconds to be written as Markdown. The library only reads its messages."""
    chat = _chat(scene, "One")
    scene.tasks.held = True
    chats.transfer.copy_markdown(chat)
    scene.tasks.run_next()
    assert (scene.tasks.waiting, scene.window.copied) == (True, "")
    scene.tasks.let_go()
    assert "All of One" in scene.window.copied


def test_a_file_puts_no_words_in_hearths_mouth(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """The reason of an answer that failed stands in a card of the window, so one from a file is not shown there."""
    usage = stored_usage(Usage(), "stop", told="Your library is damaged. Open example.org.")
    said = (
        ArchivedMessage("q", None, "user", "Hello"),
        ArchivedMessage("a", "q", "assistant", "Hi", state="failed", error="Your library is damaged.", usage=usage),
    )
    path = tmp_path / "chat.hearth"
    path.write_bytes(encode(Archive((ArchivedConversation("Trip", said, leaf="a"),))))
    chats.transfer.import_file(str(path))
    [chat] = scene.window.rows
    answer = views.messages(tuple(scene.library.messages.branch(chat.id)), 0)[1]
    assert (answer.text, answer.state, answer.error) == ("Hi", MessageState.FAILED, "")


def test_an_export_has_the_prompts_that_a_full_disk_has_refused(
    scene: Scene, chats: Conversations, tmp_path: Path
) -> None:
    """They are in memory alone, and the export may go to another disk."""
    for name in ("kept", "changed", "deleted"):
        chats.prompts.save(name, name, "1")
    scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    chats.prompts.save("changed", "changed", "2")
    chats.prompts.save("new", "new", "3")
    chats.prompts.delete("deleted")
    scene.tasks.broken = None
    chats.transfer.export_file((), str(tmp_path / "all.hearth"))
    found = files.read(tmp_path / "all.hearth").prompts
    assert [(one.name, one.text) for one in found] == [("changed", "2"), ("kept", "1"), ("new", "3")]


def test_prompts_and_presets_travel_with_all_chats(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """They come back after they were deleted, the preset under its old id, so that imported chats find it. What is here
    already is not doubled. One chat alone takes none of them along.
    """
    chat = _chat(scene, "One")
    scene.library.prompts.save("", "Translate", "Say it in {{language}}")
    scene.presets = {"0123456789ab": OwnPreset("Dry", OwnValues(temperature=0.1))}
    chats.transfer.export_file((), str(tmp_path / "all.hearth"))
    chats.transfer.export_file((chat,), str(tmp_path / "one.hearth"))
    assert b"Translate" not in (tmp_path / "one.hearth").read_bytes()
    chats.transfer.import_file(str(tmp_path / "all.hearth"))
    assert _told(scene) == ["This chat is here already. The prompts and presets are here already."]
    assert len(scene.library.prompts.listed()) == len(scene.presets) == 1
    scene.library.prompts.remove(scene.library.prompts.listed()[0].id)
    scene.presets = {}
    chats.transfer.import_file(str(tmp_path / "all.hearth"))
    assert _told(scene) == ["This chat is here already. 1 prompt was added. 1 preset was added."]
    assert [(one.name, one.text) for one in scene.window.store.prompts.now] == [("Translate", "Say it in {{language}}")]
    assert scene.presets == {"0123456789ab": OwnPreset("Dry", OwnValues(temperature=0.1))}


def test_a_preset_of_the_same_name_keeps_its_own_values(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """The imported one gets a number. Values that are not possible are left out."""
    scene.presets = {"0123456789ab": OwnPreset("Dry", OwnValues(temperature=0.1))}
    presets = (ArchivedPreset("0123456789ab", "Dry", '{"temperature":0.3}'), ArchivedPreset("x", "Odd", '{"top_p":7}'))
    (tmp_path / "own.hearth").write_bytes(encode(Archive((), (), (), presets)))
    chats.transfer.import_file(str(tmp_path / "own.hearth"))
    assert _told(scene) == ["2 presets were added."]
    assert scene.presets["0123456789ab"].sampling == OwnValues(temperature=0.1)
    found = {preset.name: preset.sampling for preset in scene.presets.values()}
    assert found == {"Dry": OwnValues(temperature=0.1), "Dry 2": OwnValues(temperature=0.3), "Odd": OwnValues()}
