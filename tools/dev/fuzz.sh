# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzing: functions of ./dev, which reads this file.

fuzz_targets() { grep -l LLVMFuzzerTestOneInput fuzz/*.c 2>/dev/null | grep -v '^fuzz/standalone\.c$' || true; }

# seed_jobs FOLDER: golden cases with their policies, a fifth of the recorded jobs, in a folder for each kind, and samples.
seed_jobs() {
    local seeds=$1 folder file kind
    for folder in tests/golden/jobs/*/*/; do
        kind=$(sed -n 's/^kind: //p' "$folder../job.yaml" | head -n 1 | tr '[:upper:]' '[:lower:]')
        mkdir -p "$seeds/$kind"
        for file in "$folder"../job.yaml "$folder"policy.yaml; do
            [ ! -f "$file" ] || sed 's/^apiVersion:/---\n&/' "$file"
        done >"$seeds/$kind/golden-$(tr / - <<<"${folder#tests/golden/jobs/}")"
    done
    for file in tests/recorded/kinds/*.ndjson; do
        kind=$(basename "$file" .ndjson)
        mkdir -p "$seeds/$kind"
        sed -n 's/^{"id":"[^"]*","object":\(.*\),"answer":{.*$/\1/p' "$file" |
            awk -v name="$seeds/$kind/recorded-" 'NR % 5 == 1 { print >(name NR); close(name NR) }'
    done
    mkdir -p "$seeds/samples"
    sed 's/.*"object":\(.*\)}$/\1/' tests/recorded/kinds/samples.jsonl |
        awk -v name="$seeds/samples/" '{ print >(name NR); close(name NR) }'
}

# job_words FILE: a dictionary with the words of the kinds of job, such as the names of fields.
job_words() { grep -ohE '"[A-Za-z][A-Za-z0-9./-]*"' libgang/jobs/*.c | grep -v '\.h"$' | sort -u >"$1"; }

# seed_fuzz_target TARGET: the examples, in the form that the target reads.
seed_fuzz_target() {
    local target=$1 seeds=$build/fuzz/seeds/$1 folder file name
    mkdir -p "$seeds"
    for folder in examples/*/; do
        name=$(basename "$folder")
        case $target in
        quantity) ;; # its seeds are in fuzz/corpus
        plan | stream | podgang | reconcile | job | cost | diagnose)
            for file in "$folder"*.yaml; do
                [ ! -f "$file" ] || { cat "$file" && say ---; }
            done >"$seeds/$name" ;;
        *)
            for file in "$folder$target".yaml examples/policies/*.yaml; do
                [ ! -f "$file" ] || { printf 0 && cat "$file"; } >"$seeds/$name-$(basename "$file")"
            done ;;
        esac
    done
    case $target in
    plan | stream | quantity) ;;
    reconcile)
        for folder in tests/golden/reconcile/*/; do
            for file in "$folder"[!e]*.yaml $(sed -n 's/^- \(.*\.yaml\)$/\1/p' "${folder}expected.yaml"); do
                cat "$file" && say ---
            done >"$seeds/golden-$(basename "$folder")"
        done ;;
    job) seed_jobs "$seeds" ;;
    diagnose) python3 tests/why/folders --streams "$seeds" ;;
    cost) python3 tests/ladder/inputs.py "$seeds" ;;
    podgang)
        for folder in tests/golden/grove/*/; do
            for file in "$folder"[pc]*.yaml; do cat "$file" && say ---; done >"$seeds/golden-$(basename "$folder")"
        done ;;
    *)
        find tests/golden examples -name "$target.yaml" | while IFS= read -r file; do
            { printf 0 && cat "$file"; } >"$seeds/$(tr / - <<<"${file%/*}")"
        done ;;
    esac
}

# fuzz_inputs TARGET [PART]: the folders with the inputs of a target: its seeds, its regressions, and the inputs of
# every target. With PART, the seeds in that folder alone.
fuzz_inputs() {
    local target=$1 part=${2:-} folder
    if [ -n "$part" ]; then
        say "$build/fuzz/seeds/$target/$part"
        return 0
    fi
    for folder in "$build/fuzz/seeds/$target" "fuzz/corpus/$target" "fuzz/regressions/$target" fuzz/corpus/all; do
        [ ! -d "$folder" ] || say "$folder"
    done
}

replay_fuzz_target() {
    local file=$1 target
    target=$(basename "$file" .c)
    seed_fuzz_target "$target"
    # shellcheck disable=SC2046 # a list of folders
    clang -std=c11 -g -O1 -D_POSIX_C_SOURCE=200809L -fsanitize=address,undefined -fno-sanitize-recover=all -I. -Iinclude \
        "$file" fuzz/standalone.c "$build/asan/libgang/libgang-inner.a" -lyaml -o "$build/fuzz/replay-$target" &&
        "$build/fuzz/replay-$target" $(fuzz_inputs "$target")
}

suite_fuzz_regression() {
    local file
    if [ -z "$(fuzz_targets)" ]; then
        skip fuzz-regression 'fuzz/ has no target'
        return 0
    fi
    prepare fuzz-regression asan libgang/libgang-inner.a || return 0
    for file in $(fuzz_targets); do check_command "fuzz $(basename "$file" .c)" replay_fuzz_target "$file"; done
}

# A target with changes of its own does not need value profiles; without them it runs three times as fast.
fast_fuzz_targets=' policy job cost quantity '

# The CPU time of each call for the dearest inputs that the target cost has found, without instruments.
time_dearest() {
    local -a sources
    mapfile -t sources < <(find libgang -name '*.c')
    clang -std=c11 -O2 -DGANG_WITH_YAML -I. -Iinclude fuzz/cost.c fuzz/standalone.c "${sources[@]}" -lyaml \
        -o "$build/fuzz/time-cost" && FUZZ_SECONDS=0.5 "$build/fuzz/time-cost" "$build/fuzz/dearest" 2>&1
}

# record_fuzzing NAME SECONDS STATUS EXECUTIONS: a line for the table of tell_fuzzing.
record_fuzzing() {
    local commit
    commit=$(git rev-parse --short=8 HEAD 2>/dev/null || say unknown)
    [ -z "$(git status --porcelain -uno 2>/dev/null)" ] || commit=$commit+
    printf '%s\t%s\t%s\t%s\t%s\n' "$commit" "$1" "$2" "${4:-0}" "$3" >>"$build/fuzz/executions.tsv"
}

# All runs of this folder by commit and target; `+` after a commit: with changes.
tell_fuzzing() {
    awk -F'\t' '{ key = $1 "\t" $2; if (!(key in runs)) order[++n] = key
            runs[key]++; seconds[key] += $3; executions[key] += $4; findings[key] += $5 != 0; all += $4 }
        END { printf "%-12s %-20s %5s %9s %13s %9s\n", "commit", "target", "runs", "seconds", "executions", "findings"
            for (i = 1; i <= n; i++) { split(order[i], at, "\t"); k = order[i]
                printf "%-12s %-20s %5d %9d %13.0f %9d\n", at[1], at[2], runs[k], seconds[k], executions[k], findings[k] }
            printf "%.0f executions\n", all }' "$build/fuzz/executions.tsv"
}

fuzz_flags=(-std=c11 -g -O2 -DGANG_WITH_YAML -I. -Iinclude)

# instrumented_library FLAG...: an archive, once for all targets with the same flags. A target is linked with the
# objects that it calls, so libFuzzer counts no others: without the rest quantity runs ten times as fast.
instrumented_library() {
    local folder
    folder=$build/fuzz/library-$(cksum <<<"$*" | cut -d ' ' -f 1)
    if [ ! -f "$folder/libgang.a" ] || [ -n "$(find libgang include -newer "$folder/libgang.a")" ]; then
        rm -rf "$folder" && mkdir -p "$folder" || return 1
        find "$root/libgang" -name '*.c' -print0 | (cd "$folder" && xargs -0 -n 8 -P "$(nproc)" \
            clang "${fuzz_flags[@]/-I/-I$root/}" "$@" -c) && ar rcs "$folder/libgang.a" "$folder"/*.o || return 1
    fi
    say "$folder/libgang.a"
}

# Interesting inputs of a target, or of a part of its seeds, are kept in build/fuzz/TARGET[-PART] for later runs.
fuzz_target() {
    local file=$1 seconds=$2 part=${3:-} target name dictionary log library status=0
    local -a words=() instruments=() link=()
    local sanitizers=address,undefined
    target=$(basename "$file" .c)
    name=$target${part:+-$part} dictionary=fuzz/$target.dict
    log=$logs/fuzz-$name.log
    mkdir -p "$build/fuzz/$name" "$logs"
    seed_fuzz_target "$target"
    [ -z "$part" ] || [ -d "$build/fuzz/seeds/$target/$part" ] ||
        die "no seeds $part; there are: $(find "$build/fuzz/seeds/$target" -mindepth 1 -type d -printf '%f\n' | sort | xargs)"
    if [ "$target" = job ] || [ "$target" = cost ]; then
        dictionary=$build/fuzz/job.dict
        job_words "$dictionary"
    fi
    [ ! -f "$dictionary" ] || words=(-dict="$dictionary")
    if [[ $fast_fuzz_targets == *" $target "* ]]; then
        instruments=(-fno-sanitize-coverage=trace-cmp)
        words+=(-entropic=0)
    fi
    if [ "$target" = job ]; then # what only the readers can tell apart is not interesting here
        say $'src:*/libgang/base/*\nsrc:*/libgang/document/*' >"$build/fuzz/job.ignored"
        instruments+=(-fsanitize-coverage-ignorelist="$build/fuzz/job.ignored")
    fi
    if [ "$target" = cost ]; then # counts the basic blocks of a call
        sanitizers=undefined
        instruments+=(-fsanitize-coverage=trace-pc)
        link=(-Wl,--wrap=__sanitizer_cov_trace_pc)
        words+=(-max_len=3145728 -len_control=0)
        mkdir -p "$build/fuzz/dearest"
    fi
    instruments+=("-fsanitize=fuzzer-no-link,$sanitizers" -fno-sanitize-recover=all)
    library=$(instrumented_library "${instruments[@]}") || return 1
    clang "${fuzz_flags[@]}" "${instruments[@]}" -fsanitize=fuzzer ${link[@]+"${link[@]}"} "$file" "$library" \
        -lyaml -o "$build/fuzz/fuzz-$target"
    # shellcheck disable=SC2046 # a list of folders
    FUZZ_COUNTS=$logs/fuzz-$name.counts FUZZ_COSTS=$build/fuzz/dearest "$build/fuzz/fuzz-$target" \
        -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        ${words[@]+"${words[@]}"} -artifact_prefix="$build/fuzz/$name-" \
        "$build/fuzz/$name" $(fuzz_inputs "$target" "$part") >"$log" 2>&1 || status=$?
    [ "$status" != 72 ] || status=0 # interrupted: libFuzzer's own exit code for it
    [ "$status" = 0 ] || tail -n 60 "$log" >&2
    [ ! -f "$logs/fuzz-$name.counts" ] || cat "$logs/fuzz-$name.counts"
    [ "$target" != cost ] || time_dearest || status=$?
    record_fuzzing "$name" "$seconds" "$status" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
    say "fuzz $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions," \
        "$(if [ "$status" = 0 ]; then say 'no finding'; else say 'a FINDING, see above'; fi)"
    return "$status"
}

verb_fuzz() {
    local file wanted=${1:-} seconds=${2:-60} part=${3:-} found='' status=0
    if [[ $wanted =~ ^[0-9]+$ ]]; then
        seconds=$wanted wanted=
    fi
    setup build clang compiler-rt
    for file in $(fuzz_targets); do
        [ -z "$wanted" ] || [ "$wanted" = "$(basename "$file" .c)" ] || continue
        found=yes
        say "fuzz: $(basename "$file" .c), $seconds seconds"
        fuzz_target "$file" "$seconds" "$part" || status=1
    done
    [ -n "$found" ] || die "no such fuzz target; there are: $(fuzz_targets | xargs -r -n 1 basename -s .c | xargs)"
    tell_fuzzing
    return "$status"
}

# oss_fuzz_target FOLDER TARGET SECONDS: one target of the recipe, with its zipped seeds.
oss_fuzz_target() {
    local out=$1 target=$2 seconds=$3 log=$logs/oss-fuzz-$2.log status=0
    local -a words=()
    rm -rf "$out/$target-corpus" && mkdir -p "$out/$target-corpus" "$logs"
    python3 -m zipfile -e "$out/${target}_seed_corpus.zip" "$out/$target-corpus/seeds"
    [ ! -f "$out/$target.dict" ] || words=(-dict="$out/$target.dict")
    "$out/$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2560 -print_final_stats=1 \
        ${words[@]+"${words[@]}"} -artifact_prefix="$out/$target-" "$out/$target-corpus" "$out/$target-corpus/seeds" \
        >"$log" 2>&1 || status=$?
    [ "$status" = 0 ] || tail -n 40 "$log" >&2
    say "$(printf '%-10s %-10s' "${out##*/}" "$target")" \
        "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions," \
        "$(if [ "$status" = 0 ]; then say 'no finding'; else say 'a FINDING, see above'; fi)"
    return "$status"
}

