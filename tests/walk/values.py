"""Makes the intents of the window from what is there: each field gets a value by its name or by its type.

A new intent with fields of known names is walked without an edit here. For another one `test_intents.py` fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from itertools import pairwise
from typing import Any, Literal, get_args, get_origin, get_type_hints

from msgspec.structs import fields

from app.base.own_values import OwnValues
from storage.library.rows import Switches
from tests.walk.scene import Scene
from ui.intents import chat, intent, library
from ui.intents.chat import DraftIntent, InChat, QueueIntent, ReadingIntent, TurnIntent
from ui.intents.chat_settings import ChatSettingsIntent
from ui.state.models import ModelSettingsView
from ui.state.preferences import Preferences

Options = Callable[[Scene], Sequence[Any]]


class UnknownField(AssertionError):  # noqa: N818 # a verdict of a test
    """An intent has a field that the walk has no values for."""


REPORTS = frozenset(
    {
        *(chat.Submit, chat.SaveDraft, chat.CountDraft, chat.CloseTab),
        *(library.FocusTab, library.ArrangeTabs, library.Attend),
    }
)
"""What the window reports about itself. They are not made up: they happen when the walk uses the window. A message is
sent by its box, which is empty then: the app saves an empty draft with it.
"""

_NEED_A_TAB = TurnIntent | ReadingIntent | DraftIntent | QueueIntent | ChatSettingsIntent


def leaves(union: Any) -> tuple[type, ...]:
    """The classes of a union of unions, each once."""
    parts = get_args(union) or (union,)
    return tuple(dict.fromkeys(leaf for part in parts for leaf in (leaves(part) if get_args(part) else (part,))))


KINDS = tuple(kind for kind in leaves(intent.Intent | chat.ChatIntent) if kind is not InChat)
"""Every kind of intent."""
MADE = tuple(kind for kind in KINDS if kind not in REPORTS)
"""Those that the walk makes up."""
IN_A_CHAT = frozenset(leaves(chat.ChatIntent))
MADE_IN_A_CHAT = tuple(kind for kind in MADE if kind in IN_A_CHAT)
IN_A_TAB = frozenset(leaves(_NEED_A_TAB))


def _always(*values: Any) -> Options:
    return lambda _scene: values


_name = _always("Blue", "Ärger & Co", "x" * 90, "#tag, two")

_SWITCH = (True, False)
VALUES: dict[str, Options] = {
    "text": lambda scene: scene.sentences(),
    "message": lambda scene: scene.messages(),
    "Edit.message": lambda scene: scene.messages("user"),
    "Regenerate.message": lambda scene: scene.messages("assistant"),
    "Extend.message": lambda scene: scene.unfinished(),
    "Step.message": lambda scene: scene.stepped(),
    "EditQueued.message": lambda scene: scene.queued(),
    "DropQueued.message": lambda scene: scene.queued(),
    "count": _always(1, 3),
    "by": _always(-1, 1),
    "before": lambda scene: scene.messages()[:1],
    "until": _always("", chat.EVERYTHING),
    "terms": _always(("way",), ("w1x", "first"), ()),
    "path": lambda scene: scene.paths(),
    "attachment": lambda scene: scene.attached(),
    "without": lambda scene: scene.taken_off(),
    "title": _name,
    "folder": lambda scene: scene.folders(),
    "to": _always("Work", "Private matters", ""),
    "tags": _always("urgent, home", "", "a,b,,c"),
    "conversations": lambda scene: scene.listed(),
    "conversation": lambda scene: ["", *(chats[0] for chats in scene.listed())],
    **dict.fromkeys(("Erase.conversations", "Undelete.conversations"), lambda scene: scene.deleted()),
    "model": lambda scene: scene.models(),
    "settings": _always(ModelSettingsView(), ModelSettingsView(alias="Mine", context_limit=900, system="Be brief.")),
    "repository": _always("tiny-lab/Tiny"),
    "revision": _always(""),
    "head": _always("", "tiny-lab/Tiny-MTP"),
    "token": _always("", "hf_token"),
    "name": _name,
    "SetSwitch.name": _always(*Switches.__struct_fields__),
    "SetValue.name": _always(*OwnValues.__struct_fields__),
    "SetValue.text": _always("", "0.5", "7", "-1", "many", "1e999"),
    "preset": lambda scene: scene.presets(),
    "prompt": lambda scene: scene.prompts(),
    "SavePrompt.text": _always("Say {{what}} to {{whom}}.", "Hello.", ""),
    "Edit.without": lambda scene: [(), *((file,) for file in scene.attached())],
    "SetSystem.text": _always("", "Be kind.", "ä" * 300),
    "quota": _always(0, 1 << 20, 1 << 40),
    "minutes": _always(0, 5),
    "way": _always(0, -1),
    "backup": lambda scene: scene.backups(),
    "preferences": _always(
        Preferences(),
        Preferences(theme="dark", zoom=150, density="compact", send="command", language="de"),
        Preferences(theme="light", zoom=70, column="narrow", reduce_motion=True, titles=False, system="Be kind."),
    ),
    "code": _always("K7Q2-9FMX-03TD-AA8R-YZ51-6WHC", "no code"),
    "address": _always("127.0.0.1:1", "nowhere at all"),
    "mac": _always("no Mac"),
}


def options_of(kind: type, field: str) -> Options:
    """Where the values of a field come from. Several of something are one or two of it. Raises UnknownField for a field
    that the walk does not know.
    """
    if (known := VALUES.get(f"{kind.__name__}.{field}")) is not None:
        return known
    names = vars(import_module(kind.__module__)) | {view.__name__: view for view in (Preferences, ModelSettingsView)}
    hint = get_type_hints(kind, names)[field]
    if get_origin(hint) is Literal:
        return _always(*get_args(hint))
    if hint is bool:
        return _always(*_SWITCH)
    if (known := VALUES.get(field)) is not None:
        return known
    if get_origin(hint) is tuple and (one := VALUES.get(field.removesuffix("s"))) is not None:
        return partial(_some, one)
    raise UnknownField(f"Give the field {field} of {kind.__name__} values in tests/walk/values.py.")


def _some(one: Options, scene: Scene) -> Sequence[Any]:
    found = one(scene)
    return [*((value,) for value in found), *pairwise(found)]


def options(kind: type, scene: Scene) -> dict[str, Sequence[Any]]:
    """For each field of this kind of intent, the values that are possible now. Without values it cannot be made."""
    return {field.name: options_of(kind, field.name)(scene) for field in fields(kind)}
