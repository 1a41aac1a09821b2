# SPDX-License-Identifier: Apache-2.0
"""Tests of gangctl policy test with mistakes, and of policy init with several schedulers."""

import json
import os
from xml.etree import ElementTree

import json_schema
import yaml
from bench import JOB, PODCLIQUESET, PODGANG, ROOT, RUNTIME, named

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


def test_compatibility_names_what_the_operator_reads(bench):
    """The operator's API server drops members that its CRD does not have: trainingruntime_types.go"""
    several = RUNTIME.replace("    volcano: {}\n", "    volcano: {}\n    coscheduling: {}\n    kaiScheduler: {}\n")
    bench.write("all.yaml", several, JOB)
    compatible = str(ROOT / "examples/policies/compatibility.yaml")
    bench.run("render", "-f", "all.yaml", "-p", compatible).refuses('"coscheduling, volcano": at most one may be set')


def test_policy_test_stops_a_wrong_case_only(bench):
    write_inputs(bench)
    bench.write("tests/all.yaml", HEAD + WRONG_KEY + GOOD + FAILING)
    bench.run("policy", "test", "tests").expect(1)
    bench.says("error: tests/all.yaml:12: spec.cases[0].expect.quue: unknown field: known are ")
    assert bench.err.count("error:") == 1, bench.err
    bench.says('  hint: did you mean "queue"?\n')
    bench.prints("ok      lab: good\n", "failed  lab: failing\n", "1 passed, 2 failed\n")
    bench.write("tests/all.yaml", HEAD + WRONG_KEY + GOOD)
    bench.run("policy", "test", "tests").expect(1).prints("1 passed, 1 failed\n")
    found = json.loads(bench.run("policy", "test", "tests", "-o", "json").expect(1).out)
    assert (found["passed"], found["failed"]) == (1, 1), found
    bench.write("tests/all.yaml", HEAD + GOOD.replace("expect", "expct"))
    bench.run("policy", "test", "tests").expect(1).says('did you mean "expect"?')
    assert bench.out == "broken  lab: good\n0 passed, 1 failed\n", bench.out
    bench.write("tests/all.yaml", HEAD + GOOD.replace("    exp", "    job: lama\n    exp"))
    bench.run("policy", "test", "tests").expect(1).prints(
        'no job lama is among the inputs, which have llama; did you mean "llama"?\n'
    )
    bench.write("tests/all.yaml", HEAD.replace("  inputs", "  inptus") + GOOD)
    bench.run("policy", "test", "tests").expect(1).says("all.yaml:6: spec.inptus: unknown")
    assert bench.out == "broken  lab: good\n0 passed, 1 failed\n", bench.out


def test_policy_test_refuses_every_other_version(bench):
    write_inputs(bench)
    version = HEAD.splitlines(keepends=True)[1]
    for line, said in (
        ("", "apiVersion: Required value\n"),
        ("apiVersion: 5\n", "apiVersion: Invalid value: must be a string\n"),
        (
            "apiVersion: policy.libgang.dev/v1\n",
            'apiVersion: Unsupported value: "policy.libgang.dev/v1": supported values: '
            '"policy.libgang.dev/v1alpha1"\n',
        ),
    ):
        bench.write("tests/all.yaml", HEAD.replace(version, line) + GOOD)
        bench.run("policy", "test", "tests").expect(1, out="broken  lab: good\n0 passed, 1 failed\n")
        bench.says(said)


def test_policy_test_knows_the_place_of_each_case(bench):
    """Also below a comment with the same words, and in JSON."""
    write_inputs(bench)
    block = "# cases:\n# - none\n" + HEAD + GOOD + WRONG_KEY
    for text in (block, json.dumps(yaml.safe_load(block), indent=1).replace("{\n    ", "{")):
        lines = [1 + text[: text.index(word)].count("\n") for word in ("good", "wrong", "quue")]
        bench.write("tests/all.yaml", text)
        bench.run("policy", "test", "tests", "-o", "json").expect(1)
        bench.says(f"error: tests/all.yaml:{lines.pop()}: spec.cases[1].expect.quue: ")
        assert [case["line"] for case in json.loads(bench.out)["cases"]] == lines, bench.out


def test_cases_of_one_name_are_told(bench):
    """With the places of both; a test of another name has names of its own."""
    write_inputs(bench)
    other = HEAD.replace("lab", "other") + GOOD
    text = HEAD + GOOD + FAILING.replace("minimum: 7", "minimum: 2") + GOOD + "---\n" + other
    bench.write("tests/all.yaml", text)
    bench.run("policy", "test", "tests").expect(0).prints("4 passed, 0 failed\n")
    places = text.index("good"), text.rindex("good", 0, text.index("---"))
    first, again = (1 + text[:place].count("\n") for place in places)
    assert bench.err == (
        f"warning: tests/all.yaml:{again}: spec.cases[2].name: Duplicate value: "
        f'"good": the case at tests/all.yaml:{first} has this name\n'
    ), bench.err


