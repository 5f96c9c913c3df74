"""Chats as Markdown, of Hearth and of any other origin."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.base.errors import ImportRefused
from app.import_export import markdown
from app.import_export.import_summary import Remark
from resources.language import catalogue, text
from resources.language.formats import FORMATS
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.rows import ArchivedAttachment

CODE = "Like this:\n\n```python\n# User\nprint('## Assistant')\n```\n\nDone."


def _chat(*words: str, title: str = "Plans", system: str = "") -> ArchivedConversation:
    messages = tuple(
        ArchivedMessage(
            str(place), str(place - 1) if place else None, "assistant" if place % 2 else "user", said, created=place + 1
        )
        for place, said in enumerate(words)
    )
    leaf = messages[-1].id if messages else None
    return ArchivedConversation(title, messages, leaf=leaf, system=system, created=1, updated=1_700_000_000_000)


def _turns(archive: Archive) -> list[tuple[str, str]]:
    (one,) = archive.conversations
    return [(said.role, said.content) for said in one.messages]


def test_a_reader_sees_title_day_turns_and_code() -> None:
    """The file reads well in any viewer: headings, unchanged words, intact code blocks."""
    text = markdown.encode(Archive((_chat("Show me.", CODE, system="Be kind."),)))
    visible = [line for line in text.splitlines() if line and not line.startswith("<!--")]
    assert visible[0] == "# Plans"
    assert visible[1].strip("*").endswith("Nov 2023")
    assert visible[2:4] == ["## System", "Be kind."]
    assert visible[4:8] == ["## User", "Show me.", "## Assistant", "Like this:"]
    assert CODE in text


def test_our_own_file_comes_back_whatever_its_words_are() -> None:
    """Headings, Hearth's marks and code inside a message are words, not turns. Several chats stay separate."""
    chats = Archive(
        (
            _chat(
                "# User\n## User", "User: me\n**Assistant:** you", "<!-- hearth:user 5 -->", "\\<!-- hearth:chat -->"
            ),
            _chat(CODE, "\n  indented\n\nand more", title="Second", system="One\n\nTwo"),
            _chat(title="Nothing said"),
        )
    )
    read = markdown.decode(markdown.encode(chats), "file")
    stripped = [[said.content.strip("\n") for said in one.messages] for one in chats.conversations]
    assert [[said.content for said in one.messages] for one in read.conversations] == stripped
    assert [(one.title, one.system, one.updated) for one in read.conversations] == [
        (one.title, one.system, one.updated) for one in chats.conversations
    ]


@pytest.mark.parametrize("title", ["#metoo", "C#", "## User", "#1 or #2", "#"])
def test_a_title_may_have_number_signs(title: str) -> None:
    """They were taken for those of the heading. Also without Hearth's marks, which another editor may remove."""
    written = markdown.encode(Archive((_chat("a", "b", title=title),)))
    assert markdown.decode(written, "file").conversations[0].title == title
    bare = "\n".join(line for line in written.splitlines() if not line.startswith("<!--"))
    assert markdown.decode(bare, "file").conversations[0].title == title


@pytest.mark.parametrize(
    ("above", "title", "lost"),
    [
        ("", "file", 0),
        ("# Trip", "Trip", 0),
        ("# Trip #", "Trip", 0),
        ("# Trip\n\n# Notes", "Trip", 1),
        ("# \nx", "file", 1),
    ],
)
def test_lines_above_the_turns_are_the_title_or_counted(above: str, title: str, lost: int) -> None:
    """A second title was left out without a remark."""
    archive = markdown.decode(f"{above}\n\n## User\na\n## Assistant\nb", "file")
    assert (archive.conversations[0].title, dict(archive.remarks).get(Remark.PREFACE, 0)) == (title, lost)


@pytest.fixture
def german() -> Iterator[text.Language]:
    before, language = text.present(), text.Language("de", catalogue.read("de"), FORMATS["de"])
    text.install(language)
    yield language
    text.install(before)


