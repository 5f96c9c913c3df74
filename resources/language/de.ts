<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
    <context>
        <name>Hearth</name>
        <message>
            <location filename="../../ui/transcript/image_loader.py" />
            <source>(image that cannot be shown)</source>
            <translation>(Bild, das nicht gezeigt werden kann)</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/image_loader.py" />
            <source>(image, not found)</source>
            <translation>(Bild, nicht gefunden)</translation>
        </message>
        <message>
            <location filename="../../ui/markdown/spans.py" />
            <source>(image, not loaded)</source>
            <translation>(Bild, nicht geladen)</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/image_loader.py" />
            <source>(image, too large to show)</source>
            <translation>(Bild, zu groß zum Zeigen)</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>1,000 words of chat</source>
            <translation>1.000 Wörter im Chat</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/clicks.py" />
            <source>3 alternatives</source>
            <translation>3 Alternativen</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>4-bit</source>
            <translation>4 Bit</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>8-bit</source>
            <translation>8 Bit</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>A Mac that copies one of these models again begins anew.</source>
            <translation>Ein Mac, der eines dieser Modelle wieder kopiert, beginnt von vorn.</translation>
        </message>
        <message>
            <location filename="../../storage/errors.py" />
            <source>A cached record is damaged ({detail}).</source>
            <translation>Ein gespeicherter Stand ist beschädigt ({detail}).</translation>
        </message>
        <message>
            <location filename="../../app/import_export/json_array.py" />
            <source>A chat in this file is longer than any chat can be.</source>
            <translation>Ein Chat in dieser Datei ist länger, als ein Chat sein kann.</translation>
        </message>
        <message>
            <location filename="../../app/backup/copies.py" />
            <source>A copy of all chats could not be made. {error}</source>
            <translation>Von den Chats konnte keine Kopie angelegt werden. {error}</translation>
        </message>
        <message>
            <location filename="../../app/cache/check.py" />
            <source>A damaged part of {title} was removed: the chat is read again when it is answered next.</source>
            <translation>Ein beschädigter Teil von {title} wurde entfernt: Der Chat wird vor der nächsten Antwort neu gelesen.</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/fetcher.py" />
            <source>A file of the download cannot be read: {error}.</source>
            <translation>Eine Datei des Downloads kann nicht gelesen werden: {error}.</translation>
        </message>
        <message>
            <location filename="../../storage/folders.py" />
            <source>A file stands in the place of the folder</source>
            <translation>An der Stelle des Ordners liegt eine Datei</translation>
        </message>
        <message>
            <location filename="../../app/models/welcome.py" />
            <source>A large model that writes fast.</source>
            <translation>Groß, und schreibt schnell.</translation>
        </message>
        <message>
            <location filename="../../engine/protocol/sampling_settings.py" />
            <source>A limit of {value} tokens is not possible: it must be at least 1.</source>
            <translation>Eine Grenze von {value} Token ist nicht möglich: Sie muss mindestens 1 sein.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/attaching.py" />
            <source>A message can have {most} files. The others were not attached.</source>
            <translation>Eine Nachricht kann {most} Dateien haben. Die übrigen wurden nicht angehängt.</translation>
        </message>
        <message>
            <location filename="../../engine/protocol/sampling_settings.py" />
            <source>A min-p of {value} is not possible: it must be between 0 and 1.</source>
            <translation>Ein Min-p von {value} ist nicht möglich: Es muss zwischen 0 und 1 liegen.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>A model that is too large for one Mac can run on two or more together. Pair another Mac that has Hearth, then choose in the model's settings where it runs.</source>
            <translation>Ein Modell, das für einen Mac zu groß ist, kann auf zwei oder mehr gemeinsam laufen. Koppeln Sie einen weiteren Mac, auf dem Hearth ist, und wählen Sie dann in den Einstellungen des Modells, wo es läuft.</translation>
        </message>
        <message>
            <location filename="../../app/import_export/hearth_json.py" />
            <source>A newer Hearth wrote this export (format {version}; this one reads {known}).</source>
            <translation>Dieser Export stammt von einem neueren Hearth (Format {version}; dieses liest {known}).</translation>
        </message>
        <message>
            <location filename="../../app/base/own_files.py" />
            <source>A newer Hearth wrote {name}, so this one cannot read it.</source>
            <translation>{name} stammt von einem neueren Hearth und kann hier nicht gelesen werden.</translation>
        </message>
        <message>
            <location filename="../../app/macs/pairing.py" />
            <source>A pairing code has 24 letters and digits, in groups of four.</source>
            <translation>Ein Kopplungscode hat 24 Buchstaben und Ziffern, in Vierergruppen.</translation>
        </message>
        <message>
            <location filename="../../engine/workers/errors.py" />
            <source>A part of the copy arrived damaged at {name}. Try again: what is there stays.</source>
            <translation>Ein Teil der Kopie kam beschädigt bei {name} an. Versuchen Sie es noch einmal: Was dort ist, bleibt.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>A preset needs a name.</source>
            <translation>Eine Voreinstellung braucht einen Namen.</translation>
        </message>
        <message>
            <location filename="../../ui/window/leaving.py" />
            <source>A private chat is kept nowhere. Once its tab is closed, it is gone and cannot be brought back.</source>
            <translation>Ein privater Chat wird nirgends aufbewahrt. Sobald sein Tab geschlossen ist, ist er unwiderruflich weg.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>A private chat is never saved. It is gone when its tab is closed.</source>
            <translation>Ein privater Chat wird nirgends gespeichert. Er ist weg, sobald sein Tab geschlossen wird.</translation>
        </message>
        <message>
            <location filename="../../engine/protocol/sampling_settings.py" />
            <source>A repetition penalty of {value} is not possible: it must be between 0.01 and 100.</source>
            <translation>Eine Wiederholungsstrafe von {value} ist nicht möglich: Sie muss zwischen 0,01 und 100 liegen.</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>A rescue brings back every message that can still be read.</source>
            <translation>Eine Rettung holt jede Nachricht zurück, die noch lesbar ist.</translation>
        </message>
        <message>
            <location filename="../../engine/protocol/sampling_settings.py" />
            <source>A seed of {value} is not possible: it must not be negative, and be at most {most}.</source>
            <translation>Ein Startwert von {value} ist nicht möglich: Er darf nicht negativ und höchstens {most} sein.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>A share of the free space on this disk.</source>
            <translation>Ein Anteil des freien Platzes auf dieser Festplatte.</translation>
        </message>
        <message>
            <location filename="../../engine/protocol/sampling_settings.py" />
            <source>A temperature of {value} is not possible: it must be between 0 and 10.</source>
            <translation>Eine Temperatur von {value} ist nicht möglich: Sie muss zwischen 0 und 10 liegen.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>A token is kept in {where}. Enter another, or leave it empty to forget it.</source>
            <translation>Ein Token liegt in {where}. Geben Sie ein anderes ein, oder lassen Sie das Feld leer, um es zu vergessen.</translation>
        </message>
        <message>
            <location filename="../../engine/protocol/sampling_settings.py" />
            <source>A top-k of {value} is not possible: it must be at least 1, or 0 or -1 for no limit.</source>
            <translation>Ein Top-k von {value} ist nicht möglich: Es muss mindestens 1 sein, oder 0 oder -1 für keine Grenze.</translation>
        </message>
        <message>
            <location filename="../../engine/protocol/sampling_settings.py" />
            <source>A top-p of {value} is not possible: it must be between 0 and 1.</source>
            <translation>Ein Top-p von {value} ist nicht möglich: Es muss zwischen 0 und 1 liegen.</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/menu_commands.py" />
            <source>About Hearth</source>
            <translation>Über Hearth</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>About {name}</source>
            <translation>Über {name}</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Above 1, words that were just used become less likely.</source>
            <translation>Über 1 werden gerade benutzte Wörter unwahrscheinlicher.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Above it, the least recently used chats are freed first. Pinned chats stay ready.</source>
            <translation>Wird es mehr, gibt Hearth zuerst lange unbenutzte Chats frei. Fixierte bleiben bereit.</translation>
        </message>
        <message>
            <location filename="../../app/hub/found_models.py" />
            <source>Access</source>
            <translation>Zugang</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Access token</source>
            <translation>Zugangstoken</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Access token ✓</source>
            <translation>Zugangstoken ✓</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Access token…</source>
            <translation>Zugangstoken …</translation>
        </message>
        <message>
            <location filename="../../ui/palette/entries.py" />
            <source>Actions</source>
            <translation>Aktionen</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>Adapter for {name}</source>
            <translation>Adapter für {name}</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Add a Mac</source>
            <translation>Mac hinzufügen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Add a Mac…</source>
            <translation>Mac hinzufügen …</translation>
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Add a folder that holds some. They are used in place, never copied.</source>
            <translation>Fügen Sie einen Ordner mit Modellen hinzu. Sie bleiben, wo sie sind, und werden nie kopiert.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Add a folder with models</source>
            <translation>Ordner mit Modellen hinzufügen</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <location filename="../../ui/models/welcome_page.py" />
            <source>Add folder…</source>
            <translation>Ordner hinzufügen …</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Address</source>
            <translation>Adresse</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Advanced</source>
            <translation>Erweitert</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <source>After a change, the next message reads the chat again.</source>
            <translation>Nach einer Änderung liest die nächste Nachricht den Chat neu.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>After the first answer. If the model cannot do that, the first words stay the name.</source>
            <translation>Nach der ersten Antwort. Kann das Modell es nicht, bleiben die ersten Wörter der Name.</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>After {count} hours</source>
            <extracomment>For one: After {count} hour</extracomment>
            <translation>
                <numerusform>Nach {count} Stunde</numerusform>
                <numerusform>Nach {count} Stunden</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>After {count} minutes</source>
            <extracomment>For one: After {count} minute</extracomment>
            <translation>
                <numerusform>Nach {count} Minute</numerusform>
                <numerusform>Nach {count} Minuten</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>All chats are as they were on {day} ({chats}). What was there until now ({replaced}) is the newest copy in the settings, under Privacy.</source>
            <translation>Alle Chats sind wie am {day} ({chats}). Was bis jetzt da war ({replaced}), ist die neueste Kopie in den Einstellungen unter „Datenschutz“.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>All chats are copied once a day. A copy is kept for about 30 days, in case the library is damaged.</source>
            <translation>Alle Chats werden einmal am Tag kopiert. Eine Kopie bleibt etwa 30 Tage, falls die Bibliothek beschädigt wird.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>All files (*)</source>
            <translation>Alle Dateien (*)</translation>
        </message>
        <message>
            <location filename="../../app/chat/overflow.py" />
            <source>All of this chat is still longer than the model can read, so the oldest turns stay left out. Delete some turns, or pick a model that can read more.</source>
            <translation>Der ganze Chat ist noch immer länger, als das Modell lesen kann. Die ältesten Nachrichten bleiben daher ausgelassen. Löschen Sie einige, oder wählen Sie ein Modell, das mehr lesen kann.</translation>
        </message>
        <message>
            <location filename="../../ui/window/tab_row.py" />
            <source>All open chats</source>
            <translation>Alle offenen Chats</translation>
        </message>
        <message>
            <location filename="../../app/conversations/prompts.py" />
            <source>All prompts of this file are here already.</source>
            <translation>Alle Prompts dieser Datei sind schon vorhanden.</translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/conversations/transfer.py" />
            <source>All {count} chats are here already.</source>
            <extracomment>For one: This chat is here already.</extracomment>
            <translation>
                <numerusform>Dieser Chat ist schon vorhanden.</numerusform>
                <numerusform>Alle {count} Chats sind schon vorhanden.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>An answer ends after this many tokens; about three of four are whole words.</source>
            <translation>Nach so vielen Token endet eine Antwort; etwa drei von vier sind ganze Wörter.</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>An answer ends before any of these texts would be shown.</source>
            <translation>Eine Antwort endet, bevor einer dieser Texte erscheinen würde.</translation>
        </message>
        <message>
            <location filename="../../ui/chat/chat_tab.py" />
            <source>An answer is being written: wait for it, or stop it</source>
            <translation>Eine Antwort wird geschrieben: abwarten oder stoppen</translation>
        </message>
        <message>
            <location filename="../../app/conversations/attention.py" />
            <source>An answer is ready.</source>
            <translation>Eine Antwort ist fertig.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>An erased chat leaves the copies too, at the latest 30 days later.</source>
            <translation>Ein endgültig gelöschter Chat verschwindet auch aus den Kopien, spätestens 30 Tage danach.</translation>
        </message>
        <message>
            <location filename="../../app/desktop/hearth.py" />
            <source>Another Hearth command is using what is kept of the chats. Until Hearth is started again, they stay ready in memory only.</source>
            <translation>Ein anderer Befehl von Hearth benutzt die bereitgehaltenen Chats. Bis zum nächsten Start bleiben sie nur im Arbeitsspeicher bereit.</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/staging.py" />
            <source>Another Hearth process is downloading {repository}.</source>
            <translation>Ein anderer Prozess von Hearth lädt {repository} gerade herunter.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/hosting.py" />
            <source>Another Mac</source>
            <translation>Ein anderer Mac</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/chat_models.py" />
            <source>Another chat is being answered by another model. Wait for its end; the new words are in the message box.</source>
            <translation>Ein anderes Modell beantwortet gerade einen anderen Chat. Warten Sie das Ende ab; der neue Text steht im Nachrichtenfeld.</translation>
        </message>
        <message>
            <location filename="../../storage/segments/index.py" />
            <source>Another file stands in the place of the index</source>
            <translation>An der Stelle des Verzeichnisses liegt eine andere Datei</translation>
        </message>
        <message>
            <location filename="../../storage/library/archive_import.py" />
            <source>Another library took the place of this one. Nothing was added.</source>
            <translation>Eine andere Bibliothek ist an die Stelle dieser getreten. Es wurde nichts hinzugefügt.</translation>
        </message>
        <message>
            <location filename="../../engine/ranks/lockstep.py" />
            <source>Another machine</source>
            <translation>Ein anderer Rechner</translation>
        </message>
        <message>
            <location filename="../../engine/memory/footprint.py" />
            <source>Another of the Macs that run the model together has too little memory free for this conversation</source>
            <translation>Ein anderer der Macs, auf denen das Modell gemeinsam läuft, hat zu wenig freien Arbeitsspeicher für diese Unterhaltung</translation>
        </message>
        <message>
            <location filename="../../engine/ranks/shared_loads.py" />
            <source>Another of the machines that run it together could not load it.</source>
            <translation>Ein anderer der Rechner, auf denen es gemeinsam läuft, konnte es nicht laden.</translation>
        </message>
        <message>
            <location filename="../../engine/ranks/data_paths.py" />
            <source>Another program has taken a data connection between the machines.</source>
            <translation>Ein anderes Programm hat eine Datenverbindung zwischen den Rechnern belegt.</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Answer at once</source>
            <translation>Sofort antworten</translation>
        </message>
        <message>
            <location filename="../../ui/widgets/announcement.py" />
            <source>Answer failed</source>
            <translation>Antwort fehlgeschlagen</translation>
        </message>
        <message>
            <location filename="../../ui/widgets/announcement.py" />
            <source>Answer finished</source>
            <translation>Antwort fertig</translation>
        </message>
        <message>
            <location filename="../../ui/widgets/announcement.py" />
            <source>Answer interrupted</source>
            <translation>Antwort unterbrochen</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Answer message {message} in a new chat</source>
            <translation>Nachricht {message} in neuem Chat beantworten</translation>
        </message>
        <message>
            <location filename="../../ui/widgets/announcement.py" />
            <source>Answer stopped</source>
            <translation>Antwort gestoppt</translation>
        </message>
        <message>
            <location filename="../../app/models/choice.py" />
            <source>Answer your chats with {name}</source>
            <translation>Ihre Chats mit {name} beantworten</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Answering</source>
            <translation>Antwortet</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Appearance</source>
            <translation>Erscheinungsbild</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>As in the app</source>
            <translation>Wie in der App</translation>
        </message>
        <message>
            <location filename="../../app/chat/overflow.py" />
            <source>Ask for a shorter answer, or pick a model that can read more.</source>
            <translation>Bitten Sie um eine kürzere Antwort, oder wählen Sie ein Modell, das mehr lesen kann.</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Ask for this answer again</source>
            <translation>Diese Antwort noch einmal anfordern</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Asking…</source>
            <translation>Wird gefragt …</translation>
        </message>
        <message>
            <location filename="../../app/import_export/markdown.py" />
            <source>Assistant</source>
            <comment>speaker</comment>
            <translation>Assistent</translation>
        </message>
        <message>
            <location filename="../../engine/server/open_requests.py" />
            <source>At most {most} answers can be written at once.</source>
            <translation>Höchstens {most} Antworten können gleichzeitig geschrieben werden.</translation>
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Attach a file</source>
            <translation>Datei anhängen</translation>
        </message>
        <message>
            <location filename="../../ui/composer/attachment_chips.py" />
            <source>Attach a folder</source>
            <translation>Ordner anhängen</translation>
        </message>
        <message>
            <location filename="../../ui/composer/attachment_chips.py" />
            <source>Attach files</source>
            <translation>Dateien anhängen</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Attach files…</source>
            <translation>Dateien anhängen …</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Attach folder…</source>
            <translation>Ordner anhängen …</translation>
        </message>
        <message>
            <location filename="../../ui/composer/attachment_chips.py" />
            <source>Attach the folder “{name}”</source>
            <translation>Ordner „{name}“ anhängen</translation>
        </message>
        <message>
            <location filename="../../ui/composer/attachment_chips.py" />
            <source>Attached files</source>
            <translation>Angehängte Dateien</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Back to the chats</source>
            <translation>Zurück zu den Chats</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Back to the text</source>
            <translation>Zurück zum Text</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>Backups</source>
            <translation>Backups</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Backups of deleted chats</source>
            <translation>Backups gelöschter Chats</translation>
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <location filename="../../ui/composer/composer.py" />
            <source>Balanced</source>
            <translation>Ausgewogen</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Begin a chat with the text instead: it is read again then.</source>
            <translation>Beginnen Sie stattdessen einen Chat mit dem Text: Er wird dann neu gelesen.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/transfer.py" />
            <source>Both chats are here already.</source>
            <translation>Beide Chats sind schon vorhanden.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Busy</source>
            <translation>Beschäftigt</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Calling a tool…</source>
            <translation>Ruft ein Werkzeug auf …</translation>
        </message>
        <message>
            <location filename="../../app/conversations/transfer.py" />
            <location filename="../../ui/chat/status_strip.py" />
            <location filename="../../ui/composer/composer.py" />
            <location filename="../../ui/dialogs/confirmation.py" />
            <location filename="../../ui/dialogs/macs_pane.py" />
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <location filename="../../ui/dialogs/variables_dialog.py" />
            <location filename="../../ui/models/model_settings.py" />
            <location filename="../../ui/models/welcome_page.py" />
            <source>Cancel</source>
            <translation>Abbrechen</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Cancel download</source>
            <translation>Download verwerfen</translation>
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Cancel the download of {name}</source>
            <translation>Download von {name} abbrechen</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Cancel the download of {name}?</source>
            <translation>Download von {name} abbrechen?</translation>
        </message>
        <message>
            <location filename="../../ui/chat/status_strip.py" />
            <source>Cancel the load</source>
            <translation>Laden abbrechen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Change limit</source>
            <translation>Grenze ändern</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <location filename="../../ui/dialogs/storage_pane.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Chat</source>
            <translation>Chat</translation>
        </message>
        <message>
            <location filename="../../ui/palette/entries.py" />
            <location filename="../../ui/sidebar/conversation_list.py" />
            <location filename="../../ui/state/settings_table.py" />
            <source>Chats</source>
            <translation>Chats</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Chats (*.hearth *.json *.zip *.md)</source>
            <translation>Chats (*.hearth *.json *.zip *.md)</translation>
        </message>
        <message>
            <location filename="../../app/import_export/files.py" />
            <source>Chats are exported to a file whose name ends with .md, .hearth or .json.</source>
            <translation>Chats werden in eine Datei exportiert, deren Name auf .md, .hearth oder .json endet.</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Chats are kept ready in</source>
            <translation>Chats werden bereitgehalten mit</translation>
        </message>
        <message>
            <location filename="../../app/cache/monitor.py" />
            <source>Chats are not kept ready on disk: {now}</source>
            <translation>Chats werden nicht auf der Festplatte bereitgehalten: {now}</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Chats can be restored for 30 days after they were deleted. Then they are gone for good, with all their files.</source>
            <translation>Chats können nach dem Löschen 30 Tage lang wiederhergestellt werden. Danach sind sie mit allen Dateien endgültig weg.</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>Chats share one batch</source>
            <translation>Chats antworten gemeinsam</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Chats stay. Each is read again when it is answered next.</source>
            <translation>Die Chats bleiben. Jeder wird vor seiner nächsten Antwort neu gelesen.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Chats that are not kept ready</source>
            <translation>Chats, die nicht bereitgehalten werden</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Chats that begin alike share a part. It is free again once all of these chats are cleared.</source>
            <translation>Chats mit gleichem Anfang teilen sich einen Teil. Er ist wieder frei, sobald alle diese Chats geleert sind.</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/preset_menu.py" />
            <source>Chats that use this preset keep its values.</source>
            <translation>Chats mit dieser Voreinstellung behalten ihre Werte.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Chats, files and what is kept ready lie in one folder that only you may read.</source>
            <translation>Chats, Dateien und was bereitgehalten wird, liegen in einem Ordner, den nur Sie lesen dürfen.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Chats, instructions, models, presets and limits stay.</source>
            <translation>Chats, Anweisungen, Modelle, Voreinstellungen und Grenzen bleiben.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Check for damage</source>
            <translation>Auf Schäden prüfen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Checking {amount}</source>
            <translation>Wird geprüft: {amount}</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Checking {total}</source>
            <translation>{total} werden geprüft</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <location filename="../../ui/models/row_words.py" />
            <location filename="../../ui/models/welcome_page.py" />
            <source>Checking…</source>
            <translation>Wird geprüft …</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Choose in its settings where it runs, or pick another model.</source>
            <translation>Legen Sie in seinen Einstellungen fest, wo es läuft, oder wählen Sie ein anderes Modell.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Choose the limit automatically</source>
            <translation>Grenze automatisch wählen</translation>
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Choose…</source>
            <translation>Auswählen …</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Clear</source>
            <translation>Löschen</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/search_field.py" />
            <source>Clear search</source>
            <translation>Suche löschen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/shortcuts_pane.py" />
            <source>Click the keys of an action, then press others.</source>
            <translation>Klicken Sie auf die Tasten einer Aktion, und drücken Sie dann andere.</translation>
        </message>
        <message>
            <location filename="../../ui/window/leaving.py" />
            <source>Close and erase</source>
            <translation>Schließen und löschen</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Close other apps, or pick a smaller model.</source>
            <translation>Schließen Sie andere Apps, oder wählen Sie ein kleineres Modell.</translation>
        </message>
        <message>
            <location filename="../../ui/window/menu_commands.py" />
            <source>Close other tabs</source>
            <translation>Andere Tabs schließen</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/menu_commands.py" />
            <source>Close tab</source>
            <translation>Tab schließen</translation>
        </message>
        <message>
            <location filename="../../ui/window/menu_commands.py" />
            <source>Close tabs to the right</source>
            <translation>Tabs rechts davon schließen</translation>
        </message>
        <message>
            <location filename="../../ui/chat/finding.py" />
            <source>Close the find bar</source>
            <translation>Suchleiste schließen</translation>
        </message>
        <message>
            <location filename="../../ui/window/chat_pages.py" />
            <source>Close the side with {title}</source>
            <translation>Seite mit {title} schließen</translation>
        </message>
        <message>
            <location filename="../../ui/window/leaving.py" />
            <source>Close this private chat?</source>
            <translation>Diesen privaten Chat schließen?</translation>
        </message>
        <message>
            <location filename="../../ui/window/chat_pages.py" />
            <source>Close this side</source>
            <translation>Diese Seite schließen</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Comfortable</source>
            <translation>Locker</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Command palette…</source>
            <translation>Befehlspalette …</translation>
        </message>
        <message>
            <location filename="../../ui/palette/command_palette.py" />
            <source>Commands</source>
            <translation>Befehle</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Compact</source>
            <translation>Kompakt</translation>
        </message>
        <message>
            <location filename="../../app/conversations/chat_memory.py" />
            <source>Context</source>
            <translation>Kontext</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>Context of the model</source>
            <translation>Kontext des Modells</translation>
        </message>
        <message>
            <location filename="../../app/macs/copies.py" />
            <location filename="../../ui/models/row_words.py" />
            <location filename="../../ui/models/welcome_page.py" />
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Continue</source>
            <translation>Fortsetzen</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Continue message {message}</source>
            <translation>Nachricht {message} fortsetzen</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/hosting.py" />
            <source>Continue on this Mac</source>
            <translation>Auf diesem Mac fortfahren</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/transcript.py" />
            <source>Conversation</source>
            <translation>Unterhaltung</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Copied</source>
            <translation>Kopiert</translation>
        </message>
        <message>
            <location filename="../../app/backup/copies.py" />
            <source>Copies of all chats that Hearth made before may hold what was deleted for 30 days more. Replacing them cannot be undone.</source>
            <translation>Frühere Kopien aller Chats können Gelöschtes noch 30 Tage lang enthalten. Sie zu ersetzen, kann nicht rückgängig gemacht werden.</translation>
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <location filename="../../ui/transcript/message_lines.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Copy</source>
            <translation>Kopieren</translation>
        </message>
        <message>
            <location filename="../../ui/window/menu_commands.py" />
            <source>Copy as Markdown</source>
            <translation>Als Markdown kopieren</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Copy code block {choice} of message {message}</source>
            <translation>Codeblock {choice} von Nachricht {message} kopieren</translation>
        </message>
        <message>
            <location filename="../../app/macs/copies.py" />
            <source>Copy it there</source>
            <translation>Dorthin kopieren</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Copy last answer</source>
            <translation>Letzte Antwort kopieren</translation>
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <location filename="../../ui/dialogs/confirmation.py" />
            <source>Copy link</source>
            <translation>Link kopieren</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Copy link to chat</source>
            <translation>Link zum Chat kopieren</translation>
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <source>Copy message</source>
            <translation>Nachricht kopieren</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Copy message {message}</source>
            <translation>Nachricht {message} kopieren</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Copy the message to a new chat</source>
            <translation>Nachricht in neuen Chat kopieren</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Copy the pairing code</source>
            <translation>Kopplungscode kopieren</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Copy these arguments</source>
            <translation>Diese Argumente kopieren</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Copy this answer</source>
            <translation>Diese Antwort kopieren</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Copy this code</source>
            <translation>Diesen Code kopieren</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Copy this message</source>
            <translation>Diese Nachricht kopieren</translation>
        </message>
        <message>
            <location filename="../../app/macs/copies.py" />
            <source>Copying {name} to {mac}: {amount}</source>
            <translation>{name} wird auf {mac} kopiert: {amount}</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Correct the presets in settings.json, or take them out to get the built-in ones back.</source>
            <translation>Korrigieren Sie die Voreinstellungen in settings.json, oder entfernen Sie sie, um die mitgelieferten zurückzubekommen.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Create</source>
            <translation>Erstellen</translation>
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>Creative</source>
            <translation>Kreativ</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Ctrl+Return</source>
            <translation>Strg+Return</translation>
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>Custom</source>
            <translation>Angepasst</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Cut</source>
            <translation>Ausschneiden</translation>
        </message>
        <message>
            <location filename="../../app/cache/check.py" />
            <source>Damaged parts were removed. These chats are read again when they are answered next: {chats}.</source>
            <translation>Beschädigte Teile wurden entfernt. Diese Chats werden vor ihrer nächsten Antwort neu gelesen: {chats}.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Dark</source>
            <translation>Dunkel</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <location filename="../../ui/inspector/preset_menu.py" />
            <location filename="../../ui/models/detail_pane.py" />
            <source>Delete</source>
            <translation>Löschen</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Delete all {count} chats for good?</source>
            <extracomment>For one: Delete all {count} chat for good?</extracomment>
            <translation>
                <numerusform>Den {count} Chat endgültig löschen?</numerusform>
                <numerusform>Alle {count} Chats endgültig löschen?</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Delete all…</source>
            <translation>Alle löschen …</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/sidebar.py" />
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/menu_commands.py" />
            <source>Delete chat</source>
            <translation>Chat löschen</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Delete it</source>
            <translation>Löschen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Delete now…</source>
            <translation>Jetzt löschen …</translation>
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <source>Delete question and answer</source>
            <translation>Frage und Antwort löschen</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Delete the message from the chat. You can undo that.</source>
            <translation>Nachricht aus dem Chat löschen. Das kann widerrufen werden.</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Delete the question of message {message}</source>
            <translation>Frage von Nachricht {message} löschen</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Delete this message and its answer. You can undo that.</source>
            <translation>Diese Nachricht und ihre Antwort löschen. Das lässt sich rückgängig machen.</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>Delete {count} chats</source>
            <extracomment>For one: Delete {count} chat</extracomment>
            <translation>
                <numerusform>{count} Chat löschen</numerusform>
                <numerusform>{count} Chats löschen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Delete {count} chats for good?</source>
            <extracomment>For one: Delete {count} chat for good?</extracomment>
            <translation>
                <numerusform>{count} Chat endgültig löschen?</numerusform>
                <numerusform>{count} Chats endgültig löschen?</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/fetcher.py" />
            <source>Delete {path}, then continue: Hearth did not make it, so it writes nothing there.</source>
            <translation>Löschen Sie {path}, und setzen Sie dann fort: Hearth hat es nicht angelegt und schreibt daher nichts hinein.</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/preset_menu.py" />
            <source>Delete “{name}”?</source>
            <translation>„{name}“ löschen?</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/preset_menu.py" />
            <source>Delete “{name}”…</source>
            <translation>„{name}“ löschen …</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Delete “{title}” for good?</source>
            <translation>„{title}“ endgültig löschen?</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <location filename="../../ui/state/settings_table.py" />
            <source>Deleted chats</source>
            <translation>Gelöschte Chats</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/memory_section.py" />
            <source>Details</source>
            <translation>Details</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Disk quota exceeded</source>
            <translation>Das Speicherkontingent ist überschritten</translation>
        </message>
        <message>
            <location filename="../../ui/composer/queue_rows.py" />
            <source>Do not send this message</source>
            <translation>Diese Nachricht nicht senden</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Does not fit</source>
            <translation>Passt nicht</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/attached_file.py" />
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Done</source>
            <translation>Fertig</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <location filename="../../ui/models/welcome_page.py" />
            <source>Download</source>
            <translation>Herunterladen</translation>
        </message>
        <message>
            <location filename="../../app/hub/found_models.py" />
            <source>Download</source>
            <comment>what is downloaded</comment>
            <translation>Download</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Download anyway</source>
            <translation>Trotzdem herunterladen</translation>
        </message>
        <message>
            <location filename="../../app/models/local_models.py" />
            <source>Download it again.</source>
            <translation>Laden Sie es noch einmal herunter.</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/theme/phrases.py" />
            <source>Draft: {count} files</source>
            <extracomment>For one: Draft: {count} file</extracomment>
            <translation>
                <numerusform>Entwurf: {count} Datei</numerusform>
                <numerusform>Entwurf: {count} Dateien</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Draft: {words}</source>
            <translation>Entwurf: {words}</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Each chat can have another one.</source>
            <translation>Jeder Chat kann eine andere haben.</translation>
        </message>
        <message>
            <location filename="../../engine/server/generation.py" />
            <source>Each request needs a name that no other one has.</source>
            <translation>Jede Anfrage braucht einen eigenen Namen.</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Edit</source>
            <translation>Bearbeiten</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Edit last message</source>
            <translation>Letzte Nachricht bearbeiten</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Edit last message, from an empty field</source>
            <translation>Letzte Nachricht bearbeiten, aus leerem Feld</translation>
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <source>Edit message</source>
            <translation>Nachricht bearbeiten</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Edit message {message}</source>
            <translation>Nachricht {message} bearbeiten</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <location filename="../../ui/window/palette_entries.py" />
            <source>Edit prompts…</source>
            <translation>Prompts bearbeiten …</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Edit the message</source>
            <translation>Nachricht bearbeiten</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Edit this message</source>
            <translation>Diese Nachricht bearbeiten</translation>
        </message>
        <message>
            <location filename="../../ui/composer/queue_rows.py" />
            <source>Edit this message before it is sent</source>
            <translation>Diese Nachricht vor dem Senden bearbeiten</translation>
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Editing an earlier message</source>
            <translation>Frühere Nachricht wird bearbeitet</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Ending…</source>
            <translation>Wird beendet …</translation>
        </message>
        <message>
            <location filename="../../app/models/purpose.py" />
            <source>English</source>
            <comment>spoken</comment>
            <translation>Englisch</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/memory_section.py" />
            <source>Every block is a question with its answer. Green is kept, grey will be read, blue is new.</source>
            <translation>Jeder Block ist eine Frage mit ihrer Antwort. Grün: bereit, Grau: noch zu lesen, Blau: neu.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Everything stays on this computer</source>
            <translation>Alles bleibt auf diesem Computer</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Except what you give to paired Macs</source>
            <translation>Außer dem, was gekoppelte Macs bekommen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Export all chats</source>
            <translation>Alle Chats exportieren</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Export all chats…</source>
            <translation>Alle Chats exportieren …</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Export as PDF</source>
            <translation>Als PDF exportieren</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Export as PDF…</source>
            <translation>Als PDF exportieren …</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Export chat</source>
            <translation>Chat exportieren</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Export chats</source>
            <translation>Chats exportieren</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Export chat…</source>
            <translation>Chat exportieren …</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Export preset</source>
            <translation>Voreinstellung exportieren</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Export prompts</source>
            <translation>Prompts exportieren</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>Export {count} chats…</source>
            <extracomment>For one: Export {count} chat…</extracomment>
            <translation>
                <numerusform>{count} Chat exportieren …</numerusform>
                <numerusform>{count} Chats exportieren …</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../ui/inspector/preset_menu.py" />
            <source>Export “{name}”…</source>
            <translation>„{name}“ exportieren …</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <location filename="../../ui/sidebar/sidebar.py" />
            <location filename="../../ui/window/menu_commands.py" />
            <source>Export…</source>
            <translation>Exportieren …</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>Family</source>
            <translation>Familie</translation>
        </message>
        <message>
            <location filename="../../app/hub/found_models.py" />
            <location filename="../../app/models/facts.py" />
            <location filename="../../ui/models/detail_pane.py" />
            <source>Faster answers</source>
            <translation>Schnellere Antworten</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Faster answers: +{size}</source>
            <translation>Schnellere Antworten: +{size}</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/wanted_model.py" />
            <source>Faster answers: the draft head in its folder does not fit.</source>
            <translation>Schnellere Antworten: Der Vorhersagekopf in seinem Ordner passt nicht.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/wanted_model.py" />
            <source>Faster answers: too little memory was free for its draft head.</source>
            <translation>Schnellere Antworten: Für den Vorhersagekopf war zu wenig Arbeitsspeicher frei.</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Fewer bits take less room and are less exact.</source>
            <translation>Weniger Bit brauchen weniger Platz und sind ungenauer.</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Fewer values</source>
            <translation>Weniger Werte</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>File</source>
            <translation>Ablage</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>File exists</source>
            <translation>Die Datei gibt es schon</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>File name too long</source>
            <translation>Der Dateiname ist zu lang</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Filter models</source>
            <translation>Modelle filtern</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/models/models_page.py" />
            <source>Filter {count} models</source>
            <extracomment>For one: Filter {count} model</extracomment>
            <translation>
                <numerusform>{count} Modell filtern</numerusform>
                <numerusform>{count} Modelle filtern</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../ui/chat/finding.py" />
            <source>Find</source>
            <translation>Suchen</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Find in chat…</source>
            <translation>Im Chat suchen …</translation>
        </message>
        <message>
            <location filename="../../ui/chat/finding.py" />
            <source>Find in this chat</source>
            <translation>In diesem Chat suchen</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Find models</source>
            <translation>Modelle finden</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Find new ones, and see, set up or delete those that you have.</source>
            <translation>Hier finden Sie neue Modelle und können vorhandene ansehen, einrichten oder löschen.</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Find next</source>
            <translation>Weitersuchen</translation>
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Find other models</source>
            <translation>Andere Modelle finden</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Find previous</source>
            <translation>Rückwärts suchen</translation>
        </message>
        <message>
            <location filename="../../app/conversations/chat_memory.py" />
            <source>First word after</source>
            <translation>Erstes Wort nach</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>Fits computers with</source>
            <translation>Läuft auf Computern mit</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Fits well</source>
            <translation>Passt gut</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <source>Flax files</source>
            <translation>Flax-Dateien</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Fold the reasoning</source>
            <translation>Überlegung einklappen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <location filename="../../ui/inspector/label_section.py" />
            <location filename="../../ui/sidebar/sidebar.py" />
            <location filename="../../ui/state/settings_table.py" />
            <source>Folder</source>
            <translation>Ordner</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/conversations_model.py" />
            <source>Folder {title}, {chats}, closed</source>
            <translation>Ordner {title}, {chats}, geschlossen</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/conversations_model.py" />
            <source>Folder {title}, {chats}, open</source>
            <translation>Ordner {title}, {chats}, geöffnet</translation>
        </message>
        <message>
            <location filename="../../ui/widgets/file_dialog.py" />
            <source>Folder:</source>
            <translation>Ordner:</translation>
        </message>
        <message>
            <location filename="../../app/base/model_names.py" />
            <source>For a first look</source>
            <translation>Nur zum Testen</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>For chats and, less so, the panes. The zoom keys change it too.</source>
            <translation>In Chats und, etwas weniger, daneben. Auch mit den Zoomtasten.</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>For chats that have none of their own.</source>
            <translation>Für Chats ohne eigene Anweisungen.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>For most questions</source>
            <translation>Für die meisten Fragen</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Fork chat</source>
            <translation>Chat abzweigen</translation>
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <source>Fork from here</source>
            <translation>Ab hier abzweigen</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Fork from message {message}</source>
            <translation>Ab Nachricht {message} abzweigen</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Fork: go on from here in a new chat</source>
            <translation>Abzweigen: ab hier in neuem Chat weitermachen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Free all</source>
            <translation>Alles freigeben</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Free the space of all chats</source>
            <translation>Platz aller Chats freigeben</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Free the space of {title}</source>
            <translation>Platz von {title} freigeben</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <location filename="../../ui/inspector/memory_section.py" />
            <source>Free this space</source>
            <translation>Platz freigeben</translation>
        </message>
        <message>
            <location filename="../../app/chat/overflow.py" />
            <source>From now on, the model reads all of this chat again.</source>
            <translation>Ab jetzt liest das Modell wieder den ganzen Chat.</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Full</source>
            <translation>Voll</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Full screen</source>
            <translation>Vollbild</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <source>GGUF files</source>
            <translation>GGUF-Dateien</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <source>GGUF format</source>
            <translation>GGUF-Format</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>General</source>
            <translation>Allgemein</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>General, Appearance, Chats and Shortcuts become as they were. What you wrote stays.</source>
            <translation>Allgemein, Erscheinungsbild, Chats und Kurzbefehle werden wie am Anfang. Ihre Texte bleiben.</translation>
        </message>
        <message>
            <location filename="../../app/models/purpose.py" />
            <source>German</source>
            <comment>spoken</comment>
            <translation>Deutsch</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Get its files again, or pick another model.</source>
            <translation>Besorgen Sie die Dateien noch einmal, oder wählen Sie ein anderes Modell.</translation>
        </message>
        <message>
            <location filename="../../app/models/local_models.py" />
            <source>Get its files again, or remove the folder.</source>
            <translation>Ersetzen Sie die Dateien oder löschen Sie den Ordner.</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Getting ready</source>
            <translation>Wird vorbereitet</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/shortcuts_pane.py" />
            <source>Give “{text}” its own keys again</source>
            <translation>„{text}“ die eigenen Tasten zurückgeben</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Go back to the text of message {message}</source>
            <translation>Zurück zum Text von Nachricht {message}</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Go on where this answer ended</source>
            <translation>Dort weitermachen, wo diese Antwort endete</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Go to a footnote of message {message}</source>
            <translation>Zu einer Fußnote von Nachricht {message} gehen</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Go to the footnote</source>
            <translation>Zur Fußnote</translation>
        </message>
        <message>
            <location filename="../../app/models/welcome.py" />
            <source>Good for its size, many languages.</source>
            <translation>Gut für seine Größe, viele Sprachen.</translation>
        </message>
        <message>
            <location filename="../../app/hub/source.py" />
            <source>HF_HUB_OFFLINE is set</source>
            <translation>HF_HUB_OFFLINE ist gesetzt</translation>
        </message>
        <message>
            <location filename="../../app/models/welcome.py" />
            <source>Hard questions and long code.</source>
            <translation>Schwere Fragen und langer Code.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Has another version of Hearth. Install the same one on both.</source>
            <translation>Hat eine andere Version von Hearth. Installieren Sie auf beiden dieselbe.</translation>
        </message>
        <message>
            <location filename="../../ui/window/menu_commands.py" />
            <source>Hearth

