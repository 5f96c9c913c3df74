"""The content of a text document as plain values that can be compared."""

from __future__ import annotations

from PySide6.QtGui import QTextBlock, QTextDocument

from ui.transcript.blocks import TextProperty

Run = tuple[str, str, bool, str]
Shown = tuple[str, str, float, tuple[Run, ...]]


def shown(document: QTextDocument) -> list[Shown]:
    """One entry for each block: kind, nesting, left margin, and its runs as (text, colour, pill, address)."""
    found: list[Shown] = []
    block = document.begin()
    while block.isValid():
        form = block.blockFormat()
        found.append(
            (
                form.stringProperty(TextProperty.KIND),
                form.stringProperty(TextProperty.NEST),
                form.leftMargin(),
                runs(block),
            )
        )
        block = block.next()
    return found


def runs(block: QTextBlock) -> tuple[Run, ...]:
    """The block's text by format. Neighbours that look the same form one run."""
    found: list[Run] = []
    iterator = block.begin()
    while not iterator.atEnd():
        fragment = iterator.fragment()
        form = fragment.charFormat()
        look = (form.foreground().color().name(), form.hasProperty(TextProperty.PILL), form.anchorHref())
        if found and found[-1][1:] == look:
            found[-1] = (found[-1][0] + fragment.text(), *look)
        else:
            found.append((fragment.text(), *look))
        iterator += 1
    return tuple(found)


def texts(document: QTextDocument, *kinds: str) -> list[str]:
    """The text of each block of these kinds, or of all blocks if no kind is given."""
    blocks = shown(document)
    return ["".join(run[0] for run in block[3]) for block in blocks if not kinds or block[0] in kinds]