def test_a_file_is_written_in_the_users_language(german: text.Language) -> None:
    """Headings, the date, and the title of a chat without one."""
    assert german
    written = markdown.encode(Archive((_chat("Wohin?", "Nach Norden.", title="", system="Sei nett."),)))
    visible = [line for line in written.splitlines() if line and not line.startswith("<!--")]
    assert visible[0] == "# Neuer Chat"
    assert visible[1].strip("*").endswith(". Nov. 2023")
    assert visible[2:] == ["## System", "Sei nett.", "## Nutzer", "Wohin?", "## Assistent", "Nach Norden."]


@pytest.mark.parametrize("code", catalogue.NAMES)
def test_a_file_in_another_language_comes_back(code: str) -> None:
    """Also without Hearth's marks, which another editor may remove."""
    before = text.present()
    text.install(text.Language(code, catalogue.read(code), FORMATS[code]))
    try:
        written = markdown.encode(Archive((_chat("Where?", "## North\n\nor south", title="", system="Be kind."),)))
    finally:
        text.install(before)
    turns = [("user", "Where?"), ("assistant", "## North\n\nor south")]
    read = markdown.decode(written, "file")
    assert (_turns(read), read.conversations[0].title, read.conversations[0].system) == (turns, "", "Be kind.")
    bare = "\n".join(line for line in written.splitlines() if not line.startswith("<!--"))
    assert _turns(markdown.decode(bare, "file")) == turns


def test_a_code_block_that_was_cut_does_not_swallow_what_follows() -> None:
    """The file closes the code block of an answer that was stopped inside it."""
    text = markdown.encode(Archive((_chat("Go on.", "~~~~py\nwhile True:\n```", "Stop."),)))
    assert "while True:\n```\n~~~~\n" in text
    assert _turns(markdown.decode(text, "file"))[2] == ("user", "Stop.")


def test_only_the_active_branch_is_written_and_files_are_named() -> None:
    """A reader gets one conversation; the JSON has the rest."""
    file = ArchivedAttachment("no\u202etes.txt", "text/plain", b"")
    messages = (
        ArchivedMessage("a", None, "user", "asked", attachments=(file,)),
        ArchivedMessage("b", "a", "assistant", "one way"),
        ArchivedMessage("c", "a", "assistant", "another way"),
    )
    text = markdown.encode(Archive((ArchivedConversation("", messages, leaf="b"),)))
    assert "one way" in text
    assert "another way" not in text
    assert "[File: no\\u202etes.txt]" in text


@pytest.mark.parametrize(
    "document",
    [
        "# Trip\n\n## User\n\nWhere to?\n\n## Assistant\n\nNorth.\n",
        "# Trip\n\n### You said:\nWhere to?\n### ChatGPT said:\nNorth.",
        "# Trip\n\n**User:** Where to?\n\n**Assistant:** North.",
        "# Trip\n\n**You**:\nWhere to?\n\n**Claude**:\nNorth.",
        "# Trip\nHuman: Where to?\nAI: North.",
        "# Trip\r\n\r\n## Prompt:\r\nWhere to?\r\n\r\n## Response:\r\nNorth.",
        "# Trip\n\n# Question\nWhere to?\n## Answer\nNorth.",
    ],
)
def test_turns_are_known_by_common_headings(document: str) -> None:
    """Text of other programs or of a person is read as a chat with its title."""
    archive = markdown.decode(document, "file")
    assert _turns(archive) == [("user", "Where to?"), ("assistant", "North.")]
    assert archive.conversations[0].title == "Trip"


@pytest.mark.parametrize("heading", ["## Assistant (thinking)", "## **Assistant (thinking)**:"])
def test_what_a_heading_says_in_brackets_is_said_by_its_speaker(heading: str) -> None:
    """The user was made to say the thoughts of the model."""
    archive = markdown.decode(f"## User\nHi.\n{heading}\nhm\n## Assistant\nYo.\n## User\nBye.", "file")
    assert _turns(archive) == [("user", "Hi."), ("assistant", "(thinking)\nhm\n\nYo."), ("user", "Bye.")]


@pytest.mark.parametrize("code", [CODE, "So:\n\n    ## User\n\n\t## User\n\n    words\n\nDone.", "    ## User\n    x"])
def test_headings_in_code_are_no_turns(code: str) -> None:
    """A code block belongs to its turn, also one that is indented."""
    assert _turns(markdown.decode(f"## User\nShow me.\n## Assistant\n\n{code}", "file"))[1] == ("assistant", code)


