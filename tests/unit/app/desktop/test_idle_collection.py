"""When Python looks for garbage among all its objects."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING

import pytest

from app.desktop import idle_collection
from app.desktop.idle_collection import LONGEST_S, REST_S, IdleCollection

if TYPE_CHECKING:
    from collections.abc import Iterator


class Scene:
    """A clock, and the looks so far."""

    def __init__(self) -> None:
        self.now = 100.0
        self.busy = False
        self.looks: list[float] = []
        self.collection = IdleCollection(lambda: self.busy, lambda: self.now, lambda: self.looks.append(self.now))

    def seconds(self, count: int) -> None:
        for _ in range(count):
            self.now += 1
            self.collection.tick()


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_one_look_follows_each_time_of_use(scene: Scene) -> None:
    """It waits until the user rests. Without use there is none."""
    scene.seconds(100)
    assert scene.looks == []
    scene.collection.note_use()
    used = scene.now
    scene.seconds(100)
    assert scene.looks == [used + REST_S]


def test_none_disturbs_an_answer_or_the_user(scene: Scene) -> None:
    """Both must have rested."""
    scene.busy = True
    scene.seconds(60)
    scene.busy = False
    for _ in range(60):
        scene.seconds(int(REST_S) - 1)
        scene.collection.note_use()
    assert scene.looks == []
    scene.seconds(int(REST_S))
    assert len(scene.looks) == 1


def test_a_user_who_never_rests_gets_one_all_the_same(scene: Scene) -> None:
    """The memory must not grow for hours."""
    scene.busy = True
    scene.seconds(int(2 * LONGEST_S))
    assert len(scene.looks) == 2


@pytest.fixture
def usual() -> Iterator[None]:
    """The collector as it was before."""
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


@pytest.mark.usefixtures("usual")
def test_old_garbage_waits_for_the_look() -> None:
    """Python itself finds young garbage only."""
    idle_collection.begin()

    class Circle:
        def __init__(self) -> None:
            self.itself = self

    old = Circle()
    gone = weakref.ref(old)
    for generation in (0, 1):
        gc.collect(generation)
    del old
    assert gc.get_threshold()[2] > 1_000_000
    for _ in range(20):
        gc.collect(1)
    assert gone() is not None
    gc.collect()
    assert gone() is None
