# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The Go binding: functions of ./dev, which reads this file.

staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2

# go_binding ENGINE ARGS: runs go for the binding with one engine; `folder` is the module, if not the binding itself.
go_binding() {
    local engine=$1
    shift
    local -a settings=(CGO_ENABLED=1)
    case $engine in
    wasm) settings=(CGO_ENABLED=0) ;;
    cgo) settings+=("CGO_CFLAGS=-g -O2 -I$root/tests/amalgamation/without-yaml") ;;
    system) settings+=(GOFLAGS=-tags=libgang_system "PKG_CONFIG_PATH=$build" "LD_LIBRARY_PATH=$build/gcc/libgang") ;;
    esac
    (cd "bindings/go/${folder:-.}" && env GOWORK=off "LIBGANG_ANSWERS=$build/answers.jsonl" "${settings[@]}" go "$@")
}

# test_go_binding TITLE ENGINE ARGS
test_go_binding() {
    local title=$1 engine=$2 log=$logs/${1// /-}.json start counts status=0
    shift 2
    start=$(now)
    go_binding "$engine" test -count=1 -json "$@" ./... >"$log" 2>"$log.err" || status=$?
    counts=$(tools/count-tests go "$log")
    if [ "$status" != 0 ]; then
        cat "$log.err" >&2
        tools/count-tests go-output "$log" >&2
        counts=$(awk '{ print $1, $2 ? $2 : 1, $3, $4 }' <<<"$counts")
    fi
    report_counts "$title" "$counts" "$start"
}

# As if the library of the build were installed.
describe_library() {
    printf '%s\n' 'Name: libgang' 'Description: the library of the build' 'Version: 0.1.0' \
        "Cflags: -I$root/include" "Libs: -L$build/gcc/libgang -lgang" >"$build/libgang.pc"
}

gofmt_is_silent() { [ -z "$(gofmt -l adapters bindings/go operator tests/overlay tests/seams | tee /dev/stderr)" ]; }

write_answers() { "$build/gcc/tests/bindings/answers" examples tests/golden >"$build/answers.jsonl"; }

# test_go_module NAME FOLDER: a module that uses the binding.
test_go_module() {
    local folder=$2
    check_command "go $1 vet" go_binding wasm vet ./...
    check_command "go $1 staticcheck" go_binding wasm run "$staticcheck" ./...
    test_go_binding "go $1" wasm
}

suite_go() {
    if ! have_go; then
        skip go 'Go 1.26 or later is not installed'
        return 0
    fi
    prepare go gcc tests/bindings/answers || return 0
    check_command 'go amalgamation' amalgamate_for_tier
    check_command 'go format' gofmt_is_silent
    write_answers
    if [ "$tier" = quick ]; then
        check_command 'go vet' go_binding cgo vet ./...
        test_go_binding 'go cgo' cgo
        return 0
    fi
    check_command 'go vet' go_binding cgo vet -race ./...
    check_command 'go vet wasm' go_binding wasm vet ./...
    check_command 'go staticcheck' go_binding wasm run "$staticcheck" ./...
    test_go_binding 'go cgo' cgo -race
    test_go_binding 'go memory' cgo -run TestLeak
    test_go_binding 'go wasm' wasm
    describe_library
    test_go_binding 'go system' system
    test_go_module k8sgang k8sgang
    test_go_module operator ../../operator
}

# adapters_go FOLDER ARGS: one process at low priority, with the packages that ./dev kinds compiles, too.
adapters_go() {
    (cd "$1" && GOWORK=off CGO_ENABLED=1 GOFLAGS='-mod=readonly -tags=libgang_wasm' nice -n 19 go "${@:2}")
}

# The first run compiles seven operators, which takes many minutes. Vet takes as long and is
# a part of ./dev lint-go.
verb_adapters() {
    have_go || die 'Go 1.26 or later is not installed'
    setup build gcc clang wasi python
    amalgamate || return 1
    tools/generate-grove-types --check || return 1
    adapters_go adapters build -o /dev/null ./... || return 1
    adapters_go adapters test -count=1 -vet=off ./... || return 1
    adapters_go adapters/trainer build -o /dev/null ./... || return 1
    adapters_go adapters/trainer test -count=1 -vet=off ./... || return 1
    adapters_go tests/seams test -count=1 -vet=off -timeout 60m -v .
}

golangci=github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

# Its own build needs some 200 modules, so no suite runs it. Its defaults have go vet and staticcheck.
verb_lint_go() {
    local linter=$build/go/${golangci##*@}/golangci-lint module cgo status=0
    have_go || die 'Go 1.26 or later is not installed'
    setup build gcc git clang wasi python
    amalgamate || return 1
    [ -x "$linter" ] || GOBIN=${linter%/*} go install "$golangci" || return 1
    for module in $(git ls-files '*go.mod'); do
        for cgo in 1 0; do
            # Without cgo the parity tests have no library, and the operators need no second build.
            case $module$cgo in tests/parity/go.mod0 | tests/kinds/go.mod0 | adapters/go.mod0 | adapters/trainer/go.mod0 | tests/seams/go.mod0) continue ;; esac
            say "${module%/go.mod}, CGO_ENABLED=$cgo"
            (cd "${module%/go.mod}" && GOWORK=off CGO_ENABLED=$cgo GOFLAGS='-mod=readonly -tags=bench' \
                CGO_CFLAGS="-I$root -I$root/include" "$linter" run --timeout 20m ./...) || status=1
        done
    done
    return "$status"
}
