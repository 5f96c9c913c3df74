"""The words and the actions of a model's row: its badge, its lines, its buttons in order. Pure: no Qt widgets."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from resources.language.text import mark, plural, tr
from ui.intents import models
from ui.state.models import DownloadState, DownloadView, FitLevel, ModelRow, ModelState
from ui.theme.phrases import Badge, of_total, size

_NOT_NOW = mark("Your chats use this model. Pick another one first, then remove this one.")
_MINUTE_S = 60
_HOUR_S = 3600
_STATE_BADGES = {
    ModelState.INCOMPLETE: Badge(mark("Incomplete"), "danger"),
    ModelState.MISSING: Badge(mark("Not found"), "danger"),
    ModelState.UNUSABLE: Badge(mark("Not usable"), "danger"),
}
_FIT_BADGES = {
    FitLevel.FITS: Badge(mark("Fits well"), "success"),
    FitLevel.TIGHT: Badge(mark("Tight"), "warning"),
    FitLevel.TOGETHER: Badge(mark("On several Macs"), "accent"),
    FitLevel.TOO_LARGE: Badge(mark("Does not fit"), "danger"),
}


class RowAction(StrEnum):
    """A button of a row, or an entry of its menu."""

    NEW_CHAT = mark("New chat")
    DOWNLOAD = mark("Download")
    CONTINUE = mark("Continue")
    TRY_AGAIN = mark("Try again")
    PAUSE = mark("Pause")
    CANCEL = mark("Cancel download")
    USE = mark("Use this model")
    FILES = mark("Show files")
    SETTINGS = mark("Settings…")
    REMOVE = mark("Remove…")
    MORE = mark("More actions")


ICONS = {
    RowAction.NEW_CHAT: "message-square",
    RowAction.DOWNLOAD: "download",
    RowAction.CONTINUE: "download",
    RowAction.TRY_AGAIN: "refresh-cw",
    RowAction.PAUSE: "pause",
    RowAction.CANCEL: "x",
    RowAction.MORE: "ellipsis",
}
_INTENTS: dict[RowAction, Callable[[str], models.ModelIntent]] = {
    RowAction.NEW_CHAT: models.ChatWith,
    RowAction.USE: models.PickModel,
    RowAction.FILES: models.RevealModel,
    RowAction.REMOVE: models.RemoveModel,
    RowAction.PAUSE: models.PauseDownload,
    RowAction.CANCEL: models.CancelDownload,
}
_AT_REST = {
    DownloadState.QUEUED: mark("Waiting"),
    DownloadState.PAUSED: mark("Paused"),
    DownloadState.FAILED: mark("Stopped"),
}
FETCHING = frozenset({RowAction.DOWNLOAD, RowAction.CONTINUE, RowAction.TRY_AGAIN})
"""The actions that begin or continue a download."""
_DOWNLOAD_ACTIONS = {
    DownloadState.QUEUED: (RowAction.PAUSE, RowAction.CANCEL),
    DownloadState.RUNNING: (RowAction.PAUSE,),
    DownloadState.VERIFYING: (),
    DownloadState.PAUSED: (RowAction.CONTINUE, RowAction.CANCEL),
    DownloadState.FAILED: (RowAction.TRY_AGAIN, RowAction.CANCEL),
}


def open_download(row: ModelRow) -> DownloadView | None:
    """The row's download, unless it is done."""
    return row.download if row.download is not None and row.download.state is not DownloadState.DONE else None


def brought_nothing(row: ModelRow) -> bool:
    """Whether the row's download failed before any of it arrived, and the row need not say why."""
    match row.download:
        case DownloadView(state=DownloadState.FAILED, done=0, text=text):
            return row.explained or not text
        case _:
            return False


def badge(row: ModelRow) -> Badge | None:
    """The row's pill. A download shows its progress instead."""
    if open_download(row) is not None:
        return None
    if row.checking:
        return Badge(tr("Checking…"), "quiet")
    found = _STATE_BADGES.get(row.state) or _FIT_BADGES.get(row.fit.level)
    return found._replace(text=tr(found.text)) if found is not None else None


def second_line(row: ModelRow) -> str:
    """Why the model cannot be used, or what it is and how much it is used."""
    return row.note or " · ".join(filter(None, (row.detail, use_line(row))))


def divided(row: ModelRow, fits: Callable[[str], bool]) -> tuple[str, str]:
    """The second line as two: what one chooses by, size and context, and all else, with how the model is used first."""
    before, _, behind = row.detail.partition(row.figures) if row.figures else (row.detail, "", "")
    first, kind = before + row.figures, ""
    if row.figures and not fits(first):
        first, kind = row.figures, before
    second = " · ".join(filter(None, (use_line(row), kind.strip(" ·"), behind.strip(" ·"))))
    return first, second[:1].upper() + second[1:]


