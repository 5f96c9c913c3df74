"""The app's plist for macOS, and its exceptions from the hardened runtime."""

from __future__ import annotations

import plistlib
import re
from pathlib import Path

import contents
import mac_libraries

from app.desktop.objective_c import MESSAGE
from app.macs.nearby import SERVICE

FOLDER = Path(contents.__file__).parent
INFO = plistlib.loads((FOLDER / "Info.plist").read_bytes())
ENTITLEMENTS = (FOLDER / "entitlements.plist").read_text("utf-8")


def test_app_looks_and_runs_as_a_mac_app_should() -> None:
    """The app is sharp, follows the system's dark appearance, runs on Apple Silicon and macOS 15 or newer,
    and may nap.
    """
    assert INFO["NSHighResolutionCapable"] is True
    assert INFO["NSRequiresAquaSystemAppearance"] is False
    assert mac_libraries.promised(FOLDER / "Info.plist") == contents.OLDEST_MACOS
    assert INFO["LSArchitecturePriority"] == ["arm64"]
    assert not {"NSAppSleepDisabled", "LSUIElement", "LSBackgroundOnly"} & set(INFO)


def test_chats_and_links_open_in_hearth() -> None:
    """The document type is declared, exported and JSON, and the scheme is the one that the app parses."""
    (document,), (kind,), (link,) = (
        INFO[key] for key in ("CFBundleDocumentTypes", "UTExportedTypeDeclarations", "CFBundleURLTypes")
    )
    assert document["LSItemContentTypes"] == [kind["UTTypeIdentifier"]]
    assert kind["UTTypeTagSpecification"]["public.filename-extension"] == ["hearth"]
    assert kind["UTTypeConformsTo"] == ["public.json", "public.content"]
    assert link["CFBundleURLSchemes"] == ["hearth"]


def test_selected_text_of_other_apps_begins_a_chat() -> None:
    """The entry in the Services menu sends the message that the app answers, with text."""
    (service,) = INFO["NSServices"]
    assert service["NSMessage"] == MESSAGE
    assert service["NSPortName"] == contents.NAME
    assert service["NSSendTypes"] == ["public.utf8-plain-text"]
    assert "NSReturnTypes" not in service, "the selection stays as it is"


def test_the_spec_s_own_keys_are_not_written_twice() -> None:
    """Name, versions and icon are each defined in one place."""
    written_by_spec = {
        "CFBundleName",
        "CFBundleIdentifier",
        "CFBundleExecutable",
        "CFBundleIconFile",
        "CFBundleVersion",
    }
    assert not written_by_spec & set(INFO)


def test_only_these_exceptions_are_asked_for() -> None:
    """Another entitlement would be a decision, not an accident."""
    assert plistlib.loads(ENTITLEMENTS.encode()) == {"com.apple.security.cs.allow-unsigned-executable-memory": True}


def test_every_exception_has_its_reason_beside_it() -> None:
    """Each exception has its reason beside it."""
    assert len(re.findall(r"-->\s*<key>", ENTITLEMENTS)) == ENTITLEMENTS.count("<key>")


def test_macos_lets_macs_find_each_other() -> None:
    """The service that a worker announces is declared, with a sentence for the person who is asked."""
    assert [f"{kind}.local." for kind in INFO["NSBonjourServices"]] == [SERVICE]
    assert INFO["NSLocalNetworkUsageDescription"].endswith(".")
