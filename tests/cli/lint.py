# SPDX-License-Identifier: Apache-2.0
"""Tests of the formats of gangctl lint for other programs, and of gangctl help CODE."""

import json
import re
import xml.etree.ElementTree as ElementTree

import json_schema
import yaml
from bench import JOB, NAMESPACED, POLICY, ROOT, RUNTIME, in_namespace, named

TEXT = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
TEXT_FIELD = {"type": "string"}
COUNT = {"type": "integer", "minimum": 0}
ONE_OR_MORE = {"type": "integer", "minimum": 1}


def an_object(required, **properties):
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def a_list(items):
    return {"type": "array", "items": items}


# What gangctl uses of the published schema of SARIF 2.1.0, which allows no other members either.
SARIF_RULE = an_object(
    ["id"],
    id=TEXT_FIELD,
    name=TEXT_FIELD,
    shortDescription=TEXT,
    fullDescription=TEXT,
    help=TEXT,
    helpUri=TEXT_FIELD,
)
SARIF_REGION = an_object(["startLine"], startLine=ONE_OR_MORE, startColumn=ONE_OR_MORE)
SARIF_PLACE = an_object(
    ["artifactLocation"],
    artifactLocation=an_object(["uri"], uri=TEXT_FIELD),
    region=SARIF_REGION,
)
SARIF_LOCATION = an_object(
    [],
    physicalLocation=SARIF_PLACE,
    logicalLocations=a_list(
        an_object(["fullyQualifiedName", "kind"], fullyQualifiedName=TEXT_FIELD, kind=TEXT_FIELD)
    ),
)
SARIF_RESULT = an_object(
    ["ruleId", "ruleIndex", "level", "message", "locations"],
    ruleId=TEXT_FIELD,
    ruleIndex=COUNT,
    level={"type": "string", "enum": ["error", "warning", "note"]},
    message=TEXT,
    locations=a_list(SARIF_LOCATION),
    partialFingerprints={"type": "object"},
    properties={"type": "object"},
)
SARIF_DRIVER = an_object(
    ["name", "semanticVersion", "rules"],
    name=TEXT_FIELD,
    informationUri=TEXT_FIELD,
    semanticVersion=TEXT_FIELD,
    rules=a_list(SARIF_RULE),
)
SARIF = an_object(
    ["$schema", "version", "runs"],
    version={"type": "string", "enum": ["2.1.0"]},
    runs=a_list(
        an_object(
            ["tool", "columnKind", "results"],
            tool=an_object(["driver"], driver=SARIF_DRIVER),
            columnKind={"type": "string", "enum": ["unicodeCodePoints"]},
            results=a_list(SARIF_RESULT),
        )
    ),
)
SARIF["properties"]["$schema"] = TEXT_FIELD


def sarif_run(bench, *arguments, status=1, stdin=""):
    bench.run("lint", *arguments, "-o", "sarif", stdin=stdin).expect(status, err="")
    log = json.loads(bench.out)
    found = list(json_schema.faults(SARIF, log))
    assert not found, found
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules)), rules
    assert all(rules[one["ruleIndex"]] == one["ruleId"] for one in run["results"])
    return run


def test_lint_as_sarif(bench):
    bench.write("my jobs/all.yaml", RUNTIME, JOB + "  trainer:\n    numNodes: 0\n  spare: 1\n")
    diagnostics = json.loads(bench.run("lint", "-f", "my jobs", "-o", "json").expect(1).out)[
        "diagnostics"
    ]
    run = sarif_run(bench, "-f", "my jobs")
    assert [(one["ruleId"], one["level"]) for one in run["results"]] == [
        (one["code"], one["severity"]) for one in diagnostics
    ]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "my%20jobs/all.yaml", place
    assert place["region"] == {
        key: diagnostics[0][name] for key, name in (("startLine", "line"), ("startColumn", "column"))
    }
    rule = run["tool"]["driver"]["rules"][0]
    registry = yaml.safe_load((ROOT / "doc" / "diagnostics.yaml").read_text())
    known = {f"GANG{one['code']:03}": one for one in registry}[rule["id"]]
    assert rule["fullDescription"]["text"] == " ".join(known["summary"].split()), rule
    assert rule["help"]["text"] == " ".join(known["fix"].split()), rule


