# SPDX-License-Identifier: Apache-2.0
"""Tests of gangctl with jobs of other kinds, and with jobs of several gangs."""

import json

import yaml
from bench import VOLCANO

LARGE = """\
apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicy
metadata: {name: large}
spec:
  rules:
  - {name: large, match: {kinds: [JobSet], minNodes: 8}, backend: volcano, queue: {name: q}}
  - {name: rest, match: {kinds: ['*']}, backend: coscheduling}
"""
PODS = "containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]"
STAGES = f"""\
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {{name: bert, namespace: ml, uid: u-1}}
spec:
  replicatedJobs:
  - {{name: prepare, replicas: 2, template: {{spec: {{template: {{spec: {{{PODS}}}}}}}}}}}
  - name: train
    replicas: 8
    dependsOn: [{{name: prepare, status: Complete}}]
    template: {{spec: {{template: {{spec: {{{PODS}}}}}}}}}
"""
SERVE = f"""\
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {{name: chat, namespace: ml, uid: u-1}}
spec:
  replicas: 3
  leaderWorkerTemplate:
    size: 2
    workerTemplate: {{spec: {{{PODS}}}}}
"""
TRAIN = f"""\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {{name: bert, namespace: ml, uid: u-1}}
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 3
      template: {{spec: {{{PODS.replace("name: c", "name: pytorch")}}}}}
"""
CLUSTER_OF_OTHERS = """\
apiVersion: ray.io/v1
kind: RayJob
metadata: {name: query, namespace: ml}
spec:
  clusterSelector: {ray.io/cluster: shared}
"""


def replicas(count):
    return SERVE.replace("replicas: 3", f"replicas: {count}")


def group(name, job, uid="u-1", **spec):
    owner = {
        "apiVersion": job["apiVersion"],
        "kind": job["kind"],
        "name": job["metadata"]["name"],
        "uid": uid,
        "controller": True,
    }
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "PodGroup",
        "metadata": {
            "name": name,
            "namespace": "ml",
            "uid": f"of-{name}",
            "ownerReferences": [owner],
        },
        "spec": {"minMember": 2, "queue": "default", "minResources": {"cpu": "2"}, **spec},
    }


def pod(name, group_name):
    metadata = {"name": name, "namespace": "ml"}
    metadata["annotations"] = {"scheduling.k8s.io/group-name": group_name}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        "status": {"phase": "Running"},
    }


def reconcile(bench, job, *live, policy=VOLCANO, options=()):
    bench.write("job.yaml", job)
    bench.write("policy.yaml", policy)
    bench.write("live.json", json.dumps({"apiVersion": "v1", "kind": "List", "items": live}))
    return bench.run(
        "reconcile", "-f", "job.yaml", "-p", "policy.yaml", "--live", "live.json", *options
    )


def steps(bench):
    """Action and name of each object."""
    return [(line.split()[0], line.split()[2]) for line in bench.out.splitlines()]


# The end of a job, as its operator writes it; and the state before.
ENDS = [
    (TRAIN, {"conditions": [{"type": "Succeeded", "status": "True"}]}, True),
    (TRAIN, {"conditions": [{"type": "Failed", "status": "True"}]}, True),
    (TRAIN, {"conditions": [{"type": "Running", "status": "True"}]}, False),
    (STAGES, {"conditions": [{"type": "Completed", "status": "True"}]}, True),
    (STAGES, {"conditions": [{"type": "Complete", "status": "True"}]}, False),
    (SERVE, {"conditions": [{"type": "Failed", "status": "True"}]}, False),
]


def test_reconcile_reads_the_end_of_each_kind(bench):
    for text, status, has_ended in ENDS:
        job = yaml.safe_load(text)
        reconcile(bench, text, {**job, "status": status}).expect(0)
        assert has_ended == (not bench.out), (status, bench.out)
        reconcile(bench, text + yaml.safe_dump({"status": status})).expect(0)
        assert has_ended == (not bench.out), (status, bench.out)


