"""Search over titles and messages."""

from __future__ import annotations

import unicodedata
from base64 import b64encode
from functools import partial
from hashlib import shake_128
from typing import Literal
from unittest.mock import patch

import pytest

from storage.database import Database
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.archive_import import ArchiveImport
from storage.library.library import Library
from storage.library.search import MOST_FOUND
from tests.fakes.library import end, import_all, save, say
from tests.fakes.steps import cpu_seconds, steps


def test_search_finds_words_and_survives_any_text(library: Library) -> None:
    """Search covers titles and all branches and ignores case and accents; no sign is an operator or an error."""
    chat = library.conversations.create("Voyage").id
    library.conversations.create("Other")
    say(library, chat, 'the café at the harbour, say "now"', "red")
    question = library.messages.branch(chat)[0].id
    end(library, library.messages.begin_alternatives(chat, question, 1, "m")[0], "a bright 🕯 lamp")
    found = ("HARB", "bright lamp", "cafe", "Voyage", "red", 'say "now"', '"', "lamp*", "🕯", "🕯 lamp", '" ,')
    missed = ("*", "NEAR(", "NOT harbour OR", "title_search:", '," *', "🕯🕯", "mountain", "\ud800", "a\0b")
    for words in (*found, *missed):
        assert _ids(library, words) == ([chat] if words in found else []), words


