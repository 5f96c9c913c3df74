<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
    <context>
        <name>Hearth</name>
        <message>
            <location filename="../../ui/markdown/spans.py" />
            <source>(image in the text, not shown)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/markdown/spans.py" />
            <source>(image, not loaded)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/transcript.py" />
            <source>3 alternatives</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>4-bit</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>8-bit</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/dialogs.py" />
            <source>A private chat is kept nowhere. Once its tab is closed, it is gone and cannot be brought back.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/privacy_pane.py" />
            <source>A private chat is written nowhere. It is gone when its tab is closed.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>A share of the room on this disk.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>A token is kept in {where}. Enter another, or leave it empty to forget it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/menu_commands.py" />
            <source>About Hearth</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>About {name}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Above 1, words that were just used become less likely.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Access token</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Access token ✓</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Access token…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/palette/entries.py" />
            <source>Actions</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Add a folder that holds some. They are used in place, never copied.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Add a folder with models</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Add folder…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Advanced</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/chats_pane.py" />
            <source>After the first answer, while nothing else is being answered. Chats that you named keep their names, and private chats are never named.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/models_pane.py" />
            <source>After this time without a message the model leaves the memory, so that other apps have it. The next message loads it again, and chats stay ready on disk.</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../ui/dialogs/models_pane.py" />
            <source>After {count} hours</source>
            <extracomment>For one: After {count} hour</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/dialogs/models_pane.py" />
            <source>After {count} minutes</source>
            <extracomment>For one: After {count} minute</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>All chats become as they were then. What is there now is kept beside it for 30 days, in Hearth's folder.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>All files (*)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/tab_row.py" />
            <source>All open chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>An answer ends after this many tokens; about three of four are whole words.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/stop_words.py" />
            <source>An answer ends before any of these texts would be shown.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/chat_tab.py" />
            <source>An answer is being written: wait for it, or stop it</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Answer at once</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/widgets/announcement.py" />
            <source>Answer failed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/widgets/announcement.py" />
            <source>Answer finished</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/widgets/announcement.py" />
            <source>Answer interrupted</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/widgets/announcement.py" />
            <source>Answer stopped</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Appearance</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>As in the app</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Ask for this answer again</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Attach a file</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Attach files</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/attachment_chips.py" />
            <source>Attached files</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Back to the chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Backups</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/privacy_pane.py" />
            <source>Backups of deleted chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Balanced</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Calling a tool…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/load_row.py" />
            <location filename="../../ui/composer/edit_banner.py" />
            <location filename="../../ui/dialogs/confirmation.py" />
            <location filename="../../ui/dialogs/variables_dialog.py" />
            <location filename="../../ui/models/model_settings.py" />
            <source>Cancel</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Cancel download</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/detail_buttons.py" />
            <source>Cancel the download of {name}?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/load_row.py" />
            <source>Cancel the load</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <location filename="../../ui/dialogs/stored_chats.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <location filename="../../ui/palette/entries.py" />
            <location filename="../../ui/sidebar/conversation_list.py" />
            <source>Chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Chats (*.hearth *.json *.zip *.md)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Chats stay. Each is read again when it is answered next.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/privacy_pane.py" />
            <source>Chats that are not kept ready</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/preset_menu.py" />
            <source>Chats that use this preset keep its values.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/privacy_pane.py" />
            <source>Chats, files and caches lie in one folder that only you may read.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/advanced_pane.py" />
            <source>Chats, models, presets and limits stay.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Checking {total}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/pick_card.py" />
            <source>Checking…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Choose the limit automatically</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Choose…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/search_field.py" />
            <source>Clear</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>Clear search</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/shortcuts_pane.py" />
            <source>Click the keys of an action, then press others.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/dialogs.py" />
            <source>Close and erase</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/tab_menu.py" />
            <source>Close other tabs</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/tab_menu.py" />
            <source>Close tab</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/tab_menu.py" />
            <source>Close tabs to the right</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/find_bar.py" />
            <source>Close the find bar</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/pane_header.py" />
            <source>Close the side with {title}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/dialogs.py" />
            <source>Close this private chat?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/pane_header.py" />
            <source>Close this side</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>Colours</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>Column</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>Comfortable</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Command palette…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/palette/command_palette.py" />
            <source>Commands</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>Compact</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/pick_card.py" />
            <location filename="../../ui/models/row_words.py" />
            <location filename="../../ui/transcript/footer.py" />
            <source>Continue</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Continue message {message}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/transcript.py" />
            <source>Conversation</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Copy</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/tab_menu.py" />
            <source>Copy as Markdown</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Copy code block {choice} of message {message}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Copy last answer</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <source>Copy link</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <source>Copy message</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Copy message {message}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Copy these arguments</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/footer.py" />
            <source>Copy this answer</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Copy this code</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Cut</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>Dark</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <location filename="../../ui/inspector/preset_menu.py" />
            <location filename="../../ui/models/detail_buttons.py" />
            <source>Delete</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Delete all {count} chats for good?</source>
            <extracomment>For one: Delete all {count} chat for good?</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Delete all…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/conversation_menu.py" />
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/tab_menu.py" />
            <source>Delete chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Delete now…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <source>Delete question and answer</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Delete {count} chats for good?</source>
            <extracomment>For one: Delete {count} chat for good?</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../ui/inspector/preset_menu.py" />
            <source>Delete “{name}”?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/preset_menu.py" />
            <source>Delete “{name}”…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Delete “{title}” for good?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/privacy_pane.py" />
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Deleted chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Deleted chats can be brought back until their days are over. Then they go for good, with all their files.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/memory_section.py" />
            <source>Details</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/queue_rows.py" />
            <source>Do not send this message</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Does not fit</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Done</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/pick_card.py" />
            <location filename="../../ui/models/row_words.py" />
            <source>Download</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/detail_buttons.py" />
            <source>Download anyway</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Draft: {words}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Drop</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Drop all that is kept</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Drop all that is kept?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/memory_section.py" />
            <source>Drop what is kept of this chat. The next message reads all of it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/stored_chats.py" />
            <source>Drop what is kept of {title}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Drop…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/chats_pane.py" />
            <source>Each chat can have another one.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Edit</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Edit last message</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Edit last message, from an empty field</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <source>Edit message</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Edit message {message}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/queue_rows.py" />
            <source>Edit this message before it is sent</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/edit_banner.py" />
            <source>Editing an earlier message</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/memory_section.py" />
            <source>Every block is a turn. Green ones are kept; grey ones are read again.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/memory_section.py" />
            <source>Every block is a turn. Green ones are kept; the blue one is being written.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/privacy_pane.py" />
            <source>Everything stays on this computer</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Export all chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Export all chats…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Export as PDF</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Export as PDF…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Export chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Export chat…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Export preset</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Export prompts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/preset_menu.py" />
            <source>Export “{name}”…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <location filename="../../ui/sidebar/conversation_menu.py" />
            <location filename="../../ui/window/tab_menu.py" />
            <source>Export…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Fewer bits take less room and are less exact.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Fewer values</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>File</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Filter models</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../ui/models/models_page.py" />
            <source>Filter {count} models</source>
            <extracomment>For one: Filter {count} model</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../ui/chat/find_bar.py" />
            <source>Find</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Find in chat…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/find_bar.py" />
            <source>Find in this chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Find models</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Find next</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Find previous</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Fits well</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Fold the reasoning</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/advanced_pane.py" />
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <location filename="../../ui/inspector/label_section.py" />
            <location filename="../../ui/sidebar/conversation_menu.py" />
            <source>Folder</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/conversations_model.py" />
            <source>Folder {title}, {chats}, closed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/conversations_model.py" />
            <source>Folder {title}, {chats}, open</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Fork chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Fork from message {message}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Full</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Full screen</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>General</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/advanced_pane.py" />
            <source>General, appearance, chats and shortcuts become as they were at first. Chats, models, presets and limits stay.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Generating</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Generating · {rate:.0f} tok/s</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Getting ready</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/footer.py" />
            <source>Go on where this answer ended</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/pause_button.py" />
            <source>Go on with this answer</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <source>Gone with this private chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/menu_commands.py" />
            <source>Hearth

