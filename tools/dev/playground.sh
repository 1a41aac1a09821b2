# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The playground: functions of ./dev, which reads this file.

page=$build/playground/index.html

# apt_of_sources ARGS: apt-get with lists of source packages, apart from the lists of the system.
apt_of_sources() {
    apt-get -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$build/apt/parts" \
        -o "Dir::State::Lists=$build/apt/lists" -o "Dir::Cache=$build/apt/cache" "$@"
}

# apt checks the signatures of what it fetches.
fetch_libyaml() {
    local file
    rm -rf "$build/apt" "$1"
    mkdir -p "$build/apt/parts" "$build/apt/lists/partial" "$build/apt/cache/archives/partial" "$1"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
        case $file in
        *.sources) sed 's/^Types:.*/Types: deb-src/' "$file" >"$build/apt/parts/${file##*/}" ;;
        *.list)
            [ ! -f "$file" ] || sed -n 's/^deb /deb-src /p' "$file" >"$build/apt/parts/${file##*/}"
            ;;
        esac
    done
    (cd "$build/apt" && apt_of_sources update && apt_of_sources source --download-only libyaml) &&
        tar -xzf "$build"/apt/libyaml_*.orig.tar.gz -C "$1" --strip-components=1
}

# Prints the folder of libyaml's sources; LIBYAML_SOURCES names another one.
libyaml_sources() {
    local folder=${LIBYAML_SOURCES:-$build/libyaml}
    if [ ! -f "$folder/src/parser.c" ]; then
        have apt-get || die 'set LIBYAML_SOURCES to the folder of the sources of libyaml 0.2.5'
        complain 'dev: fetching the sources of libyaml'
        quietly libyaml fetch_libyaml "$folder" || return 1
    fi
    say "$folder"
}

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
