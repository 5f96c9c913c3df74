#!/usr/bin/env bash
# Prepares a clone: system libraries on Debian and Ubuntu, uv, a Python, the virtual environment with the pinned
# requirements. Usage: setup.sh runtime|dev|bundle. Does nothing if everything is installed already. The next setup
# finishes one that was interrupted.
#
# PYTHON=FILE        names the Python; without it, setup takes the first that fits on the PATH
# HEARTH_DEVICE=cpu  installs MLX for the CPU, although there is an NVIDIA driver
set -euo pipefail
cd "$(dirname "$0")/.."

kind=${1:?runtime, dev or bundle}
case $kind in # each contains the next: pin.sh pins them so
    bundle) kinds=(bundle dev runtime) ;;
    dev) kinds=(dev runtime) ;;
    *) kinds=(runtime) ;;
esac
fitting='cpython>=3.11,<3.15' # Pythons for which every pinned package has a wheel
fetched=3.13                  # the one to download if there is none

fail() { printf 'Hearth setup: %s\n' "$1" >&2; exit 1; }

trap 'fail "interrupted. The same command continues it."' INT

# --- System libraries ---

# What Qt needs on Debian and Ubuntu. A display may come later than the setup: without one, a failure to install what it
# needs is only noted.
needed=(ca-certificates libgl1 libegl1 libglib2.0-0 libdbus-1-3 libfontconfig1 libxkbcommon0)
wanted=(fonts-inter fonts-jetbrains-mono fonts-noto-color-emoji)
shown=(libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0
       libxcb-xkb1 libxkbcommon-x11-0)

missing() { # prints those of the given packages that are neither installed nor replaced by their t64 successor
    local installed package
    installed=" $(dpkg-query -W -f '${db:Status-Status}:${Package} ' "$@" "${@/%/t64}" 2>/dev/null || true)"
    for package in "$@"; do
        [[ $installed == *" installed:$package "* || $installed == *" installed:${package}t64 "* ]] || printf '%s ' "$package"
    done
}

apt_install() {
    if [ "$(id -u)" = 0 ]; then sudo=(); elif sudo -n true 2>/dev/null; then sudo=(sudo); else return 1; fi
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq >/dev/null \
        && "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "$@" </dev/null >/dev/null
}

require_packages() { # installs what is missing of the given packages, or says how to
    local lacking
    lacking=$(missing "$@")
    [ -n "$lacking" ] || return 0
    printf 'Installing system packages: %s\n' "$lacking"
    # shellcheck disable=SC2086  # a list of package names
    apt_install $lacking || fail "these system packages are missing and may not be installed from here.
  Please run:  sudo apt-get install --no-install-recommends $lacking
  and then the same command again."
}

debian_libraries() {
    local fonts
    if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then needed+=("${shown[@]}"); else wanted+=("${shown[@]}"); fi
    require_packages "${needed[@]}"
    fonts=$(missing "${wanted[@]}")
    # shellcheck disable=SC2086
    [ -z "$fonts" ] || apt_install $fonts || printf 'Note: without the packages %sthe window cannot open on an X display, or uses plainer fonts.\n' "$fonts"
}

# --- uv and Python ---

find_uv() { # sets uv: the one on the PATH, or the pinned one, in .uv
    uv=$(command -v uv || true)
    if [[ $("${uv:-false}" --version 2>/dev/null || true) =~ ^uv\ (0\.([89]|[1-9][0-9])|[1-9]) ]]; then return; fi
    uv=.uv/bin/uv
    "$uv" --version >/dev/null 2>&1 || install_uv || fail "uv could not be installed (see above). Setup needs the network."
}

install_uv() { # any Python will do: uv is one program
    local pinned=.uv/requirements.txt python
    rm -rf .uv
    mkdir .uv
    sed -n '/^uv==/,/[^\\]$/p' packaging/requirements-dev.txt > $pinned
    any_python >/dev/null || ! command -v dpkg-query >/dev/null || require_packages python3-venv
    python=$(any_python) || fail "there is neither uv nor Python here. $(how_to_get_python)"
    if "$python" -m pip --version >/dev/null 2>&1; then
        with_pip "$python" --target .uv --no-compile -r $pinned
    else # Debian's Python has no pip, but can give one to a virtual environment
        ! command -v dpkg-query >/dev/null || require_packages python3-venv
        "$python" -m venv .uv && with_pip .uv/bin/python -r $pinned
    fi
}

any_python() { # prints a Python that works, of any version
    local candidate
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3,))' 2>/dev/null; then
            printf '%s' "$candidate"
            return
        fi
    done
    return 1
}

with_pip() { PIP_ROOT_USER_ACTION=ignore "$1" -m pip install -q --disable-pip-version-check --no-input --require-hashes --no-deps "${@:2}" </dev/null; }

