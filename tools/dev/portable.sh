# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Other platforms: functions of ./dev, which reads this file.

# platform|compiler|what runs its programs here. The compilers are the oldest and newest of Debian 12.
platforms='
aarch64|aarch64-linux-gnu-gcc|qemu-aarch64-static
armhf|arm-linux-gnueabihf-gcc|qemu-arm-static
i386|i686-linux-gnu-gcc|qemu-i386-static
ppc64le|powerpc64le-linux-gnu-gcc|qemu-ppc64le-static
riscv64|riscv64-linux-gnu-gcc|qemu-riscv64-static
s390x|s390x-linux-gnu-gcc|qemu-s390x-static
musl|musl-gcc|
windows|x86_64-w64-mingw32-gcc|wine
gcc-11|gcc-11|
gcc-12|gcc-12|
clang-13|clang-13|
clang-19|clang-19|
'

# The library as two files, and a program that prints its answers, without any other library.
build_answers() {
    local compiler=$1 program=$2
    "$compiler" -std=c11 -pedantic -D_POSIX_C_SOURCE=200809L -O1 -DNDEBUG -static -Ibindings/go \
        tests/portable/answers.c bindings/go/gang.c -o "$program"
}

# `emulator` may be empty. Windows ends a line of text with two bytes.
print_answers() {
    local program=$1 emulator=$2
    (cd "$build/portable" &&
        WINEDEBUG=-all WINEPREFIX=$PWD/wine $emulator "$program" cases/policies cases/*.case | tr -d '\r')
}

compare_platform() {
    local platform=$1 compiler=$2 emulator=$3 folder=$build/portable
    build_answers "$compiler" "$folder/$platform.exe" &&
        print_answers "./$platform.exe" "$emulator" 2>"$folder/$platform.count" >"$folder/$platform.answers" &&
        cmp "$folder/native.answers" "$folder/$platform.answers"
}

# Documents, answers and bytes of this machine; then each platform must print the same bytes.
verb_portable() {
    local platform compiler emulator wanted=" $* " folder=$build/portable status=0
    setup gcc libc clang python yaml-module
    amalgamate --without-wasm
    rm -rf "$folder/cases"
    mkdir -p "$folder"
    "$(python_with_yaml)" tests/portable/cases "$folder/cases"
    build_answers gcc "$folder/native"
    print_answers ./native '' 2>"$folder/native.count" >"$folder/native.answers"
    while IFS='|' read -r platform compiler emulator; do
        [ -n "$platform" ] && { [ $# = 0 ] || [[ $wanted == *" $platform "* ]]; } || continue
        # shellcheck disable=SC2086 # perhaps no emulator
        setup "$compiler" $emulator
        compare_platform "$platform" "$compiler" "$emulator" || status=1
        say "$(printf '%-9s' "$platform")" "$(tail -n 1 "$folder/$platform.count")," \
            "$(if cmp -s "$folder/native.answers" "$folder/$platform.answers"; then say 'the same bytes'; else say DIFFERENT; fi)"
    done <<<"$platforms"
    return "$status"
}
