# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Parity with the operator: functions of ./dev, which reads this file.

# Go does not detect changes outside its packages, so a stamp of library and headers makes it build again.
parity_go() {
    local stamp
    stamp=$(find "$build/gcc/libgang" include libgang -name '*.[ho]' -type f -exec cat {} + | cksum | cut -d ' ' -f 1)
    # The operator allocates much; less frequent garbage collection saves a third of the instructions.
    (cd tests/parity && CGO_ENABLED=1 GOFLAGS=-mod=readonly GOGC=400 \
        CGO_CFLAGS="-g -O2 -I$root -I$root/include -DLIBGANG_STAMP=$stamp" \
        CGO_LDFLAGS="$build/gcc/libgang/libgang-inner.a -lyaml" go "$@")
}

suite_parity() {
    local start log=$logs/parity.json counts status=0
    if ! have_go; then
        skip parity 'Go 1.26 or later is not installed'
        return 0
    fi
    if [ ! -f tests/parity/go.mod ]; then
        skip parity 'tests/parity is not here'
        return 0
    fi
    start=$(now)
    prepare parity gcc libgang/libgang-inner.a || return 0
    check_command 'parity amalgamation' amalgamate
    parity_go test -count=1 -json ./... >"$log" 2>"$logs/parity.log" || status=$?
    counts=$(tools/count-tests go "$log")
    if [ "$status" != 0 ]; then
        cat "$logs/parity.log" >&2
        tools/count-tests go-output "$log" >&2
        counts=$(awk '{ print $1, $2 ? $2 : 1, $3, $4 }' <<<"$counts")
    fi
    report_counts parity "$counts" "$start"
    tools/count-tests go-tallies "$log"
    check_command 'parity schema' schema_is_fresh
}

# The tables of the operator's API are generated from the CRDs of the version that the parity tests run.
schema_is_fresh() {
    local folder version
    read -r folder version <<<"$(cd tests/parity &&
        GOFLAGS=-mod=readonly go list -m -f '{{.Dir}} {{.Version}}' github.com/kubeflow/trainer/v2)"
    "$(python_with_yaml)" tools/generate-schema "$folder/manifests/base/crds" "$version" --check
}
