"""Folders of code as one text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.base.errors import AttachmentRefused
from app.documents import folder, reading
from app.documents.folder import FOLDER, FolderCounts, Ignored, SkipReason, counts_in, pattern
from app.documents.limits import DocumentRefused


def _write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_a_folder_is_read_as_its_own_text_files(tmp_path: Path) -> None:
    """With a list of them. Nothing that .gitignore names, that is hidden, no link and no binary file."""
    root = _write(
        tmp_path / "proj",
        {
            ".gitignore": "*.log\n/build/\n!keep.log\n",
            "a.py": "print(1)\n",
            "keep.log": "kept",
            "x.log": "no",
            "build/out.py": "no",
            "src/build/b.py": "two",
            "src/.gitignore": "secret.py\n",
            "src/secret.py": "no",
            ".git/config": "no",
            "node_modules/m.js": "no",
        },
    )
    (root / "image.png").write_bytes(b"\x89PNG\x00")
    (root / "outside").symlink_to(tmp_path)
    text = reading.read(root).text
    assert text == (
        "Files of proj:\na.py\nkeep.log\nsrc/build/b.py\n\n"
        "a.py:\n```\nprint(1)\n```\n\nkeep.log:\n```\nkept\n```\n\nsrc/build/b.py:\n```\ntwo\n```\n"
    )


def test_a_guess_of_an_encoding_is_told_of_a_folder(tmp_path: Path) -> None:
    """As it is of a single file."""
    root = _write(tmp_path / "proj", {"a.py": "print('ä')", "b/c.py": "2"})
    assert not reading.read(root).guessed
    (root / "b" / "d.py").write_bytes("# Москва".encode("cp1251"))
    assert reading.read(root).guessed


@pytest.mark.parametrize("sign", ["\n", "\r", "\u2028", "\u202e", "\x85"])
def test_a_name_cannot_forge_a_section(tmp_path: Path, sign: str) -> None:
    """A sign in a name that would end its line, or reorder it, is written as an escape."""
    root = _write(tmp_path / f"pro{sign}j", {f"a{sign}b.py:{sign}forged": "print(1)\n"})
    text = reading.read(root).text
    escape = sign.encode("unicode_escape").decode()
    name = f"a{escape}b.py:{escape}forged"
    assert text == f"Files of pro{escape}j:\n{name}\n\n{name}:\n```\nprint(1)\n```\n"


def test_the_text_of_a_file_cannot_forge_a_section(tmp_path: Path) -> None:
    """The fences around a text are longer than any run of backticks in it."""
    forged = "```\n\nb.py:\n````\nforged"
    text = reading.read(_write(tmp_path / "proj", {"a.py": forged})).text
    assert text == f"Files of proj:\na.py\n\na.py:\n`````\n{forged}\n`````\n"


def test_files_that_are_left_out_are_counted(tmp_path: Path) -> None:
    """By reason, with one for an ignored folder. Hidden files do not count. The media type keeps the counts; one
    from elsewhere may have none.
    """
    files = {".gitignore": "/build/\n*.log\n", "a.py": "1", "b/c.py": "2", "x.log": "no", "build/out.py": "no"}
    root = _write(tmp_path / "proj", files | {"__init__.py": "", ".env": "no", "long.csv": "1,2\n" * 80_000})
    (root / "image.png").write_bytes(b"\x89PNG\x00")
    (root / "outside").symlink_to(tmp_path)
    left_out = {
        SkipReason.IGNORED: 2,
        SkipReason.EMPTY: 1,
        SkipReason.LARGE: 1,
        SkipReason.BINARY: 1,
        SkipReason.LINK: 1,
    }
    assert counts_in(reading.read(root).media) == FolderCounts(2, left_out)
    assert counts_in(FOLDER) is None
    assert counts_in("text/plain; files=3") is None


@given(st.text() | st.text("inode/directory; files=binary0123456789"))
def test_a_strange_media_type_has_counts_or_none(media: str) -> None:
    """It may come from a file of another app. Nothing is raised."""
    found = counts_in(media)
    assert found is None or found.files >= 0


def test_a_folder_that_is_too_large_or_empty_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one sentence that says what to attach instead."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(AttachmentRefused, match="“empty” has no text files"):
        reading.read(tmp_path / "empty")
    root = _write(tmp_path / "many", {f"{number}.txt": "x" for number in range(6)})
    monkeypatch.setattr(folder, "MOST_FILES", 5)
    with pytest.raises(DocumentRefused, match="Attach a folder in it"):
        folder.read(root)
    monkeypatch.setattr(folder, "_MOST_SEEN", 3)
    with pytest.raises(DocumentRefused, match="too many files"):
        folder.read(root)


@pytest.mark.parametrize(
    ("line", "path", "is_folder", "ignored"),
    [
        ("*.py", "a/b.py", False, True),
        ("*.py", "a/b.pyc", False, False),
        ("doc/*.txt", "doc/a.txt", False, True),
        ("doc/*.txt", "doc/x/a.txt", False, False),
        ("/todo", "a/todo", False, False),
        ("out/", "out", False, False),
        ("out/", "a/out", True, True),
        ("a/**/z", "a/z", False, True),
        ("a/**/z", "a/b/c/z", False, True),
        ("logs/**", "logs/a/b", False, True),
        ("x**y", "x1y", False, True),
        ("x**y", "x/y", False, False),
        ("/**a", "ba", False, True),
        ("/**a", "b/a", False, False),
        ("/**", "a/b", False, True),
        ("file[0-9]", "file7", False, True),
        ("file[!0-9]", "file7", False, False),
        ("file[!0-9]", "filex", False, True),
        ("a[!0-9]b", "a/b", False, False),
        ("a[^0-9]b", "a/b", False, False),
        ("wh?t", "what", False, True),
        (r"\#x", "#x", False, True),
        ("a b", "a b", False, True),
    ],
)
def test_patterns_are_those_of_git(line: str, path: str, *, is_folder: bool, ignored: bool) -> None:
    """As its manual describes them."""
    assert Ignored("", [line]).has(path, is_folder=is_folder) == ignored


def test_the_last_pattern_decides_and_inner_files_before_outer_ones() -> None:
    """A negation brings a file back."""
    outer = Ignored("", ["*.py", "!a.py"])
    inner = Ignored("sub", ["a.py", "!b.py"], outer)
    assert [outer.has(path, is_folder=False) for path in ("a.py", "b.py")] == [False, True]
    assert [inner.has(f"sub/{path}", is_folder=False) for path in ("a.py", "b.py", "c.py")] == [True, False, True]


@given(st.text(max_size=40))
def test_any_line_is_a_pattern_or_none(line: str) -> None:
    """Nothing that a file holds raises an error."""
    pattern(line)
