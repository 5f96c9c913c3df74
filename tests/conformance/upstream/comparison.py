"""What differs between two versions of mlx-lm, as rows of a table. Pure: it runs nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from typing import Final

from tests.conformance.table import ALONE, EXACT, REFUSED, UNLOADED, WRONG, Checked

_WORTH: Final = {EXACT: 3, ALONE: 2, REFUSED: 1, UNLOADED: 0, WRONG: 0}
_SLOWER: Final = 2.0
_LEAST_SECONDS: Final = 0.5
"""The time of a family is a difference if it doubled or halved, and by more than this."""

_HEAD: Final = "| | what | before | after | |\n|---|---|---|---|---|"


@dataclass(frozen=True)
class Difference:
    """One row. `broken`: it worked before, and does not any more."""

    subject: str
    what: str
    before: str
    after: str
    broken: bool = False

    def __str__(self) -> str:
        cells = (self.subject, self.what, self.before, self.after, "BROKEN" if self.broken else "")
        return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def table(differences: Sequence[Difference]) -> str:
    """All rows under their head, the broken ones first."""
    return "\n".join([_HEAD, *map(str, sorted(differences, key=lambda row: not row.broken))])


def of_versions(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Difference]:
    """Packages that the new environment has in another version, or only the new one has."""
    for name in sorted(after):
        if before.get(name) != after[name]:
            yield Difference(name, "version", before.get(name, ""), after[name])


def of_offers(before: Sequence[str], after: Sequence[str], worked: set[str]) -> Iterator[Difference]:
    """Families that came and went. `worked`: those that worked before."""
    for name in sorted({*before} ^ {*after}):
        if name in after:
            yield Difference(name, "family", "", "new: needs a configuration")
        else:
            yield Difference(name, "family", "", "gone", broken=name in worked)


def engine_refused(last_words: str) -> Difference:
    """The row instead of all families, if the engine cannot be imported."""
    return Difference("engine", "import", "", last_words, broken=True)


def working(checked: Sequence[Checked]) -> set[str]:
    """The families that answer exactly."""
    return {each.row.family for each in checked if _WORTH[each.row.verdict]}


def of_families(before: Sequence[Checked], after: Sequence[Checked]) -> Iterator[Difference]:
    """Families of both versions with another outcome."""
    old = {each.row.family: each for each in before}
    for new in after:
        if each := old.get(new.row.family):
            yield from _of_family(each, new)


def _of_family(old: Checked, new: Checked) -> Iterator[Difference]:
    name = new.row.family
    if old.row.verdict != new.row.verdict:
        broken = _WORTH[new.row.verdict] < _WORTH[old.row.verdict]
        yield Difference(name, "outcome", _outcome(old), _outcome(new), broken)
    if new.row.caches and old.row.caches not in {"", new.row.caches}:
        yield Difference(name, "caches", old.row.caches, new.row.caches)
    if new.row.batching and old.row.batching not in {"", new.row.batching}:
        yield Difference(name, "shares steps", old.row.batching, new.row.batching)
    if _is_other_time(old.seconds, new.seconds):
        yield Difference(name, "time", f"{old.seconds:.1f} s", f"{new.seconds:.1f} s")


def _outcome(checked: Checked) -> str:
    row = checked.row
    return f"{row.verdict}: {row.reason}" if row.verdict in {WRONG, UNLOADED} else row.verdict


def _is_other_time(old: float, new: float) -> bool:
    quick, slow = sorted((old, new))
    return quick > 0 and slow > _SLOWER * quick and slow - quick > _LEAST_SECONDS


def of_symbols(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Difference]:
    """What Hearth uses and the new version lacks, or has with another source."""
    for name in sorted(before):
        new = after.get(name, "")
        if before[name] and not new:
            yield Difference(name, "symbol", "", "missing", broken=True)
        elif before[name] != new:
            lines = [line[0] for line in _diff(name, before[name], new)]
            yield Difference(name, "symbol", "", f"changed, +{lines.count('+') - 1} -{lines.count('-') - 1} lines")


def diff(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """How the source of each symbol changed, for `less` and for review."""
    return "".join(line for name in sorted(before) for line in _diff(name, before[name], after.get(name, "")))


def _diff(name: str, before: str, after: str) -> Iterator[str]:
    lines = unified_diff(before.splitlines(), after.splitlines(), name, name, lineterm="")
    return (f"{line}\n" for line in lines)