A chat app for models that run on this computer, in which every chat stays ready.</source>
            <translation>Hearth

Eine Chat-App für Modelle, die auf diesem Computer laufen. Jeder Chat bleibt bereit.</translation>
        </message>
        <message>
            <location filename="../../app/models/sources.py" />
            <source>Hearth cannot list it: {reason}.</source>
            <translation>Hearth kann ihn nicht auflisten: {reason}.</translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/models/local_models.py" />
            <source>Hearth cannot offer {count} model folders: {names}.</source>
            <extracomment>For one: Hearth cannot offer {count} model folder: {names}.</extracomment>
            <translation>
                <numerusform>Hearth kann {count} Modellordner nicht anbieten: {names}.</numerusform>
                <numerusform>Hearth kann {count} Modellordner nicht anbieten: {names}.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>Hearth cannot open your chats. {reason} Nothing in them has changed. They come back by themselves as soon as they can be opened.</source>
            <translation>Hearth kann Ihre Chats nicht öffnen. {reason} An ihnen hat sich nichts geändert. Sie erscheinen von selbst wieder, sobald sie geöffnet werden können.</translation>
        </message>
        <message>
            <location filename="../../app/desktop/opened_items.py" />
            <source>Hearth cannot read this link.</source>
            <translation>Hearth kann diesen Link nicht lesen.</translation>
        </message>
        <message>
            <location filename="../../app/base/paths.py" />
            <source>Hearth cannot use the folder {folder}: {reason}.</source>
            <translation>Hearth kann den Ordner {folder} nicht benutzen: {reason}.</translation>
        </message>
        <message>
            <location filename="../../app/base/paths.py" />
            <source>Hearth cannot write to the folder {folder}: {hindrance}.</source>
            <translation>Hearth kann nicht in den Ordner {folder} schreiben: {hindrance}.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Hearth chats</source>
            <translation>Hearth-Chats</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Hearth chats (*.hearth)</source>
            <translation>Hearth-Chats (*.hearth)</translation>
        </message>
        <message>
            <location filename="../../app/hub/downloads.py" />
            <source>Hearth continues to download {name}.</source>
            <translation>Hearth lädt {name} weiter herunter.</translation>
        </message>
        <message>
            <location filename="../../app/models/inspections.py" />
            <source>Hearth could not examine its files within {seconds:.0f} seconds.</source>
            <translation>Hearth konnte die Dateien nicht innerhalb von {seconds:.0f} Sekunden untersuchen.</translation>
        </message>
        <message>
            <location filename="../../engine/server/generation.py" />
            <source>Hearth could not make room for this answer.</source>
            <translation>Hearth konnte keinen Platz für diese Antwort schaffen.</translation>
        </message>
        <message>
            <location filename="../../app/base/model_names.py" />
            <source>Hearth demo</source>
            <translation>Hearth-Demo</translation>
        </message>
        <message>
            <location filename="../../app/hub/removal.py" />
            <source>Hearth did not download {name}, so it does not delete it.</source>
            <translation>{name} wurde nicht von Hearth heruntergeladen und wird daher nicht gelöscht.</translation>
        </message>
        <message>
            <location filename="../../app/desktop/opened_items.py" />
            <source>Hearth does not know this link.</source>
            <translation>Hearth kennt diesen Link nicht.</translation>
        </message>
        <message>
            <location filename="../../engine/workers/visit.py" />
            <source>Hearth does not run there, or lets no other Mac use it</source>
            <translation>Hearth läuft dort nicht oder gibt den Mac nicht frei</translation>
        </message>
        <message>
            <location filename="../../app/desktop/workspace.py" />
            <source>Hearth ended unexpectedly soon after its last starts, so it has opened no chat this time.</source>
            <translation>Hearth ist nach den letzten Starts unerwartet beendet worden und hat diesmal keinen Chat geöffnet.</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>Hearth finds none of its chats in {folder} any more. If you moved or renamed this folder, quit Hearth, put the old folder back in its place, and start Hearth again.</source>
            <translation>Hearth findet in {folder} keinen seiner Chats mehr. Falls Sie diesen Ordner verschoben oder umbenannt haben, beenden Sie Hearth, legen Sie den alten Ordner wieder an seine Stelle und starten Sie Hearth neu.</translation>
        </message>
        <message>
            <location filename="../../app/models/local_models.py" />
            <source>Hearth found no models in it.</source>
            <translation>Hearth hat darin keine Modelle gefunden.</translation>
        </message>
        <message>
            <location filename="../../app/hub/token_setting.py" />
            <source>Hearth has forgotten your token.</source>
            <translation>Hearth hat Ihr Token vergessen.</translation>
        </message>
        <message>
            <location filename="../../storage/untrusted.py" />
            <source>Hearth has no permission to read it</source>
            <translation>Hearth darf sie nicht lesen</translation>
        </message>
        <message>
            <location filename="../../storage/errors.py" />
            <source>Hearth has no permission to use its folder.</source>
            <translation>Hearth darf seinen Ordner nicht benutzen.</translation>
        </message>
        <message>
            <location filename="../../app/models/inspections.py" />
            <source>Hearth is closing, so it examines no more models.</source>
            <translation>Hearth wird beendet und untersucht keine Modelle mehr.</translation>
        </message>
        <message>
            <location filename="../../engine/model/load_failure.py" />
            <source>Hearth is not allowed to read its files.</source>
            <translation>Hearth darf die Dateien nicht lesen.</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>Hearth is replacing the library. Your tabs open again as soon as that is done.</source>
            <translation>Hearth tauscht die Bibliothek aus. Ihre Tabs öffnen sich wieder, sobald das erledigt ist.</translation>
        </message>
        <message>
            <location filename="../../app/hub/verification.py" />
            <source>Hearth knows no digests of {name}, because it did not download it.</source>
            <translation>Hearth kennt keine Prüfsummen von {name}, weil es das Modell nicht heruntergeladen hat.</translation>
        </message>
        <message>
            <location filename="../../app/desktop/installation.py" />
            <source>Hearth lies in the Downloads folder, where it is easily thrown away. {advice}</source>
            <translation>Hearth liegt im Ordner „Downloads“, wo es leicht gelöscht wird. {advice}</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Hearth may not look for Macs here: allow it in System Settings, Privacy &amp; Security, Local Network, or add a Mac by its address.</source>
            <translation>Hearth darf hier nicht nach Macs suchen: Erlauben Sie es in den Systemeinstellungen unter Datenschutz &amp; Sicherheit, Lokales Netzwerk, oder fügen Sie einen Mac über seine Adresse hinzu.</translation>
        </message>
        <message>
            <location filename="../../app/desktop/installation.py" />
            <source>Hearth runs from the disk image that it came in. {advice}</source>
            <translation>Hearth läuft von dem Image, in dem es geliefert wurde. {advice}</translation>
        </message>
        <message>
            <location filename="../../app/base/settings.py" />
            <source>Hearth uses its default settings because {name} cannot be read: {error}.</source>
            <translation>Hearth benutzt die Standardeinstellungen, weil {name} nicht gelesen werden kann: {error}.</translation>
        </message>
        <message>
            <location filename="../../app/macs/worker.py" />
            <source>Hearth waits there already, in its window or as a command, or another program does</source>
            <translation>Dort wartet bereits Hearth, im Fenster oder als Befehl, oder ein anderes Programm</translation>
        </message>
        <message>
            <location filename="../../app/desktop/home.py" />
            <source>Hearth was closed and is still saving. Start it again in a minute.</source>
            <translation>Hearth wurde beendet und sichert noch. Starten Sie es in einer Minute wieder.</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Help</source>
            <translation>Hilfe</translation>
        </message>
        <message>
            <location filename="../../app/models/welcome.py" />
            <source>Help for every day.</source>
            <translation>Hilfe für jeden Tag.</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <source>Hide chat settings</source>
            <translation>Chat-Einstellungen ausblenden</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/memory_section.py" />
            <source>Hide details</source>
            <translation>Weniger</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>Hide sidebar</source>
            <translation>Seitenleiste ausblenden</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Hide technical details</source>
            <translation>Technische Angaben verbergen</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Higher values make the answers more surprising; 0 always takes the likeliest word.</source>
            <translation>Höhere Werte machen die Antworten überraschender; 0 nimmt immer das wahrscheinlichste Wort.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Holds {size} of {model}</source>
            <translation>Hält {size} von {model}</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>How far apart the lines of a chat are.</source>
            <translation>Wie weit die Zeilen eines Chats auseinanderliegen.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>How much longer the model would have read before its answers if nothing had been kept on disk, at the speed that was measured.</source>
            <translation>So viel länger hätte das Modell vor seinen Antworten gelesen, wenn auf der Festplatte nichts bereitgehalten worden wäre, bei der gemessenen Geschwindigkeit.</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <source>How the model shall answer in this chat</source>
            <translation>Wie das Modell in diesem Chat antworten soll</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>How wide the text of a chat may be.</source>
            <translation>Wie breit der Text eines Chats sein darf.</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>Hybrid</source>
            <translation>Hybrid</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>If this is off, nothing is kept.</source>
            <translation>Ist das aus, wird nichts bereitgehalten.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>If you look at another app. Words of private chats are never shown.</source>
            <translation>Wenn eine andere App vorn ist. Wörter privater Chats werden nie gezeigt.</translation>
        </message>
        <message>
            <location filename="../../ui/markdown/spans.py" />
            <location filename="../../ui/transcript/question_lines.py" />
            <source>Image</source>
            <translation>Bild</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>Images and sound</source>
            <translation>Bilder und Ton</translation>
        </message>
        <message>
            <location filename="../../app/conversations/transfer.py" />
            <source>Import again</source>
            <translation>Erneut importieren</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Import chats</source>
            <translation>Chats importieren</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Import preset</source>
            <translation>Voreinstellung importieren</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/preset_menu.py" />
            <source>Import preset…</source>
            <translation>Voreinstellung importieren …</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Import prompts</source>
            <translation>Prompts importieren</translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/conversations/transfer.py" />
            <source>Importing {count} chats: {percent}%</source>
            <extracomment>For one: Importing {count} chat: {percent}%</extracomment>
            <translation>
                <numerusform>{count} Chat wird importiert: {percent} %</numerusform>
                <numerusform>{count} Chats werden importiert: {percent} %</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Import…</source>
            <translation>Importieren …</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>In lists and menus.</source>
            <translation>In Listen und Menüs.</translation>
        </message>
        <message>
            <location filename="../../ui/palette/entries.py" />
            <source>In messages</source>
            <translation>In Nachrichten</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>In use</source>
            <translation>In Gebrauch</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Incomplete</source>
            <translation>Unvollständig</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Input/output error</source>
            <translation>Ein-/Ausgabefehler</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/variables_dialog.py" />
            <source>Insert</source>
            <translation>Einfügen</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <location filename="../../ui/inspector/sampling_section.py" />
            <location filename="../../ui/models/model_settings.py" />
            <source>Instructions</source>
            <translation>Anweisungen</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Instructions of new chats</source>
            <translation>Anweisungen für neue Chats</translation>
        </message>
        <message>
            <location filename="../../app/chat/status.py" />
            <source>Interrupted</source>
            <translation>Unterbrochen</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Is a directory</source>
            <translation>Es ist ein Ordner</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>It can then use this Mac no longer. To let it again, pair it with a new code.</source>
            <translation>Er kann diesen Mac dann nicht mehr benutzen. Um es wieder zu erlauben, koppeln Sie ihn mit einem neuen Code.</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>It cannot be read: {fault}. {advice}</source>
            <translation>Es kann nicht gelesen werden: {fault}. {advice}</translation>
        </message>
        <message>
            <location filename="../../app/base/settings.py" />
            <source>It could not be renamed: {reason}.</source>
            <translation>Sie konnte nicht umbenannt werden: {reason}.</translation>
        </message>
        <message>
            <location filename="../../engine/model/adapter.py" />
            <source>It does not fit its base model: {why}.</source>
            <translation>Er passt nicht zu seinem Basismodell: {why}.</translation>
        </message>
        <message>
            <location filename="../../app/models/fit.py" />
            <source>It does not fit now: it needs {needed}, and {free} are free. Close other apps first.</source>
            <translation>Passt gerade nicht: Es braucht {needed}, und {free} sind frei. Schließen Sie zuerst andere Apps.</translation>
        </message>
        <message>
            <location filename="../../app/models/fit.py" />
            <source>It does not fit on this Mac alone, but on several together: choose them in its settings.</source>
            <translation>Es passt nicht auf diesen Mac allein, aber auf mehrere gemeinsam: Wählen Sie diese in seinen Einstellungen.</translation>
        </message>
        <message>
            <location filename="../../app/models/fit.py" />
            <source>It does not fit: it needs {needed}, and this machine can give a model {most}.</source>
            <translation>Passt nicht: Es braucht {needed}, und dieser Computer kann einem Modell {most} geben.</translation>
        </message>
        <message>
            <location filename="../../app/models/fit.py" />
            <source>It fits well. A chat can be up to {longest} tokens long.</source>
            <translation>Passt gut. Ein Chat kann bis zu {longest} Token lang sein.</translation>
        </message>
        <message>
            <location filename="../../app/models/fit.py" />
            <source>It fits, but leaves no room for a chat. Close other apps or chats first.</source>
            <translation>Passt, lässt aber keinen Platz für einen Chat. Schließen Sie zuerst andere Apps oder Chats.</translation>
        </message>
        <message>
            <location filename="../../app/models/fit.py" />
            <source>It fits, but only with chats of up to {longest} tokens. Close other apps or chats for more.</source>
            <translation>Passt, aber nur mit Chats bis {longest} Token. Schließen Sie andere Apps oder Chats für mehr.</translation>
        </message>
        <message>
            <location filename="../../app/hub/found_models.py" />
            <source>It has no safetensors weights, so Hearth cannot use it. Look for an MLX version of this model.</source>
            <translation>Es hat keine safetensors-Gewichte, deshalb kann Hearth es nicht benutzen. Suchen Sie eine MLX-Version dieses Modells.</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>It has no safetensors weights.</source>
            <translation>Es hat keine safetensors-Gewichte.</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>It has no tokenizer.</source>
            <translation>Es hat keinen Tokenizer.</translation>
        </message>
        <message>
            <location filename="../../app/models/local_models.py" />
            <source>It is an adapter for {wanted}, which is not on this machine. Download {wanted} first.</source>
            <translation>Es ist ein Adapter für {wanted}, das nicht auf diesem Computer liegt. Laden Sie zuerst {wanted} herunter.</translation>
        </message>
        <message>
            <location filename="../../engine/model/adapter.py" />
            <source>It is an adapter in the format of PEFT, which MLX does not read.</source>
            <translation>Es ist ein Adapter im Format von PEFT, das MLX nicht liest.</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>It is an adapter in the format of PEFT, which MLX does not read. Train or convert it with mlx-lm.</source>
            <translation>Es ist ein Adapter im Format von PEFT, das MLX nicht liest. Trainieren oder konvertieren Sie ihn mit mlx-lm.</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>It is an adapter without its weights: {file} is missing.</source>
            <translation>Es ist ein Adapter ohne Gewichte: {file} fehlt.</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <source>It is an adapter, which works only together with the model that it was trained on.</source>
            <translation>Es ist ein Adapter, der nur mit dem Modell funktioniert, auf dem er trainiert wurde.</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>It is in the GGUF format, which MLX does not read. Look for the same model in MLX format.</source>
            <translation>Es ist im GGUF-Format, das MLX nicht liest. Suchen Sie dasselbe Modell im MLX-Format.</translation>
        </message>
        <message>
            <location filename="../../app/models/sources.py" />
            <source>It is not there now. Its models come back with it.</source>
            <translation>Er ist gerade nicht da. Seine Modelle kommen mit ihm zurück.</translation>
        </message>
        <message>
            <location filename="../../app/base/settings.py" />
            <source>It is now called {name}.</source>
            <translation>Sie heißt jetzt {name}.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/engine_process.py" />
            <source>It made no progress, so Hearth gave it up.</source>
            <translation>Es kam nicht voran, daher hat Hearth aufgegeben.</translation>
        </message>
        <message>
            <location filename="../../engine/model/folder_checks.py" />
            <location filename="../../engine/model/load_failure.py" />
            <source>It needs program code from its own folder, which Hearth never runs.</source>
            <translation>Es braucht Programmcode aus seinem Ordner, den Hearth nie ausführt.</translation>
        </message>
        <message>
            <location filename="../../app/models/views.py" />
            <source>It reads about {reading:,.0f} and writes about {writing:,.0f} tokens a second here.</source>
            <translation>Hier liest es etwa {reading:,.0f} und schreibt etwa {writing:,.0f} Token pro Sekunde.</translation>
        </message>
        <message>
            <location filename="../../app/models/views.py" />
            <source>It reads about {reading:,.0f} tokens a second here.</source>
            <translation>Hier liest es etwa {reading:,.0f} Token pro Sekunde.</translation>
        </message>
        <message>
            <location filename="../../engine/model/folder_checks.py" />
            <source>It works on images or sound, and Hearth cannot use its text part.</source>
            <translation>Es arbeitet mit Bildern oder Ton, und Hearth kann seinen Textteil nicht benutzen.</translation>
        </message>
        <message>
            <location filename="../../app/models/views.py" />
            <source>It writes about {writing:,.0f} tokens a second here.</source>
            <translation>Hier schreibt es etwa {writing:,.0f} Token pro Sekunde.</translation>
        </message>
        <message>
            <location filename="../../engine/model/adapter.py" />
            <source>Its adapter_config.json is not that of an adapter of mlx-lm.</source>
            <translation>Die adapter_config.json gehört zu keinem Adapter von mlx-lm.</translation>
        </message>
        <message>
            <location filename="../../ui/window/leaving.py" />
            <source>Its answer is still being written. A private chat is kept nowhere. Once its tab is closed, it is gone and cannot be brought back.</source>
            <translation>Die Antwort wird noch geschrieben. Ein privater Chat wird nirgends aufbewahrt. Sobald sein Tab geschlossen ist, ist er unwiderruflich weg.</translation>
        </message>
        <message>
            <location filename="../../engine/prompt/chat_template.py" />
            <source>Its chat template refuses even a single message.</source>
            <translation>Die Chat-Vorlage lehnt sogar eine einzelne Nachricht ab.</translation>
        </message>
        <message>
            <location filename="../../engine/prompt/chat_template.py" />
            <source>Its chat template refuses even a single message: {why}.</source>
            <translation>Die Chat-Vorlage lehnt sogar eine einzelne Nachricht ab: {why}.</translation>
        </message>
        <message>
            <location filename="../../engine/protocol/errors.py" />
            <source>Its chat template takes too much time or memory.</source>
            <translation>Die Chat-Vorlage braucht zu viel Zeit oder Arbeitsspeicher.</translation>
        </message>
        <message>
            <location filename="../../engine/model/configuration.py" />
            <source>Its config.json cannot be read.</source>
            <translation>Die config.json kann nicht gelesen werden.</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>Its config.json is missing.</source>
            <translation>Seine config.json fehlt.</translation>
        </message>
        <message>
            <location filename="../../engine/model/configuration.py" />
            <source>Its config.json is not an object.</source>
            <translation>Die config.json ist kein Objekt.</translation>
        </message>
        <message>
            <location filename="../../engine/model/folder_checks.py" />
            <source>Its configuration asks for more layers than its weights can fill.</source>
            <translation>Die Konfiguration verlangt mehr Schichten, als die Gewichte füllen.</translation>
        </message>
        <message>
            <location filename="../../engine/model/folder_checks.py" />
            <source>Its configuration asks for more {name} than any model has.</source>
            <translation>Die Konfiguration verlangt mehr {name}, als irgendein Modell hat.</translation>
        </message>
        <message>
            <location filename="../../engine/model/folder_checks.py" />
            <source>Its configuration does not say how its weights are quantised.</source>
            <translation>Die Konfiguration sagt nicht, wie die Gewichte quantisiert sind.</translation>
        </message>
        <message>
            <location filename="../../engine/model/folder_checks.py" />
            <source>Its configuration does not say what kind of model it is.</source>
            <translation>Die Konfiguration sagt nicht, welche Art Modell es ist.</translation>
        </message>
        <message>
            <location filename="../../engine/model/folder_checks.py" />
            <source>Its configuration names a file with program code, which Hearth never runs.</source>
            <translation>Die Konfiguration nennt eine Datei mit Programmcode, den Hearth nie ausführt.</translation>
        </message>
        <message>
            <location filename="../../engine/model/configuration.py" />
            <source>Its file config.json is missing.</source>
            <translation>Die Datei config.json fehlt.</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <location filename="../../engine/model/folder_checks.py" />
            <source>Its file {name} cannot be read.</source>
            <translation>Die Datei {name} kann nicht gelesen werden.</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <source>Its file {name} is damaged or incomplete.</source>
            <translation>Die Datei {name} ist beschädigt oder unvollständig.</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <source>Its file {name} is missing.</source>
            <translation>Die Datei {name} fehlt.</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <source>Its file {name} is not complete.</source>
            <translation>Seine Datei {name} ist unvollständig.</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <source>Its file {name} is too large.</source>
            <translation>Die Datei {name} ist zu groß.</translation>
        </message>
        <message>
            <location filename="../../engine/model/folder_checks.py" />
            <source>Its file {name} names a file elsewhere: {other}.</source>
            <translation>Die Datei {name} verweist auf eine fremde Datei: {other}.</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <source>Its file {name}, which macOS has left, is no chat template: delete it.</source>
            <translation>Die Datei {name}, die macOS hinterlassen hat, ist keine Chat-Vorlage: Löschen Sie sie.</translation>
        </message>
        <message>
            <location filename="../../engine/model/load_failure.py" />
            <source>Its files are damaged or incomplete.</source>
            <translation>Die Dateien sind beschädigt oder unvollständig.</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Its files are deleted. Chats stay, and another model can answer in them.</source>
            <translation>Die Dateien werden gelöscht. Die Chats bleiben, und ein anderes Modell kann darin antworten.</translation>
        </message>
        <message>
            <location filename="../../engine/inspect/process.py" />
            <location filename="../../engine/model/load_failure.py" />
            <source>Its files do not fit together, or this version of Hearth cannot read them.</source>
            <translation>Die Dateien passen nicht zusammen, oder diese Version von Hearth kann sie nicht lesen.</translation>
        </message>
        <message>
            <location filename="../../engine/model/loader.py" />
            <source>Its files make it compute values that are not numbers.</source>
            <translation>Mit seinen Dateien berechnet es Werte, die keine Zahlen sind.</translation>
        </message>
        <message>
            <location filename="../../engine/model/loader.py" />
            <source>Its files were changed while they were read.</source>
            <translation>Die Dateien wurden beim Lesen geändert.</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <source>Its folder has no tokenizer, which turns text into numbers for the model.</source>
            <translation>Im Ordner fehlt der Tokenizer, der Text für das Modell in Zahlen verwandelt.</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <source>Its folder holds no safetensors weights.</source>
            <translation>Im Ordner liegen keine safetensors-Gewichte.</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <source>Its folder holds no weights under the names that mlx-lm reads, such as "model".</source>
            <translation>Im Ordner liegen keine Gewichte unter den Namen, die mlx-lm liest, wie „model“.</translation>
        </message>
        <message>
            <location filename="../../app/models/choice.py" />
            <source>Its licence is {licence}.</source>
            <translation>Die Lizenz ist {licence}.</translation>
        </message>
        <message>
            <location filename="../../engine/server/model_loads.py" />
            <source>Its load was cancelled.</source>
            <translation>Das Laden wurde abgebrochen.</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <source>Its path has a *, ? or [, so mlx-lm finds no weights there: rename the folder.</source>
            <translation>Sein Pfad enthält ein *, ? oder [, deshalb findet mlx-lm dort keine Gewichte: benennen Sie den Ordner um.</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <source>Its tokenizer would make texts so long that they fill the memory.</source>
            <translation>Der Tokenizer würde so lange Texte erzeugen, dass sie den Arbeitsspeicher füllen.</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>Its weights are PyTorch files, which can hold program code, so Hearth never opens them. Look for it in MLX format.</source>
            <translation>Die Gewichte sind PyTorch-Dateien, die Programmcode enthalten können. Hearth öffnet sie daher nie. Suchen Sie das Modell im MLX-Format.</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <source>Its weights are in more pieces than those of any model.</source>
            <translation>Die Gewichte sind in mehr Teile zerlegt als bei irgendeinem Modell.</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <source>Its weights are in the {form}. Hearth reads safetensors only.</source>
            <translation>Die Gewichte liegen vor als: {form}. Hearth liest nur safetensors.</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>Its weights are missing.</source>
            <translation>Seine Gewichte fehlen.</translation>
        </message>
        <message>
            <location filename="../../app/hub/found_models.py" />
            <source>Its weights are not safetensors files, so Hearth cannot use it. Look for another version.</source>
            <translation>Die Gewichte sind keine safetensors-Dateien, deshalb kann Hearth es nicht benutzen. Suchen Sie eine andere Version.</translation>
        </message>
        <message>
            <location filename="../../engine/model/folder_checks.py" />
            <source>Its weights are quantised in a form that MLX does not read ({method}).</source>
            <translation>Die Gewichte sind in einer Form quantisiert, die MLX nicht liest ({method}).</translation>
        </message>
        <message>
            <location filename="../../engine/model/loader.py" />
            <source>Its weights take {weights}, and this machine has {most} of memory.</source>
            <translation>Die Gewichte brauchen {weights}, und dieser Computer hat {most} Arbeitsspeicher.</translation>
        </message>
        <message>
            <location filename="../../engine/model/loader.py" />
            <source>Its weights take {weights}, and {available} of memory are free now.</source>
            <translation>Die Gewichte brauchen {weights}, und gerade sind {available} Arbeitsspeicher frei.</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/scrolling.py" />
            <source>Jump to the newest message</source>
            <translation>Zur neuesten Nachricht springen</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Keep</source>
            <translation>Behalten</translation>
        </message>
        <message>
            <location filename="../../ui/window/leaving.py" />
            <source>Keep Hearth open</source>
            <translation>Hearth geöffnet lassen</translation>
        </message>
        <message>
            <location filename="../../ui/window/dialogs.py" />
            <source>Keep answering</source>
            <translation>Weiter antworten</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Keep chats ready on disk</source>
            <translation>Chats auf der Festplatte bereithalten</translation>
        </message>
        <message>
            <location filename="../../ui/window/leaving.py" />
            <source>Keep it open</source>
            <translation>Offen lassen</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/label_section.py" />
            <location filename="../../ui/sidebar/sidebar.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Keep ready on disk</source>
            <translation>Auf der Festplatte bereithalten</translation>
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Keep the message as it is (Esc)</source>
            <translation>Nachricht lassen, wie sie ist (Esc)</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Keep {title} ready</source>
            <translation>{title} bereithalten</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/memory_section.py" />
            <source>Kept ready</source>
            <translation>Bereitgehalten</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/shortcuts_dialog.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Keyboard shortcuts</source>
            <translation>Tastaturkurzbefehle</translation>
        </message>
        <message>
            <location filename="../../app/models/welcome.py" />
            <source>Knows much and answers at once.</source>
            <translation>Weiß viel und antwortet sofort.</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/label_section.py" />
            <source>Labels</source>
            <translation>Einordnung</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Language</source>
            <translation>Sprache</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Larger text</source>
            <translation>Text größer</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Last tabs</source>
            <translation>Letzte Tabs</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Layers</source>
            <translation>Schichten</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Layers: {text}</source>
            <translation>Schichten: {text}</translation>
        </message>
        <message>
            <location filename="../../app/chat/overflow.py" />
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Leave out the oldest turns</source>
            <translation>Älteste Nachrichten auslassen</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Leave out the oldest turns, and try message {message} again</source>
            <translation>Älteste Nachrichten auslassen und Nachricht {message} erneut versuchen</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Leave out the oldest turns, or go on in a new chat.</source>
            <translation>Lassen Sie die ältesten Nachrichten aus, oder machen Sie in einem neuen Chat weiter.</translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/chat/attachments.py" />
            <source>Left out: {count} pages that are pictures without text</source>
            <extracomment>For one: Left out: {count} page that is a picture without text</extracomment>
            <translation>
                <numerusform>Weggelassen: {count} Seite, die ein Bild ohne Text ist</numerusform>
                <numerusform>Weggelassen: {count} Seiten, die Bilder ohne Text sind</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../app/chat/attachments.py" />
            <source>Left out: {reasons}</source>
            <translation>Weggelassen: {reasons}</translation>
        </message>
        <message>
            <location filename="../../app/conversations/transfer.py" />
            <source>Left out: {titles} and others.</source>
            <translation>Ausgelassen: {titles} und andere.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/transfer.py" />
            <source>Left out: {titles}.</source>
            <translation>Ausgelassen: {titles}.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Let its download finish, or get its files again.</source>
            <translation>Warten Sie das Ende des Downloads ab, oder besorgen Sie die Dateien noch einmal.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Let other Macs use this one</source>
            <translation>Andere Macs diesen benutzen lassen</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Let the model name chats</source>
            <translation>Modell benennt Chats</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Let the model read only the newest turns that fit</source>
            <translation>Modell nur die neuesten Nachrichten lesen lassen, die passen</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Let the model read the messages above message {message} again</source>
            <translation>Modell die Nachrichten über Nachricht {message} wieder lesen lassen</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Let the model read the older messages again, if all of the chat fits</source>
            <translation>Modell die älteren Nachrichten wieder lesen lassen, falls der ganze Chat passt</translation>
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Let the model think before it answers</source>
            <translation>Modell vor der Antwort nachdenken lassen</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Light</source>
            <translation>Hell</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Light, dark, or as the system is.</source>
            <translation>Hell, dunkel oder wie das System.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Limit</source>
            <translation>Grenze</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Line spacing</source>
            <translation>Zeilenabstand</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/model_switch.py" />
            <source>Load again</source>
            <translation>Neu laden</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/connection.py" />
            <location filename="../../app/engine_client/model_switch.py" />
            <source>Load anyway</source>
            <translation>Trotzdem laden</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/model_switch.py" />
            <source>Load the model anyway?</source>
            <translation>Modell trotzdem laden?</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/model_switch.py" />
            <source>Load the model with its new settings?</source>
            <translation>Modell mit den neuen Einstellungen laden?</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/older_messages.py" />
            <source>Loading older messages…</source>
            <translation>Ältere Nachrichten werden geladen …</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Loading the model…</source>
            <translation>Modell wird geladen …</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/wanted_model.py" />
            <source>Loading {name} was cancelled.</source>
            <translation>Das Laden von {name} wurde abgebrochen.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/wanted_model.py" />
            <source>Loading {name} · {stage}</source>
            <translation>{name} wird geladen · {stage}</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/wanted_model.py" />
            <source>Loading {name} · {stage} · {percent:.0f}%</source>
            <translation>{name} wird geladen · {stage} · {percent:.0f} %</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/connection.py" />
            <location filename="../../app/engine_client/wanted_model.py" />
            <source>Loading {name}…</source>
            <translation>{name} wird geladen …</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Longest answer</source>
            <translation>Längste Antwort</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Longest chat</source>
            <translation>Längster Chat</translation>
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Look around first with the tiny built-in model</source>
            <translation>Erst mit dem winzigen integrierten Modell umsehen (nur Englisch)</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Look for the same model in MLX's format.</source>
            <translation>Suchen Sie dasselbe Modell im Format von MLX.</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Looking for models…</source>
            <translation>Suche nach Modellen …</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Macs</source>
            <translation>Macs</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Macs that let others use them are listed here. Some networks keep them apart: then add a Mac by its address.</source>
            <translation>Hier erscheinen Macs, die andere benutzen dürfen. In manchen Netzwerken sehen sie einander nicht: Fügen Sie einen Mac dann über seine Adresse hinzu.</translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/models/purpose.py" />
            <source>Made for {uses}, in {name} and {count} other languages.</source>
            <extracomment>For one: Made for {uses}, in {name} and {count} other language.</extracomment>
            <translation>
                <numerusform>Gemacht für {uses}, auf {name} und in {count} weiterer Sprache.</numerusform>
                <numerusform>Gemacht für {uses}, auf {name} und in {count} weiteren Sprachen.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../app/models/purpose.py" />
            <source>Made for {uses}, in {name}.</source>
            <translation>Gemacht für {uses}, auf {name}.</translation>
        </message>
        <message>
            <location filename="../../app/models/purpose.py" />
            <source>Made for {uses}.</source>
            <translation>Gemacht für {uses}.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>Make a copy now</source>
            <translation>Jetzt Kopie anlegen</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Make it shorter, or pick a model that can read more.</source>
            <translation>Kürzen Sie sie, oder wählen Sie ein Modell, das mehr lesen kann.</translation>
        </message>
        <message>
            <location filename="../../app/chat/overflow.py" />
            <source>Make it shorter, or pick a model that can read more. Your next messages are answered without it.</source>
            <translation>Kürzen Sie sie, oder wählen Sie ein Modell, das mehr lesen kann. Ihre nächsten Nachrichten werden ohne sie beantwortet.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Make the instructions shorter, or pick a model that can read more.</source>
            <translation>Kürzen Sie die Anweisungen, oder wählen Sie ein Modell, das mehr lesen kann.</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Make the message shorter and send it again</source>
            <translation>Nachricht kürzen und erneut senden</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>Making a copy…</source>
            <translation>Kopie wird erstellt …</translation>
        </message>
        <message>
            <location filename="../../ui/composer/button_row.py" />
            <source>Manage models…</source>
            <translation>Modelle verwalten …</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Markdown (*.md)</source>
            <translation>Markdown (*.md)</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>May use this Mac.</source>
            <translation>Darf diesen Mac benutzen.</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Memory on this Mac</source>
            <translation>Arbeitsspeicher dieses Mac</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Memory on this Mac: {said}</source>
            <translation>Arbeitsspeicher dieses Mac: {said}</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Memory on this computer</source>
            <translation>Arbeitsspeicher dieses Computers</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Memory on this computer: {said}</source>
            <translation>Arbeitsspeicher dieses Computers: {said}</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/tab_row.py" />
            <source>Menu</source>
            <translation>Menü</translation>
        </message>
        <message>
            <location filename="../../ui/composer/prompt_edit.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Message</source>
            <translation>Nachricht</translation>
        </message>
        <message>
            <location filename="../../ui/composer/prompt_edit.py" />
            <source>Message {name}…</source>
            <translation>Nachricht an {name} …</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Message {number}, answer</source>
            <translation>Nachricht {number}, Antwort</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Message {number}, from you</source>
            <translation>Nachricht {number}, von Ihnen</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/screen_reader.py" />
            <source>Messages</source>
            <translation>Nachrichten</translation>
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Min-p</source>
            <translation>Min-p</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Minimise</source>
            <translation>Im Dock ablegen</translation>
        </message>
        <message>
            <location filename="../../ui/composer/button_row.py" />
            <location filename="../../ui/inspector/inspector.py" />
            <source>Model</source>
            <translation>Modell</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Model card</source>
            <translation>Modellkarte</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <location filename="../../ui/palette/entries.py" />
            <location filename="../../ui/state/settings_table.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Models</source>
            <translation>Modelle</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Models found</source>
            <translation>Gefundene Modelle</translation>
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Models found on this Mac</source>
            <translation>Auf diesem Mac gefundene Modelle</translation>
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Models found on this computer</source>
            <translation>Auf diesem Computer gefundene Modelle</translation>
        </message>
        <message>
            <location filename="../../app/models/presenter.py" />
            <source>Models in {folder} are no longer listed. Their files stay where they are.</source>
            <translation>Modelle in {folder} sind nicht mehr aufgeführt. Ihre Dateien bleiben, wo sie sind.</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <location filename="../../ui/state/settings_table.py" />
            <source>Models on this Mac</source>
            <translation>Modelle auf diesem Mac</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <location filename="../../ui/state/settings_table.py" />
            <source>Models on this computer</source>
            <translation>Modelle auf diesem Computer</translation>
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Models run on this Mac, and every chat stays ready:
come back next week, and the answer starts at once.</source>
            <translation>Modelle laufen auf diesem Mac, und jeder Chat bleibt bereit:
Auch nächste Woche beginnt die Antwort sofort.</translation>
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Models run on this computer, and every chat stays ready:
come back next week, and the answer starts at once.</source>
            <translation>Modelle laufen auf diesem Computer, und jeder Chat bleibt bereit:
Auch nächste Woche beginnt die Antwort sofort.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Models that run on it are then loaded on this Mac alone. To use it again, pair it with a new code.</source>
            <translation>Modelle, die auf ihm laufen, werden dann auf diesem Mac allein geladen. Um ihn wieder zu benutzen, koppeln Sie ihn mit einem neuen Code.</translation>
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Models you have already</source>
            <translation>Vorhandene Modelle</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>More actions</source>
            <translation>Weitere Aktionen</translation>
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>More surprise</source>
            <translation>Mehr Überraschung</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>More values</source>
            <translation>Weitere Werte</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Move</source>
            <translation>Bewegen</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Move tab left</source>
            <translation>Tab nach links bewegen</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Move tab right</source>
            <translation>Tab nach rechts bewegen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Move to folder</source>
            <translation>In Ordner bewegen</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Move to folder…</source>
            <translation>In Ordner bewegen …</translation>
        </message>
        <message>
            <location filename="../../ui/chat/greeting.py" />
            <source>My code word is marigold. Please remember it.</source>
            <translation>Mein Codewort ist Ringelblume. Bitte merke es dir.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <location filename="../../ui/models/model_settings.py" />
            <source>Name</source>
            <translation>Name</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <source>Name of the prompt</source>
            <translation>Name des Prompts</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Narrow</source>
            <translation>Schmal</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Never</source>
            <translation>Nie</translation>
        </message>
        <message>
            <location filename="../../app/cache/check.py" />
            <location filename="../../app/cache/monitor.py" />
            <location filename="../../app/chat/views.py" />
            <location filename="../../app/conversations/removal.py" />
            <location filename="../../app/import_export/markdown.py" />
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <location filename="../../ui/models/row_words.py" />
            <location filename="../../ui/sidebar/conversations_model.py" />
            <location filename="../../ui/sidebar/sidebar.py" />
            <location filename="../../ui/state/settings_table.py" />
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/chat_pages.py" />
            <location filename="../../ui/window/palette_entries.py" />
            <location filename="../../ui/window/tab_strip.py" />
            <source>New chat</source>
            <translation>Neuer Chat</translation>
        </message>
        <message>
            <location filename="../../app/chat/overflow.py" />
            <location filename="../../ui/transcript/message_lines.py" />
            <source>New chat from here</source>
            <translation>Neuer Chat ab hier</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>New code</source>
            <translation>Neuer Code</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>New folder</source>
            <translation>Neuer Ordner</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>New folder…</source>
            <translation>Neuer Ordner …</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>New line</source>
            <translation>Neue Zeile</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/chat_pages.py" />
            <source>New private chat</source>
            <translation>Neuer privater Chat</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <source>New prompt</source>
            <translation>Neuer Prompt</translation>
        </message>
        <message>
            <location filename="../../ui/window/tab_row.py" />
            <source>New tab</source>
            <translation>Neuer Tab</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Newest message</source>
            <translation>Neueste Nachricht</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Next alternative</source>
            <translation>Nächste Alternative</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Next alternative of message {message}</source>
            <translation>Nächste Alternative von Nachricht {message}</translation>
        </message>
        <message>
            <location filename="../../ui/chat/finding.py" />
            <source>Next hit</source>
            <translation>Nächster Treffer</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Next message</source>
            <translation>Nächste Nachricht</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Next tab</source>
            <translation>Nächster Tab</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/theme/phrases.py" />
            <source>Next {count} messages, sent one by one</source>
            <extracomment>For one: Next message, sent when this answer ends</extracomment>
            <translation>
                <numerusform>Nächste Nachricht, wird nach dieser Antwort gesendet</numerusform>
                <numerusform>Nächste {count} Nachrichten, werden nacheinander gesendet</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <location filename="../../ui/window/chat_pages.py" />
            <source>No chat is open</source>
            <translation>Kein Chat geöffnet</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>No chats found</source>
            <translation>Keine Chats gefunden</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>No chats yet</source>
            <translation>Noch keine Chats</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>No copy of it can be used.</source>
            <translation>Keine Kopie davon ist brauchbar.</translation>
        </message>
        <message>
            <location filename="../../app/cache/check.py" />
            <source>No damage was found.</source>
            <translation>Keine Schäden gefunden.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>No deleted chats</source>
            <translation>Keine gelöschten Chats</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/label_section.py" />
            <source>No folder</source>
            <translation>Kein Ordner</translation>
        </message>
        <message>
            <location filename="../../ui/chat/finding.py" />
            <source>No hits</source>
            <translation>Keine Treffer</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <source>No model</source>
            <translation>Kein Modell</translation>
        </message>
        <message>
            <location filename="../../app/conversations/attaching.py" />
            <source>No model here can see images yet.</source>
            <translation>Hier kann noch kein Modell Bilder sehen.</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>No model is in memory</source>
            <translation>Kein Modell im Arbeitsspeicher</translation>
        </message>
        <message>
            <location filename="../../engine/server/server.py" />
            <source>No model is loaded.</source>
            <translation>Es ist kein Modell geladen.</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>No models found.</source>
            <translation>Keine Modelle gefunden.</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>No models yet. Find one to download, or add a folder that holds some.</source>
            <translation>Noch keine Modelle. Suchen Sie eines zum Herunterladen, oder fügen Sie einen Ordner mit Modellen hinzu.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/confirmation.py" />
            <source>No program on this computer opens this link.</source>
            <translation>Kein Programm auf diesem Computer öffnet diesen Link.</translation>
        </message>
        <message>
            <location filename="../../app/desktop/folders.py" />
            <source>No program on this computer shows folders. This one is at {path}.</source>
            <translation>Kein Programm auf diesem Computer zeigt Ordner. Dieser liegt unter {path}.</translation>
        </message>
        <message>
            <location filename="../../ui/palette/command_palette.py" />
            <source>No results</source>
            <translation>Keine Ergebnisse</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/shortcuts_dialog.py" />
            <source>No shortcuts found</source>
            <translation>Keine Kurzbefehle gefunden</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>No space left on device</source>
            <translation>Auf der Festplatte ist kein Platz mehr</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>No such file or directory</source>
            <translation>Die Datei oder den Ordner gibt es nicht</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <location filename="../../ui/dialogs/shortcuts_pane.py" />
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>None</source>
            <translation>Keine</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>None</source>
            <comment>folder</comment>
            <translation>Keiner</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>None</source>
            <comment>system prompt</comment>
            <translation>Keine</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Normal</source>
            <translation>Normal</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Not a directory</source>
            <translation>Es ist kein Ordner</translation>
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>Not all presets were imported: they are more than Hearth keeps.</source>
            <translation>Nicht alle Voreinstellungen wurden importiert: Es sind mehr, als Hearth behält.</translation>
        </message>
        <message>
            <location filename="../../app/cache/monitor.py" />
            <source>Not all ready chats could be freed: {reason} Free them again in the settings, under Storage.</source>
            <translation>Nicht alle bereiten Chats konnten freigegeben werden: {reason} In den Einstellungen unter „Speicher“ geht es noch einmal.</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <location filename="../../ui/models/row_words.py" />
            <source>Not found</source>
            <translation>Nicht gefunden</translation>
        </message>
        <message>
            <location filename="../../ui/chat/chat_tab.py" />
            <source>Not kept ready on disk</source>
            <translation>Nicht auf der Festplatte bereitgehalten</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/value_row.py" />
            <source>Not known until the model is loaded.</source>
            <translation>Noch unbekannt, bis das Modell geladen ist.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Not reachable</source>
            <translation>Nicht erreichbar</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <location filename="../../ui/models/row_words.py" />
            <source>Not usable</source>
            <translation>Unbrauchbar</translation>
        </message>
        <message>
            <location filename="../../engine/ranks/data_paths.py" />
            <source>Nothing answers at {address}. A firewall may keep Hearth from accepting connections.</source>
            <translation>Unter {address} antwortet nichts. Vielleicht lässt eine Firewall keine Verbindungen zu Hearth zu.</translation>
        </message>
        <message>
            <location filename="../../storage/recovery/salvage.py" />
            <source>Nothing can be read in the damaged library.</source>
            <translation>In der beschädigten Bibliothek ist nichts lesbar.</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Nothing found.</source>
            <translation>Nichts gefunden.</translation>
        </message>
        <message>
            <location filename="../../app/cache/check.py" />
            <source>Nothing is kept on disk, so there was nothing to check.</source>
            <translation>Auf der Festplatte wird nichts bereitgehalten, also war nichts zu prüfen.</translation>
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Nothing leaves your Mac, except these downloads.</source>
            <translation>Außer diesen Downloads verlässt nichts Ihren Mac.</translation>
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Nothing leaves your computer, except these downloads.</source>
            <translation>Außer diesen Downloads verlässt nichts Ihren Computer.</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Nothing of this chat is kept, so the model reads all of it before its next answer.</source>
            <translation>Von diesem Chat ist nichts mehr im Gedächtnis. Vor der nächsten Antwort liest ihn das Modell ganz.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Notify when an answer is ready</source>
            <translation>Bei fertiger Antwort benachrichtigen</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <source>NumPy files</source>
            <translation>NumPy-Dateien</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <source>NumPy format</source>
            <translation>NumPy-Format</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <source>ONNX files</source>
            <translation>ONNX-Dateien</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Older</source>
            <translation>Älter</translation>
        </message>
        <message>
            <location filename="../../app/conversations/removal.py" />
            <source>Older copies of all chats still hold chats that were deleted more than 30 days ago. They will be cleaned later.</source>
            <translation>Ältere Kopien enthalten noch Chats, die vor mehr als 30 Tagen gelöscht wurden. Sie werden später bereinigt.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/chat_memory.py" />
            <source>On disk</source>
            <translation>Auf der Festplatte</translation>
        </message>
        <message>
            <location filename="../../app/conversations/chat_memory.py" />
            <source>On disk are also other versions of this chat, such as other answers or former instructions, until their space is needed.</source>
            <translation>Auf der Festplatte sind auch andere Fassungen dieses Chats, etwa andere Antworten oder frühere Anweisungen, bis ihr Platz gebraucht wird.</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <location filename="../../ui/models/row_words.py" />
            <source>On several Macs</source>
            <translation>Auf mehreren Macs</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>On several Macs it has the memory of all. The model must be on each of them.</source>
            <translation>Auf mehreren Macs hat es den Arbeitsspeicher aller. Das Modell muss auf jedem von ihnen liegen.</translation>
        </message>
        <message>
            <location filename="../../app/macs/receiving.py" />
            <source>On that Mac, delete {path}: Hearth did not make it, so it writes nothing there.</source>
            <translation>Löschen Sie auf jenem Mac {path}: Hearth hat es nicht angelegt und schreibt daher nichts hinein.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>On the other Mac, open Macs in the settings, let others use it, and type here what it shows.</source>
            <translation>Öffnen Sie auf dem anderen Mac „Macs“ in den Einstellungen, lassen Sie andere ihn benutzen, und geben Sie hier ein, was er zeigt.</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>On this Mac</source>
            <translation>Auf diesem Mac</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>On this computer</source>
            <translation>Auf diesem Computer</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>On this network</source>
            <translation>In diesem Netzwerk</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>On {name}, open Macs in the settings, have it show a code, and type it here.</source>
            <translation>Öffnen Sie auf {name} „Macs“ in den Einstellungen, lassen Sie ihn einen Code zeigen, und geben Sie ihn hier ein.</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>One checkpoint</source>
            <translation>Ein Sicherungspunkt</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/clicks.py" />
            <source>One more answer, beside this one</source>
            <translation>Eine weitere Antwort neben dieser</translation>
        </message>
        <message>
            <location filename="../../storage/library/messages.py" />
            <source>Only a message of the user can be answered.</source>
            <translation>Nur eine Nachricht des Benutzers kann beantwortet werden.</translation>
        </message>
        <message>
            <location filename="../../storage/library/messages.py" />
            <source>Only a message of yours can be edited.</source>
            <translation>Nur eigene Nachrichten können bearbeitet werden.</translation>
        </message>
        <message>
            <location filename="../../storage/library/messages.py" />
            <source>Only a reply can be continued.</source>
            <translation>Nur eine Antwort kann fortgesetzt werden.</translation>
        </message>
        <message>
            <location filename="../../app/backup/copies.py" />
            <source>Only one copy of all chats is left, made just now.</source>
            <translation>Es gibt nur noch eine Kopie aller Chats, die gerade angelegt wurde.</translation>
        </message>
        <message>
            <location filename="../../app/chat/turn_jobs.py" />
            <source>Only the last answer of a chat can be continued.</source>
            <translation>Nur die letzte Antwort eines Chats kann fortgesetzt werden.</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Only the likeliest words that together have this share of the probability are drawn.</source>
            <translation>Nur die wahrscheinlichsten Wörter mit zusammen diesem Anteil der Wahrscheinlichkeit werden gezogen.</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Only this many of the likeliest words are drawn; 0 sets no limit.</source>
            <translation>Nur so viele der wahrscheinlichsten Wörter werden gezogen; 0 setzt keine Grenze.</translation>
        </message>
        <message>
            <location filename="../../app/cache/monitor.py" />
            <source>Only {free} are free on the disk, so no room is left for ready chats.</source>
            <translation>Auf der Festplatte sind nur {free} frei, also bleibt kein Platz für bereite Chats.</translation>
        </message>
        <message>
            <location filename="../../app/cache/monitor.py" />
            <source>Only {free} are free on the disk, so ready chats take at most {most}.</source>
            <translation>Auf der Festplatte sind nur {free} frei, also belegen bereite Chats höchstens {most}.</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>Open</source>
            <translation>Öffnen</translation>
        </message>
        <message>
            <location filename="../../ui/window/menu_commands.py" />
            <source>Open beside</source>
            <translation>Daneben öffnen</translation>
        </message>
        <message>
            <location filename="../../ui/window/tab_strip.py" />
            <source>Open chats</source>
            <translation>Offene Chats</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Open message {message}</source>
            <translation>Nachricht {message} öffnen</translation>
        </message>
        <message>
            <location filename="../../app/desktop/workspace.py" />
            <source>Open the last chat</source>
            <translation>Letzten Chat öffnen</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Open the menu</source>
            <translation>Menü öffnen</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Open the tabs of the last time, or begin a new chat.</source>
            <translation>Die letzten Tabs öffnen oder einen neuen Chat beginnen.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Operation not permitted</source>
            <translation>Die Aktion ist nicht erlaubt</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Other apps have its memory then. The next message loads it again.</source>
            <translation>Sein Arbeitsspeicher ist dann frei. Die nächste Nachricht lädt es wieder.</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>Own sampling</source>
            <translation>Eigenes Sampling</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Pair</source>
            <translation>Koppeln</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Paired Macs can then run their models on this one, too. Hearth must be open here.</source>
            <translation>Gekoppelte Macs können ihre Modelle dann auch auf diesem laufen lassen. Hearth muss hier geöffnet sein.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Pairing and commands are encrypted. What the Macs compute together is not encrypted on its way between them, so use a cable or a network that you trust.</source>
            <translation>Kopplung und Befehle sind verschlüsselt. Was die Macs gemeinsam berechnen, ist auf dem Weg zwischen ihnen nicht verschlüsselt. Benutzen Sie deshalb ein Kabel oder ein Netz, dem Sie vertrauen.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Pairing code</source>
            <translation>Kopplungscode</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Pairing…</source>
            <translation>Wird gekoppelt …</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Pair…</source>
            <translation>Koppeln …</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>Parameters</source>
            <translation>Parameter</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Paste</source>
            <translation>Einsetzen</translation>
        </message>
        <message>
            <location filename="../../app/conversations/attaching.py" />
            <source>Pasted text</source>
            <translation>Eingefügter Text</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <location filename="../../ui/models/welcome_page.py" />
            <source>Pause</source>
            <translation>Pause</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Paused</source>
            <translation>Angehalten</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Permission denied</source>
            <translation>Keine Zugriffsrechte</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick a model first.</source>
            <translation>Wählen Sie zuerst ein Modell.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick a model that answers in text.</source>
            <translation>Wählen Sie ein Modell, das mit Text antwortet.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick a model that was made for chat.</source>
            <translation>Wählen Sie ein Modell, das für Chats gemacht ist.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick a smaller model.</source>
            <translation>Wählen Sie ein kleineres Modell.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick another model, or get the files of this one again.</source>
            <translation>Wählen Sie ein anderes Modell, oder besorgen Sie die Dateien von diesem noch einmal.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick another model, or put the folder back.</source>
            <translation>Wählen Sie ein anderes Modell, oder legen Sie den Ordner zurück.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick another model, or try it again later.</source>
            <translation>Wählen Sie ein anderes Modell, oder versuchen Sie es später noch einmal.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick another model.</source>
            <translation>Wählen Sie ein anderes Modell.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick another model; a newer version of Hearth may support this one.</source>
            <translation>Wählen Sie ein anderes Modell; eine neuere Version von Hearth unterstützt dieses vielleicht.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick another model; if it happens with every model, the log has the details.</source>
            <translation>Wählen Sie ein anderes Modell; geschieht es mit jedem, stehen Einzelheiten im Protokoll.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick another place, or make room on the disk.</source>
            <translation>Wählen Sie einen anderen Ort, oder schaffen Sie Platz auf der Festplatte.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick it again to load it.</source>
            <translation>Wählen Sie es noch einmal, um es zu laden.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick that model, and then the adapter among its variants.</source>
            <translation>Wählen Sie dieses Modell und dann den Adapter unter seinen Varianten.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Pick the model that it was trained on, or train it again.</source>
            <translation>Wählen Sie das Modell, auf dem er trainiert wurde, oder trainieren Sie ihn neu.</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>Pin</source>
            <translation>Fixieren</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/menu_commands.py" />
            <source>Pin chat</source>
            <translation>Chat fixieren</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>Pin {count} chats</source>
            <extracomment>For one: Pin {count} chat</extracomment>
            <translation>
                <numerusform>{count} Chat fixieren</numerusform>
                <numerusform>{count} Chats fixieren</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Pin {title}</source>
            <translation>{title} fixieren</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/sections.py" />
            <source>Pinned</source>
            <translation>Fixiert</translation>
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>Precise</source>
            <translation>Präzise</translation>
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Preset</source>
            <translation>Voreinstellung</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Preset of new chats</source>
            <translation>Voreinstellung für neue Chats</translation>
        </message>
        <message>
            <location filename="../../ui/window/palette_entries.py" />
            <source>Preset: {name}</source>
            <translation>Voreinstellung: {name}</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Presets (*.json)</source>
            <translation>Voreinstellungen (*.json)</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/shortcuts_pane.py" />
            <source>Press the keys…</source>
            <translation>Tasten drücken …</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Previous 30 days</source>
            <translation>Letzte 30 Tage</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Previous 7 days</source>
            <translation>Letzte 7 Tage</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Previous alternative</source>
            <translation>Vorige Alternative</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Previous alternative of message {message}</source>
            <translation>Vorige Alternative von Nachricht {message}</translation>
        </message>
        <message>
            <location filename="../../ui/chat/finding.py" />
            <source>Previous hit</source>
            <translation>Voriger Treffer</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Previous message</source>
            <translation>Vorige Nachricht</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Previous tab</source>
            <translation>Voriger Tab</translation>
        </message>
        <message>
            <location filename="../../ui/window/paper.py" />
            <source>Print</source>
            <translation>Drucken</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Print…</source>
            <translation>Drucken …</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Privacy</source>
            <translation>Datenschutz</translation>
        </message>
        <message>
            <location filename="../../app/conversations/attention.py" />
            <location filename="../../ui/window/main_window.py" />
            <location filename="../../ui/window/tab_strip.py" />
            <source>Private chat</source>
            <translation>Privater Chat</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Private chats</source>
            <translation>Private Chats</translation>
        </message>
        <message>
            <location filename="../../ui/window/leaving.py" />
            <source>Private chats are kept nowhere. They are gone then and cannot be brought back.</source>
            <translation>Private Chats werden nirgends aufbewahrt. Sie sind dann unwiderruflich weg.</translation>
        </message>
        <message>
            <location filename="../../ui/chat/chat_tab.py" />
            <source>Private: never saved</source>
            <translation>Privat: nirgends gespeichert</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <location filename="../../ui/palette/entries.py" />
            <source>Prompts</source>
            <translation>Prompts</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Prompts (*.json)</source>
            <translation>Prompts (*.json)</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Prompts…</source>
            <translation>Prompts …</translation>
        </message>
        <message>
            <location filename="../../ui/window/notice_bar.py" />
            <source>Put away</source>
            <translation>Ausblenden</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/attached_file.py" />
            <source>Put into the message</source>
            <translation>In die Nachricht übernehmen</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <source>PyTorch files</source>
            <translation>PyTorch-Dateien</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <source>PyTorch format, which can run program code</source>
            <translation>PyTorch-Format, das Programmcode ausführen kann</translation>
        </message>
        <message>
            <location filename="../../app/models/welcome.py" />
            <source>Quick</source>
            <translation>Schnell</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Quit Hearth</source>
            <translation>Hearth beenden</translation>
        </message>
        <message>
            <location filename="../../app/desktop/installation.py" />
            <source>Quit Hearth, drag it into the Applications folder, and open it from there. Your chats stay where they are.</source>
            <translation>Beenden Sie Hearth, bewegen Sie es in den Ordner „Programme“, und öffnen Sie es dort. Ihre Chats bleiben, wo sie sind.</translation>
        </message>
        <message>
            <location filename="../../ui/window/leaving.py" />
            <source>Quit and erase</source>
            <translation>Beenden und löschen</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/window/leaving.py" />
            <source>Quit and erase {count} private chats?</source>
            <extracomment>For one: Quit and erase {count} private chat?</extracomment>
            <translation>
                <numerusform>Hearth beenden und {count} privaten Chat löschen?</numerusform>
                <numerusform>Hearth beenden und {count} private Chats löschen?</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../ui/window/leaving.py" />
            <source>Quit and lose the newest words?</source>
            <translation>Beenden und die neuesten Wörter verlieren?</translation>
        </message>
        <message>
            <location filename="../../ui/window/leaving.py" />
            <source>Quit and lose them</source>
            <translation>Beenden und verlieren</translation>
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <source>Quote in message</source>
            <translation>In Nachricht zitieren</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Quote selection</source>
            <translation>Auswahl zitieren</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Random</source>
            <translation>Zufällig</translation>
        </message>
        <message>
            <location filename="../../app/conversations/chat_memory.py" />
            <source>Read again because</source>
            <translation>Wird neu gelesen, weil</translation>
        </message>
        <message>
            <location filename="../../ui/theme/reread_reasons.py" />
            <source>Read again: {cause}</source>
            <translation>Wird neu gelesen: {cause}</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Read all again</source>
            <translation>Alles wieder lesen</translation>
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <source>Read aloud</source>
            <translation>Vorlesen</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Read last answer aloud</source>
            <translation>Letzte Antwort vorlesen</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Read-only file system</source>
            <translation>Die Festplatte ist schreibgeschützt</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Reading</source>
            <translation>Liest</translation>
        </message>
        <message>
            <location filename="../../app/conversations/chat_memory.py" />
            <source>Reading all of it</source>
            <translation>Alles lesen</translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/cache/monitor.py" />
            <source>Reading or writing what is kept has failed {count} times since the engine started.</source>
            <extracomment>For one: Reading or writing what is kept has failed once since the engine started.</extracomment>
            <translation>
                <numerusform>Beim Lesen oder Schreiben des Bereitgehaltenen gab es seit dem Start der Engine {count} Fehler.</numerusform>
                <numerusform>Beim Lesen oder Schreiben des Bereitgehaltenen gab es seit dem Start der Engine {count} Fehler.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../app/models/views.py" />
            <source>Reading speed</source>
            <translation>Lesetempo</translation>
        </message>
        <message>
            <location filename="../../app/conversations/transfer.py" />
            <source>Reading {name}</source>
            <translation>{name} wird gelesen</translation>
        </message>
        <message>
            <location filename="../../app/conversations/transfer.py" />
            <source>Reading {name}, file {number} of {count}</source>
            <translation>{name} wird gelesen, Datei {number} von {count}</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Ready</source>
            <translation>Bereit</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Ready</source>
            <comment>a Mac</comment>
            <translation>Bereit</translation>
        </message>
        <message>
            <location filename="../../app/conversations/chat_memory.py" />
            <source>Ready at once</source>
            <translation>Sofort bereit</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Ready chats take {used}</source>
            <translation>Bereite Chats belegen {used}</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Reason first</source>
            <translation>Erst überlegen</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <location filename="../../ui/models/model_settings.py" />
            <source>Reasoning</source>
            <translation>Überlegung</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Recently deleted</source>
            <translation>Zuletzt gelöscht</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Recently deleted…</source>
            <translation>Zuletzt gelöscht …</translation>
        </message>
        <message>
            <location filename="../../ui/palette/entries.py" />
            <source>Recently used</source>
            <translation>Zuletzt benutzt</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>Recurrent</source>
            <translation>Rekurrent</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Redo</source>
            <translation>Wiederholen</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Reduce motion</source>
            <translation>Bewegung reduzieren</translation>
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <location filename="../../ui/transcript/clicks.py" />
            <source>Regenerate</source>
            <translation>Neu schreiben</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Regenerate answer</source>
            <translation>Antwort neu schreiben</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <location filename="../../ui/models/detail_pane.py" />
            <source>Remove</source>
            <translation>Entfernen</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>Remove folder, keep its chats</source>
            <translation>Ordner entfernen, Chats behalten</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Remove unfinished copies</source>
            <translation>Unfertige Kopien entfernen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Remove what has arrived?</source>
            <translation>Das Angekommene entfernen?</translation>
        </message>
        <message>
            <location filename="../../ui/composer/attachment_chips.py" />
            <source>Remove {name}</source>
            <translation>{name} entfernen</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Remove {name}?</source>
            <translation>{name} entfernen?</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <location filename="../../ui/models/row_words.py" />
            <source>Remove…</source>
            <translation>Entfernen …</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>Rename</source>
            <translation>Umbenennen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Rename chat</source>
            <translation>Chat umbenennen</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Rename chat…</source>
            <translation>Chat umbenennen …</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Rename folder</source>
            <translation>Ordner umbenennen</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>Rename folder…</source>
            <translation>Ordner umbenennen …</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>Rename its folder.</source>
            <translation>Benennen Sie den Ordner um.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Rename preset</source>
            <translation>Voreinstellung umbenennen</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/preset_menu.py" />
            <source>Rename “{name}”…</source>
            <translation>„{name}“ umbenennen …</translation>
        </message>
        <message>
            <location filename="../../ui/window/menu_commands.py" />
            <source>Rename…</source>
            <translation>Umbenennen …</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/menu_commands.py" />
            <source>Reopen closed tab</source>
            <translation>Geschlossenen Tab wieder öffnen</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Repetition penalty</source>
            <translation>Wiederholungsstrafe</translation>
        </message>
        <message>
            <location filename="../../app/backup/copies.py" />
            <source>Replace them by a new copy</source>
            <translation>Durch neue Kopie ersetzen</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>Rescue what can be read</source>
            <translation>Lesbares retten</translation>
        </message>
        <message>
            <location filename="../../storage/recovery/salvage.py" />
            <source>Rescued chat</source>
            <translation>Geretteter Chat</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>Rescued: {chats} with {messages}.</source>
            <translation>Gerettet: {chats} mit {messages}.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Reset</source>
            <translation>Zurücksetzen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/shortcuts_pane.py" />
            <source>Reset all</source>
            <translation>Alle zurücksetzen</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Reset the settings</source>
            <translation>Einstellungen zurücksetzen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Reset the settings?</source>
            <translation>Einstellungen zurücksetzen?</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/preset_menu.py" />
            <source>Reset to the model's values</source>
            <translation>Auf die Werte des Modells zurücksetzen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Reset…</source>
            <translation>Zurücksetzen …</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Restart Hearth; the log has the details.</source>
            <translation>Starten Sie Hearth neu; Einzelheiten stehen im Protokoll.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/connection.py" />
            <source>Restart the engine</source>
            <translation>Engine neu starten</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Restarting the engine…</source>
            <translation>Die Engine startet neu …</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>Restore</source>
            <translation>Wiederherstellen</translation>
        </message>
        <message>
            <location filename="../../app/conversations/chat_memory.py" />
            <source>Restored</source>
            <translation>Wieder bereit in</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/sections.py" />
            <source>Results</source>
            <translation>Ergebnisse</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Return</source>
            <translation>Return</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Run large models on several Macs</source>
            <translation>Große Modelle auf mehreren Macs</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Runs on</source>
            <translation>Läuft auf</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <location filename="../../ui/models/model_settings.py" />
            <source>Save</source>
            <translation>Sichern</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/file_dialogs.py" />
            <source>Save a copy</source>
            <translation>Kopie sichern</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/attached_file.py" />
            <source>Save a copy…</source>
            <translation>Kopie sichern …</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Save as preset</source>
            <translation>Als Voreinstellung sichern</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/preset_menu.py" />
            <source>Save as preset…</source>
            <translation>Als Voreinstellung sichern …</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Saved prompts</source>
            <translation>Gespeicherte Prompts</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/shortcuts_dialog.py" />
            <location filename="../../ui/widgets/clearable_field.py" />
            <source>Search</source>
            <translation>Suchen</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Search Hugging Face</source>
            <translation>Hugging Face durchsuchen</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Search again</source>
            <translation>Erneut suchen</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/search_field.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Search chats</source>
            <translation>Chats durchsuchen</translation>
        </message>
        <message>
            <location filename="../../ui/palette/command_palette.py" />
            <source>Search commands, chats, models and settings</source>
            <translation>Befehle, Chats, Modelle und Einstellungen suchen</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>Search everything</source>
            <translation>Überall suchen</translation>
        </message>
        <message>
            <location filename="../../ui/window/menu_commands.py" />
            <source>Search prompts</source>
            <translation>Prompts durchsuchen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/shortcuts_dialog.py" />
            <source>Search shortcuts</source>
            <translation>Kurzbefehle durchsuchen</translation>
        </message>
        <message>
            <location filename="../../ui/chat/finding.py" />
            <location filename="../../ui/models/models_page.py" />
            <source>Searching…</source>
            <translation>Wird gesucht …</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Seed</source>
            <translation>Startwert</translation>
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Select all</source>
            <translation>Alles auswählen</translation>
        </message>
        <message>
            <location filename="../../ui/composer/button_row.py" />
            <source>Send</source>
            <translation>Senden</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Send a message with</source>
            <translation>Nachricht senden mit</translation>
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Send after this answer</source>
            <translation>Nach dieser Antwort senden</translation>
        </message>
        <message>
            <location filename="../../ui/composer/button_row.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Send message</source>
            <translation>Nachricht senden</translation>
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Send next</source>
            <translation>Danach senden</translation>
        </message>
        <message>
            <location filename="../../ui/composer/queue_rows.py" />
            <source>Send now</source>
            <translation>Jetzt senden</translation>
        </message>
        <message>
            <location filename="../../ui/composer/queue_rows.py" />
            <source>Send these messages, one after another</source>
            <translation>Diese Nachrichten nacheinander senden</translation>
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Send this message when the answer has ended</source>
            <translation>Diese Nachricht nach dem Ende der Antwort senden</translation>
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Sent as soon as the file is read</source>
            <translation>Wird gesendet, sobald die Datei gelesen ist</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/label_section.py" />
            <source>Separated by commas</source>
            <translation>Durch Kommas getrennt</translation>
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
            <translation>Einstellungen von {name}</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Settings…</source>
            <translation>Einstellungen …</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Several Macs that run one model share its chats, not encrypted on the way between them.</source>
            <translation>Macs, die ein Modell gemeinsam ausführen, teilen seine Chats, auf dem Weg unverschlüsselt.</translation>
        </message>
        <message>
            <location filename="../../storage/library/conversations.py" />
            <source>Several conversations are called “{title}”; rename all but one.</source>
            <translation>Mehrere Unterhaltungen heißen „{title}“; benennen Sie alle bis auf eine um.</translation>
        </message>
        <message>
            <location filename="../../app/cli/home.py" />
            <source>Several models are called {name}; name one by its folder: {folders}.</source>
            <translation>Mehrere Modelle heißen {name}; nennen Sie eines mit seinem Ordner: {folders}.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Shift and Return always begin a new line.</source>
            <translation>Umschalt und Return beginnen immer eine neue Zeile.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Shortcuts</source>
            <translation>Kurzbefehle</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Shorter takes less memory.</source>
            <translation>Kürzer braucht weniger Platz.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Show a code</source>
            <translation>Code zeigen</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Show a file of message {message}</source>
            <translation>Eine Datei von Nachricht {message} anzeigen</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Show all {characters} characters</source>
            <translation>Alle {characters} Zeichen zeigen</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Show all {lines} lines</source>
            <translation>Alle {lines} Zeilen zeigen</translation>
        </message>
        <message>
            <location filename="../../ui/window/tab_row.py" />
            <source>Show chat settings</source>
            <translation>Chat-Einstellungen einblenden</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>Show copies</source>
            <translation>Kopien zeigen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Show data</source>
            <translation>Daten zeigen</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <location filename="../../ui/models/row_words.py" />
            <source>Show files</source>
            <translation>Dateien zeigen</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Show less</source>
            <translation>Weniger zeigen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Show logs</source>
            <translation>Protokolle zeigen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Show models</source>
            <translation>Modelle zeigen</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Show or hide chat settings</source>
            <translation>Chat-Einstellungen ein-/ausblenden</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Show or hide more of message {message}</source>
            <translation>Mehr von Nachricht {message} ein-/ausblenden</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Show or hide sidebar</source>
            <translation>Seitenleiste ein-/ausblenden</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <location filename="../../ui/window/tab_row.py" />
            <source>Show sidebar</source>
            <translation>Seitenleiste einblenden</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Show the reasoning</source>
            <translation>Überlegung zeigen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Size</source>
            <translation>Größe</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Smaller text</source>
            <translation>Text kleiner</translation>
        </message>
        <message>
            <location filename="../../app/models/welcome.py" />
            <source>Smart</source>
            <translation>Klug</translation>
        </message>
        <message>
            <location filename="../../storage/errors.py" />
            <source>Something else stands in the place of one of Hearth's files or folders.</source>
            <translation>An der Stelle einer Datei oder eines Ordners von Hearth liegt etwas anderes.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <location filename="../../storage/errors.py" />
            <source>Something went wrong that Hearth did not expect; the log has the details.</source>
            <translation>Etwas Unerwartetes ist schiefgegangen; Einzelheiten stehen im Protokoll.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Start a new chat, or pick another model.</source>
            <translation>Beginnen Sie einen neuen Chat, oder wählen Sie ein anderes Modell.</translation>
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Start chatting</source>
            <translation>Chat beginnen</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>Start with no chats</source>
            <translation>Ohne Chats beginnen</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Starting</source>
            <translation>Startet</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/connection.py" />
            <location filename="../../ui/theme/phrases.py" />
            <source>Starting the engine…</source>
            <translation>Hearth startet …</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Starting…</source>
            <translation>Startet …</translation>
        </message>
        <message>
            <location filename="../../app/macs/copies.py" />
            <location filename="../../ui/composer/button_row.py" />
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Stop</source>
            <translation>Stoppen</translation>
        </message>
        <message>
            <location filename="../../ui/composer/button_row.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Stop answering</source>
            <translation>Antwort stoppen</translation>
        </message>
        <message>
            <location filename="../../ui/models/models_page.py" />
            <source>Stop looking for models in {path}</source>
            <translation>In {path} nicht mehr nach Modellen suchen</translation>
        </message>
        <message>
            <location filename="../../ui/chat/text_menu.py" />
            <source>Stop reading</source>
            <translation>Vorlesen beenden</translation>
        </message>
        <message>
            <location filename="../../ui/composer/queue_rows.py" />
            <source>Stop the answer and send this message now</source>
            <translation>Antwort stoppen und diese Nachricht jetzt senden</translation>
        </message>
        <message>
            <location filename="../../app/chat/session.py" />
            <location filename="../../app/chat/turn_removal.py" />
            <location filename="../../storage/library/turns.py" />
            <source>Stop the answer first, or wait for its end.</source>
            <translation>Stoppen Sie zuerst die Antwort, oder warten Sie ihr Ende ab.</translation>
        </message>
        <message>
            <location filename="../../app/chat/session.py" />
            <source>Stop the answer first; the new words are in the composer.</source>
            <translation>Stoppen Sie zuerst die Antwort; der neue Text steht im Nachrichtenfeld.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Stop the check</source>
            <translation>Prüfung stoppen</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Stop words, one a line</source>
            <translation>Stoppwörter, eines je Zeile</translation>
        </message>
        <message>
            <location filename="../../app/chat/status.py" />
            <location filename="../../ui/models/row_words.py" />
            <source>Stopped</source>
            <translation>Gestoppt</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Storage</source>
            <translation>Speicher</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/model_switch.py" />
            <source>Switch</source>
            <translation>Wechseln</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/model_switch.py" />
            <source>Switch to {name}?</source>
            <translation>Zu {name} wechseln?</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Switches off the animations of the window.</source>
            <translation>Schaltet die Animationen des Fensters aus.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>System</source>
            <translation>System</translation>
        </message>
        <message>
            <location filename="../../app/import_export/markdown.py" />
            <source>System</source>
            <comment>speaker</comment>
            <translation>System</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Tab 1 to 9</source>
            <translation>Tab 1 bis 9</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Tab {number}</source>
            <translation>Tab {number}</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Table, {count} columns: {names}</source>
            <extracomment>For one: Table, {count} column: {names}</extracomment>
            <translation>
                <numerusform>Tabelle, {count} Spalte: {names}</numerusform>
                <numerusform>Tabelle, {count} Spalten: {names}</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../ui/palette/entries.py" />
            <source>Tabs</source>
            <translation>Tabs</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <location filename="../../ui/inspector/label_section.py" />
            <source>Tags</source>
            <translation>Tags</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Tags, separated by commas</source>
            <translation>Tags, durch Kommas getrennt</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/sidebar.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Tags…</source>
            <translation>Tags …</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Technical details</source>
            <translation>Technische Angaben</translation>
        </message>
        <message>
            <location filename="../../ui/chat/greeting.py" />
            <source>Tell me a short story about a lighthouse.</source>
            <translation>Erzähl mir eine kurze Geschichte über einen Leuchtturm.</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <location filename="../../ui/models/model_settings.py" />
            <source>Temperature</source>
            <translation>Temperatur</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <source>TensorFlow files</source>
            <translation>TensorFlow-Dateien</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/attached_file.py" />
            <source>Text of the file</source>
            <translation>Text der Datei</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <source>Text of the prompt</source>
            <translation>Text des Prompts</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Text size</source>
            <translation>Textgröße</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Text width</source>
            <translation>Textbreite</translation>
        </message>
        <message>
            <location filename="../../app/models/welcome.py" />
            <source>Text, code and many languages.</source>
            <translation>Text, Code, viele Sprachen.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Texts that you use often. Type / in the message box to insert one.</source>
            <translation>Texte, die Sie oft verwenden. Ein / im Nachrichtenfeld fügt einen ein.</translation>
        </message>
        <message>
            <location filename="../../app/macs/receiving.py" />
            <source>That Mac has too many models.</source>
            <translation>Auf jenem Mac sind zu viele Modelle.</translation>
        </message>
        <message>
            <location filename="../../app/macs/pairing.py" />
            <source>The Mac at {address} does not show this code.</source>
            <translation>Der Mac unter {address} zeigt diesen Code nicht.</translation>
        </message>
        <message>
            <location filename="../../app/macs/pairing.py" />
            <source>The Mac at {address} shows no code now: it was used, has expired, or wrong codes came. Let it show a new one.</source>
            <translation>Der Mac unter {address} zeigt gerade keinen Code: Er wurde benutzt, ist abgelaufen, oder es kamen falsche Codes. Lassen Sie einen neuen anzeigen.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/engine_process.py" />
            <source>The Macs could not connect to each other for the data of the model.</source>
            <translation>Die Macs konnten sich für die Daten des Modells nicht verbinden.</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/pdf.py" />
            <source>The PDF cannot be written to {path}. Choose another folder.</source>
            <translation>Das PDF kann nicht nach {path} geschrieben werden. Wählen Sie einen anderen Ordner.</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/pdf.py" />
            <source>The PDF cannot be written to {path}. Look whether the disk is full.</source>
            <translation>Das PDF kann nicht nach {path} geschrieben werden. Prüfen Sie, ob die Festplatte voll ist.</translation>
        </message>
        <message>
            <location filename="../../engine/ranks/data_paths.py" />
            <source>The address {address} cannot be used: {why}.</source>
            <translation>Die Adresse {address} kann nicht benutzt werden: {why}.</translation>
        </message>
        <message>
            <location filename="../../engine/server/generation.py" />
            <source>The answer could not be started beside the others.</source>
            <translation>Die Antwort konnte nicht neben den anderen begonnen werden.</translation>
        </message>
        <message>
            <location filename="../../engine/server/open_requests.py" />
            <source>The answer could not go on after another one beside it had ended.</source>
            <translation>Die Antwort konnte nicht weitergehen, nachdem eine andere neben ihr geendet hatte.</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>The answer failed.</source>
            <translation>Die Antwort ist fehlgeschlagen.</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>The app's</source>
            <translation>Wie in der App</translation>
        </message>
        <message>
            <location filename="../../ui/window/paper.py" />
            <source>The beginning of this chat cannot be read now. Try again in a moment.</source>
            <translation>Der Anfang dieses Chats kann gerade nicht gelesen werden. Versuchen Sie es gleich noch einmal.</translation>
        </message>
        <message>
            <location filename="../../app/models/welcome.py" />
            <source>The best that one machine can run.</source>
            <translation>Das Beste, was ein Rechner schafft.</translation>
        </message>
        <message>
            <location filename="../../engine/interop/transfer.py" />
            <source>The cache could not be moved.</source>
            <translation>Der Zwischenspeicher konnte nicht bewegt werden.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/transfer.py" />
            <source>The chat is on the clipboard, as Markdown.</source>
            <translation>Der Chat liegt als Markdown in der Zwischenablage.</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/memory_section.py" />
            <source>The chat stays, and its next message reads all of it again.</source>
            <translation>Der Chat bleibt, und seine nächste Nachricht liest ihn ganz neu.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/labels.py" />
            <source>The chats of “{name}” are in “{other}” now.</source>
            <translation>Die Chats aus „{name}“ liegen jetzt in „{other}“.</translation>
        </message>
        <message>
            <location filename="../../app/cache/check.py" />
            <source>The check ended early. {trouble}</source>
            <translation>Die Prüfung endete vorzeitig. {trouble}</translation>
        </message>
        <message>
            <location filename="../../app/cache/check.py" />
            <source>The check was stopped after {done}.</source>
            <translation>Die Prüfung wurde nach {done} gestoppt.</translation>
        </message>
        <message>
            <location filename="../../engine/workers/errors.py" />
            <source>The code is not the one that {name} shows now. It shows a new one after a few wrong ones.</source>
            <translation>Das ist nicht der Code, den {name} gerade zeigt. Nach einigen falschen zeigt er einen neuen.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/hosting.py" />
            <source>The connection to {mac} was lost.</source>
            <translation>Die Verbindung zu {mac} ist abgerissen.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>The conversation is read again instead.</source>
            <translation>Die Unterhaltung wird stattdessen neu gelesen.</translation>
        </message>
        <message>
            <location filename="../../engine/turn/prepare.py" />
            <source>The conversation or its settings hold half a character (a lone surrogate).</source>
            <translation>Die Unterhaltung oder ihre Einstellungen enthalten ein halbes Zeichen (ein einzelnes Surrogat).</translation>
        </message>
        <message>
            <location filename="../../engine/turn/prepare.py" />
            <source>The conversation takes more than the {limit} tokens that this model reads at most.</source>
            <translation>Die Unterhaltung hat mehr als die {limit} Token, die dieses Modell höchstens liest.</translation>
        </message>
        <message>
            <location filename="../../engine/turn/prepare.py" />
            <source>The conversation takes {count} tokens; this model reads {limit} at most.</source>
            <translation>Die Unterhaltung hat {count} Token; dieses Modell liest höchstens {limit}.</translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/backup/recovery.py" />
            <source>The copy of {day} has {count} chats as they were then.</source>
            <extracomment>For one: The copy of {day} has {count} chat as it was then.</extracomment>
            <translation>
                <numerusform>Die Kopie vom {day} enthält {count} Chat auf dem damaligen Stand.</numerusform>
                <numerusform>Die Kopie vom {day} enthält {count} Chats auf dem damaligen Stand.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../app/macs/reach.py" />
            <source>The copy was ended. It continues where it is the next time.</source>
            <translation>Das Kopieren wurde beendet. Beim nächsten Mal geht es an dieser Stelle weiter.</translation>
        </message>
        <message>
            <location filename="../../storage/library/backups.py" />
            <source>The copy {name} is damaged.</source>
            <translation>Die Kopie {name} ist beschädigt.</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>The damaged library is kept for {days} days.</source>
            <translation>Die beschädigte Bibliothek wird {days} Tage aufbewahrt.</translation>
        </message>
        <message>
            <location filename="../../engine/ranks/data_paths.py" />
            <source>The data connections between the machines broke at once: {error}.</source>
            <translation>Die Datenverbindungen zwischen den Rechnern sind sofort abgebrochen: {error}.</translation>
        </message>
        <message>
            <location filename="../../storage/copies.py" />
            <source>The database is damaged ({verdict}).</source>
            <translation>Die Datenbank ist beschädigt ({verdict}).</translation>
        </message>
        <message>
            <location filename="../../storage/errors.py" />
            <location filename="../../storage/library/backups.py" />
            <source>The database is damaged.</source>
            <translation>Die Datenbank ist beschädigt.</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/fetcher.py" />
            <source>The disk does not take the download: {reason}. What was downloaded stays.</source>
            <translation>Die Festplatte nimmt den Download nicht an: {reason}. Was schon da ist, bleibt.</translation>
        </message>
        <message>
            <location filename="../../storage/library/archive_import.py" />
            <source>The disk has too little room for this import. Nothing was added.</source>
            <translation>Die Festplatte hat zu wenig Platz für diesen Import. Es wurde nichts hinzugefügt.</translation>
        </message>
        <message>
            <location filename="../../storage/errors.py" />
            <source>The disk is full.</source>
            <translation>Die Festplatte ist voll.</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/fetcher.py" />
            <source>The disk is full. Make room, then continue: what was downloaded stays.</source>
            <translation>Die Festplatte ist voll. Schaffen Sie Platz, und fahren Sie fort: Was schon da ist, bleibt.</translation>
        </message>
        <message>
            <location filename="../../storage/errors.py" />
            <source>The disk or folder is read-only.</source>
            <translation>Die Festplatte oder der Ordner ist schreibgeschützt.</translation>
        </message>
        <message>
            <location filename="../../app/macs/receiving.py" />
            <source>The disk refuses it: {reason}.</source>
            <translation>Die Festplatte lehnt es ab: {reason}.</translation>
        </message>
        <message>
            <location filename="../../storage/errors.py" />
            <source>The disk reports an error.</source>
            <translation>Die Festplatte meldet einen Fehler.</translation>
        </message>
        <message>
            <location filename="../../app/models/sources.py" />
            <source>The disk “{disk}” is not connected. Its models come back with it.</source>
            <translation>Die Festplatte „{disk}“ ist nicht verbunden. Sobald sie wieder verbunden ist, sind auch ihre Modelle wieder da.</translation>
        </message>
        <message>
            <location filename="../../app/hub/downloads.py" />
            <source>The download ended unexpectedly. Try again to continue it; the log has the details.</source>
            <translation>Der Download endete unerwartet. Mit „Erneut versuchen“ geht er weiter; Einzelheiten stehen im Protokoll.</translation>
        </message>
        <message>
            <location filename="../../app/hub/removal.py" />
            <source>The download of {name} cannot be deleted: {reason}.</source>
            <translation>Der Download von {name} kann nicht gelöscht werden: {reason}.</translation>
        </message>
        <message>
            <location filename="../../app/hub/token.py" />
            <source>The earlier token cannot be deleted: {reason}.</source>
            <translation>Das frühere Token kann nicht gelöscht werden: {reason}.</translation>
        </message>
        <message>
            <location filename="../../storage/recovery/salvage.py" />
            <source>The end of this message could not be read.</source>
            <translation>Das Ende dieser Nachricht konnte nicht gelesen werden.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>The engine could not do this.</source>
            <translation>Die Engine konnte das nicht tun.</translation>
        </message>
        <message>
            <location filename="../../engine/server/open_requests.py" />
            <source>The engine could not handle this request.</source>
            <translation>Die Engine konnte diese Anfrage nicht bearbeiten.</translation>
        </message>
        <message>
            <location filename="../../engine/server/answers.py" />
            <source>The engine could not measure this conversation.</source>
            <translation>Die Engine konnte diese Unterhaltung nicht messen.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/engine_process.py" />
            <source>The engine does not belong to this version of Hearth. Install Hearth again.</source>
            <translation>Die Engine gehört nicht zu dieser Version von Hearth. Installieren Sie Hearth neu.</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>The engine has stopped</source>
            <translation>Die Engine läuft nicht mehr</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/engine_process.py" />
            <source>The engine keeps stopping. Hearth does not start it again by itself; the log has the details.</source>
            <translation>Die Engine stürzt immer wieder ab. Hearth startet sie nicht mehr von selbst; Einzelheiten stehen im Protokoll.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/engine_process.py" />
            <source>The engine keeps stopping: memory has probably run out. Pick a smaller model, or let fewer chats answer at once, and start it again; the log has the details.</source>
            <translation>Die Engine stürzt immer wieder ab: Der Arbeitsspeicher reicht vermutlich nicht aus. Wählen Sie ein kleineres Modell, oder lassen Sie weniger Chats zugleich antworten, und starten Sie sie dann neu; Einzelheiten stehen im Protokoll.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/connection.py" />
            <source>The engine stopped and is being started again.</source>
            <translation>Die Engine wurde unerwartet beendet und startet neu.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/engine_process.py" />
            <source>The engine stopped while it loaded the model.</source>
            <translation>Die Engine ist abgestürzt, während sie das Modell geladen hat.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/engine_process.py" />
            <source>The engine stopped while it loaded the model: memory has probably run out.</source>
            <translation>Die Engine ist abgestürzt, während sie das Modell geladen hat: Der Arbeitsspeicher reicht vermutlich nicht aus.</translation>
        </message>
        <message>
            <location filename="../../engine/process/pipe.py" />
            <source>The engine was sent something that is not a command.</source>
            <translation>Die Engine hat etwas bekommen, das kein Befehl ist.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/engine_process.py" />
            <source>The engine's program cannot be started.</source>
            <translation>Das Programm der Engine lässt sich nicht starten.</translation>
        </message>
        <message>
            <location filename="../../storage/errors.py" />
            <source>The file is in use by another program.</source>
            <translation>Die Datei wird von einem anderen Programm benutzt.</translation>
        </message>
        <message>
            <location filename="../../storage/errors.py" />
            <source>The folder or disk is no longer there.</source>
            <translation>Der Ordner oder die Festplatte ist nicht mehr da.</translation>
        </message>
        <message>
            <location filename="../../app/base/paths.py" />
            <source>The folder that this terminal is in was deleted. Change to another one first.</source>
            <translation>Der Ordner dieses Terminals wurde gelöscht. Wechseln Sie zuerst in einen anderen.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/labels.py" />
            <source>The folder “{name}” was removed. Its chats were kept.</source>
            <translation>Der Ordner „{name}“ wurde entfernt. Seine Chats sind noch da.</translation>
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>The hub asks for fewer requests. {again}</source>
            <translation>Der Hub bittet um weniger Anfragen. {again}</translation>
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>The hub does not accept your token. Enter it again with “Access token…” on the page Find models.</source>
            <translation>Der Hub nimmt Ihr Token nicht an. Geben Sie es mit „Zugangstoken …“ auf der Seite „Modelle finden“ neu ein.</translation>
        </message>
        <message>
            <location filename="../../app/hub/source.py" />
            <source>The hub does not continue {path}.</source>
            <translation>Der Hub setzt {path} nicht fort.</translation>
        </message>
        <message>
            <location filename="../../app/hub/source.py" />
            <source>The hub does not tell the commit of {repository}.</source>
            <translation>Der Hub nennt den Commit von {repository} nicht.</translation>
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>The hub has a fault of its own ({status}). Try again later.</source>
            <translation>Der Hub hat selbst einen Fehler ({status}). Versuchen Sie es später noch einmal.</translation>
        </message>
        <message>
            <location filename="../../app/hub/finder.py" />
            <source>The hub has no model for MLX with “{query}” in its name.</source>
            <translation>Der Hub hat kein Modell für MLX mit „{query}“ im Namen.</translation>
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>The hub has no such model, or your token does not show it.</source>
            <translation>Der Hub hat kein solches Modell, oder Ihr Token zeigt es nicht.</translation>
        </message>
        <message>
            <location filename="../../app/hub/source.py" />
            <source>The hub has no such version of this model.</source>
            <translation>Der Hub hat keine solche Version dieses Modells.</translation>
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>The hub refuses this request ({status}).</source>
            <translation>Der Hub lehnt diese Anfrage ab ({status}).</translation>
        </message>
        <message>
            <location filename="../../app/hub/source.py" />
            <source>The hub sends another part of a file than Hearth asked for.</source>
            <translation>Der Hub sendet einen anderen Teil einer Datei als verlangt.</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/fetcher.py" />
            <source>The hub sends {path} with another size than it tells, so Hearth does not download it.</source>
            <translation>Der Hub sendet {path} in einer anderen Größe als angegeben, daher lädt Hearth die Datei nicht herunter.</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <source>The hub tells no digest of {path}, so Hearth cannot check {repository}.</source>
            <translation>Der Hub nennt keine Prüfsumme von {path}, daher kann Hearth {repository} nicht prüfen.</translation>
        </message>
        <message>
            <location filename="../../app/hub/source.py" />
            <source>The hub tells two sizes of {rfilename}, so Hearth does not download it.</source>
            <translation>Der Hub nennt zwei Größen von {rfilename}, daher lädt Hearth die Datei nicht herunter.</translation>
        </message>
        <message>
            <location filename="../../app/hub/source.py" />
            <source>The hub's answer cannot be read.</source>
            <translation>Die Antwort des Hubs kann nicht gelesen werden.</translation>
        </message>
        <message>
            <location filename="../../app/hub/source.py" />
            <source>The hub's answer cannot be read. A login page of the network may be in between.</source>
            <translation>Die Antwort des Hubs kann nicht gelesen werden. Vielleicht liegt eine Anmeldeseite des Netzwerks dazwischen.</translation>
        </message>
        <message>
            <location filename="../../app/hub/source.py" />
            <source>The hub's answer is compressed, which Hearth did not ask for.</source>
            <translation>Die Antwort des Hubs ist komprimiert, was Hearth nicht verlangt hat.</translation>
        </message>
        <message>
            <location filename="../../app/hub/source.py" />
            <source>The hub's answer is larger than Hearth reads.</source>
            <translation>Die Antwort des Hubs ist größer, als Hearth liest.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/transfer.py" />
            <source>The import was cancelled.</source>
            <translation>Der Import wurde abgebrochen.</translation>
        </message>
        <message>
            <location filename="../../storage/segments/index.py" />
            <source>The index of cached records is damaged.</source>
            <translation>Das Verzeichnis der gespeicherten Stände ist beschädigt.</translation>
        </message>
        <message>
            <location filename="../../engine/turn/prepare.py" />
            <source>The instructions take too many of the {limit} tokens that this model reads at most.</source>
            <translation>Die Anweisungen nehmen zu viele der {limit} Token ein, die dieses Modell höchstens liest.</translation>
        </message>
        <message>
            <location filename="../../engine/workers/errors.py" />
            <source>The key of this Mac is lost or damaged, so other Macs no longer know it. Pair them again.</source>
            <translation>Der Schlüssel dieses Macs ist verloren oder beschädigt, sodass andere Macs ihn nicht mehr kennen. Koppeln Sie sie erneut.</translation>
        </message>
        <message>
            <location filename="../../app/hub/token.py" />
            <source>The keychain does not delete the token. Delete it there: it is called Hearth.</source>
            <translation>Der Schlüsselbund löscht das Token nicht. Löschen Sie es dort: Es heißt Hearth.</translation>
        </message>
        <message>
            <location filename="../../engine/workers/errors.py" />
            <source>The keychain does not give the key of this Mac. Unlock it and try again.</source>
            <translation>Der Schlüsselbund gibt den Schlüssel dieses Macs nicht heraus. Entsperre ihn und versuche es noch einmal.</translation>
        </message>
        <message>
            <location filename="../../engine/model/split.py" />
            <source>The layers of this model cannot be divided into {count} equal shares.</source>
            <translation>Die Schichten dieses Modells lassen sich nicht in {count} gleiche Anteile teilen.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>The library is damaged.</source>
            <translation>Die Bibliothek ist beschädigt.</translation>
        </message>
        <message>
            <location filename="../../storage/library/attachments.py" />
            <source>The library's copy of “{name}” is lost.</source>
            <translation>Die Kopie von „{name}“ in der Bibliothek ist verloren.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>The likeliest words</source>
            <translation>Die wahrscheinlichsten Wörter</translation>
        </message>
        <message>
            <location filename="../../app/desktop/opened_items.py" />
            <source>The link is too long for Hearth.</source>
            <translation>Der Link ist zu lang für Hearth.</translation>
        </message>
        <message>
            <location filename="../../engine/ranks/model_folders.py" />
            <source>The list of its models cannot be read: {error}.</source>
            <translation>Die Liste seiner Modelle kann nicht gelesen werden: {error}.</translation>
        </message>
        <message>
            <location filename="../../app/macs/roster.py" />
            <source>The list of paired Macs cannot be read: {name}: {error}. Pair the Macs again.</source>
            <translation>Die Liste der gekoppelten Macs kann nicht gelesen werden: {name}: {error}. Koppeln Sie die Macs erneut.</translation>
        </message>
        <message>
            <location filename="../../app/macs/roster.py" />
            <source>The list of paired Macs cannot be written: {reason}.</source>
            <translation>Die Liste der gekoppelten Macs kann nicht geschrieben werden: {reason}.</translation>
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <source>The list of stop words can have {most} lines; this one has {count}.</source>
            <translation>Die Liste der Stoppwörter kann {most} Zeilen haben; diese hat {count}.</translation>
        </message>
        <message>
            <location filename="../../app/hub/library.py" />
            <source>The login of Hugging Face cannot be read: {reason}. Check HF_HOME.</source>
            <translation>Die Anmeldung bei Hugging Face kann nicht gelesen werden: {reason}. Prüfen Sie HF_HOME.</translation>
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <source>The longest answer</source>
            <translation>Die längste Antwort</translation>
        </message>
        <message>
            <location filename="../../engine/ranks/shared_loads.py" />
            <source>The machines that run it together do not have the same files of it.</source>
            <translation>Die Rechner, auf denen es gemeinsam läuft, haben nicht dieselben Dateien davon.</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>The model and the loaded chats take this much memory. It is not space on disk.
A loaded chat is in memory, so its next answer starts at once.</source>
            <translation>So viel Arbeitsspeicher belegen das Modell und die geladenen Chats. Platz auf der Festplatte ist damit nicht gemeint.
Ein geladener Chat liegt im Arbeitsspeicher, seine nächste Antwort beginnt also sofort.</translation>
        </message>
        <message>
            <location filename="../../app/chat/overflow.py" />
            <source>The model can read all of this chat, so nothing was left out.</source>
            <translation>Das Modell kann den ganzen Chat lesen, also wurde nichts ausgelassen.</translation>
        </message>
        <message>
            <location filename="../../app/macs/reach.py" />
            <source>The model cannot be copied: {why}.</source>
            <translation>Das Modell kann nicht kopiert werden: {why}.</translation>
        </message>
        <message>
            <location filename="../../engine/server/generation.py" />
            <source>The model failed while it was reading this conversation.</source>
            <translation>Beim Lesen dieser Unterhaltung ist im Modell ein Fehler aufgetreten.</translation>
        </message>
        <message>
            <location filename="../../engine/server/open_requests.py" />
            <source>The model failed while it was writing.</source>
            <translation>Beim Schreiben ist im Modell ein Fehler aufgetreten.</translation>
        </message>
        <message>
            <location filename="../../engine/server/generation.py" />
            <source>The model failed: what it computed is not a number.</source>
            <translation>Im Modell ist ein Fehler aufgetreten: Was es berechnet hat, ist keine Zahl.</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>The model has not read this chat yet. It reads all of it before its next answer.</source>
            <translation>Das Modell hat diesen Chat noch nicht gelesen. Vor der nächsten Antwort liest es ihn ganz.</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>The model reads from here on</source>
            <translation>Das Modell liest ab hier</translation>
        </message>
        <message>
            <location filename="../../ui/chat/greeting.py" />
            <source>The model runs on this computer, and this chat stays ready.</source>
            <translation>Das Modell läuft auf diesem Computer, und dieser Chat bleibt bereit.</translation>
        </message>
        <message>
            <location filename="../../ui/chat/greeting.py" />
            <source>The model runs on {macs} Macs, and this chat stays ready.</source>
            <translation>Das Modell läuft auf {macs} Macs, und dieser Chat bleibt bereit.</translation>
        </message>
        <message>
            <location filename="../../engine/model/folder_checks.py" />
            <source>The model that it was trained on is not on this machine any more.</source>
            <translation>Das Modell, auf dem er trainiert wurde, ist nicht mehr auf diesem Computer.</translation>
        </message>
        <message>
            <location filename="../../engine/ranks/model_folders.py" />
            <source>The model “{name}” is not there.</source>
            <translation>Das Modell „{name}“ ist dort nicht vorhanden.</translation>
        </message>
        <message>
            <location filename="../../engine/turn/prepare.py" />
            <source>The model's chat template makes nothing of this message.</source>
            <translation>Die Chat-Vorlage des Modells macht nichts aus dieser Nachricht.</translation>
        </message>
        <message>
            <location filename="../../engine/prompt/chat_template.py" />
            <source>The model's chat template refuses this conversation.</source>
            <translation>Die Chat-Vorlage des Modells lehnt diese Unterhaltung ab.</translation>
        </message>
        <message>
            <location filename="../../engine/prompt/chat_template.py" />
            <source>The model's chat template refuses this conversation: {why}.</source>
            <translation>Die Chat-Vorlage des Modells lehnt diese Unterhaltung ab: {why}.</translation>
        </message>
        <message>
            <location filename="../../engine/protocol/errors.py" />
            <source>The model's chat template takes too much time or memory over this conversation.</source>
            <translation>Die Chat-Vorlage des Modells braucht für diese Unterhaltung zu viel Zeit oder Arbeitsspeicher.</translation>
        </message>
        <message>
            <location filename="../../app/cli/home.py" />
            <source>The model's name is empty; hearth models list names all models.</source>
            <translation>Der Name des Modells ist leer; hearth models list nennt alle Modelle.</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>The model's own</source>
            <translation>Wie im Modell</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>The model's own: {own:g}</source>
            <translation>Wie im Modell: {own:g}</translation>
        </message>
        <message>
            <location filename="../../app/chat/overflow.py" />
            <source>The newest message alone is longer than the model can read. Make it shorter, or pick a model that can read more.</source>
            <translation>Die neueste Nachricht allein ist länger, als das Modell lesen kann. Kürzen Sie sie, oder wählen Sie ein Modell, das mehr lesen kann.</translation>
        </message>
        <message>
            <location filename="../../engine/turn/prepare.py" />
            <source>The newest message takes more than the {limit} tokens that this model reads at most.</source>
            <translation>Die neueste Nachricht hat mehr als die {limit} Token, die dieses Modell höchstens liest.</translation>
        </message>
        <message>
            <location filename="../../engine/turn/prepare.py" />
            <source>The newest message takes {alone} tokens; this model reads {limit} at most.</source>
            <translation>Die neueste Nachricht hat {alone} Token; dieses Modell liest höchstens {limit}.</translation>
        </message>
        <message>
            <location filename="../../ui/window/leaving.py" />
            <source>The newest words are in memory only, because they cannot be written to the disk. Hearth writes them as soon as it can.</source>
            <translation>Die neuesten Wörter sind nur im Arbeitsspeicher, weil sie nicht auf die Festplatte geschrieben werden können. Hearth schreibt sie, sobald es geht.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>The preset “{name}” is here already.</source>
            <translation>Die Voreinstellung „{name}“ ist bereits hier.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>The preset “{name}” was imported.</source>
            <translation>Die Voreinstellung „{name}“ wurde importiert.</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/pdf.py" />
            <source>The printer cannot be used now. Look whether it is switched on and connected.</source>
            <translation>Der Drucker ist gerade nicht erreichbar. Prüfen Sie, ob er eingeschaltet und verbunden ist.</translation>
        </message>
        <message>
            <location filename="../../app/models/inspections.py" />
            <source>The process that examined its files ended.</source>
            <translation>Der Prozess, der die Dateien untersuchte, ist beendet.</translation>
        </message>
        <message>
            <location filename="../../app/models/inspections.py" />
            <source>The process that examines models cannot be started. Install Hearth again.</source>
            <translation>Der Prozess, der Modelle untersucht, kann nicht gestartet werden. Installieren Sie Hearth neu.</translation>
        </message>
        <message>
            <location filename="../../app/documents/reading.py" />
            <source>The process that reads documents cannot be started. Install Hearth again.</source>
            <translation>Der Prozess, der Dokumente liest, kann nicht gestartet werden. Installieren Sie Hearth neu.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/transfer.py" />
            <source>The prompts and presets are here already.</source>
            <translation>Die Prompts und Voreinstellungen sind schon vorhanden.</translation>
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <source>The repetition penalty</source>
            <translation>Die Wiederholungsstrafe</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/question_lines.py" />
            <source>The rest is too long to be shown, but it is copied.</source>
            <translation>Der Rest ist zu lang, um angezeigt zu werden, wird aber mitkopiert.</translation>
        </message>
        <message>
            <location filename="../../app/hub/client.py" />
            <source>The rest of this card is on the model's page at the hub.</source>
            <translation>Der Rest dieser Karte steht auf der Seite des Modells beim Hub.</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>The same seed draws the same answer to the same chat.</source>
            <translation>Derselbe Startwert ergibt zum selben Chat dieselbe Antwort.</translation>
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <source>The seed</source>
            <translation>Der Startwert</translation>
        </message>
        <message>
            <location filename="../../app/base/settings.py" />
            <source>The settings cannot be saved: the folder {folder} is no longer there.</source>
            <translation>Die Einstellungen können nicht gesichert werden: Der Ordner {folder} ist nicht mehr da.</translation>
        </message>
        <message>
            <location filename="../../app/base/settings.py" />
            <source>The settings cannot be saved: {reason}.</source>
            <translation>Die Einstellungen können nicht gesichert werden: {reason}.</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/label_section.py" />
            <source>The settings, under Storage, keep no chat on disk.</source>
            <translation>Laut den Einstellungen unter „Speicher“ bleibt kein Chat auf der Festplatte.</translation>
        </message>
        <message>
            <location filename="../../engine/server/open_requests.py" />
            <source>The state of this answer could not be kept.</source>
            <translation>Der Stand dieser Antwort konnte nicht aufbewahrt werden.</translation>
        </message>
        <message>
            <location filename="../../storage/errors.py" />
            <source>The system lets Hearth write no larger file (see ulimit -f, or the format of the disk).</source>
            <translation>Das System erlaubt Hearth keine größere Datei (siehe ulimit -f oder das Format der Festplatte).</translation>
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <source>The temperature</source>
            <translation>Die Temperatur</translation>
        </message>
        <message>
            <location filename="../../engine/model/loader.py" />
            <source>The text has a token of the tokenizer that the model does not have.</source>
            <translation>Der Text hat ein Token des Tokenizers, welches das Modell nicht hat.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/transfer.py" />
            <source>The text of attached files is in .hearth files alone.</source>
            <translation>Den Text angehängter Dateien enthalten nur .hearth-Dateien.</translation>
        </message>
        <message>
            <location filename="../../app/hub/token.py" />
            <source>The token cannot be kept: {reason}.</source>
            <translation>Das Token kann nicht aufbewahrt werden: {reason}.</translation>
        </message>
        <message>
            <location filename="../../app/hub/library.py" />
            <source>The token in HF_TOKEN, or that of the login of Hugging Face, has letters that no token has.</source>
            <translation>Das Token in HF_TOKEN oder das der Anmeldung bei Hugging Face hat Zeichen, die kein Token hat.</translation>
        </message>
        <message>
            <location filename="../../engine/prompt/message_format.py" />
            <source>The tools are not valid JSON.</source>
            <translation>Die Werkzeuge sind kein gültiges JSON.</translation>
        </message>
        <message>
            <location filename="../../engine/prompt/message_format.py" />
            <source>The tools must be a JSON array of function schemas.</source>
            <translation>Die Werkzeuge müssen ein JSON-Array von Funktionsschemas sein.</translation>
        </message>
        <message>
            <location filename="../../engine/model/loader.py" />
            <source>The values that it computes are not numbers. One of the Macs computes wrongly, or its files are damaged: try it on this Mac alone.</source>
            <translation>Die Werte, die es berechnet, sind keine Zahlen. Einer der Macs rechnet falsch, oder seine Dateien sind beschädigt: Versuchen Sie es auf diesem Mac allein.</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/fetcher.py" />
            <source>The version of {repository} that Hearth was downloading is no longer on the hub. Download it again to get the newest one.</source>
            <translation>Die Version von {repository}, die Hearth gerade herunterlud, ist nicht mehr beim Hub. Laden Sie das Modell noch einmal herunter, um die neueste zu bekommen.</translation>
        </message>
        <message>
            <location filename="../../app/desktop/display_libraries.py" />
            <source>The window needs system libraries that are missing here: {libraries}. On Debian and Ubuntu run “sudo apt-get install {packages}”, and start Hearth again.</source>
            <translation>Dem Fenster fehlen Systembibliotheken: {libraries}. Führen Sie unter Debian und Ubuntu „sudo apt-get install {packages}“ aus, und starten Sie Hearth neu.</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>There is a copy of {day}.</source>
            <translation>Es gibt eine Kopie vom {day}.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>There is a preset called “{name}” already. Pick another name.</source>
            <translation>Es gibt schon eine Voreinstellung namens „{name}“. Wählen Sie einen anderen Namen.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>There is a preset with this name already.</source>
            <translation>Es gibt bereits eine Voreinstellung mit diesem Namen.</translation>
        </message>
        <message>
            <location filename="../../app/macs/pairing.py" />
            <source>There is a typing error in the code.</source>
            <translation>Der Code enthält einen Tippfehler.</translation>
        </message>
        <message>
            <location filename="../../engine/model/adapter.py" />
            <source>There is no adapter folder at this place.</source>
            <translation>An diesem Ort liegt kein Adapter.</translation>
        </message>
        <message>
            <location filename="../../app/import_export/chatgpt.py" />
            <source>There is no chat in this archive. Unpack it to attach the files in it.</source>
            <translation>In diesem Archiv ist kein Chat. Entpacken Sie es, um die Dateien darin anzuhängen.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>There is no copy yet. Hearth makes the first one within an hour of your first message, or at the next start.</source>
            <translation>Es gibt noch keine Kopie. Die erste entsteht binnen einer Stunde nach Ihrer ersten Nachricht oder beim nächsten Start.</translation>
        </message>
        <message>
            <location filename="../../app/desktop/opened_items.py" />
            <location filename="../../ui/widgets/file_dialog.py" />
            <source>There is no file {path}.</source>
            <translation>Die Datei {path} gibt es nicht.</translation>
        </message>
        <message>
            <location filename="../../engine/prompt/chat_template.py" />
            <source>There is no message to answer.</source>
            <translation>Es gibt keine Nachricht zu beantworten.</translation>
        </message>
        <message>
            <location filename="../../app/models/local_models.py" />
            <location filename="../../engine/model/file_checks.py" />
            <source>There is no model folder at {folder}.</source>
            <translation>In {folder} liegt kein Modell.</translation>
        </message>
        <message>
            <location filename="../../app/cli/home.py" />
            <source>There is no model {name} on this machine; hearth models list names all.</source>
            <translation>Auf diesem Computer ist kein Modell {name}; hearth models list nennt alle.</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>There is none</source>
            <translation>Es gibt keine</translation>
        </message>
        <message>
            <location filename="../../engine/model/load_failure.py" />
            <source>There is not enough free memory to load it.</source>
            <translation>Es ist nicht genug Arbeitsspeicher frei, um es zu laden.</translation>
        </message>
        <message>
            <location filename="../../storage/errors.py" />
            <source>There is not enough memory.</source>
            <translation>Es ist nicht genug Arbeitsspeicher da.</translation>
        </message>
        <message>
            <location filename="../../app/import_export/chatgpt_tree.py" />
            <source>There is too much text in this file.</source>
            <translation>In dieser Datei ist zu viel Text.</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <source>These settings are saved with this chat.</source>
            <translation>Diese Einstellungen werden mit diesem Chat gesichert.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>They wait in Recently Deleted for 30 days, then they are erased with all that belongs to them.</source>
            <translation>Sie bleiben 30 Tage unter „Zuletzt gelöscht“. Danach wird alles entfernt, was zu ihnen gehört.</translation>
        </message>
        <message>
            <location filename="../../ui/composer/composer.py" />
            <source>Think</source>
            <translation>Nachdenken</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Think before answering</source>
            <translation>Vor der Antwort nachdenken</translation>
        </message>
        <message>
            <location filename="../../app/chat/views.py" />
            <location filename="../../ui/transcript/messages.py" />
            <source>Thinking…</source>
            <translation>Denkt nach …</translation>
        </message>
        <message>
            <location filename="../../app/import_export/chatgpt.py" />
            <source>This JSON is no list of ChatGPT's chats.</source>
            <translation>Dieses JSON ist keine Liste von ChatGPT-Chats.</translation>
        </message>
        <message>
            <location filename="../../app/import_export/json_array.py" />
            <source>This JSON is not a list of chats.</source>
            <translation>Dieses JSON ist keine Liste von Chats.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <location filename="../../ui/models/model_settings.py" />
            <source>This Mac</source>
            <translation>Dieser Mac</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>This Mac and {name}</source>
            <translation>Dieser Mac und {name}</translation>
        </message>
        <message>
            <location filename="../../app/macs/worker.py" />
            <source>This Mac cannot wait at {address}: {reason}.</source>
            <translation>Dieser Mac kann unter {address} nicht auf andere warten: {reason}.</translation>
        </message>
        <message>
            <location filename="../../app/macs/worker.py" />
            <source>This Mac is on no network now, so no other Mac can use it.</source>
            <translation>Dieser Mac ist jetzt in keinem Netzwerk, sodass kein anderer Mac ihn benutzen kann.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>This Mac waits at {address}.</source>
            <translation>Dieser Mac wartet unter {address}.</translation>
        </message>
        <message>
            <location filename="../../app/macs/pairing.py" />
            <source>This Mac's key cannot be kept: {reason}.</source>
            <translation>Der Schlüssel dieses Macs kann nicht gespeichert werden: {reason}.</translation>
        </message>
        <message>
            <location filename="../../app/macs/pairing.py" />
            <source>This Mac's key cannot be read: {reason}.</source>
            <translation>Der Schlüssel dieses Macs kann nicht gelesen werden: {reason}.</translation>
        </message>
        <message>
            <location filename="../../app/chat/turn_jobs.py" />
            <source>This answer belongs to no question.</source>
            <translation>Diese Antwort gehört zu keiner Frage.</translation>
        </message>
        <message>
            <location filename="../../app/chat/overflow.py" />
            <source>This answer has filled all that the model can read at once.</source>
            <translation>Diese Antwort hat alles gefüllt, was das Modell auf einmal lesen kann.</translation>
        </message>
        <message>
            <location filename="../../app/chat/overflow.py" />
            <location filename="../../app/chat/turn_jobs.py" />
            <source>This answer is no longer part of the chat.</source>
            <translation>Diese Antwort gehört nicht mehr zum Chat.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>This cannot be undone.</source>
            <translation>Das kann nicht rückgängig gemacht werden.</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <location filename="../../ui/window/palette_entries.py" />
            <source>This chat</source>
            <translation>Dieser Chat</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/inspector.py" />
            <source>This chat and its settings are never saved.</source>
            <translation>Dieser Chat und seine Einstellungen werden nie gesichert.</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/transcript/pdf.py" />
            <source>This chat has {count} pages. Choose some of those.</source>
            <extracomment>For one: This chat has one page. Choose that one.</extracomment>
            <translation>
                <numerusform>Dieser Chat hat {count} Seite. Wählen Sie diese.</numerusform>
                <numerusform>Dieser Chat hat {count} Seiten. Wählen Sie davon aus.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../app/chat/overflow.py" />
            <source>This chat is longer than the model can read. Nothing was left out of it.</source>
            <translation>Dieser Chat ist länger, als das Modell lesen kann. Nichts wurde ausgelassen.</translation>
        </message>
        <message>
            <location filename="../../ui/chat/greeting.py" />
            <source>This chat is private: it is never saved, and gone when its tab is closed.</source>
            <translation>Dieser Chat ist privat: Er wird nirgends gespeichert und ist weg, sobald sein Tab geschlossen wird.</translation>
        </message>
        <message>
            <location filename="../../app/desktop/read_aloud.py" />
            <source>This computer has no voice. Install “espeak-ng”, then open Hearth again.</source>
            <translation>Dieser Computer hat keine Stimme. Installieren Sie „espeak-ng“, und öffnen Sie Hearth neu.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/engine_process.py" />
            <source>This conversation is longer than any model can read.</source>
            <translation>Diese Unterhaltung ist länger, als irgendein Modell lesen kann.</translation>
        </message>
        <message>
            <location filename="../../storage/library/trash.py" />
            <source>This conversation is not in Recently Deleted any more.</source>
            <translation>Diese Unterhaltung ist nicht mehr unter „Zuletzt gelöscht“.</translation>
        </message>
        <message>
            <location filename="../../storage/library/conversations.py" />
            <source>This conversation no longer exists.</source>
            <translation>Diese Unterhaltung gibt es nicht mehr.</translation>
        </message>
        <message>
            <location filename="../../engine/memory/footprint.py" />
            <source>This conversation takes {need} of memory, and {free} are free</source>
            <translation>Diese Unterhaltung braucht {need} Arbeitsspeicher, und {free} sind frei</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>This copy is no longer there.</source>
            <translation>Diese Kopie ist nicht mehr da.</translation>
        </message>
        <message>
            <location filename="../../app/import_export/hearth_json.py" />
            <source>This file has no chats from Hearth or ChatGPT.</source>
            <translation>Diese Datei enthält keine Chats von Hearth oder ChatGPT.</translation>
        </message>
        <message>
            <location filename="../../storage/library/attachments.py" />
            <source>This file is no longer part of the chat.</source>
            <translation>Diese Datei gehört nicht mehr zum Chat.</translation>
        </message>
        <message>
            <location filename="../../storage/library/attachments.py" />
            <source>This file is no longer part of the draft.</source>
            <translation>Diese Datei gehört nicht mehr zum Entwurf.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/attaching.py" />
            <source>This file is not text. The model is only given its name.</source>
            <translation>Diese Datei ist kein Text. Das Modell bekommt nur ihren Namen.</translation>
        </message>
        <message>
            <location filename="../../app/import_export/chatgpt.py" />
            <location filename="../../app/import_export/files.py" />
            <location filename="../../app/import_export/json_array.py" />
            <location filename="../../app/import_export/markdown.py" />
            <source>This file is too large.</source>
            <translation>Diese Datei ist zu groß.</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>This is a new library. Copies of the former one stay in the settings, under Privacy.</source>
            <translation>Dies ist eine neue Bibliothek. Kopien der früheren bleiben in den Einstellungen unter „Datenschutz“.</translation>
        </message>
        <message>
            <location filename="../../app/import_export/hearth_json.py" />
            <source>This is no export of Hearth's, or it is damaged.</source>
            <translation>Das ist kein Export von Hearth, oder er ist beschädigt.</translation>
        </message>
        <message>
            <location filename="../../app/import_export/json_array.py" />
            <source>This is no readable JSON, or the end of it is missing.</source>
            <translation>Das ist kein lesbares JSON, oder das Ende fehlt.</translation>
        </message>
        <message>
            <location filename="../../app/hub/token.py" />
            <source>This is no token: a token has no spaces and only plain letters.</source>
            <translation>Das ist kein Token: Ein Token hat keine Leerzeichen und nur einfache Buchstaben.</translation>
        </message>
        <message>
            <location filename="../../app/import_export/files.py" />
            <source>This is not a file.</source>
            <translation>Das ist keine Datei.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/attached_file.py" />
            <source>This is the beginning of the text that the model is given. A saved copy has all of it.</source>
            <translation>Das ist der Anfang des Textes, den das Modell bekommt. Eine gespeicherte Kopie enthält ihn ganz.</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>This is the copy of {day}.</source>
            <translation>Das ist die Kopie vom {day}.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/attached_file.py" />
            <source>This is the text that the model is given.</source>
            <translation>Das ist der Text, den das Modell bekommt.</translation>
        </message>
        <message>
            <location filename="../../app/macs/pairing.py" />
            <source>This is this Mac's own code. Type the one that the other Mac shows. If it shows this one, it was set up from this Mac, or this Mac from it: then delete {file} here.</source>
            <translation>Das ist der Code dieses Macs. Geben Sie den ein, den der andere Mac anzeigt. Zeigt er diesen, so wurde einer aus dem anderen eingerichtet: Löschen Sie dann hier {file}.</translation>
        </message>
        <message>
            <location filename="../../engine/model/split.py" />
            <source>This kind of model cannot be split over several machines in this way.</source>
            <translation>Modelle dieser Art können nicht auf diese Weise auf mehrere Rechner verteilt werden.</translation>
        </message>
        <message>
            <location filename="../../storage/library/messages.py" />
            <source>This message is already finished.</source>
            <translation>Diese Nachricht ist schon fertig.</translation>
        </message>
        <message>
            <location filename="../../app/chat/overflow.py" />
            <location filename="../../storage/library/conversations.py" />
            <location filename="../../storage/library/messages.py" />
            <location filename="../../storage/library/tree.py" />
            <source>This message is no longer part of the chat.</source>
            <translation>Diese Nachricht gehört nicht mehr zum Chat.</translation>
        </message>
        <message>
            <location filename="../../ui/chat/chat_tab.py" />
            <source>This message is too long to be edited.</source>
            <translation>Diese Nachricht ist zu lang zum Bearbeiten.</translation>
        </message>
        <message>
            <location filename="../../storage/library/tree.py" />
            <source>This message no longer exists.</source>
            <translation>Diese Nachricht gibt es nicht mehr.</translation>
        </message>
        <message>
            <location filename="../../engine/prompt/chat_template.py" />
            <source>This model brings no chat template, so it cannot hold a conversation.</source>
            <translation>Dieses Modell hat keine Chat-Vorlage und kann daher keine Unterhaltung führen.</translation>
        </message>
        <message>
            <location filename="../../engine/model/split.py" />
            <source>This model has too few layers to be split over {count} machines.</source>
            <translation>Dieses Modell hat zu wenige Schichten, um auf {count} Rechner verteilt zu werden.</translation>
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>This model is gated: ask for access on its page at the hub, and enter your token with “Access token…”.</source>
            <translation>Dieses Modell ist zugangsbeschränkt: Bitten Sie auf seiner Seite beim Hub um Zugang, und geben Sie Ihr Token mit „Zugangstoken …“ ein.</translation>
        </message>
        <message>
            <location filename="../../engine/model/loader.py" />
            <source>This model keeps a kind of state that Hearth cannot store yet: {names}.</source>
            <translation>Dieses Modell hat eine Art von Zustand, die Hearth noch nicht speichern kann: {names}.</translation>
        </message>
        <message>
            <location filename="../../engine/prompt/message_format.py" />
            <source>This model's chat template takes a system prompt only with a message of the user.</source>
            <translation>Die Chat-Vorlage dieses Modells nimmt einen System-Prompt nur mit einer Nachricht des Benutzers an.</translation>
        </message>
        <message>
            <location filename="../../storage/library/messages.py" />
            <source>This reply has text already.</source>
            <translation>Diese Antwort hat schon Text.</translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/engine_client/model_switch.py" />
            <source>This stops the answers in {chats}. Their text is kept, and can be continued.</source>
            <extracomment>For one: This stops the answer in {chats}. Its text is kept, and can be continued.</extracomment>
            <translation>
                <numerusform>Das stoppt die Antwort in {chats}. Ihr Text bleibt und kann fortgesetzt werden.</numerusform>
                <numerusform>Das stoppt die Antworten in {chats}. Ihr Text bleibt und kann fortgesetzt werden.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../app/hub/token_setting.py" />
            <source>This system has no keychain, so your token is in {file}, which only you can read.</source>
            <translation>Dieses System hat keinen Schlüsselbund, daher liegt Ihr Token in {file}, die nur Sie lesen können.</translation>
        </message>
        <message>
            <location filename="../../engine/model/adapter.py" />
            <source>This version of Hearth does not support this kind of adapter.</source>
            <translation>Diese Version von Hearth unterstützt diese Art Adapter nicht.</translation>
        </message>
        <message>
            <location filename="../../engine/model/folder_checks.py" />
            <location filename="../../engine/model/load_failure.py" />
            <source>This version of Hearth does not support this kind of model.</source>
            <translation>Diese Version von Hearth unterstützt diese Art Modell nicht.</translation>
        </message>
        <message>
            <location filename="../../app/import_export/chatgpt.py" />
            <source>This zip file holds too many files.</source>
            <translation>Diese Zip-Datei enthält zu viele Dateien.</translation>
        </message>
        <message>
            <location filename="../../app/import_export/chatgpt.py" />
            <source>This zip file is damaged or encrypted, so it cannot be unpacked.</source>
            <translation>Diese ZIP-Datei ist beschädigt oder verschlüsselt und kann nicht entpackt werden.</translation>
        </message>
        <message>
            <location filename="../../app/import_export/chatgpt.py" />
            <source>This zip file would grow far more than chats do once it is unpacked.</source>
            <translation>Diese ZIP-Datei würde beim Entpacken viel stärker wachsen, als Chats es tun.</translation>
        </message>
        <message>
            <location filename="../../app/chat/views.py" />
            <location filename="../../ui/transcript/messages.py" />
            <source>Thought</source>
            <translation>Überlegt</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Thought for {minutes} min</source>
            <translation>{minutes} Min. überlegt</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Thought for {minutes} min {seconds} s</source>
            <translation>{minutes} Min. {seconds} s überlegt</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Thought for {seconds} s</source>
            <translation>{seconds} s überlegt</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/clicks.py" />
            <source>Three more, written at the same time</source>
            <translation>Drei weitere, gleichzeitig geschrieben</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Tight</source>
            <translation>Knapp</translation>
        </message>
        <message>
            <location filename="../../app/base/model_names.py" />
            <source>Tiny, for a first look in English: it knows names, sums, capitals and short stories.</source>
            <translation>Winzig, für einen ersten Blick, auf Englisch: kennt Namen, Rechenaufgaben, Hauptstädte und kurze Geschichten.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Title</source>
            <translation>Titel</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/conversation_delegate.py" />
            <source>Title of the chat</source>
            <translation>Titel des Chats</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <source>To use one, type / in an empty message. Hearth asks for each {variable} in it.</source>
            <translation>Tippen Sie / in eine leere Nachricht, um einen zu benutzen. Hearth fragt nach dem Inhalt jeder Variablen wie {variable}.</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Today</source>
            <translation>Heute</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>Today {time}</source>
            <translation>Heute {time}</translation>
        </message>
        <message>
            <location filename="../../app/conversations/chat_memory.py" />
            <source>Tokens kept</source>
            <translation>Bereite Token</translation>
        </message>
        <message>
            <location filename="../../storage/errors.py" />
            <source>Too many files are open.</source>
            <translation>Es sind zu viele Dateien geöffnet.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Too many open files</source>
            <translation>Zu viele offene Dateien</translation>
        </message>
        <message>
            <location filename="../../app/import_export/markdown.py" />
            <source>Tool</source>
            <comment>speaker</comment>
            <translation>Werkzeug</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>Tool calls</source>
            <translation>Werkzeugaufrufe</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Top of the chat</source>
            <translation>Anfang des Chats</translation>
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Top-k</source>
            <translation>Top-k</translation>
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <location filename="../../ui/inspector/sampling_section.py" />
            <location filename="../../ui/models/model_settings.py" />
            <source>Top-p</source>
            <translation>Top-p</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Train or convert it with mlx-lm.</source>
            <translation>Trainieren oder konvertieren Sie ihn mit mlx-lm.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <source>Translate into {language}: {text}</source>
            <translation>Übersetze in {language}: {text}</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/hosting.py" />
            <location filename="../../ui/models/row_words.py" />
            <location filename="../../ui/models/welcome_page.py" />
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Try again</source>
            <translation>Erneut versuchen</translation>
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>Try again in {wait:.0f} s.</source>
            <translation>Versuchen Sie es in {wait:.0f} s noch einmal.</translation>
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>Try again later.</source>
            <translation>Versuchen Sie es später noch einmal.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Try again; if it happens again, pick another model.</source>
            <translation>Versuchen Sie es noch einmal; geschieht es wieder, wählen Sie ein anderes Modell.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Try again; if it happens again, the log has the details.</source>
            <translation>Versuchen Sie es noch einmal; geschieht es wieder, stehen Einzelheiten im Protokoll.</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Try message {message} again</source>
            <translation>Nachricht {message} erneut versuchen</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/memory_section.py" />
            <source>Turn {number}</source>
            <translation>Frage {number}</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/memory_section.py" />
            <source>Turns {first} to {last}</source>
            <translation>Fragen {first} bis {last}</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <location filename="../../ui/window/tab_row.py" />
            <source>Two chats side by side</source>
            <translation>Zwei Chats nebeneinander</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Type it in Hearth on the other Mac. It is valid for ten minutes, and for one Mac.</source>
            <translation>Geben Sie ihn auf dem anderen Mac in Hearth ein. Er gilt zehn Minuten lang und für einen Mac.</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <location filename="../../ui/intents/notice.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Undo</source>
            <translation>Widerrufen</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Undo ({seconds} s)</source>
            <translation>Widerrufen ({seconds} s)</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Unfinished copies from other Macs</source>
            <translation>Unfertige Kopien von anderen Macs</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/model_switch.py" />
            <source>Unload</source>
            <translation>Entladen</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Unload an unused model</source>
            <translation>Unbenutztes Modell entladen</translation>
        </message>
        <message>
            <location filename="../../ui/composer/button_row.py" />
            <location filename="../../ui/window/actions.py" />
            <source>Unload model</source>
            <translation>Modell entladen</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/model_switch.py" />
            <source>Unload the model?</source>
            <translation>Modell entladen?</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Unpair</source>
            <translation>Entkoppeln</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Unpair {name}</source>
            <translation>{name} entkoppeln</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Unpair {name}?</source>
            <translation>{name} entkoppeln?</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>Unpin</source>
            <translation>Nicht mehr fixieren</translation>
        </message>
        <message>
            <location filename="../../ui/window/menu_commands.py" />
            <source>Unpin chat</source>
            <translation>Chat nicht mehr fixieren</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/sidebar/sidebar.py" />
            <source>Unpin {count} chats</source>
            <extracomment>For one: Unpin {count} chat</extracomment>
            <translation>
                <numerusform>{count} Chat nicht mehr fixieren</numerusform>
                <numerusform>{count} Chats nicht mehr fixieren</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Unpin {title}</source>
            <translation>{title} nicht mehr fixieren</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Up to {longest} tokens fit now.</source>
            <translation>Zurzeit passen bis zu {longest} Token.</translation>
        </message>
        <message>
            <location filename="../../ui/models/model_settings.py" />
            <source>Up to {most_context} tokens</source>
            <translation>Bis zu {most_context} Token</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Use anyway</source>
            <translation>Trotzdem benutzen</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>Use in this chat</source>
            <translation>In diesem Chat benutzen</translation>
        </message>
        <message>
            <location filename="../../app/macs/macs.py" />
            <location filename="../../app/models/choice.py" />
            <source>Use it</source>
            <translation>Benutzen</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>Use the copy</source>
            <translation>Kopie benutzen</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/value_row.py" />
            <source>Use the model's own</source>
            <translation>Wert des Modells benutzen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>Use this copy</source>
            <translation>Diese Kopie benutzen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>Use this copy: {when}</source>
            <translation>Diese Kopie benutzen: {when}</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>Use this copy?</source>
            <translation>Diese Kopie benutzen?</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>Use this copy…</source>
            <translation>Diese Kopie benutzen …</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Use this model</source>
            <translation>Dieses Modell benutzen</translation>
        </message>
        <message>
            <location filename="../../app/models/presenter.py" />
            <source>Use {name}</source>
            <translation>{name} benutzen</translation>
        </message>
        <message>
            <location filename="../../app/import_export/markdown.py" />
            <source>User</source>
            <comment>speaker</comment>
            <translation>Nutzer</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Uses this Mac now.</source>
            <translation>Benutzt diesen Mac gerade.</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Usual text size</source>
            <translation>Normale Textgröße</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Verify</source>
            <translation>Prüfen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Verify what is kept</source>
            <translation>Bereitgehaltenes prüfen</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>View</source>
            <translation>Darstellung</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>Wait for other answers to end, close other apps, or pick a smaller model.</source>
            <translation>Warten Sie andere Antworten ab, schließen Sie andere Apps, oder wählen Sie ein kleineres Modell.</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <location filename="../../ui/theme/phrases.py" />
            <source>Waiting</source>
            <translation>Wartet</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Waiting saved in all</source>
            <translation>Insgesamt gesparte Wartezeit</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>Waiting saved today</source>
            <translation>Heute gesparte Wartezeit</translation>
        </message>
        <message>
            <location filename="../../app/conversations/chat_memory.py" />
            <source>Was read again because</source>
            <translation>Wurde neu gelesen, weil</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>Weights</source>
            <translation>Gewichte</translation>
        </message>
        <message>
            <location filename="../../ui/models/welcome_page.py" />
            <source>Welcome to Hearth</source>
            <translation>Willkommen bei Hearth</translation>
        </message>
        <message>
            <location filename="../../engine/workers/errors.py" />
            <source>What answers at {name} is not Hearth, or another version of it.</source>
            <translation>Was unter {name} antwortet, ist nicht Hearth oder eine andere Version davon.</translation>
        </message>
        <message>
            <location filename="../../engine/workers/errors.py" />
            <source>What answers there is not the {name} that was paired. Pair the two again if it was set up anew.</source>
            <translation>Dort antwortet nicht der gekoppelte Mac {name}. Koppeln Sie die beiden noch einmal, falls er neu eingerichtet wurde.</translation>
        </message>
        <message>
            <location filename="../../ui/chat/greeting.py" />
            <source>What can Hearth do?</source>
            <translation>Was kann Hearth?</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>What is here already, {done}, is deleted.</source>
            <translation>Das schon Geladene, {done}, wird gelöscht.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>What is kept of a pinned chat is never cleared to make room.</source>
            <translation>Was von einem fixierten Chat bereitgehalten wird, bleibt auch bei Platzmangel erhalten.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>What is kept ready is compared with its checksums. Damaged parts are removed; messages stay.</source>
            <translation>Was bereitgehalten wird, wird mit Prüfsummen verglichen. Beschädigte Teile werden entfernt.</translation>
        </message>
        <message>
            <location filename="../../storage/segments/store.py" />
            <source>What is kept ready of this chat does not fit into the part of the disk that is set aside for it.</source>
            <translation>Was von diesem Chat bereitgehalten wird, passt nicht in den dafür vorgesehenen Teil der Festplatte.</translation>
        </message>
        <message>
            <location filename="../../ui/chat/greeting.py" />
            <source>What is on your mind?</source>
            <translation>Was möchten Sie wissen?</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/wanted_model.py" />
            <source>What it read cannot be kept in {wanted} bits a value, so it is kept in full.</source>
            <translation>Gelesenes kann nicht mit {wanted} Bit je Wert aufbewahrt werden, also bleibt es in voller Genauigkeit.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/wanted_model.py" />
            <source>What it read is kept in {kv_bits} bits a value.</source>
            <translation>Gelesenes wird mit {kv_bits} Bit je Wert aufbewahrt.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>What the model has read of them. Your messages are not part of this.</source>
            <translation>Was das Modell davon gelesen hat. Ihre Nachrichten gehören nicht dazu.</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>What the model has read of this chat is kept, so it reads only your next message.</source>
            <translation>Was das Modell von diesem Chat gelesen hat, bleibt erhalten. Es liest also nur noch Ihre nächste Nachricht.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>What the model shall always know. Older chats keep theirs.</source>
            <translation>Was das Modell immer wissen soll. Ältere Chats behalten ihre.</translation>
        </message>
        <message>
            <location filename="../../app/chat/turn_removal.py" />
            <source>What you searched for is in another version of this chat, which is shown now. The arrows below the message lead back to the former one.</source>
            <translation>Was Sie gesucht haben, steht in einer anderen Fassung dieses Chats, die jetzt angezeigt wird. Die Pfeile unter der Nachricht führen zur früheren zurück.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>When Hearth starts</source>
            <translation>Beim Start von Hearth</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>Wide</source>
            <translation>Breit</translation>
        </message>
        <message>
            <location filename="../../app/conversations/chat_memory.py" />
            <source>Will be read</source>
            <translation>Noch zu lesen</translation>
        </message>
        <message>
            <location filename="../../app/conversations/chat_memory.py" />
            <source>Will be read again</source>
            <translation>Wird neu gelesen</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Window</source>
            <translation>Fenster</translation>
        </message>
        <message>
            <location filename="../../app/chat/attachments.py" />
            <source>With “{name}”, the files would have more text than any model can read.</source>
            <translation>Mit „{name}“ hätten die Dateien mehr Text, als irgendein Modell lesen kann.</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>Words that are less likely than this share of the likeliest one are left out.</source>
            <translation>Wörter, die unwahrscheinlicher sind als dieser Anteil des wahrscheinlichsten, werden ausgelassen.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>Works for {name}</source>
            <translation>Arbeitet für {name}</translation>
        </message>
        <message>
            <location filename="../../ui/window/actions.py" />
            <source>Write 3 alternatives</source>
            <translation>3 Alternativen schreiben</translation>
        </message>
        <message>
            <location filename="../../ui/composer/prompt_edit.py" />
            <source>Write a message…</source>
            <translation>Nachricht schreiben …</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Write message {message} again</source>
            <translation>Nachricht {message} neu schreiben</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Write several answers</source>
            <translation>Mehrere Antworten schreiben</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Write several answers in place of message {message}</source>
            <translation>Mehrere Antworten anstelle von Nachricht {message} schreiben</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Write this answer again (right click for more)</source>
            <translation>Diese Antwort neu schreiben (Rechtsklick für mehr)</translation>
        </message>
        <message>
            <location filename="../../app/models/views.py" />
            <source>Writing speed</source>
            <translation>Schreibtempo</translation>
        </message>
        <message>
            <location filename="../../app/conversations/chat_memory.py" />
            <source>Written at</source>
            <translation>Geschrieben mit</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>Written by {model}</source>
            <translation>Geschrieben von {model}</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>Yesterday</source>
            <translation>Gestern</translation>
        </message>
        <message>
            <location filename="../../app/cache/monitor.py" />
            <source>You allow {wanted}, but only {free} are free on the disk, so no room is left for ready chats.</source>
            <translation>Sie erlauben {wanted}, aber auf der Festplatte sind nur {free} frei, also bleibt kein Platz für bereite Chats.</translation>
        </message>
        <message>
            <location filename="../../app/cache/monitor.py" />
            <source>You allow {wanted}, but only {free} are free on the disk, so ready chats take at most {most}.</source>
            <translation>Sie erlauben {wanted}, aber auf der Festplatte sind nur {free} frei, also belegen bereite Chats höchstens {most}.</translation>
        </message>
        <message>
            <location filename="../../app/hub/removal.py" />
            <source>You can delete its folder yourself: {folder}</source>
            <translation>Sie können den Ordner selbst löschen: {folder}</translation>
        </message>
        <message>
            <location filename="../../ui/window/palette_entries.py" />
            <source>You have none yet</source>
            <translation>Sie haben noch keine</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/text_dialogs.py" />
            <source>Your access token for Hugging Face, for models that ask for one.</source>
            <translation>Ihr Zugangstoken für Hugging Face, für Modelle, die eines verlangen.</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>Your chats cannot be read: the library is damaged. Hearth has not changed it.</source>
            <translation>Ihre Chats können nicht gelesen werden: Die Bibliothek ist beschädigt. Hearth hat nichts an ihr geändert.</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>Your chats use this model. Pick another one first, then remove this one.</source>
            <translation>Ihre Chats verwenden dieses Modell. Wählen Sie zuerst ein anderes, und entfernen Sie dann dieses.</translation>
        </message>
        <message>
            <location filename="../../app/hub/removal.py" />
            <source>Your chats use {name}. Pick another model first, then remove this one.</source>
            <translation>Ihre Chats verwenden {name}. Wählen Sie zuerst ein anderes Modell, und entfernen Sie dann dieses.</translation>
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>Your token has no access to this model. Ask for access on its page at the hub.</source>
            <translation>Ihr Token hat keinen Zugang zu diesem Modell. Bitten Sie auf seiner Seite beim Hub um Zugang.</translation>
        </message>
        <message>
            <location filename="../../app/hub/token_setting.py" />
            <source>Your token is in the system's keychain.</source>
            <translation>Ihr Token liegt im Schlüsselbund des Systems.</translation>
        </message>
        <message>
            <location filename="../../app/import_export/markdown.py" />
            <source>[File: {name}]</source>
            <translation>[Datei: {name}]</translation>
        </message>
        <message>
            <location filename="../../ui/theme/reread_reasons.py" />
            <source>a damaged file was put aside</source>
            <translation>eine beschädigte Datei wurde beiseitegelegt</translation>
        </message>
        <message>
            <location filename="../../app/cache/check.py" />
            <source>a deleted chat</source>
            <translation>einem gelöschten Chat</translation>
        </message>
        <message>
            <location filename="../../app/hub/token_setting.py" />
            <source>a file that only you can read</source>
            <translation>einer Datei, die nur Sie lesen können</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/theme/phrases.py" />
            <source>about {count} tokens</source>
            <extracomment>For one: about {count} token</extracomment>
            <translation>
                <numerusform>etwa {count} Token</numerusform>
                <numerusform>etwa {count} Token</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>about {hours} h {minutes} min</source>
            <translation>etwa {hours} Std. {minutes} Min.</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>about {minutes} min</source>
            <translation>etwa {minutes} Min.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/chat_memory.py" />
            <location filename="../../ui/theme/phrases.py" />
            <source>about {number}</source>
            <translation>etwa {number}</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>about {seconds} s</source>
            <translation>etwa {seconds} s</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>adapter_config.json: {error}</source>
            <translation>adapter_config.json: {error}</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>add pair code let other computers use this one run large models</source>
            <translation>hinzufügen koppeln Code andere Computer diesen benutzen lassen große Modelle</translation>
        </message>
        <message>
            <location filename="../../ui/theme/reread_reasons.py" />
            <source>an earlier part was changed or left out</source>
            <translation>ein früherer Teil wurde geändert oder weggelassen</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/transcript/message_lines.py" />
            <source>and {count} more tool calls</source>
            <extracomment>For one: and {count} more tool call</extracomment>
            <translation>
                <numerusform>und {count} weiterer Werkzeugaufruf</numerusform>
                <numerusform>und {count} weitere Werkzeugaufrufe</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../ui/theme/reread_reasons.py" />
            <source>another model wrote parts of it</source>
            <translation>ein anderes Modell hat Teile davon geschrieben</translation>
        </message>
        <message>
            <location filename="../../ui/window/tab_strip.py" />
            <source>answering</source>
            <translation>antwortet</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/memory_section.py" />
            <source>being written</source>
            <translation>wird geschrieben</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/wanted_model.py" />
            <source>building it</source>
            <translation>Modell aufbauen</translation>
        </message>
        <message>
            <location filename="../../app/models/purpose.py" />
            <source>chat</source>
            <comment>what a model is made for</comment>
            <translation>Chats</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <location filename="../../ui/models/detail_pane.py" />
            <source>chats</source>
            <translation>Chats</translation>
        </message>
        <message>
            <location filename="../../ui/theme/reread_reasons.py" />
            <source>chats of this model cannot be kept ready</source>
            <translation>Chats dieses Modells können nicht bereitgehalten werden</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/wanted_model.py" />
            <source>checking its files</source>
            <translation>Dateien prüfen</translation>
        </message>
        <message>
            <location filename="../../app/models/purpose.py" />
            <source>code</source>
            <comment>what a model is made for</comment>
            <translation>Programmieren</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/wanted_model.py" />
            <source>comparing its weights</source>
            <translation>Gewichte vergleichen</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>config.json: {error}</source>
            <translation>config.json: {error}</translation>
        </message>
        <message>
            <location filename="../../app/models/local_models.py" />
            <source>copied from {mac}</source>
            <translation>kopiert von {mac}</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>copies save restore recover</source>
            <translation>Kopien Sicherung sichern wiederherstellen</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>creativity randomness</source>
            <translation>Kreativität Zufall</translation>
        </message>
        <message>
            <location filename="../../app/chat/status.py" />
            <source>cut at the length limit</source>
            <translation>Längengrenze erreicht</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>data logs location</source>
            <translation>Daten Protokolle Speicherort Pfad</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>delete old remove trash</source>
            <translation>löschen alte entfernen Papierkorb</translation>
        </message>
        <message>
            <location filename="../../app/chat/attachments.py" />
            <source>empty</source>
            <comment>file</comment>
            <translation>leer</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>english</source>
            <translation>englisch</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>enter key</source>
            <translation>Eingabetaste abschicken Zeilenumbruch</translation>
        </message>
        <message>
            <location filename="../../ui/palette/command_palette.py" />
            <source>esc</source>
            <translation>esc</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>fewer layers because it is slower</source>
            <translation>weniger Schichten, weil er langsamer ist</translation>
        </message>
        <message>
            <location filename="../../app/conversations/prompts.py" />
            <source>file of prompts</source>
            <translation>Datei mit Prompts</translation>
        </message>
        <message>
            <location filename="../../app/chat/attachments.py" />
            <source>folder, {size} of text</source>
            <translation>Ordner, {size} Text</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>font letters larger smaller</source>
            <translation>Schrift Schriftgröße Buchstaben größer kleiner Zoom</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>free</source>
            <comment>disk</comment>
            <translation>frei</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>free</source>
            <comment>memory</comment>
            <translation>frei</translation>
        </message>
        <message>
            <location filename="../../app/models/sources.py" />
            <source>from LM Studio</source>
            <translation>aus LM Studio</translation>
        </message>
        <message>
            <location filename="../../app/models/sources.py" />
            <source>from your Hugging Face cache</source>
            <translation>im Hugging-Face-Cache</translation>
        </message>
        <message>
            <location filename="../../app/models/sources.py" />
            <source>from {name}</source>
            <translation>aus {name}</translation>
        </message>
        <message>
            <location filename="../../app/hub/found_models.py" />
            <source>gated</source>
            <translation>zugangsbeschränkt</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>german</source>
            <translation>deutsch</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/wanted_model.py" />
            <source>getting ready</source>
            <translation>letzte Vorbereitungen</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>getting ready</source>
            <comment>badge</comment>
            <translation>wird vorbereitet</translation>
        </message>
        <message>
            <location filename="../../ui/window/palette_entries.py" />
            <source>in use</source>
            <translation>in Gebrauch</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/models/row_words.py" />
            <source>in use by {count} chats</source>
            <extracomment>For one: in use by {count} chat</extracomment>
            <translation>
                <numerusform>in {count} Chat</numerusform>
                <numerusform>in {count} Chats</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../app/hub/source.py" />
            <source>it answers too slowly</source>
            <translation>er antwortet zu langsam</translation>
        </message>
        <message>
            <location filename="../../app/hub/source.py" />
            <source>it does not answer</source>
            <translation>er antwortet nicht</translation>
        </message>
        <message>
            <location filename="../../storage/untrusted.py" />
            <source>it does not have the expected form</source>
            <translation>sie hat nicht die erwartete Form</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>it is a {kind}, which writes no text</source>
            <translation>es ist ein {kind}, das keinen Text schreibt</translation>
        </message>
        <message>
            <location filename="../../storage/untrusted.py" />
            <source>it is larger than {size} MB</source>
            <translation>sie ist größer als {size} MB</translation>
        </message>
        <message>
            <location filename="../../app/hub/verification.py" />
            <location filename="../../storage/untrusted.py" />
            <source>it is missing</source>
            <translation>sie fehlt</translation>
        </message>
        <message>
            <location filename="../../storage/untrusted.py" />
            <source>it is nested too deeply</source>
            <translation>sie ist zu tief verschachtelt</translation>
        </message>
        <message>
            <location filename="../../storage/untrusted.py" />
            <source>it is not a regular file</source>
            <translation>es ist keine gewöhnliche Datei</translation>
        </message>
        <message>
            <location filename="../../ui/theme/reread_reasons.py" />
            <source>it is not kept ready</source>
            <translation>er wird nicht bereitgehalten</translation>
        </message>
        <message>
            <location filename="../../storage/untrusted.py" />
            <source>it is not valid {form}</source>
            <translation>es ist kein gültiges {form}</translation>
        </message>
        <message>
            <location filename="../../app/hub/source.py" />
            <source>it redirects in circles</source>
            <translation>er leitet im Kreis weiter</translation>
        </message>
        <message>
            <location filename="../../engine/workers/visit.py" />
            <source>it takes too long</source>
            <translation>es dauert zu lange</translation>
        </message>
        <message>
            <location filename="../../engine/model/adapter.py" />
            <source>it was trained on other layers</source>
            <translation>er wurde auf anderen Schichten trainiert</translation>
        </message>
        <message>
            <location filename="../../app/hub/library.py" />
            <source>its address in HF_ENDPOINT is not valid</source>
            <translation>seine Adresse in HF_ENDPOINT ist ungültig</translation>
        </message>
        <message>
            <location filename="../../app/hub/source.py" />
            <source>its address is not valid</source>
            <translation>seine Adresse ist ungültig</translation>
        </message>
        <message>
            <location filename="../../app/hub/verification.py" />
            <source>its bytes are not those that were downloaded</source>
            <translation>ihr Inhalt ist nicht der heruntergeladene</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>its config.json is not that of a language model</source>
            <translation>die config.json gehört zu keinem Sprachmodell</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>its config.json names no model type</source>
            <translation>die config.json nennt keinen Modelltyp</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>its draft head is here</source>
            <translation>Vorhersagekopf vorhanden</translation>
        </message>
        <message>
            <location filename="../../app/macs/reach.py" />
            <source>its files were changed</source>
            <translation>seine Dateien wurden geändert</translation>
        </message>
        <message>
            <location filename="../../engine/model/adapter.py" />
            <source>its layers cannot be adapted so</source>
            <translation>die Schichten lassen sich so nicht anpassen</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>its name is not valid UTF-8</source>
            <translation>der Name ist kein gültiges UTF-8</translation>
        </message>
        <message>
            <location filename="../../app/base/paths.py" />
            <source>its path is too long</source>
            <translation>sein Pfad ist zu lang</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>its weights cannot be read</source>
            <translation>die Gewichte können nicht gelesen werden</translation>
        </message>
        <message>
            <location filename="../../engine/model/adapter.py" />
            <source>its weights have other sizes</source>
            <translation>die Gewichte haben andere Größen</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>keep ready on disk limit size cache free clear space waiting saved</source>
            <translation>Chats bereithalten bereitgehalten Festplatte Limit Grenze Größe Cache Platz freigeben leeren löschen Wartezeit gespart</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/memory_section.py" />
            <source>kept ready</source>
            <translation>bereit</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>keyboard keys hotkeys</source>
            <translation>Tastatur Tasten Tastenkürzel Kurzbefehle</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <source>language</source>
            <comment>variable</comment>
            <translation>Sprache</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>last day</source>
            <translation>letzter Tag</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>length maximum short</source>
            <translation>Länge Maximum lang kurz</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>loaded</source>
            <translation>geladen</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>local folder download</source>
            <translation>lokale Ordner herunterladen hinzufügen</translation>
        </message>
        <message>
            <location filename="../../app/desktop/installation.py" />
            <source>macOS runs Hearth from a temporary copy, because it was never moved. {advice}</source>
            <translation>macOS führt Hearth aus einer temporären Kopie aus, weil es nie bewegt wurde. {advice}</translation>
        </message>
        <message>
            <location filename="../../app/models/purpose.py" />
            <source>mathematics</source>
            <comment>what a model is made for</comment>
            <translation>Mathematik</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>more layers because it is faster</source>
            <translation>mehr Schichten, weil er schneller ist</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/conversations_model.py" />
            <location filename="../../ui/window/tab_strip.py" />
            <source>new answer</source>
            <translation>neue Antwort</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>no</source>
            <translation>nein</translation>
        </message>
        <message>
            <location filename="../../app/macs/worker.py" />
            <location filename="../../engine/workers/visit.py" />
            <source>no machine has this name</source>
            <translation>kein Gerät hat diesen Namen</translation>
        </message>
        <message>
            <location filename="../../engine/workers/visit.py" />
            <source>no machine is there, or the system does not let Hearth use the local network</source>
            <translation>dort ist kein Gerät, oder das System lässt Hearth nicht in das lokale Netzwerk</translation>
        </message>
        <message>
            <location filename="../../app/cache/monitor.py" />
            <source>not a file</source>
            <translation>keine Datei</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>not kept</source>
            <comment>badge</comment>
            <translation>nicht bereit</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>not used: Hearth runs the text part</source>
            <translation>nicht benutzt: Hearth führt den Textteil aus</translation>
        </message>
        <message>
            <location filename="../../app/conversations/chat_memory.py" />
            <source>nothing</source>
            <translation>nichts</translation>
        </message>
        <message>
            <location filename="../../ui/theme/reread_reasons.py" />
            <source>nothing of it is kept on this computer</source>
            <translation>auf diesem Computer ist nichts davon gespeichert</translation>
        </message>
        <message>
            <location filename="../../ui/theme/reread_reasons.py" />
            <source>nothing was kept for this point of it</source>
            <translation>für diese Stelle ist nichts gespeichert</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>nothing yet</source>
            <translation>noch nichts</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>notifications alerts</source>
            <translation>Mitteilungen Benachrichtigungen Hinweise</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <location filename="../../ui/sidebar/conversations_model.py" />
            <location filename="../../ui/theme/phrases.py" />
            <source>now</source>
            <translation>jetzt</translation>
        </message>
        <message>
            <location filename="../../app/cache/monitor.py" />
            <source>of the wrong size</source>
            <translation>mit falscher Größe</translation>
        </message>
        <message>
            <location filename="../../ui/window/palette_entries.py" />
            <source>off</source>
            <translation>aus</translation>
        </message>
        <message>
            <location filename="../../ui/window/palette_entries.py" />
            <source>on</source>
            <translation>ein</translation>
        </message>
        <message>
            <location filename="../../app/hub/found_models.py" />
            <source>only with a token that the publisher has admitted</source>
            <translation>nur mit einem Token, das der Herausgeber zugelassen hat</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>other apps</source>
            <translation>andere Apps</translation>
        </message>
        <message>
            <location filename="../../ui/sidebar/conversations_model.py" />
            <source>pinned</source>
            <translation>fixiert</translation>
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>preset of Hearth's</source>
            <translation>Voreinstellung von Hearth</translation>
        </message>
        <message>
            <location filename="../../ui/window/chat_pages.py" />
            <location filename="../../ui/window/tab_strip.py" />
            <source>private</source>
            <translation>privat</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>reading</source>
            <comment>badge</comment>
            <translation>liest</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/wanted_model.py" />
            <source>reading its weights</source>
            <translation>Gewichte einlesen</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>reading {done} of {total} tokens</source>
            <comment>badge</comment>
            <translation>liest {done} von {total} Token</translation>
        </message>
        <message>
            <location filename="../../app/conversations/attaching.py" />
            <source>reading…</source>
            <translation>wird eingelesen …</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>ready</source>
            <comment>badge</comment>
            <translation>bereit</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>ready at once</source>
            <translation>sofort bereit</translation>
        </message>
        <message>
            <location filename="../../ui/composer/button_row.py" />
            <source>ready for this chat</source>
            <translation>bereit für diesen Chat</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/models/row_words.py" />
            <source>ready for {count} chats</source>
            <extracomment>For one: ready for {count} chat</extracomment>
            <translation>
                <numerusform>bereit für {count} Chat</numerusform>
                <numerusform>bereit für {count} Chats</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../app/models/purpose.py" />
            <source>reasoning</source>
            <comment>what a model is made for</comment>
            <translation>Nachdenken</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>recently deleted chats</source>
            <translation>zuletzt gelöschte Chats</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>restored in {time}</source>
            <translation>wieder bereit in {time}</translation>
        </message>
        <message>
            <location filename="../../app/hub/found_models.py" />
            <source>runs from {gb} GB</source>
            <translation>läuft ab {gb} GB</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>shared by several chats</source>
            <translation>von mehreren Chats geteilt</translation>
        </message>
        <message>
            <location filename="../../app/base/locks.py" />
            <source>something stands in the place of {name}</source>
            <translation>an der Stelle von {name} liegt etwas</translation>
        </message>
        <message>
            <location filename="../../storage/folders.py" />
            <source>something that Hearth did not make is in its place</source>
            <translation>an seiner Stelle ist etwas, das Hearth nicht angelegt hat</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>startup launch session</source>
            <translation>Programmstart öffnen Sitzung</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>studio.local</source>
            <comment>an example</comment>
            <translation>studio.local</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <location filename="../../ui/state/settings_table.py" />
            <source>system prompt persona role</source>
            <translation>Systemprompt Rolle Vorgaben</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>temperature</source>
            <translation>Temperatur</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <source>text</source>
            <comment>variable</comment>
            <translation>Text</translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>text before the first message was left out of {count} chats</source>
            <extracomment>For one: text before the first message was left out</extracomment>
            <translation>
                <numerusform>Text vor der ersten Nachricht wurde ausgelassen</numerusform>
                <numerusform>Text vor der ersten Nachricht wurde bei {count} Chats ausgelassen</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>text only</source>
            <translation>nur Text</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/fetcher.py" />
            <location filename="../../app/hub/source.py" />
            <source>the connection broke off</source>
            <translation>die Verbindung brach ab</translation>
        </message>
        <message>
            <location filename="../../engine/workers/channel.py" />
            <source>the connection was closed</source>
            <translation>die Verbindung wurde geschlossen</translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>the ends of {count} parts are missing, damaged or too large and were left out</source>
            <extracomment>For one: the end of the file is missing, damaged or too large and was left out</extracomment>
            <translation>
                <numerusform>das Ende der Datei fehlt, ist beschädigt oder zu groß und wurde ausgelassen</numerusform>
                <numerusform>die Enden von {count} Teilen fehlen, sind beschädigt oder zu groß und wurden ausgelassen</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../ui/theme/reread_reasons.py" />
            <source>the instructions were changed</source>
            <translation>die Anweisungen wurden geändert</translation>
        </message>
        <message>
            <location filename="../../app/hub/token_setting.py" />
            <source>the keychain</source>
            <translation>dem Schlüsselbund</translation>
        </message>
        <message>
            <location filename="../../ui/theme/reread_reasons.py" />
            <source>the model last ran on other Macs, or was divided between them otherwise</source>
            <translation>das Modell lief zuletzt auf anderen Macs oder war anders auf sie aufgeteilt</translation>
        </message>
        <message>
            <location filename="../../ui/theme/reread_reasons.py" />
            <source>the model leaves its earlier reasoning out</source>
            <translation>das Modell lässt seine früheren Überlegungen weg</translation>
        </message>
        <message>
            <location filename="../../app/chat/status.py" />
            <source>the model's context is full</source>
            <translation>der Kontext des Modells ist voll</translation>
        </message>
        <message>
            <location filename="../../app/hub/source.py" />
            <source>the proxy in ALL_PROXY or HTTPS_PROXY (not SOCKS), or the file in SSL_CERT_FILE, cannot be used</source>
            <translation>der Proxy in ALL_PROXY oder HTTPS_PROXY (nicht SOCKS) oder die Datei in SSL_CERT_FILE kann nicht verwendet werden</translation>
        </message>
        <message>
            <location filename="../../app/hub/verification.py" />
            <source>the record of the download cannot be read</source>
            <translation>die Aufzeichnung des Downloads kann nicht gelesen werden</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>the system does not say why</source>
            <translation>das System nennt keinen Grund</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>the system lets it write no larger file (see ulimit -f)</source>
            <translation>das System erlaubt keine größere Datei (siehe ulimit -f)</translation>
        </message>
        <message>
            <location filename="../../app/hub/verification.py" />
            <source>the system refuses to read it ({strerror})</source>
            <translation>das System verweigert das Lesen ({strerror})</translation>
        </message>
        <message>
            <location filename="../../storage/untrusted.py" />
            <source>the system refuses to read it ({why})</source>
            <translation>das System verweigert das Lesen ({why})</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>theme colours colors mode</source>
            <translation>Farben Design Modus Thema</translation>
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>this computer seems to be offline</source>
            <translation>Sie sind wohl offline</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>this copy comes without its draft head</source>
            <translation>diese Kopie kommt ohne Vorhersagekopf</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>this message: {tokens}</source>
            <translation>diese Nachricht: {tokens}</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>this message: {tokens}, {time} to read</source>
            <translation>diese Nachricht: {tokens}, {time} Lesezeit</translation>
        </message>
        <message>
            <location filename="../../ui/transcript/message_lines.py" />
            <source>tool</source>
            <translation>Werkzeug</translation>
        </message>
        <message>
            <location filename="../../app/models/purpose.py" />
            <source>tool use</source>
            <comment>what a model is made for</comment>
            <translation>Werkzeuge</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/wanted_model.py" />
            <source>trying it</source>
            <translation>kurzer Probelauf</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>under 1 s</source>
            <translation>unter 1 s</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>used just now</source>
            <translation>gerade benutzt</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>used {time}</source>
            <translation>benutzt {time}</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/sampling_section.py" />
            <source>values save import sampling</source>
            <translation>Werte sichern importieren Sampling</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>waiting</source>
            <comment>badge</comment>
            <translation>wartet</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/wanted_model.py" />
            <source>waiting for the other Macs</source>
            <translation>auf die anderen Macs warten</translation>
        </message>
        <message>
            <location filename="../../ui/models/detail_pane.py" />
            <source>weights</source>
            <translation>Gewichte</translation>
        </message>
        <message>
            <location filename="../../engine/model/adapter.py" />
            <source>weights of some layers are missing</source>
            <translation>die Gewichte einiger Schichten fehlen</translation>
        </message>
        <message>
            <location filename="../../ui/theme/reread_reasons.py" />
            <source>what was kept of it could not be read from the disk</source>
            <translation>der gespeicherte Stand ließ sich nicht von der Festplatte lesen</translation>
        </message>
        <message>
            <location filename="../../ui/theme/reread_reasons.py" />
            <source>what was kept of it could not be used</source>
            <translation>der gespeicherte Stand ließ sich nicht verwenden</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/memory_section.py" />
            <source>will be read</source>
            <translation>wird noch gelesen</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>will be read</source>
            <comment>badge</comment>
            <translation>noch zu lesen</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>will be read again</source>
            <comment>badge</comment>
            <translation>wird neu gelesen</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>will be read again, {time}</source>
            <comment>badge</comment>
            <translation>wird neu gelesen, {time}</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>will be read, {time}</source>
            <comment>badge</comment>
            <translation>noch zu lesen, {time}</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>yes</source>
            <translation>ja</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>yes; its template keeps it in the chat</source>
            <translation>ja; die Vorlage behält sie im Chat</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>yes; its template leaves it out of later turns</source>
            <translation>ja; die Vorlage lässt sie später weg</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>yes; its template rewrites earlier turns</source>
            <translation>ja; die Vorlage schreibt Früheres um</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>{bits}-bit</source>
            <translation>{bits} Bit</translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/cache/check.py" />
            <source>{chats} and {count} other chats</source>
            <extracomment>For one: {chats} and {count} other chat</extracomment>
            <translation>
                <numerusform>{chats} und {count} weiterer Chat</numerusform>
                <numerusform>{chats} und {count} weitere Chats</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>{count:.1f} billion</source>
            <translation>{count:.1f} Milliarden</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>{count:.1f} million</source>
            <translation>{count:.1f} Millionen</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/chat/status_strip.py" />
            <location filename="../../ui/models/model_settings.py" />
            <source>{count} Macs</source>
            <extracomment>For one: {count} Mac</extracomment>
            <translation>
                <numerusform>{count} Mac</numerusform>
                <numerusform>{count} Macs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/base/errors.py" />
            <source>{count} attached files are no longer there.</source>
            <extracomment>For one: {count} attached file is no longer there.</extracomment>
            <translation>
                <numerusform>{count} angehängte Datei ist nicht mehr da.</numerusform>
                <numerusform>{count} angehängte Dateien sind nicht mehr da.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/models/facts.py" />
            <source>{count} attention layers</source>
            <extracomment>For one: {count} attention layer</extracomment>
            <translation>
                <numerusform>{count} Attention-Schicht</numerusform>
                <numerusform>{count} Attention-Schichten</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/theme/phrases.py" />
            <source>{count} bytes</source>
            <extracomment>For one: {count} byte</extracomment>
            <translation>
                <numerusform>{count} Byte</numerusform>
                <numerusform>{count} Byte</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/backup/recovery.py" />
            <location filename="../../ui/sidebar/conversations_model.py" />
            <source>{count} chats</source>
            <extracomment>For one: {count} chat</extracomment>
            <translation>
                <numerusform>{count} Chat</numerusform>
                <numerusform>{count} Chats</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} chats branch so often that their replies are stored in pieces</source>
            <extracomment>For one: {count} chat branches so often that its replies are stored in pieces</extracomment>
            <translation>
                <numerusform>{count} Chat verzweigt sich so oft, dass die Antworten in Teilen gespeichert sind</numerusform>
                <numerusform>{count} Chats verzweigen sich so oft, dass die Antworten in Teilen gespeichert sind</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/conversations/transfer.py" />
            <location filename="../../ui/window/paper.py" />
            <source>{count} chats exported to {name}.</source>
            <extracomment>For one: {count} chat exported to {name}.</extracomment>
            <translation>
                <numerusform>{count} Chat nach {name} exportiert.</numerusform>
                <numerusform>{count} Chats nach {name} exportiert.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/conversations/transfer.py" />
            <source>{count} chats imported, {known}.</source>
            <extracomment>For one: {count} chat imported, {known}.</extracomment>
            <translation>
                <numerusform>{count} Chat importiert, {known}.</numerusform>
                <numerusform>{count} Chats importiert, {known}.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/conversations/transfer.py" />
            <source>{count} chats imported.</source>
            <extracomment>For one: {count} chat imported.</extracomment>
            <translation>
                <numerusform>{count} Chat importiert.</numerusform>
                <numerusform>{count} Chats importiert.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/theme/phrases.py" />
            <source>{count} chats loaded</source>
            <extracomment>For one: {count} chat loaded</extracomment>
            <translation>
                <numerusform>{count} Chat geladen</numerusform>
                <numerusform>{count} Chats geladen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/conversations/removal.py" />
            <source>{count} chats were deleted.</source>
            <extracomment>For one: {count} chat was deleted.</extracomment>
            <translation>
                <numerusform>{count} Chat wurde gelöscht.</numerusform>
                <numerusform>{count} Chats wurden gelöscht.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} chats without a word were left out</source>
            <extracomment>For one: {count} chat without a word was left out</extracomment>
            <translation>
                <numerusform>{count} Chat ohne ein Wort wurde ausgelassen</numerusform>
                <numerusform>{count} Chats ohne ein Wort wurden ausgelassen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} circles of messages were opened</source>
            <extracomment>For one: {count} circle of messages was opened</extracomment>
            <translation>
                <numerusform>{count} Kreis von Nachrichten wurde geöffnet</numerusform>
                <numerusform>{count} Kreise von Nachrichten wurden geöffnet</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/cache/monitor.py" />
            <source>{count} damaged files put aside, and those parts read again: {kinds}.</source>
            <extracomment>For one: {count} damaged file put aside, and that part read again: {kinds}.</extracomment>
            <translation>
                <numerusform>{count} beschädigte Datei wurde beiseitegelegt und der Teil neu gelesen: {kinds}.</numerusform>
                <numerusform>{count} beschädigte Dateien wurden beiseitegelegt und die Teile neu gelesen: {kinds}.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} dates were impossible and were ignored</source>
            <extracomment>For one: {count} date was impossible and was ignored</extracomment>
            <translation>
                <numerusform>{count} Datum war unmöglich und wurde ignoriert</numerusform>
                <numerusform>{count} Datumsangaben waren unmöglich und wurden ignoriert</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/dialogs/recently_deleted.py" />
            <source>{count} days left</source>
            <extracomment>For one: {count} day left</extracomment>
            <translation>
                <numerusform>noch {count} Tag</numerusform>
                <numerusform>noch {count} Tage</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/chat/attachments.py" />
            <location filename="../../ui/composer/queue_rows.py" />
            <source>{count} files</source>
            <extracomment>For one: {count} file</extracomment>
            <translation>
                <numerusform>{count} Datei</numerusform>
                <numerusform>{count} Dateien</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/models/welcome.py" />
            <source>{count} from LM Studio</source>
            <extracomment>For one: {count} from LM Studio</extracomment>
            <translation>
                <numerusform>{count} aus LM Studio</numerusform>
                <numerusform>{count} aus LM Studio</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/models/welcome.py" />
            <source>{count} in Hearth's folder</source>
            <extracomment>For one: {count} in Hearth's folder</extracomment>
            <translation>
                <numerusform>{count} im Ordner von Hearth</numerusform>
                <numerusform>{count} im Ordner von Hearth</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/models/welcome.py" />
            <source>{count} in your Hugging Face cache</source>
            <extracomment>For one: {count} in your Hugging Face cache</extracomment>
            <translation>
                <numerusform>{count} im Hugging-Face-Cache</numerusform>
                <numerusform>{count} im Hugging-Face-Cache</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/models/welcome.py" />
            <source>{count} in your folders</source>
            <extracomment>For one: {count} in your folders</extracomment>
            <translation>
                <numerusform>{count} in Ihren Ordnern</numerusform>
                <numerusform>{count} in Ihren Ordnern</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/chat/turn_removal.py" />
            <source>{count} later turns stay with the former version. The arrows below the message lead back to them.</source>
            <extracomment>For one: {count} later turn stays with the former version. The arrows below the message lead back to it.</extracomment>
            <translation>
                <numerusform>{count} spätere Frage bleibt mit ihrer Antwort bei der früheren Fassung. Die Pfeile unter der Nachricht führen zu ihr zurück.</numerusform>
                <numerusform>{count} spätere Fragen bleiben mit ihren Antworten bei der früheren Fassung. Die Pfeile unter der Nachricht führen zu ihnen zurück.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/cache/check.py" />
            <source>{count} left-over files were removed.</source>
            <extracomment>For one: A left-over file was removed.</extracomment>
            <translation>
                <numerusform>Eine übrige Datei wurde entfernt.</numerusform>
                <numerusform>{count} übrige Dateien wurden entfernt.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} lines that name another speaker were kept as words of a message</source>
            <extracomment>For one: {count} line that names another speaker was kept as words of a message</extracomment>
            <translation>
                <numerusform>{count} Zeile, die einen anderen Sprecher nennt, blieb Text einer Nachricht</numerusform>
                <numerusform>{count} Zeilen, die einen anderen Sprecher nennen, blieben Text einer Nachricht</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/backup/recovery.py" />
            <source>{count} messages</source>
            <extracomment>For one: {count} message</extracomment>
            <translation>
                <numerusform>{count} Nachricht</numerusform>
                <numerusform>{count} Nachrichten</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/backup/recovery.py" />
            <source>{count} messages could not be read in full.</source>
            <extracomment>For one: {count} message could not be read in full.</extracomment>
            <translation>
                <numerusform>{count} Nachricht konnte nicht vollständig gelesen werden.</numerusform>
                <numerusform>{count} Nachrichten konnten nicht vollständig gelesen werden.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} messages of unknown speakers were given to the assistant</source>
            <extracomment>For one: {count} message of an unknown speaker was given to the assistant</extracomment>
            <translation>
                <numerusform>{count} Nachricht eines unbekannten Sprechers wurde dem Assistenten zugeordnet</numerusform>
                <numerusform>{count} Nachrichten unbekannter Sprecher wurden dem Assistenten zugeordnet</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/theme/phrases.py" />
            <source>{count} messages were not sent yet</source>
            <extracomment>For one: {count} message was not sent yet</extracomment>
            <translation>
                <numerusform>{count} Nachricht wurde noch nicht gesendet</numerusform>
                <numerusform>{count} Nachrichten wurden noch nicht gesendet</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} messages whose place was unknown were put at the start of their chat</source>
            <extracomment>For one: {count} message whose place was unknown was put at the start of its chat</extracomment>
            <translation>
                <numerusform>{count} Nachricht mit unbekannter Stelle wurde an den Anfang ihres Chats gesetzt</numerusform>
                <numerusform>{count} Nachrichten mit unbekannter Stelle wurden an den Anfang ihres Chats gesetzt</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/models/facts.py" />
            <source>{count} mixed layers</source>
            <extracomment>For one: {count} mixed layer</extracomment>
            <translation>
                <numerusform>{count} gemischte Schicht</numerusform>
                <numerusform>{count} gemischte Schichten</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/models/presenter.py" />
            <source>{count} models were found in {folder}.</source>
            <extracomment>For one: {count} model was found in {folder}.</extracomment>
            <translation>
                <numerusform>{count} Modell wurde in {folder} gefunden.</numerusform>
                <numerusform>{count} Modelle wurden in {folder} gefunden.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>{count} models, {size}</source>
            <extracomment>For one: {count} model, {size}</extracomment>
            <translation>
                <numerusform>{count} Modell, {size}</numerusform>
                <numerusform>{count} Modelle, {size}</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/chat/overflow.py" />
            <source>{count} older messages of this chat will not be read from now on, to make room. A line in the chat shows where the model begins to read.</source>
            <extracomment>For one: {count} older message of this chat will not be read from now on, to make room. A line in the chat shows where the model begins to read.</extracomment>
            <translation>
                <numerusform>{count} ältere Nachricht dieses Chats wird ab jetzt nicht gelesen, um Platz zu schaffen. Eine Linie im Chat zeigt, wo das Modell zu lesen beginnt.</numerusform>
                <numerusform>{count} ältere Nachrichten dieses Chats werden ab jetzt nicht gelesen, um Platz zu schaffen. Eine Linie im Chat zeigt, wo das Modell zu lesen beginnt.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/engine_client/model_switch.py" />
            <source>{count} other chats</source>
            <extracomment>For one: {count} other chat</extracomment>
            <translation>
                <numerusform>{count} weiterer Chat</numerusform>
                <numerusform>{count} weitere Chats</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/conversations/transfer.py" />
            <source>{count} other files were not imported.</source>
            <extracomment>For one: {count} other file was not imported.</extracomment>
            <translation>
                <numerusform>{count} weitere Datei wurde nicht importiert.</numerusform>
                <numerusform>{count} weitere Dateien wurden nicht importiert.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/models/facts.py" />
            <source>{count} other layers</source>
            <extracomment>For one: {count} other layer</extracomment>
            <translation>
                <numerusform>{count} andere Schicht</numerusform>
                <numerusform>{count} andere Schichten</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/chat/attachments.py" />
            <source>{count} pages</source>
            <extracomment>For one: {count} page</extracomment>
            <translation>
                <numerusform>{count} Seite</numerusform>
                <numerusform>{count} Seiten</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/conversations/transfer.py" />
            <source>{count} presets were added.</source>
            <extracomment>For one: {count} preset was added.</extracomment>
            <translation>
                <numerusform>{count} Voreinstellung wurde hinzugefügt.</numerusform>
                <numerusform>{count} Voreinstellungen wurden hinzugefügt.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} prompts and presets were unreadable, or too many, and were left out</source>
            <extracomment>For one: {count} prompt or preset was unreadable, or one too many, and was left out</extracomment>
            <translation>
                <numerusform>{count} Prompt oder eine Voreinstellung war unlesbar oder zu viel und wurde ausgelassen</numerusform>
                <numerusform>{count} Prompts und Voreinstellungen waren unlesbar oder zu viele und wurden ausgelassen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/conversations/prompts.py" />
            <source>{count} prompts exported.</source>
            <extracomment>For one: {count} prompt exported.</extracomment>
            <translation>
                <numerusform>{count} Prompt exportiert.</numerusform>
                <numerusform>{count} Prompts exportiert.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/conversations/prompts.py" />
            <source>{count} prompts imported.</source>
            <extracomment>For one: {count} prompt imported.</extracomment>
            <translation>
                <numerusform>{count} Prompt importiert.</numerusform>
                <numerusform>{count} Prompts importiert.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} prompts or sets of instructions were too long and were shortened</source>
            <extracomment>For one: {count} prompt or set of instructions was too long and was shortened</extracomment>
            <translation>
                <numerusform>{count} Prompt oder Anweisungstext war zu lang und wurde gekürzt</numerusform>
                <numerusform>{count} Prompts oder Anweisungstexte waren zu lang und wurden gekürzt</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/conversations/transfer.py" />
            <source>{count} prompts were added.</source>
            <extracomment>For one: {count} prompt was added.</extracomment>
            <translation>
                <numerusform>{count} Prompt wurde hinzugefügt.</numerusform>
                <numerusform>{count} Prompts wurden hinzugefügt.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/chat/turn_removal.py" />
            <source>{count} questions and their answers were deleted.</source>
            <extracomment>For one: The question and its answer were deleted.</extracomment>
            <translation>
                <numerusform>Die Frage und ihre Antwort wurden gelöscht.</numerusform>
                <numerusform>{count} Fragen und ihre Antworten wurden gelöscht.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/models/facts.py" />
            <source>{count} recurrent layers</source>
            <extracomment>For one: {count} recurrent layer</extracomment>
            <translation>
                <numerusform>{count} rekurrente Schicht</numerusform>
                <numerusform>{count} rekurrente Schichten</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/models/facts.py" />
            <source>{count} sliding window layers</source>
            <extracomment>For one: {count} sliding window layer</extracomment>
            <translation>
                <numerusform>{count} Schicht mit gleitendem Fenster</numerusform>
                <numerusform>{count} Schichten mit gleitendem Fenster</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/chat/attachments.py" />
            <source>{count} that .gitignore names</source>
            <extracomment>For one: {count} that .gitignore names</extracomment>
            <translation>
                <numerusform>{count} laut .gitignore</numerusform>
                <numerusform>{count} laut .gitignore</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/chat/attachments.py" />
            <source>{count} that are empty</source>
            <extracomment>For one: {count} that is empty</extracomment>
            <translation>
                <numerusform>{count} leer</numerusform>
                <numerusform>{count} leer</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/chat/attachments.py" />
            <source>{count} that are links</source>
            <extracomment>For one: {count} that is a link</extracomment>
            <translation>
                <numerusform>{count} Verknüpfung</numerusform>
                <numerusform>{count} Verknüpfungen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/chat/attachments.py" />
            <source>{count} that are not text</source>
            <extracomment>For one: {count} that is not text</extracomment>
            <translation>
                <numerusform>{count} ohne Text</numerusform>
                <numerusform>{count} ohne Text</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/chat/attachments.py" />
            <source>{count} that are too large</source>
            <extracomment>For one: {count} that is too large</extracomment>
            <translation>
                <numerusform>{count} zu groß</numerusform>
                <numerusform>{count} zu groß</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/chat/attachments.py" />
            <source>{count} that cannot be read</source>
            <extracomment>For one: {count} that cannot be read</extracomment>
            <translation>
                <numerusform>{count} nicht lesbar</numerusform>
                <numerusform>{count} nicht lesbar</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/chat/status.py" />
            <location filename="../../ui/theme/phrases.py" />
            <source>{count} tokens</source>
            <extracomment>For one: {count} token</extracomment>
            <translation>
                <numerusform>{count} Token</numerusform>
                <numerusform>{count} Token</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} unreadable characters were replaced</source>
            <extracomment>For one: {count} unreadable character was replaced</extracomment>
            <translation>
                <numerusform>{count} unlesbares Zeichen wurde ersetzt</numerusform>
                <numerusform>{count} unlesbare Zeichen wurden ersetzt</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} unreadable chats were left out</source>
            <extracomment>For one: {count} unreadable chat was left out</extracomment>
            <translation>
                <numerusform>{count} unlesbarer Chat wurde ausgelassen</numerusform>
                <numerusform>{count} unlesbare Chats wurden ausgelassen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} unreadable details were ignored</source>
            <extracomment>For one: {count} unreadable detail was ignored</extracomment>
            <translation>
                <numerusform>{count} unlesbare Einzelheit wurde ignoriert</numerusform>
                <numerusform>{count} unlesbare Einzelheiten wurden ignoriert</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} unreadable messages were left out</source>
            <extracomment>For one: {count} unreadable message was left out</extracomment>
            <translation>
                <numerusform>{count} unlesbare Nachricht wurde ausgelassen</numerusform>
                <numerusform>{count} unlesbare Nachrichten wurden ausgelassen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/import_export/import_summary.py" />
            <source>{count} unreadable parts of the zip file were left out</source>
            <extracomment>For one: {count} unreadable part of the zip file was left out</extracomment>
            <translation>
                <numerusform>{count} unlesbarer Teil der ZIP-Datei wurde ausgelassen</numerusform>
                <numerusform>{count} unlesbare Teile der ZIP-Datei wurden ausgelassen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/conversations/transfer.py" />
            <source>{count} were here already</source>
            <extracomment>For one: {count} was here already</extracomment>
            <translation>
                <numerusform>{count} war schon vorhanden</numerusform>
                <numerusform>{count} waren schon vorhanden</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>{count}, {bits:g}-bit</source>
            <translation>{count}, {bits:g} Bit</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{date}, {time}</source>
            <translation>{date}, {time}</translation>
        </message>
        <message>
            <location filename="../../app/cache/check.py" />
            <source>{done} were read again and compared.</source>
            <translation>{done} wurden neu gelesen und verglichen.</translation>
        </message>
        <message>
            <location filename="../../app/chat/attachments.py" />
            <source>{files}, {missing} left out, {size}</source>
            <translation>{files}, {missing} weggelassen, {size}</translation>
        </message>
        <message>
            <location filename="../../app/chat/attachments.py" />
            <source>{files}, {size}</source>
            <translation>{files}, {size}</translation>
        </message>
        <message>
            <location filename="../../ui/composer/attachment_chips.py" />
            <location filename="../../ui/transcript/question_lines.py" />
            <source>{file}
