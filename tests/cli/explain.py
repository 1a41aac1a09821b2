# SPDX-License-Identifier: Apache-2.0
"""Tests of the report of gangctl explain."""

import json
import re
from xml.etree import ElementTree

import audit
import yaml
from bench import JOB, ROOT, RUNTIME, VOLCANO, named

DELEGATE = """\
apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicy
metadata: {name: delegate}
spec:
  backends: [{name: kai, type: KAI, podGroup: Delegate}]
  rules: [{name: all, match: {}, backend: kai, override: Always}]
"""
SAME_AS_TRAINER = """\
apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicy
metadata: {name: same}
spec: {compatibility: KubeflowTrainer}
"""
SMALL = """\
apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicy
metadata: {name: small}
spec:
  backends: [{name: volcano, type: Volcano}]
  constraints: [{name: one, match: {}, maxMembers: 1}]
"""
LEADER_FIRST = """\
apiVersion: policy.libgang.dev/v1alpha1
kind: GangJob
metadata: {name: j}
spec:
  owner: {apiVersion: example.com/v1, kind: Job}
  roles:
  - {name: leader, requests: {cpu: 1}}
  - name: worker
    count: 3
    requests: {cpu: 1}
    dependsOn: [{role: leader, status: Scheduled}]
"""
OUTSIDE_FIRST = """\
apiVersion: policy.libgang.dev/v1alpha1
kind: GangJob
metadata: {name: j}
spec:
  owner: {apiVersion: example.com/v1, kind: Job}
  roles:
  - {name: driver, membership: Outside, requests: {cpu: 1}}
  - name: executor
    count: 3
    requests: {cpu: 1}
    dependsOn: [{role: driver, status: Ready}]
"""


def example(name):
    return str(ROOT / "examples" / name)


def test_a_plan_has_the_name_of_the_job_and_that_of_the_owner(bench):
    bench.write("a.yaml", LEADER_FIRST.replace("kind: Job}", "kind: Job, name: owner}"))
    grove = ROOT / "tests/golden/grove/aggregate"
    inputs = [str(path) for name in ("podcliqueset", "podgang") for path in ("-f", grove / f"{name}.yaml")]
    for files, policy, job, owner in (
        (["-f", "a.yaml"], example("policies/one-scheduler.yaml"), "j", "owner"),
        (inputs, str(grove / "policy.yaml"), "job-0", "job"),
    ):
        bench.run("render", *files, "-p", policy, "-o", "json", "--target", "plan").expect(0)
        plan = json.loads(bench.out)
        assert (plan["metadata"]["name"], plan["owner"]["name"]) == (job, owner), plan
        bench.run("audit", *files, "-p", policy, "-o", "json").expect(0)
        assert json.loads(bench.out)["jobs"][0]["name"] == job, bench.out
        bench.run("explain", *files, "-p", policy).expect(0)
        assert bench.out.split("  ")[0].split("/")[-1].split()[-1] == job, bench.out


def test_options_take_one_kind_of_document(bench):
    """Of a document of another kind, only the kind is named that the option takes."""
    bench.write("other.yaml", "apiVersion: v1\nkind: ConfigMap\n")
    torch = example("torch")
    for option, kind in (("-p", "GangPolicy"), ("--cluster", "GangCluster")):
        for path, name in (("other.yaml", "ConfigMap"), (f"{torch}/trainjob.yaml", "TrainJob")):
            bench.run("explain", "-f", torch, option, path).expect(1, out="")
            expected = f'kind: Unsupported value: "{name}": supported values: "{kind}"'
            assert bench.err == f"error: {path}:1: {expected}\n", bench.err


def test_numbers_of_gangs_are_those_of_the_option(bench):
    """`chat#1` of audit, --gang 1 and explain are the same gang."""
    bench.write("a.yaml", audit.MANY_REPLICAS.replace("REPLICAS", "2"))
    explain = ("explain", "-f", "a.yaml", "--job", "chat")
    bench.run(*explain, "--gang", "1").expect(0, err="")
    assert bench.out.startswith("LeaderWorkerSet ml/chat  gang #1 of 2  "), bench.out
    bench.run("audit", "-f", "a.yaml").prints("chat#1 ")
    rows = json.loads(bench.run("audit", "-f", "a.yaml", "-o", "json").out)["jobs"]
    assert [row["gang"] for row in rows] == [0, 1], rows
    bench.run("policy", "test", ".", "--record", "-f", "a.yaml").expect(0, err="").prints(
        'name: "LeaderWorkerSet ml/chat gang 1"\n', 'gang: "1"\n'
    )
    bench.run(*explain, "-o", "svg").refuses("draws one gang, and the job has 2", "with --gang")
    bench.run(*explain, "-o", "svg", "--gang", "1").expect(0, err="").prints("chat#1")