def test_a_case_decides_its_job_alone(bench):
    """`gang` is of that job, and what is wrong with another job is not of the case."""
    lost = named(JOB, "lost").replace("name: torch", "name: none")
    bench.write("tests/job.yaml", WORKERS, JOB, lost)
    bench.write("tests/runtime.yaml", RUNTIME)
    case = GOOD.replace("    expect", '    job: {}\n    gang: "{}"\n    expect')
    of_lws = case.format("ml/yes", 1).replace("Gang", "NoGang")
    bench.write("tests/all.yaml", HEAD + of_lws + case.format("llama", 0).replace("good", "more"))
    bench.run("policy", "test", "tests").expect(0, err="").prints("2 passed, 0 failed\n")
    bench.write("tests/all.yaml", HEAD + GOOD.replace("    expect", "    job: lost\n    expect"))
    bench.run("policy", "test", "tests").expect(1, err="").prints("no ClusterTrainingRuntime")


def test_cases_share_the_files_that_they_name(bench):
    """Each is read once: a second reader of a pipe would find nothing."""
    bench.write("job.yaml", JOB)
    cases = GOOD + GOOD.replace("good", "more")
    bench.write("tests/all.yaml", HEAD.replace("runtime.yaml, job", "/dev/stdin, ../job") + cases)
    bench.run("policy", "test", "tests", stdin=RUNTIME).expect(0, err="")
    bench.write("tests/all.yaml", HEAD.replace("runtime", "lost").replace("job", "../job") + cases)
    bench.run("policy", "test", "tests").expect(2).prints("0 passed, 2 failed\n")
    assert bench.err == "error: tests/lost.yaml: No such file or directory\n", bench.err


def test_policy_test_passes_no_attribute_that_does_not_exist(bench):
    """The value of an unknown attribute is absent, as a case may expect."""
    write_inputs(bench)
    unknown = GOOD + "      chosen: {queu: null}\n"
    bench.write("tests/all.yaml", HEAD + unknown)
    bench.run("policy", "test", "tests").expect(1, err="").prints(
        'chosen: no attribute is called queu; did you mean "queue"?\n', "0 passed, 1 failed\n"
    )


def test_policy_test_counts_every_broken_file_as_failed(bench):
    """In each format: a reader of results would take what is left out for success."""
    write_inputs(bench)
    bench.write("tests/all.yaml", HEAD + GOOD)
    bench.write("tests/empty.yaml", HEAD[:-1] + " []\n")
    bench.write("tests/half.yaml", HEAD + "  - [\n")
    test = ("policy", "test", "tests", "-o")
    bench.run(*test, "text").expect(1).prints(
        "ok      lab: good\n", "broken  lab: spec.cases\n", "broken  -: file\n",
        "1 passed, 2 failed\n",
    )  # fmt: skip
    found = json.loads(bench.run(*test, "json").expect(1).out)
    failed = {case["file"] for case in found["cases"] if not case["passed"]}
    assert failed == {"tests/empty.yaml", "tests/half.yaml"}, found
    assert (found["passed"], found["failed"]) == (1, 2), found
    suites = ElementTree.fromstring(bench.run(*test, "junit").expect(1).out)
    assert sum(int(suite.get("errors")) for suite in suites) == 2, bench.out
    (run,) = json.loads(bench.run(*test, "sarif").expect(1).out)["runs"]
    assert len(run["results"]) == 2, run
    assert bench.run(*test, "github").expect(1).out.count("::error ") == 2, bench.out


HOSTILE = """<a & 'b' "c"> ]]> \\u009b31m \\e \\u202e"""


def test_policy_test_as_junit(bench):
    write_inputs(bench)
    failing = FAILING.replace("failing", f'"{HOSTILE}"').replace('"c"', '\\"c\\"')
    bench.write("tests/a <&>.yaml", HEAD.replace("name: lab", 'name: "<lab>"') + GOOD + failing)
    bench.write("tests/b.yaml", HEAD + WRONG_KEY)
    bench.run("policy", "test", "tests", "-o", "junit").expect(1)
    first, second = ElementTree.fromstring(bench.out)
    counts = ("name", "tests", "failures", "errors")
    assert [first.get(key) for key in counts] == ["<lab>", "2", "1", "0"], first.attrib
    assert [second.get(key) for key in counts] == ["lab", "1", "0", "1"], second.attrib
    good, bad = first
    assert [good.get(key) for key in ("classname", "name", "file", "line")] == [
        "<lab>", "good", "tests/a <&>.yaml", "8",
    ], good.attrib  # fmt: skip
    assert list(good) == [], bench.out
    shown = bad.get("name")
    assert shown.startswith("""<a & 'b' "c"> ]]> """), shown
    assert "\\xc2\\x9b31m" in shown and shown.isprintable(), shown
    (failure,) = bad
    assert (failure.tag, failure.text) == ("failure", "minimum: expected 7, is 2"), failure.text
    ((error,),) = second
    assert error.tag == "error" and 'did you mean "queue"?' in error.text, error.text