# The recipe for OSS-Fuzz with the variables that its containers set, and a short run of each target.
verb_oss_fuzz() {
    local seconds=${1:-10} sanitizer file target out status=0
    local -a sanitizers=("${@:2}")
    setup build clang compiler-rt python
    [ ${#sanitizers[@]} != 0 ] || sanitizers=(address undefined memory)
    for sanitizer in "${sanitizers[@]}"; do
        out=$build/oss-fuzz/$sanitizer
        rm -rf "$out" && mkdir -p "$out" "$build/oss-fuzz/work-$sanitizer" "$build/oss-fuzz/src"
        ln -sfn "$root" "$build/oss-fuzz/src/libgang"
        quietly "oss-fuzz-$sanitizer" env SANITIZER="$sanitizer" SRC="$build/oss-fuzz/src" OUT="$out" \
            WORK="$build/oss-fuzz/work-$sanitizer" CC=clang CXX=clang++ LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
            CFLAGS="-O1 -fno-omit-frame-pointer -gline-tables-only -fsanitize=$sanitizer -fno-sanitize-recover=all \
-fsanitize=fuzzer-no-link" CXXFLAGS="-O1 -fsanitize=$sanitizer" fuzz/oss-fuzz/build.sh || return 1
        for file in "$out"/*_seed_corpus.zip; do
            target=$(basename "$file" _seed_corpus.zip)
            oss_fuzz_target "$out" "$target" "$seconds" || status=1
        done
    done
    return "$status"
}