def test_lint_as_sarif_without_places(bench):
    bench.write("fine.yaml", RUNTIME, JOB)
    assert sarif_run(bench, "-f", "fine.yaml", status=0)["results"] == []
    (one,) = sarif_run(bench, "-f", "-", stdin="a: [")["results"]
    assert one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "stdin", one
    (one,) = sarif_run(bench, "-f", "-", stdin="")["results"]
    assert one["ruleId"] == "gangctl" and one["locations"] == [{}], one


IDLE = """\
apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicy
metadata: {name: idle}
spec:
  backends: [{name: volcano, type: Volcano}]
  defaults:
    scheduleTimeoutSeconds: 60
"""


def test_diagnostics_in_a_policy_are_told_once(bench):
    bench.write("policy.yaml", IDLE)
    bench.write("all.yaml", RUNTIME, *(named(JOB, name) for name in ("one", "two", "three")))
    bench.run("lint", "--fail-on-warn", "-p", "policy.yaml").expect(1, err="").prints(
        "warning: policy.yaml:7:29: spec.defaults.scheduleTimeoutSeconds: no enabled backend "
        "supports it: a PodGroup of Volcano has no timeout [GANG611]\n"
    )
    lint = ("lint", "-p", "policy.yaml", "-f", "all.yaml", "-o")
    for output in ("text", "github", "junit", "sarif"):
        bench.run(*lint, output).expect(0, err="").prints("(job ml/one and 2 more)")
    for output in ("text", "wide", "json", "ndjson", "yaml", "csv", "junit"):
        bench.run("audit", "-p", "policy.yaml", "-f", "all.yaml", "-o", output).expect(0)
        assert bench.err.count("GANG611") == bench.err.count("(job ml/one and 2 more)") - 1 == 1
    bench.run("render", "-p", "policy.yaml", "-f", "all.yaml").expect(0)
    assert bench.err.count("GANG611") == bench.err.count("GANG038") == 1, bench.err
    found = json.loads(bench.run(*lint, "json").expect(0, err="").out)["diagnostics"]
    assert [(one["code"], one["job"], one.get("moreJobs")) for one in found] == [
        ("GANG038", "ml/one", 2),
        ("GANG611", "ml/one", 2),
    ], found


def test_errors_in_a_policy_are_told_once_and_denials_for_each_job(bench):
    names = ("one", "two", "three")
    bench.write("all.yaml", RUNTIME, *(named(JOB, name) for name in names))
    bench.write("policy.yaml", IDLE.replace("scheduleTimeoutSeconds: 60", "queue: {name: none}"))
    head = "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangCluster\nmetadata: {name: lab}\n"
    bench.write("cluster.yaml", head + "spec: {queues: [{name: q, type: Volcano}]}\n")
    inputs = ("-p", "policy.yaml", "-f", "all.yaml")
    facts = ("--cluster", "cluster.yaml")
    told = "Volcano has no queue none (job ml/one and 2 more) [GANG647]\n"
    bench.run("render", *inputs, *facts).refuses(told)
    assert bench.err.count("GANG647") == 1, bench.err
    bench.run("lint", *inputs, *facts).expect(1, err="").prints(told, ": 1 error, 0 warnings\n")
    for output in ("github", "junit", "sarif"):
        bench.run("lint", *inputs, *facts, "-o", output).expect(1, err="").prints("and 2 more)")
    (one,) = json.loads(bench.run("lint", *inputs, *facts, "-o", "json").expect(1).out)["diagnostics"]
    assert (one["code"], one["job"], one["moreJobs"]) == ("GANG647", "ml/one", 2), one
    bench.run("audit", *inputs, *facts).expect(1, err="").prints(
        "      3  INVALID  GANG647 UnknownQueue (policy.yaml:7)\n"
    )
    denies = IDLE[: IDLE.index("  defaults")] + "  rules: [{name: r, match: {}, action: Deny}]\n"
    bench.write("policy.yaml", denies)
    bench.run("lint", *inputs).expect(1, err="").prints(*(f"(job ml/{name})" for name in names))


def test_lint_of_an_argument_names_the_options(bench):
    bench.write("policy.yaml", IDLE)
    bench.run("lint", "policy.yaml").could_not_run(
        "policy.yaml: unexpected argument; documents are passed with -f, a policy with -p"
    )


