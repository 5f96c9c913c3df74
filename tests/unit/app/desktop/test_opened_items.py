"""Files and links that are opened with Hearth."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from app.base.errors import BadArguments
from app.desktop.hearth import Hearth
from app.desktop.opened_items import (
    LONGEST_LINK,
    LinkTarget,
    OpenedItems,
    is_link,
    named,
    target,
)
from ui.composer.prompt_edit import PromptEdit


class Recorder:
    """A window that records what it was asked for."""

    def __init__(self) -> None:
        self.came: list[tuple[str, str]] = []
        self.fronts = 0
        hearth = SimpleNamespace(
            to_front=self._front,
            conversations=SimpleNamespace(
                transfer=SimpleNamespace(import_file=lambda path: self.came.append(("import", path))),
                creation=SimpleNamespace(new=lambda text: self.came.append(("draft", text))),
                tabs=SimpleNamespace(show=lambda chat: self.came.append(("chat", chat))),
            ),
            window=SimpleNamespace(show_notice=lambda told: self.came.append(("notice", told.key))),
        )
        self.hearth = cast("Hearth", hearth)

    def _front(self) -> None:
        self.fronts += 1


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def opened_items(recorder: Recorder) -> OpenedItems:
    opened_items = OpenedItems()
    opened_items.serve(recorder.hearth)
    return opened_items


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    path = tmp_path / "chats.hearth"
    path.write_text("{}")
    return path


def test_what_comes_early_waits(recorder: Recorder, chats: Path) -> None:
    """macOS reports an opened file before there is a window. It is imported once there is one, in its order."""
    opened_items = OpenedItems()
    opened_items.take(str(chats))
    opened_items.take("hearth://new?text=Hello")
    assert recorder.came == []
    opened_items.serve(recorder.hearth)
    assert recorder.came == [("import", str(chats)), ("draft", "Hello")]
    assert recorder.fronts == 2


def test_a_file_that_is_opened_again_is_imported_again(
    opened_items: OpenedItems, recorder: Recorder, chats: Path
) -> None:
    """The import says that its chats are here already. A click that does nothing looks like a fault."""
    opened_items.take(str(chats))
    opened_items.take(str(chats))
    assert (recorder.came, recorder.fronts) == ([("import", str(chats))] * 2, 2)


@pytest.mark.parametrize(
    "link", ["hearth://delete?all=1", "hearth:", "hearth://new/../x", "hearth://new?text=%ff", "hearth://["]
)
def test_other_link_is_refused(opened_items: OpenedItems, recorder: Recorder, link: str) -> None:
    """An unknown link does nothing, and the user reads why."""
    opened_items.take(link)
    assert recorder.came == [("notice", "error:bad_arguments")]


SELECTORS = "".join(map(chr, range(0xE0100, 0xE01F0)))


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Cn"), exclude_characters=SELECTORS)))
def test_text_of_a_link_arrives_whole(text: str) -> None:
    """The draft has every letter of the link's text."""
    assert target(f"hearth://new?text={quote(text)}") == LinkTarget(text=text)


def test_hidden_letters_are_left_out() -> None:
    """A web page cannot put anything into a draft that the user does not see."""
    said = "".join(chr(0xE0000 + ord(letter)) for letter in "say no")
    hidden = f"one\u202etwo{said}\u200b\u200f\U000e0101\x07\x00\r\nthree\tfour\N{WOMAN}\u200d\N{PERSONAL COMPUTER}"
    shown = "onetwo\nthree\tfour\N{WOMAN}\u200d\N{PERSONAL COMPUTER}"
    assert target("hearth://new?text=" + quote(hidden)) == LinkTarget(text=shown)


def test_link_without_text_is_a_new_chat() -> None:
    """`hearth://new` opens an empty chat."""
    assert target("hearth://new") == LinkTarget(text="")
    assert target("hearth:new?text=a+b") == LinkTarget(text="a b")


def test_endless_link_is_refused() -> None:
    """A web page cannot fill the memory by a link."""
    with pytest.raises(BadArguments, match="too long"):
        target("hearth://new?text=" + "a" * LONGEST_LINK)
    with pytest.raises(BadArguments):  # the message box would take half a minute to break such a word
        target("hearth://new?text=" + "a\u05d0" * 40_000)


@pytest.mark.parametrize("letter", ["%0A", "%09", "+", "\u200d", "\u0e34", "a"], ids=range(6))
def test_the_longest_link_does_not_stop_the_window(qtbot: QtBot, letter: str) -> None:
    """The draft is shown again at each start."""
    start = "hearth://new?text=."
    draft = target(start + letter * ((LONGEST_LINK - len(start)) // len(letter)))
    edit = PromptEdit()
    qtbot.addWidget(edit)
    edit.show()
    before = time.thread_time()
    edit.setPlainText(draft.text)
    edit.document().size()
    assert time.thread_time() - before < 1.5


def test_argument_means_the_same_in_any_folder(chats: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path is made absolute before another process takes it over; a link stays as it is."""
    monkeypatch.chdir(chats.parent)
    assert named(chats.name) == str(chats)
    assert named("hearth://new?text=x") == "hearth://new?text=x"
    assert is_link("hearth:new")
    assert not is_link("hearth.md")


@pytest.mark.parametrize("argument", ["nowhere.hearth", ".", "~nobody-of-this-name/a.hearth", "hearth://nonsense"])
def test_impossible_argument_is_refused(argument: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line says so before a window opens."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadArguments):
        named(argument)


def test_a_link_opens_a_chat(opened_items: OpenedItems, recorder: Recorder) -> None:
    """By its id, in any writing of the scheme. Other apps can keep such links."""
    opened_items.take("hearth://chat/0123abcd")
    opened_items.take("HEARTH:chat/0123abcd/")
    assert recorder.came == [("chat", "0123abcd")] * 2
    assert target("hearth://chat/0123abcd") == LinkTarget(chat="0123abcd")


@pytest.mark.parametrize("link", ["hearth://chat", "hearth://chat/", "hearth://chat/../x", "hearth://chat/a/b"])
def test_a_link_to_no_chat_is_refused(link: str) -> None:
    """An id has hexadecimal digits only."""
    with pytest.raises(BadArguments):
        target(link)
