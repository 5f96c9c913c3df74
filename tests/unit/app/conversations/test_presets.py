"""The user's presets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.base.own_values import OwnValues
from app.base.settings import OwnPreset
from app.conversations.presets import Presets
from storage.library.archive import ArchivedPreset
from tests.unit.app.conftest import Scene

COOL = OwnValues(temperature=0.1, stop=("END",))


@pytest.fixture
def presets(scene: Scene) -> Presets:
    return Presets(lambda: scene.presets, scene.keep_presets, scene.window)


def names(scene: Scene) -> list[str]:
    return [view.name for view in scene.window.store.presets.now]


def test_a_saved_preset_is_offered_after_hearths_own(scene: Scene, presets: Presets) -> None:
    """Presets of the user stand in the order of their names, and are kept."""
    for name in ("  zebra ", "Apple  pie"):
        assert presets.save(name, COOL)
    assert names(scene) == ["Precise", "Balanced", "Creative", "Apple pie", "zebra"]
    assert [preset.sampling for preset in scene.presets.values()] == [COOL, COOL]


@pytest.mark.parametrize("name", ["", "  ", "balanced", "COOL"])
def test_a_name_must_be_new(scene: Scene, presets: Presets, name: str) -> None:
    """Two presets of one name could not be told apart: the second is refused in words, and nothing changes."""
    presets.save("Cool", COOL)
    assert presets.save(name, COOL) == ""
    assert len(scene.presets) == 1
    assert "name" in scene.window.notices["error:preset_refused"].text


def test_a_preset_is_renamed_and_deleted(scene: Scene, presets: Presets) -> None:
    """Its id stays, so chats still name it. Unknown presets are ignored."""
    key = presets.save("Cool", COOL)
    presets.rename(key, "Cooler")
    presets.rename("unknown", "x")
    assert (names(scene)[-1], list(scene.presets)) == ("Cooler", [key])
    presets.delete(key)
    assert (names(scene)[-1], scene.presets) == ("Creative", {})


def test_a_preset_travels_as_a_file(scene: Scene, presets: Presets, tmp_path: Path) -> None:
    """An imported preset has the same values. If its name is taken, it gets a number. One that is here already is not
    doubled. A notice says what was done.
    """
    key, file = presets.save("Cool", COOL), tmp_path / "cool.json"
    presets.export_file(key, str(file))
    assert file.stat().st_mode & 0o777 == 0o666 & ~_umask(), "it is made to be shared"
    assert scene.window.notices["preset"].text == "cool.json was saved."
    presets.import_file(str(file))
    assert (names(scene)[-1], len(scene.presets)) == ("Cool", 1)
    assert scene.window.notices["preset"].text == "The preset “Cool” is here already."
    scene.presets[key] = OwnPreset("Cool", OwnValues())
    presets.import_file(str(file))
    assert names(scene)[-2:] == ["Cool", "Cool 2"]
    assert [preset.sampling for preset in scene.presets.values()] == [OwnValues(), COOL]
    assert scene.window.notices["preset"].text == "The preset “Cool 2” was imported."


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "is no preset of Hearth's, or it is damaged."),
        ('{"format":"other","version":1,"name":"x","sampling":{}}', "is no preset of Hearth's."),
        ('{"format":"hearth-preset","version":2,"name":"x","sampling":{}}', "A newer Hearth wrote"),
        ('{"format":"hearth-preset","version":1,"name":"x","sampling":{"top_p":7}}', "it must be between 0 and 1."),
        ('{"format":"hearth-preset","version":1,"name":" ","sampling":{}}', "A preset needs a name."),
    ],
)
def test_a_file_that_is_no_preset_is_refused(
    scene: Scene, presets: Presets, tmp_path: Path, content: str, words: str
) -> None:
    """One sentence says why, and nothing is added."""
    file = tmp_path / "odd.json"
    file.write_text(content)
    presets.import_file(str(file))
    assert words in scene.window.notices["error:preset_refused"].text
    assert scene.presets == {}


def test_a_preset_that_cannot_be_written_is_told(scene: Scene, presets: Presets, tmp_path: Path) -> None:
    """The notice names the file."""
    presets.export_file(presets.save("Cool", COOL), str(tmp_path / "away" / "cool.json"))
    assert "cool.json" in scene.window.notices["error:preset_refused"].text


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_long_name_in_the_settings_is_cut_off(scene: Scene, presets: Presets) -> None:
    """Another program may have written it. Each menu of presets measures all names."""
    scene.presets = {"a": OwnPreset("n" * 3_000), "b": OwnPreset("two\nlines")}
    presets.show()
    assert names(scene)[3:] == ["n" * 60, "two lines"]


def test_an_export_fills_the_presets_up_to_a_limit(scene: Scene, presets: Presets) -> None:
    """They are kept and shown once. What is too much for the menus or for the settings file is left out, and told."""
    kept = list[int]()

    def keep(own: dict[str, OwnPreset]) -> None:
        kept.append(len(own))
        scene.keep_presets(own)

    long = '{"stop":["' + "x" * 9_000_000 + '"]}'
    given = [ArchivedPreset("", f"Number {number}", '{"temperature":0.3}') for number in range(300)]
    assert Presets(lambda: scene.presets, keep, scene.window).take((ArchivedPreset("", "Long", long), *given)) == 200
    assert (kept, len(scene.presets)) == ([200], 200)
    assert "more than Hearth keeps" in scene.window.notices["error:preset_refused"].text
    assert len(names(scene)) == len(set(names(scene))) == 203
    scene.presets = {}
    assert presets.take([ArchivedPreset("", "n" * 60, f'{{"top_k":{number}}}') for number in range(3)]) == 3
    assert [len(name) for name in names(scene)[3:]] == [60, 60, 60], "a number takes the place of the last letters"
