"""The rules of Qt's style sheets, with `{t.…}` in place of each colour of the theme.

The rules cover surfaces and simple controls, found by object name. Widgets paint what style sheets cannot do well.
"""

WINDOW = """
#window, #page, #pages, #chat, #home, #greeting, #tabRow {{ background: {t.page}; }}
#modelsPage, #welcome, #welcomeView {{ background: {t.page}; }}
#transcript {{ background: {t.page}; border: none; }}
#paneHeader {{ background: {t.page}; border: none; border-bottom: 1px solid {t.hairline}; }}
#sideOffer {{ background: {t.selection}; border: 1px solid {t.accent}; border-radius: 12px; }}
#sides::handle {{ background: {t.hairline}; }}
#tabRow {{ border: none; border-bottom: 1px solid {t.hairline}; }}
#sidebar {{ background: {t.sidebar}; border: none; border-right: 1px solid {t.hairline}; }}
#conversations {{ background: transparent; border: none; outline: none; }}
#search, #findField, #modelSearch {{ background: {t.field}; border: 1px solid {t.field}; border-radius: 7px;
    padding: 0 6px 0 3px; color: {t.text}; }}
#modelSearch {{ border-radius: 9px; padding: 0 8px 0 5px; }}
#search, #findField, #modelSearch, #rename, #prompt, #promptList, #promptText, #fileText, #paletteField, #instructions,
#inspectorStop, #inspectorTags, #inspectorValue
    {{ selection-background-color: {t.selection}; selection-color: {t.text}; }}
#findBar {{ background: {t.page}; border: none; border-bottom: 1px solid {t.hairline}; }}
#promptList, #promptText, #fileText {{ background: {t.page}; border: 1px solid {t.rim}; border-radius: 9px;
    color: {t.text}; outline: none; padding: 5px; }}
#promptList::item {{ padding: 6px 8px; border-radius: 6px; color: {t.text}; }}
#promptList::item:selected {{ background: {t.selected_row}; color: {t.text}; }}
#palette {{ background: rgba(0, 0, 0, {t.scrim}); }}
#shade {{ background: rgba(0, 0, 0, 40); }}
#newest, #busySign {{ background: {t.raised}; color: {t.text}; border: 1px solid {t.rim}; border-radius: 17px; }}
#newest {{ margin: 8px; }}
#newest:hover {{ background: {t.hovered_row}; }}
#busySign {{ border-radius: 15px; }}
#paletteField {{ background: transparent; border: none; color: {t.text}; }}
#paletteList {{ background: transparent; border: none; outline: none; }}
#paletteRule {{ background: {t.hairline}; margin: 0 7px; }}
#detailRule {{ background: {t.hairline}; min-height: 1px; max-height: 1px; }}
#paletteKey {{ color: {t.muted}; border: 1px solid {t.hairline}; border-radius: 5px; padding: 1px 6px 2px 6px; }}
#rename {{ background: {t.page}; border: 1px solid {t.accent}; border-radius: 5px; padding: 0 4px; color: {t.text}; }}
#prompt {{ background: transparent; border: none; color: {t.text}; }}
#notice {{ background: {t.raised}; border: 1px solid {t.hairline}; border-radius: 12px; }}
#notice QLabel {{ color: {t.text}; border: none; }}
#noticeAction, #noticeOther, #editCancel, #queueSend {{ background: transparent; border: none; border-radius: 7px;
    padding: 0 10px; color: {t.accent}; }}
#noticeOther {{ color: {t.muted}; }}
#noticeAction:hover, #noticeAction:focus, #noticeOther:hover, #noticeOther:focus, #editCancel:hover,
#queueSend:hover, #editCancel:focus, #queueSend:focus
    {{ background: {t.field}; }}
IconButton {{ background: transparent; border: none; border-radius: 7px; }}
IconButton:checked {{ background: {t.selected_tab}; }}
IconButton:hover {{ background: {t.selected_tab}; }}
IconButton:focus {{ border: 1px solid {t.accent}; }}
QPushButton {{ outline: none; }}
QPushButton[kind="action"], QPushButton[kind="primary"], QPushButton[kind="pill"], QPushButton[kind="select"],
QPushButton[kind="example"], QPushButton[kind="outline"] {{ background: {t.raised}; border: 1px solid {t.rim}; }}
QPushButton[kind="pane"], QPushButton[kind="quiet"], QPushButton[kind="column"], QPushButton[kind="fold"], #builtIn,
#inspectorValue {{ background: transparent; border: 1px solid transparent; }}
QPushButton[kind="action"], QPushButton[kind="primary"] {{ border-radius: 10px; padding: 0; min-height: 31px; }}
#builtIn:hover, QPushButton[kind="action"]:hover, QPushButton[kind="pill"]:hover, QPushButton[kind="select"]:hover,
QPushButton[kind="pane"]:hover, QPushButton[kind="example"]:hover, QPushButton[kind="outline"]:hover,
QPushButton[kind="fold"]:hover, QPushButton[kind="quiet"]:hover, QPushButton[kind="column"]:hover
    {{ background: {t.hovered_row}; }}
QPushButton[kind="quiet"]:hover, QPushButton[kind="column"]:hover {{ color: {t.text}; }}
QPushButton[kind="action"]:pressed {{ background: {t.selected_row}; }}
QPushButton[kind="primary"], QPushButton[kind="primary"]:focus {{ background: {t.accent}; border-color: {t.accent}; }}
QPushButton[kind="primary"]:hover {{ background: {t.accent_hovered}; }}
QPushButton[kind="primary"]:pressed {{ background: {t.accent_pressed}; }}
QPushButton[kind="pill"] {{ border-radius: 13px; padding: 0; }}
QPushButton[kind="pill"]:checked {{ background: {t.selected_tab}; border-color: {t.selected_tab}; }}
QPushButton[kind="pill"]:checked:hover {{ background: {t.selected_row}; border-color: {t.selected_row}; }}
QPushButton[kind="select"] {{ border-radius: 11px; padding: 0; min-height: 32px; }}
QPushButton[kind="pane"] {{ border-radius: 9px; padding: 0; min-height: 32px; font-size: 14px; }}
QPushButton[kind="pane"]:checked {{ background: {t.selected_row}; }}
Segmented {{ background: {t.field}; border-radius: 9px; }}
QPushButton[kind="segment"], QPushButton[kind="segment"]:hover, QPushButton[kind="segment"]:pressed
    {{ background: transparent; border: 1px solid transparent; border-radius: 7px; padding: 0; min-height: 25px;
    color: {t.text}; }}
QPushButton[kind="segment"]:checked {{ background: {t.segment}; font-weight: 600; }}
SettingsGroup {{ background: {t.raised}; border: 1px solid {t.hairline}; border-radius: 10px; }}
SettingsGroup > QWidget {{ border-top: 1px solid {t.hairline}; margin: 0 14px; }}
#focusRing {{ border: 1px solid {t.accent}; border-radius: 8px; margin: 2px; }}
#placeMark {{ border: 2px solid {t.accent}; border-radius: 11px; }}
QPushButton[kind="example"] {{ border-radius: 12px; padding: 0 18px; color: {t.text}; }}
QPushButton[kind="quiet"] {{ border-radius: 12px; color: {t.muted}; }}
QPushButton[kind="column"] {{ border-radius: 7px; padding: 0 7px; min-height: 24px; color: {t.muted}; }}
#models {{ background: {t.raised}; border: 1px solid {t.hairline}; border-radius: 14px; outline: none; }}
#modelDetail, #welcomeCard {{ background: {t.raised}; border: 1px solid {t.hairline}; border-radius: 14px; }}
#builtIn {{ border-radius: 6px; padding: 3px 8px; color: {t.accent}; }}
#deleted {{ background: {t.page}; border: 1px solid {t.hairline}; border-radius: 10px; outline: none; padding: 4px 0; }}
#settings {{ background: {t.page}; }}
#notes {{ background: {t.page}; border: 1px solid {t.rim}; border-radius: 10px; padding: 4px 8px; color: {t.text}; }}
#paneBar {{ background: {t.sidebar}; border: none; border-right: 1px solid {t.hairline}; }}
#greetingTitle, #homeTitle, #modelsTitle, #detailTitle, #factValue, #detailText, #welcomeTitle, #welcomeName,
#rowName, #memoryValue {{ color: {t.text}; }}
#findCount, #foot, #greetingText, #nothingFound, #nothingDeleted, #sheetText, #editWords, #queueWords,
#detailMuted, #factName, #welcomeText, #rowAbout, #footnote, #rowValue, #loadText, #memoryLine {{ color: {t.muted}; }}
#detailScroll, #detailInside, #detailView, #paneScroll, #paneInside, #attachments, #attachmentRow, #queueScroll,
#queueRows, #inspectorScroll, #inspectorInside {{ background: transparent; border: none; }}
#welcomeText[failed="true"] {{ color: {t.warning}; }}
#rowName:disabled, #rowAbout:disabled, #rowValue:disabled {{ color: {t.faint}; }}
#inspector {{ background: {t.sidebar}; border: none; border-left: 1px solid {t.hairline}; }}
#inspectorFoot {{ background: transparent; border: none; border-top: 1px solid {t.hairline}; }}
#instructions, #inspectorStop, #inspectorTags {{ background: {t.raised}; border: 1px solid {t.rim};
    border-radius: 11px; padding: 4px 8px; color: {t.text}; }}
#inspectorValue {{ border-radius: 7px; padding: 0; color: {t.text}; }}
#inspectorValue:hover {{ background: {t.hovered_row}; }}
#inspectorValue:focus {{ background: {t.raised}; border-color: {t.accent}; padding-right: 4px; }}
QPushButton[kind="outline"] {{ border-radius: 9px; padding: 5px 12px; color: {t.text}; }}
QPushButton[kind="outline"]:disabled {{ color: {t.faint}; }}
#inspectorTrouble, #nameRefusal {{ color: {t.danger}; }}
QPushButton[kind="fold"] {{ border-radius: 6px; padding: 3px 6px 3px 1px; text-align: left; color: {t.accent}; }}
#trouble {{ background: {t.warning_surface}; color: {t.warning}; border-radius: 8px; padding: 8px 12px; }}
#news {{ background: {t.success_surface}; color: {t.success}; border-radius: 8px; padding: 8px 12px; }}
QTabBar QToolButton {{ background: {t.page}; border: none; color: {t.text}; }}
QTabBar QToolButton:disabled {{ color: {t.faint}; }}
#search:focus, #findField:focus, #promptList:focus, #promptText:focus, #fileText:focus, #modelSearch:focus,
#builtIn:focus, #deleted:focus, #notes:focus, #instructions:focus, #inspectorStop:focus, #inspectorTags:focus,
QPushButton[kind="action"]:focus, QPushButton[kind="pill"]:focus, QPushButton[kind="select"]:focus,
QPushButton[kind="segment"]:focus, QPushButton[kind="example"]:focus,
QPushButton[kind="quiet"]:focus, QPushButton[kind="column"]:focus, QPushButton[kind="outline"]:focus,
QPushButton[kind="fold"]:focus {{ border-color: {t.accent}; }}
"""