def test_sarif_knows_diagnostics_again(bench):
    """OASIS SARIF 2.1.0, 3.19.17, 3.27.17 and 3.49.12."""
    bench.write("policy.yaml", IDLE)
    run = sarif_run(bench, "-p", "policy.yaml", status=0)
    driver = run["tool"]["driver"]
    assert "informationUri" not in driver, driver  # the project has no address yet
    assert driver["rules"][0]["id"] == "GANG611" and "helpUri" not in driver["rules"][0], driver
    first = run["results"][0]["partialFingerprints"]
    bench.write("policy.yaml", "# A comment.\n" + IDLE)
    (moved,) = sarif_run(bench, "-p", "policy.yaml", status=0)["results"]
    assert moved["partialFingerprints"] == first, (first, moved)
    bench.write("policy.yaml", IDLE.replace("defaults:\n    s", "rules:\n  - match: {}\n    name: a\n    s"))
    (other,) = sarif_run(bench, "-p", "policy.yaml", status=0)["results"]
    assert other["partialFingerprints"] != first, other


def test_lint_as_yaml(bench):
    bench.write("all.yaml", RUNTIME, JOB + "  spare: 1\n")
    listed = json.loads(bench.run("lint", "-f", "all.yaml", "-o", "json").expect(0).out)
    shown = bench.run("lint", "-f", "all.yaml", "-o", "yaml").expect(0, err="").out
    assert yaml.safe_load(shown) == listed and not shown.startswith("{"), shown


def test_lint_as_junit(bench):
    bench.write("all.yaml", RUNTIME, JOB + '  trainer:\n    numNodes: 0\n  spare: <&"\n')
    bench.run("lint", "-f", "all.yaml", "-o", "junit").expect(1, err="")
    suite = ElementTree.fromstring(bench.out).find("testsuite")
    assert suite.attrib == {"name": "gangctl lint", "tests": "3", "failures": "1", "errors": "0"}
    cases = [(case.get("name"), [child.tag for child in case]) for case in suite]
    assert cases == [
        ("2 documents checked", []),
        ("GANG029 spec.trainer.numNodes", ["failure"]),
        ("GANG301 spec.spare", ["system-out"]),
    ], cases
    bench.write("fine.yaml", RUNTIME, JOB)
    bench.run("lint", "-f", "fine.yaml", "-o", "junit").expect(0).prints('tests="1" failures="0"')


def test_lint_of_a_job_whose_runtime_is_not_found(bench):
    bench.write("all.yaml", RUNTIME, named(RUNTIME, "x"), JOB.replace("name: torch", "name: toch"))
    line = len((RUNTIME + RUNTIME + JOB).splitlines()) + 2
    bench.run("lint", "-f", "all.yaml").expect(1, err="").prints(
        f'error: all.yaml:{line}:11: spec.runtimeRef.name: Not found: "toch": '
        "no ClusterTrainingRuntime of this name is among the inputs (job ml/llama)\n"
        '  hint: did you mean "torch"? the inputs have the ClusterTrainingRuntime "torch", "torch"\n'
    )
    # other texts with the same words are not its place
    note = "  annotations: {note: 'runtimeRef: its name: toch'}\nspec:"
    bench.write("all.yaml", JOB.replace("spec:", note))
    bench.run("lint", "-f", "all.yaml", "-v").expect(0).prints("info: all.yaml:9:11: spec.runtimeRef")
    bench.write("flow.yaml", NAMESPACED)
    bench.write("job.json", json.dumps(yaml.safe_load(JOB)))
    column = json.dumps(yaml.safe_load(JOB)).index('"torch"') + 1
    bench.run("lint", "-f", "flow.yaml", "-f", "job.json").expect(1, err="").prints(
        f"error: job.json:1:{column}: spec.runtimeRef.name: ",
        "hint: the inputs have no ClusterTrainingRuntime\n",
    )


def test_at_most_ten_runtimes_are_named(bench):
    bench.write("all.yaml", *(RUNTIME.replace("name: torch", f"name: r{i:02}") for i in range(12)), JOB)
    bench.run("lint", "-f", "all.yaml").expect(1)
    assert '"r09" and 2 more\n' in bench.out and "r10" not in bench.out, bench.out