def test_policy_test_as_sarif(bench):
    """OASIS SARIF 2.1.0: 3.13 sarifLog, 3.14 run, 3.19 driver, 3.27 result."""
    write_inputs(bench)

    def results(text, status=1):
        bench.write("tests/all.yaml", text)
        log = json.loads(bench.run("policy", "test", "tests", "-o", "sarif").expect(status).out)
        assert log["version"] == "2.1.0" and log["$schema"].startswith("https://"), log
        (run,) = log["runs"]
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        for result in run["results"]:
            assert rules[result["ruleIndex"]] == result["ruleId"] == "policy-test", result
            assert result["message"]["text"] and result["level"] == "error", result
        return run["results"]

    assert results(HEAD + GOOD, status=0) == []
    (first,) = results(HEAD + GOOD + FAILING)
    assert first["message"]["text"] == "failing: minimum: expected 7, is 2", first
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "tests/all.yaml", place
    assert place["region"] == {"startLine": (HEAD + GOOD).count("\n") + 1}, place
    moved, broken = results(HEAD + FAILING.replace("7", "8") + WRONG_KEY)
    assert moved["partialFingerprints"] == first["partialFingerprints"], moved
    assert moved["partialFingerprints"] != broken["partialFingerprints"], broken
    assert "unknown field" in broken["message"]["text"], broken


COVERED = """\
# Flow and block style, comments, and a value that is null.
apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicy
metadata: {name: covered}
spec:
  backends:
  - {name: volcano, type: Volcano, schedulerName: volcano}
  defaultBackend: volcano
  defaults: {queue: {name: q},
    reserve: Never, scheduleTimeoutSeconds: null}
  rules:
  # Nobody's.
  - name: none
    match: {namespaces: [other]}
    queue:
      name: x
  - {name: ours, match: {}, priorityClassName: {name: high}}
  constraints:
  - {name: held, match: {}, maxMembers: 8}
  - {name: broken, match: {}, maxMembers: 1, enforcement: Warn}
  - {name: unjudged, match: {namespaces: [other]}, maxMembers: 8}
"""
ONE_OF_COVERED = HEAD.replace("  inputs", "  policy: ../policy.yaml\n  inputs") + GOOD
# The job's runtime chooses Volcano, so defaultBackend decides nothing.
UNREACHED = {
    "spec.defaultBackend": (8, 3),
    "spec.rules[0]": (13, 5),
    "spec.rules[0].queue": (15, 5),
    "spec.constraints[2]": (21, 5),
}
REACHED = {
    "spec.backends[0].schedulerName": (7, 36),
    "spec.defaults.queue": (9, 14),
    "spec.defaults.reserve": (10, 5),
    "spec.rules[1]": (17, 5),
    "spec.rules[1].priorityClassName": (17, 29),
    "spec.constraints[0]": (19, 5),
    "spec.constraints[1]": (20, 5),
}


def write_covered(bench):
    write_inputs(bench)
    bench.write("policy.yaml", COVERED)
    bench.write("tests/all.yaml", ONE_OF_COVERED)


def test_coverage_lists_what_no_case_reaches(bench):
    write_covered(bench)
    test = ("policy", "test", "tests", "--coverage")
    file = "tests/../policy.yaml"
    bench.run(*test).expect(0, err="").prints(
        f"warning: {file}:13:5: spec.rules[0]: the rule none matches no case [policy-coverage]\n",
        f"warning: {file}:15:5: spec.rules[0].queue: the setting decides no case",
        f"warning: {file}:21:5: spec.constraints[2]: the constraint unjudged judges no case",
        f"info: {file}:19:5: spec.constraints[0]: no case breaks the constraint held",
        f"info: {file}:20:5: spec.constraints[1]: every case breaks the constraint broken",
        f" 63 % reached, 7 of 11: {file}\n 63 % reached, 7 of 11: all policies\n",
        "1 passed, 0 failed\n",
    )
    found = json.loads(bench.run(*test, "-o", "json").expect(0, err="").out)["coverage"]
    assert (found["percent"], found["reached"], found["total"]) == (63, 7, 11), found
    (policy,) = found["policies"]
    parts = {part["path"]: part for part in policy["parts"]}
    places = {path: (part["line"], part["column"]) for path, part in parts.items()}
    assert places == {**UNREACHED, **REACHED}, places
    assert {path for path, part in parts.items() if not part["cases"]} == set(UNREACHED), parts
    assert [parts[f"spec.constraints[{i}]"][key] for i in range(3) for key in ("held", "broken")] \
        == [1, 0, 0, 1, 0, 0], parts  # fmt: skip
    assert "coverage" not in bench.run("policy", "test", "tests", "-o", "json").out
    shown = bench.run(*test, "-o", "yaml").expect(0).out
    assert yaml.safe_load(shown)["coverage"] == found, shown