OPEN = "```py\nx = 1"


@pytest.mark.parametrize(
    "turns",
    [
        [("user", "Go on."), ("assistant", OPEN), ("user", "Thanks."), ("assistant", OPEN)],
        [("user", "Go on."), ("assistant", OPEN), ("user", "```\ncode\n```\nIs it?"), ("assistant", "~~~\ny\n~~~")],
        [("user", "a"), ("assistant", "~~~~\n~~~"), ("user", "b"), ("assistant", "```\n~~~"), ("user", "c")],
    ],
    ids=("again", "later code", "other fences"),
)
def test_a_code_block_without_an_end_ends_with_its_turn(turns: list[tuple[str, str]]) -> None:
    """An answer that was stopped inside of one swallowed the turns behind it."""
    document = "\n\n".join(f"## {role.title()}\n\n{words}" for role, words in turns)
    assert _turns(markdown.decode(document, "file")) == turns


@pytest.mark.parametrize(
    "answer",
    [
        "1. ```bash\n   make setup\n   ```\n2. Then run it.",
        "10. ```\n    ## User\n    ```\n\n- ~~~ py\n  ## User\n\n  ~~~\n- Done.",
        "> ```\n> ## User\n> ```\n\nSo it is said.",
        "> - ```\n>   words\n>   ```",
        "- one\n  - ```\n    words\n\nNo end.",
        "1. ```bash\n   cut",
    ],
)
def test_code_on_the_line_of_a_list_item_swallows_nothing(answer: str) -> None:
    """The block is read as one, and ends with its item or quote at the latest. Nothing is added to an answer."""
    turns = [("user", "How?"), ("assistant", answer), ("user", "Thanks."), ("assistant", "```\n## User\n```")]
    ours = markdown.encode(Archive((_chat(*(words for _, words in turns)),)))
    bare = "\n".join(line for line in ours.splitlines() if not line.startswith("<!--"))
    assert [_turns(markdown.decode(text, "file")) for text in (ours, bare)] == [turns, turns]


def test_turns_of_one_speaker_in_a_row_are_one() -> None:
    """Speakers alternate, as models expect. A system prompt belongs to the chat."""
    archive = markdown.decode("## System\nBe kind.\n## User\none\n## User\ntwo\n## Assistant\nthree", "file")
    assert _turns(archive) == [("user", "one\n\ntwo"), ("assistant", "three")]
    assert (archive.conversations[0].system, archive.conversations[0].title) == ("Be kind.", "file")


HEADINGS = (
    "### Model",
    "### Prompt",
    "### System",
    "### Answer",
    "### User",
    "## Human",
    "## System",
    "**You:** click",
)


@pytest.mark.parametrize(
    ("document", "title"),
    [
        ("# Trip\n\n## User\n{}\n## Assistant\n{}\n## User\n{}", "Trip"),
        ("# ChatGPT\n\n## You said:\n{}\n## ChatGPT said:\n{}\n## You said:\n{}", "ChatGPT"),
        ("# System\n\n## Question\n{}\n## Model\n{}\n## Question\n{}", "System"),
    ],
)
def test_headings_in_an_answer_are_its_words(document: str, title: str) -> None:
    """The first mark of a speaker sets its name and its level. A system prompt comes before the first question."""
    answer = "\n\nwords\n\n".join(("Here:", *HEADINGS, "Done."))
    archive = markdown.decode(document.format("What is MVC?", answer, "Thanks."), "file")
    assert _turns(archive) == [("user", "What is MVC?"), ("assistant", answer), ("user", "Thanks.")]
    assert (archive.conversations[0].title, archive.conversations[0].system) == (title, "")


@pytest.mark.parametrize("form", ["**{}:** ", "{}: "])
def test_names_in_an_answer_are_its_words(form: str) -> None:
    """Also in files whose turns begin with a name."""
    you, model = form.format("You"), form.format("ChatGPT")
    answer = "\n".join(form.format(name) + "has data" for name in ("Model", "Human", "System", "Answer"))
    document = f"{form.format('System')}Be kind.\n{you}List the parts.\n{model}Here:\n{answer}\n{you}Thanks."
    archive = markdown.decode(document, "file")
    assert _turns(archive) == [("user", "List the parts."), ("assistant", f"Here:\n{answer}"), ("user", "Thanks.")]
    assert archive.conversations[0].system == "Be kind."


