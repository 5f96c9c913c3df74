from __future__ import annotations

from ui.palette.entries import Entries, EntryGroup, PaletteEntry, used


def entry(group: EntryGroup, title: str) -> PaletteEntry:
    return PaletteEntry(group, title.lower(), title, lambda: None, "x")


ENTRIES = (
    *(entry(EntryGroup.CHATS, title) for title in ("Trip to Lisbon in May", "Reading list on compilers", "Meal plan")),
    *(entry(EntryGroup.ACTIONS, title) for title in ("List all shortcuts", "New chat", "Settings…")),
    entry(EntryGroup.MODELS, "Tiny 9B"),
)


def titles(rows: list[object]) -> list[str]:
    return [row.heading or row.entry.title for row in rows]  # type: ignore[attr-defined]


def test_without_words_everything_is_listed_in_groups() -> None:
    """What was used last comes first, then chats, actions and models."""
    rows = Entries(ENTRIES, ["settings…", "gone"]).rows(" ")
    assert titles(list(rows))[:3] == ["Recently used", "Settings…", "Chats"]
    assert [row.heading for row in rows if row.heading] == ["Recently used", "Chats", "Actions", "Models"]


def test_the_group_with_the_best_fit_comes_first() -> None:
    """An action that begins with the words comes before chats that only have them."""
    assert titles(list(Entries(ENTRIES).rows("lis"))) == [
        *("Actions", "List all shortcuts"),
        *("Chats", "Trip to Lisbon in May", "Reading list on compilers"),
    ]
    assert titles(list(Entries(ENTRIES).rows("lisb")))[:2] == ["Chats", "Trip to Lisbon in May"]


def test_recently_used_entries_win_among_equals() -> None:
    """The command that the user uses often needs the fewest keys."""
    chats = (entry(EntryGroup.CHATS, "Plan a"), entry(EntryGroup.CHATS, "Plan b"))
    assert titles(list(Entries(chats, ["plan b"]).rows("plan"))) == ["Chats", "Plan b", "Plan a"]


def test_an_exact_name_wins_over_a_recent_command() -> None:
    """Return after a whole name never runs another command, in no language and whatever was used before."""
    entries = (entry(EntryGroup.ACTIONS, "Modell entladen"), entry(EntryGroup.ACTIONS, "Modelle"))
    assert titles(list(Entries(entries, ["modell entladen"]).rows("Modelle")))[:2] == ["Actions", "Modelle"]


def test_a_chat_comes_before_a_recent_command_of_equal_fit() -> None:
    """A chat with the best title is first, whatever was used before."""
    entries = (entry(EntryGroup.ACTIONS, "Plan b"), entry(EntryGroup.CHATS, "Plan a"))
    assert titles(list(Entries(entries, ["plan b"]).rows("plan")))[:2] == ["Chats", "Plan a"]


def test_a_setting_comes_before_what_sets_a_value_of_it() -> None:
    """Return after the half of its name changes nothing yet."""
    entries = (entry(EntryGroup.ACTIONS, "Language: Deutsch"), entry(EntryGroup.SETTINGS, "Language"))
    assert titles(list(Entries(entries).rows("lang")))[:2] == ["Settings", "Language"]
    assert titles(list(Entries(entries).rows("lang deu")))[:2] == ["Actions", "Language: Deutsch"]


def test_a_whole_word_comes_before_the_beginning_of_a_longer_one() -> None:
    """Return after the name of a choice makes it, whatever a chat is called. A chat with that whole word is first."""
    choice = entry(EntryGroup.ACTIONS, "Appearance: Light")
    story, lamp = (entry(EntryGroup.CHATS, title) for title in ("Tell me a story about a lighthouse", "A light lamp"))
    assert titles(list(Entries((story, choice)).rows("light")))[:2] == ["Actions", "Appearance: Light"]
    assert titles(list(Entries((lamp, story, choice)).rows("light")))[:2] == ["Chats", "A light lamp"]


def test_hits_in_messages_stand_below() -> None:
    """They come later than the other entries, so they must not move those."""
    hit = PaletteEntry(EntryGroup.MESSAGES, "hit", "…the second list…", lambda: None, "search", marks=((12, 16),))
    rows = Entries(ENTRIES).rows("list", (hit,))
    assert titles(list(rows))[-2:] == ["In messages", "…the second list…"]
    assert rows[-1].marks == ((12, 16),)
    assert Entries(ENTRIES).rows("zzz") == []


def test_the_use_of_an_entry_is_remembered_once() -> None:
    """The list of recently used entries has no duplicates and an end."""
    assert used("b", ["a", "b", "c"]) == ["b", "a", "c"]
    assert len(used("new", [str(number) for number in range(50)])) == 12
