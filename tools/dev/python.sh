# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Python: functions of ./dev, which reads this file.

python_venv=$build/python/venv

# The tools and SDKs of the tests, in an environment of their own. It is made again when their list changes.
prepare_python() {
    local list=bindings/python/tests/requirements.txt
    python_ignored=()
    if [ "$tier" = quick ] && ! cmp -s "$list" "$build/python/installed"; then
        mkdir -p "$build"
        grep -E "^($python_few)==" "$list" >"$build/python-few.txt"
        list=$build/python-few.txt
        python_ignored=(--ignore=tests/test_{benchmark,controller,convert,fleet,kubeflow,notebook,package}.py)
    fi
    prepare_venv python "$list"
}

# What most of the tests need.
python_few='hypothesis|pytest|pyyaml|ruff'
python_ignored=()

# prepare_venv NAME LIST: the packages of a list, in build/NAME/venv.
prepare_venv() {
    local name=$1 list=$2
    if cmp -s "$list" "$build/$name/installed"; then
        return 0
    fi
    rm -rf "${build:?}/$name"
    mkdir -p "$build/$name"
    complain "dev: installing Python packages below build/$name"
    quietly "$name-venv" python3 -m venv "$build/$name/venv" &&
        quietly "$name-pip" "$build/$name/venv/bin/pip" install --disable-pip-version-check -r "$list" &&
        cp "$list" "$build/$name/installed"
}

# Runs a command of the environment in bindings/python, with the library of the gcc build.
in_python() {
    (cd bindings/python && PATH=$python_venv/bin:$PATH PYTHONPATH=$root/bindings/python/src PYTHONDONTWRITEBYTECODE=1 \
        LIBGANG_LIBRARY=$build/gcc/libgang/libgang.so LIBGANG_GANGCTL=$build/gcc/tools/gangctl/gangctl \
        COVERAGE_FILE=$build/python/coverage "$@")
}

# All tests of the package. At least 95 % of its branches must be taken. PYTEST_ADDOPTS=--long adds the long ones.
check_python() {
    local start log=$logs/python.log results=$logs/python.xml counts status=0
    local reason='takes minutes; run with --long'
    local -a options
    start=$(now)
    rm -f "$results"
    if [ "$tier" = quick ]; then
        options=(${python_ignored[@]+"${python_ignored[@]}"})
    else
        options=(--cov --cov-fail-under=95 --cov-report=term-missing:skip-covered)
    fi
    in_python pytest --junitxml="$results" -o cache_dir="$build/python/cache" ${options[@]+"${options[@]}"} \
        >"$log" 2>&1 || status=$?
    counts=$(tools/count-tests junit "$results" "$reason" 2>/dev/null || say 0 1 0 0)
    if [ "$status" != 0 ]; then
        cat "$log" >&2
        counts=$(awk '{ print $1, $2 ? $2 : 1, $3, $4 }' <<<"$counts")
    fi
    report_counts python "$counts" "$start" "$reason"
}

suite_python() {
    local start
    start=$(now)
    prepare python gcc tools/gangctl/gangctl || return 0
    if ! prepare_python; then
        report 'python packages' 0 1 "$start"
        return 0
    fi
    check_command 'python ruff' in_python ruff check --no-cache .
    check_command 'python format' in_python ruff format --no-cache --check .
    if [ "$tier" = quick ]; then
        check_python
        return 0
    fi
    check_command 'python mypy' in_python mypy --cache-dir "$build/python/mypy" src
    check_command 'python pyright' in_python pyright src
    check_hooks "$build/gcc/tools/gangctl/gangctl"
    check_python
}
