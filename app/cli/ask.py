"""`hearth ask`: checks the arguments, and has the same session, engine and stores as in the window make the answers."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Sequence
from pathlib import Path

import msgspec

from app.base import paths
from app.base.errors import BadArguments, BadBatchLine
from app.base.model_names import name_of
from app.base.own_values import OwnValues
from app.base.settings import ModelSettings
from app.base.terminal import complain, is_screen
from app.cli import headless, home
from app.cli.asker import AskedQuestion
from app.cli.printer import LivePrinter, Printer, TextPrinter
from app.macs.errors import MacMissing
from app.macs.groups import Groups
from app.macs.roster import workers
from storage.untrusted import UntrustedDataError, decode_json

_NOT_A_LINE = 'This is not a JSON object with the texts "conversation" and "prompt" and nothing else.'


def run(  # noqa: PLR0913 - what the user can say about an answer
    questions: tuple[AskedQuestion, ...],
    sampling: OwnValues,
    model: str | None,
    beside: Sequence[str],
    system: str,
    *,
    json: bool,
    thinking: bool,
    cached: bool,
) -> int:
    """Answer, print, and return the exit status: 0, 2 if an answer failed, 128 + N if signal N cut it short. Raises
    AppError.
    """
    if refusal := sampling.refusal:
        raise BadArguments(refusal)
    places = paths.find()
    saved = home.saved(places)
    model = home.model_meant(places, saved, model)
    paths.prepare(places)
    own = _beside(places, saved.of_model(model), beside)
    for_people = LivePrinter if is_screen() else TextPrinter
    printer = Printer() if json else for_people()
    with paths.temporary("group-") as files:
        group = None
        try:
            group = Groups(places, files).form(own.alias or name_of(Path(model)), own)
        except MacMissing as error:
            complain(str(error))
        request = headless.Request(
            group=group,
            questions=questions,
            load=saved.load_command(model),
            settings=own,
            sampling=sampling,
            quota=home.cache_quota(places, saved),
            system=system,
            cached=saved.cache_enabled and cached,
            thinking=thinking,
        )
        return headless.run(places, request, printer, "ask")


def _beside(places: paths.Paths, own: ModelSettings, names: Sequence[str]) -> ModelSettings:
    """The settings of a model that shall run on the Macs of these names, too; on those of its settings without any."""
    if not names:
        return own
    paired = workers(places).paired()
    macs = tuple(dict.fromkeys(home.mac_named(name, paired).fingerprint for name in names))
    return own if macs == own.macs else msgspec.structs.replace(own, macs=macs, shares=(), layer_times=())


def questions(prompt: str | None, conversation: str | None, batch: Path | None) -> tuple[AskedQuestion, ...]:
    """Return the questions that the user gave. Raises BadArguments."""
    if batch is not None:
        if prompt is not None or conversation is not None:
            raise BadArguments("--batch brings its own conversations and prompts.")
        return _batch(batch)
    if prompt is None or conversation is None:
        raise BadArguments("--conversation NAME and PROMPT are needed, or --batch FILE (see hearth ask --help).")
    if prompt == "-":
        try:
            prompt = home.content_of(prompt).decode()
        except UnicodeDecodeError as error:
            raise BadArguments("The prompt on stdin is not UTF-8 text.") from error
    return (_question(conversation, prompt),)


def _question(conversation: str, prompt: str) -> AskedQuestion:
    if not conversation.strip():
        raise BadArguments("The conversation's name is empty.")
    if not prompt.strip():
        raise BadArguments("The prompt is empty.")
    return AskedQuestion(conversation, prompt)


def _batch(path: Path) -> tuple[AskedQuestion, ...]:
    lines = home.content_of(str(path)).removeprefix(BOM_UTF8).split(b"\n")
    questions = tuple(_batch_line(path, number, line) for number, line in enumerate(lines, 1) if line.strip())
    if not questions:
        raise BadArguments(f"{path} holds no questions.")
    return questions


def _batch_line(path: Path, number: int, line: bytes) -> AskedQuestion:
    try:
        read = decode_json(line, AskedQuestion)
        return _question(read.conversation, read.prompt)
    except BadArguments as error:
        raise BadBatchLine(f"{path}, line {number}: {error}") from error
    except UntrustedDataError as error:
        raise BadBatchLine(f"{path}, line {number}: {_NOT_A_LINE}") from error
