# SPDX-License-Identifier: Apache-2.0
"""Tests of gangctl policy test with mistakes, and of policy init with several schedulers."""

import json

import yaml
from bench import JOB, RUNTIME

HEAD = """\
# The cases of the lab.
apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicyTest
metadata: {name: lab}
spec:
  inputs: [runtime.yaml, job.yaml]
  cases:
"""
GOOD = """\
  - name: good
    expect:
      outcome: Gang
"""
WRONG_KEY = """\
  # A comment - with a dash.
  - name: wrong
    expect:
      outcome: Gang
      quue: default
"""
FAILING = """\
  - name: failing
    expect: {minimum: 7}
"""


def write_inputs(bench):
    bench.write("tests/runtime.yaml", RUNTIME)
    bench.write("tests/job.yaml", JOB)


def test_policy_test_stops_a_wrong_case_only(bench):
    write_inputs(bench)
    bench.write("tests/all.yaml", HEAD + WRONG_KEY + GOOD + FAILING)
    bench.run("policy", "test", "tests").expect(1)
    bench.says("error: tests/all.yaml:12: spec.cases[0].expect.quue: unknown field: known are ")
    assert bench.err.count("error:") == 1, bench.err
    bench.prints("ok      lab: good\n", "failed  lab: failing\n", "1 passed, 1 failed\n")
    bench.write("tests/all.yaml", HEAD + WRONG_KEY + GOOD)
    bench.run("policy", "test", "tests").expect(1).prints("1 passed, 0 failed\n")
    bench.write("tests/all.yaml", HEAD.replace("  inputs", "  inptus") + GOOD)
    bench.run("policy", "test", "tests").expect(1, out="").says("all.yaml:6: spec.inptus: unknown")


def test_policy_test_annotates_lines(bench):
    write_inputs(bench)
    bench.write("tests/all.yaml", GOOD and HEAD + GOOD + FAILING)
    bench.run("policy", "test", "tests", "-o", "github").expect(1, err="")
    line = (HEAD + GOOD).count("\n") + 1
    assert bench.out.startswith(f"::error file=tests/all.yaml,line={line},title=lab::"), bench.out
    cases = json.loads(bench.run("policy", "test", "tests", "-o", "json").expect(1).out)["cases"]
    assert [case["line"] for case in cases] == [line - 3, line], cases


def test_policy_test_leaves_other_files_alone(bench):
    write_inputs(bench)
    bench.write("tests/all.yaml", HEAD + GOOD)
    bench.write("tests/notes.yaml", "a: [\n")
    bench.write("tests/chart.yaml", "{{ template }}\n")
    bench.run("policy", "test", "tests").expect(0, err="").prints("1 passed, 0 failed\n")


def test_policy_init_of_several_schedulers(bench):
    names = ("volcano", "kai", "coscheduling")
    flags = [word for name in names for word in ("--scheduler", name)]
    document = yaml.safe_load(bench.run("policy", "init", *flags).expect(0, err="").out)
    assert [one["name"] for one in document["spec"]["backends"]] == list(names), document
    assert document["spec"]["defaultBackend"] == "volcano"
    bench.write("policy.yaml", bench.out)
    bench.run("lint", "--fail-on-warn", "-p", "policy.yaml").expect(0, err="")
    bench.run("policy", "init", *flags, "--scheduler", "kai").could_not_run("is given twice")
