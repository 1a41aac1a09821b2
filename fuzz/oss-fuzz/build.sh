#!/bin/bash -eu
# SPDX-License-Identifier: Apache-2.0
# Builds all fuzz targets with their seeds and dictionaries into $OUT, as OSS-Fuzz wants them. It sets CC, CXX,
# CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE, SANITIZER, SRC, WORK and OUT; ./dev oss-fuzz does so without its containers.
cd "$SRC/libgang"
build=$WORK
say() { printf '%s\n' "$*"; }
# shellcheck source=tools/dev/fuzz.sh
source tools/dev/fuzz.sh

read -r -a flags <<<"-std=c11 $CFLAGS -I. -Iinclude"
yaml=()
# MemorySanitizer would report what libyaml writes, which is not instrumented: JSON alone.
if [ "$SANITIZER" = memory ]; then
    find libgang -name '*.c' ! -name 'yaml_*.c' >"$WORK/sources"
else
    find libgang -name '*.c' >"$WORK/sources"
    flags+=(-DGANG_WITH_YAML)
    yaml=(-Wl,-Bstatic -lyaml -Wl,-Bdynamic)
fi
mkdir -p "$WORK/objects"
# shellcheck disable=SC2016 # expanded by the inner shell
xargs -P "$(nproc)" -I{} sh -c '"$CC" "$@" -c {} -o "$WORK/objects/$(echo {} | tr / _).o"' - "${flags[@]}" <"$WORK/sources"

for file in $(fuzz_targets); do
    target=$(basename "$file" .c)
    [ "$target" != cost ] || continue # counts basic blocks instead of looking for errors
    [ "$target $SANITIZER" != 'policy memory' ] || continue # its jobs are YAML
    "$CC" "${flags[@]}" -c "$file" -o "$WORK/$target.o"
    # shellcheck disable=SC2086 # lists of options
    "$CXX" $CXXFLAGS "$WORK/$target.o" "$WORK"/objects/*.o $LIB_FUZZING_ENGINE ${yaml[@]+"${yaml[@]}"} \
        -o "$OUT/$target"
    seed_fuzz_target "$target"
    # shellcheck disable=SC2046 # a list of folders
    python3 -W ignore -m zipfile -c "$OUT/${target}_seed_corpus.zip" $(fuzz_inputs "$target")
    [ ! -f "fuzz/$target.dict" ] || cp "fuzz/$target.dict" "$OUT/"
done
job_words "$OUT/job.dict"