Click to see what the model is given</source>
            <translation>{file}
Klicken, um zu sehen, was das Modell bekommt</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>{free} of {memory} free</source>
            <translation>{free} von {memory} frei</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>{gb} GB or more</source>
            <translation>{gb} GB oder mehr</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>{hours} h left</source>
            <translation>noch {hours} Std.</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>{hours} h {minutes} min left</source>
            <translation>noch {hours} Std. {minutes} Min.</translation>
        </message>
        <message>
            <location filename="../../app/hub/errors.py" />
            <source>{hub} cannot be reached: {why}.</source>
            <translation>{hub} ist nicht erreichbar: {why}.</translation>
        </message>
        <message numerus="yes">
            <location filename="../../ui/inspector/memory_section.py" />
            <source>{kept} of {count} turns kept</source>
            <extracomment>For one: {kept} of {count} turn kept</extracomment>
            <translation>
                <numerusform>{kept} von {count} Nachricht bereit</numerusform>
                <numerusform>{kept} von {count} Nachrichten bereit</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../ui/markdown/lines.py" />
            <source>{language} · shown as code</source>
            <translation>{language} · als Code gezeigt</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>{left} smaller chats are not shown.</source>
            <translation>{left} kleinere Chats werden nicht gezeigt.</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <location filename="../../ui/models/model_settings.py" />
            <source>{limit} tokens</source>
            <translation>{limit} Token</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/hosting.py" />
            <source>{mac} does not answer.</source>
            <translation>{mac} antwortet nicht.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/hosting.py" />
            <source>{mac} has another version of Hearth. Install the same version on both.</source>
            <translation>{mac} hat eine andere Version von Hearth. Installieren Sie auf beiden dieselbe.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/hosting.py" />
            <source>{mac} was about to compute something else than this Mac, so the answer was stopped.</source>
            <translation>{mac} wollte etwas anderes berechnen als dieser Mac. Deshalb wurde die Antwort angehalten.</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>{megabytes:.1f} MB</source>
            <translation>{megabytes:.1f} MB</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{milliseconds:.0f} ms</source>
            <translation>{milliseconds:.0f} ms</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>{minutes} min left</source>
            <translation>noch {minutes} Min.</translation>
        </message>
        <message>
            <location filename="../../app/models/model_folders.py" />
            <source>{missing} of its {count} files with weights are missing.</source>
            <translation>{missing} von {count} Dateien mit Gewichten fehlen.</translation>
        </message>
        <message>
            <location filename="../../app/base/errors.py" />
            <source>{model} cannot be loaded. {why}</source>
            <translation>{model} kann nicht geladen werden. {why}</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/fetcher.py" />
            <source>{model} is there already, and Hearth did not download it. Move it elsewhere to download the model.</source>
            <translation>{model} ist schon da und wurde nicht von Hearth heruntergeladen. Bewegen Sie es woandershin, um das Modell herunterzuladen.</translation>
        </message>
        <message>
            <location filename="../../app/models/local_models.py" />
            <source>{more} more, which the log names</source>
            <translation>{more} weitere, die im Protokoll stehen</translation>
        </message>
        <message>
            <location filename="../../engine/workers/errors.py" />
            <source>{name} already works for another Hearth on this Mac. Close that one first.</source>
            <translation>{name} arbeitet bereits für ein anderes Hearth auf diesem Mac. Schließen Sie dieses zuerst.</translation>
        </message>
        <message numerus="yes">
            <location filename="../../app/engine_client/chat_models.py" />
            <source>{name} answers {count} chats of the built-in model from now on.</source>
            <extracomment>For one: {name} answers {count} chat of the built-in model from now on.</extracomment>
            <translation>
                <numerusform>{name} beantwortet ab jetzt {count} Chat des integrierten Modells.</numerusform>
                <numerusform>{name} beantwortet ab jetzt {count} Chats des integrierten Modells.</numerusform>
            </translation>
        </message>
        <message>
            <location filename="../../app/hub/removal.py" />
            <source>{name} cannot be deleted: {reason}.</source>
            <translation>{name} kann nicht gelöscht werden: {reason}.</translation>
        </message>
        <message>
            <location filename="../../app/import_export/files.py" />
            <source>{name} cannot be read: {strerror}.</source>
            <translation>{name} kann nicht gelesen werden: {strerror}.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>{name} cannot be used. {refusal}</source>
            <translation>{name} kann nicht benutzt werden. {refusal}</translation>
        </message>
        <message>
            <location filename="../../app/base/own_files.py" />
            <source>{name} cannot be written: {reason}.</source>
            <translation>{name} kann nicht geschrieben werden: {reason}.</translation>
        </message>
        <message>
            <location filename="../../engine/workers/errors.py" />
            <source>{name} cannot do it: {detail}.</source>
            <translation>{name} kann das nicht: {detail}.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/wanted_model.py" />
            <source>{name} could not be loaded · the next message tries it again</source>
            <translation>{name} konnte nicht geladen werden · die nächste Nachricht versucht es erneut</translation>
        </message>
        <message>
            <location filename="../../engine/workers/errors.py" />
            <source>{name} does not answer: {why}.</source>
            <translation>{name} antwortet nicht: {why}.</translation>
        </message>
        <message>
            <location filename="../../engine/workers/errors.py" />
            <source>{name} does not have enough free space: {detail} more is needed.</source>
            <translation>{name} hat nicht genug freien Speicherplatz: Es fehlen {detail}.</translation>
        </message>
        <message>
            <location filename="../../engine/workers/errors.py" />
            <source>{name} does not understand this Mac. Install the same Hearth on both.</source>
            <translation>{name} versteht diesen Mac nicht. Installieren Sie auf beiden dasselbe Hearth.</translation>
        </message>
        <message>
            <location filename="../../engine/server/server.py" />
            <source>{name} failed twice in a row and was unloaded.</source>
            <translation>In {name} ist zweimal nacheinander ein Fehler aufgetreten, und es wurde entladen.</translation>
        </message>
        <message>
            <location filename="../../engine/workers/model_copy.py" />
            <source>{name} has a name that no other Mac takes</source>
            <translation>{name} hat einen Namen, den kein anderer Mac annimmt</translation>
        </message>
        <message>
            <location filename="../../app/conversations/prompts.py" />
            <source>{name} has more than {most} prompts.</source>
            <translation>{name} hat mehr als {most} Prompts.</translation>
        </message>
        <message>
            <location filename="../../engine/workers/errors.py" />
            <source>{name} has other versions ({detail}). Install the same Hearth on both.</source>
            <translation>{name} hat andere Versionen ({detail}). Installieren Sie auf beiden dasselbe Hearth.</translation>
        </message>
        <message>
            <location filename="../../engine/model/file_checks.py" />
            <source>{name} in its folder is not a file.</source>
            <translation>{name} im Ordner ist keine Datei.</translation>
        </message>
        <message>
            <location filename="../../engine/workers/model_copy.py" />
            <source>{name} is a link that leads out of its folder</source>
            <translation>{name} ist ein Link, der aus dem Ordner hinausführt</translation>
        </message>
        <message>
            <location filename="../../app/macs/copies.py" />
            <source>{name} is copied to {mac} next.</source>
            <translation>{name} wird danach auf {mac} kopiert.</translation>
        </message>
        <message>
            <location filename="../../storage/database.py" />
            <source>{name} is damaged: it has parts that are not Hearth's.</source>
            <translation>{name} ist beschädigt: Teile davon stammen nicht von Hearth.</translation>
        </message>
        <message>
            <location filename="../../storage/database.py" />
            <source>{name} is damaged: it holds nothing of Hearth's.</source>
            <translation>{name} ist beschädigt: Nichts darin stammt von Hearth.</translation>
        </message>
        <message>
            <location filename="../../storage/database.py" />
            <source>{name} is damaged: it is empty.</source>
            <translation>{name} ist beschädigt: Die Datei ist leer.</translation>
        </message>
        <message>
            <location filename="../../storage/copies.py" />
            <location filename="../../storage/database.py" />
            <source>{name} is damaged: it is not a file.</source>
            <translation>{name} ist beschädigt: Es ist keine Datei.</translation>
        </message>
        <message>
            <location filename="../../storage/database.py" />
            <source>{name} is damaged: its header is not valid.</source>
            <translation>{name} ist beschädigt: Der Dateikopf ist ungültig.</translation>
        </message>
        <message>
            <location filename="../../storage/database.py" />
            <source>{name} is damaged: parts of it are missing.</source>
            <translation>{name} ist beschädigt: Teile fehlen.</translation>
        </message>
        <message>
            <location filename="../../app/models/choice.py" />
            <source>{name} is downloaded and answers new chats.</source>
            <translation>{name} ist heruntergeladen und beantwortet neue Chats.</translation>
        </message>
        <message>
            <location filename="../../app/models/choice.py" />
            <source>{name} is downloaded.</source>
            <translation>{name} ist heruntergeladen.</translation>
        </message>
        <message>
            <location filename="../../storage/database.py" />
            <source>{name} is missing, but its log is there.</source>
            <translation>{name} fehlt, aber das Protokoll dazu ist da.</translation>
        </message>
        <message>
            <location filename="../../storage/library/library.py" />
            <source>{name} is missing, but there are copies of it.</source>
            <translation>{name} fehlt, aber es gibt Kopien davon.</translation>
        </message>
        <message>
            <location filename="../../app/base/own_files.py" />
            <source>{name} is no {words}, or it is damaged.</source>
            <translation>{name} ist keine {words} oder ist beschädigt.</translation>
        </message>
        <message>
            <location filename="../../app/base/own_files.py" />
            <source>{name} is no {words}.</source>
            <translation>{name} ist keine {words}.</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{name} is not in memory · the next message loads it</source>
            <translation>{name} ist nicht im Arbeitsspeicher · die nächste Nachricht lädt es</translation>
        </message>
        <message>
            <location filename="../../app/macs/copies.py" />
            <source>{name} is not on {mac} yet, so it cannot run there.</source>
            <translation>{name} liegt noch nicht auf {mac} und kann dort deshalb nicht laufen.</translation>
        </message>
        <message>
            <location filename="../../engine/workers/errors.py" />
            <source>{name} is not paired with this Mac, or no longer. Pair the two again.</source>
            <translation>{name} ist nicht oder nicht mehr mit diesem Mac gekoppelt. Koppeln Sie die beiden noch einmal.</translation>
        </message>
        <message>
            <location filename="../../app/macs/copies.py" />
            <source>{name} is on {mac} now.</source>
            <translation>{name} liegt jetzt auf {mac}.</translation>
        </message>
        <message>
            <location filename="../../app/hub/removal.py" />
            <source>{name} is part of Hearth. It stays.</source>
            <translation>{name} gehört zu Hearth und bleibt.</translation>
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <source>{name} must be a number. “{value}” is not one.</source>
            <translation>{name} muss eine Zahl sein. „{value}“ ist keine.</translation>
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <source>{name} must be a whole number. “{value}” is not one.</source>
            <translation>{name} muss eine ganze Zahl sein. „{value}“ ist keine.</translation>
        </message>
        <message>
            <location filename="../../app/base/own_values.py" />
            <source>{name} must be at most {most}.</source>
            <translation>{name} darf höchstens {most} sein.</translation>
        </message>
        <message>
            <location filename="../../app/macs/errors.py" />
            <source>{name} runs on this Mac alone, because a Mac that it ran on is no longer paired.</source>
            <translation>{name} läuft auf diesem Mac allein, weil ein Mac, auf dem es lief, nicht mehr gekoppelt ist.</translation>
        </message>
        <message>
            <location filename="../../engine/workers/errors.py" />
            <source>{name} shows no code now: it was used, has expired, or wrong codes came. Let it show a new one.</source>
            <translation>{name} zeigt gerade keinen Code: Er wurde benutzt, ist abgelaufen, oder es kamen falsche Codes. Lassen Sie einen neuen anzeigen.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/attaching.py" />
            <location filename="../../app/conversations/presets.py" />
            <source>{name} was saved.</source>
            <translation>{name} wurde gesichert.</translation>
        </message>
        <message>
            <location filename="../../storage/errors.py" />
            <source>{name} was written by a newer Hearth (format {found}; this one reads up to {known}). Update Hearth.</source>
            <translation>{name} stammt von einem neueren Hearth (Format {found}; dieses liest bis {known}). Aktualisieren Sie Hearth.</translation>
        </message>
        <message>
            <location filename="../../engine/workers/errors.py" />
            <source>{name} works for {detail} now.</source>
            <translation>{name} arbeitet gerade für {detail}.</translation>
        </message>
        <message>
            <location filename="../../app/import_export/files.py" />
            <source>{name} would be larger than 1 GB, and could not be imported. Export fewer chats.</source>
            <translation>{name} würde größer als 1 GB und könnte nicht importiert werden. Exportieren Sie weniger Chats.</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>{name} {value:g}</source>
            <translation>{name} {value:g}</translation>
        </message>
        <message>
            <location filename="../../app/conversations/presets.py" />
            <source>{name}, changed</source>
            <translation>{name}, geändert</translation>
        </message>
        <message>
            <location filename="../../app/import_export/files.py" />
            <source>{name}: There is no chat in this file. {remarks}</source>
            <translation>{name}: In dieser Datei ist kein Chat. {remarks}</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/key_conflict.py" />
            <source>{native} belongs to “{text}”. Give that other keys first.</source>
            <translation>{native} gehört zu „{text}“. Geben Sie dem zuerst andere Tasten.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/key_conflict.py" />
            <source>{native} is needed to write. Hold Ctrl or Alt with it.</source>
            <translation>{native} wird zum Schreiben gebraucht. Drücken Sie dazu Strg oder Alt.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/key_conflict.py" />
            <source>{native} is needed to write. Hold ⌘, ⌃ or ⌥ with it.</source>
            <translation>{native} wird zum Schreiben gebraucht. Drücken Sie dazu ⌘, ⌃ oder ⌥.</translation>
        </message>
        <message>
            <location filename="../../app/hub/found_models.py" />
            <source>{number} downloads</source>
            <translation>{number} Downloads</translation>
        </message>
        <message>
            <location filename="../../ui/composer/button_row.py" />
            <source>{number} more in “Manage models…”</source>
            <translation>{number} weitere unter „Modelle verwalten …“</translation>
        </message>
        <message>
            <location filename="../../app/cache/monitor.py" />
            <source>{number} {kind}</source>
            <translation>{number} {kind}</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <location filename="../../ui/theme/phrases.py" />
            <source>{parts} and {last}</source>
            <translation>{parts} und {last}</translation>
        </message>
        <message>
            <location filename="../../app/conversations/chat_memory.py" />
            <location filename="../../ui/theme/phrases.py" />
            <source>{part} of {total}</source>
            <translation>{part} von {total}</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/fetcher.py" />
            <source>{path} is not the file that the hub names, twice in a row, so Hearth deleted it.</source>
            <translation>{path} war zweimal nacheinander nicht die Datei, die der Hub nennt, daher hat Hearth sie gelöscht.</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>{percent:.0f}%</source>
            <translation>{percent:.0f} %</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>{percent}%</source>
            <translation>{percent} %</translation>
        </message>
        <message>
            <location filename="../../app/models/welcome.py" />
            <source>{places}. Used in place, never copied.</source>
            <translation>{places}. Sie bleiben, wo sie sind, und werden nie kopiert.</translation>
        </message>
        <message>
            <location filename="../../ui/chat/finding.py" />
            <source>{position} of {total}</source>
            <translation>{position} von {total}</translation>
        </message>
        <message>
            <location filename="../../app/models/views.py" />
            <source>{rate:,.0f} tok/s</source>
            <translation>{rate:,.0f} Tok/s</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{rate:.1f} tok/s</source>
            <translation>{rate:.1f} Tok/s</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/macs_pane.py" />
            <source>{rate}/s, answers in {milliseconds:.1f} ms</source>
            <translation>{rate}/s, antwortet in {milliseconds:.1f} ms</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/connection.py" />
            <source>{reason} Meanwhile {name} answers.</source>
            <translation>{reason} Inzwischen antwortet {name}.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/hosting.py" />
            <source>{reason} The chats and all their text are safe.</source>
            <translation>{reason} Die Chats und ihr ganzer Text sind sicher.</translation>
        </message>
        <message>
            <location filename="../../app/engine_client/hosting.py" />
            <source>{reason} The model is being started again.</source>
            <translation>{reason} Das Modell startet neu.</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <source>{repository} has a file with a name that no model needs, so Hearth refuses it.</source>
            <translation>{repository} hat eine Datei mit einem Namen, den kein Modell braucht. Hearth lehnt es daher ab.</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <source>{repository} has more than {most} files, so it is no model that Hearth can use.</source>
            <translation>{repository} hat mehr als {most} Dateien und ist daher kein Modell, das Hearth benutzen kann.</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <source>{repository} has no weights as safetensors, so Hearth cannot use it.</source>
            <translation>{repository} hat keine Gewichte als safetensors, daher kann Hearth es nicht benutzen.</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/selection.py" />
            <source>{repository} has {held} and no safetensors, which Hearth needs. Look for an MLX version of this model.</source>
            <translation>{repository} hat {held} und keine safetensors, die Hearth braucht. Suchen Sie eine MLX-Version dieses Modells.</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/names.py" />
            <source>{repository} names no model. A name is publisher/name, as on the model's page.</source>
            <translation>{repository} ist kein Modell. Ein Name lautet Herausgeber/Name, wie auf der Seite des Modells.</translation>
        </message>
        <message>
            <location filename="../../app/hub/fetch/fetcher.py" />
            <source>{repository} needs {missing} more and the disk has {free} free. Hearth leaves {reserve} free, so make room first.</source>
            <translation>{repository} braucht noch {missing}, und auf der Festplatte sind {free} frei. Hearth lässt {reserve} frei, schaffen Sie also zuerst Platz.</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{seconds:.1f} s</source>
            <translation>{seconds:.1f} s</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>{seconds} s left</source>
            <translation>noch {seconds} s</translation>
        </message>
        <message>
            <location filename="../../ui/window/palette_entries.py" />
            <source>{setting}: {choice}</source>
            <translation>{setting}: {choice}</translation>
        </message>
        <message>
            <location filename="../../engine/memory/footprint.py" />
            <source>{size:.0f} MB</source>
            <translation>{size:.0f} MB</translation>
        </message>
        <message>
            <location filename="../../engine/memory/footprint.py" />
            <source>{size:.1f} GB</source>
            <translation>{size:.1f} GB</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>{size} of models that paired Macs began to copy to this one. Hearth removes them after a week, unless the copy goes on.</source>
            <translation>{size} von Modellen, die gekoppelte Macs auf diesen zu kopieren begonnen haben. Hearth entfernt sie nach einer Woche, wenn die Kopie nicht weitergeht.</translation>
        </message>
        <message>
            <location filename="../../app/chat/attachments.py" />
            <source>{size} of text</source>
            <translation>{size} Text</translation>
        </message>
        <message>
            <location filename="../../app/chat/attachments.py" />
            <source>{size} of text, {missing} left out</source>
            <translation>{size} Text, {missing} weggelassen</translation>
        </message>
        <message>
            <location filename="../../app/conversations/chat_memory.py" />
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>{size} shared</source>
            <comment>bytes</comment>
            <translation>{size} geteilt</translation>
        </message>
        <message>
            <location filename="../../app/chat/attachments.py" />
            <source>{size} · {tokens}</source>
            <translation>{size} · {tokens}</translation>
        </message>
        <message>
            <location filename="../../ui/models/row_words.py" />
            <source>{size}/s</source>
            <translation>{size}/s</translation>
        </message>
        <message>
            <location filename="../../app/models/welcome.py" />
            <source>{text}
