#!/usr/bin/env bash
# Has Apple notarise the image and staples the ticket to it, so that it opens on a Mac that is offline.
# Needs NOTARY_KEY (the path of an App Store Connect API key), NOTARY_KEY_ID and NOTARY_ISSUER.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/only_mac.sh notarize "notarytool"

image=${1:?the image}
: "${NOTARY_KEY:?the path of the API key}" "${NOTARY_KEY_ID:?the id of the key}" "${NOTARY_ISSUER:?who issued the key}"
[ -f "$image" ] || { echo "There is no $image: run make dmg first." >&2; exit 1; }

key=(--key "$NOTARY_KEY" --key-id "$NOTARY_KEY_ID" --issuer "$NOTARY_ISSUER")
answer=$(xcrun notarytool submit "$image" "${key[@]}" --wait --timeout 30m --output-format json)
printf '%s\n' "$answer"
id=$(plutil -extract id raw -o - - <<<"$answer")
if [ "$(plutil -extract status raw -o - - <<<"$answer")" != Accepted ]; then
    xcrun notarytool log "$id" "${key[@]}" >&2
    exit 1
fi
xcrun stapler staple "$image"
xcrun stapler validate "$image"
spctl --assess --verbose=2 --type open --context context:primary-signature "$image"
shasum -a 256 "$image" | tee "$image.sha256"
