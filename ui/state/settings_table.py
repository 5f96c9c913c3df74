"""The table of settings: each row is one setting, and each page of the settings is made from its rows. No Qt.

- A new setting is a row here and a field of `Preferences`, or of the app's own settings.
- A row without a field says a fact, or has buttons that its page adds.
- The command palette finds each row, and each choice of one, without another line.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from resources.language.catalogue import NAMES
from resources.language.text import mark
from ui.state.preferences import LEAST_ZOOM, MOST_ZOOM, ZOOM_STEP

_IS_MAC: Final = sys.platform == "darwin"  # platform: the names of the machine and of the command key
_COMMAND: Final = mark("⌘ Return") if _IS_MAC else mark("Ctrl+Return")

GENERAL, APPEARANCE, MODELS, CHATS = mark("General"), mark("Appearance"), mark("Models"), mark("Chats")
PRIVACY, ADVANCED = mark("Privacy"), mark("Advanced")
PAGES: Final = (
    ("settings", GENERAL),
    ("palette", APPEARANCE),
    ("box", MODELS),
    ("laptop", mark("Macs")),
    ("message-square", CHATS),
    ("hard-drive", mark("Storage")),
    ("shield", PRIVACY),
    ("keyboard", mark("Shortcuts")),
    ("wrench", ADVANCED),
)
"""The pages, in their order, each with its icon and its name."""


class Setting(NamedTuple):
    """One row: how it is shown and changed (a "fact" is not), and the `field` of `Preferences` that has the value.

    A "choice" is a row of buttons for the values in `choices`. A "number" in percent and a time in "minutes"
    are one of the `numbers`. A "preset" is one of the user's. The palette finds a row by its `words` too, and a choice
    by those of its own.
    """

    name: str
    about: str = ""
    kind: Literal["fact", "switch", "choice", "number", "minutes", "preset", "text"] = "fact"
    field: str = ""
    choices: Mapping[str, str] = MappingProxyType({})
    numbers: tuple[int, ...] = ()
    words: str = ""
    choice_words: Mapping[str, str] = MappingProxyType({})


UNLOAD_AFTER: Final = "unload_after"
"""The field that is no preference: the app has it with the settings of the models."""
HELD_MODELS: Final = mark("Models on this Mac") if _IS_MAC else mark("Models on this computer")
PROMPTS = mark("Saved prompts")
FOLDER, CHECK, RESET = mark("Folder"), mark("Check for damage"), mark("Reset the settings")
"""The rows to which their pages add buttons."""

SETTINGS: Final[dict[str, tuple[Setting | tuple[Setting, ...], ...]]] = {
    GENERAL: (
        (
            Setting(
                mark("When Hearth starts"),
                mark("Open the tabs of the last time, or begin a new chat."),
                "choice",
                "startup",
                {"tabs": mark("Last tabs"), "new": mark("New chat")},
                words=mark("startup launch session"),
            ),
            Setting(
                mark("Language"),
                mark("“System” follows the language of this computer."),
                "choice",
                "language",
                {"system": mark("System"), **NAMES},
                choice_words={"en": mark("english"), "de": mark("german")},
            ),
        ),
        Setting(
            mark("Send a message with"),
            mark("Shift and Return always begin a new line."),
            "choice",
            "send",
            {"return": mark("Return"), "command": _COMMAND},
            words=mark("enter key"),
        ),
        Setting(
            mark("Notify when an answer is ready"),
            mark("If you look at another app. Words of private chats are never shown."),
            "switch",
            "notifications",
            words=mark("notifications alerts"),
        ),
    ),
    APPEARANCE: (
        Setting(
            APPEARANCE,
            mark("Light, dark, or as the system is."),
            "choice",
            "theme",
            {"system": mark("System"), "light": mark("Light"), "dark": mark("Dark")},
            words=mark("theme colours colors mode"),
        ),
        (
            Setting(
                mark("Text size"),
                mark("For chats and, less so, the panes. The zoom keys change it too."),
                "number",
                "zoom",
                numbers=tuple(range(LEAST_ZOOM, MOST_ZOOM + 1, ZOOM_STEP)),
                words=mark("font letters larger smaller"),
            ),
            Setting(
                mark("Text width"),
                mark("How wide the text of a chat may be."),
                "choice",
                "column",
                {"narrow": mark("Narrow"), "normal": mark("Normal"), "wide": mark("Wide")},
            ),
            Setting(
                mark("Line spacing"),
                mark("How far apart the lines of a chat are."),
                "choice",
                "density",
                {"comfortable": mark("Comfortable"), "compact": mark("Compact")},
            ),
        ),
        Setting(mark("Reduce motion"), mark("Switches off the animations of the window."), "switch", "reduce_motion"),
    ),
    MODELS: (
        (
            Setting(
                HELD_MODELS,
                mark("Find new ones, and see, set up or delete those that you have."),
                words=mark("local folder download"),
            ),
            Setting(
                mark("Unload an unused model"),
                mark("Other apps have its memory then. The next message loads it again."),
                "minutes",
                UNLOAD_AFTER,
                numbers=(0, 5, 15, 30, 60, 240),
            ),
        ),
    ),
    CHATS: (
        (
            Setting(mark("Preset of new chats"), mark("Each chat can have another one."), "preset", "preset"),
            Setting(
                mark("Instructions of new chats"),
                mark("What the model shall always know. Older chats keep theirs."),
                "text",
                "system",
                words=mark("system prompt persona role"),
            ),
        ),
        Setting(PROMPTS, mark("Texts that you use often. Type / in the message box to insert one.")),
        Setting(
            mark("Let the model name chats"),
            mark("After the first answer. If the model cannot do that, the first words stay the name."),
            "switch",
            "titles",
        ),
    ),
    PRIVACY: (
        (
            Setting(
                mark("Everything stays on this computer"),
                mark("Chats, files and what is kept ready lie in one folder that only you may read."),
            ),
            Setting(
                mark("Except what you give to paired Macs"),
                mark("Several Macs that run one model share its chats, not encrypted on the way between them."),
            ),
            Setting(mark("Private chats"), mark("A private chat is never saved. It is gone when its tab is closed.")),
            Setting(
                mark("Chats that are not kept ready"),
                mark("“Keep ready on disk” in the menu of a chat: switched off, only its words are saved."),
            ),
            Setting(
                mark("Deleted chats"),
                mark("They wait in Recently Deleted for 30 days, then they are erased with all that belongs to them."),
                words=mark("delete old remove trash"),
            ),
            Setting(
                mark("Backups of deleted chats"),
                mark("An erased chat leaves the copies too, at the latest 30 days later."),
                words=mark("copies save restore recover"),
            ),
        ),
    ),
    ADVANCED: (
        Setting(FOLDER, words=mark("data logs location")),
        Setting(
            CHECK,
            mark("What is kept ready is compared with its checksums. Damaged parts are removed; messages stay."),
        ),
        Setting(
            RESET,
            mark("General, Appearance, Chats and Shortcuts become as they were. What you wrote stays."),
        ),
    ),
    "Macs": (Setting("Macs", words=mark("add pair code let other computers use this one run large models")),),
    "Storage": (Setting("Storage", words=mark("keep ready on disk limit size cache free clear space waiting saved")),),
    "Shortcuts": (Setting("Shortcuts", words=mark("keyboard keys hotkeys")),),
}
"""The rows of each page, by card. A row that has a card alone stands alone. The pages Macs, Storage and Shortcuts
are made by hand: their row here is for the palette.
"""


def rows_of(page: str) -> Iterator[Setting]:
    """The rows of a page, whatever their cards."""
    for card in SETTINGS[page]:
        yield from (card,) if isinstance(card, Setting) else card