@pytest.mark.parametrize("said", ["데이터베이스 파일", "がくせいの", "müde Katze", "мой дом"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_letters_in_parts_are_found(library: Library, said: str, form: Literal["NFC", "NFD"]) -> None:
    """File names of a Mac and the text of many PDFs have a letter and its accent one by one. They are found as words
    of messages, titles and tags, as a phrase, and inside words.
    """
    written = unicodedata.normalize(form, said)
    chats = [library.conversations.create(title).id for title in ("Title", written, "Tagged", "Inside")]
    say(library, chats[0], written, "red")
    library.labels.set_tags(chats[2], (written,))
    say(library, chats[3], unicodedata.normalize(form, f"xx{said}"), "red")
    typed = said[:-1]
    for words in (typed, unicodedata.normalize("NFD", typed), f'"{typed}'):
        assert {row.id for row in library.search.find(words)} == set(chats), words
    assert {row.id for row in library.search.find(f"#{typed.split()[0]}")} == {chats[2]}


@pytest.mark.parametrize(
    ("said", "typed"),
    [
        ("Überblick", "uberblick"),
        ("Café", "CAFE"),
        ("Ёлка", "елка"),
        ("самолет", "САМОЛЁТ"),
        ("λόγος", "λογο"),
        ("שָׁלוֹם עולם", "שלום"),
        ("مَرْحَبًا بك", "مرحبا"),
        ("ΛΌΓΟΙ", "λόγοι"),
        ("\uff21\uff22\uff23\uff11\uff12\uff13", "abc123"),
        ("h2o", "H₂O"),
    ],
)
def test_case_accents_and_width_make_no_difference(library: Library, said: str, typed: str) -> None:
    """In messages, files, titles and tags, also inside words."""
    chats = [library.conversations.create("Chat").id for _ in range(3)]
    say(library, chats[0], said, "red")
    say(library, chats[1], f"xx{said}", "red")
    library.attachments.add(chats[2], "notes.txt", said.encode())
    say(library, chats[2], "a file", "red")
    titled = [library.conversations.create(title).id for title in (said, f"xx{said}")]
    tagged = library.conversations.create("Chat").id
    library.labels.set_tags(tagged, (said,))
    assert set(_ids(library, typed)) == {*chats, *titled, tagged}
    assert _ids(library, f"#{typed}") == [tagged]
    library.trash.erase(*chats, *titled)
    assert _ids(library, typed) == [tagged]


@pytest.mark.parametrize(
    ("said", "typed"),
    [
        ("我住在北京市中心", ("北京", "京", "心", "北京市", "住在北京", "北京 中心", '"北京市')),
        ("北京", ("北京", "京")),
        ("저는 한국어를 배워요", ("국어", "어", "한국")),
        ("昨日スシ食べたTシャツ", ("スシ", "シ食", "t", "Tシャツ", "ツ")),
    ],
)
def test_words_of_signs_are_found_without_spaces_around_them(
    library: Library, said: str, typed: tuple[str, ...]
) -> None:
    """A Chinese, Japanese or Korean word of any length is found in messages, files, titles and tags, and marked. Its
    signs in another order are another word.
    """
    chat, titled, tagged, filed = (library.conversations.create(title).id for title in ("A", said, "B", "C"))
    say(library, chat, said, "red")
    library.labels.set_tags(tagged, (said,))
    library.attachments.add(filed, "notes.txt", said.encode())
    say(library, filed, "a file", "red")
    for words in typed:
        found = {row.id: row for row in library.search.find(words)}
        assert found.keys() == {chat, titled, tagged, filed}, words
        marked = [found[chat].snippet[start:end].lower() for start, end in found[chat].marks]
        assert any(one in words.lower() or words.lower() in one for one in marked), words
    assert _ids(library, "京北") == _ids(library, "어국") == _ids(library, "シス") == []


@pytest.mark.parametrize("data", ["data:image/png;base64,{}", "{}"])
def test_the_data_of_a_picture_is_left_out_of_the_indexes(library: Library, database: Database, data: str) -> None:
    """A picture of megabytes in an answer fills no index. Its chat is found by the words around the picture, and by a
    part of the message that is pasted, until it is erased.
    """
    said = f"before ![pier]({data.format(b64encode(shake_128().digest(60_000)).decode())}) after"
    chat = library.conversations.create("Chat").id
    say(library, chat, "Show it", said)
    for index in ("message_search", "sign_search", "part_search"):
        database.raw.execute(f"CREATE VIRTUAL TABLE temp.{index}_terms USING fts5vocab (main, {index}, row)")
        (terms,) = database.raw.execute(f"SELECT count(*) FROM temp.{index}_terms").fetchone()
        assert terms < 350, index  # all data has thousands
    for typed in ("before pier", "after", "fore", said, said[:200], said[:400], f'"{said}"'):
        assert _ids(library, typed) == [chat], typed[:50]
    library.trash.erase(chat)
    for index in ("message_search", "sign_search", "part_search"):
        assert database.raw.execute(f"SELECT term FROM temp.{index}_terms").fetchall() == [], index


@pytest.mark.parametrize(
    "said", ["北京市中心" * 200, "ไปเที่ยวทะเลกัน" * 100, "데이터" * 300, "https://a.example/" + "a-b/" * 200]
)
def test_long_texts_without_spaces_are_found_inside(library: Library, chat: str, said: str) -> None:
    """Chinese, Japanese and Thai have no spaces between words, and an address may be long."""
    say(library, chat, f"{said}lamp", "red")
    for typed in ("lamp", said[-9:], said[-50:] + "la"):
        assert _ids(library, typed) == [chat], typed


@pytest.mark.parametrize("tag", ["", "#", '"'])
def test_a_whole_message_can_be_pasted_into_the_search(library: Library, chat: str, tag: str) -> None:
    """However many words it has: the first of them count. Tags that no chat has are words, too."""
    pasted = " ".join(f"{tag}word{number}" for number in range(2000))
    say(library, chat, pasted, "red")
    assert [row.id for row in library.search.find(pasted)] == [chat]


def test_search_follows_every_change(library: Library) -> None:
    """Old titles and deleted conversations are not found; a reply is found once it ends, in any state."""
    chat = library.conversations.create("Oldname").id
    library.labels.rename(chat, "Newname")
    reply = library.messages.begin_turn(chat, "q", "m").reply
    save(library, reply, "zebra")
    assert (library.search.find("oldname"), library.search.find("zebra")) == ((), ())
    library.messages.interrupt_open()
    assert len(library.search.find("zebra")) == 1
    library.messages.reopen(reply.id)
    end(library, reply, "giraffe", "stopped")
    assert (library.search.find("zebra"), len(library.search.find("giraffe"))) == ((), 1)
    library.trash.add(chat)
    assert library.search.find("newname") == library.search.find("giraffe") == ()


@pytest.mark.parametrize("sign", ["🕯", "👩\u200d🚀", "❤\ufe0f", "🫠", "=>", "…", "™", "€", "}", "'", "\ue000", "¬"])
def test_signs_are_found_wherever_they_stand(library: Library, sign: str) -> None:
    """Signs are found alone, between letters and within other signs, on any branch, until they are erased."""
    chats: list[str] = []
    for said in (sign, f"a{sign}b", f"a ({sign}{sign})! b", f"{sign}\n", f"1{sign}"):
        chat = library.conversations.create("Title").id
        reply = library.messages.begin_turn(chat, "plain words, no more.", "m").reply
        save(library, reply, said)
        assert set(_ids(library, sign)) == set(chats)
        end(library, reply, said)
        chats.append(chat)
        rows = library.search.find(sign)
        assert {row.id for row in rows} == set(chats)
        assert {row.snippet[start:stop] for row in rows for start, stop in row.marks} == {sign}
    library.trash.erase(*chats)
    assert library.search.find(sign) == ()


def test_no_sign_makes_search_read_all_messages(library: Library, database: Database) -> None:
    """Whether a sign is everywhere, once in the oldest message or nowhere, search does not scan the messages."""
    said = tuple(ArchivedMessage(str(place), None, "user", "words, and more.") for place in range(1000))
    old = ArchivedMessage("old", None, "user", "a 🕯 lamp")
    import_all(library, Archive((ArchivedConversation("Old", (old,)), ArchivedConversation("Long", said))))
    looked_through = "SELECT number FROM message WHERE instr(content, '🕯')"
    scan = steps(database, database.raw.execute(looked_through).fetchall)
    assert all(5 * steps(database, partial(library.search.find, sign)) < scan for sign in ("🕯", "🫠", "…"))


def test_many_different_signs_hide_no_common_one(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file may bring millions of runs of signs. The search looks for the commonest ones."""
    monkeypatch.setattr("storage.library.search._MOST_RUNS", 3)
    rare, common, other = (library.conversations.create(title).id for title in ("Rare", "Common", "Other"))
    say(library, rare, " a ".join(f"!{one}{two}" for one in "+<=>" for two in "$|^~"), "red")
    for chat in (common, other):
        say(library, chat, "Stop!", "red")
    assert {common, other} <= set(_ids(library, "!"))


def test_the_best_hit_comes_first(library: Library) -> None:
    """A title counts more than a message, and a short message about the word more than a long one. So
    does a sign in a title.
    """
    for number in range(20):  # a word that is in everything is worth nothing
        say(library, library.conversations.create().id, f"question {number}", "answer")
    mentioned, about, titled = (
        library.conversations.create("a").id,
        library.conversations.create("b").id,
        library.conversations.create("Pelican").id,
    )
    say(library, titled, "what is it", "a bird")
    say(library, about, "tell me", "pelican pelican")
    say(library, mentioned, "tell me", "words " * 200 + "pelican " + "words " * 200)
    library.labels.set_pinned(mentioned, pinned=True)
    assert [row.id for row in library.search.find("pelican")] == [titled, about, mentioned]
    library.labels.rename(about, "🕯 and more")
    say(library, mentioned, "🕯", "🕯🕯")
    assert [row.id for row in library.search.find("🕯")] == [about, mentioned]


def test_the_snippet_is_the_best_hit_with_its_marks(library: Library) -> None:
    """The hits are marked in one line, also from an inactive branch; a title needs no hit in a message. The result
    names its message and its words, so that the window opens the chat at the hit.
    """
    chat = library.conversations.create("Pelican").id
    reply = say(library, chat, "which bird", "filler " * 100 + "a great\nheron stood")
    end(library, library.messages.begin_alternatives(chat, library.messages.branch(chat)[0].id, 1, "m")[0], "a duck")
    (row,) = library.search.find("heron great")
    assert (row.hit, row.terms) == (reply, ("heron", "great"))
    assert row.snippet.startswith("…")
    assert "a great heron stood" in row.snippet
    assert [row.snippet[start:end] for start, end in row.marks] == ["great", "heron"]
    (row,) = library.search.find("pelican")
    assert (row.snippet, row.marks, row.hit) == ("a duck", (), "")
    assert library.conversations.listed()[0].marks == ()


def test_a_search_ends_with_the_best_hundred(library: Library) -> None:
    """A word in every chat finds at most a hundred, the newest hits among them."""
    chats = [library.conversations.create(f"Chat {number}").id for number in range(MOST_FOUND + 5)]
    say(library, chats[0], "chat", "chat")
    found = [row.id for row in library.search.find("chat")]
    assert len(found) == MOST_FOUND
    assert chats[0] in found


def test_the_index_agrees_with_the_rows_after_any_changes(library: Library, database: Database) -> None:
    """After edits, forks, withdrawals and erasures, FTS5's own check passes."""
    chat, other = library.conversations.create("One").id, library.conversations.create("Two").id
    reply = say(library, chat, "heron", "duck")
    library.messages.edit(chat, library.messages.branch(chat)[0].id, "egret", "m")
    library.messages.withdraw_turn(library.messages.branch(chat)[-1].id)
    fork = library.messages.fork(chat, reply).id
    library.labels.rename(fork, "Three")
    say(library, other, "swan", "goose")
    library.trash.erase(chat)
    for index, table, column in (("message_search", "message", "content"), ("title_search", "conversation", "title")):
        raw = database.raw
        raw.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)").fetchall()
        words = {word for (text,) in raw.execute(f"SELECT {column} FROM {table}") for word in text.lower().split()}
        raw.execute(f"CREATE VIRTUAL TABLE temp.{index}_words USING fts5vocab (main, {index}, row)")
        indexed = {term for (term,) in raw.execute(f"SELECT term FROM temp.{index}_words")}
        assert indexed == {part for word in words for part in word.strip("()").split() if part}


@pytest.mark.parametrize("state", ["listed", "deleted", "tagged"])
@pytest.mark.parametrize(("said", "typed"), [("the heron", "heron"), ("aherons", "heron"), ("a 🕯 lamp", "🕯")])
def test_a_chat_with_many_hits_hides_no_other(library: Library, said: str, typed: str, state: str) -> None:
    """Whether it is listed, deleted, or without the tag that is searched: the older chat is found beside it."""
    (old,) = import_all(library, Archive((ArchivedConversation("Old", (_said(said),)),)))
    library.labels.set_tags(old, ("bird",))
    many = tuple(_said(said, place) for place in range(4100 if state == "tagged" else 1100))
    (large,) = import_all(library, Archive((ArchivedConversation("Large", many),)))
    if state == "deleted":
        library.trash.add(large)
    found = {old} if state != "listed" else {old, large}
    assert set(_ids(library, f"{typed} #bird" if state == "tagged" and typed != "🕯" else typed)) >= found


def test_a_running_import_hides_no_chat(library: Library) -> None:
    """Its messages are not found before it ends, and hide none that is listed meanwhile."""
    (old,) = import_all(library, Archive((ArchivedConversation("Old", (_said("heron"),)),)))
    chats = (ArchivedConversation("New", tuple(_said("heron", place) for place in range(600))),) * 3
    running = ArchiveImport(Archive(chats), again=True)
    found = [_ids(library, "heron")]
    while not library.transfer.import_next(running):
        found.append(_ids(library, "heron"))
    assert len(found) > 2
    assert all(one == [old] for one in found)
    assert len(_ids(library, "heron")) == 1 + len(chats)


def test_messages_that_only_have_the_parts_of_a_word_hide_no_chat(library: Library) -> None:
    """Parts may stand apart from each other, so the text is compared: an older chat with the word is found."""
    (old,) = import_all(library, Archive((ArchivedConversation("Old", (_said("xxdatabasexx"),)),)))
    many = tuple(_said("datab atabas tabase abasex", place) for place in range(500))
    import_all(library, Archive((ArchivedConversation("Large", many),)))
    assert _ids(library, "database") == [old]


def _said(text: str, place: int = 0) -> ArchivedMessage:
    return ArchivedMessage(str(place), None, "user", text)


def test_a_common_word_costs_no_more_in_a_larger_library(library: Library, database: Database) -> None:
    """Only the newest hits are ranked, so the cost stops growing with their number."""
    said = tuple(ArchivedMessage(str(place), None, "user", "a heron") for place in range(40))
    taken = []
    for _ in range(2):
        import_all(library, Archive((ArchivedConversation("", said),) * 60))
        taken.append(steps(database, lambda: library.search.find("heron")))
    assert taken[1] <= 1.3 * taken[0] + 20


def test_four_letters_cost_no_more_than_three(library: Library) -> None:
    """However many words begin with them: SQLite need not merge the places of all of these words."""
    many = " ".join(f"hero{number}" for number in range(1000))
    said = tuple(ArchivedMessage(str(place), None, "user", many) for place in range(200))
    import_all(library, Archive((ArchivedConversation("Long", said),)))
    three, four = (min(cpu_seconds(partial(library.search.find, typed)) for _ in range(5)) for typed in ("her", "hero"))
    assert four < 2 * three


def _ids(library: Library, typed: str) -> list[str]:
    return [row.id for row in library.search.find(typed)]


def test_a_tag_precedes_a_hundred_chats_with_the_word(library: Library) -> None:
    """Also if the chat itself does not have the word, and its title has it only inside another."""
    tagged = library.conversations.create("Overgrowths").id
    library.labels.set_tags(tagged, ["growth"])
    said = ArchivedMessage("said", None, "user", "growth")
    import_all(library, Archive(tuple(ArchivedConversation("Growth", (said,)) for _ in range(MOST_FOUND))))
    assert _ids(library, "growth")[0] == tagged
    assert _ids(library, "#growth") == [tagged]


def test_tags_are_found(library: Library) -> None:
    """ "#urgent" lists the chats with that tag; its name finds them too, before those that only mention it.
    A hash without such a tag is a word: code has words with a hash.
    """
    tagged, mentioned, both = (library.conversations.create(title).id for title in ("One", "Two", "Three"))
    library.labels.set_tags(tagged, ["Urgent", "home"])
    library.labels.set_tags(both, ["urgency"])
    say(library, mentioned, "this is urgent", "no #urgent here")
    say(library, both, "lisbon", "fine")
    assert set(_ids(library, "#urgent")) == {tagged}
    assert set(_ids(library, "#urg")) == {tagged, both}
    assert _ids(library, "urgent") == [tagged, mentioned]
    assert _ids(library, "#urg lisbon") == [both]
    assert _ids(library, "#urgent #home") == [tagged]
    assert _ids(library, "#nosuchtag lisbon") == []
    say(library, mentioned, "why #include <stdio.h>?", "because")
    assert _ids(library, "#include") == [mentioned]


def test_words_are_found_inside_words(library: Library) -> None:
    """ "ath" finds "Math" in messages and titles, behind the chats where a word begins so."""
    inside, titled, begins = (library.conversations.create(title).id for title in ("One", "Aftermath", "Three"))
    say(library, inside, "I like Math and music", "so do I")
    say(library, begins, "athens", "hot")
    assert _ids(library, "ath") == [begins, titled, inside]
    assert _ids(library, "mus ath") == [inside]
    found = library.search.find("ath")[-1]
    assert [found.snippet[start:end] for start, end in found.marks] == ["ath"]
    library.trash.erase(inside)
    assert inside not in _ids(library, "ath")


def test_small_typing_errors_are_forgiven(library: Library) -> None:
    """If nothing is found, a long word that occurs nowhere is taken for one that does; the marks are on that."""
    chat, titled = library.conversations.create("Other").id, library.conversations.create("Birthday").id
    say(library, chat, "a trip to Lisbon in May", "good")
    for typed in ("lisbn", "lisbom", "liisbon", "lisobn", "trip lisbom"):
        (found,) = library.search.find(typed)
        assert found.id == chat, typed
        assert "Lisbon" in [found.snippet[start:end] for start, end in found.marks], typed
    assert found.terms == ("trip", "lisbon")
    assert _ids(library, "brithday") == [titled]
    say(library, titled, "молоко", "хлеб")
    assert _ids(library, "молако") == [titled], "letters of other scripts come from the word"
    say(library, titled, "Übersetzung", "gut")
    for typed in ("Übersezung", "ubersezung", "Ubersetzumg"):
        assert _ids(library, typed) == [titled], typed
    assert _ids(library, "trop") == [], "short words have too many neighbours"


@pytest.mark.parametrize(
    ("typed", "respelled"),
    [
        ("f" * 32_000, 0),  # all words that are one typing error away from it would fill the memory
        ("356a192b7913b04c54574d18c28d46e6395428ab lisbon", 0),
        ("Lorem ipsum dolor consectetur adipiscing elitsed eiusmod", 0),
        ("qwertz asdfgh yxcvbn", 1),
    ],
)
def test_pasted_words_that_occur_nowhere_are_not_respelled(library: Library, typed: str, respelled: int) -> None:
    """Long words, words with digits and many of them are no typing errors. If one word is not, the others can wait."""
    library.conversations.create(title="Trip to Lisbon")
    with patch("storage.library.search.neighbours", return_value={"nowhere"}) as made:
        assert _ids(library, typed) == []
    assert made.call_count == respelled


def test_phrases_are_found_as_they_stand(library: Library) -> None:
    """Quoted words must follow each other; others may be in any order."""
    chat, other = library.conversations.create("One").id, library.conversations.create("Two").id
    say(library, chat, "the red lamp is lit", "yes")
    say(library, other, "the lamp is red", "no")
    assert set(_ids(library, "lamp red")) == {chat, other}
    assert _ids(library, '"red lamp"') == [chat]
    assert _ids(library, '"red lam') == [chat]