MENUS = """
QMenu {{ background: {t.raised}; border: 1px solid {t.hairline}; padding: 5px; color: {t.text};
    menu-scrollable: 1; }}
Menu {{ qproperty-colours: "{t.raised} {t.selected_row} {t.text} {t.muted} {t.faint} {t.danger}"; }}
QMenu[floating="true"] {{ border-radius: 10px; margin: 14px; }}
QMenu::item {{ padding: 6px 24px 6px 30px; border-radius: 6px; }}
QMenu[marks="False"]::item {{ padding-left: 12px; }}
QMenu::item:selected {{ background: {t.selected_row}; }}
QMenu::item:disabled {{ color: {t.faint}; }}
QMenu::separator {{ height: 1px; background: {t.hairline}; margin: 5px 8px; }}
QMenu[lines="2"]::item:exclusive, #answersMenu::item {{ min-height: 31px; max-width: 0; }}
"""

# macOS keeps its own menus, dialogs and scroll bars.
PLAIN_DESKTOP = """
QMenu, QDialog {{ font-family: "Inter"; font-size: 13px; }}
QDialog {{ background: {t.page}; }}
QToolTip {{ background: {t.raised}; color: {t.text}; border: 1px solid {t.hairline}; padding: 1px 2px;
    font-family: "Inter"; font-size: 12px; opacity: 255; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; button-layout: 3; }}
QDialog QLabel {{ color: {t.text}; }}
QDialog #sheetText, QDialog #nothingDeleted {{ color: {t.muted}; }}
QDialog QPushButton, QDialog QLineEdit, QDialog QComboBox, QInputDialog QLabel
    {{ font-family: "Inter"; font-size: 13px; }}
QDialog QPushButton {{ background: {t.raised}; border: 1px solid {t.rim}; border-radius: 7px; padding: 0 14px;
    min-height: 28px; color: {t.text}; }}
QDialog QPushButton:hover {{ background: {t.hovered_row}; }}
QDialog QPushButton:pressed {{ background: {t.selected_row}; }}
QDialog QPushButton:disabled {{ color: {t.faint}; }}
QDialog QPushButton:default {{ background: {t.accent}; border-color: {t.accent}; color: {t.page}; }}
QDialog QPushButton:default:hover {{ background: {t.accent_hovered}; }}
QDialog QPushButton:default:pressed {{ background: {t.accent_pressed}; }}
QDialog QPushButton:default:disabled {{ background: {t.raised}; border-color: {t.rim}; color: {t.faint}; }}
QDialog QLineEdit, QDialog QComboBox {{ background: {t.page}; border: 1px solid {t.edge}; border-radius: 7px;
    padding: 0 8px; min-height: 28px; color: {t.text}; selection-background-color: {t.selection};
    selection-color: {t.text}; }}
QDialog #promptName {{ border-color: {t.rim}; border-radius: 9px; }}
QDialog QComboBox QAbstractItemView {{ outline: none; }}
QDialog QComboBox QAbstractItemView, QFileDialog QAbstractItemView {{ background: {t.page}; color: {t.text};
    selection-background-color: {t.selection}; selection-color: {t.text}; }}
QDialog QComboBox QLineEdit {{ border: none; padding: 0; min-height: 0; }}
QDialog QComboBox QAbstractItemView::item {{ min-height: 26px; padding: 0 8px; }}
QPrintDialog QWidget, QPageSetupDialog QWidget, QFileDialog QWidget {{ font-family: "Inter"; font-size: 13px; }}
QDialog QGroupBox {{ border: 1px solid {t.hairline}; border-radius: 9px; margin-top: 22px; padding: 6px 4px; }}
QDialog QGroupBox::title {{ subcontrol-origin: margin; left: 2px; top: 2px; color: {t.muted}; }}
QDialog .QToolButton {{ background: {t.raised}; border: 1px solid {t.rim}; border-radius: 7px; padding: 4px;
    min-height: 18px; color: {t.text}; }}
QDialog .QToolButton:hover {{ background: {t.hovered_row}; }}
QDialog .QToolButton:checked {{ background: {t.selected_row}; }}
QDialog .QToolButton:disabled {{ border-color: {t.hairline}; }}
QDialog QTabBar::tab {{ background: transparent; border: none; padding: 6px 12px; color: {t.muted}; }}
QDialog QTabBar::tab:selected {{ color: {t.text}; border-bottom: 2px solid {t.accent}; }}
QDialog QTabWidget::pane {{ border: 1px solid {t.hairline}; border-radius: 9px; top: 4px; }}
QDialog QRadioButton, QDialog QCheckBox {{ color: {t.text}; }}
QDialog QRadioButton:disabled, QDialog QCheckBox:disabled, QDialog QLabel:disabled {{ color: {t.faint}; }}
QDialog QHeaderView::section {{ background: {t.page}; border: none; border-bottom: 1px solid {t.hairline};
    padding: 5px 8px; color: {t.muted}; }}
QDialog QComboBox::drop-down {{ border: none; width: 22px; }}
QDialog QSpinBox::up-button, QDialog QSpinBox::down-button {{ border: none; width: 18px; }}
QDialog QComboBox::down-arrow, QDialog QSpinBox::down-arrow {{ image: url({t.icons}/grey/chevron-down.png);
    width: 12px; height: 12px; }}
QDialog QSpinBox::up-arrow {{ image: url({t.icons}/grey/chevron-up.png); width: 12px; height: 12px; }}
QFileDialog QListView, QFileDialog QTreeView {{ border: 1px solid {t.hairline}; border-radius: 9px; outline: none;
    padding: 4px; }}
#fileCompletions {{ background: {t.raised}; color: {t.text}; border: 1px solid {t.edge}; padding: 4px; outline: none;
    font-family: "Inter"; font-size: 13px; selection-background-color: {t.selection}; selection-color: {t.text}; }}
QFileDialog #sidebar {{ background: {t.sidebar}; }}
QFileDialog QAbstractItemView::item {{ min-height: 24px; }}
QFileDialog QTreeView::item {{ padding: 0 8px 0 2px; }}
QDialog QSpinBox {{ background: {t.page}; border: 1px solid {t.edge}; border-radius: 7px; padding: 0 6px;
    min-height: 26px; color: {t.text}; }}
QDialog Pill[kind="pill"] {{ border-radius: 15px; }}
QDialog QPushButton[kind="destructive"] {{ color: {t.danger}; }}
QDialog QPushButton[kind="destructive"]:default {{ background: {t.danger}; border-color: {t.danger}; color: {t.page}; }}
QMessageBox #qt_msgbox_label {{ font-size: 14px; font-weight: 600; }}
QMessageBox #qt_msgbox_informativelabel {{ min-width: 280px; }}
QSlider {{ min-height: 22px; }}
QSlider::groove:horizontal {{ background: {t.field}; height: 4px; border-radius: 2px; }}
QSlider::sub-page:horizontal {{ background: {t.accent}; border-radius: 2px; }}
QSlider::sub-page:horizontal:disabled {{ background: {t.button_off}; }}
QSlider::handle:horizontal {{ background: #ffffff; border: 1px solid {t.faint}; width: 16px; margin: -7px 0;
    border-radius: 9px; }}
QSlider::handle:horizontal:disabled {{ background: {t.button_off}; border-color: {t.hairline}; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 2px; }}
QScrollBar::handle:vertical {{ background: {t.rim}; min-height: 36px; border-radius: 3px; margin: 0 1px 0 2px; }}
#conversations QScrollBar:vertical {{ width: 11px; margin: 2px 4px 2px 1px; }}
QScrollBar::handle:vertical:hover {{ background: {t.faint}; }}
QScrollBar::handle:vertical:disabled {{ background: transparent; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 2px; }}
QScrollBar::handle:horizontal {{ background: {t.rim}; min-width: 36px; border-radius: 3px; margin: 1px 0 2px 0; }}
QScrollBar::handle:horizontal:hover {{ background: {t.faint}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QDialog QPushButton:focus, QDialog QLineEdit:focus, QDialog #promptName:focus, QDialog QComboBox:focus,
QDialog .QToolButton:focus, QDialog QPushButton[kind="destructive"]:focus, QSlider::handle:horizontal:focus
    {{ border-color: {t.accent}; }}
#paneBar QPushButton:focus {{ border-color: transparent; }}
QDialog QPushButton:default:focus {{ border-color: {t.text}; }}
"""