def test_reconcile_reads_the_end_of_the_owner_of_a_gang_job(bench):
    text = """\
apiVersion: policy.libgang.dev/v1alpha1
kind: GangJob
metadata: {name: query, namespace: ml}
spec:
  owner: {apiVersion: ray.io/v1, kind: RayJob, uid: u-1}
  roles: [{name: worker, count: 2, requests: {cpu: 1}}]
"""
    ray = {"apiVersion": "ray.io/v1", "kind": "RayJob"}
    ray["metadata"] = {"name": "query", "namespace": "ml", "uid": "u-1"}
    reconcile(bench, text, {**ray, "status": {"jobDeploymentStatus": "Retrying"}}).expect(0)
    assert steps(bench) == [("Create", "ml/query")]
    reconcile(bench, text, {**ray, "status": {"jobDeploymentStatus": "Complete"}}).expect(0, out="")


def test_reconcile_deletes_objects_of_gangs_that_are_gone(bench):
    job = yaml.safe_load(SERVE)
    live = [group(f"chat-{i}", job) for i in range(6)] + [group("notes", job)]
    pods = [pod("a", "chat-0"), pod("b", "chat-4")]
    reconcile(bench, SERVE, *live, *pods).expect(0)
    assert steps(bench) == [
        ("Leave", "ml/chat-0"),
        ("Delete", "ml/chat-3"),
        ("Leave", "ml/chat-4"),  # it has a pod
        ("Delete", "ml/chat-5"),
        ("Leave", "ml/chat-1"),
        ("Leave", "ml/chat-2"),
    ], bench.out
    bench.says("PodGroup ml/chat-4 is no longer needed, and stays while pods of the gang exist")
    # another gang does not look at them, and nobody at those of another owner
    reconcile(bench, SERVE, *live, *pods, options=["--gang", "1"]).expect(0, err="")
    assert steps(bench) == [("Leave", "ml/chat-1")]
    others = [group(f"chat-{i}", job, uid="u-2") for i in range(3, 6)]
    reconcile(bench, SERVE, *live[:3], *others).expect(0, err="")
    assert steps(bench) == [("Leave", f"ml/chat-{i}") for i in range(3)]
    # pods of one gang do not keep the objects of another
    wrong = group("chat-1", job, minMember=5)
    reconcile(bench, SERVE, live[0], wrong, live[2], pods[0]).expect(0, err="")
    assert steps(bench)[1] == ("Apply", "ml/chat-1")
    kept = group("chat-0", job)
    kept["apiVersion"] = "scheduling.x-k8s.io/v1alpha1"
    running = pod("b", "chat-1")
    reconcile(bench, SERVE, kept, live[1], running, options=["--gang", "0"]).expect(0)
    assert steps(bench) == [("Create", "ml/chat-0"), ("Delete", "ml/chat-0")]
    # with one gang left, or none, all others are gone
    reconcile(bench, replicas(1), *live[:3]).expect(0, err="")
    assert steps(bench) == [
        ("Leave", "ml/chat-0"),
        ("Delete", "ml/chat-1"),
        ("Delete", "ml/chat-2"),
    ]