def test_stages_have_one_number_everywhere(bench):
    deepspeed = ("explain", "-f", str(ROOT / "examples" / "deepspeed"))
    bench.run(*deepspeed).expect(0).prints("stage 0  wave 0", "wave 1")
    bench.run(*deepspeed, "-o", "svg").expect(0).prints(
        ">stage 0, wave 0</text>", ">stage 0, wave 1</text>"
    )


def test_pictures_cut_no_wait(bench):
    long = "a-role-with-quite-a-long-name"
    jobset = {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": "long", "namespace": "ml"},
        "spec": {
            "replicatedJobs": [
                {"name": long, "template": {"spec": {"template": {"spec": {"containers": []}}}}},
                {
                    "name": "b",
                    "dependsOn": [{"name": long, "status": "Complete"}],
                    "template": {"spec": {"template": {"spec": {"containers": []}}}},
                },
            ]
        },
    }
    bench.write("a.yaml", yaml.safe_dump(jobset))
    bench.run("explain", "-f", "a.yaml", "-o", "svg").expect(0)
    lines = re.findall(r'<text class="note" [^>]*>([^<]*)</text>', bench.out)
    assert f"after{long} is Complete" in "".join(lines), f"the wait is cut: {lines}"


def test_picture_of_a_refused_job_has_its_errors(bench):
    several = RUNTIME.replace("    volcano: {}\n", "    volcano: {}\n    coscheduling: {}\n")
    bench.write("all.yaml", several, JOB + "  trainer: {numNodes: 0}\n")
    bench.run("explain", "-f", "all.yaml", "-o", "svg").expect(1)
    words = "".join(re.findall(r">([^<]+)</text>", bench.out))
    assert "at most one may be set" in words and "than or equal to 1" in words, words


def test_explain_draws_stages_and_waves(bench):
    bench.run("explain", "-f", example("torchtune-llama")).expect(0, err="").prints(
        "order     stage 0  dataset-initializer 1\n"
        "                   model-initializer 1\n"
        "           v Complete\n"
        "          stage 1  node 4                 "
        "after dataset-initializer is Complete, model-initializer is Complete\n"
    )
    bench.run("explain", "-f", example("deepspeed")).expect(0, err="").prints(
        "order     stage 0  wave 0  node 3\n"
        "           v Ready\n"
        "                   wave 1  launcher 1  after node is Ready\n"
    )
    bench.write("leader.yaml", LEADER_FIRST)
    bench.write("policy.yaml", VOLCANO)
    bench.run("explain", "-f", "leader.yaml", "-p", "policy.yaml").expect(0, err="").prints(
        "order     stage 0  wave 0  leader 1\n"
        "           v Scheduled\n"
        "                   wave 1  worker 3  after leader is Scheduled\n"
    )
    bench.write("outside.yaml", OUTSIDE_FIRST)
    bench.run("explain", "-f", "outside.yaml", "-p", "policy.yaml").expect(0, err="").prints(
        "order     stage 0  driver 1\n"
        "                   executor 3  after driver is Ready\n"
    )
    bench.run("explain", "-f", example("torch")).expect(0, err="")
    assert "order" not in bench.out, bench.out


def diagnostics_of(out):
    """Severity, file, line and code of each diagnostic of a report, in its order."""
    found = re.findall(r"^(error|warning|info) +(GANG\d+) (?:(\S+?):(\d+):\d+ )?", out, re.MULTILINE)
    return [(severity, file, int(line or 0), code) for severity, code, file, line in found]


def test_diagnostics_are_in_the_order_of_their_places(bench):
    """GANG012 of a runtime is not before a diagnostic that stands above it in the file, nor behind one
    below it: the order of render and lint, whatever the types of the documents are."""
    job = JOB.replace("  name: torch", "  name: torch\n  odd: 1", 1)
    runtime = yaml.safe_load((ROOT / "examples/torchtune-llama/runtime.yaml").read_text())
    runtime["metadata"]["name"] = "torch"
    runtime["spec"]["odd"] = 1
    bench.write("policy.yaml", SAME_AS_TRAINER)
    for order in ((job, yaml.safe_dump(runtime)), (yaml.safe_dump(runtime), job)):
        bench.write("all.yaml", *order)
        bench.run("explain", "-f", "all.yaml", "-p", "policy.yaml").expect(0, err="")
        found = diagnostics_of(bench.out)
        assert {"GANG012", "GANG301"} <= {code for _, _, _, code in found}, bench.out
        assert found == sorted(found, key=lambda one: one[:3]), bench.out
        bench.run("lint", "-f", "all.yaml", "-p", "policy.yaml", "-o", "json")
        told = json.loads(bench.out)["diagnostics"]
        assert [one["code"] for one in told] == [code for _, _, _, code in found], bench.out


