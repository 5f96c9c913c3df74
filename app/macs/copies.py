"""Copies models to Macs that lack them, one after another, as the user answers notices. Runs on the window's thread; a
thread of its own looks at the files and sends them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from app.base.errors import words
from app.base.ports import NoticeSink, Runner
from app.macs.calls import MacCalls
from app.macs.roster import Mac
from resources.language.text import tr
from ui.intents.macs import CopyToMac, StopCopy
from ui.intents.notice import Notice
from ui.theme.phrases import of_total

COPY: Final = "macs:copy:"
"""A notice about a model that a Mac lacks, whose folder follows."""


@dataclass(eq=False)
class Copies:
    """Offers to copy a model, and shows how far the copy is. `arrived` is called when a Mac has all of a model, with a
    sentence that says so. `name_of` returns the name of a model for people, `repository_of` that of its copy.
    """

    _calls: MacCalls
    _thread: Runner
    _sink: NoticeSink
    _name_of: Callable[[str], str]
    _repository_of: Callable[[str], str]
    _arrived: Callable[[str, str], object]
    _lacking: dict[str, Mac] = field(init=False, default_factory=dict)
    _model: str = field(init=False, default="")
    _queue: list[str] = field(init=False, default_factory=list)
    _shown: str = field(init=False, default="")
    _goes_on: bool = field(init=False, default=True)
    _progress: tuple[int, int] = field(init=False, default=(0, 0))

    def look(self, model: str, macs: tuple[Mac, ...]) -> None:
        """Offer to copy a model to the first of these Macs that lacks it."""
        if model != self._model:
            # A model whose files cannot be read is not offered; its load says why.
            look = partial(self._calls.lacking, model, macs)
            self._thread.run(look, partial(self._offer, model), lambda _error: None)

    def begin(self, model: str) -> None:
        """The user wants the copy of a model, after the one that is under way."""
        if model not in self._lacking or model in (self._model, *self._queue):
            return
        mac = self._lacking[model]
        if self._model:
            self._queue.append(model)
            text = tr("{name} is copied to {mac} next.", name=self._name_of(model), mac=mac.name)
            self._sink.show_notice(Notice(COPY + model, text, tr("Stop"), intent=StopCopy(model)))
        else:
            self._model, self._progress, self._shown, self._goes_on = model, (0, 0), "", True
            self.tick()
            copy = partial(self._calls.copy, model, self._repository_of(model), mac, self._note)
            self._thread.run(copy, lambda _: self._done(mac), self._failed)

    def stop(self, model: str) -> None:
        """The user wants the copy of a model no longer."""
        if model == self._model:
            self._goes_on = False
        elif model in self._queue:
            self._queue.remove(model)
            self._offer(model, (self._lacking[model],))

    def tick(self) -> None:
        """Every second: show how far the copy is."""
        if self._model not in self._lacking:
            return
        name, mac = self._name_of(self._model), self._lacking[self._model].name
        text = tr("Copying {name} to {mac}: {amount}", name=name, mac=mac, amount=of_total(*self._progress))
        if text != self._shown:
            self._shown = text
            self._sink.show_notice(Notice(COPY + self._model, text, tr("Stop"), intent=StopCopy(self._model)))

    def leave(self, mac: str) -> None:
        """A Mac is not paired any more: end a copy to it, and offer none."""
        for model in [model for model, to in self._lacking.items() if to.fingerprint == mac]:
            self.stop(model)
            del self._lacking[model]
            self._sink.clear_notice(COPY + model)

    def close(self) -> None:
        """End the copy. What arrived stays there, and the next one continues."""
        self._goes_on = False
        self._queue.clear()

    def _offer(self, model: str, lacking: tuple[Mac, ...]) -> None:
        if model in (self._model, *self._queue):  # the user wanted it meanwhile
            return
        self._sink.clear_notice(COPY + model)
        self._lacking.pop(model, None)
        if lacking:
            self._lacking[model] = lacking[0]
            name, mac = self._name_of(model), lacking[0].name
            text = tr("{name} is not on {mac} yet, so it cannot run there.", name=name, mac=mac)
            self._sink.show_notice(Notice(COPY + model, text, tr("Copy it there"), intent=CopyToMac(model)))

    def _note(self, done: int, total: int) -> bool:
        """On the thread that copies."""
        self._progress = done, total
        return self._goes_on

    def _done(self, mac: Mac) -> None:
        model, self._model = self._model, ""
        self._sink.clear_notice(COPY + model)
        self._lacking.pop(model, None)
        self._arrived(model, tr("{name} is on {mac} now.", name=self._name_of(model), mac=mac.name))
        self._go_on()

    def _failed(self, error: Exception) -> None:
        model, self._model = self._model, ""
        if model in self._lacking:
            self._sink.show_notice(Notice(COPY + model, words(error), tr("Continue"), intent=CopyToMac(model)))
        self._go_on()

    def _go_on(self) -> None:
        if self._queue:
            self.begin(self._queue.pop(0))