def use_line(row: ModelRow) -> str:
    """Whether chats use the model."""
    if row.loaded:
        return plural("in use by {count} chat", "in use by {count} chats", row.chats) if row.chats else tr("loaded")
    return plural("ready for {count} chat", "ready for {count} chats", row.warm_chats) if row.warm_chats else ""


def spoken(row: ModelRow) -> str:
    """The row for a screen reader."""
    pill, download = badge(row), open_download(row)
    about = (progress_line(download), download.text) if download is not None else (second_line(row),)
    return ", ".join(filter(None, (row.name, pill.text if pill else "", *about)))


def progress_line(download: DownloadView) -> str:
    """How far a download is: "3.1 of 5.2 GB · 48 MB/s · 45 s left". No amount if the hub has told no size yet."""
    amount = of_total(download.done, download.total) if download.total else ""
    match download.state:
        case DownloadState.RUNNING:
            rate = tr("{size}/s", size=size(round(download.rate))) if download.rate else ""
            return " · ".join(filter(None, (amount or tr("Starting"), rate, time_left(download.seconds_left))))
        case DownloadState.VERIFYING:
            return tr("Checking {total}", total=size(download.total))
        case DownloadState.DONE:
            return size(download.total)
        case _:
            return " · ".join(filter(None, (tr(_AT_REST[download.state]), amount)))


def progress_lines(download: DownloadView) -> tuple[str, ...]:
    """How far a download is, the longest text first: for rows with less and less room."""
    percent = tr("{percent:.0f}%", percent=100 * share(download))
    return progress_line(download), of_total(download.done, download.total), percent


def time_left(seconds: float | None) -> str:
    """The remaining time: "45 s left", "3 min left", "1 h 20 min left"; "" if unknown."""
    if seconds is None:
        return ""
    whole = max(1, round(seconds))
    if whole < _MINUTE_S:
        return tr("{seconds} s left", seconds=whole)
    hours, minutes = divmod(round(whole / _MINUTE_S), _HOUR_S // _MINUTE_S)
    if not hours:
        return tr("{minutes} min left", minutes=minutes)
    if not minutes:
        return tr("{hours} h left", hours=hours)
    return tr("{hours} h {minutes} min left", hours=hours, minutes=minutes)


def share(download: DownloadView) -> float:
    """The done part of a download, from 0 to 1."""
    return download.done / download.total if download.total else 0.0


def actions(row: ModelRow) -> tuple[RowAction, ...]:
    """The row's buttons, the main one first. A download of no use can be ended, and is not tried again. Nothing is
    offered of a model before it is known whether it can be used.
    """
    download = open_download(row)
    if download is not None:
        offered = _DOWNLOAD_ACTIONS[download.state]
        return offered if row.state is not ModelState.UNUSABLE else tuple(a for a in offered if a not in FETCHING)
    match row.state:
        case ModelState.READY:
            return () if row.checking else (RowAction.NEW_CHAT,)
        case ModelState.REMOTE:
            return (RowAction.DOWNLOAD,)
        case ModelState.INCOMPLETE if row.repository:
            return (RowAction.CONTINUE,)
        case _:
            return ()


def menu_actions(row: ModelRow) -> tuple[RowAction, ...]:
    """The entries of the row's menu: what its buttons do, and what else can be done with the model."""
    is_ready, is_written = row.state is ModelState.READY, open_download(row) is not None
    is_elsewhere = row.state in {ModelState.REMOTE, ModelState.MISSING} or row.id == row.repository
    others = {
        RowAction.CANCEL: is_written,
        RowAction.USE: is_ready and not (row.loaded or row.checking),
        RowAction.SETTINGS: is_ready,
        RowAction.FILES: not (is_elsewhere or is_written),
        RowAction.REMOVE: row.removable and not is_written,
    }
    return tuple(dict.fromkeys((*actions(row), *(action for action, can in others.items() if can))))


def buttons(row: ModelRow) -> tuple[RowAction, ...]:
    """The row's buttons, with one for its menu if that has more."""
    offered = actions(row)
    return (*offered, RowAction.MORE) if set(menu_actions(row)) - set(offered) else offered


def why_kept(row: ModelRow) -> str:
    """Why the model cannot be removed now; empty if it can."""
    return tr(_NOT_NOW) if row.loaded or row.wanted else ""


def intent_of(action: RowAction, row: ModelRow, revision: str = "") -> models.ModelIntent:
    """The intent of an action that has one. `revision` is the commit to download, if it is known."""
    if action in FETCHING:
        return models.Download(row.repository or row.id, revision)
    is_of_download = action in {RowAction.PAUSE, RowAction.CANCEL}
    return _INTENTS[action](row.repository or row.id if is_of_download else row.id)
