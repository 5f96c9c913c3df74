#!/usr/bin/env bash
# Prepares a clone: system libraries on Debian and Ubuntu, the virtual environment, the pinned requirements.
# Usage: setup.sh runtime|dev|bundle. Does nothing if everything is installed already.
set -euo pipefail
cd "$(dirname "$0")/.."

kind=${1:?runtime, dev or bundle}
case $kind in # each contains the next: pin.sh pins them so
    bundle) kinds=(bundle dev runtime) ;;
    dev) kinds=(dev runtime) ;;
    *) kinds=(runtime) ;;
esac

# Packages that Qt and a virtual environment need on Debian and Ubuntu. A display may come later than
# the setup: without one, a failure to install what it needs is only noted.
needed=(python3-venv libgl1 libegl1 libglib2.0-0 libdbus-1-3 libfontconfig1 libxkbcommon0)
wanted=(fonts-inter fonts-jetbrains-mono fonts-noto-color-emoji)
shown=(libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0
       libxcb-xkb1 libxkbcommon-x11-0)

fail() { printf 'Hearth setup: %s\n' "$1" >&2; exit 1; }

installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

missing() { # prints those of the given packages that are neither installed nor replaced by their t64 successor
    for package in "$@"; do
        installed "$package" || installed "${package}t64" || printf '%s ' "$package"
    done
}

apt_install() {
    if [ "$(id -u)" = 0 ]; then sudo=(); elif sudo -n true 2>/dev/null; then sudo=(sudo); else return 1; fi
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq >/dev/null \
        && "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "$@" </dev/null >/dev/null
}

debian_libraries() {
    command -v dpkg-query >/dev/null || return 0
    local lacking fonts
    if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then needed+=("${shown[@]}"); else wanted+=("${shown[@]}"); fi
    lacking=$(missing "${needed[@]}")
    if [ -n "$lacking" ]; then
        printf 'Installing system libraries: %s\n' "$lacking"
        # shellcheck disable=SC2086  # a list of package names
        apt_install $lacking || fail "these system packages are missing and may not be installed from here.
  Please run:  sudo apt-get install --no-install-recommends $lacking
  and then the same command again."
    fi
    fonts=$(missing "${wanted[@]}")
    # shellcheck disable=SC2086
    [ -z "$fonts" ] || apt_install $fonts || printf 'Note: without the packages %sthe window cannot open on an X display, or uses plainer fonts.\n' "$fonts"
}

requirements() { # prints the file of a kind
    if [ "$1" = runtime ]; then printf packaging/requirements.txt; else printf 'packaging/requirements-%s.txt' "$1"; fi
}

wish() { cat "$(requirements "$1")" pyproject.toml | cksum; }

find_python() {
    for candidate in "${PYTHON:-}" python3 python3.13 python3.12 python3.11; do
        [ -n "$candidate" ] && command -v "$candidate" >/dev/null || continue
        "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null || continue
        printf '%s' "$candidate"
        return
    done
    fail "Python 3.11, 3.12 or 3.13 is needed; python3 here is $(python3 --version 2>&1 || true)."
}

[ "$(uname -s)" != Linux ] || debian_libraries

if ! .venv/bin/python -c '' 2>/dev/null; then
    python=$(find_python)
    rm -rf .venv
    "$python" -m venv .venv || fail "the virtual environment could not be made (see above)."
fi

if [ "$(cat ".venv/.hearth-$kind" 2>/dev/null)" != "$(wish "$kind")" ]; then
    printf 'Installing the pinned requirements (%s) ...\n' "$kind"
    export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1
    .venv/bin/python -m pip install -q --no-compile --require-hashes --only-binary :all: \
        -r "$(requirements "$kind")" </dev/null \
        || fail "the requirements could not be installed (see above)."
    # pip would compile on one core. Of transformers' models, a third of all modules, few are ever imported. Some files
    # are templates of Python, which are no Python.
    .venv/bin/python -m compileall -qq -j 0 -x /transformers/models/ .venv/lib || true
    .venv/bin/python -m pip install -q --no-deps --no-build-isolation -e . </dev/null \
        || fail "the hearth command could not be installed (see above)."
    # A bundle must run on the oldest macOS, but pip installs the build of mlx for this one.
    [ "$kind" != bundle ] || [ "$(uname -s)" != Darwin ] || .venv/bin/python packaging/oldest_wheels.py --install \
        || fail "mlx for the oldest macOS could not be installed (see above)."
    for each in "${kinds[@]}"; do wish "$each" > ".venv/.hearth-$each"; done
fi