def test_coverage_can_be_required(bench):
    write_covered(bench)
    test = ("policy", "test", "tests")
    bench.run(*test, "--min-coverage", "63").expect(0, err="")
    bench.run(*test, "--min-coverage=64").expect(1, err="").prints(
        "error: the cases reach 63 % of the policies, less than 64 % [policy-coverage]\n"
    )
    for value in ("0", "101", "-1", "x", "64%"):
        bench.run(*test, f"--min-coverage={value}").could_not_run("must be a number from 1 to 100")
    bench.write("tests/all.yaml", HEAD + GOOD)
    bench.run(*test, "--coverage").expect(0, err="").prints("nothing to reach: all policies\n")
    bench.run(*test, "--min-coverage", "1").expect(1, err="").prints("error: no case has a policy")


def test_coverage_in_every_format(bench):
    write_covered(bench)
    test = ("policy", "test", "tests", "--min-coverage", "64", "-o")
    bench.run(*test, "github").expect(1, err="")
    start = "::warning file=tests/../policy.yaml,line=13,col=5,title=policy-coverage::spec.rules[0]"
    assert bench.out.count(start) == 1 and bench.out.count("::warning ") == 4, bench.out
    assert bench.out.count("::error ") == 1 and bench.out.count("::notice ") == 2, bench.out
    (run,) = json.loads(bench.run(*test, "sarif").expect(1).out)["runs"]
    levels = [result["level"] for result in run["results"]]
    assert sorted(levels) == ["error", "note", "note"] + 4 * ["warning"], levels
    suite = ElementTree.fromstring(bench.run(*test, "junit").expect(1).out).findall("testsuite")[-1]
    assert (suite.get("name"), suite.get("failures")) == ("coverage", "1"), suite.attrib
    assert "spec.rules[0].queue" in suite.find("testcase/failure").text, bench.out
    test = ("policy", "test", "tests", "--min-coverage", "63", "-o", "junit")
    suite = ElementTree.fromstring(bench.run(*test).expect(0).out).findall("testsuite")[-1]
    assert suite.get("failures") == "0" and suite.find("testcase/system-out") is not None, bench.out


def test_coverage_joins_the_cases_of_a_policy(bench):
    """Of any number of files; a case with another policy counts for that one, -p for all."""
    write_covered(bench)
    other = named(JOB, "late").replace("namespace: ml", "namespace: other")
    bench.write("tests/late.yaml", other)
    bench.write(
        "tests/more.yaml",
        ONE_OF_COVERED.replace("job.yaml", "late.yaml"),
        HEAD + GOOD.replace("good", "without a policy"),
    )
    found = bench.run("policy", "test", "tests", "--coverage", "-o", "json").expect(0).out
    (policy,) = json.loads(found)["coverage"]["policies"]
    assert [part["path"] for part in policy["parts"] if not part["cases"]] == [
        "spec.defaultBackend"
    ], policy
    cases = {part["path"]: part["cases"] for part in policy["parts"]}
    assert (cases["spec.constraints[0]"], cases["spec.rules[1]"]) == (2, 1), cases
    bench.write("empty.yaml", COVERED[: COVERED.index("  defaultBackend")])
    found = bench.run("policy", "test", "tests", "-p", "empty.yaml", "--coverage", "-o", "json").out
    (policy,) = json.loads(found)["coverage"]["policies"]
    assert (policy["file"], policy["total"], policy["reached"]) == ("empty.yaml", 1, 1), policy


def test_coverage_does_not_count_a_constraint_without_facts(bench):
    write_covered(bench)
    bench.write("policy.yaml", COVERED.replace("maxMembers: 8}", "mustFit: WhenEmpty}", 1))
    bench.run("policy", "test", "tests", "--coverage").expect(0, err="").prints(
        "spec.constraints[0]: the constraint held judges no case"
    )


def test_coverage_of_the_examples(bench):
    """Each policy has cases, and they reach all of it."""
    tests = ROOT / "examples" / "policy-tests"
    found = bench.run("policy", "test", str(tests), "--min-coverage", "100", "-o", "json")
    policies = json.loads(found.expect(0, err="").out)["coverage"]["policies"]
    tested = {(tests / policy["file"]).resolve() for policy in policies}
    assert tested == set((ROOT / "examples" / "policies").glob("*.yaml")), tested


def record(bench, *more, status=0):
    """Records a test into tests/recorded.yaml, which then passes, and returns its cases."""
    arguments = ("policy", "test", "tests", "--record", "-f", "jobs", "-p", "policy.yaml", *more)
    first = bench.run(*arguments).expect(status).out
    assert bench.run(*arguments).out == first
    bench.write("tests/recorded.yaml", first)
    cases = yaml.safe_load(first)["spec"]["cases"]
    passed = f"{len(cases)} passed, 0 failed\n"
    bench.run("policy", "test", "tests").expect(0, err="").prints(passed)
    # from any folder: the names of files are relative to that of the test
    os.mkdir(bench.folder / "elsewhere")
    bench.folder /= "elsewhere"
    bench.run("policy", "test", "../tests").expect(0, err="").prints(passed)
    bench.folder = bench.folder.parent
    os.rmdir(bench.folder / "elsewhere")
    return first, cases


