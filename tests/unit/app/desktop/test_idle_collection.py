"""When Python looks for garbage among all its objects."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from threading import Thread

import pytest

from app.desktop import idle_collection
from app.desktop.idle_collection import LONGEST_S, REST_S, YOUNG, IdleCollection


class Scene:
    """A clock, and the looks so far."""

    def __init__(self) -> None:
        self.now = 100.0
        self.busy = False
        self.looks: list[float] = []
        self.young = 0
        self.collection = IdleCollection(lambda: self.busy, lambda: self.now, self._look)

    def _look(self, generation: int) -> None:
        if generation == YOUNG:
            self.young += 1
        else:
            self.looks.append(self.now)

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
    assert scene.young == 199, "every other second, young objects are looked at"


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
    was_on = gc.isenabled()
    gc.enable()
    yield
    gc.unfreeze()
    (gc.enable if was_on else gc.disable)()


@pytest.mark.usefixtures("usual")
def test_python_looks_on_no_other_thread() -> None:
    """It would free Qt's objects there, while the window uses them. Only the ticks find garbage, young and old."""
    idle_collection.begin()
    assert not gc.isenabled()

    class Circle:
        def __init__(self) -> None:
            self.itself = self

    old = Circle()
    gone = weakref.ref(old)
    for generation in (0, 1):
        gc.collect(generation)
    del old
    young = Circle()
    young_gone = weakref.ref(young)
    del young
    thread = Thread(target=lambda: [Circle() for _ in range(10_000)])
    thread.start()
    thread.join()
    assert young_gone() is not None
    now = [0.0]
    collection = IdleCollection(lambda: False, lambda: now[0])
    collection.tick()
    assert (young_gone() is None, gone() is None) == (True, False)
    now[0] = 1.0
    collection.note_use()
    now[0] += REST_S
    collection.tick()
    assert gone() is None
