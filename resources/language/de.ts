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
            <location filename="../../app/models/facts.py" />
            <source>1,000 words of chat</source>
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
            <location filename="../../app/backup/daily.py" />
            <source>A copy of all chats could not be made. {error}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/cache/check.py" />
            <source>A damaged part of {title} was removed: the chat is read again when it is answered next.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/fetcher.py" />
            <source>A file of the download cannot be read: {error}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/import_export/hearth_json.py" />
            <source>A newer Hearth wrote this export (format {version}; this one reads {known}).</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/own_files.py" />
            <source>A newer Hearth wrote {name}, so this one cannot read it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>A preset needs a name.</source>
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
            <location filename="../../app/updates/release_check.py" />
            <source>A version that is no plain number cannot be compared.</source>
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
            <location filename="../../app/hub/found_detail.py" />
            <source>Access</source>
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
            <location filename="../../app/models/description.py" />
            <source>Adapter for {name}</source>
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
            <location filename="../../app/chat/overflow.py" />
            <source>All of this chat is still longer than the model can read, so the oldest turns stay left out. Delete some turns, or pick a model that can read more.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/tab_row.py" />
            <source>All open chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/prompts.py" />
            <source>All prompts of this file are here already.</source>
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
            <location filename="../../app/conversations/attention.py" />
            <source>An answer is ready.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/desktop/bootstrap.py" />
            <source>Another Hearth command is using what is kept of the chats. Until Hearth is started again, they stay ready in memory only.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/staging.py" />
            <source>Another Hearth process is downloading {repository}.</source>
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
            <location filename="../../app/chat/memory_map.py" />
            <source>Answering</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/capabilities.py" />
            <source>Answers one chat at a time; the others wait.</source>
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
            <location filename="../../app/chat/overflow.py" />
            <source>Ask for a shorter answer, or pick a model that can read more.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Ask for this answer again</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Ask without the file: the text is read again then.</source>
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
            <location filename="../../app/conversations/presets.py" />
            <location filename="../../ui/composer/composer.py" />
            <source>Balanced</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/names.py" />
            <source>Built in: a tiny demo model for trying Hearth, not for real work</source>
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
            <location filename="../../app/import_export/files.py" />
            <source>Chats are exported to a file whose name ends with .md, .hearth or .json.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/cache/monitor.py" />
            <source>Chats are not kept ready on disk: {now}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>Chats share one batch</source>
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
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Checking {amount}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Checking {total}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <location filename="../../ui/models/pick_card.py" />
            <source>Checking…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/memory_map.py" />
            <source>Checkpoints</source>
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
            <location filename="../../app/base/errors.py" />
            <source>Close other apps, or pick a smaller model.</source>
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
            <location filename="../../app/chat/memory_map.py" />
            <location filename="../../app/models/facts.py" />
            <source>Context</source>
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
            <location filename="../../app/backup/stale.py" />
            <source>Copies of all chats that Hearth made before may hold what was deleted for 30 days more. Replacing them cannot be undone.</source>
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
            <location filename="../../app/base/errors.py" />
            <source>Correct the presets in settings.json, or take them out to get the built-in ones back.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/updates/updates.py" />
            <source>Could not be checked.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>Creative</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>Custom</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Cut</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/cache/check.py" />
            <source>Damaged parts were removed. These chats are read again when they are answered next: {chats}.</source>
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
            <location filename="../../app/base/errors.py" />
            <source>Disk quota exceeded</source>
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
            <location filename="../../app/hub/found_detail.py" />
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
            <location filename="../../app/base/errors.py" />
            <source>Download it again, or pick another model.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/model_files.py" />
            <source>Download it again.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/model_files.py" />
            <source>Download not finished: its config.json is missing. Download it again.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/model_files.py" />
            <source>Download not finished: its weights are missing. Download it again.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/model_files.py" />
            <source>Download not finished: {missing} of {count} files are missing. Download it again.</source>
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
            <location filename="../../app/hub/found_rows.py" />
            <source>Estimated from the size of the weights.</source>
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
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Every file is read again and compared with its checksum. Damaged ones are removed; your messages stay.</source>
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
            <location filename="../../app/models/facts.py" />
            <source>Family</source>
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
            <location filename="../../app/base/errors.py" />
            <source>File exists</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>File name too long</source>
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
            <location filename="../../app/chat/memory_map.py" />
            <source>First word after</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Fits well</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <source>Flax files</source>
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
            <location filename="../../app/chat/overflow.py" />
            <source>From now on, the model reads all of this chat again.</source>
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
            <location filename="../../app/hub/bounded_client.py" />
            <location filename="../../app/hub/fetch/conversation.py" />
            <source>HF_HUB_OFFLINE is set</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/menu_commands.py" />
            <source>Hearth