def test_namespaces_that_are_left_out_meet_all(bench):
    """As kubectl puts both into the namespace of its context; a cluster runtime has none."""
    for namespaces in (("", "ml"), ("ml", ""), ("", "")):
        texts = [yaml.safe_load(text) for text in (RUNTIME, JOB)]
        texts[0]["kind"] = texts[1]["spec"]["runtimeRef"]["kind"] = "TrainingRuntime"
        for text, namespace in zip(texts, namespaces):
            text["metadata"].pop("namespace", None)
            text["metadata"].update({"namespace": namespace} if namespace else {})
        bench.write("all.yaml", "---\n".join(map(yaml.safe_dump, texts)))
        bench.run("lint", "-f", "all.yaml").expect(0)
    bench.write("all.yaml", *(in_namespace(RUNTIME, one) for one in "ab"), JOB)
    bench.run("lint", "-f", "all.yaml").expect(1).prints('metadata.name: Duplicate value: "torch"')


def test_tests_of_policies_are_no_strangers(bench):
    bench.write("all.yaml", RUNTIME, JOB, "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangPolicyTest\n")
    bench.run("render", "-f", "all.yaml").expect(0, err="")


def test_lint_of_a_lone_job(bench):
    """The rules that need no runtime are checked without one."""
    bench.write("job.yaml", JOB + "  trainer:\n    numNodes: 0\n")
    bench.run("lint", "-f", "job.yaml").expect(1, err="").prints(
        "error: job.yaml:10:15: spec.trainer.numNodes: Invalid value: 0: must be greater than or equal to 1 "
        "(job ml/llama) [GANG029]\n"
    )
    bench.write("job.yaml", JOB + "  initializer: {dataset: {}}\n")
    bench.run("lint", "-f", "job.yaml").expect(0, err="").prints(": 0 errors, 0 warnings\n")


def test_a_byte_order_mark_is_no_column(bench):
    job = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "spec": {}}
    flow = "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, spec: {}}"
    for text in (json.dumps(job), flow, yaml.safe_dump(job)):
        bench.write("job.yaml", "\ufeff" + text)
        marked = bench.run("lint", "-f", "job.yaml", "-o", "json").expect(1).objects()
        (missing,) = [one for one in marked[0]["diagnostics"] if one["path"] == "metadata.name"]
        assert (missing["line"], missing["column"]) == (1, 1), missing


def test_lint_of_an_incomplete_job(bench):
    """What is missing does not hide what is wrong, with or without a runtime."""
    job = JOB.replace("  runtimeRef:\n    name: torch\n", "  trainer:\n    numNodes: 0\n")
    for runtime in ([], [RUNTIME]):
        bench.write("all.yaml", job, *runtime)
        bench.run("lint", "-f", "all.yaml").expect(1, err="").prints(
            "error: all.yaml:7:3: spec.runtimeRef: Required value (job ml/llama) [GANG303]\n",
            "error: all.yaml:8:15: spec.trainer.numNodes: Invalid value: 0: must be greater than "
            "or equal to 1 (job ml/llama) [GANG029]\n",
            ": 2 errors, 0 warnings\n",
        )


def test_lint_of_a_lone_runtime(bench):
    """A runtime is checked as that of a job; with a policy, by what no rule changes."""
    wrong = RUNTIME.replace("numNodes: 2", "numNodes: 0").replace(
        "      - name: node\n",
        "      - name: node\n        dependsOn: [{name: nobody, status: Ready}]\n",
        1,
    )
    other = "                schedulerName: mine\n                containers:\n"
    bench.write("runtime.yaml", wrong.replace("                containers:\n", other))
    numbers = "error: runtime.yaml:7:15: spec.mlPolicy.numNodes: Invalid value: 0: "
    bench.run("lint", "-f", "runtime.yaml").expect(1, err="").prints(
        numbers, "does not exist [GANG020]\n", "[GANG008]\n", ": 4 errors, 0 warnings\n"
    )
    bench.write("policy.yaml", POLICY.replace("compatibility: KubeflowTrainer", "defaults: {}"))
    bench.run("lint", "-f", "runtime.yaml", "-p", "policy.yaml").expect(1, err="").prints(
        numbers, "does not exist [GANG020]\n", ": 3 errors, 0 warnings\n"
    )
    bench.write("policy.yaml", POLICY)
    bench.run("lint", "-f", "runtime.yaml", "-p", "policy.yaml").expect(0, err="").prints(
        "warning: runtime.yaml:7:15: ", "[GANG020]\n", ": 0 errors, 3 warnings\n"
    )
    bench.write("runtime.yaml", wrong.replace("  name: torch\n", "  labels: {}\n", 1))
    bench.run("lint", "-f", "runtime.yaml").expect(1, err="").prints(
        "metadata.name: Required value", numbers, "[GANG020]\n", ": 4 errors, 0 warnings\n"
    )