how_to_get_python() { # one sentence with the command for this system
    local command='brew install python@3.13'
    if [ "$(uname -s)" != Darwin ]; then
        command=
        for manager in 'apt-get install python3 python3-venv' 'dnf install python3.13' 'zypper install python313' \
            'pacman -S python' 'apk add python3'; do
            if command -v "${manager%% *}" >/dev/null; then command="sudo $manager"; break; fi
        done
    fi
    if [ -n "$command" ]; then
        printf 'Please run:  %s\n  and then the same command again.' "$command"
    else
        printf 'Please install Python 3.13, and then run the same command again.'
    fi
}

find_python() { # prints the Python to use
    if [ -n "${PYTHON:-}" ]; then
        "$PYTHON" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null \
            || fail "PYTHON=$PYTHON is not Python 3.11, 3.12, 3.13 or 3.14."
        printf '%s' "$PYTHON"
        return
    fi
    installed_python || UV_PYTHON_INSTALL_DIR=$PWD/.python installed_python || download_python
}

installed_python() {
    UV_PYTHON_PREFERENCE=system "$uv" python find --system --no-project --no-python-downloads "$fitting" 2>/dev/null
}

download_python() {
    printf 'There is no Python 3.11 to 3.14 here: uv downloads %s into .python. To use one of yours: PYTHON=FILE make run\n' \
        "$fetched" >&2
    export UV_PYTHON_INSTALL_DIR=$PWD/.python
    "$uv" python install --no-bin "$fetched" >&2 || fail "no Python could be downloaded. $(how_to_get_python)"
    installed_python
}

# --- Requirements ---

has_cuda() { # whether MLX's build for CUDA 13 runs here: on a GPU of 2018 or later with a driver of 2025 or later
    [ "$(uname -s)" = Linux ] && [ "${HEARTH_DEVICE:-}" != cpu ] && command -v nvidia-smi >/dev/null || return 1
    nvidia-smi --query-gpu=driver_version,compute_cap --format=csv,noheader 2>/dev/null \
        | awk -F '[., ]+' '{ if ($1 >= 580 && $(NF - 1) * 10 + $NF >= 75) fits = 1 } END { exit !fits }'
}

requirements() { # prints the pinned requirements of a kind for the device
    local file=packaging/requirements-$1.txt
    [ "$1" != runtime ] || file=packaging/requirements.txt
    if [ "$device" = cuda ]; then
        sed '/^mlx-cpu==/,/[^\\]$/d' "$file" # both builds of MLX have the same files
        cat packaging/requirements-cuda.txt
    else
        cat "$file"
    fi
}

wish() { { requirements "$1"; cat pyproject.toml; } | cksum; }

install() {
    local python index
    find_uv
    # uv trusts the certificates of the system and uses the index of pip only if it is told to.
    export UV_SYSTEM_CERTS="${UV_SYSTEM_CERTS:-1}"
    index=${PIP_INDEX_URL:-$(python3 -m pip config get global.index-url 2>/dev/null || true)}
    [ -z "$index" ] || export UV_DEFAULT_INDEX="${UV_DEFAULT_INDEX:-$index}"
    # An interrupted setup leaves no stamp, and may leave a package half there.
    if ! compgen -G '.venv/.hearth-*' >/dev/null || ! .venv/bin/python -c '' 2>/dev/null; then
        python=$(find_python)
        "$uv" venv --quiet --clear --python "$python" .venv || fail "the virtual environment could not be made (see above)."
    fi
    rm -f .venv/.hearth-*
    [ "$device" = cpu ] || printf 'Found an NVIDIA driver: installing MLX for CUDA, which takes 3 GB. HEARTH_DEVICE=cpu declines it.\n'
    printf 'Installing the pinned requirements (%s) ...\n' "$kind"
    requirements "$kind" > .venv/requirements.txt
    "$uv" pip sync --quiet --python .venv --require-hashes --only-binary :all: .venv/requirements.txt \
        || fail "the requirements could not be installed (see above). Setup needs the network."
    [ "$device" = cpu ] || .venv/bin/python -c 'import mlx.core as mx; mx.eval(mx.ones(1) + 1)' \
        || fail "MLX does not compute on this GPU (see above). HEARTH_DEVICE=cpu before the same command takes the CPU."
    "$uv" pip install --quiet --python .venv --no-deps --no-build-isolation -e . \
        || fail "the hearth command could not be installed (see above)."
    # A bundle must run on the oldest macOS, but uv installs the build of mlx for this one.
    [ "$kind" != bundle ] || [ "$(uname -s)" != Darwin ] || .venv/bin/python packaging/oldest_wheels.py --install \
        || fail "mlx for the oldest macOS could not be installed (see above)."
    for each in "${kinds[@]}"; do wish "$each" > ".venv/.hearth-$each"; done
}

! command -v dpkg-query >/dev/null || debian_libraries
device=cpu
! has_cuda || device=cuda
if [ "$(cat ".venv/.hearth-$kind" 2>/dev/null)" != "$(wish "$kind")" ] || ! .venv/bin/python -c '' 2>/dev/null; then
    install
fi