WORKERS = """\
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: "yes", namespace: ml}
spec:
  replicas: 2
  leaderWorkerTemplate:
    size: 3
    workerTemplate: {spec: {containers: [{name: c, image: x}]}}
"""
DECIDES = """\
apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicy
metadata: {name: decides}
spec:
  backends: [{name: volcano, type: Volcano}]
  defaultBackend: volcano
  defaults: {queue: {name: q}}
  rules:
  - {name: skip, match: {namespaces: [idle]}, action: Skip}
  - {name: deny, match: {namespaces: [closed]}, action: Deny, message: not here}
"""


def write_recordable(bench):
    bench.write("policy.yaml", DECIDES)
    bench.write("jobs/runtimes/one.yaml", RUNTIME)
    others = (named(JOB, "b").replace(": ml", ": idle"), named(JOB, "c").replace(": ml", ": closed"))
    bench.write("jobs/a.yaml", JOB, *others)
    bench.write("jobs/lws.yaml", WORKERS)
    bench.write("tests/README", "")


def test_record_writes_what_a_reader_would_state(bench):
    write_recordable(bench)
    text, cases = record(bench, "-R")
    assert text.startswith("# Recorded by gangctl policy test --record: "), text
    both = ["../jobs/a.yaml", "../jobs/runtimes/one.yaml"]
    gang = {"outcome": "Gang", "backend": "volcano", "schedulerName": "volcano", "queue": "q"}
    refused = {"outcome": "Denied"}
    of_lws = {"inputs": ["../jobs/lws.yaml"], "job": "ml/yes", "expect": {**gang, "minimum": 3}}
    refused["diagnostics"] = cases[2]["expect"]["diagnostics"]
    assert len(refused["diagnostics"]) == 1, cases
    assert cases == [
        {"name": "TrainJob ml/llama", "inputs": both, "job": "ml/llama",
         "expect": {**gang, "minimum": 2}},
        {"name": "TrainJob idle/b", "inputs": both, "job": "idle/b",
         "expect": {"outcome": "NoGang"}},
        {"name": "TrainJob closed/c", "inputs": both, "job": "closed/c", "expect": refused},
        {"name": "LeaderWorkerSet ml/yes gang 0", **of_lws, "gang": "0"},
        {"name": "LeaderWorkerSet ml/yes gang 1", **of_lws, "gang": "1"},
    ], cases  # fmt: skip
    denied = bench.run("lint", "-R", "-f", "jobs", "-p", "policy.yaml", "-o", "json").expect(1).out
    errors = [one["code"] for one in json.loads(denied)["diagnostics"] if one["severity"] == "error"]
    assert refused["diagnostics"] == errors, denied
    schema = json.loads(bench.run("policy", "schema", "GangPolicyTest").expect(0).out)
    assert list(json_schema.faults(schema, yaml.safe_load(text))) == []
    bench.write("policy.yaml", DECIDES.replace("{name: q}", "{name: r}"))
    bench.run("policy", "test", "tests").expect(1).prints(
        'queue: expected "q", is "r"\n', "2 passed, 3 failed\n"
    )


def test_record_names_every_file_for_gangs_of_grove(bench):
    bench.write("policy.yaml", DECIDES)
    bench.write("tests/README", "")
    bench.write("jobs/a.yaml", PODGANG)
    bench.write("jobs/b.yaml", PODCLIQUESET)
    _, cases = record(bench)
    assert [case["job"] for case in cases] == ["ml/chat-0", "ml/chat"], cases
    assert cases[0]["inputs"] == ["../jobs/a.yaml", "../jobs/b.yaml"], cases
    assert cases[1]["inputs"] == ["../jobs/b.yaml", "../jobs/a.yaml"], cases


def test_record_names_files_and_jobs_of_any_name(bench):
    bench.write("policy.yaml", DECIDES)
    bench.write("tests/README", "")
    bench.write("jobs/a 'b' #c: [d].yaml", RUNTIME, named(JOB, '"null"'), named(JOB, '"on"'))
    _, cases = record(bench)
    assert [case["job"] for case in cases] == ["ml/null", "ml/on"], cases
    assert cases[0]["inputs"] == ["../jobs/a 'b' #c: [d].yaml"], cases


