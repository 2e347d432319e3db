#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds and installs the C library beside the package, then tests the package
# against it. Arguments go to "swift test". JOBS limits the build; 2 if unset.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$here/.build/libaperture
log=$build.log
jobs=${JOBS:-2}

command -v swift >/dev/null || { echo "no swift on PATH" >&2; exit 1; }

install_library() {
    [ -d "$build/meson-private" ] ||
        meson setup "$build" "$here/../.." --prefix="$build/installed" \
            --libdir=lib -Dtests=false -Dexamples=false -Ddocs=false \
            -Dpython=disabled
    ninja -C "$build" -j "$jobs" install
}

mkdir -p "$here/.build"
install_library >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
export PKG_CONFIG_PATH=$build/installed/lib/pkgconfig
export LD_LIBRARY_PATH=$build/installed/lib
exec swift test --package-path "$here" --jobs "$jobs" "$@"
