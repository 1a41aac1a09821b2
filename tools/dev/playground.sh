# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The playground: functions of ./dev, which reads this file.

page=$build/playground/index.html

# apt_of_sources ARGS: apt-get with lists of source packages, apart from the lists of the system.
apt_of_sources() {
    apt-get -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$build/apt/parts" \
        -o "Dir::State::Lists=$build/apt/lists" -o "Dir::Cache=$build/apt/cache" "$@"
}

# fetch_sources PACKAGE FOLDER. apt checks the signatures of what it fetches.
fetch_sources() {
    local file
    rm -rf "$build/apt" "$2"
    mkdir -p "$build/apt/parts" "$build/apt/lists/partial" "$build/apt/cache/archives/partial" "$2"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
        case $file in
        *.sources) sed 's/^Types:.*/Types: deb-src/' "$file" >"$build/apt/parts/${file##*/}" ;;
        *.list)
            [ ! -f "$file" ] || sed -n 's/^deb /deb-src /p' "$file" >"$build/apt/parts/${file##*/}"
            ;;
        esac
    done
    (cd "$build/apt" && apt_of_sources update && apt_of_sources source --download-only "$1") &&
        tar -xzf "$build/apt/$1"_*.orig.tar.gz -C "$2" --strip-components=1
}

# Prints the folder of the sources of a Debian package, which has this FILE. LIBYAML_SOURCES names another one.
sources_of() {
    local package=$1 file=$2 folder=$build/$1
    [ "$package" != libyaml ] || folder=${LIBYAML_SOURCES:-$folder}
    if [ ! -f "$folder/$file" ]; then
        have apt-get || die "apt-get, which fetches the sources of $package, is not installed; for libyaml LIBYAML_SOURCES names them"
        complain "dev: fetching the sources of $package"
        quietly "$package" fetch_sources "$package" "$folder" || return 1
    fi
    say "$folder"
}

libyaml_sources() { sources_of libyaml src/parser.c; }

npm_packages() {
    local list=doc/playground/package-lock.json installed=doc/playground/node_modules/.installed
    if ! cmp -s "$list" "$installed"; then
        complain 'dev: installing npm packages below doc/playground'
        quietly npm npm ci --prefix doc/playground && cp "$list" "$installed"
    fi
}

# The library with YAML as a WebAssembly module, compiled again if a source is newer.
playground_module() {
    local module=$build/playground.wasm libyaml
    libyaml=$(libyaml_sources) || return 1
    if [ ! -f "$module" ] ||
        [ -n "$(find libgang include bindings/go/call.[ch] tools/amalgamate -newer "$module")" ]; then
        tools/amalgamate --module "$module" "$libyaml"
    fi
}

build_playground() {
    setup clang wasi python node npm
    mkdir -p "$build/playground"
    playground_module && npm_packages &&
        (cd doc/playground && quietly playground npm run --silent check &&
            node build.mjs "$build/playground.wasm" "$page")
}

# Browsers are large, so this is no suite.
test_playground() {
    setup build chromium firefox-esr python-venv
    build_gangctl
    prepare_venv playground-tests tests/playground/requirements.txt || return 1
    GANGCTL=$(gangctl_path) CHROMIUM=$(command -v chromium) FIREFOX=$(command -v firefox-esr) \
        PYTHONDONTWRITEBYTECODE=1 \
        "$build/playground-tests/venv/bin/pytest" -q -p no:cacheprovider tests/playground "$@"
}