Uses {used} of your {total} GB. Runs from {least} GB.</source>
            <translation>{text}
Belegt {used} von {total} GB. Läuft ab {least} GB.</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <location filename="../../ui/theme/phrases.py" />
            <source>{thousands}k</source>
            <translation>{thousands}k</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{time} instead of {reading}</source>
            <translation>{time} statt {reading}</translation>
        </message>
        <message>
            <location filename="../../ui/window/palette_entries.py" />
            <source>{time} · open</source>
            <translation>{time} · offen</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>{time} · {chats} · {size}</source>
            <translation>{time} · {chats} · {size}</translation>
        </message>
        <message>
            <location filename="../../app/backup/recovery.py" />
            <source>{time} · {size}</source>
            <translation>{time} · {size}</translation>
        </message>
        <message>
            <location filename="../../app/conversations/transfer.py" />
            <source>{title} (copy)</source>
            <translation>{title} (Kopie)</translation>
        </message>
        <message>
            <location filename="../../app/conversations/removal.py" />
            <source>{title} was deleted.</source>
            <translation>{title} wurde gelöscht.</translation>
        </message>
        <message>
            <location filename="../../app/models/facts.py" />
            <source>{tokens} context</source>
            <translation>{tokens} Kontext</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/storage_pane.py" />
            <source>{tokens} tokens</source>
            <translation>{tokens} Token</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{used:.1f} GB · {chats}</source>
            <translation>{used:.1f} GB · {chats}</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{used:.1f} of {total:.0f} GB · {chats}</source>
            <translation>{used:.1f} von {total:.0f} GB · {chats}</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{used} / {limit} context</source>
            <translation>{used} / {limit} Kontext</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{used} / {limit} context, too long</source>
            <translation>{used} / {limit} Kontext, zu lang</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{used} MB of {total:.0f} GB · {chats}</source>
            <translation>{used} MB von {total:.0f} GB · {chats}</translation>
        </message>
        <message>
            <location filename="../../ui/theme/phrases.py" />
            <source>{used} MB · {chats}</source>
            <translation>{used} MB · {chats}</translation>
        </message>
        <message>
            <location filename="../../ui/inspector/value_row.py" />
            <source>{value:g}. The model suggests {suggested:g}.</source>
            <translation>{value:g}. Das Modell schlägt {suggested:g} vor.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/backup_pane.py" />
            <source>{when}: all chats become as they were then. What is there now becomes a copy in this list first, so that you can come back to it.</source>
            <translation>{when}: Alle Chats werden wieder wie damals. Der jetzige Stand wird zuerst eine Kopie in dieser Liste, damit Sie zu ihm zurückkehren können.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>“Keep ready on disk” in the menu of a chat: switched off, only its words are saved.</source>
            <translation>„Auf der Festplatte bereithalten“ im Menü eines Chats: Ausgeschaltet wird nur sein Text gesichert.</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>“System” follows the language of this computer.</source>
            <translation>„System“ folgt der Sprache dieses Computers.</translation>
        </message>
        <message>
            <location filename="../../engine/workers/visit.py" />
            <source>“{address}” is no address with a port</source>
            <translation>„{address}“ ist keine Adresse mit einem Port</translation>
        </message>
        <message>
            <location filename="../../app/documents/reading.py" />
            <source>“{name}” cannot be read ({why}).</source>
            <translation>„{name}“ kann nicht gelesen werden ({why}).</translation>
        </message>
        <message>
            <location filename="../../app/documents/process.py" />
            <source>“{name}” cannot be read: the file is damaged, or of a kind that Hearth does not know.</source>
            <translation>„{name}“ kann nicht gelesen werden: Die Datei ist beschädigt oder von einer Art, die Hearth nicht kennt.</translation>
        </message>
        <message>
            <location filename="../../app/documents/process.py" />
            <source>“{name}” cannot be read: {why}.</source>
            <translation>„{name}“ kann nicht gelesen werden: {why}.</translation>
        </message>
        <message>
            <location filename="../../app/documents/limits.py" />
            <source>“{name}” has a tag or a cell of more than 1 MB, which no Office program writes.</source>
            <translation>„{name}“ hat ein Tag oder eine Zelle von mehr als 1 MB, wie sie kein Office-Programm schreibt.</translation>
        </message>
        <message>
            <location filename="../../app/documents/folder.py" />
            <source>“{name}” has more text than any model can read at once. Attach a folder in it.</source>
            <translation>„{name}“ hat mehr Text, als ein Modell auf einmal lesen kann. Hängen Sie einen Ordner daraus an.</translation>
        </message>
        <message>
            <location filename="../../app/documents/limits.py" />
            <source>“{name}” has more text than any model can read at once. Attach a part of it.</source>
            <translation>„{name}“ hat mehr Text, als ein Modell auf einmal lesen kann. Hängen Sie einen Teil davon an.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <source>“{name}” has no text any more. Write one, or close again to keep the former one.</source>
            <translation>„{name}“ hat keinen Text mehr. Schreiben Sie einen, oder schließen Sie noch einmal, um den früheren zu behalten.</translation>
        </message>
        <message>
            <location filename="../../app/documents/folder.py" />
            <source>“{name}” has no text files.</source>
            <translation>„{name}“ hat keine Textdateien.</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/prompts_dialog.py" />
            <source>“{name}” has no text yet. Write one, or close again to drop it.</source>
            <translation>„{name}“ hat noch keinen Text. Schreiben Sie einen, oder schließen Sie noch einmal, um den Prompt zu verwerfen.</translation>
        </message>
        <message>
            <location filename="../../app/documents/limits.py" />
            <source>“{name}” has no text.</source>
            <translation>„{name}“ hat keinen Text.</translation>
        </message>
        <message>
            <location filename="../../app/documents/pdf.py" />
            <source>“{name}” has pictures of its pages and no text, as scans do. No model here can read those yet.</source>
            <translation>„{name}“ hat Bilder der Seiten und keinen Text, wie bei Scans. Das kann hier noch kein Modell lesen.</translation>
        </message>
        <message>
            <location filename="../../app/documents/folder.py" />
            <source>“{name}” has too many files. Attach a folder in it.</source>
            <translation>„{name}“ hat zu viele Dateien. Hängen Sie einen Ordner daraus an.</translation>
        </message>
        <message>
            <location filename="../../app/documents/pdf.py" />
            <source>“{name}” has {count} pages, and at most {most} can be read. Attach a part of it.</source>
            <translation>„{name}“ hat {count} Seiten, und höchstens {most} können gelesen werden. Hängen Sie einen Teil davon an.</translation>
        </message>
        <message>
            <location filename="../../app/documents/word.py" />
            <source>“{name}” holds another document, which Hearth cannot read. Open it in Word and save it first.</source>
            <translation>„{name}“ enthält ein weiteres Dokument, das Hearth nicht lesen kann. Öffnen und speichern Sie es zuerst in Word.</translation>
        </message>
        <message>
            <location filename="../../app/documents/process.py" />
            <source>“{name}” is a document of a kind that Hearth cannot read. Attach a PDF of it.</source>
            <translation>„{name}“ ist ein Dokument einer Art, die Hearth nicht lesen kann. Hängen Sie ein PDF davon an.</translation>
        </message>
        <message>
            <location filename="../../app/documents/pdf.py" />
            <source>“{name}” is an XFA form, which Hearth cannot read. Print it to a new PDF, and attach that.</source>
            <translation>„{name}“ ist ein XFA-Formular, das Hearth nicht lesen kann. Drucken Sie es in ein neues PDF, und hängen Sie dieses an.</translation>
        </message>
        <message>
            <location filename="../../app/documents/process.py" />
            <source>“{name}” is an archive. Attach the files in it.</source>
            <translation>„{name}“ ist ein Archiv. Hängen Sie die Dateien daraus an.</translation>
        </message>
        <message>
            <location filename="../../app/documents/reading.py" />
            <source>“{name}” is an image. No model here can see images yet.</source>
            <translation>„{name}“ ist ein Bild. Hier kann noch kein Modell Bilder sehen.</translation>
        </message>
        <message>
            <location filename="../../app/documents/reading.py" />
            <source>“{name}” is damaged and cannot be read.</source>
            <translation>„{name}“ ist beschädigt und kann nicht gelesen werden.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/attaching.py" />
            <source>“{name}” is empty. It gives the model no more than its name.</source>
            <translation>„{name}“ ist leer. Das Modell erfährt nicht mehr als den Namen.</translation>
        </message>
        <message>
            <location filename="../../app/documents/pdf.py" />
            <source>“{name}” is encrypted in a way that Hearth cannot read. Print it to a new PDF, and attach that.</source>
            <translation>„{name}“ ist so verschlüsselt, dass Hearth es nicht lesen kann. Drucken Sie es in ein neues PDF, und hängen Sie dieses an.</translation>
        </message>
        <message>
            <location filename="../../app/models/choice.py" />
            <source>“{name}” is here again.</source>
            <translation>„{name}“ ist wieder da.</translation>
        </message>
        <message>
            <location filename="../../app/documents/reading.py" />
            <source>“{name}” is in a format that Hearth does not read, or has a password. Save it as .docx, .xlsx or .pptx, and attach that.</source>
            <translation>„{name}“ hat ein Format, das Hearth nicht liest, oder ein Passwort. Sichern Sie die Datei als .docx, .xlsx oder .pptx, und hängen Sie die an.</translation>
        </message>
        <message>
            <location filename="../../app/documents/office.py" />
            <source>“{name}” is not a document that Word, Excel or PowerPoint has written.</source>
            <translation>„{name}“ ist kein Dokument, das Word, Excel oder PowerPoint geschrieben hat.</translation>
        </message>
        <message>
            <location filename="../../app/documents/spreadsheet.py" />
            <source>“{name}” is not a spreadsheet that Excel has written.</source>
            <translation>„{name}“ ist keine Tabelle von Excel.</translation>
        </message>
        <message>
            <location filename="../../app/models/choice.py" />
            <source>“{name}” is not here: its folder {folder} is away. The built-in model answers meanwhile.</source>
            <translation>„{name}“ ist nicht da: Der Ordner {folder} fehlt. Inzwischen antwortet das integrierte Modell.</translation>
        </message>
        <message>
            <location filename="../../app/documents/reading.py" />
            <source>“{name}” is not text. Text, PDFs, Word documents, spreadsheets and slides can be attached.</source>
            <translation>„{name}“ ist kein Text. Text, PDFs, Word-Dokumente, Tabellen und Folien können angehängt werden.</translation>
        </message>
        <message>
            <location filename="../../app/documents/pdf.py" />
            <source>“{name}” is protected by a password. Save a copy without it, and attach that.</source>
            <translation>„{name}“ ist mit einem Passwort geschützt. Sichern Sie eine Kopie ohne, und hängen Sie diese an.</translation>
        </message>
        <message>
            <location filename="../../app/documents/office.py" />
            <source>“{name}” is too large once it is unpacked.</source>
            <translation>„{name}“ ist entpackt zu groß.</translation>
        </message>
        <message>
            <location filename="../../app/documents/process.py" />
            <source>“{name}” is too large to be read.</source>
            <translation>„{name}“ ist zu groß, um gelesen zu werden.</translation>
        </message>
        <message>
            <location filename="../../app/documents/reading.py" />
            <source>“{name}” takes too much time or memory to be read.</source>
            <translation>Das Lesen von „{name}“ braucht zu viel Zeit oder Arbeitsspeicher.</translation>
        </message>
        <message>
            <location filename="../../app/conversations/attaching.py" />
            <source>“{name}” was read as Western text. If its letters are wrong, save it as UTF-8, and attach that.</source>
            <translation>„{name}“ wurde als westlicher Text gelesen. Wenn die Buchstaben falsch sind, sichern Sie es als UTF-8, und hängen Sie das an.</translation>
        </message>
        <message>
            <location filename="../../app/cache/check.py" />
            <location filename="../../ui/theme/phrases.py" />
            <source>“{title}”</source>
            <translation>„{title}“</translation>
        </message>
        <message>
            <location filename="../../ui/state/settings_table.py" />
            <source>⌘ Return</source>
            <translation>⌘ Return</translation>
        </message>
    </context>
</TS>
