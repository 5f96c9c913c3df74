#!/usr/bin/env bash
# Signs Hearth.app from the inside out: every library, then their frameworks, then the app. A signature covers
# everything inside, so nothing may change once it is signed.
# CODESIGN_IDENTITY names a Developer ID; without it the signature is ad hoc, valid only on this Mac.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/only_mac.sh sign "codesign"

app=${1:?the app}
identity=${CODESIGN_IDENTITY:--}
options=(--force --sign "$identity")
# The hardened runtime requires that all libraries come from one team. Ad-hoc signatures have none.
[ "$identity" = - ] || options+=(--timestamp --options runtime)

[ -d "$app" ] || { echo "There is no $app: run make bundle first." >&2; exit 1; }

is_code() { case "$(file -b "$1")" in *Mach-O*) true ;; *) false ;; esac; }

find "$app/Contents/Frameworks" -type f | while IFS= read -r path; do
    is_code "$path" || continue
    codesign "${options[@]}" "$path"
done
find "$app/Contents" -depth -type d -name '*.framework' | while IFS= read -r path; do
    codesign "${options[@]}" "$path"
done
for program in "$app"/Contents/MacOS/*; do
    codesign "${options[@]}" --entitlements packaging/entitlements.plist "$program"
done
codesign "${options[@]}" --entitlements packaging/entitlements.plist "$app"
codesign --verify --deep --strict --verbose=2 "$app"
