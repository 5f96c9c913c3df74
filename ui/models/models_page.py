"""ModelsPage: the models on this machine and those of the hub, in the place of the chats. Each of the two lists has its
search field above, and the folders of the user below. It runs on the GUI thread.

- It follows the two lists and the detail of the selected model, and sends a `ModelIntent`.
- `left` is emitted if the user goes back to the chats.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from resources.language.text import mark, plural, tr
from ui.context import ModelsContext, follow
from ui.dialogs.file_dialogs import ask_model_folder
from ui.dialogs.text_dialogs import ask_token
from ui.intents.models import AddModelFolder, DropModelFolder, SearchHub, SetHubToken, ShowModel, ShowModels
from ui.models.detail_pane import WIDTH_PX, DetailPane
from ui.models.model_list import ModelList
from ui.models.model_settings import ModelSettingsDialog
from ui.models.row_words import FETCHING, RowAction
from ui.state.models import HubView, LocalModelsView, ModelDetail, ModelRow
from ui.theme.long_texts import breakable
from ui.theme.phrases import of_machine
from ui.theme.theme import title_font, ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.clearable_field import ClearableField
from ui.widgets.elided_text import without_middle
from ui.widgets.face_button import ActionButton, ButtonFace
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, discard, held, in_column, in_row
from ui.widgets.segmented import Segmented
from ui.widgets.settings_group import named, plain_label, text_label
from ui.widgets.theme_icons import IconLabel


class FolderRows(QWidget):
    """One line for each folder, with a button that takes it off the list. Its files stay."""

    def __init__(self, context: ModelsContext) -> None:
        super().__init__()
        self._context = context
        self._folders: tuple[tuple[str, str], ...] = ()
        self.lines: list[FolderLine] = []
        self._column = in_column(margins=(0, 10, 0, 0), of=self)
        self.hide()

    def show_folders(self, folders: tuple[tuple[str, str], ...]) -> None:
        """List these folders, each a path with the reason if none of its models is listed."""
        if folders == self._folders:
            return
        self._folders = folders
        discard(self.lines)
        self.lines = [FolderLine(self._context, path, reason) for path, reason in folders]
        for line in self.lines:
            self._column.addWidget(line)
        self.setVisible(bool(folders))


class FolderLine(QWidget):
    """A path, and a button that drops it."""

    def __init__(self, context: ModelsContext, path: str, reason: str) -> None:
        super().__init__()
        self._text = " · ".join(filter(None, (path, reason)))
        self.label = plain_label("detailMuted", 12)
        self.label.setMinimumWidth(1)
        self.label.setToolTip(plain_tip(self._text))
        self.label.setAccessibleName(self._text)
        drop = tr("Stop looking for models in {path}", path=path)
        self.drop = IconButton("x", drop, act=lambda: context.send(DropModelFolder(path)), pixels=(14, 26))
        icon = IconLabel("folder", "faint", 15)
        in_row(icon, Placed(self.label), self.drop, spacing=10, margins=(17, 0, 8, 0), of=self)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Shorten the path in its middle."""
        super().resizeEvent(event)
        self.label.setText(without_middle(self._text, self.label.fontMetrics(), self.label.width()))


_PAUSE_MS = 300