def test_lint_names_the_job_of_each_finding(bench):
    """A diagnostic in a runtime names the first of the jobs that use it."""
    runtime = RUNTIME.replace(
        "                  image: trainer:1\n",
        "                  image: trainer:1\n"
        + 18 * " "
        + "resources: {requests: {nvidia.com/gpu: 1}}\n",
    )
    bench.write("all.yaml", runtime, JOB, named(JOB, "two"), named(JOB, "three") + "  spare: 1\n")
    bench.run("lint", "-f", "all.yaml").expect(0, err="")
    shared, own = [line for line in bench.out.splitlines() if line.startswith("warning")]
    assert shared.endswith(" (job ml/llama and 2 more) [GANG407]"), shared
    assert own.endswith('unknown field "spec.spare" (job ml/three) [GANG301]'), own
    found = json.loads(bench.run("lint", "-f", "all.yaml", "-o", "json").out)["diagnostics"]
    assert [(one["job"], one.get("moreJobs")) for one in found] == [
        ("ml/llama", 2),
        ("ml/three", None),
    ]
    bench.run("render", "-f", "all.yaml").expect(0)
    assert "(job" not in bench.err, bench.err


def test_lint_names_the_queue_that_the_policy_derives(bench):
    """The place is the map of the policy; the value that is wrong is the name made from the label."""
    queue = "{fromLabel: {key: team, prefix: q-}}"
    policy = POLICY.replace("compatibility: KubeflowTrainer", "defaults: {queue: %s}" % queue)
    bench.write("policy.yaml", policy)
    facts = {"queues": [{"name": "default", "type": "Volcano"}]}
    cluster = yaml.safe_load(POLICY) | {"kind": "GangCluster", "spec": facts}
    bench.write("cluster.yaml", yaml.safe_dump(cluster))
    command = ("lint", "-p", "policy.yaml", "--cluster", "cluster.yaml", "-f", "all.yaml")
    for team, problem in (
        ("A_b", "a lowercase RFC 1123 subdomain must consist of"),
        ("ab", "Volcano has no queue q-ab"),
    ):
        job = JOB.replace("  namespace: ml\n", f"  namespace: ml\n  labels: {{team: {team}}}\n")
        bench.write("all.yaml", RUNTIME, job)
        bench.run(*command).expect(1).prints(f'spec.defaults.queue: Invalid value: "q-{team}": {problem}')


def test_lint_of_rules_that_are_not_what_they_seem(bench):
    bench.write(
        "policy.yaml",
        POLICY.replace("  compatibility: KubeflowTrainer\n", "")
        + "  rules:\n"
        "  - name: prod\n"
        "    queue: {name: prod}\n"
        "    priorityClassName: {name: high}\n"
        "  constraints:\n"
        "  - {name: lab, allowedQueues: [lab-*], allowedPriorityClassNames: [low]}\n",
    )
    bench.run("lint", "-p", "policy.yaml").expect(0, err="").prints(
        "warning: policy.yaml:7:5: spec.rules[0]: the rule prod has no match, so it selects every "
        "job [GANG620]\n  hint: write `match: {}` if it is meant for every job\n",
        "warning: policy.yaml:8:12: spec.rules[0].queue: no job gets the queue prod of the rule "
        "prod: the constraint lab denies every such job [GANG621]\n",
        "warning: policy.yaml:9:24: spec.rules[0].priorityClassName: no job gets the priority "
        "class high of the rule prod: the constraint lab denies every such job [GANG622]\n",
        ": 0 errors, 3 warnings\n",
    )


def test_help_of_a_diagnostic(bench):
    for name in ("GANG012", "gang012", "GANG12", "StructuralDeadlock"):
        bench.run("help", name).expect(0, err="").prints(
            "GANG012 StructuralDeadlock\n\nDeadlock: ", "\nWhat to do: ", "\nSince: 0.1\n"
        )
    for entry in yaml.safe_load((ROOT / "doc" / "diagnostics.yaml").read_text()):
        shown = bench.run("help", f"GANG{entry['code']:03}").expect(0).out
        assert entry["reason"] in shown and max(map(len, shown.splitlines())) <= 100, shown
        assert " ".join(entry["fix"].split()) in re.sub(r"\s+", " ", shown), shown
    bench.run("help", "GANG120").could_not_run("help GANG120: unknown command or diagnostic")
    bench.run("help", "GANG999").could_not_run("help GANG999: unknown command")
