from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from ui.theme.theme import DARK, LIGHT, Theme
from ui.widgets.menu import MARGIN_PX, Menu


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.setStyleSheet(LIGHT.qss())
    made.setGeometry(40, 40, 500, 400)
    made.show()
    return made


def menu_in(window: QWidget) -> Menu:
    menu = Menu(parent=window)
    for words in ("Open", "Rename", "A rather long entry for a menu"):
        menu.addAction(words)
    return menu


def panel_of(menu: Menu, window: QWidget) -> QRect:
    """The painted panel in the window's coordinates."""
    whole = QRect(window.mapFromGlobal(menu.pos()), menu.size())
    return whole.adjusted(MARGIN_PX, MARGIN_PX, -MARGIN_PX, -MARGIN_PX)


def test_only_a_menu_of_choices_has_a_column_for_check_marks(window: QWidget) -> None:
    """The words of others begin at its edge, and it is no wider than they need."""
    plain, choices = menu_in(window), menu_in(window)
    choices.actions()[0].setCheckable(True)
    for menu in (plain, choices):
        menu.open_at(window.mapToGlobal(QPoint(20, 20)))
    assert choices.width() - plain.width() >= 18
    image = plain.grab().toImage()
    place = plain.actionGeometry(plain.actions()[1])
    ground = image.pixelColor(place.left() + 4, place.center().y())
    inked = (x for x in range(place.left(), place.right()) for y in range(place.top() + 2, place.bottom() - 2)
             if image.pixelColor(x, y) != ground)  # fmt: skip
    assert min(inked) - place.left() < 16
    for menu in (plain, choices):
        menu.hide()


@pytest.mark.parametrize("left", [10, 420])
def test_a_menu_is_aligned_to_its_button(window: QWidget, left: int) -> None:
    """At the left edges, or at the right ones in the right half of the window. It stands below or above."""
    button = QPushButton("Model", window)
    button.setGeometry(left, 180, 70, 30)
    button.show()
    menu = menu_in(window)
    menu.open_below(button)
    panel = panel_of(menu, window)
    assert panel.top() > button.geometry().bottom()
    assert panel.left() == left if left < 100 else panel.right() == button.geometry().right()
    menu.hide()
    menu.open_above(button)
    assert panel_of(menu, window).bottom() < button.geometry().top()
    menu.hide()


@pytest.mark.parametrize("corner", [QPoint(495, 395), QPoint(1, 1), QPoint(495, 1)])
def test_a_menu_stays_inside_the_window(window: QWidget, corner: QPoint) -> None:
    """A context menu at the edge is moved inwards; it is never cut off."""
    menu = menu_in(window)
    menu.open_at(window.mapToGlobal(corner))
    assert window.rect().contains(panel_of(menu, window))
    menu.hide()


@pytest.mark.parametrize("left", [10, 320])
def test_a_submenu_stays_inside_the_window(window: QWidget, left: int) -> None:
    """It stands at the other side of its menu if the window ends before; never over its menu."""
    menu = Menu(parent=window)
    submenu = Menu("File", window)
    submenu.addAction("A rather long entry for a menu")
    menu.addMenu(submenu)
    menu.open_at(window.mapToGlobal(QPoint(left, 300)))
    menu.setActiveAction(submenu.menuAction())
    assert submenu.isVisible()
    inner, outer = panel_of(submenu, window), panel_of(menu, window)
    assert window.rect().contains(inner)
    assert inner.left() > outer.right() - 5 if left < 100 else inner.right() < outer.left() + 5
    menu.hide()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_destructive_entry_is_red_and_apart(window: QWidget, theme: Theme) -> None:
    """A separator stands above it, and no other entry has its colour."""
    window.setStyleSheet(theme.qss())
    menu = menu_in(window)
    delete = menu.add_destructive("Delete chat", menu.hide)
    menu.open_at(window.mapToGlobal(QPoint(50, 50)))
    assert menu.actions()[-2].isSeparator()
    image = menu.grab().toImage()

    def colours(place: QRect) -> set[str]:
        columns, rows = range(place.left(), place.right()), range(place.top(), place.bottom())
        return {image.pixelColor(x, y).name() for x in columns for y in rows}

    assert theme.danger in colours(menu.actionGeometry(delete))
    assert theme.danger not in colours(menu.actionGeometry(menu.actions()[0]))
    menu.hide()


def test_a_menu_has_round_corners_and_a_shadow(window: QWidget) -> None:
    """The corner of the panel is see-through, and so is the room around it, but for the shadow."""
    menu = menu_in(window)
    menu.open_at(window.mapToGlobal(QPoint(50, 50)))
    image = menu.grab().toImage()
    assert image.pixelColor(0, 0).alpha() == 0
    assert 0 < image.pixelColor(menu.width() // 2, menu.height() - MARGIN_PX + 3).alpha() < 255
    assert image.pixelColor(menu.width() // 2, menu.height() // 2).alpha() == 255
    menu.hide()


@pytest.mark.parametrize("left", [1, 200, 739])
def test_a_submenu_stands_beside_its_menu_inside_the_window(window: QWidget, left: int) -> None:
    """At its right, or at its left if there is no room."""
    window.resize(740, 400)
    menu = menu_in(window)
    below = Menu("More", menu)
    below.addAction("New private chat")
    entry = menu.addMenu(below)
    menu.open_at(window.mapToGlobal(QPoint(left, 50)))
    menu.setActiveAction(entry)
    panel, beside = panel_of(menu, window), panel_of(below, window)
    assert below.isVisible()
    assert window.rect().contains(beside)
    assert not panel.intersects(beside)
    assert (beside.left() > panel.right()) == (left < 739)
    menu.hide()
