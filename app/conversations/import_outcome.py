"""ImportOutcome: what the files of an import brought, in words. No Qt."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from app.base.errors import notice
from app.import_export.import_summary import Remarks, counts, sentence
from resources.language.text import plural, tr
from ui.theme.phrases import enumerated, one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from storage.library.archive import Archive
    from storage.library.archive_import import ArchiveImport
    from ui.intents.notice import Notice

_BOTH: Final = 2
_MOST_TOLD: Final = 3
"""So many files that were refused are named, with the reason, and so many chats that were left out."""


@dataclass(slots=True)
class ImportOutcome:
    """The files that were imported, the ids of their chats that are new or were here already, how many prompts and
    presets are new, the errors of the files that were refused, and whether the user has cancelled the rest.
    """

    paths: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    here: list[str] = field(default_factory=list)
    prompts: int = 0
    presets: int = 0
    errors: list[Exception] = field(default_factory=list)
    is_cancelled: bool = False
    _remarks: Remarks = field(default_factory=Counter)
    _left_out: list[str] = field(default_factory=list)
    _has_own: bool = False

    def add(self, path: str, complete: ArchiveImport, archive: Archive) -> None:
        """What `archive`, the file at `path`, has was imported."""
        self.paths.append(path)
        self.made += complete.ids
        self.here += complete.here
        self._remarks.update(dict(archive.remarks))
        self._left_out += archive.left_out

    def add_own(self, prompts: int, presets: int) -> None:
        """A file had prompts or presets, of which so many are new."""
        self._has_own = True
        self.prompts += prompts
        self.presets += presets

    @property
    def files(self) -> int:
        """How many files were imported or refused."""
        return len(self.paths) + len(self.errors)

    @property
    def is_known(self) -> bool:
        """Whether the files have chats, and all of them were here already."""
        return bool(self.here) and not self.made

    @property
    def only_chat(self) -> str:
        """The only chat of all files, or ""."""
        chats = {*self.made, *self.here}
        return chats.pop() if len(chats) == 1 else ""

    @property
    def words(self) -> str:
        """The sentences about what came; empty if no file could be imported."""
        own = _own(self.prompts, self.presets) if self._has_own else ""
        told = (
            _counted(len(self.made), len(self.here)),
            own,
            sentence(counts(self._remarks)),
            _named(self._left_out),
        )
        cancelled = tr("The import was cancelled.") if self.is_cancelled else ""
        return " ".join(filter(None, (cancelled, *told)))

    def refusals(self) -> Iterator[Notice]:
        """One notice for each kind of error, because a notice replaces an earlier one of its kind."""
        kinds: dict[str, list[Notice]] = {}
        for error in self.errors:
            told = notice(error)
            kinds.setdefault(told.key, []).append(told)
        for first, *others in kinds.values():
            texts = list(dict.fromkeys((first.text, *(one.text for one in others))))
            yield replace(first, text="\n".join((*texts[:_MOST_TOLD], *_more(len(texts) - _MOST_TOLD))))


def _more(count: int) -> tuple[str, ...]:
    if count <= 0:
        return ()
    return (plural("{count} other file was not imported.", "{count} other files were not imported.", count),)


def _counted(made: int, here: int) -> str:
    """The sentence about the chats of the files; empty if they have none."""
    if made and here:
        known = plural("{count} was here already", "{count} were here already", here)
        return plural("{count} chat imported, {known}.", "{count} chats imported, {known}.", made, known=known)
    if here == _BOTH:
        return tr("Both chats are here already.")
    if here:
        return plural("This chat is here already.", "All {count} chats are here already.", here)
    return plural("{count} chat imported.", "{count} chats imported.", made) if made else ""


def _named(titles: list[str]) -> str:
    """The sentence about chats that were left out; empty if there are none, or none has a title."""
    shown = [quoted(title) for title in titles if one_line(title)]
    if len(shown) > _MOST_TOLD:
        return tr("Left out: {titles} and others.", titles=", ".join(shown[:_MOST_TOLD]))
    return tr("Left out: {titles}.", titles=enumerated(shown)) if shown else ""


def _own(prompts: int, presets: int) -> str:
    """The sentence about what came beside the chats."""
    prompts_words = plural("{count} prompt was added.", "{count} prompts were added.", prompts)
    presets_words = plural("{count} preset was added.", "{count} presets were added.", presets)
    told = " ".join(words for count, words in ((prompts, prompts_words), (presets, presets_words)) if count)
    return told or tr("The prompts and presets are here already.")
