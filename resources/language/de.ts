<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
    <context>
        <name>Hearth</name>
        <message>
            <location filename="../../ui/dialogs/general_pane.py" />
            <source>Language</source>
            <translation>Sprache</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/settings_dialog.py" />
            <source>Settings</source>
            <translation>Einstellungen</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/general_pane.py" />
            <source>System</source>
            <translation>System</translation>
        </message>
        <message>
            <location filename="../../ui/dialogs/general_pane.py" />
            <source>The one of the system, if Hearth speaks it.</source>
            <translation>Die des Systems, wenn Hearth sie spricht.</translation>
        </message>
    </context>
</TS>
