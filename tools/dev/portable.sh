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

# windows_library SOURCES: with CMake, below build/portable/windows
windows_library() {
    local folder=$build/portable/windows
    cmake -S "$1" -B "$folder/${1##*/}" -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=x86_64-w64-mingw32-gcc \
        -DCMAKE_INSTALL_PREFIX="$folder" -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF -DCHECK_ENABLE_SUBUNIT=OFF &&
        cmake --build "$folder/${1##*/}" && cmake --install "$folder/${1##*/}"
}

# Check and libyaml of the same sources as Debian's. Check makes a DLL too, which the tests would look for.
windows_libraries() {
    local folder=$build/portable/windows check libyaml
    check=$(sources_of check src/check.c) && libyaml=$(libyaml_sources) && windows_library "$check" &&
        windows_library "$libyaml" && rm -f "$folder/lib/libcheck.dll.a" &&
        sed -e "s|@prefix@|$folder|; s|@exec_prefix@|$folder|; s|@includedir@|$folder/include|; s|@libdir@|$folder/lib|" \
            -e 's|@PACKAGE_VERSION@|0.2.5|; s|^Cflags:|& -DYAML_DECLARE_STATIC|' "$libyaml/yaml-0.1.pc.in" \
            >"$folder/lib/pkgconfig/yaml-0.1.pc"
}

# The unit tests as programs of Windows. Wine keeps its files in build/portable.
check_windows_units() {
    local folder=$build/portable
    setup build check cmake x86_64-w64-mingw32-gcc wine
    [ -f "$folder/windows/lib/pkgconfig/yaml-0.1.pc" ] || quietly windows-libraries windows_libraries || return 1
    export WINEDEBUG=-all WINEPREFIX=$folder/wine
    configure windows x86_64-w64-mingw32-gcc --cross-file tests/portable/windows.ini \
        -Dpkg_config_path="$folder/windows/lib/pkgconfig" -Dtests=enabled -Dyaml=enabled -Dgangctl=disabled \
        -Djson-c=disabled -Dhardening=false -Ddefault_library=static &&
        find_tests windows targets "$build/windows" unit >"$folder/windows-targets" &&
        xargs ninja -C "$build/windows" <"$folder/windows-targets" >"$logs/compile-windows.log" 2>&1 || {
        cat "$logs"/{setup,compile}-windows.log >&2
        return 1
    }
    check_meson windows windows '' unit ''
}

# Documents, answers and bytes of this machine; then each platform must print the same bytes.
verb_portable() {
    local platform compiler emulator wanted=" $* " folder=$build/portable said tier=all
    setup gcc libc clang python yaml-module
    amalgamate --without-wasm
    rm -rf "$folder/cases"
    mkdir -p "$folder" "$logs"
    : >"$totals"
    "$(python_with_yaml)" tests/portable/cases "$folder/cases"
    build_answers gcc "$folder/native"
    print_answers ./native '' 2>"$folder/native.count" >"$folder/native.answers"
    while IFS='|' read -r platform compiler emulator <&3; do
        [ -n "$platform" ] && { [ $# = 0 ] || [[ $wanted == *" $platform "* ]]; } || continue
        # shellcheck disable=SC2086 # perhaps no emulator
        setup "$compiler" $emulator
        if compare_platform "$platform" "$compiler" "$emulator"; then said='the same bytes'; else said=DIFFERENT; fi
        say "$(printf '%-9s' "$platform")" "$(tail -n 1 "$folder/$platform.count"), $said"
        if [ "$said" = DIFFERENT ]; then count 0 1; else count 1 0; fi
        [ "$platform" != windows ] || check_windows_units || count 0 1
    done 3<<<"$platforms"
    tell_totals
}