def test_explain_prints_a_fragment_of_html(bench):
    torchtune = ("explain", "-f", example("torchtune-llama"))
    bench.run(*torchtune).expect(0)
    text = bench.out
    bench.run(*torchtune, "-o", "html").expect(0, err="").prints(
        '<div class="libgang-explanation">\n',
        '<th scope="row" rowspan="1">minimum</th><td colspan="4">4 of 6 pods start together',
    )
    root = ElementTree.fromstring(bench.out)
    words = " ".join(" ".join(root.itertext()).replace("\u2193", " v ").split())
    for line in text.splitlines():
        for cell in re.split("  +", line.strip()):
            assert " ".join(cell.split()) in words, (cell, words)


def test_explain_predicts_what_a_controller_creates(bench):
    bench.write("policy.yaml", DELEGATE)
    kai = ("-f", example("torch"), "-p", "policy.yaml")
    bench.run("explain", *kai).expect(0, err="").prints(
        "objects   none\n"
        "predicted scheduling.run.ai/v2alpha2 PodGroup pg-mnist-*, which podgrouper.kai.scheduler "
    )
    bench.run("render", *kai).expect(0, out="").says(
        "TrainJob ml/mnist: a gang without objects to apply; 'gangctl explain' prints what its scheduler creates\n"
    )


def test_explain_prints_the_bound_of_a_topology(bench):
    bench.run("explain", "-f", example("bert-volcano")).expect(0, err="").prints(
        "topology  hard           runtime podGroupPolicy.volcano.networkTopology\n          highestTierAllowed 2\n"
    )


def test_explain_prints_the_run_number_that_it_was_given(bench):
    folder = str(ROOT / "tests" / "golden" / "yunikorn" / "torch8")
    bench.run("explain", "-f", folder, "--run-number", "2").expect(0, err="").prints(
        "run       2     resumes or restarts before\nmembers   "
    )
    bench.run("explain", "-f", folder).expect(0, err="")
    assert "\nrun " not in bench.out, bench.out


def test_explain_prints_the_members_of_a_denied_job(bench):
    bench.write("all.yaml", RUNTIME, JOB)
    bench.write("policy.yaml", SMALL)
    bench.run("explain", "-f", "all.yaml", "-p", "policy.yaml").expect(1, err="").prints(
        "OUTCOME   DENIED: 2 members are more than the 1 allowed by the constraint one of the policy small (1 error",
        "members   2 = node 2     members: Auto\n",
    )
    assert "minimum" not in bench.out and "objects" not in bench.out, bench.out


def test_explain_keeps_going_over_broken_jobs(bench):
    lost = named(JOB, "lost").replace("name: torch", "name: nowhere")
    bench.write("all.yaml", RUNTIME, lost, JOB, named(JOB, "bad") + "  trainer: 3\n")
    bench.run("explain", "-f", "all.yaml").expect(1).prints("TrainJob ml/llama  ")
    bench.says('spec.runtimeRef.name: Not found: "nowhere"', "spec.trainer: Invalid value")
    bench.run("explain", "-f", "all.yaml", "-o", "yaml").expect(1)
    assert [one["metadata"]["name"] for one in yaml.safe_load_all(bench.out)] == ["llama"], (
        bench.out
    )
    assert (
        bench.run("explain", "-f", "all.yaml", "-o", "text").out
        == bench.run("explain", "-f", "all.yaml").out
    )


JOBSET = """\
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: bert, namespace: ml}
spec:
  replicatedJobs:
  - {name: node, replicas: 4, template: {spec: {template: {spec: {containers: [{name: c, image: i}]}}}}}
"""
RULES = """\
apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicy
metadata: {name: kinds}
spec:
  rules:
  - {name: ray, match: {kinds: [RayJob]}, backend: kai}
  - {name: large, match: {kinds: ['*'], minNodes: 5}, backend: kai}
"""


def test_explain_says_why_rules_do_not_match(bench):
    bench.write("job.yaml", JOBSET)
    bench.write("policy.yaml", RULES)
    bench.run("explain", "-f", "job.yaml", "-p", "policy.yaml").expect(0, err="").prints(
        "no match  rule ray: match.kinds: the job has kind JobSet\n"
        "          rule large: match.minNodes: the job has 4 pods\n"
    )
    bench.run("explain", "-f", "job.yaml", "-p", "policy.yaml", "-v").expect(0, err="").prints(
        "rule large: match.minNodes: the job has 4 pods [policy.yaml:7]\n"
    )
    more = "  - {name: NAME, match: {kinds: [Job]}, backend: kai}\n"
    bench.write("policy.yaml", RULES + "".join(more.replace("NAME", f"r{i}") for i in range(5)))
    bench.run("explain", "-f", "job.yaml", "-p", "policy.yaml").expect(0, err="").prints(
        "          rule r1: match.kinds: the job has kind JobSet\n          3 more rules, see -v\n"
    )