def test_gang_jobs_of_one_owner(bench):
    job = yaml.safe_load(SERVE)
    bench.write("policy.yaml", VOLCANO)
    bench.write("job.yaml", SERVE)
    direct = bench.run("render", "-f", "job.yaml", "-p", "policy.yaml").expect(0, err="").out
    roles = bench.run("roles", "-f", "job.yaml").expect(0, err="").out
    bench.run("render", "-f", "-", "-p", "policy.yaml", stdin=roles).expect(0, out=direct, err="")
    # the groups of two gangs must differ, whatever the names of their owners
    for text in (roles + "---\n" + roles, roles.replace("groupName: chat-1", "groupName: chat-0")):
        bench.run("render", "-f", "-", "-p", "policy.yaml", stdin=text).refuses(
            'spec.groupName: Duplicate value: "chat-0": this GangJob is already at <stdin>:1'
        )
    renamed = roles.replace("name: chat\n", "name: talk\n", 1)
    bench.run("render", "-f", "-", "-p", "policy.yaml", stdin=renamed + "---\n" + roles).refuses(
        'spec.groupName: Duplicate value: "chat-0": this GangJob is already at <stdin>:1'
    )
    # one of them leaves the objects of the others alone, and those that may be of others
    gang_jobs = list(yaml.safe_load_all(roles))
    live = [group(f"chat-{i}", job) for i in range(3)] + [group("chat-1-s1", job)]
    reconcile(bench, yaml.safe_dump(gang_jobs[1]), *live).expect(0, err="")
    assert steps(bench) == [("Leave", "ml/chat-1")], bench.out
    del gang_jobs[1]["spec"]["groupName"]
    reconcile(bench, yaml.safe_dump(gang_jobs[1]), *live).expect(0)
    assert ("Delete", "ml/chat-1") in steps(bench), bench.out


def test_the_pod_group_of_an_operator_stays(bench):
    ray = yaml.safe_load(CLUSTER_OF_OTHERS)
    ray["kind"], pods = "RayCluster", {"spec": yaml.safe_load(f"{{{PODS}}}")}
    ray["metadata"]["uid"] = "u-1"
    ray["spec"] = {"headGroupSpec": {"template": pods}, "workerGroupSpecs": []}
    live = [group("ray-query-pg", ray), group("old", ray)]
    reconcile(bench, yaml.safe_dump(ray), *live).expect(0)
    assert steps(bench) == [("Create", "ml/query"), ("Delete", "ml/old")], bench.out
    bench.says("PodGroup ml/ray-query-pg is of KubeRay itself, whose option --batch-scheduler")
    bench.write(
        "cluster.yaml",
        "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangCluster\nmetadata: {name: lab}\n"
        "spec: {operatorGangs: {kuberay: volcano}}\n",
    )
    bench.run("render", "-f", "job.yaml", "-p", "policy.yaml", "--cluster", "cluster.yaml").expect(
        0, out=""
    )
    bench.says(
        "cluster.yaml:4:33: spec.operatorGangs.kuberay: KubeRay makes a PodGroup of this job"
    )


def test_reconcile_of_stages(bench):
    job = yaml.safe_load(STAGES)
    live = [group("bert", job), group("bert-s1", job, minMember=8), group("bert-s2", job)]
    reconcile(bench, STAGES, *live).expect(0)
    assert ("Delete", "ml/bert-s2") in steps(bench) and len(steps(bench)) == 3, bench.out


def workload(name, job, pods):
    """A Workload of Kueue that has admitted this number of workers."""
    live = group(name, job)
    admission = {"podSetAssignments": [{"name": "worker", "count": pods}]}
    return {
        **live,
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Workload",
        "spec": {"podSets": [{"name": "worker", "count": 3}]},
        "status": {"admission": admission},
    }


def test_reconcile_reads_what_kueue_admits_of_any_kind(bench):
    job = yaml.safe_load(TRAIN)
    less = "GANG563"
    reconcile(bench, TRAIN, workload("pytorchjob-bert-0f3c5", job, 2)).expect(0).says(less)
    for other in (
        workload("pytorchjob-bert-0f3c5", job, 3),
        workload("jobset-bert-0f3c5", job, 2),
        workload("pytorchjob-bertha-0f3c5", job, 2),
    ):
        reconcile(bench, TRAIN, other).expect(0)
        assert less not in bench.err, bench.err
    serve = yaml.safe_load(SERVE)
    for gang in range(3):
        live = workload(f"leaderworkerset-chat-{gang}-0f3c5", serve, 0)
        reconcile(bench, SERVE, live).expect(0)
        assert bench.err.count(less) == 1, bench.err