@pytest.mark.parametrize("form", ["## {}\n", "**{}:** ", "{}: "])
@pytest.mark.parametrize("following", ["", "{user}Bye"], ids=("last", "answered"))
def test_a_second_model_answers_in_its_own_turn(form: str, following: str) -> None:
    """The model may change in the middle of a chat. Its words were put into the user's mouth."""
    user, first, second = (form.format(name) for name in ("User", "ChatGPT", "Claude"))
    document = f"{user}Hi\n{first}one\n{user}And you?\n{second}two\n{following.format(user=user)}"
    archive = markdown.decode(document, "file")
    said = ["Hi", "one", "And you?", "two", *(["Bye"] if following else [])]
    assert [words for _, words in _turns(archive)] == said
    assert archive.remarks == ()


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ("## User\na\n## Assistant\n{}\n## User\nb", "Here:\n## System\nx\n## Tool\ny\n### User"),
        ("## User\na\n## Assistant\nb\n## User\n{}\n## Assistant\nc", "Is it?\n## Answer\nx\n## System\ny"),
        ("You: a\nClaude: {}\nYou: b", "Rows:\nHuman: x\nBot: y\nSystem: z\n# System"),
        ("## User\na\n## Assistant\n{}\n## User\nb", "```md\n## User\nx\n## Assistant\n## User\n## Prompt\n```"),
    ],
    ids=("answer", "question", "names", "code"),
)
def test_lines_that_may_begin_a_turn_are_counted(document: str, words: str) -> None:
    """They stay words of the message around them. The remark tells the user that another speaker is named there."""
    archive = markdown.decode(document.format(words), "file")
    assert words in [said for _, said in _turns(archive)]
    assert archive.remarks == ((Remark.TURN, 2),)


def test_headings_before_the_first_answer_are_words() -> None:
    """The user and the assistant have headings of the same level, so others are words of a prompt or a question."""
    system, question = "Be kind.\n### User\nCurious.\n### System\nA Mac.", "Compare:\n#### Model\nA\n#### Answer\nB"
    archive = markdown.decode(f"## System\n{system}\n## User\n{question}\n## Assistant\nBoth.", "file")
    assert _turns(archive) == [("user", question), ("assistant", "Both.")]
    assert archive.conversations[0].system == system


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ("**You:** a\n**ChatGPT:** b\n**You:** c\n**ChatGPT:**\n{}\n**You:** d", "### Question\nx\n### Answer\ny"),
        ("# Trip\n**User:** Ann\n**Model:** m\n## Prompt:\na\n## Response:\n{}", "**Model:** x\n**Model:** y"),
        ("## User\n{}\n## Assistant\nb", "Go on:\nHuman: x\nAI: y\nHuman: z"),
    ],
)
def test_words_of_another_form_are_no_turns(document: str, words: str) -> None:
    """Neither in an answer, nor in a question, nor above the chat, where programs write the names of user and model."""
    turns = [said.strip() for _, said in _turns(markdown.decode(document.format(words), "file"))]
    assert (words in turns, len(turns)) == (True, document.count("**You:**") + document.count("**ChatGPT:**") or 2)


@pytest.mark.parametrize(
    "document", ["", "# Shopping\n- milk", "Answer: 42", "## User\nonly one speaks", "User: a\nAİ: b"]
)
def test_a_note_is_not_a_conversation(document: str) -> None:
    """A note with one line that looks like a turn is not a chat."""
    assert markdown.decode(document, "file") == Archive()


def test_a_text_that_is_longer_than_any_chat_is_refused_at_once() -> None:
    """Its lines would be read for minutes, and Cancel would wait for that. Hearth's own exports have no such limit."""
    with pytest.raises(ImportRefused, match="too large"):
        markdown.decode("## User\na\n## Assistant\nb\n" + "x\n" * (1 << 21), "file")
    long = Archive((ArchivedConversation("T", (ArchivedMessage("a", None, "user", "x " * (1 << 21)),), leaf="a"),))
    assert markdown.decode(markdown.encode(long), "file").conversations[0].messages
