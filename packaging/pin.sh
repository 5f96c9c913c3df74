#!/usr/bin/env bash
# Pins the requirements of pyproject.toml, for macOS and Linux at once, with hashes and without naming any index.
set -euo pipefail
cd "$(dirname "$0")/.."

pin() {
    UV_NO_CONFIG=1 .venv/bin/uv pip compile --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-header --no-annotate --quiet "$@"
}
pin pyproject.toml --extra install -o packaging/requirements.txt
pin pyproject.toml --extra install --extra dev -c packaging/requirements.txt -o packaging/requirements-dev.txt
pin pyproject.toml --extra install --extra dev --extra bundle -c packaging/requirements-dev.txt -o packaging/requirements-bundle.txt
pin --group cuda -c packaging/requirements.txt -o packaging/requirements-cuda.txt
