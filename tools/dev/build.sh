# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Building: functions of ./dev, which reads this file.

# Runs a command without output; prints its output if it fails.
quietly() {
    local log=$logs/$1.log
    shift
    mkdir -p "$logs"
    "$@" >"$log" 2>&1 || {
        cat "$log" >&2
        return 1
    }
}

# configure NAME COMPILER OPTIONS...: a build directory, set up again if its options change.
configure() {
    local name=$1 compiler=$2 directory=$build/$1 options
    shift 2
    options="$compiler $* $(cksum <meson_options.txt)"
    if [ -f "$directory/build.ninja" ] && [ "$(cat "$directory/.configured" 2>/dev/null)" = "$options" ]; then
        return 0
    fi
    rm -rf "$directory"
    CC=$compiler quietly "setup-$name" meson setup "$directory" "$root" "$@" || return 1
    say "$options" >"$directory/.configured"
}

# On failure, shows what failed and not what was built before.
compile() {
    local name=$1 log=$logs/compile-$1.log
    shift
    mkdir -p "$logs"
    ninja -C "$build/$name" "$@" >"$log" 2>&1 || {
        grep -q '^FAILED' "$log" || cat "$log" >&2
        sed -n '/^FAILED/,/^\[/p' "$log" | grep -v '^\[' >&2
        return 1
    }
}

build_of() {
    local -a strict=(-Dwerror=true -Dtests=enabled -Dyaml=enabled -Dgangctl=enabled)
    # Not strict: under a sanitizer compilers warn of what cannot happen.
    local -a checked=(-Dtests=enabled -Dyaml=enabled -Dgangctl=enabled -Doptimization=1 -Ddebug=true -Db_lundef=false
        -Dc_args=-fno-sanitize-recover=all)
    case $1 in
    gcc | valgrind) configure gcc gcc "${strict[@]}" ;;
    clang) configure clang clang "${strict[@]}" ;;
    # clang's UBSan also reports 0 added to a null pointer, and gcc's reports nothing more.
    asan) configure asan clang "${checked[@]}" -Db_sanitize=address,undefined ;;
    tsan) configure tsan gcc "${checked[@]}" -Db_sanitize=thread ;;
    # Without YAML, because MemorySanitizer must see the writes of every library.
    msan) configure msan clang -Dtests=enabled -Dyaml=disabled -Dgangctl=disabled -Djson-c=disabled -Doptimization=1 \
        -Ddebug=true -Db_lundef=false -Dc_args=-fno-sanitize-recover=all -Db_sanitize=memory ;;
    json-only) configure json-only gcc -Dwerror=true -Dtests=enabled -Dyaml=disabled -Dgangctl=disabled ;;
    release) configure release gcc -Dwerror=true -Dtests=enabled -Doptimization=3 -Ddebug=true -Db_ndebug=true \
        -Ddefault_library=static -Dhardening=false ;;
    coverage) configure coverage gcc -Dtests=enabled -Dyaml=enabled -Db_coverage=true -Doptimization=0 ;;
    user) configure user "${CC:-cc}" -Dtests=disabled -Dyaml=enabled -Dgangctl=enabled ;;
    esac
}

build_gangctl() {
    setup build
    build_of user && compile user
}

gangctl_path() { find "$build/user/tools" -name gangctl -type f | head -n 1; }

# The library in the Go binding, written again if a source is newer: gang.wasm is the last that is
# written. `--without-wasm`: not the module, which needs a compiler of its own.
amalgamate() {
    local last=bindings/go/gang.wasm
    [ $# = 0 ] || last=bindings/go/gang.c
    if [ ! -f "$last" ] || [ ! -f bindings/go/gang.c ] || [ ! -f bindings/go/gang.h ] ||
        [ -n "$(find libgang include bindings/go/call.[ch] tools/amalgamate -newer "$last")" ]; then
        quietly amalgamate tools/amalgamate "$@"
    fi
}