def test_reconcile_leaves_the_objects_of_every_gang(bench):
    for job in (STAGES, SERVE):
        for backend in ("volcano", "coscheduling", "kai", "workload", "koordinator"):
            policy = VOLCANO.replace("defaultBackend: volcano", f"defaultBackend: {backend}")
            bench.write("job.yaml", job)
            bench.write("policy.yaml", policy)
            bench.run("render", "-f", "job.yaml", "-p", "policy.yaml", "-o", "json").expect(0)
            live = bench.objects()
            for one in live:
                one["metadata"]["uid"] = f"of-{one['metadata']['name']}"
            reconcile(bench, job, *live, policy=policy).expect(0)
            left = [("Leave", f"ml/{one['metadata']['name']}") for one in live]
            assert sorted(steps(bench)) == sorted(left), f"{backend}: {bench.out}"


def test_diff_of_several_gangs(bench):
    job = yaml.safe_load(SERVE)
    reconcile(bench, SERVE, *[group(f"chat-{i}", job, minMember=1 + i) for i in range(2)])
    bench.run("diff", "-f", "job.yaml", "-p", "policy.yaml", "--live", "live.json").expect(1)
    bench.prints(
        "--- live scheduling.volcano.sh/v1beta1 PodGroup ml/chat-0\n",
        "-  minMember: 1\n+  minMember: 2\n",
        "+++ planned scheduling.volcano.sh/v1beta1 PodGroup ml/chat-2\n",
    )
    assert "PodGroup ml/chat-1" not in bench.out, bench.out


def test_diff_of_gangs_whose_pods_a_webhook_marks(bench):
    """Gangs that share a pod template have no marks in it: that is no difference and no error."""
    bench.write("job.yaml", SERVE)
    bench.write("policy.yaml", VOLCANO)
    bench.run("render", "-f", "job.yaml", "-p", "policy.yaml", "-o", "json").expect(0)
    live = bench.objects()
    for one in live:
        one["metadata"]["uid"] = f"of-{one['metadata']['name']}"
    reconcile(bench, SERVE, *live).expect(0)
    bench.run("diff", "-f", "job.yaml", "-p", "policy.yaml", "--live", "live.json").expect(0, out="")
    assert bench.err.startswith("warning: ") and bench.err.count("[GANG051]") == 1, bench.err


def test_a_suspended_job_of_another_kind(bench):
    job = yaml.safe_load(TRAIN)
    text = TRAIN.replace("spec:\n", "spec:\n  runPolicy: {suspend: true}\n", 1)
    reconcile(bench, text, group("bert", job)).expect(0)
    assert "TrainJob" not in bench.err and "JobSet" not in bench.err, bench.err


def test_audit_prints_a_row_for_each_gang(bench):
    bench.write("jobs.yaml", STAGES, SERVE, TRAIN)
    bench.write("policy.yaml", VOLCANO)
    bench.write("large.yaml", LARGE)
    bench.run("audit", "-f", "jobs.yaml", "-p", "policy.yaml").expect(0, err="")
    rows = [line.split() for line in bench.out.split("\n\n")[0].splitlines()[1:]]
    names = ["bert#0", "bert#1", "chat#0", "chat#1", "chat#2", "bert"]
    assert [row[1] for row in rows] == names, bench.out
    bench.run("audit", "-f", "jobs.yaml", "-p", "policy.yaml", "-o", "json").expect(0)
    jobs = json.loads(bench.out)["jobs"]
    assert [(job["name"], job["gang"]) for job in jobs][:3] == [
        ("bert", 0),
        ("bert", 1),
        ("chat", 0),
    ]
    assert jobs[5]["gang"] is None, jobs[5]
    bench.run("audit", "-f", "jobs.yaml", "-p", "policy.yaml", "-o", "csv").expect(0)
    assert bench.out.splitlines()[0].startswith("namespace,name,gang,kind,"), bench.out
    assert bench.out.splitlines()[2].startswith("ml,bert,1,JobSet,"), bench.out
    bench.run("audit", "-f", "jobs.yaml", "-p", "policy.yaml", "-o", "junit").expect(0)
    bench.prints('name="chat#2"', 'name="bert"')
    bench.run("audit", "-f", "jobs.yaml", "-p", "policy.yaml", "-o", "wide").expect(0)
    assert bench.out.splitlines()[0].split()[:4] == ["NAMESPACE", "NAME", "GANG", "KIND"]


