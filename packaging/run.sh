#!/usr/bin/env bash
# Opens Hearth; where there is no display, runs the same window offscreen through the tour.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(uname -s)" = Darwin ] || [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec .venv/bin/hearth
fi
echo "There is no display here: Hearth shows itself by a scripted tour."
exec .venv/bin/hearth --tour "${TOUR:-$PWD/tour}"
