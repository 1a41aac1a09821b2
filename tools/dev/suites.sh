# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Running suites: functions of ./dev, which reads this file.

# Suites run side by side, each in a process of its own, so the counts are in a file.
totals=$logs/totals

count() { printf '%s %s\n' "$1" "$2" >>"$totals"; }

# Prints the last line; fails if a case has failed.
tell_totals() {
    awk '{ passed += $1; failed += $2 } END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 }' "$totals"
}

now() { date +%s.%N; }

seconds_since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.1f", b - a }'; }

# report TITLE PASSED FAILED START: the one line of a suite; `=N` as START: N seconds.
report() {
    local seconds=${4#=}
    [ "$seconds" != "$4" ] || seconds=$(seconds_since "$4")
    printf '%-24s %6d passed %4d failed %8s s\n' "$1" "$2" "$3" "$seconds"
    count "$2" "$3"
}

# A skipped suite is a failure in CI.
skip() {
    printf '%-24s skipped: %s\n' "$1" "$2"
    if [ "${CI:-}" = true ]; then
        count 0 1
    fi
}

# report_counts TITLE "PASSED FAILED SKIPPED MEANT" START [REASON]: with it, some are meant.
report_counts() {
    local passed failed skipped meant
    read -r passed failed skipped meant <<<"$2"
    if [ $((passed + failed + skipped)) = 0 ] || { [ -n "${4:-}" ] && [ "$meant" = 0 ]; }; then
        complain "$1: no test ran${4:+, or none $4}"
        failed=1
    fi
    if [ $((passed + failed)) -gt 0 ]; then
        report "$1" "$passed" "$failed" "$3"
    fi
    if [ "$skipped" -gt 0 ]; then
        skip "$1" "$skipped case(s) report that something is missing"
    fi
    if [ "$meant" -gt 0 ]; then
        printf '%-24s %6d skipped as meant: %s\n' "$1" "$meant" "$4"
    fi
}

# One case, which passes if the command succeeds.
check_command() {
    local title=$1 start
    shift
    start=$(now)
    if quietly "${title// /-}" "$@"; then
        report "$title" 1 0 "$start"
    else
        report "$title" 0 1 "$start"
    fi
}

# A program that prints TAP.
check_tap() {
    local title=$1 log=$logs/${1// /-}.tap start status=0 counts
    shift
    start=$(now)
    mkdir -p "$logs"
    "$@" >"$log" 2>&1 || status=$?
    counts=$(tools/count-tests tap "$log")
    if [ "$status" != 0 ]; then
        grep -v '^ok' "$log" >&2 || true
        counts=$(awk '{ print $1, $2 ? $2 : 1, $3, $4 }' <<<"$counts")
    fi
    report_counts "$title" "$counts" "$start"
}

# check_meson RUN BUILD SETUP SUITES REASON [TEST...]: suites of a build in one run, or some of their
# tests. A line for each suite, with the sum of what its tests took.
check_meson() {
    local run=$1 directory=$build/$2 setup=$3 suites=$4 reason=$5 name log counts suite seconds
    local -a options=(-t 4) # beside others a test may wait
    shift 5
    name=${run:-named}-${suites// /-}
    log=$logs/${name:0:60}
    name=${log##*/}
    [ -z "$setup" ] || options=(--setup "$setup")
    for suite in $suites; do options+=(--suite "$suite"); done
    mkdir -p "$logs"
    rm -f "$directory/meson-logs/$name"*.json
    meson test -C "$directory" --no-rebuild --print-errorlogs --logbase "$name" "${options[@]}" "$@" >"$log.log" 2>&1 ||
        grep -Ev '^ *[0-9]+/[0-9]+ .* OK |^[A-Z][A-Za-z ]+: +[0-9]+ *$|^(Summary of|Full log)|^$' "$log.log" >&2
    # shellcheck disable=SC2086 # a list of suites
    cat "$directory/meson-logs/$name"*.json 2>/dev/null | tools/count-tests meson - "$reason" $suites |
        while read -r suite counts seconds; do
            report_counts "${run:+$run }$suite${*:+ $*}" "${counts//,/ }" "=$seconds" "$reason"
        done
}

# The tests in a build, as meson lists them.
find_tests() { meson introspect "$build/$1" --tests --targets | tools/find-tests "${@:2}"; }

# meson_suites BUILD WORD...: the suites that a line of meson_runs names.
meson_suites() {
    {
        printf '%s\n' "${@:2}" | grep -v '^[+-]'
        case " $* " in *' + '*) find_tests "$1" suites ;; esac
    } | awk -v words=" $* " '!seen[$0]++ && !index(words, " -" $0 " ")'
}

# prepare SUITE BUILD TARGETS...: configures and compiles, or counts one failure.
prepare() {
    local suite=$1 name=$2 start
    shift 2
    start=$(now)
    if ! build_of "$name" || ! compile "$name" "$@"; then
        report "$suite build" 0 1 "$start"
        return 1
    fi
}

# run_meson SUITE: runs the lines of meson_runs for the suite.
# shellcheck disable=SC2086 # lists of targets and suites
run_meson() {
    local name build_name targets setup words reason suites
    while IFS='|' read -r name build_name targets setup words reason <&3; do
        [ "$name" = "$1" ] || continue
        prepare "$1" "$build_name" $targets || return 0
        if [[ $words == */* ]]; then
            check_meson "$1" "$build_name" "$setup" "${words%%/*}" "$reason" "${words#*/}"
            continue
        fi
        suites=$(meson_suites "$build_name" $words | xargs)
        check_meson "$1" "$build_name" "$setup" "$suites" "$reason"
    done 3<<<"$meson_runs"
}

# check_hooks GANGCTL ARGS: with pre-commit, in an environment of its own.
check_hooks() {
    if prepare_venv hooks tests/hooks/requirements.txt; then
        check_tap hooks tests/hooks/check "$@" --pre-commit "$build/hooks/venv/bin/pre-commit"
    else
        report 'hooks packages' 0 1 =0
    fi
}

suite_lint() { check_tap lint "$(python_with_yaml)" tests/lint/check; }

# The module is for an engine that `./dev test` leaves out.
amalgamate_for_tier() {
    if [ "$tier" = quick ]; then amalgamate --without-wasm; else amalgamate; fi
}

suite_amalgamation() {
    local compilers=(gcc)
    [ "$tier" = quick ] || compilers+=(clang)
    prepare amalgamation gcc || return 0
    rm -f bindings/go/gang.[ch] bindings/go/gang.wasm
    check_command 'amalgamation made' amalgamate_for_tier
    check_tap amalgamation tests/amalgamation/check "$build/gcc" "${compilers[@]}"
}

# The order of the checks, random jobs and failed allocations of a tier that is for every change.
suite_check() { FEW_SEEDS=yes run_meson check; }

# The answers of ./dev portable, under MemorySanitizer: the first use of uninitialised memory ends the program.
msan_answers() {
    local folder=$build/msan/answers
    rm -rf "$folder" && "$(python_with_yaml)" tests/portable/cases "$folder" &&
        clang -std=c11 -g -O1 -fsanitize=memory -fno-sanitize-recover=all -Iinclude -Iinclude/gang tests/portable/answers.c \
            "$build/msan/libgang/libgang-inner.a" -o "$folder/answers" &&
        "$folder/answers" "$folder/policies" "$folder"/*.case >"$folder/answers.txt"
}

suite_msan() {
    run_meson msan
    check_command 'msan answers' msan_answers
}

suite_bench() {
    prepare bench release tests/bench/bench || return 0
    check_tap bench "$(python_with_yaml)" tests/bench/run "$build/release"
}
