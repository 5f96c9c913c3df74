"""Copies models to Macs that lack them, one after another, as the user answers notices. Runs on the window's thread; a
thread of its own looks at the files and sends them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from app.base.errors import words
from resources.language.text import tr
from ui.intents.macs import CopyToMac, StopCopy
from ui.intents.notice import Notice
from ui.theme.phrases import of_total

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import Worker as Thread
    from app.macs.roster import Mac

COPY: Final = "macs:copy:"
"""A notice about a model that a Mac lacks, whose folder follows."""


@dataclass(frozen=True, slots=True)
class CopyPorts:
    """`lacking` returns those of some Macs that do not have a model, given by its folder; `copy` copies it to one and
    tells how many bytes of how many are there, until that returns False. Both block and may raise AppError.

    `arrived` is called when a Mac has all of a model, with a sentence that says so.
    """

    lacking: Callable[[str, tuple[Mac, ...]], tuple[Mac, ...]]
    copy: Callable[[str, Mac, Callable[[int, int], bool]], object]
    thread: Thread
    name_of: Callable[[str], str]
    show: Callable[[Notice], object]
    clear: Callable[[str], object]
    arrived: Callable[[str, str], object]


class Copies:
    """Offers to copy a model, and shows how far the copy is."""

    def __init__(self, ports: CopyPorts) -> None:
        self._ports = ports
        self._lacking: dict[str, Mac] = {}
        self._model = ""
        self._progress = (0, 0)
        self._shown = ""
        self._goes_on = True

    def look(self, model: str, macs: tuple[Mac, ...]) -> None:
        """Offer to copy a model to the first of these Macs that lacks it."""
        if model != self._model:
            self._ports.thread.run(partial(self._ports.lacking, model, macs), partial(self._offer, model), _ignore)

    def begin(self, model: str) -> None:
        """The user wants the copy of a model."""
        if model in self._lacking and not self._model:
            self._begin(model, self._lacking[model])

    def stop(self, model: str) -> None:
        """The user wants the copy of a model no longer."""
        if model == self._model:
            self._goes_on = False

    def tick(self) -> None:
        """Every second: show how far the copy is."""
        if self._model:
            self._show_progress()

    def leave(self, mac: str) -> None:
        """A Mac is not paired any more: end a copy to it."""
        if self._model and self._lacking[self._model].fingerprint == mac:
            self._goes_on = False

    def close(self) -> None:
        """End the copy. What arrived stays there, and the next one continues."""
        self._goes_on = False

    def _offer(self, model: str, lacking: tuple[Mac, ...]) -> None:
        if model == self._model:  # its copy began meanwhile
            return
        self._ports.clear(COPY + model)
        self._lacking.pop(model, None)
        if lacking:
            self._lacking[model] = lacking[0]
            name, mac = self._ports.name_of(model), lacking[0].name
            text = tr("{name} is not on {mac} yet, so it cannot run there.", name=name, mac=mac)
            self._ports.show(Notice(COPY + model, text, tr("Copy it there"), intent=CopyToMac(model)))

    def _begin(self, model: str, mac: Mac) -> None:
        self._model, self._progress, self._shown, self._goes_on = model, (0, 0), "", True
        self._show_progress()
        copy = partial(self._ports.copy, model, mac, self._note)
        self._ports.thread.run(copy, lambda _: self._done(mac), self._failed)

    def _note(self, done: int, total: int) -> bool:
        """On the thread that copies."""
        self._progress = done, total
        return self._goes_on

    def _show_progress(self) -> None:
        mac = self._lacking[self._model].name
        text = tr(
            "Copying {name} to {mac}: {amount}",
            name=self._ports.name_of(self._model),
            mac=mac,
            amount=of_total(*self._progress),
        )
        if text != self._shown:
            self._shown = text
            self._ports.show(Notice(COPY + self._model, text, tr("Stop"), intent=StopCopy(self._model)))

    def _done(self, mac: Mac) -> None:
        model, self._model = self._model, ""
        self._ports.clear(COPY + model)
        del self._lacking[model]
        self._ports.arrived(model, tr("{name} is on {mac} now.", name=self._ports.name_of(model), mac=mac.name))

    def _failed(self, error: Exception) -> None:
        model, self._model = self._model, ""
        self._ports.show(Notice(COPY + model, words(error), tr("Continue"), intent=CopyToMac(model)))


def _ignore(_error: Exception) -> None:
    """A model whose files cannot be read is not offered; its load says why."""