A chat app for models that run on this computer, in which every chat stays ready.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/sources.py" />
            <source>Hearth cannot list it: {reason}.</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../app/models/local_models.py" />
            <source>Hearth cannot offer {count} model folders: {names}.</source>
            <extracomment>For one: Hearth cannot offer {count} model folder: {names}.</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../app/desktop/opened_items.py" />
            <source>Hearth cannot read this link.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/paths.py" />
            <source>Hearth cannot use the folder {folder}: {reason}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/locks.py" />
            <source>Hearth cannot write to the folder {folder}: {hindrance}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Hearth chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/downloads.py" />
            <source>Hearth continues to download {name}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>Hearth copies all chats once a day and keeps the ten newest copies, none for much longer than 30 days. If the library is ever damaged, one of them takes its place. Recently deleted chats are still in them.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/inspector.py" />
            <source>Hearth could not examine its files within {seconds:.0f} seconds.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/names.py" />
            <source>Hearth demo</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/removal.py" />
            <source>Hearth did not download {name}, so it does not delete it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/desktop/opened_items.py" />
            <source>Hearth does not know this link.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/update_dialog.py" />
            <source>Hearth fetches one small file that says which version is the newest. It tells nothing about you, your chats or this computer, and it installs nothing by itself.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/token_setting.py" />
            <source>Hearth has forgotten your token.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/inspector.py" />
            <source>Hearth is closing, so it examines no more models.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/verification.py" />
            <source>Hearth knows no digests of {name}, because it did not download it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/desktop/installation.py" />
            <source>Hearth lies in the Downloads folder, where it is easily thrown away. {advice}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/desktop/installation.py" />
            <source>Hearth runs from the disk image that it came in. {advice}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/settings.py" />
            <source>Hearth uses its default settings because {name} cannot be read: {error}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/desktop/bootstrap.py" />
            <source>Hearth was closed and is still saving. Start it again in a minute.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/update_dialog.py" />
            <source>Hearth {running}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/updates/updates.py" />
            <source>Hearth {running} is the newest version.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/updates/updates.py" />
            <source>Hearth {version} can be had.</source>
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
            <location filename="../../app/models/description.py" />
            <source>Hybrid</source>
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
            <location filename="../../app/models/facts.py" />
            <source>Images and sound</source>
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
        <message numerus="yes">
            <location filename="../../app/conversations/transfer.py" />
            <source>Importing {count} chats: {percent} %</source>
            <extracomment>For one: Importing {count} chat: {percent} %</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
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
            <location filename="../../app/base/errors.py" />
            <source>Input/output error</source>
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
            <location filename="../../app/base/errors.py" />
            <source>Is a directory</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/model_files.py" />
            <source>It cannot be read: {fault}. {advice}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/settings.py" />
            <source>It could not be renamed: {reason}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/fit.py" />
            <source>It does not fit now: it needs {needed}, and {free} are free. Close other apps first.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/fit.py" />
            <source>It does not fit: it needs {needed}, and this machine can give a model {most}.</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../app/models/fit.py" />
            <source>It fits beside {count} open chats, with chats of up to {longest} tokens.</source>
            <extracomment>For one: It fits beside {count} open chat, with chats of up to {longest} tokens.</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../app/models/fit.py" />
            <source>It fits, but leaves no room for a chat. Close other apps or chats first.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/fit.py" />
            <source>It fits, but only with chats of up to {longest} tokens. Close other apps or chats for more.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/fit.py" />
            <source>It fits, with chats of up to {longest} tokens.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/found_detail.py" />
            <source>It has no safetensors weights, so Hearth cannot use it. Look for an MLX version of this model.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/model_files.py" />
            <source>It has no safetensors weights. Download it again.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/model_files.py" />
            <source>It has no tokenizer. Download it again.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/local_models.py" />
            <source>It is an adapter for {wanted}, which is not on this machine. Download {wanted} first.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/model_files.py" />
            <source>It is an adapter in the format of PEFT, which MLX does not read. Train or convert it with mlx-lm.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/model_files.py" />
            <source>It is an adapter without its weights: {file} is missing.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/model_files.py" />
            <source>It is in the GGUF format, which MLX does not read. Look for the same model in MLX format.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/sources.py" />
            <source>It is not there now. Its models come back with it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/settings.py" />
            <source>It is now called {name}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/process.py" />
            <source>It made no progress, so Hearth gave it up.</source>
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
            <location filename="../../app/desktop/model_choice.py" />
            <source>Its licence is {licence}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/model_files.py" />
            <source>Its weights are PyTorch files, which can hold program code, so Hearth never opens them. Look for it in MLX format.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/found_rows.py" />
            <source>Its weights are not safetensors files, so Hearth cannot use it. Look for another version.</source>
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
            <location filename="../../app/chat/overflow.py" />
            <source>Leave out the oldest turns</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Leave out the oldest turns, or go on in a new chat.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/capabilities.py" />
            <source>Leaves its reasoning out of later turns; Hearth reads the short form in a quiet moment.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Let its download finish, or pick another model.</source>
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
            <location filename="../../app/engine_client/model_switch.py" />
            <source>Load again</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/connection.py" />
            <location filename="../../app/engine_client/model_switch.py" />
            <source>Load anyway</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/model_switch.py" />
            <source>Load the model anyway?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/model_switch.py" />
            <source>Load the model with its new settings?</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Loading the model…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/load_views.py" />
            <source>Loading {name} was cancelled.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/load_views.py" />
            <source>Loading {name} · {stage}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/load_views.py" />
            <source>Loading {name} · {stage} · {percent:.0f} %</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/connection.py" />
            <location filename="../../app/engine_client/load_views.py" />
            <source>Loading {name}…</source>
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
            <location filename="../../app/models/facts.py" />
            <source>Longest chat that fits</source>
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
            <location filename="../../app/base/errors.py" />
            <source>Look for the same model in MLX's format.</source>
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
            <location filename="../../app/base/errors.py" />
            <source>Make it shorter, or pick a model that can read more.</source>
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
            <location filename="../../app/base/own_values.py" />
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
            <location filename="../../app/cache/check.py" />
            <location filename="../../app/cache/monitor.py" />
            <location filename="../../app/chat/views.py" />
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
            <location filename="../../app/chat/overflow.py" />
            <source>New chat from here</source>
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
            <location filename="../../app/backup/recovery.py" />
            <source>No copy of it can be used.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/cache/check.py" />
            <source>No damage was found.</source>
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
            <location filename="../../app/base/errors.py" />
            <source>No space left on device</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>No such file or directory</source>
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
            <location filename="../../app/base/errors.py" />
            <source>Not a directory</source>
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
            <location filename="../../app/cache/check.py" />
            <source>Nothing is kept on disk, so there was nothing to check.</source>
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
            <location filename="../../app/backup/recovery.py" />
            <source>Nothing was changed.</source>
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
            <location filename="../../app/hub/fetch/selection.py" />
            <source>NumPy files</source>
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
            <location filename="../../app/conversations/trash.py" />
            <source>Older copies of all chats still hold chats that were deleted more than 30 days ago. They will be cleaned later.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/memory_map.py" />
            <source>On disk</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>On this Mac</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>One checkpoint</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/backup/stale.py" />
            <source>Only one copy of all chats is left, made just now.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/turn_jobs.py" />
            <source>Only the last answer of a chat can be continued.</source>
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
            <location filename="../../app/cache/description.py" />
            <source>Only {free} are free on the disk, so no room is left for ready chats.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/cache/description.py" />
            <source>Only {free} are free on the disk, so ready chats take at most {most}.</source>
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
            <location filename="../../app/base/errors.py" />
            <source>Operation not permitted</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>Own sampling</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>Parameters</source>
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
            <location filename="../../app/base/errors.py" />
            <source>Permission denied</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick a model first.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick a model that answers in text.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick a model that was made for chat.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick a smaller model.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick another model, or download this one again.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick another model, or put the folder back.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick another model, or try it again later.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick another model.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick another model; a newer version of Hearth may support this one.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick another model; if it happens with every model, the log has the details.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick another place, or make room on the disk.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick it again to load it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick that model, and then the adapter among its variants.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick the model that it was trained on, or train it again.</source>
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
            <location filename="../../app/conversations/presets.py" />
            <source>Precise</source>
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
            <location filename="../../app/conversations/attention.py" />
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
            <location filename="../../app/hub/fetch/selection.py" />
            <source>PyTorch files</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/recommendations.py" />
            <source>Quick</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Quit Hearth</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/desktop/installation.py" />
            <source>Quit Hearth, drag it into the Applications folder, and open it from there. Your chats stay where they are.</source>
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
            <location filename="../../app/base/errors.py" />
            <source>Raise the limit of open files (ulimit -n) and start Hearth again, or pick a smaller model.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Random</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/memory_map.py" />
            <source>Read again</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/memory_map.py" />
            <source>Read again because</source>
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
            <location filename="../../app/base/errors.py" />
            <source>Read-only file system</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Reading</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/memory_map.py" />
            <source>Reading all again</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../app/cache/description.py" />
            <source>Reading or writing what is kept has failed {count} times since the engine started.</source>
            <extracomment>For one: Reading or writing what is kept has failed once since the engine started.</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../app/models/views.py" />
            <source>Reading speed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Reading {done} of {total}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/transfer.py" />
            <source>Reading {name}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/capabilities.py" />
            <source>Reads only what is new in a chat.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Ready</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/memory_map.py" />
            <source>Ready at once</source>
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
            <location filename="../../app/models/facts.py" />
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
            <location filename="../../app/models/description.py" />
            <source>Recurrent</source>
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
            <location filename="../../app/models/model_files.py" />
            <source>Rename its folder.</source>
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
            <location filename="../../app/backup/stale.py" />
            <source>Replace them by a new copy</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>Rescue what can be read</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>Rescued: {chats} with {messages}.</source>
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
            <location filename="../../app/base/errors.py" />
            <source>Restart Hearth; the log has the details.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/connection.py" />
            <source>Restart the engine</source>
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
            <location filename="../../app/engine_client/capabilities.py" />
            <source>Rewrites earlier answers, so the newest one is read again with each message.</source>
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
            <location filename="../../app/engine_client/capabilities.py" />
            <source>Several chats answer at the same time.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/capabilities.py" />
            <source>Several chats answer at the same time; a short one waits a little for a long one.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/named.py" />
            <source>Several models are called {name}; name one by its folder: {folders}.</source>
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
            <location filename="../../app/updates/updates.py" />
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
            <location filename="../../app/models/recommendations.py" />
            <source>Smart</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Something went wrong that Hearth did not expect; the log has the details.</source>
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
            <location filename="../../app/base/errors.py" />
            <source>Start a new chat, or pick another model.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/pick_card.py" />
            <source>Start chatting</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>Start with no chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Starting</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/connection.py" />
            <location filename="../../ui/theme/phrases.py" />
            <source>Starting the engine…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/send_button.py" />
            <location filename="../../ui/dialogs/storage_pane.py" />
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
            <location filename="../../app/chat/session.py" />
            <location filename="../../app/chat/turn_removal.py" />
            <source>Stop the answer first, or wait for its end.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/session.py" />
            <source>Stop the answer first; the new words are in the composer.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Stop the check</source>
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
            <location filename="../../app/engine_client/model_switch.py" />
            <source>Switch</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/model_switch.py" />
            <source>Switch to {name}?</source>
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
            <location filename="../../app/chat/memory_map.py" />
            <source>Taken from disk in</source>
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
            <location filename="../../app/hub/fetch/selection.py" />
            <source>TensorFlow files</source>
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
            <location filename="../../app/engine_client/capabilities.py" />
            <source>That was not tried with chats of {tokens} tokens and more.</source>
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
            <location filename="../../app/conversations/transfer.py" />
            <source>The chat is on the clipboard, as Markdown.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/list.py" />
            <source>The chat was deleted.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/cache/check.py" />
            <source>The check ended early. {trouble}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/cache/check.py" />
            <source>The check was stopped after {done}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>The conversation is read again instead.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/fetcher.py" />
            <source>The disk does not take the download: {reason}. What was downloaded stays.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/fetcher.py" />
            <source>The disk is full. Make room, then continue: what was downloaded stays.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/sources.py" />
            <source>The disk “{disk}” is not connected. Its models come back with it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/downloads.py" />
            <source>The download ended unexpectedly. Try again to continue it; the log has the details.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/removal.py" />
            <source>The download of {repository} cannot be deleted: {reason}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/token.py" />
            <source>The earlier token cannot be deleted: {reason}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>The engine could not do this.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/process.py" />
            <source>The engine does not belong to this version of Hearth. Install Hearth again.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>The engine has stopped</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/process.py" />
            <source>The engine keeps stopping, so Hearth does not start it again by itself. The log has the details.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/connection.py" />
            <source>The engine stopped and is being started again.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/process.py" />
            <source>The engine's program cannot be started.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/updates/fetch.py" />
            <source>The file about updates cannot be fetched ({name}).</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/updates/release.py" />
            <source>The file about updates cannot be read.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/updates/release_check.py" />
            <source>The file about updates comes from the future.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/updates/release_check.py" />
            <source>The file about updates has expired.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/updates/release.py" />
            <source>The file about updates is not signed by Hearth.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/updates/fetch.py" />
            <source>The file about updates is not there.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/updates/release_check.py" />
            <source>The file about updates is older than one that was read before.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/updates/fetch.py" />
            <source>The file about updates is too large.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/updates/release_check.py" />
            <source>The file about updates leads to no safe page.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/paths.py" />
            <source>The folder that this terminal is in was deleted. Change to another one first.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>The hub asks for fewer requests. {again}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>The hub does not accept your token. Enter it again with “Access token…” on the page Find models.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/source.py" />
            <source>The hub does not continue {path}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/source.py" />
            <source>The hub does not tell the commit of {repository}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>The hub has a fault of its own ({status}). Try again later.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/finder.py" />
            <source>The hub has no model for MLX with “{query}” in its name.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>The hub has no such model, or your token does not show it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/conversation.py" />
            <location filename="../../app/hub/fetch/source.py" />
            <source>The hub has no such version of this model.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>The hub refuses this request ({status}).</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/source.py" />
            <source>The hub sends another part of a file than Hearth asked for.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/transfer.py" />
            <source>The hub sends {path} with another size than it tells, so Hearth does not download it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <source>The hub tells no digest of {path}, so Hearth cannot check {repository}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/source.py" />
            <source>The hub tells two sizes of {rfilename}, so Hearth does not download it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/client.py" />
            <location filename="../../app/hub/fetch/conversation.py" />
            <location filename="../../app/hub/model_page.py" />
            <source>The hub's answer cannot be read.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/source.py" />
            <source>The hub's answer cannot be read. A login page of the network may be in between.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/bounded_client.py" />
            <source>The hub's answer is compressed, which Hearth did not ask for.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/bounded_client.py" />
            <source>The hub's answer is larger than Hearth reads.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/source.py" />
            <source>The hub's list of files is larger than Hearth reads.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/updates/release.py" />
            <source>The key for updates cannot be read.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/updates/updates.py" />
            <source>The key for updates cannot be read: {reason}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/token.py" />
            <source>The keychain does not delete the token. Delete it there: it is called Hearth.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/desktop/opened_items.py" />
            <source>The link is too long for Hearth.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <source>The list of stop words can have {most} lines; this one has {count}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/library.py" />
            <source>The login of Hugging Face cannot be read: {reason}. Check HF_HOME.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <source>The longest answer</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/overflow.py" />
            <source>The model can read all of this chat, so nothing was left out.</source>
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
            <location filename="../../app/models/named.py" />
            <source>The model's name is empty; hearth models list names all models.</source>
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
            <location filename="../../app/chat/overflow.py" />
            <source>The newest message alone is longer than the model can read. Make it shorter, or pick a model that can read more.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/general_pane.py" />
            <source>The one of the system, if Hearth speaks it.</source>
            <translation>Die des Systems, wenn Hearth sie spricht.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>The preset cannot be written to {path}: {reason}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/inspector.py" />
            <source>The process that examined its files ended.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/inspector.py" />
            <source>The process that examines models cannot be started. Install Hearth again.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/reading.py" />
            <source>The process that reads documents cannot be started. Install Hearth again.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/prompts.py" />
            <source>The prompts cannot be written to {name}: {reason}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/turn_removal.py" />
            <source>The question and its answer were deleted.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <source>The repetition penalty</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/card_text.py" />
            <source>The rest of this card is on the model's page at the hub.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>The same seed draws the same answer to the same chat.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <source>The seed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/settings.py" />
            <source>The settings cannot be saved: {reason}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/general_pane.py" />
            <source>The system says so if you look at another app. Words of private chats are never shown.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <source>The temperature</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/token.py" />
            <source>The token cannot be kept: {reason}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/fetcher.py" />
            <source>The version of {repository} that Hearth was downloading is no longer on the hub. Download it again to get the newest one.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/desktop/display_libraries.py" />
            <source>The window needs system libraries that are missing here: {libraries}. On Debian and Ubuntu run “sudo apt-get install {packages}”, and start Hearth again.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>There is a preset called “{name}” already. Pick another name.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/import_export/chatgpt.py" />
            <source>There is no conversations.json in this zip file.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>There is no copy yet.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/desktop/opened_items.py" />
            <source>There is no file {path}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/named.py" />
            <source>There is no model {name} on this machine; hearth models list names all.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/transcript/footer.py" />
            <source>There is none</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/import_export/chatgpt_tree.py" />
            <source>There is too much text in this file.</source>
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
            <location filename="../../app/chat/views.py" />
            <location filename="../../ui/transcript/reply_state.py" />
            <source>Thinking…</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/import_export/chatgpt.py" />
            <source>This JSON is no list of ChatGPT's chats.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/import_export/json_array.py" />
            <source>This JSON is not a list of chats.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/turn_jobs.py" />
            <source>This answer belongs to no question.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/turn_jobs.py" />
            <source>This answer is no longer part of the chat.</source>
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
            <location filename="../../app/chat/overflow.py" />
            <source>This chat is longer than the model can read. Nothing was left out of it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/greeting.py" />
            <source>This chat is private: it is written nowhere, and gone when its tab is closed.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/unsendable.py" />
            <source>This conversation is longer than any model can read.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>This copy is no longer there.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/import_export/hearth_json.py" />
            <source>This file is neither an export of Hearth's nor one of ChatGPT's.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/import_export/chatgpt.py" />
            <location filename="../../app/import_export/files.py" />
            <location filename="../../app/import_export/json_array.py" />
            <source>This file is too large.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>This is a new library. The copies of the former one stay in the settings, under Backups.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/import_export/hearth_json.py" />
            <source>This is no export of Hearth's, or it is damaged.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/import_export/json_array.py" />
            <source>This is no readable JSON, or the end of it is missing.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/token.py" />
            <source>This is no token: a token has no spaces and only plain letters.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/import_export/files.py" />
            <source>This is not a file.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>This is the copy of {day}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>This model is gated: ask for access on its page at the hub, and enter your token with “Access token…”.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/detail_buttons.py" />
            <source>This model is loaded. Pick another one first, then remove this one.</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../app/engine_client/model_switch.py" />
            <source>This stops the answers in {chats}. Their text is kept, and can be continued.</source>
            <extracomment>For one: This stops the answer in {chats}. Its text is kept, and can be continued.</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../app/hub/token_setting.py" />
            <source>This system has no keychain, so your token is in {file}, which only you can read.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/import_export/chatgpt.py" />
            <source>This zip file is damaged or encrypted, so it cannot be unpacked.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/views.py" />
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
            <location filename="../../app/backup/recovery.py" />
            <source>Today {time}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/memory_map.py" />
            <source>Tokens kept</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Too many open files</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>Tool calls</source>
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
            <location filename="../../app/base/own_values.py" />
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Top-k</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Top-p</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Train or convert it with mlx-lm.</source>
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
            <location filename="../../app/hub/errors.py" />
            <source>Try again in {wait:.0f} s.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>Try again later.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Try again; if it happens again, pick another model.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Try again; if it happens again, the log has the details.</source>
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
            <location filename="../../app/chat/turn_removal.py" />
            <location filename="../../app/conversations/list.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Undo</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/model_switch.py" />
            <source>Unload</source>
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
            <location filename="../../app/engine_client/model_switch.py" />
            <source>Unload the model?</source>
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
            <location filename="../../app/desktop/model_choice.py" />
            <source>Use it</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>Use the copy of {day}</source>
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
            <location filename="../../app/desktop/last_model.py" />
            <source>Use {last}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Usual text size</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Verify</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Verify what is kept</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/stored_chats.py" />
            <source>Verify what is kept of {title}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>View</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Wait for other answers to end, close other apps, or pick a smaller model.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <location filename="../../ui/theme/phrases.py" />
            <source>Waiting</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/found_detail.py" />
            <location filename="../../app/models/facts.py" />
            <source>Weights</source>
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
            <location filename="../../app/updates/updates.py" />
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
            <location filename="../../app/engine_client/capabilities.py" />
            <source>What it read cannot be kept in {wanted} bits a value, so it is kept in full.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/capabilities.py" />
            <source>What it read is kept in {kv_bits} bits a value.</source>
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
            <location filename="../../app/backup/recovery.py" />
            <source>What was said after the copy may still be rescued.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>What was there before is kept in {place} for {days} days.</source>
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
            <location filename="../../app/models/views.py" />
            <source>Writing speed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/memory_map.py" />
            <source>Written at</source>
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
            <location filename="../../app/cache/description.py" />
            <source>You allow {wanted}, but only {free} are free on the disk, so no room is left for ready chats.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/cache/description.py" />
            <source>You allow {wanted}, but only {free} are free on the disk, so ready chats take at most {most}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/removal.py" />
            <source>You can delete its folder yourself: {folder}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Your messages are not part of this.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>Your token has no access to this model. Ask for access on its page at the hub.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/token_setting.py" />
            <source>Your token is in the system's keychain.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/status.py" />
            <source>a damaged file was put aside</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/cache/check.py" />
            <source>a deleted chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/token_setting.py" />
            <source>a file that only you can read</source>
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
            <location filename="../../app/models/model_files.py" />
            <source>adapter_config.json: {error}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/status.py" />
            <source>an earlier message was changed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/status.py" />
            <source>another model wrote parts of it</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/load_views.py" />
            <source>building it</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/memory_gauge.py" />
            <source>chats</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/status.py" />
            <source>chats of this model cannot be kept ready</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/load_views.py" />
            <source>checking its files</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/load_views.py" />
            <source>comparing its weights</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/model_files.py" />
            <source>config.json: {error}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/status.py" />
            <source>cut at the length limit</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/palette/command_palette.py" />
            <source>esc</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/prompts.py" />
            <source>file of prompts</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>for most questions</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/memory_gauge.py" />
            <source>free</source>
            <comment>memory</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/sources.py" />
            <source>from LM Studio</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/sources.py" />
            <source>from your Hugging Face cache</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/sources.py" />
            <source>from {name}</source>
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
            <location filename="../../app/hub/bounded_client.py" />
            <source>it answers too slowly</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/bounded_client.py" />
            <location filename="../../app/hub/fetch/conversation.py" />
            <source>it does not answer</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/model_files.py" />
            <source>it is a {kind}, which writes no text</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/verification.py" />
            <source>it is missing</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/status.py" />
            <source>it is not kept ready</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/bounded_client.py" />
            <location filename="../../app/hub/fetch/conversation.py" />
            <source>it redirects in circles</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/bounded_client.py" />
            <location filename="../../app/hub/library.py" />
            <source>its address in HF_ENDPOINT is not valid</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/conversation.py" />
            <source>its address is not valid</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/verification.py" />
            <source>its bytes are not those that were downloaded</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/model_files.py" />
            <source>its config.json is not that of a language model</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/model_files.py" />
            <source>its config.json names no model type</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/model_files.py" />
            <source>its name is not valid UTF-8</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/model_files.py" />
            <source>its weights cannot be read</source>
            <translation type="unfinished" />
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
            <location filename="../../app/desktop/installation.py" />
            <source>macOS runs Hearth from a temporary copy, because it was never moved. {advice}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>more surprise</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/sidebar/conversations_model.py" />
            <source>new answer</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>no</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/cache/description.py" />
            <source>not a file</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>not used: Hearth runs the text part</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/memory_map.py" />
            <source>nothing</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/status.py" />
            <source>nothing of it is kept on this computer</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/status.py" />
            <source>nothing was kept for this point of it</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>now</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/cache/description.py" />
            <source>of an older format</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/cache/description.py" />
            <source>of another chat or model</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/cache/description.py" />
            <source>of the wrong size</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/found_detail.py" />
            <source>only with a token that the publisher has admitted</source>
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
            <location filename="../../app/conversations/presets.py" />
            <source>preset of Hearth's</source>
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
            <location filename="../../app/engine_client/load_views.py" />
            <source>reading its weights</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>reading {done} of {total}</source>
            <comment>badge</comment>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/attaching.py" />
            <source>reading…</source>
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
            <location filename="../../app/base/locks.py" />
            <source>something stands in the place of {name}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>temperature</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>text before the first message was left out of {count} chats</source>
            <extracomment>For one: text before the first message was left out</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../app/models/description.py" />
            <source>text only</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/bounded_client.py" />
            <location filename="../../app/hub/fetch/conversation.py" />
            <location filename="../../app/hub/fetch/transfer.py" />
            <source>the connection broke off</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>the ends of {count} parts are missing, damaged or too large and were left out</source>
            <extracomment>For one: the end of the file is missing, damaged or too large and was left out</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../app/hub/token_setting.py" />
            <source>the keychain</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>the likeliest words</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/status.py" />
            <source>the model leaves its earlier reasoning out</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/status.py" />
            <source>the model's context is full</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/verification.py" />
            <source>the record of the download cannot be read</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>the system does not say why</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/status.py" />
            <source>the system prompt was changed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/verification.py" />
            <source>the system refuses to read it ({strerror})</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>this computer seems to be offline</source>
            <translation type="unfinished" />
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
            <location filename="../../app/engine_client/load_views.py" />
            <source>trying it</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/load_views.py" />
            <source>trying its chat template</source>
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
            <location filename="../../app/chat/status.py" />
            <source>what was kept of it could not be read from the disk</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/status.py" />
            <source>what was kept of it could not be used</source>
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
        <message>
            <location filename="../../app/models/facts.py" />
            <source>yes</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>yes; its template keeps it in the chat</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>yes; its template leaves it out of later turns</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>yes; its template rewrites earlier turns</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/description.py" />
            <source>{bits}-bit</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../app/cache/check.py" />
            <source>{chats} and {count} other chats</source>
            <extracomment>For one: {chats} and {count} other chat</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>{count:.1f} billion</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>{count:.1f} million</source>
            <translation type="unfinished" />
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} attached files were unreadable, or too many, and were left out</source>
            <extracomment>For one: {count} attached file was unreadable, or one too many, and was left out</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/models/facts.py" />
            <source>{count} attention layers</source>
            <extracomment>For one: {count} attention layer</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
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
            <location filename="../../app/backup/recovery.py" />
            <location filename="../../ui/sidebar/conversations_model.py" />
            <source>{count} chats</source>
            <extracomment>For one: {count} chat</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} chats branch so often that their replies are stored in pieces</source>
            <extracomment>For one: {count} chat branches so often that its replies are stored in pieces</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/conversations/transfer.py" />
            <source>{count} chats exported to {name}.</source>
            <extracomment>For one: {count} chat exported to {name}.</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/conversations/transfer.py" />
            <source>{count} chats imported.</source>
            <extracomment>For one: {count} chat imported.</extracomment>
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
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} chats without a word were left out</source>
            <extracomment>For one: {count} chat without a word was left out</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} circles of messages were opened</source>
            <extracomment>For one: {count} circle of messages was opened</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/cache/description.py" />
            <source>{count} damaged files put aside, and those parts read again: {kinds}.</source>
            <extracomment>For one: {count} damaged file put aside, and that part read again: {kinds}.</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} dates were impossible and were ignored</source>
            <extracomment>For one: {count} date was impossible and was ignored</extracomment>
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
            <location filename="../../app/desktop/welcome.py" />
            <source>{count} from LM Studio</source>
            <extracomment>For one: {count} from LM Studio</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/desktop/welcome.py" />
            <source>{count} in Hearth's folder</source>
            <extracomment>For one: {count} in Hearth's folder</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/desktop/welcome.py" />
            <source>{count} in your Hugging Face cache</source>
            <extracomment>For one: {count} in your Hugging Face cache</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/desktop/welcome.py" />
            <source>{count} in your folders</source>
            <extracomment>For one: {count} in your folders</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/cache/check.py" />
            <source>{count} left-over files were removed.</source>
            <extracomment>For one: A left-over file was removed.</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/backup/recovery.py" />
            <source>{count} messages</source>
            <extracomment>For one: {count} message</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/backup/recovery.py" />
            <source>{count} messages could not be read in full.</source>
            <extracomment>For one: {count} message could not be read in full.</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} messages had the id of another and were kept apart</source>
            <extracomment>For one: {count} message had the id of another and was kept apart</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} messages of unknown speakers were given to the assistant</source>
            <extracomment>For one: {count} message of an unknown speaker was given to the assistant</extracomment>
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
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} messages whose place was unknown were put at the start of their chat</source>
            <extracomment>For one: {count} message whose place was unknown was put at the start of its chat</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/models/facts.py" />
            <source>{count} mixed layers</source>
            <extracomment>For one: {count} mixed layer</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/chat/overflow.py" />
            <source>{count} older messages of this chat will not be read from now on, to make room. A line in the chat shows where the model begins to read.</source>
            <extracomment>For one: {count} older message of this chat will not be read from now on, to make room. A line in the chat shows where the model begins to read.</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/engine_client/model_switch.py" />
            <source>{count} other chats</source>
            <extracomment>For one: {count} other chat</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/models/facts.py" />
            <source>{count} other layers</source>
            <extracomment>For one: {count} other layer</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/conversations/prompts.py" />
            <source>{count} prompts exported.</source>
            <extracomment>For one: {count} prompt exported.</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/conversations/prompts.py" />
            <source>{count} prompts imported.</source>
            <extracomment>For one: {count} prompt imported.</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/models/facts.py" />
            <source>{count} recurrent layers</source>
            <extracomment>For one: {count} recurrent layer</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/models/facts.py" />
            <source>{count} sliding window layers</source>
            <extracomment>For one: {count} sliding window layer</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/chat/status.py" />
            <location filename="../../ui/theme/phrases.py" />
            <source>{count} tokens</source>
            <extracomment>For one: {count} token</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} unreadable characters were replaced</source>
            <extracomment>For one: {count} unreadable character was replaced</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} unreadable chats were left out</source>
            <extracomment>For one: {count} unreadable chat was left out</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} unreadable details were ignored</source>
            <extracomment>For one: {count} unreadable detail was ignored</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} unreadable messages were left out</source>
            <extracomment>For one: {count} unreadable message was left out</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} unreadable parts of the zip file were left out</source>
            <extracomment>For one: {count} unreadable part of the zip file was left out</extracomment>
            <translation type="unfinished">
                <numerusform />
                <numerusform />
            </translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>{count}, {bits:g}-bit</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>{date}, {time}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/cache/check.py" />
            <source>{done} were read again and compared.</source>
            <translation type="unfinished" />
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
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>{hub} cannot be reached: {why}.</source>
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
            <location filename="../../app/desktop/last_model.py" />
            <source>{last} answered this chat last. {now} answers now.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/dialogs/stored_chats.py" />
            <source>{left} more chats are not shown. Sort to see others.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <location filename="../../ui/models/model_settings.py" />
            <source>{limit} tokens</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>{megabytes:.1f} MB</source>
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
            <location filename="../../app/base/errors.py" />
            <source>{model} cannot be loaded. {why}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/fetcher.py" />
            <source>{model} is there already, and Hearth did not download it. Move it elsewhere to download the model.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/local_models.py" />
            <source>{more} more, which the log names</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/removal.py" />
            <source>{name} cannot be deleted: {reason}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/desktop/opened_items.py" />
            <source>{name} cannot be read: {reason}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/import_export/files.py" />
            <source>{name} cannot be read: {strerror}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>{name} cannot be used. {refusal}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/import_export/files.py" />
            <source>{name} cannot be written: {reason}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/desktop/model_choice.py" />
            <source>{name} is downloaded and answers from now on.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/desktop/model_choice.py" />
            <source>{name} is downloaded.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/removal.py" />
            <source>{name} is loaded. Pick another model first, then delete this one.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/own_files.py" />
            <source>{name} is no {words}, or it is damaged.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/own_files.py" />
            <source>{name} is no {words}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/load_views.py" />
            <source>{name} is not in memory · the next message loads it</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <source>{name} must be a number, and “{value}” is none.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <source>{name} must be a whole number, and “{value}” is none.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <source>{name} must be at most {most}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>{name} {value:g}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>{name}, changed</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/import_export/files.py" />
            <source>{name}: There is no chat in this file. {remarks}</source>
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
            <location filename="../../app/hub/found_rows.py" />
            <source>{number} downloads</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/composer/model_chip.py" />
            <source>{number} more in “Manage models…”</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/cache/description.py" />
            <source>{number} {kind}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{parts} and {last}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/memory_map.py" />
            <location filename="../../ui/theme/phrases.py" />
            <source>{part} of {total}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/transfer.py" />
            <source>{path} is not the file that the hub names, twice in a row, so Hearth deleted it.</source>
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
            <location filename="../../app/desktop/welcome.py" />
            <source>{places}. Used in place, never copied.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/chat/find_bar.py" />
            <source>{position} of {total}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/views.py" />
            <source>{rate:,.0f} tok/s</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/memory_map.py" />
            <location filename="../../app/chat/status.py" />
            <location filename="../../ui/theme/phrases.py" />
            <source>{rate:.1f} tok/s</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/engine_client/connection.py" />
            <source>{reason} Meanwhile {name} answers.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <source>{repository} has a file with a name that no model needs, so Hearth refuses it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <source>{repository} has more than {most} files, so it is no model that Hearth can use.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <source>{repository} has no weights as safetensors, so Hearth cannot use it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <source>{repository} has {held} and no safetensors, which Hearth needs. Look for an MLX version of this model.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/names.py" />
            <source>{repository} names no model. A name is publisher/name, as on the model's page.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/hub/fetch/fetcher.py" />
            <source>{repository} needs {missing} more and the disk has {free} free. Hearth leaves {reserve} free, so make room first.</source>
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
            <location filename="../../app/chat/attachments.py" />
            <source>{size} · {tokens}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>{size}/s</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/recommendations.py" />
            <source>{text} Uses {used} GB of your {total} GB.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/description.py" />
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
            <location filename="../../app/backup/recovery.py" />
            <source>{time} · {size}</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../ui/window/main_window.py" />
            <source>{title} (private)</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/models/description.py" />
            <source>{tokens} context</source>
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
        <message>
            <location filename="../../app/documents/process.py" />
            <source>“{name}” cannot be read: the file is damaged, or of a kind that Hearth does not know.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/process.py" />
            <source>“{name}” cannot be read: {why}.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/folder.py" />
            <source>“{name}” has more text than any model can read at once. Attach a folder in it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/limits.py" />
            <source>“{name}” has more text than any model can read at once. Attach a part of it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/folder.py" />
            <source>“{name}” has no text files.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/limits.py" />
            <source>“{name}” has no text.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/pdf.py" />
            <source>“{name}” has pictures of its pages and no text, as scans do. No model here can read those yet.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/folder.py" />
            <source>“{name}” has too many files. Attach a folder in it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/pdf.py" />
            <source>“{name}” has {count} pages, and at most {most} can be read. Attach a part of it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/process.py" />
            <source>“{name}” is an archive. Attach the files in it.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/reading.py" />
            <source>“{name}” is an image. No model here can see images yet.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/desktop/model_choice.py" />
            <source>“{name}” is here again.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/reading.py" />
            <source>“{name}” is in an old format of Office, or protected by a password. Save it as .docx or .xlsx, and attach that.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/office.py" />
            <source>“{name}” is not a document that Word or Excel has written.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/spreadsheet.py" />
            <source>“{name}” is not a spreadsheet that Excel has written.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/chat/attachments.py" />
            <source>“{name}” is not a text file. Only text can go with a message.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/desktop/model_choice.py" />
            <source>“{name}” is not here: its folder {folder} is away. The built-in model answers meanwhile.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/pdf.py" />
            <source>“{name}” is protected by a password. Save a copy without it, and attach that.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/office.py" />
            <source>“{name}” is too large once it is unpacked.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/process.py" />
            <source>“{name}” is too large to be read.</source>
            <translation type="unfinished" />
        </message>
        <message>
            <location filename="../../app/documents/reading.py" />
            <source>“{name}” takes too much time or memory to be read.</source>
            <translation type="unfinished" />
        </message>
    </context>
</TS>
