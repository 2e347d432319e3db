# SPDX-License-Identifier: Apache-2.0
# Sourced by tests/run and examples/demo: puts on the machine what
# tests/packages.txt names. Says what it does on stderr, stdout stays free.

setup_say() {
    printf '%s\n' "$*" >&2
}

# Prints the packages of the groups that are not installed.
setup_missing() {
    local list=$1 group name
    shift
    while read -r group name; do
        case " $* " in *" $group "*) ;; *) continue ;; esac
        dpkg-query -W -f '${Status}' "$name" 2>/dev/null |
            grep -q '^install ok installed$' || echo "$name"
    done < <(grep -v '^#' "$list")
}

# setup_install ROOT GROUP...: 0 when everything is there. Where there is no
# dpkg, the build itself finds out what is missing.
setup_install() {
    local root=$1 missing sudo=()
    shift
    if ! command -v dpkg-query >/dev/null; then
        setup_say "No Debian packages here: taking what is installed."
        return 0
    fi
    mapfile -t missing < <(setup_missing "$root/tests/packages.txt" "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" != 0 ]; then
        if ! sudo -n true 2>/dev/null; then
            setup_say "Missing, and only root may install them:"
            setup_say "  apt-get install ${missing[*]}"
            return 1
        fi
        sudo=(sudo -n)
    fi
    setup_say "Installing ${missing[*]}"
    setup_apt "${sudo[@]}" -- "${missing[@]}"
}

# setup_apt [SUDO...] -- NAME...: the lists are fetched only if the names are
# not to be had without.
setup_apt() {
    local apt=()
    while [ "$1" != -- ]; do
        apt+=("$1")
        shift
    done
    shift
    apt+=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y
        -o Dpkg::Use-Pty=0)
    "${apt[@]}" install --no-install-recommends "$@" \
        </dev/null >/dev/null 2>&1 && return 0
    "${apt[@]}" update </dev/null >&2 &&
        "${apt[@]}" install --no-install-recommends "$@" </dev/null >&2
}
