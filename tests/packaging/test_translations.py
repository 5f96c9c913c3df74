"""The translations are complete, and agree with the code."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import translations
from translations import Text

from resources.language import catalogue

TEXTS = cache(translations.found_texts)
LANGUAGES = sorted(set(catalogue.NAMES) - {"en"})
FIELD = re.compile(r"(?<!\{)\{(\w+)")


def fields(text: str) -> set[str]:
    return set(FIELD.findall(text))


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_text_is_translated(code: str) -> None:
    """Nothing is shown half in English, and no translation is left of a text that is gone."""
    read = catalogue.read(code)
    texts = {(text.source, text.comment) for text in TEXTS()}
    assert sorted(texts - set(read)) == [], "`make translations` adds them, to be translated"
    assert sorted(set(read) - texts) == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_translation_has_the_fields_of_its_text(code: str) -> None:
    """The form for one may leave the number out: "one chat"."""
    for (source, _), forms in catalogue.read(code).items():
        for number, form in enumerate(forms):
            optional = {"count"} if len(forms) > 1 and number == 0 else set()
            assert fields(form) | optional == fields(source) | optional, source


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_text_that_depends_on_a_number_has_its_forms(code: str) -> None:
    """German has two, as English has."""
    read = catalogue.read(code)
    for text in TEXTS():
        assert len(read[text.source, text.comment]) == (2 if text.one else 1), text


@pytest.mark.parametrize("code", LANGUAGES)
def test_blanks_and_endings_are_kept(code: str) -> None:
    """A menu entry that opens a dialog has an ellipsis in each language, and a sentence ends as it should."""
    for (source, _), forms in catalogue.read(code).items():
        for form in forms:
            assert form == form.strip(), source
            assert source.endswith("…") == form.endswith("…"), source
            assert not re.search(r"[^ \s]…$", form), f"German puts a blank before the ellipsis: {form}"
            assert not re.search(r"[\"“](?=\w)|(?<=\w)”", form), f"German quotes „so“: {form}"


@pytest.mark.parametrize("code", LANGUAGES)
def test_linguist_reads_the_file(code: str, tmp_path: Path) -> None:
    """Translators work with Qt Linguist, whose compiler must accept every message."""
    compiler = shutil.which("pyside6-lrelease", path=str(Path(sys.executable).parent))
    assert compiler is not None
    done = subprocess.run(
        [compiler, str(catalogue.path_of(code)), "-qm", str(tmp_path / "a.qm")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "0 unfinished" in done.stdout
    assert "ignored" not in done.stdout.lower()


def test_a_set_of_sampling_values_has_one_name() -> None:
    """It is a preset where it is picked, in its own menu and dialogs, and in the settings. It was a style in some."""
    for (text, _comment), forms in catalogue.read("de").items():
        assert not re.search(r"\bstyles?\b", text, re.IGNORECASE), text
        assert not any(re.search(r"\bStile?\b", form) for form in forms), forms


def test_a_percent_sign_follows_its_number_as_the_language_has_it() -> None:
    """English writes 100%, German 100 %."""
    for (text, _comment), forms in catalogue.read("de").items():
        assert not re.search(r"[}\d]\s%", text), text
        assert not any(re.search(r"[}\d]%", form) for form in forms), forms


def test_the_disk_has_one_name_in_german() -> None:
    """German texts call the disk “Festplatte” on every system. Linux users do not say “Volume”."""
    for (text, _comment), forms in catalogue.read("de").items():
        assert not any(re.search(r"\b(Volumes?|Datenträger\w*|Laufwerk\w*)\b", form) for form in forms), text


def test_the_texts_of_a_module_are_found() -> None:
    """Calls with a literal, also one of two; a comment tells meanings apart."""
    module = ast.parse("""
tr("Open", "state")
_NAME = mark("Title")
plural("{count} chat", "{count} chats", n)
_LAYERS = mark_plural("{count} layer", "{count} layers")
tr("Pin" if new else "Unpin", name=name)
tr(_NAME)
sentence("{why}.", why=why)
other("No text")
""")
    assert set(translations.texts_of(module)) == {
        Text("Open", "state"),
        Text("Title"),
        Text("{count} chats", one="{count} chat"),
        Text("{count} layers", one="{count} layer"),
        Text("Pin"),
        Text("Unpin"),
        Text("{why}."),
    }


def spoken_at_import(node: ast.AST) -> Iterator[str]:
    """The calls that speak a language while a module is imported: those in no function, and in defaults of one."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"tr", "plural"}:
        yield f"line {node.lineno}: {ast.unparse(node)}"
    inside: Iterable[ast.AST] = ast.iter_child_nodes(node)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        inside = (*node.args.defaults, *filter(None, node.args.kw_defaults), *getattr(node, "decorator_list", ()))
    for child in inside:
        yield from spoken_at_import(child)


def test_no_text_is_spoken_at_import() -> None:
    """A module is imported before the language is known, so such a text would stay English."""
    found = {
        str(path): calls
        for folder in translations.FOLDERS
        for path in sorted((translations.ROOT / folder).rglob("*.py"))
        if (calls := list(spoken_at_import(ast.parse(path.read_text("utf-8")))))
    }
    assert found == {}
    assert list(spoken_at_import(ast.parse("def ask(no=tr('No')): tr('Yes')"))) == ["line 1: tr('No')"]


def test_an_update_keeps_translations_and_drops_what_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new text is unfinished until it is translated. A text that has become plural is translated anew."""
    file = tmp_path / "xx.ts"
    file.write_text(
        "<TS version='2.1'><context><name>Hearth</name>"
        "<message><source>Open</source><translation>Auf</translation></message>"
        "<message><source>{count} chats</source><translation>Chats</translation></message>"
        "<message><source>Gone</source><translation>Weg</translation></message></context></TS>"
    )
    texts = {Text("Open"): {"ui/a.py"}, Text("{count} chats", one="{count} chat"): {"ui/b.py"}}
    monkeypatch.setattr(translations, "found_texts", lambda: texts)
    assert translations.update(file) == 1
    messages = {message.findtext("source"): message for message in ET.parse(file).iter("message")}  # noqa: S314 - our own
    assert set(messages) == {"Open", "{count} chats"}
    assert messages["Open"].findtext("translation") == "Auf"
    assert messages["{count} chats"].get("numerus") == "yes"
    assert len(messages["{count} chats"].findall("translation/numerusform")) == 2
