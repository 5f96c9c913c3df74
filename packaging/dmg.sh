#!/usr/bin/env bash
# Puts a signed Hearth.app into dist/Hearth.dmg, beside a link to Applications to drag it to.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/only_mac.sh dmg "hdiutil"

app=${1:?the app}
image=dist/Hearth.dmg
codesign --verify --deep --strict "$app" || { echo "$app is not signed: run make sign first." >&2; exit 1; }

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
ditto "$app" "$stage/Hearth.app"  # keeps the links and the signatures
ln -s /Applications "$stage/Applications"
rm -f "$image"
hdiutil create -quiet -volname Hearth -srcfolder "$stage" -fs HFS+ -format ULMO "$image"
[ -z "${CODESIGN_IDENTITY:-}" ] || codesign --sign "$CODESIGN_IDENTITY" --timestamp "$image"
hdiutil verify -quiet "$image"
shasum -a 256 "$image" | tee "$image.sha256"