def test_audit_against_a_policy_with_kinds(bench):
    bench.write("jobs.yaml", STAGES, TRAIN)
    bench.write("policy.yaml", VOLCANO)
    bench.write("large.yaml", LARGE)
    against = ("audit", "-f", "jobs.yaml", "-p", "policy.yaml", "--against", "large.yaml")
    bench.run(*against, "-o", "ndjson").expect(1, err="")
    rows = [json.loads(line) for line in bench.out.splitlines()]
    assert [
        (row["name"], row["gang"], row["new"]["backend"], row["new"]["queue"]) for row in rows
    ] == [
        ("bert", 0, "coscheduling", None),
        ("bert", 1, "volcano", "q"),
        ("bert", None, "coscheduling", None),
    ], bench.out


def test_lint_of_other_kinds(bench):
    bench.write("all.yaml", STAGES, SERVE, TRAIN.replace("bert", "train"))
    bench.write("large.yaml", LARGE)
    bench.run("lint", "-f", "all.yaml", "-p", "large.yaml").expect(0)
    bench.prints("4 documents checked, 3 other jobs resolved: 0 errors, ")
    bench.run("lint", "-f", "all.yaml", "-p", "large.yaml", "-o", "json").expect(0)
    assert json.loads(bench.out)["resolved"] == 3, bench.out
    bench.write("all.yaml", TRAIN.replace("replicas: 3", "replicas: -3"))
    bench.run("lint", "-f", "all.yaml").expect(1).prints("error: all.yaml:7:")
    bench.write("policy.yaml", LARGE.replace("[JobSet]", "[JobSets]"))
    bench.run("lint", "-p", "policy.yaml").expect(1).prints(
        'error: policy.yaml:6:35: spec.rules[0].match.kinds[0]: Unsupported value: "JobSets": ',
        'did you mean "JobSet"?',
    )


def test_jobs_whose_objects_have_the_same_name(bench):
    """As a Helm chart names them all after its release."""
    one = TRAIN.replace("PyTorch", "TF").replace("name: pytorch", "name: tensorflow").replace(
        "pytorch", "tf"
    )
    bench.write("all.yaml", TRAIN, one)
    bench.write("volcano.yaml", VOLCANO)
    told = 'error: all.yaml:10: metadata.name: Duplicate value: "bert": the PodGroup "bert" is also that of '
    for command in ("lint", "render", "transform"):
        bench.run(command, "-f", "all.yaml", "-p", "volcano.yaml").expect(1)
        assert told in bench.out + bench.err, bench.out + bench.err
    # of two schedulers, and in two namespaces
    bench.write("two.yaml", LARGE.replace("JobSet", "TFJob").replace("minNodes: 8", "minNodes: 1"))
    bench.run("render", "-f", "all.yaml", "-p", "two.yaml").expect(0)
    groups = [one["apiVersion"] for one in yaml.safe_load_all(bench.out)]
    assert groups == ["scheduling.x-k8s.io/v1alpha1", "scheduling.volcano.sh/v1beta1"], groups
    bench.write("all.yaml", TRAIN, one.replace("namespace: ml", "namespace: serve"))
    bench.run("lint", "-f", "all.yaml", "-p", "volcano.yaml").expect(0)


