#!/usr/bin/env bash
# Opens Hearth. Without a display it runs the scripted tour of the same window offscreen.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(uname -s)" = Darwin ] || [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec .venv/bin/hearth
fi
echo "There is no display here: Hearth shows itself by a scripted tour."
exec .venv/bin/python -m tests.tour "${TOUR:-$PWD/tour}"
