"""Reads the translations of one language: a file of Qt Linguist (.ts) beside this module.

A message that Linguist shows as unfinished is not used, so that its English text is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

FOLDER = Path(__file__).resolve().parent
NAMES = {"en": "English", "de": "Deutsch"}
"""The languages that Hearth speaks, each in its own words. English is the text in the code and needs no file."""


def path_of(code: str) -> Path:
    """The file with the translations of a language."""
    return FOLDER / f"{code}.ts"


def read(code: str) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """The translations by source text and comment: one form, or one for each plural form of the language."""
    if code == "en":
        return {}
    messages = ET.parse(path_of(code)).iter("message")  # noqa: S314 - a file of our own, shipped with the app
    return {
        (message.findtext("source", ""), message.findtext("comment", "")): forms
        for message in messages
        if (forms := _forms(message.find("translation")))
    }


def _forms(translation: ET.Element | None) -> tuple[str, ...]:
    if translation is None or translation.get("type") is not None:
        return ()
    plural = tuple(form.text or "" for form in translation.iter("numerusform"))
    return plural or (translation.text or "",)