def test_lint_of_very_many_gangs(bench):
    bench.write("job.yaml", replicas(1000000))
    bench.run("lint", "-f", "job.yaml", "-v", timeout=20).expect(0).prints(
        "the job has 1000000 gangs: the first and the last are checked"
    )
    bench.run("render", "-f", "job.yaml").expect(1).says("more than 10000: pass --gang")
    # the name of the last gang is too long
    long = replicas(1000000).replace("name: chat", f"name: {'c' * 60}")
    bench.write("job.yaml", long)
    bench.write("policy.yaml", VOLCANO.replace("volcano", "coscheduling"))
    bench.run("lint", "-f", "job.yaml", "-p", "policy.yaml", timeout=20).expect(1)
    bench.prints(f'Invalid value: "{"c" * 60}-999...": must be no more than 63 bytes')


def test_the_name_of_a_gang_needs_no_search(bench):
    bench.write("job.yaml", replicas(1000000))
    bench.write("policy.yaml", VOLCANO)
    render = ("render", "-f", "job.yaml", "-p", "policy.yaml", "--gang")
    bench.run(*render, "chat-999999", timeout=5).expect(0).prints("name: chat-999999\n")
    bench.run(*render, "chat-1000000", timeout=5).expect(1).says("the job has no gang chat-1000000")
    bench.run(*render, "chat", timeout=5).expect(1).says("the job has no gang chat")
    bench.run(*render, "chat-7-x", timeout=5).expect(1).says("the job has no gang chat-7-x")
    label = "leaderworkerset.sigs.k8s.io/template-revision-hash"
    revised = replicas(1000000).replace("uid: u-1", f"uid: u-1, labels: {{{label}: abc}}")
    bench.write("job.yaml", revised)
    bench.run(*render, "chat-999999-abc", timeout=5).expect(0).prints("name: chat-999999-abc\n")


def test_options_of_one_job_with_several_gangs(bench):
    bench.write("job.yaml", STAGES)
    bench.write("policy.yaml", VOLCANO.replace("volcano", "yunikorn"))
    render = ("render", "-f", "job.yaml", "-p", "policy.yaml")
    bench.run(*render, "--run-number", "2", "--target", "plan", "-o", "json").expect(0)
    assert bench.out.count('"runNumber":') == 2, bench.out
    bench.run(*render, "--workload-uid", "w-1").expect(1).says(
        "--workload-uid is of one gang's Workload, and the job has several gangs"
    )
    bench.run(*render, "--workload-uid", "w-1", "--gang", "1").expect(0)
    bench.write("job.yaml", STAGES, SERVE)
    bench.run(*render, "--run-number", "2").expect(1).says("the input holds several jobs")


def test_roles_of_a_job_without_pods_of_its_own(bench):
    bench.write("job.yaml", CLUSTER_OF_OTHERS)
    bench.run("roles", "-f", "job.yaml").expect(0, out="", err="")
    bench.run("roles", "-f", "job.yaml", "-v").expect(0, out="").says(
        "the job has no pods of its own, so it has no GangJob"
    )
    for text in (STAGES, SERVE, TRAIN):
        bench.write("job.yaml", text)
        printed = bench.run("roles", "-f", "job.yaml", "--gang", "0").expect(0).out
        bench.write("again.yaml", printed)
        assert bench.run("roles", "-f", "again.yaml").expect(0).out == printed


CASES = """\
apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicyTest
metadata: {name: kinds}
spec:
  policy: large.yaml
  inputs: [job.yaml]
  cases:
  - {name: small, gang: "0", expect: {backend: coscheduling, minimum: 2}}
  - {name: large, gang: bert-s1, expect: {backend: volcano, minimum: 8, queue: q}}
"""


def test_policy_test_of_other_kinds(bench):
    bench.write("tests/job.yaml", STAGES)
    bench.write("tests/large.yaml", LARGE)
    bench.write("tests/cases.yaml", CASES)
    bench.run("policy", "test", "tests").expect(0, err="").prints("2 passed, 0 failed\n")
    bench.write("tests/cases.yaml", CASES.replace('gang: "0", ', ""))
    bench.run("policy", "test", "tests").expect(1, err="").prints(
        "the job has several gangs: set gang to a number or a name", "1 passed, 1 failed\n"
    )
    bench.write("tests/cases.yaml", CASES.replace('"0"', '"7"'))
    bench.run("policy", "test", "tests").expect(1, err="").prints("the job has no gang 7: it has 2")