A chat app for models that run on this computer, in which every chat stays ready.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Hearth chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>Hearth copies all chats once a day and keeps the ten newest copies, none for much longer than 30 days. If the library is ever damaged, one of them takes its place. Recently deleted chats are still in them.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/update_dialog.py" />
            <source>Hearth fetches one small file that says which version is the newest. It tells nothing about you, your chats or this computer, and it installs nothing by itself.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/update_dialog.py" />
            <source>Hearth {running}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Help</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <source>Hide chat settings</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/memory_section.py" />
            <source>Hide details</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>Hide sidebar</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Higher values make the answers more surprising; 0 always takes the likeliest word.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <source>Holds from the next message on.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>How far apart they are.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/instructions_field.py" />
            <source>How the model shall answer in this chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>How wide the text of a chat may be.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <source>If you change this, the next message reads the chat again.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/markdown/spans.py" />
            <source>Image</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Import chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Import preset</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/preset_menu.py" />
            <source>Import preset…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Import prompts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Import…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>In lists and menus.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/palette/entries.py" />
            <source>In messages</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/detail_buttons.py" />
            <source>In use</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Incomplete</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/variables_dialog.py" />
            <source>Insert</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <location filename="../../ui/inspector/instructions_field.py" />
            <source>Instructions</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/chats_pane.py" />
            <source>Instructions of new chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/footer.py" />
            <source>Interrupted</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/dialogs.py" />
            <source>Its answer is still being written. A private chat is kept nowhere. Once its tab is closed, it is gone and cannot be brought back.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/detail_buttons.py" />
            <source>Its files are deleted. Chats stay, and another model can answer in them.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/newest_button.py" />
            <source>Jump to the newest message</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/detail_buttons.py" />
            <source>Keep</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/dialogs.py" />
            <source>Keep answering</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Keep chats ready on disk</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/dialogs.py" />
            <source>Keep it open</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/label_section.py" />
            <location filename="../../ui/sidebar/conversation_menu.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Keep ready on disk</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/edit_banner.py" />
            <source>Keep the message as it is (Esc)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/shortcuts_dialog.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Keyboard shortcuts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/label_section.py" />
            <source>Labels</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/general_pane.py" />
            <source>Language</source>
            <translation>Sprache</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Larger text</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/written_card.py" />
            <source>Last 30 days · {size}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/general_pane.py" />
            <source>Last tabs</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/stored_chats.py" />
            <source>Last used</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Layers</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/layer_strip.py" />
            <source>Layers: {text}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/chats_pane.py" />
            <source>Let the model name chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Let the model read the messages above message {message} again</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Let the model read the older messages again, if all of the chat fits</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Let the model think before it answers</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>Light</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>Light, dark, or as the system is.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Limit</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>Lines</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Loading the model…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Longest answer</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Longest chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Look around first with the tiny built-in model</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/update_dialog.py" />
            <source>Look for newer versions once a day</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Look for updates…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/update_dialog.py" />
            <source>Look now</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Looking for models…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>Make a copy now</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/model_chip.py" />
            <source>Manage models…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/memory_section.py" />
            <source>Memory</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Memory of chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Memory on this Mac</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/memory_gauge.py" />
            <source>Memory on this Mac: {said}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/tab_row.py" />
            <source>Menu</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/prompt_edit.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Message</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/prompt_edit.py" />
            <source>Message {name}…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Message {number}, answer</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Message {number}, from you</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/stand_ins.py" />
            <source>Messages</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Min-p</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Minimise</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/model_chip.py" />
            <location filename="../../ui/inspector/inspector.py" />
            <source>Model</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Model card</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <location filename="../../ui/models/models_page.py" />
            <location filename="../../ui/palette/entries.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Models</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Models found</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Models found on this Mac</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Models on this Mac</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Models run on this Mac, and every chat stays ready:
come back next week, and the answer starts at once.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Models you have already</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>More actions</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>More values</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Move tab left</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Move tab right</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Move to folder</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Move to folder…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/greeting.py" />
            <source>My code word is marigold. Please remember it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <location filename="../../ui/models/model_settings.py" />
            <source>Name</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <source>Name of the prompt</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>Narrow</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/models_pane.py" />
            <source>Never</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/general_pane.py" />
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <location filename="../../ui/models/row_words.py" />
            <location filename="../../ui/sidebar/conversations_model.py" />
            <location filename="../../ui/sidebar/sidebar.py" />
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/home.py" />
            <location filename="../../ui/window/palette_entries.py" />
            <location filename="../../ui/window/tab_strip.py" />
            <source>New chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>New folder</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/conversation_menu.py" />
            <source>New folder…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>New line</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/home.py" />
            <source>New private chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <source>New prompt</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/tab_row.py" />
            <source>New tab</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Newest message</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/footer.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Next alternative</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Next alternative of message {message}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/find_bar.py" />
            <source>Next hit</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Next message</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Next tab</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../ui/theme/phrases.py" />
            <source>Next {count} messages, sent one by one</source>
            <extracomment>For one: Next message, sent when this answer ends</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>No chat is lost. Each is read again when it is answered next, which takes a while for a long one.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <location filename="../../ui/window/home.py" />
            <source>No chat is open</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>No chats found</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/label_section.py" />
            <source>No folder</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/find_bar.py" />
            <source>No hits</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <source>No model</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>No model is in memory</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>No model matches.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>No models yet. Find one to download, or add a folder that holds some.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/shortcuts_dialog.py" />
            <source>No shortcut fits</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/chats_pane.py" />
            <location filename="../../ui/dialogs/shortcuts_pane.py" />
            <location filename="../../ui/inspector/stop_words.py" />
            <location filename="../../ui/models/model_settings.py" />
            <location filename="../../ui/sidebar/conversation_menu.py" />
            <source>None</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>Normal</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/chat_tab.py" />
            <source>Not kept ready on disk</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Not usable</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/palette/command_palette.py" />
            <source>Nothing fits</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Nothing found.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/stored_chats.py" />
            <source>Nothing is kept</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Nothing leaves your Mac, except these downloads.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>Nothing slides into its place.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Nothing was deleted</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/update_dialog.py" />
            <source>Nothing was looked for yet.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/general_pane.py" />
            <source>Notify when an answer is ready</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>Of chats and of the message box. Also with the zoom keys.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Of chats that have none of their own.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Older</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>On this Mac</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Only the likeliest words that together have this share of the probability are drawn.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Only this many of the likeliest words are drawn; 0 sets no limit.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/conversation_menu.py" />
            <source>Open</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/tab_menu.py" />
            <source>Open beside</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/tab_strip.py" />
            <source>Open chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/update_dialog.py" />
            <source>Open its page</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Open message {message}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Open the menu</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/general_pane.py" />
            <source>Open the tabs of the last time, or begin a new chat.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Paste</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/pause_button.py" />
            <location filename="../../ui/models/pick_card.py" />
            <location filename="../../ui/models/row_words.py" />
            <source>Pause</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/pause_button.py" />
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/menu_commands.py" />
            <source>Pause answer</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/pause_button.py" />
            <source>Pause this answer; it goes on where it was</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <location filename="../../ui/theme/phrases.py" />
            <source>Paused</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/conversation_menu.py" />
            <source>Pin</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/menu_commands.py" />
            <source>Pin chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/stored_chats.py" />
            <source>Pin {title}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/sections.py" />
            <source>Pinned</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Presets (*.json)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/shortcuts_pane.py" />
            <source>Press the keys…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Previous 30 days</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Previous 7 days</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/footer.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Previous alternative</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Previous alternative of message {message}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/find_bar.py" />
            <source>Previous hit</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Previous message</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Previous tab</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Privacy</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/tab_strip.py" />
            <source>Private chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/privacy_pane.py" />
            <source>Private chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/chat_tab.py" />
            <source>Private: written nowhere</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <location filename="../../ui/palette/entries.py" />
            <source>Prompts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Prompts (*.json)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Prompts…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/notice_bar.py" />
            <source>Put away</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Quit Hearth</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <source>Quote in message</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Quote selection</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Random</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Read again: {cause}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Read all again</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/memory_section.py" />
            <source>Read it again</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Reading</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Reading {done} of {total}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Ready</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Ready chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Reason first</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Reasoning</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Recently deleted</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Recently deleted…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/palette/entries.py" />
            <source>Recently used</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Redo</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>Reduce motion</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/transcript.py" />
            <source>Regenerate</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Regenerate answer</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/detail_buttons.py" />
            <source>Remove</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/conversation_menu.py" />
            <source>Remove folder, keep its chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/attachment_chips.py" />
            <source>Remove {name}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/detail_buttons.py" />
            <source>Remove {name}?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Remove…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/conversation_menu.py" />
            <source>Rename</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Rename chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Rename chat…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Rename folder</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/conversation_menu.py" />
            <source>Rename folder…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Rename preset</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/preset_menu.py" />
            <source>Rename “{name}”…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/tab_menu.py" />
            <source>Rename…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/tab_menu.py" />
            <source>Reopen closed tab</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Repetition penalty</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/advanced_pane.py" />
            <source>Reset</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/shortcuts_pane.py" />
            <source>Reset all</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/advanced_pane.py" />
            <source>Reset the settings</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/advanced_pane.py" />
            <source>Reset the settings?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/preset_menu.py" />
            <source>Reset to the model's</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/advanced_pane.py" />
            <source>Reset…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Restarting the engine…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Restore</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/sections.py" />
            <source>Results</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/pause_button.py" />
            <source>Resume</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/pause_button.py" />
            <location filename="../../ui/window/menu_commands.py" />
            <source>Resume answer</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Save</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Save as preset</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/preset_menu.py" />
            <source>Save as preset…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <source>Saved with this chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/shortcuts_dialog.py" />
            <location filename="../../ui/models/search_field.py" />
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>Search</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Search Hugging Face</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/sidebar.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Search chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/palette/command_palette.py" />
            <source>Search commands, chats and models</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/menu_commands.py" />
            <source>Search prompts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/shortcuts_dialog.py" />
            <source>Search shortcuts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <location filename="../../ui/models/search_field.py" />
            <source>Searching…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Seed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Select all</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/send_button.py" />
            <source>Send</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/general_pane.py" />
            <source>Send a message with</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Send after this answer</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/send_button.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Send message</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Send next</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/queue_rows.py" />
            <source>Send now</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/queue_rows.py" />
            <source>Send these messages, one after another</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Send this message when the answer has ended</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Sent as soon as the file is read</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/label_section.py" />
            <source>Separated by commas</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <location filename="../../ui/palette/entries.py" />
            <location filename="../../ui/sidebar/footer.py" />
            <location filename="../../ui/window/palette_entries.py" />
            <source>Settings</source>
            <translation>Einstellungen</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Settings of {name}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Settings…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/general_pane.py" />
            <source>Shift and Return always begin a new line. If another key sends, Return begins one too.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Shortcuts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Shorter takes less memory.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Show all {characters} characters</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Show all {lines} lines</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/tab_row.py" />
            <source>Show chat settings</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>Show copies</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/advanced_pane.py" />
            <source>Show data</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Show files</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Show folders</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/footer.py" />
            <source>Show less</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/advanced_pane.py" />
            <source>Show logs</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Show or hide chat settings</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Show or hide more of message {message}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Show or hide sidebar</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <location filename="../../ui/window/tab_row.py" />
            <source>Show sidebar</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Show the reasoning</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/stored_chats.py" />
            <source>Size</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/update_dialog.py" />
            <source>Skip this version</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Smaller text</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/stored_chats.py" />
            <source>Sort by {words}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/stored_chats.py" />
            <source>Sort by {words}, chosen</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/pick_card.py" />
            <source>Start chatting</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Starting</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Starting the engine…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/send_button.py" />
            <source>Stop</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/send_button.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Stop answering</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/folder_rows.py" />
            <source>Stop looking for models in {path}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/queue_rows.py" />
            <source>Stop the answer and send this message now</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/stop_words.py" />
            <source>Stop words, one a line</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <location filename="../../ui/transcript/footer.py" />
            <source>Stopped</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Storage</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Style</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/chats_pane.py" />
            <source>Style of new chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <location filename="../../ui/dialogs/general_pane.py" />
            <source>System</source>
            <translation>System</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>System prompt</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Tab 1 to 9</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Tab {number}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <location filename="../../ui/inspector/label_section.py" />
            <source>Tags</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Tags, separated by commas</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/conversation_menu.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Tags…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/greeting.py" />
            <source>Tell me a short story about a lighthouse.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <location filename="../../ui/models/model_settings.py" />
            <source>Temperature</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <source>Text of the prompt</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>Text size</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/pdf.py" />
            <source>The PDF cannot be written to {path}. Choose another folder.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/pdf.py" />
            <source>The PDF cannot be written to {path}. Look whether the disk is full.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>The answer failed.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>The app's</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>The engine has stopped</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>The model reads from here on</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/greeting.py" />
            <source>The model runs on this computer, and this chat stays ready.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>The model's own</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>The model's own: {own:g}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/general_pane.py" />
            <source>The one of the system, if Hearth speaks it.</source>
            <translation>Die des Systems, wenn Hearth sie spricht.</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>The same seed draws the same answer to the same chat.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/general_pane.py" />
            <source>The system says so if you look at another app. Words of private chats are never shown.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>There is no copy yet.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/footer.py" />
            <source>There is none</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/privacy_pane.py" />
            <source>They wait in Recently Deleted for 30 days. On the second day of use after that at the latest, they are erased for good, with their files and caches.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Think</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Think before answering</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/reply_state.py" />
            <source>Thinking…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>This cannot be undone.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <source>This chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/greeting.py" />
            <source>This chat is private: it is written nowhere, and gone when its tab is closed.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/detail_buttons.py" />
            <source>This model is loaded. Pick another one first, then remove this one.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/reply_state.py" />
            <source>Thought</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Thought for {minutes} min</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Thought for {minutes} min {seconds} s</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Thought for {seconds} s</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Tight</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Title</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/conversation_delegate.py" />
            <source>Title of the chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Today</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Top of the chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Top p</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Top-k</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Top-p</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <source>Translate into {language}: {text}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/listing.py" />
            <location filename="../../ui/models/pick_card.py" />
            <location filename="../../ui/models/row_words.py" />
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Try again</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Try message {message} again</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/tab_row.py" />
            <source>Two chats side by side</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <source>Type / in an empty message to use a prompt. {variable} in its text is asked for then.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Undo</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/models_pane.py" />
            <source>Unload an unused model</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/model_chip.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Unload model</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/conversation_menu.py" />
            <source>Unpin</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/menu_commands.py" />
            <source>Unpin chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/stored_chats.py" />
            <source>Unpin {title}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Up to {longest} tokens fit now.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Up to {most_context} tokens</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/update_dialog.py" />
            <source>Updates</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/detail_buttons.py" />
            <source>Use anyway</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>Use the copy of {when}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>Use the copy of {when}?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/value_row.py" />
            <source>Use the model's own</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>Use this copy</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>Use this copy…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Use this model</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Usual text size</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>View</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <location filename="../../ui/theme/phrases.py" />
            <source>Waiting</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Welcome to Hearth</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/greeting.py" />
            <source>What can Hearth do?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/detail_buttons.py" />
            <source>What is here already, {done}, is deleted.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/update_dialog.py" />
            <source>What is new</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/greeting.py" />
            <source>What is on your mind?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>What the model has read of a chat is kept, so that the chat answers at once whenever it is opened again. Switched off, nothing of this is written.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/chats_pane.py" />
            <source>What the model shall always know. Older chats keep theirs.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/general_pane.py" />
            <source>When Hearth starts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/privacy_pane.py" />
            <source>When a deleted chat is erased, it is erased from the daily copies and from replaced libraries too. If you erase a chat yourself, older copies hold it for 30 days more, unless you have them replaced at once. A damaged library that was replaced cannot be cleaned; it is removed after 30 days.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>Wide</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Will be read again</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Will be read again, {time}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Window</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Words that are less likely than this share of the likeliest one are left out.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Write 3 alternatives</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/prompt_edit.py" />
            <source>Write a message…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Write message {message} again</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/footer.py" />
            <source>Write this answer again (right click for more)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/written_card.py" />
            <source>Written on each of {days} days</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/written_card.py" />
            <source>Written today</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Yesterday</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Your messages are not part of this.</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../ui/theme/phrases.py" />
            <source>about {count} tokens</source>
            <extracomment>For one: about {count} token</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>about {minutes} min</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>about {number}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>about {seconds} s</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/memory_gauge.py" />
            <source>chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/palette/command_palette.py" />
            <source>esc</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/memory_gauge.py" />
            <source>free</source>
            <comment>memory</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>getting ready</source>
            <comment>badge</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/palette_entries.py" />
            <source>in use</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../ui/models/row_words.py" />
            <source>in use by {count} chats</source>
            <extracomment>For one: in use by {count} chat</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>last day</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>loaded</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/conversations_model.py" />
            <source>new answer</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>now</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/memory_gauge.py" />
            <source>other apps</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>paused</source>
            <comment>badge</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/stored_chats.py" />
            <source>read again</source>
            <comment>badge</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>reading</source>
            <comment>badge</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>reading {done} of {total}</source>
            <comment>badge</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/stored_chats.py" />
            <source>ready</source>
            <comment>badge</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>ready at once</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/model_chip.py" />
            <source>ready for this chat</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../ui/models/row_words.py" />
            <source>ready for {count} chats</source>
            <extracomment>For one: ready for {count} chat</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>this message: {tokens}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>this message: {tokens}, {time} to read</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>under 1 s</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>waiting</source>
            <comment>badge</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/memory_gauge.py" />
            <source>weights</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>will be read again</source>
            <comment>badge</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>will be read again, {time}</source>
            <comment>badge</comment>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../ui/theme/phrases.py" />
            <source>{count} bytes</source>
            <extracomment>For one: {count} byte</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/sidebar/conversations_model.py" />
            <source>{count} chats</source>
            <extracomment>For one: {count} chat</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/theme/phrases.py" />
            <source>{count} chats ready</source>
            <extracomment>For one: {count} chat ready</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>{count} days left</source>
            <extracomment>For one: {count} day left</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/composer/queue_rows.py" />
            <source>{count} files</source>
            <extracomment>For one: {count} file</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/theme/phrases.py" />
            <source>{count} messages were not sent yet</source>
            <extracomment>For one: {count} message was not sent yet</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/theme/phrases.py" />
            <source>{count} tokens</source>
            <extracomment>For one: {count} token</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>{held_bytes} of {quota_bytes}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>{hours} h left</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>{hours} h {minutes} min left</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../ui/inspector/context_map.py" />
            <source>{kept} of {count} turns kept</source>
            <extracomment>For one: {kept} of {count} turn kept</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../ui/markdown/lines.py" />
            <source>{language} · shown as code</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/stored_chats.py" />
            <source>{left} more chats are not shown. Sort to see others.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>{limit} tokens</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{milliseconds:.0f} ms</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>{minutes} min left</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/key_conflict.py" />
            <source>{native} belongs to “{text}”. Give that other keys first.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/key_conflict.py" />
            <source>{native} is needed to write. Hold the command key, Control or Alt with it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/model_chip.py" />
            <source>{number} more in “Manage models…”</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>{part} of {total}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>{percent:.0f} %</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/appearance_pane.py" />
            <source>{percent} %</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/find_bar.py" />
            <source>{position} of {total}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{rate:.1f} tok/s</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{seconds:.1f} s</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>{seconds} s left</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>{size}/s</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{thousands}k</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/palette_entries.py" />
            <source>{time} · open</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/main_window.py" />
            <source>{title} (private)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/stored_chats.py" />
            <source>{tokens} tokens</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{used:.1f} GB · {chats}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{used:.1f} of {total:.0f} GB · {chats}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{used} / {limit} context</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{used} / {limit} context, too long</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{used} MB of {total:.0f} GB · {chats}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{used} MB · {chats}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/value_slider.py" />
            <source>{value:g}. The model suggests {suggested:g}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/privacy_pane.py" />
            <source>“Keep ready on disk” in the menu of a chat: switched off, only its words are saved.</source>
            <translation type="unfinished" />
        </message>
    </context>
</TS>