def test_record_tells_what_it_leaves_out(bench):
    write_recordable(bench)
    bench.write("jobs/lost.yaml", named(JOB, "lost").replace("name: torch", "name: none"))
    cousin = named(JOB, '"yes"')
    bench.write("jobs/twice.yaml", cousin, WORKERS.replace("ml", "b"), WORKERS.replace("yes", "w"))
    bench.write("jobs/lws.yaml", WORKERS, cousin.replace("ml", "c"))
    _, cases = record(bench, "-R", status=1)
    arguments = ("policy", "test", "tests", "--record", "-R", "-f", "jobs", "-p", "policy.yaml")
    bench.run(*arguments).expect(1).says("error: jobs/lost.yaml:", "TrainJob ml/lost is not recorded")
    assert "ml/lost" not in {case["job"] for case in cases}, cases
    assert {"b/yes", "ml/yes", "c/yes", "ml/w"} <= {case["job"] for case in cases}, cases
    bench.write("jobs/lws.yaml", WORKERS, cousin)
    bench.run(*arguments).expect(1).says(
        "ml/yes gang 0 is not recorded: ", "ml/yes is not recorded: more than one job matches"
    )
    bench.write("policy.yaml", DECIDES.replace("rules:", "rulez:"))
    bench.run(*arguments).expect(1, out="").says("spec.rulez: unknown field")
    assert "not recorded" not in bench.err, bench.err
    bench.write("empty/a.yaml", "{}\n")
    bench.run("policy", "test", "tests", "--record", "-f", "empty").expect(1, out="").says(
        "no TrainJob, PodGang, PodCliqueSet or other job is among the inputs"
    )


def test_record_command_line(bench):
    write_recordable(bench)
    test = ("policy", "test", "tests")
    bench.run(*test, "--record").could_not_run("--record: no jobs; pass -f")
    bench.run(*test, "-f", "jobs").could_not_run("-f: is for --record")
    bench.run(*test, "--record", "-f", "-").could_not_run("names files, not standard input")
    bench.run(*test, "--record", "-f", "jobs", "-o", "json").could_not_run("without -o")
    bench.run(*test, "--record", "-f", "jobs", "--coverage").could_not_run("without -o and --cov")
    bench.run("policy", "test", "none", "--record", "-f", "jobs").could_not_run("No such file")
    bench.run(*test, "--record", "-f", "none").could_not_run("none: No such file")


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
    volcano, kai, coscheduling = document["spec"]["backends"]
    assert (volcano["queue"], kai["queue"]) == ({"name": "default"}, {"name": "default-queue"})
    assert coscheduling["coscheduling"] == {"scheduleTimeoutSeconds": 120}, coscheduling
    assert "queue" not in coscheduling and "defaults" not in document["spec"], document
    bench.write("policy.yaml", bench.out)
    bench.run("lint", "--fail-on-warn", "-p", "policy.yaml").expect(0, err="")
    bench.run("policy", "init", *flags, "--scheduler", "kai").could_not_run("is given twice")


def test_a_command_of_two_words_as_one_argument_keeps_its_options(bench):
    """A shell passes it so with quotes."""
    flags = ("--scheduler", "volcano", "--scheduler", "kai")
    wanted = bench.run("policy", "init", *flags).expect(0, err="").out
    assert bench.run("policy init", *flags).expect(0, err="").out == wanted
    bench.run("policy schema", "GangJob").expect(0, err="").prints('"title": "GangJob"')


def test_policy_init_gives_no_scheduler_the_queue_of_another(bench):
    """Volcano's own queue is `default`, KAI's is `default-queue`: each is read from its source."""
    queues = {"volcano": "default", "kai": "default-queue"}
    facts = [
        {"name": name, "type": kind}
        for name, kind in (("default", "Volcano"), ("default-queue", "KAI"))
    ]
    cluster = {
        "apiVersion": "policy.libgang.dev/v1alpha1",
        "kind": "GangCluster",
        "metadata": {"name": "lab"},
        "spec": {"queues": facts},
    }
    bench.write("cluster.yaml", yaml.safe_dump(cluster))
    names = {"volcano": "volcano", "kai": "kai-scheduler"}
    for backend, scheduler in names.items():
        job = {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {"name": backend, "namespace": "ml"},
            "spec": {
                "completionMode": "Indexed",
                "parallelism": 2,
                "completions": 2,
                "template": {
                    "spec": {
                        "schedulerName": scheduler,
                        "restartPolicy": "Never",
                        "containers": [{"name": "c", "image": "x"}],
                    }
                },
            },
        }
        bench.write(f"jobs/{backend}.yaml", yaml.safe_dump(job))
    for order in (("kai", "volcano"), ("volcano", "kai"), ("kai",), ("volcano",)):
        flags = [word for name in order for word in ("--scheduler", name)]
        bench.write("policy.yaml", bench.run("policy", "init", *flags).expect(0, err="").out)
        settings = ("-p", "policy.yaml", "--cluster", "cluster.yaml")
        for name in order:
            job = f"jobs/{name}.yaml"
            bench.run("lint", "--fail-on-warn", *settings, "-f", job).expect(0, err="")
            (plan,) = bench.run("explain", *settings, "-f", job, "-o", "json").expect(0).objects()
            (found,) = (one for one in plan["trace"] if one["attribute"] == "queue")
            assert found["value"] == queues[name], (order, name, found)


