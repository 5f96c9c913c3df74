"""The row under a message: its actions and its figures. No Qt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from resources.language.text import tr
from ui.markdown.grammar import clean
from ui.markdown.lines import Line, LineKind
from ui.markdown.spans import BREAK, Span, Style
from ui.state.chat import MessageState, MessageView
from ui.theme.direction import is_right_to_left
from ui.theme.long_texts import LONGEST, cut
from ui.theme.phrases import show_all
from ui.transcript.anchors import WHOLE_MESSAGE, AnchorAction, Verb
from ui.transcript.question_lines import is_long, line_count, question_text

ICON = "\ufffc"
SPACE = Span("   ")
_BESIDE_STEPS = Span("\u2002\u2009")
"""Enough for the ring around an icon."""
_BESIDE_ICON = Span("\u2004")
"""Enough for the mark of one icon to leave out the other."""
_ISOLATED = "\u2068{}\u2069"
"""Figures stay in order among Arabic letters."""
_CUT = {MessageState.STOPPED, MessageState.INTERRUPTED}
"""The states of answers that can be continued."""


class Footer(NamedTuple):
    """The row of one message. `newest` is set for the last message of the conversation, `copied` for a moment after the
    user copied the message, and `folded` until the user unfolds a long question. `signed` names the model of a reply.
    """

    view: MessageView
    newest: bool = False
    copied: bool = False
    folded: bool = True
    signed: bool = False

    def of_question(self) -> Line:
        """The row under a question. Its icons to copy, edit and delete have their place and are invisible until the
        mouse is near. Level 1 means that the row always shows something: alternatives, or the link that unfolds.
        """
        shown = [group for group in (self._fold(), self._steps()) if group]
        groups = [[one] for one in self._handles()]
        spans = [span for group in (*groups, *shown) for span in (SPACE, *group)]
        return Line(LineKind.HANDLES, tuple(spans[1:]), level=int(bool(shown)))

    def _handles(self) -> Iterator[Span]:
        if self.view.text.strip():
            yield copy_icon(AnchorAction("copy", self.view.id), tr("Copy this message"), done=self.copied)
        yield icon("pencil", AnchorAction("edit", self.view.id), tr("Edit this message"))
        tip = tr("Delete this message and its answer. You can undo that.")
        yield icon("trash-2", AnchorAction("delete", self.view.id), tip)

    @property
    def _is_mirrored(self) -> bool:
        return self.view.role == "assistant" and is_right_to_left(self.view.text)

    def _fold(self) -> list[Span]:
        text = question_text(self.view.text)
        if not is_long(text):
            return []
        words = show_all(line_count(text), len(text)) if self.folded else tr("Show less")
        return [link("fold", self.view.id, words, words)]

    def of_reply(self) -> Iterator[Line]:
        """The row under a reply, if it has any content. While a reply is generated, the row only shows its
        alternatives. It begins on the side where the reply does.
        """
        if self.view.state is MessageState.OPEN:
            groups = [self._steps()]
        else:
            groups = [self._icons(), self._steps(), self._figures(), self._resume()]
        spans = [span for group in groups if group for span in (SPACE, *group)]
        if spans:
            yield Line(LineKind.FOOTER, tuple(spans[1:]), mirrored=self._is_mirrored)

    def _icons(self) -> list[Span]:
        spans: list[Span] = []
        if self.view.text.strip():
            spans += [SPACE, copy_icon(AnchorAction("copy", self.view.id), tr("Copy this answer"), done=self.copied)]
        if not (self.newest and self.view.state is MessageState.FAILED and not self.view.too_long):
            tip = tr("Write this answer again (right click for more)")
            spans += [SPACE, icon("refresh-cw", AnchorAction("alternatives", self.view.id, 1), tip)]
            if self.newest:
                arrow = icon("chevron-down", AnchorAction("choose", self.view.id), tr("Write several answers"))
                spans += [_BESIDE_ICON, arrow]
        if self.view.text.strip():
            spans += [
                SPACE,
                icon("git-branch", AnchorAction("fork", self.view.id), tr("Fork: go on from here in a new chat")),
            ]
        return spans[1:]

    def _steps(self) -> list[Span]:
        place, places = self.view.place, self.view.places
        if places <= 1:
            return []
        back, forth = ("chevron-left", "chevron-right")[:: -1 if self._is_mirrored else 1]
        return [
            self._step(-1, back, tr("Previous alternative"), offered=place > 1),
            _BESIDE_STEPS,
            Span(f"{place}/{places}"),
            _BESIDE_STEPS,
            self._step(1, forth, tr("Next alternative"), offered=place < places),
        ]

    def _step(self, by: int, name: str, tip: str, *, offered: bool) -> Span:
        if not offered:
            return Span(ICON, Style(icon=name, tip=tr("There is none"), muted=True))
        return icon(name, AnchorAction("step", self.view.id, by), tip)

    def _figures(self) -> list[Span]:
        signature = displayable(self.view.writer) if self.signed else ""
        text = " · ".join(filter(None, (signature, *map(_whole, displayable(self.view.footer).split(" · ")))))
        writer = tr("Written by {model}", model=self.view.writer) if self.view.writer else ""
        return [Span(_ISOLATED.format(text) if self._is_mirrored else text, Style(tip=writer))] if text else []

    def _resume(self) -> list[Span]:
        if not self.newest or self.view.state not in _CUT:
            return []
        return [link("extend", self.view.id, tr("Continue"), tr("Go on where this answer ended"))]


def icon(name: str, action: AnchorAction, tip: str) -> Span:
    """An icon that the user can click."""
    return Span(ICON, Style(icon=name, href=action.href, tip=tip))


def copy_icon(action: AnchorAction, tip: str, *, done: bool) -> Span:
    """The icon that copies. It becomes a tick for a moment after a click."""
    return icon("check" if done else "copy", action, tr("Copied") if done else tip)


def link(verb: Verb, message: str, text: str, tip: str) -> Span:
    """A link that the user can click."""
    return Span(text, Style(href=AnchorAction(verb, message, WHOLE_MESSAGE).href, tip=tip))


def _whole(figure: str) -> str:
    """A figure in which no line ends: a number stays with its unit. Words may be long, and break as others do."""
    return figure.replace(" ", "\u00a0") if figure[:1].isdigit() else figure


def displayable(text: str, longest: int = LONGEST) -> str:
    """The beginning of a text from the app, without the characters that a document cannot hold."""
    text = cut(text, longest)
    return clean(text).replace("\n", BREAK)