class ModelSearchField(ClearableField):
    """`settled` carries the text once typing pauses."""

    settled = Signal(str)

    def __init__(self, placeholder: str) -> None:
        super().__init__("modelSearch", "muted", tr("Clear"))
        self.setFont(ui_font(14))
        self.setFixedHeight(35)
        self.setTextMargins(1, 0, 0, 0)
        self.ask(placeholder)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._settle)
        self.textChanged.connect(self._pause.start)
        self.returnPressed.connect(self._settle)

    def set_busy(self, busy: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Show that an answer is awaited."""
        self.setAccessibleDescription(tr("Searching…") if busy else "")
        self.magnifier.show_icon(*(("refresh-cw", "accent") if busy else ("search", "muted")))

    def _settle(self) -> None:
        self._pause.stop()
        self.settled.emit(self.text().strip())


_SIGN_PX = 34


class ModelListing(QWidget):
    """A list, or a sign and a sentence in its place if it is empty. `trouble` is a warning above it. `again_button` is
    shown beside a warning about something that can be tried again.
    """

    def __init__(self, context: ModelsContext, name: str) -> None:
        super().__init__()
        self.list = ModelList(name)
        self.trouble = text_label("", "trouble", 13)
        self._gap = QWidget()
        self._gap.setFixedHeight(10)
        self.sign = IconLabel("box", "faint", _SIGN_PX)
        self.sign.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.sign.setContentsMargins(24, 72, 24, 0)
        self.empty = text_label("", "nothingFound", 14)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.empty.setContentsMargins(24, 14, 24, 24)
        self.again_button = ActionButton(ButtonFace(tr("Search again"), "refresh-cw"))
        self.folders = FolderRows(context)
        for part in (self.trouble, self._gap, self.again_button, self.list):
            part.hide()
        above = (in_row(Placed(self.trouble), self.again_button, spacing=10), self.sign, self.empty, self._gap)
        in_column(*above, Placed(self.list, 1000), self.folders, Placed(), of=self)

    def show_rows(self, rows: tuple[ModelRow, ...], otherwise: str) -> None:
        """List `rows`, or say `otherwise` if the list is empty."""
        self.list.show_rows(rows)
        self.say(otherwise)

    def say(self, otherwise: str) -> None:
        """Say `otherwise` if no row is listed."""
        is_empty = not self.list.rows.rowCount()
        self.empty.setText(otherwise)
        for part in (self.sign, self.empty):
            part.setVisible(is_empty)
        self.list.setVisible(not is_empty)

    def warn(self, text: str) -> None:
        """Show a warning above the list; "" for none."""
        self.trouble.setText(breakable(text))
        for part in (self.trouble, self._gap):
            part.setVisible(bool(text))


_MARGIN_PX = 34
_BACK_PX = 26
_NARROW_PX = 740
"""Below this width either the list or the detail is shown."""
_HERE = mark("On this Mac"), mark("On this computer")
_LOCAL_MODELS = mark("Models on this Mac"), mark("Models on this computer")
_NO_MODELS = mark("No models yet. Find one to download, or add a folder that holds some.")
_NOTHING_MATCHES = mark("No models found.")
_LOOKING = mark("Looking for models…")
_SEARCHING = mark("Searching…")
_NOTHING_FOUND = mark("Nothing found.")
_TOKEN, _TOKEN_KEPT = mark("Access token…"), mark("Access token ✓")
LOCAL, HUB = 0, 1


class ModelsPage(QWidget):
    """Two lists, one of them in front, and a card about the row that is selected there."""

    left = Signal()

    def __init__(self, context: ModelsContext) -> None:
        super().__init__()
        self._context = context
        named(self, "modelsPage", label=tr("Models"))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._in_detail = False
        self._settings_wanted = ""
        self._build()
        self._lay_out()
        self._connect()
        follow(self, context.store.local_models, self._show_local_models)
        follow(self, context.store.hub, self._show_hub)
        follow(self, context.store.model_detail, self._show_detail)
        follow(self, context.store.hub_detail, self._show_detail)
        follow(self, context.store.token_place, self._show_token_place)

    def _build(self) -> None:
        self.sidebar_button = IconButton("panel-left", tr("Show sidebar"))
        self.sidebar_button.hide()
        self.back_button = IconButton("chevron-left", tr("Back to the chats"), act=self._go_back, pixels=(18, _BACK_PX))
        self.title = text_label(tr("Models"), "modelsTitle", title_font(22))
        self.add_button = ActionButton(ButtonFace(tr("Add folder…"), "folder"), self._ask_folder)
        self.token_button = ActionButton(ButtonFace(tr(_TOKEN), "key-round"), self._ask_token)
        self.segments = Segmented((of_machine(*_HERE), tr("Find models")))
        self.fields = (ModelSearchField(tr("Filter models")), ModelSearchField(tr("Search Hugging Face")))
        self.listings = (
            ModelListing(self._context, of_machine(*_LOCAL_MODELS)),
            ModelListing(self._context, tr("Models found")),
        )
        self.token_button.hide()
        self.pane = DetailPane(self._context)
        self.pane.hide()

    def _lay_out(self) -> None:
        parts = (self.sidebar_button, self.back_button, 2, Placed(self.title), 12, self.add_button, self.token_button)
        head = in_row(*parts, margins=(_MARGIN_PX - _BACK_PX - 2, 0, _MARGIN_PX, 0))
        self._field_stack = _stack(self.fields)
        self._field_stack.setFixedHeight(35)
        bar = in_row(self.segments, Placed(self._field_stack), spacing=12, margins=(_MARGIN_PX, 0, _MARGIN_PX, 0))
        self._list_stack = _stack(self.listings)
        self._pane_place = held(in_column(Placed(self.pane, 1000), Placed()))
        self._pane_place.setFixedWidth(WIDTH_PX)
        body = in_row(Placed(self._list_stack), self._pane_place, spacing=18, margins=(_MARGIN_PX, 0, _MARGIN_PX, 24))
        in_column(head, bar, Placed(body), spacing=18, margins=(0, 26, 0, 0), of=self)

    def _connect(self) -> None:
        self.segments.picked.connect(self.turn_to)
        self.fields[LOCAL].textChanged.connect(self._filter)
        self.fields[HUB].settled.connect(self._search)
        self.listings[HUB].again_button.clicked.connect(lambda: self._search(self.fields[HUB].text().strip()))
        for listing in self.listings:
            listing.list.chosen.connect(self._choose)
            listing.list.opened.connect(lambda _model: self._show_detail_only(narrow_detail=True))
            listing.list.acted.connect(self._act)
        self.pane.buttons.used.connect(self.left)
        self.pane.buttons.settings_requested.connect(self._open_settings)

    # --- what the app sends

    def _show_local_models(self, view: LocalModelsView) -> None:
        listing = self.listings[LOCAL]
        filter_ = plural("Filter {count} model", "Filter {count} models", len(view.rows))
        self.fields[LOCAL].ask(filter_ if view.rows else tr("Filter models"))
        listing.show_rows(view.rows, self._local_words())
        listing.warn(view.trouble)
        listing.folders.show_folders(view.folders)
        self._refresh_pane(LOCAL)

    def _show_hub(self, view: HubView) -> None:
        listing = self.listings[HUB]
        listing.show_rows(view.rows, tr(_SEARCHING) if view.busy else view.text or tr(_NOTHING_FOUND))
        listing.warn(view.text if view.rows else "")
        listing.again_button.setVisible(view.failed)
        self.fields[HUB].set_busy(view.busy)
        self._refresh_pane(HUB)

    def _show_detail(self, detail: ModelDetail) -> None:
        if self.pane.detail is not None and detail.row.id == self.pane.detail.row.id:
            self.pane.show_detail(detail)
            if detail.row.id == self._settings_wanted:
                self._open_settings(detail.row.id)

    def _show_token_place(self, where: str) -> None:
        self.token_button.set_face(ButtonFace(tr(_TOKEN_KEPT if where else _TOKEN), "key-round"))

    def _local_words(self) -> str:
        if not self._context.store.local_models.is_known:
            return tr(_LOOKING)
        return tr(_NOTHING_MATCHES) if self._context.store.local_models.now.rows else tr(_NO_MODELS)

    # --- what the user does

    def enter(self, place: int | None = None) -> None:
        """The page comes to the front: look for the models, and take the keyboard. With `place`, turn to that list."""
        if place is not None:
            self.turn_to(place)
        self._show_detail_only(narrow_detail=False)
        self._context.send(ShowModels())
        self.listings[LOCAL].say(self._local_words())
        self._refresh_pane(self.place())
        self._focus_list()

    def _focus_list(self) -> None:
        """Give the keyboard to the list. An empty one cannot take it, so the page keeps it until there are rows."""
        front = self.listings[self.place()].list
        (self if front.isHidden() else front).setFocus()

    def place(self) -> int:
        """LOCAL or HUB: which list is in front."""
        return self._list_stack.currentIndex()

    def turn_to(self, place: int) -> None:
        """Show one of the lists."""
        self.segments.choose(place)
        self._list_stack.setCurrentIndex(place)
        self._field_stack.setCurrentIndex(place)
        self.add_button.setVisible(place == LOCAL)
        self.token_button.setVisible(place == HUB)
        self._show_detail_only(narrow_detail=False)
        if place == HUB:
            self._search(self.fields[HUB].text().strip())
        self._refresh_pane(place)

    def _search(self, text: str) -> None:
        hub = self._context.store.hub
        can_repeat = bool(hub.now.text) and not hub.now.busy
        if text != hub.now.query or can_repeat or not hub.is_known:
            self._context.send(SearchHub(text))

    def _filter(self, text: str) -> None:
        listing = self.listings[LOCAL]
        listing.list.set_filter(text)
        listing.say(self._local_words())
        self._refresh_pane(LOCAL)

    def _refresh_pane(self, place: int) -> None:
        """Show the row that is selected in the front list. Without a selection, select one."""
        if place != self.place() or not self.isVisible():
            return
        listing = self.listings[place].list
        row = listing.rows.row_at(listing.currentIndex()) or listing.rows.best()
        if row is None:
            self.pane.hide()
            self._arrange()
        else:
            listing.select(row.id)
            if self.pane.detail is None or self.pane.detail.row.id != row.id or self.pane.isHidden():
                self._choose(row.id)
            else:
                self.pane.show_row(row)
        if self.hasFocus() and not self._in_detail:
            self._focus_list()

    def _choose(self, model: str) -> None:
        listing = self.listings[self.place()].list
        row = listing.rows.row_at(listing.rows.index_of(model))
        if row is not None:
            self.pane.show_row(row)
            self.pane.show()
            self._arrange()
            self._context.send(ShowModel(model))

    def _act(self, row: ModelRow, action: RowAction) -> None:
        """Do what a button of a row says. The card shows what comes of a download."""
        self.pane.buttons.act_on(row, action)
        if action in FETCHING:
            listing = self.listings[self.place()].list
            listing.setCurrentIndex(listing.rows.index_of(row.id))

    def _show_detail_only(self, *, narrow_detail: bool) -> None:
        """In a narrow window, show the detail in place of the list, or the list."""
        self._in_detail = narrow_detail
        self._arrange()

    def _arrange(self) -> None:
        narrow = self.width() < _NARROW_PX
        for listing in self.listings:
            listing.list.delegate.opens = narrow
        self._in_detail = self._in_detail and narrow
        focused = self.window().focusWidget()
        self._list_stack.setVisible(not self._in_detail)
        self._pane_place.setVisible(self._in_detail or not (narrow or self.pane.isHidden()))
        self._pane_place.setMinimumWidth(0 if narrow else WIDTH_PX)
        self._pane_place.setMaximumWidth(16777215 if narrow else WIDTH_PX)
        if focused is not None and self.isAncestorOf(focused) and not focused.isVisibleTo(self):
            self.setFocus()  # Qt moves it out of the page, where Escape does not lead back

    def _go_back(self) -> None:
        """From the detail of a narrow window to its list, otherwise to the chats."""
        if self._in_detail:
            self._show_detail_only(narrow_detail=False)
            self._focus_list()
        else:
            self.left.emit()

    def _ask_folder(self) -> None:
        ask_model_folder(self.window(), lambda path: self._context.send(AddModelFolder(path)))

    def _ask_token(self) -> None:
        kept = self._context.store.token_place.now
        ask_token(self.window(), kept, lambda token: self._context.send(SetHubToken(token)))

    def _open_settings(self, model: str) -> None:
        """Open the settings of a model. Those of one that is not selected open when the app has sent them."""
        detail = self.pane.detail
        self._settings_wanted = model
        listing = self.listings[self.place()].list
        listing.setCurrentIndex(listing.rows.index_of(model))
        if detail is not None and detail.row.id == model and detail.settings is not None:
            self._settings_wanted = ""
            ModelSettingsDialog(self._context, detail.row, detail.settings, self.window()).open()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Escape goes back."""
        if event.key() == Qt.Key.Key_Escape:
            self._go_back()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Show list and detail side by side if there is room."""
        super().resizeEvent(event)
        self._arrange()


def _stack(pages: tuple[QWidget, ...]) -> QStackedWidget:
    stack = QStackedWidget()
    for page in pages:
        stack.addWidget(page)
    return stack
