# shellcheck shell=bash
# Sourced by scripts that need a Mac: on another system it prints one line and exits.
[ "$(uname -s)" = Darwin ] || {
    # shellcheck disable=SC2016  # the words of a command, not a command
    printf 'Hearth: `make %s` works on macOS only: it needs %s, which Apple ships with it.\n' "$1" "$2" >&2
    exit 2
}
