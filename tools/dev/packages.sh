# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What must be installed: functions of ./dev, which reads this file.

# Debian and Ubuntu names.
package_of() {
    case $1 in
    meson) say meson ;;
    ninja) say ninja-build ;;
    libc) say libc6-dev ;;
    pkg-config) say pkg-config ;;
    libyaml) say libyaml-dev ;;
    json-c) say libjson-c-dev ;;
    groff) say groff-base ;;
    frama-c) say frama-c-base ;;
    python) say python3 ;;
    yaml-module) say python3-yaml ;;
    python-venv) say python3-venv ;;
    node) say nodejs ;;
    java) say openjdk-17-jre-headless ;;
    abigail) say abigail-tools ;;
    compiler-rt) say "libclang-rt-$(clang_major)-dev" | tr -s - ;;
    aarch64-linux-gnu-gcc) say gcc-aarch64-linux-gnu libc6-dev-arm64-cross ;;
    powerpc64le-linux-gnu-gcc) say gcc-powerpc64le-linux-gnu libc6-dev-ppc64el-cross ;;
    arm-linux-gnueabihf-gcc) say gcc-arm-linux-gnueabihf libc6-dev-armhf-cross ;;
    i686-linux-gnu-gcc) say gcc-i686-linux-gnu libc6-dev-i386-cross ;;
    *-linux-gnu-gcc) say "gcc-${1%-gcc}" "libc6-dev-${1%%-*}-cross" ;;
    qemu-*-static) say qemu-user-static ;;
    musl-gcc) say musl-tools ;;
    *-mingw32-gcc) say gcc-mingw-w64-x86-64 ;;
    wine) say wine wine64 ;;
    wasi) say lld wasi-libc binaryen "libclang-rt-$(clang_major)-dev-wasm32" ;;
    *) say "$1" ;;
    esac
}

is_present() {
    case $1 in
    libc) have gcc && printf '#include <stdio.h>\n' | gcc -E - >/dev/null 2>&1 ;;
    libyaml) have pkg-config && pkg-config --exists yaml-0.1 ;;
    json-c) have pkg-config && pkg-config --exists json-c ;;
    check) have pkg-config && pkg-config --exists check ;;
    python) have python3 ;;
    yaml-module) python_with_yaml >/dev/null ;;
    python-venv) python3 -c 'import ensurepip, venv' >/dev/null 2>&1 ;;
    abigail) have abidw && have abidiff ;;
    binutils) have nm && have objdump && have objcopy ;;
    debhelper) have dh ;;
    dh-python) have dh_python3 ;;
    compiler-rt) have clang && printf 'int main(void){return 0;}' | clang -fsanitize=address -x c - -o /dev/null 2>/dev/null ;;
    wasi) have clang && have wasm-opt && printf 'int main(void){return 0;}' | clang --target=wasm32-wasi -x c - -o /dev/null 2>/dev/null ;;
    *) have "$1" ;;
    esac
}

# The major version of clang, installed or about to be.
clang_major() {
    local version
    if have clang; then
        version=$(clang -dumpversion)
    else
        version=$(apt-cache show clang 2>/dev/null | sed -n 's/^Version: *\([0-9]*:\)\?//p' | head -n 1)
    fi
    say "${version%%.*}"
}

expand_requirements() {
    local name
    for name in "$@"; do
        case $name in
        build) say meson ninja gcc libc pkg-config libyaml json-c ;;
        *) say "$name" ;;
        esac
    done | tr ' ' '\n' | awk 'NF && !seen[$0]++'
}

missing_packages() {
    local name
    for name in $(expand_requirements "$@"); do
        is_present "$name" || package_of "$name"
    done | awk '!seen[$0]++' | xargs
}

install_packages() {
    local -a as_root=()
    if [ "$(id -u)" != 0 ]; then
        have sudo || return 1
        as_root=(sudo)
    fi
    have apt-get || return 1
    complain "dev: installing $*"
    mkdir -p "$logs"
    { "${as_root[@]}" apt-get update &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } \
        >"$logs/apt.log" 2>&1 || {
        tail -n 20 "$logs/apt.log" >&2
        return 1
    }
}

# Installs what the named requirements lack, or prints what to install and stops.
setup() {
    local missing
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086 # a list of packages
    install_packages $missing || true
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    complain "dev: please install these packages (names as in Debian and Ubuntu), then run this again:"
    complain "    $missing"
    exit 2
}

python_with_yaml() {
    local python
    for python in python3 /usr/bin/python3 /usr/local/bin/python3; do
        if have "$python" && "$python" -c 'import yaml' >/dev/null 2>&1; then
            say "$python"
            return 0
        fi
    done
    return 1
}

# Go at least 1.26; the parity tests' go.mod asks for it.
have_go() {
    local version
    have go || return 1
    version=$(cd "$root" && go env GOVERSION 2>/dev/null) || return 1
    version=${version#go}
    [ "${version%%.*}" -gt 1 ] || [ "$(say "${version#*.}" | sed 's/[^0-9].*//')" -ge 26 ]
}