ENTRIES = """\
apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicy
metadata: {name: entries}
spec:
  backends:
  - {name: volcano, type: Volcano, queue: {name: v}, priorityClassName: {name: high}}
  - {name: kai, type: KAI, queue: {fromNamespace: {prefix: k-}}}
  defaults: {queue: {name: all}}
  constraints:
  - {name: queues, match: {}, allowedQueues: [k-*]}
"""


def test_queue_and_class_of_a_backend(bench):
    """They are sources as any: constraints, the cluster's facts, the trace and coverage see them."""
    bench.write("policy.yaml", ENTRIES)
    bench.write("all.yaml", RUNTIME, JOB)
    settings = ("-p", "policy.yaml", "-f", "all.yaml")
    bench.run("render", *settings).expect(1, out="").says(
        'policy.yaml:6:43: spec.backends[0].queue: Forbidden: queue "v" is not allowed '
        '(allowed: "k-*") by the constraint queues'
    )
    bench.write("policy.yaml", ENTRIES.replace("k-*", "v"))
    bench.run("render", *settings, "-o", "json").expect(0)
    (group,) = bench.objects()
    assert (group["spec"]["queue"], group["spec"]["priorityClassName"]) == ("v", "high"), group
    bench.run("explain", *settings).expect(0).prints("the policy's entry of the backend")
    test = HEAD.replace("  inputs: [", "  policy: policy.yaml\n  inputs: [all.yaml] #") + GOOD
    bench.write("test.yaml", test)
    found = json.loads(bench.run("policy", "test", ".", "--coverage", "-o", "json").expect(0).out)
    parts = {part["path"]: part["cases"] for part in found["coverage"]["policies"][0]["parts"]}
    assert parts == {
        "spec.backends[0].queue": 1,
        "spec.backends[0].priorityClassName": 1,
        "spec.backends[1].queue": 0,
        "spec.defaults.queue": 0,
        "spec.constraints[0]": 1,
    }, parts
    facts = "[{name: v, type: KAI}, {name: k-ml, type: KAI}]"
    bench.write(
        "cluster.yaml",
        ENTRIES[: ENTRIES.index("spec:")].replace("GangPolicy", "GangCluster")
        + f"spec: {{queues: {facts}, priorityClasses: []}}\n",
    )
    bench.run("lint", *settings, "--cluster", "cluster.yaml").expect(1, err="").prints(
        "policy.yaml:6:43: spec.backends[0].queue", "spec.backends[0].priorityClassName"
    )
    bench.write("policy.yaml", ENTRIES.replace("fromNamespace: {prefix: k-}", "override: Always"))
    bench.run("lint", "-p", "policy.yaml").expect(1, err="").prints(
        "spec.backends[1].queue.override: unknown field", "queue.name: Required value"
    )
    for kind in ("None", "Coscheduling", "Workload"):
        bench.write("policy.yaml", ENTRIES.replace("type: KAI", f'type: "{kind}"'))
        bench.run("lint", "-p", "policy.yaml").expect(1, err="").prints(
            f"spec.backends[1].queue: Forbidden: type {kind} has no such option [GANG603]\n"
        )


def test_queue_of_a_backend_is_that_of_podgangs(bench):
    """KAI has no default queue for them: without one of the documents or the policy it is an error."""
    folder = ROOT / "tests" / "golden" / "grove" / "kai-without-queue"
    inputs = [f"-f={folder / name}.yaml" for name in ("podgang", "podcliqueset")]
    bench.write("policy.yaml", ENTRIES[: ENTRIES.index("  defaults")])
    bench.run("explain", *inputs, "-p", "policy.yaml", "-o", "json").expect(0)
    (plan,) = bench.objects()
    assert plan["outcome"] == "Gang" and plan["gang"]["queue"] == "k-default", plan
    bench.write("policy.yaml", ENTRIES[: ENTRIES.index(", queue: {from")] + "}\n")
    bench.run("explain", *inputs, "-p", "policy.yaml").expect(1).prints("error     GANG806 ")