def without_type(text):
    return {key: value for key, value in yaml.safe_load(text).items() if key not in ("kind", "apiVersion")}


def typed_lists():
    """Lists whose items have no type, as the API server writes those of its own kinds.

    kubectl adds them: kubernetes/kubernetes:staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/helpers.go.
    """
    names = ("bert", "gpt")
    whole = [STAGES.replace("bert", name) for name in names]
    head = {"kind": "JobSetList", "apiVersion": "jobset.x-k8s.io/v1alpha2", "metadata": {}}
    typed = {**head, "items": [without_type(text) for text in whole]}
    dump = {"sort_keys": False, "default_flow_style": None}
    return "\n---\n".join(whole), [
        json.dumps(typed, separators=(",", ":")),
        json.dumps(typed, indent=1),
        yaml.safe_dump(typed, sort_keys=False),
        "# a list\n" + yaml.safe_dump(typed, **dump),
        yaml.safe_dump(typed, sort_keys=False, default_flow_style=True),
        # items of their own type keep it
        json.dumps({**head, "items": [typed["items"][0], yaml.safe_load(whole[1])]}),
    ]


def test_items_of_a_list_of_one_kind(bench):
    whole, lists = typed_lists()
    bench.write("volcano.yaml", VOLCANO)
    bench.write("jobs.yaml", whole)
    options = ("-f", "jobs.yaml", "-p", "volcano.yaml")
    rendered = bench.run("render", *options).expect(0, err="").out
    audited = bench.run("audit", *options).expect(0, err="").out
    assert rendered.count("kind: PodGroup") == 4, rendered
    for text in lists:
        bench.write("jobs.yaml", text)
        bench.run("render", *options).expect(0, out=rendered, err="")
        bench.run("audit", *options).expect(0, out=audited, err="")
        bench.run("lint", *options).expect(0).prints("2 other jobs")
        # what the API server left out stays out, and kubectl reads it as before
        bench.run("transform", *options).expect(0)
        changed, before = yaml.safe_load(bench.out), yaml.safe_load(text)
        assert {**changed, "items": 0} == {**before, "items": 0}, bench.out
        kinds = [item.get("kind") for item in changed["items"]]
        groups = ["PodGroup", "PodGroup"]
        assert kinds == [None, *groups, before["items"][1].get("kind"), *groups], bench.out
        bench.run("transform", "-p", "volcano.yaml", stdin=bench.out).expect(0, out=bench.out)


def test_places_in_a_list_of_one_kind(bench):
    wrong = {"metadata": {"name": "a"}, "spec": {"replicatedJobs": 7}}
    typed = {"kind": "JobSetList", "apiVersion": "jobset.x-k8s.io/v1alpha2", "items": [wrong, wrong]}
    for text in (json.dumps(typed), yaml.safe_dump(typed, sort_keys=False)):
        bench.write("jobs.yaml", text)
        bench.run("lint", "-f", "jobs.yaml").expect(1)
        lines = text.splitlines()
        for number, line in enumerate(lines, 1):
            for at in range(len(line)):
                if line.startswith("7", at):
                    bench.prints(f"jobs.yaml:{number}:{at + 1}: spec.replicatedJobs:")


def test_a_list_of_one_kind_with_members_that_are_no_jobs(bench):
    head = {"kind": "JobSetList", "apiVersion": "jobset.x-k8s.io/v1alpha2"}
    for items in ([{}], [None], ["x"], [[]], [{"metadata": None}], [{"metadata": {}}]):
        for text in (json.dumps({**head, "items": items}), yaml.safe_dump({**head, "items": items})):
            bench.write("jobs.yaml", text)
            bench.run("lint", "-f", "jobs.yaml").expect(1)