def test_schema_of_policy_tests(bench):
    schema = json.loads(bench.run("policy", "schema", "GangPolicyTest").expect(0, err="").out)
    assert schema["$id"].endswith("/v1alpha1/gangpolicytest.schema.json"), schema["$id"]
    shown = bench.run("policy", "schema", "GangPolicyTest", "-o", "yaml").expect(0).out
    assert yaml.safe_load(shown) == schema
    for path in (ROOT / "examples" / "policy-tests").glob("*.yaml"):
        for document in yaml.safe_load_all(path.read_text()):
            if document["kind"] == "GangPolicyTest":
                assert list(json_schema.faults(schema, document)) == [], path
    for text in (HEAD + WRONG_KEY, HEAD.replace("inputs", "inptus") + GOOD, HEAD[:-1] + " []\n"):
        assert list(json_schema.faults(schema, yaml.safe_load(text))), text
    policy = json.loads(bench.run("policy", "schema").expect(0).out)
    assert policy["$id"].endswith("/v1alpha1/gangpolicy.schema.json"), policy["$id"]
    assert bench.run("policy", "schema", "GangPolicy").out == bench.run("policy", "schema").out
    bench.run("policy", "schema", "TrainJob").could_not_run(
        "must be GangPolicy, GangCluster, GangJob or GangPolicyTest"
    )


def test_schema_of_clusters(bench):
    schema = json.loads(bench.run("policy", "schema", "GangCluster").expect(0, err="").out)
    assert schema["$id"].endswith("/v1alpha1/gangcluster.schema.json"), schema["$id"]
    assert list(schema)[:3] == ["$schema", "$id", "title"], list(schema)
    shown = bench.run("policy", "schema", "GangCluster", "-o", "yaml").expect(0).out
    assert yaml.safe_load(shown) == schema
    found = sorted((ROOT / "examples" / "clusters").glob("*.yaml"))
    assert found
    for path in found:
        assert list(json_schema.faults(schema, yaml.safe_load(path.read_text()))) == [], path
    for wrong in (
        {"kind": "GangPolicy"},
        {"metadata": {}},
        {"spec": {"namespaces": [{"labels": {}}]}},
        {"spec": {"queues": [{"name": "q", "type": "Kueue"}]}},
        {"spec": {"kubernetesVersion": 1.36}},
        {"spec": {"hosts": []}},
        # as the API server, which takes a fraction as a text alone (GANG311)
        {"spec": {"queues": [{"name": "q", "type": "Volcano", "max": {"cpu": 1.5}}]}},
    ):
        cluster = yaml.safe_load((ROOT / "examples" / "clusters" / "many-teams.yaml").read_text())
        assert list(json_schema.faults(schema, {**cluster, **wrong})), wrong


# What happens without the setting, on every scheduler.
KEPT = {"Auto", "Effective", "Never"}
SAMPLES = {"name": "q", "level": "example.com/q"}


def values_of(field):
    """Values of a setting, by its JSON Schema."""
    if "enum" in field:
        return field["enum"]
    if field["type"] == "integer":
        return [61]
    key = next(key for key in SAMPLES if key in field["properties"])
    return [{key: SAMPLES[key]}]


def settings_of(bench):
    schema = json.loads(bench.run("policy", "schema", "-o", "json").expect(0).out)
    defaults = schema["properties"]["spec"]["properties"]["defaults"]["properties"]
    names = defaults.keys() - {"backend", "override"}
    return {name: values_of(defaults[name]) for name in names}


def test_setting_that_a_lone_backend_ignores_is_told_without_a_job(bench):
    """Every setting beside every backend: what changes no gang of any kind is told, and only that."""
    folders = ("jobs", "torch", "torchtune-llama", "bert-volcano", "mpi-volcano", "grove-kai")
    files = [word for name in folders for word in ("-f", ROOT / "examples" / name)]
    backends = json.loads(bench.run("backends", "-o", "json").expect(0).out)["backends"]
    settings = settings_of(bench)

    def ask(backend, place, settings):
        spec = {"runtimePolicy": "Ignore", "defaultBackend": "b"}
        spec |= {"backends": [{"name": "b", "type": backend["type"]}]}
        rules = [{"name": "r", "match": {}, **settings}]
        spec |= {"defaults": settings} if place == "defaults" else {"rules": rules}
        policy = {"apiVersion": "policy.libgang.dev/v1alpha1", "kind": "GangPolicy"}
        policy |= {"metadata": {"name": "p"}, "spec": spec}
        bench.write("policy.yaml", yaml.safe_dump(policy))
        plans = bench.run("explain", *files, "-p", "policy.yaml", "-o", "json").out.splitlines()
        written = [[one.get("objects"), one.get("patches")] for one in map(json.loads, plans)]
        told = json.loads(bench.run("lint", "-p", "policy.yaml", "-o", "json").out)["diagnostics"]
        return written, [one["path"] for one in told if one["code"] == "GANG611"]

    for backend in backends:
        for place, path in (("defaults", "spec.defaults"), ("rule", "spec.rules[0]")):
            plain, told = ask(backend, place, {})
            assert len(plain) > 15 and told == [], (backend["type"], told)
            for name, values in settings.items():
                answers = [ask(backend, place, {name: value}) for value in values]
                has_effect = any(written != plain for written, _ in answers)
                for value, (_, told) in zip(values, answers, strict=True):
                    is_told = not has_effect and value not in list(KEPT)
                    expected = [f"{path}.{name}"] if is_told else []
                    assert told == expected, (backend["type"], place, name, value, told)
