# SPDX-License-Identifier: Apache-2.0
"""Tests of gangctl transform, and of the documents that render --target changes in place."""

import json
import os
import subprocess

import yaml
from bench import FOREIGN, GANGCTL, JOB, PODGANG, POLICY, ROOT, RUNTIME, VOLCANO, WRAPPER

RAYJOB = """\
# tunes the model
apiVersion: ray.io/v1
kind: RayJob
metadata: {name: 'tune', namespace: ml}   # in flow style
spec:
  submissionMode: HTTPMode
  rayClusterSpec:
    headGroupSpec:
      template:   # the head
        spec:
          containers:
            - {name: head, image: "ray:1"}   # quoted
          # the end of the head
    # none
    workerGroupSpecs: []
"""
GROUP = """\
apiVersion: scheduling.volcano.sh/v1beta1
kind: PodGroup
metadata:
  name: tune
  namespace: ml
spec:
  minMember: 1
"""
# Of Volcano; derived by hand.
MARKED = RAYJOB.replace(
    "          # the end of the head\n",
    """\
          schedulerName: volcano
        metadata:
          annotations:
            scheduling.k8s.io/group-name: tune
          # the end of the head
""",
)


def transform(bench, text, *arguments):
    bench.write("policy.yaml", VOLCANO)
    return bench.run("transform", "-p", "policy.yaml", *arguments, stdin=text)


def resource_list(*items, config=VOLCANO):
    tree = {
        "apiVersion": "config.kubernetes.io/v1",
        "kind": "ResourceList",
        "items": [yaml.safe_load(one) for one in items],
    }
    return yaml.safe_dump(tree | {"functionConfig": yaml.safe_load(config)}, sort_keys=False)


def test_transform_changes_only_the_marks(bench):
    before = (
        "# the first\n"
        + FOREIGN
        + "--- # two\n"
        + RAYJOB
        + "\n---\n# only a comment\n---\n"
        + FOREIGN.replace("other", "last")
    )
    transform(bench, before).expect(0, err="")
    lines = bench.out.splitlines(keepends=True)
    added = MARKED.splitlines(keepends=True)
    kept = before.splitlines(keepends=True)
    rest = iter(lines)
    assert all(line in rest for line in kept), bench.out
    assert "".join(added) in bench.out, bench.out
    group = [one for one in yaml.safe_load_all(bench.out) if one and one["kind"] == "PodGroup"]
    assert [one["metadata"]["name"] for one in group] == ["tune"] and len(lines) > len(kept) + 5
    once = bench.out
    transform(bench, once).expect(0, out=once, err="")
    # a document before the next separator, behind its job
    assert (
        once.index("kind: RayJob") < once.index("kind: PodGroup") < once.index("# only a comment")
    )


def test_transform_of_what_has_no_gang(bench):
    for text in (
        FOREIGN,
        "",
        "# nothing\n",
        "---\n---\n",
        "\ufeff" + FOREIGN,
        FOREIGN.replace("\n", "\r\n"),
        FOREIGN.rstrip("\n"),
        '{"kind":"A"} {"kind":"B"}',
    ):
        transform(bench, text).expect(0, out=text.replace("\r\n", "\n"), err="")


HOOK = """\
apiVersion: batch/v1
kind: Job
metadata:
  generateName: migrate-
  annotations: {argocd.argoproj.io/hook: PreSync}
spec:
  template:
    spec:
      containers: [{name: migrate, image: "a"}]
      restartPolicy: Never
"""


def test_transform_of_jobs_with_generated_names(bench):
    """Hooks of Argo CD have generateName, and often the same one."""
    transform(bench, f"{HOOK}---\n{HOOK}---\n{RAYJOB}").expect(0, err="")
    assert bench.out.startswith(f"{HOOK}---\n{HOOK}---\n{MARKED}"), bench.out
    gang = RAYJOB.replace("name: 'tune'", "generateName: 'tune-'")
    bench.write("gang.yaml", gang)
    bench.write("live.yaml", "apiVersion: v1\nkind: List\nitems: []\n")
    bench.run("roles", "-f", "gang.yaml").expect(0, err="")
    assert yaml.safe_load(bench.out)["metadata"]["generateName"] == "tune-" and "xxxxx" not in bench.out
    bench.write("roles.yaml", bench.out)
    bench.write("policy.yaml", VOLCANO)
    for command in (("render", "-f", "roles.yaml"), ("why", "--live", "live.yaml", "-f", "gang.yaml")):
        bench.run(*command, "-p", "policy.yaml").expect(2 if command[0] == "why" else 1, out="").says("GANG303")
    transform(bench, f"{HOOK}---\n{gang}").expect(1, out="").says("metadata.name: Required value [GANG303]")


def test_transform_puts_the_group_of_a_hook_before_it(bench):
    """
    A hook ends before what follows is applied, and never without its group. Helm runs hooks by
    weight, then by name, then by kind, unknown ones last: pkg/action/hooks.go hookByWeight and
    pkg/release/v1/util/kind_sorter.go of helm.sh/helm/v4@v4.3.1. Argo CD applies a wave at once, which
    may be the weight: pkg/sync/syncwaves/waves.go of github.com/argoproj/gitops-engine@v0.7.3.
    """
    bench.write("policy.yaml", VOLCANO)
    for hook, expected in (
        ({"helm.sh/hook": "pre-install", "a": "b"}, {"helm.sh/hook": "pre-install", "helm.sh/hook-weight": "-1"}),
        (
            {"helm.sh/hook": "test", "helm.sh/hook-weight": "5", "helm.sh/hook-delete-policy": "hook-failed"},
            {"helm.sh/hook": "test", "helm.sh/hook-weight": "4", "helm.sh/hook-delete-policy": "hook-failed"},
        ),
        (
            {"helm.sh/hook": "test", "helm.sh/hook-weight": "5.5"},
            {"helm.sh/hook": "test", "helm.sh/hook-weight": "-1"},
        ),
        (
            {"helm.sh/hook": "test", "helm.sh/hook-weight": "-9223372036854775809"},
            {"helm.sh/hook": "test", "helm.sh/hook-weight": "-1"},
        ),
        # as strconv.Atoi() of calculateHookWeight in pkg/release/v1/util/manifest_sorter.go
        (
            {"helm.sh/hook": "test", "helm.sh/hook-weight": "-3000000000"},
            {"helm.sh/hook": "test", "helm.sh/hook-weight": "-3000000001"},
        ),
        ({"helm.sh/hook": "test", "helm.sh/hook-weight": " 5"}, {"helm.sh/hook": "test", "helm.sh/hook-weight": "-1"}),
        ({"helm.sh/hook-weight": "-2"}, {"helm.sh/hook-weight": "-2"}),
        (
            {"argocd.argoproj.io/hook": "PreSync", "argocd.argoproj.io/hook-delete-policy": "HookSucceeded"},
            {"argocd.argoproj.io/hook": "PreSync", "argocd.argoproj.io/hook-delete-policy": "HookSucceeded"},
        ),
        (
            {"argocd.argoproj.io/sync-wave": "-5", "argocd.argoproj.io/tracking-id": "app:batch/Job:ml/tune"},
            {"argocd.argoproj.io/sync-wave": "-5"},
        ),
        ({"example.com/hook": "a"}, None),
    ):
        job = yaml.safe_load(RAYJOB)
        job["metadata"]["annotations"] = hook
        for text in (yaml.safe_dump(job), json.dumps(job), resource_list(yaml.safe_dump(job))):
            options = () if "ResourceList" in text else ("-p", "policy.yaml")
            bench.run("transform", *options, stdin=text).expect(0, err="")
            documents = list(yaml.safe_load_all(bench.out.replace("}\n{", "}\n---\n{")))
            tune, group = documents[0]["items"] if len(documents) == 1 else documents
            assert group["kind"] == "PodGroup" and group["metadata"].get("annotations") == expected, group
            assert tune["metadata"]["annotations"] == hook
            once = bench.out
            bench.run("transform", *options, stdin=once).expect(0, out=once, err="")


def test_answers_about_jobs_with_generated_names(bench):
    """The API server alone makes the name: pkg/storage/names/generate.go of k8s.io/apiserver."""
    bench.write("policy.yaml", VOLCANO)
    bench.write("tests/hook.yaml", HOOK)
    hook = ("-f", "tests/hook.yaml", "-p", "policy.yaml")
    for command in ("render", "explain", "audit"):
        bench.run(command, *hook).expect(0)
        assert "migrate-*" in bench.out + bench.err, (command, bench.out, bench.err)
    bench.run("audit", *hook, "-o", "ndjson").expect(0)
    row = json.loads(bench.out.splitlines()[0])
    assert (row["name"], row["generateName"]) == (None, "migrate-"), row
    bench.run("render", *hook, "--target", "plan", "-o", "json").expect(0)
    plan = json.loads(bench.out)
    assert plan["metadata"] == {"generateName": "migrate-"}, plan["metadata"]
    assert plan["owner"] == {"apiVersion": "batch/v1", "kind": "Job"}, plan["owner"]
    bench.run("policy", "test", "tests", "--record", *hook).expect(0)
    assert yaml.safe_load(bench.out)["spec"]["cases"][0]["job"] == "migrate-*", bench.out
    bench.write("tests/recorded.yaml", bench.out)
    bench.run("policy", "test", "tests").expect(0, err="").prints("1 passed, 0 failed\n")
    bench.run("render", "--job", "migrate", *hook).expect(1)


def test_a_component_with_a_generated_name(bench):
    """appwrapper@v1.2.2 supports it: internal/controller/appwrapper/resource_management.go."""
    wrapper = {
        "apiVersion": "workload.codeflare.dev/v1beta2",
        "kind": "AppWrapper",
        "metadata": {"name": "aw"},
        "spec": {"components": [{"template": yaml.safe_load(RAYJOB)}]},
    }
    wrapper["spec"]["components"][0]["template"]["metadata"] = {"generateName": "tune-"}
    bench.write("wrapper.yaml", yaml.safe_dump(wrapper))
    bench.write("policy.yaml", VOLCANO)
    bench.run("render", "-f", "wrapper.yaml").expect(0)
    bench.run("render", "-f", "wrapper.yaml", "-p", "policy.yaml").expect(1, out="")
    bench.says("spec.components[0].template.metadata.name: Required value [GANG303]")


def test_transform_of_what_is_as_large_as_the_api_server_takes(bench):
    """The CRDs of KubeRay, LeaderWorkerSet and Kueue have up to 1.5 MB; a value has at most 1 MiB."""
    large = FOREIGN + "  large: " + "x" * (1 << 20) + "\n" + "  text: " + "x" * (1 << 20) + "\n"
    transform(bench, large + "---\n" + RAYJOB).expect(0, err="")
    assert bench.out.startswith(large) and "kind: PodGroup" in bench.out
    transform(bench, FOREIGN + "# " + "x" * (3 << 20) + "\n").expect(1, out="").says("document bytes")


def test_transform_of_a_list_whose_result_is_too_large_for_yaml(bench):
    for kind in ("List", "RayJobList"):
        text = f"# a list\napiVersion: ray.io/v1\nkind: {kind}\nitems:\n- " + RAYJOB.replace("\n", "\n  ").strip()
        value = "\n- {apiVersion: v1, kind: ConfigMap, data: {x: %s}}"
        size = ((3 << 20) - len(text)) // 3 - len(value)
        text += value % ("x" * size) * 3
        transform(bench, f"{FOREIGN}---\n{text}").expect(
            0, err=f"note: <stdin>:8: {kind}: the document is written again, as JSON, without its comments\n"
        )
        assert json.loads(bench.out.split("---\n")[1])["kind"] == kind


def test_transform_twice_with_marks_that_describe_the_pods(bench):
    bench.write(
        "yunikorn.yaml",
        VOLCANO.replace(
            "defaultBackend: volcano", "defaultBackend: yunikorn, defaults: {queue: {name: root.a}}"
        ),
    )
    job = RAYJOB.replace("[]", "[{groupName: g, replicas: 2, template: {spec: {containers: [{name: c, image: c}]}}}]")
    for name in ("RayJob", "pytorchjob", "job"):
        text = job if name == "RayJob" else (ROOT / f"examples/jobs/{name}.yaml").read_text()
        bench.run("transform", "-p", "yunikorn.yaml", stdin=text).expect(0)
        once = bench.out
        assert "task-groups" in once and "yunikorn.apache.org/queue: root.a" in once, once
        bench.run("transform", "-p", "yunikorn.yaml", stdin=once).expect(0, out=once)
        # as the API server stores a Job that gang-operator has marked and Kueue admitted
        label = "\n        yunikorn.apache.org/app-id"
        keys = [
            f"{prefix}{key}"
            for prefix in ("", "batch.kubernetes.io/")
            for key in ("controller-uid", "job-name")
        ]
        keys += [f"kueue.x-k8s.io/{key}" for key in ("cluster-queue-name", "local-queue-name", "podset")]
        added = "".join(f"\n        {key}: sweep" for key in keys)
        added += '\n        policy.libgang.dev/mark: "true"'
        stored = once.replace(label, added + label) if name == "job" else once
        assert (stored != once) == (name == "job"), once
        bench.run("transform", "-p", "yunikorn.yaml", stdin=stored).expect(0, out=stored)
        # the job becomes larger: its marks are those of an earlier size
        larger = once.replace("replicas: 2", "replicas: 7")
        bench.run("transform", "-p", "yunikorn.yaml", stdin=larger).expect(0)
        assert larger == once or '"minMember":7' in bench.out.replace("\\", ""), bench.out
        # any other change is not libgang's
        foreign = once.replace("minResource", "minresource")
        bench.run("transform", "-p", "yunikorn.yaml", stdin=foreign).expect(1, out="")


def test_transform_twice_with_the_pod_field_of_kubernetes_1_35(bench):
    bench.write("workload.yaml", VOLCANO.replace("defaultBackend: volcano", "defaultBackend: workload"))
    cluster = str(ROOT / "tests/golden/workload/data-cache/v1alpha1/cluster.yaml")
    transform = ("transform", "-p", "workload.yaml", "--cluster", cluster, "--strict")
    job = yaml.safe_load((ROOT / "examples/jobs/job.yaml").read_text())
    job["metadata"]["uid"] = "u-1"
    bench.run(*transform, stdin=yaml.safe_dump(job)).expect(0).prints("      workloadRef:\n        name: ")
    bench.run(*transform, stdin=bench.out).expect(0, err="", out=bench.out)
    # the CRD of KubeRay v1.6 has it, and libgang never sets it there
    head = yaml.safe_load(RAYJOB)
    head["spec"]["rayClusterSpec"]["headGroupSpec"]["template"]["spec"]["workloadRef"] = {"name": "x", "podGroup": "g"}
    bench.run(*transform, stdin=yaml.safe_dump(head)).expect(1)
    assert "headGroupSpec.template.spec.workloadRef: Forbidden" in bench.err, bench.err
    assert "GANG011" in bench.err and "unknown field" not in bench.err, bench.err


def test_transform_takes_runtimes_from_the_stream(bench):
    for order in ((RUNTIME, JOB), (JOB, RUNTIME)):
        transform(bench, "---\n".join(order)).expect(0, err="")
        found = {one["kind"]: one for one in yaml.safe_load_all(bench.out)}
        assert "podGroupPolicy" not in found["ClusterTrainingRuntime"]["spec"], bench.out
        assert found["TrainJob"]["spec"]["runtimePatches"][0]["manager"] == "libgang.dev/gang"
        assert found["PodGroup"]["spec"]["minMember"] == 2
        once = bench.out
        transform(bench, once).expect(0, out=once, err="")
    # the operator still needs it where no policy decides
    bench.run("transform", stdin=RUNTIME + "---\n" + JOB).expect(0).prints(
        "  podGroupPolicy:\n    volcano: {}\n"
    )
    assert "keeps podGroupPolicy" in bench.err
    bench.write("compatible.yaml", POLICY)
    bench.run("transform", "-p", "compatible.yaml", stdin=RUNTIME + "---\n" + JOB).expect(0).prints(
        "  podGroupPolicy:\n"
    )


def test_transform_tells_settings_that_the_next_run_takes_from_the_policy(bench):
    bench.write(
        "policy.yaml",
        """\
apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicy
metadata: {name: p}
spec:
  backends:
  - {name: c, type: Coscheduling, coscheduling: {scheduleTimeoutSeconds: 120}}
  - {name: v, type: Volcano}
  rules:
  - {name: prod, match: {namespaces: [prod]}, topology: {level: 1, mode: soft}}
  defaultBackend: c
""",
    )
    volcano = "volcano: {networkTopology: {mode: hard, highestTierAllowed: 2}}"
    timeout = ("scheduleTimeoutSeconds", "spec.backends[0].coscheduling.scheduleTimeoutSeconds")
    lost = (
        "note: ClusterTrainingRuntime torch: {} is from podGroupPolicy, which is not in the output: "
        "the next run takes {} of the policy\n"
    )
    for asked, namespace, told in (
        ("coscheduling: {scheduleTimeoutSeconds: 30}", "ml", timeout),
        ("coscheduling: {}", "ml", timeout),  # the API server writes 60
        ("coscheduling: {scheduleTimeoutSeconds: 120}", "ml", None),
        (volcano, "prod", ("topology", "spec.rules[0].topology")),
        (volcano, "ml", None),
    ):
        runtime = RUNTIME.replace("volcano: {}", asked)
        job = JOB.replace("namespace: ml", f"namespace: {namespace}")
        err = lost.format(*told) if told else ""
        once = bench.run("transform", "-p", "policy.yaml", stdin=runtime + "---\n" + job)
        once = once.expect(0, err=err).out
        assert "podGroupPolicy" not in once, once
        again = bench.run("transform", "-p", "policy.yaml", stdin=once).expect(0, err="").out
        assert (again == once) == (not told), again
    # each field of the policy once, whichever job it is for
    others = [JOB.replace("name: llama\n", f"name: {name}\n") for name in ("two", "three")]
    others[1] = others[1].replace("namespace: ml", "namespace: slow")
    rules = "  - {name: slow, match: {namespaces: [slow]}, scheduleTimeoutSeconds: 900}\n  defaultBackend"
    bench.write("policy.yaml", (bench.folder / "policy.yaml").read_text().replace("  defaultBackend", rules))
    runtime = RUNTIME.replace("volcano: {}", "coscheduling: {}")
    both = [lost.format(timeout[0], path) for path in (timeout[1], "spec.rules[1].scheduleTimeoutSeconds")]
    stdin = "---\n".join((runtime, JOB, *others))
    bench.run("transform", "-p", "policy.yaml", stdin=stdin).expect(0, err="".join(both))


def test_transform_objects(bench):
    transform(bench, RAYJOB, "--objects", "none").expect(0, out=MARKED, err="")
    transform(bench, FOREIGN + "---\n" + RAYJOB, "--objects", "only").expect(0, err="")
    only = bench.out
    bench.write("job.yaml", RAYJOB)
    bench.run("render", "-p", "policy.yaml", "-f", "job.yaml").expect(0, out=only)
    transform(bench, RAYJOB).expect(0, out=MARKED + "---\n" + only, err="")
    transform(bench, RAYJOB, "--objects", "all").could_not_run(
        "--objects all: must be with, only or none"
    )
    # an object of an earlier run is brought up to date where it stands; what others added stays
    old = GROUP.replace("  name: tune\n", "  name: tune   # kept\n  labels: {team: a}\n").replace(
        "minMember: 1", "minMember: 7 # seven"
    )
    transform(bench, old + "---\n" + RAYJOB).expect(0, err="")
    assert bench.out.startswith(old.replace("minMember: 7", "minMember: 1")), bench.out
    assert bench.out.count("kind: PodGroup") == 1


JOBSET = """\
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: set, namespace: ml}
spec:
  replicatedJobs:
  - name: a
    template:
      spec:
        completions: 2
        parallelism: 2
        template:
"""


def test_transform_fills_empty_values(bench):
    """Volcano's annotation and schedulerName take the place of nulls; comments stay."""
    name = "scheduling.k8s.io/group-name: set"
    flow = "          {metadata: , spec: {schedulerName: , containers: [{name: c, image: x}]}}\n"
    filled = flow.replace(": ,", ": {annotations: {%s}}," % name, 1).replace(": ,", ": volcano,")
    block = """\
          metadata:
          spec:
            schedulerName:  # none
            containers: [{name: c, image: x}]
"""
    marked = block.replace("Name:  #", "Name: volcano  #").replace(
        "data:\n", f"data:\n            annotations:\n              {name}\n"
    )
    for given, expected in ((flow, filled), (block, marked)):
        transform(bench, JOBSET + given, "--objects", "none").expect(0, out=JOBSET + expected, err="")


def test_transform_quotes_what_yaml_takes_for_something_else(bench):
    """What YAML 1.1, which kubectl reads, resolves to a boolean or null; and numbers."""
    job = JOBSET + "          spec: {containers: [{name: c, image: x}]}\n"
    policy = VOLCANO.replace("volcano}\nspec", "kai}\nspec").replace("volcano}", 'kai, defaults: {queue: {name: "%s"}}}')
    for word in "y n yes no on off true false null 1 0x1 1e3 1.5".split():
        bench.write("policy.yaml", policy % word)
        bench.run("transform", "-p", "policy.yaml", stdin=job).expect(0)
        assert f'\n              kai.scheduler/queue: "{word}"\n' in bench.out, bench.out
    bench.write("policy.yaml", policy % "yes-no")
    bench.run("transform", "-p", "policy.yaml", stdin=job).expect(0)
    assert "\n              kai.scheduler/queue: yes-no\n" in bench.out, bench.out


def test_transform_of_topologies(bench):
    """KAI's Topology follows the binding that Grove's operator would make it of."""
    binding = """\
apiVersion: grove.io/v1alpha1
kind: ClusterTopologyBinding
metadata: {name: nodes}
spec:
  levels: [{domain: rack, key: example.com/rack}]   # the only one
"""
    topology = {
        "apiVersion": "kai.scheduler/v1alpha1",
        "kind": "Topology",
        "metadata": {"name": "nodes"},
        "spec": {"levels": [{"nodeLabel": "example.com/rack"}]},
    }
    others = binding.replace("nodes", "external").rstrip("\n") + """
  schedulerTopologyBindings: [{schedulerName: kai-scheduler, topologyReference: racks}]
"""
    bench.run("transform", stdin=binding + "---\n" + others).expect(0, err="")
    assert bench.out.startswith(binding + "---\n") and bench.out.endswith("---\n" + others), bench.out
    assert list(yaml.safe_load_all(bench.out))[1:-1] == [topology], bench.out
    bench.run("transform", stdin=bench.out).expect(0, out=bench.out, err="")
    bench.run("transform", "--objects", "only", stdin=binding + "---\n" + others).expect(0, err="")
    assert list(yaml.safe_load_all(bench.out)) == [topology], bench.out


def test_transform_of_files_lists_and_json(bench):
    bench.write("a.yaml", FOREIGN.rstrip("\n"))
    bench.write("b.yaml", RAYJOB)
    bench.write("policy.yaml", VOLCANO)
    bench.run("transform", "a.yaml", "b.yaml", "-p", "policy.yaml").expect(0, err="")
    assert bench.out.startswith(FOREIGN + "---\n" + MARKED), bench.out
    both = bench.out
    bench.run("transform", "-f", "a.yaml", "-f", "b.yaml", "-p", "policy.yaml").expect(0, out=both)
    bench.run("transform", "missing.yaml").could_not_run("missing.yaml: ")
    listed = "apiVersion: v1\nkind: List\nitems:\n" + "".join(
        "- " + "  ".join(one.splitlines(keepends=True))
        for one in (FOREIGN, RAYJOB.removeprefix("# tunes the model\n"), FOREIGN)
    )
    transform(bench, listed).expect(0, err="")
    assert [one["kind"] for one in yaml.safe_load(bench.out)["items"]] == [
        "ConfigMap",
        "RayJob",
        "PodGroup",
        "ConfigMap",
    ]
    assert "# the end of the head" in bench.out and '"ray:1"' in bench.out
    once = bench.out
    transform(bench, once).expect(0, out=once)
    flow = yaml.safe_dump(yaml.safe_load(RAYJOB), default_flow_style=True, width=1000)
    listed = {"kind": "List", "items": [yaml.safe_load(FOREIGN)]}
    flows = flow + "---\n" + yaml.safe_dump(listed, default_flow_style=True)
    transform(bench, flows).expect(0, err="")
    job, group, rest = yaml.safe_load_all(bench.out)
    assert job == yaml.safe_load(MARKED) and bench.out.startswith(flow[:100]), bench.out
    assert (group["kind"], rest["items"]) == ("PodGroup", [yaml.safe_load(FOREIGN)]), bench.out
    transform(
        bench, json.dumps(yaml.safe_load(RAYJOB)) + "\n" + json.dumps(yaml.safe_load(FOREIGN))
    ).expect(0, err="")
    assert len(bench.out.splitlines()) == 3 and bench.out.startswith(
        '{"apiVersion": "ray.io/v1"'
    ), bench.out
    once = bench.out
    transform(bench, once).expect(0, out=once)


def test_transform_of_json_between_separators(bench):
    """kubectl reads no separator behind a second JSON document (apimachinery, YAMLOrJSONDecoder)."""
    job = json.dumps(yaml.safe_load(RAYJOB)) + "\n"
    texts = (
        job + "---\n" + FOREIGN,
        FOREIGN + "---\n" + job,
        "---\n" + job,
        job + "---\n",
    )
    for text in texts:
        written = transform(bench, text).expect(0, err="").out
        parts = [yaml.safe_load(part) for part in written.split("---\n")]
        assert "PodGroup" in [part["kind"] for part in parts if part], written
        transform(bench, written).expect(0, err="", out=written)
    # without a separator there is none, as JSON documents follow each other
    written = transform(bench, job + job.replace('"tune"', '"other"')).expect(0, err="").out
    kinds = [json.loads(line)["kind"] for line in written.splitlines()]
    assert kinds == ["RayJob", "PodGroup"] * 2, written


def test_transform_of_json_with_comments_behind(bench):
    """Where JSON ends the rest is YAML: kubernetes/apimachinery:pkg/util/yaml/decoder.go YAMLOrJSONDecoder@v0.36.2."""
    job = json.dumps(yaml.safe_load(RAYJOB))
    for text in (job + "\n# the }\n", job + " # x", job + "# x", job + "\n\n  # x\n# y\n---\n" + FOREIGN):
        written = transform(bench, text).expect(0).out
        found = [one for one in yaml.safe_load_all(written) if one]
        assert found[0] == yaml.safe_load(MARKED) and found[1]["kind"] == "PodGroup", written
        transform(bench, written).expect(0, err="", out=written)
    other = json.dumps(yaml.safe_load(FOREIGN))
    empty = '{"apiVersion": "v1", "kind": "List", "items": []}'
    listed = '{"apiVersion": "v1", "kind": "List", "items": [' + job + "]}"
    for text, kinds in (
        (job + "\n# x\n" + job.replace("tune", "tone"), ["RayJob", "PodGroup"] * 2),
        (job + " # x\n  " + other, ["RayJob", "PodGroup", yaml.safe_load(FOREIGN)["kind"]]),
        (other + "# x\n" + job, [yaml.safe_load(FOREIGN)["kind"], "RayJob", "PodGroup"]),
        (job + " " + job.replace("tune", "tone") + " # x\n", ["RayJob", "PodGroup"] * 2),
        (listed + "\n# x\n" + job.replace("tune", "tone"), ["List", "RayJob", "PodGroup"]),
        (job + "# x\n" + empty + "\n" + job.replace("tune", "tone"), ["RayJob", "PodGroup", "List", "RayJob", "PodGroup"]),
        (empty + "\n" + job + "# x\n" + empty, ["List", "RayJob", "PodGroup", "List"]),
        (job.replace("tune", "tone") + "\n" + listed + "# x", ["RayJob", "PodGroup", "List"]),
    ):
        written = transform(bench, text).expect(0).out
        found = written.split("# x\n", 1) if written.startswith(other) else [written]
        assert [one["kind"] for part in found for one in yaml.safe_load_all(part) if one] == kinds, written
        transform(bench, written).expect(0, err="", out=written)


def test_transform_of_lists_in_flow_style_that_start_with_quotes(bench):
    """kubectl reads them as YAML, and so is what transform writes between them."""
    item = json.dumps(yaml.safe_load(RAYJOB)).replace('"spec"', "spec", 1)
    for start in ("{ # x\n", "{", "# x\n{"):
        text = start + ("" if "#" in start else "x: y, ") + '"apiVersion": "v1", "kind": "List", "items": [' + item + "]}"
        written = transform(bench, text).expect(0).out
        assert [one["kind"] for one in yaml.safe_load(written)["items"]] == ["RayJob", "PodGroup"], written
        transform(bench, written).expect(0, err="", out=written)


def test_transform_of_an_indented_list(bench):
    item = "".join("    " + line for line in RAYJOB.removeprefix("# tunes the model\n").splitlines(keepends=True))
    for keys in ("  metadata:\n    items: x\n  items:\n", '  "items": # two\n'):
        text = "# a list\n  apiVersion: v1\n" + keys + "  - " + item[4:] + "  kind: List\n"
        transform(bench, text).expect(0, err="")
        assert bench.out.startswith("# a list\n  apiVersion: v1\n" + keys), bench.out
        kinds = [one["kind"] for one in yaml.safe_load(bench.out)["items"]]
        assert kinds == ["RayJob", "PodGroup"] and bench.out.endswith("  kind: List\n"), bench.out
    empty = "  apiVersion: v1\n  items:\n  kind: List\n"
    transform(bench, empty).expect(0, err="", out=empty)


def test_transform_passes_over_null(bench):
    """As kubectl does: Helm writes null for a value that is not set."""
    text = "null\n---\n" + FOREIGN + "---\n~ # nothing\n---\n" + RAYJOB
    transform(bench, text, "--objects", "none").expect(0, err="", out=text.replace(RAYJOB, MARKED))
    transform(bench, "null\n").expect(0, err="", out="null\n")


def test_transform_of_lists_of_one_kind(bench):
    job = yaml.safe_load(RAYJOB)
    for kind in ("RayJobList", "List"):
        tree = {"apiVersion": "ray.io/v1", "kind": kind, "items": [job]}
        transform(bench, yaml.safe_dump(tree)).expect(0, err="")
        assert [one["kind"] for one in yaml.safe_load(bench.out)["items"]] == ["RayJob", "PodGroup"], kind
    text = yaml.safe_dump(tree | {"kind": "WidgetList"})
    transform(bench, text).expect(0, err="", out=text)


def test_lists_in_lists(bench):
    """
    kubectl takes all items as those of one list: FlattenListVisitor in pkg/resource/visitor.go of
    k8s.io/cli-runtime@v0.34.1, which has artifacts/deeply-nested.yaml for it.
    """
    policy = bench.write("policy.yaml", VOLCANO)
    job, other = yaml.safe_load(RAYJOB), yaml.safe_load(FOREIGN)
    bare = {name: value for name, value in job.items() if name not in ("apiVersion", "kind")}

    def listed(*items, kind="List", version="v1"):
        return {"apiVersion": version, "kind": kind, "items": list(items)}

    flat = json.dumps(listed(other, job, other))
    for nested in (
        listed(other, listed(job, other)),
        listed(listed(other, listed(listed(listed(), job))), other),
        listed(other, listed(job, kind="RayJobList", version="ray.io/v1"), other),
        listed(other, listed(bare, kind="RayJobList", version="ray.io/v1"), other),
    ):
        plain = yaml.safe_dump(json.loads(json.dumps(nested)))
        for text in (plain, json.dumps(nested), json.dumps(nested, indent=2)):
            for command in (("render", "-p", policy, "-f", "-"), ("audit", "-p", policy, "-f", "-")):
                expected = bench.run(*command, stdin=flat).expect(0, err="").out
                bench.run(*command, stdin=text).expect(0, out=expected, err="")
            expected = yaml.safe_load(transform(bench, flat).expect(0, err="").out)["items"]
            assert [one["kind"] for one in expected] == ["ConfigMap", "RayJob", "PodGroup", "ConfigMap"]
            assert yaml.safe_load(transform(bench, text).expect(0, err="").out)["items"] == expected, bench.out
            # what has no gang keeps its bytes
            text = text.replace("RayJob", "Gadget").replace("ray.io", "example.com")
            transform(bench, text).expect(0, out=text, err="")
    wrong = "apiVersion: v1\nkind: List\nitems:\n- kind: List\n  items:\n  - # here\n    "
    bench.run("lint", "-f", "-", stdin=wrong + RAYJOB.replace("[]", "3").replace("\n", "\n    "))
    bench.expect(1)
    assert "<stdin>:21:27: spec.rayClusterSpec.workerGroupSpecs: Invalid value: 3" in bench.out, bench.out


def test_transform_of_flow_style_that_ends_at_the_margin(bench):
    """As yq writes empty maps with comments, also in lists. Source: mikefarah/yq v4.54.3, head_comment."""
    for value in ("{\n      # none\n}", "{\n      # one\n      a: b\n}", "[\n      # none\n]"):
        tail = "- apiVersion: v1\n  data: " + value + "\n  kind: ConfigMap\n  metadata: {name: one}\n"
        job = "- " + "  ".join(RAYJOB.removeprefix("# tunes the model\n").splitlines(keepends=True))
        for items in (tail + job + tail.replace("one", "two"), job + tail):
            listed = "apiVersion: v1\nkind: List\nitems:\n" + items
            transform(bench, listed, "--objects", "none").expect(0, err="")
            wanted = "- " + "  ".join(MARKED.removeprefix("# tunes the model\n").splitlines(keepends=True))
            assert bench.out == listed.replace(job, wanted), bench.out


def test_transform_tells_what_an_empty_map_loses(bench):
    lines = "template:   # the head\n", "template:   # the head\n        metadata: {\n          # alone\n        }\n"
    job = RAYJOB.replace(*lines)
    note = "note: <stdin>:1: RayJob tune: a part of the document is written again, without its comments"
    transform(bench, job, "--objects", "none").expect(0).says(note)
    assert marks(bench.out) == ["tune"] and "# alone" not in bench.out, bench.out
    empty = job.replace("          # alone\n", "")
    transform(bench, empty, "--objects", "none").expect(0, err="")


def test_transform_of_lists_whose_items_share_a_value(bench):
    """As PyYAML writes them: an alias in one item, its anchor in another."""
    first = yaml.safe_load(RAYJOB)
    second = first | {"metadata": {"name": "tune-2", "namespace": "ml"}}
    for kind in ({"apiVersion": "v1", "kind": "List"}, yaml.safe_load(resource_list())):
        options = [] if "functionConfig" in kind else ["-p", bench.write("policy.yaml", VOLCANO)]
        text = yaml.safe_dump(kind | {"items": [first, second]})
        assert "*id001" in text, text
        alone = yaml.safe_dump(json.loads(json.dumps(yaml.safe_load(text))))
        expected = bench.run("transform", *options, stdin=alone).expect(0, err="").out
        bench.run("transform", *options, stdin=text).expect(0, err="")
        assert yaml.safe_load(bench.out) == yaml.safe_load(expected), bench.out
        assert bench.out.count("group-name: tune") == 2, bench.out
        broken = text.replace("*id001", "*id002")
        bench.run("transform", *options, stdin=broken).expect(1).says('unknown anchor "id002"')


def test_transform_of_block_scalars_that_end_with_the_file(bench):
    """
    kubectl ends their line, so their text has an end. jobset@v0.8.0 ships site/static/examples/simple/*.yaml
    so. Source: pkg/util/yaml/decoder.go LineReader.Read of k8s.io/apimachinery@v0.37.0.
    """
    bench.write("policy.yaml", VOLCANO)
    bench.write("b.yaml", FOREIGN)
    lines = "%s   # how\n            one --- a\n            two"
    last = RAYJOB[: RAYJOB.index("          # the end")] + "          restartPolicy: " + lines
    group = "---\n" + GROUP + "  minResources: {}\n---\n"
    marks = """
          schedulerName: volcano
        metadata:
          annotations:
            scheduling.k8s.io/group-name: tune
"""
    for header in ("|", ">", "&a !!str |", "|2+", "|-2", "|-"):
        bench.write("a.yaml", last % header)
        bench.run("transform", "a.yaml", "b.yaml", "-p", "policy.yaml").expect(0, err="")
        assert bench.out == last % header + marks + group + FOREIGN, bench.out
        bench.run("render", "-p", "policy.yaml", "--target", "job", "-f", "a.yaml")
        bench.expect(0, out=last % header + marks, err="")
        bench.run("transform", "a.yaml", "-p", "policy.yaml", "--objects", "none")
        bench.expect(0, out=last % header + marks.rstrip("\n"), err="")
        for text in (FOREIGN + "  note: " + lines, RAYJOB + "  entrypoint: " + lines):
            bench.write("a.yaml", text % header)
            bench.write("read.json", json.dumps(yaml.safe_load(text % header + "\n")))
            bench.run("diff", "a.yaml", "read.json").expect(0, out="", err="")
            bench.run("transform", "a.yaml", "b.yaml", "-p", "policy.yaml").expect(0, err="")
            out = (text % header).replace(RAYJOB, MARKED) + "\n"
            assert bench.out == out + (group if RAYJOB in text else "---\n") + FOREIGN, bench.out
            bench.run("transform", "a.yaml", "-p", "policy.yaml", "--objects", "none")
            bench.expect(0, out=(text % header).replace(RAYJOB, MARKED), err="")


def test_transform_keeps_line_ends_of_what_is_written_again(bench):
    key = RAYJOB.replace("        spec:\n", "        ? spec\n        :\n").replace("\n", "\r\n")
    transform(bench, key).expect(0).says("note: <stdin>:1: RayJob tune: the document is written again")
    last = RAYJOB[: RAYJOB.index("          # the end")].rstrip().replace("\n", "\r\n")
    command = [*WRAPPER, GANGCTL, "transform", "-p", str(bench.folder / "policy.yaml")]
    for text in (key, last, last + "\r\n          restartPolicy: Never   # that"):
        for objects in ("with", "none"):
            options = {"input": text.encode(), "capture_output": True, "check": True}
            written = subprocess.run([*command, "--objects", objects], **options).stdout
            assert {written.count(one) for one in b"\r\n"} == {written.count(b"\r\n")}, written
            assert written.endswith(b"\n") == (objects == "with" or text == key), written


def test_transform_keeps_a_last_carriage_return(bench):
    for text in (b"a: 1\r", b"a: 1\r\nb: 2\r", b"a: 1\nb: 2\r", b"a: 1\r\nb: 2"):
        command = [*WRAPPER, GANGCTL, "transform"]
        written = subprocess.run(command, input=text, capture_output=True, check=True).stdout
        assert written == text, written


def test_transform_tells_all_errors_and_prints_nothing(bench):
    wrong = JOB + "---\n" + RAYJOB.replace("workerGroupSpecs: []", "workerGroupSpecs: 3")
    transform(bench, FOREIGN + "---\n" + wrong).expect(1, out="")
    assert (
        "<stdin>:15:" in bench.err and "<stdin>:31:" in bench.err and "runtimeRef" in bench.err
    ), bench.err
    # Grove marks its pods
    transform(bench, PODGANG).expect(0, err="")
    assert bench.out.startswith(PODGANG + "---\n") and "kind: PodGroup" in bench.out


def test_marks_of_a_trainjob_whose_crd_drops_them(bench):
    """The CRD of the TrainJob of Kubeflow Trainer has runtimePatches since v2.2.0."""
    bench.write("train.yaml", RUNTIME, JOB)
    bench.write("policy.yaml", VOLCANO)
    for release, is_refused in (("v2.0.0", True), ("v2.1.0", True), ("v2.2.0", False)):
        bench.write(
            "cluster.yaml",
            "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangCluster\nmetadata: {name: lab}\n"
            f"spec:\n  components: {{trainer: {release}}}\n",
        )
        common = ("-p", "policy.yaml", "--cluster", "cluster.yaml", "-f", "train.yaml")
        for command in (("transform",), ("render", "--target", "job")):
            bench.run(*command, *common).expect(1 if is_refused else 0)
            if is_refused:
                assert bench.out == "" and "cluster.yaml:5:25: spec.components.trainer: " in bench.err
                assert f"Kubeflow Trainer {release} does not have spec.runtimePatches" in bench.err
        # The hint for a field that v2.1 has must not lead to one that it does not have.
        bench.write("old.yaml", RUNTIME, JOB + "  podTemplateOverrides: []\n")
        bench.run("render", "-p", "policy.yaml", "--cluster", "cluster.yaml", "-f", "old.yaml").expect(1)
        assert "write spec.runtimePatches, which v2.2 and later have, or write it into" in bench.err
        # What a webhook for JobSets reads, and the runtime that it needs.
        for target in ("plan", "runtime"):
            bench.run("render", "--target", target, *common).expect(0)


def test_transform_of_anchors(bench):
    shared = RAYJOB.replace("          containers:\n", "          containers: &all\n").replace(
        "[]", "[{groupName: g, template: {spec: {containers: *all}}}]"
    )
    transform(bench, shared, "--objects", "none").expect(0, err="")
    assert "&all" in bench.out and "*all" in bench.out
    template = RAYJOB.replace("      template:   #", "      template: &one   #").replace(
        "[]", "[{groupName: g, template: *one}]"
    )
    transform(bench, template, "--objects", "none").expect(0, err="")
    assert marks(bench.out) == ["tune", "tune"] and "# the end of the head" in bench.out, bench.out
    # what is written again is told
    merged = RAYJOB.replace("      template:   #", "      template: &one   #").replace(
        "[]", "[{groupName: g, template: {<<: *one}}]"
    )
    transform(bench, merged, "--objects", "none").expect(0)
    assert marks(bench.out) == ["tune", "tune"], bench.out
    assert "note: <stdin>:1: RayJob tune: a part of the document is written again" in bench.err, (
        bench.err
    )


def test_transform_of_roles_that_share_a_template(bench):
    """As PyYAML writes a template that a program uses twice. KAI's marks differ by role."""
    bench.write("policy.yaml", VOLCANO)
    bench.write("kai.yaml", VOLCANO.replace("defaultBackend: volcano", "defaultBackend: kai"))
    pod = "template: {spec: {containers: [{name: pytorch, image: i}]}}"
    job = f"{{spec: {{parallelism: 1, completions: 1, {pod}}}}}"
    texts = {
        f"""\
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {{name: tune, namespace: ml}}
spec:
  replicatedJobs:
  - {{name: a, replicas: 2, template: &one {job}}}
  - {{name: b, replicas: 2, template: *one}}
""": job,
        f"""\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {{name: tune, namespace: ml}}
spec:
  pytorchReplicaSpecs:
    Master: &one {{replicas: 1, {pod}}}
    Worker: *one
""": f"{{replicas: 1, {pod}}}",
        f"""\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {{name: tune, namespace: ml}}
spec:
  pytorchReplicaSpecs:
    Master: &one {{replicas: 1, {pod}}}
    Worker: {{<<: *one, replicas: 3}}
""": f"{{replicas: 1, {pod}}}",
    }
    for policy in ("policy.yaml", "kai.yaml"):
        for text, shared in texts.items():
            plain = text.replace("*one", shared)
            written = bench.run("transform", "-p", policy, stdin=plain).expect(0, err="").out
            bench.run("transform", "-p", policy, stdin=text).expect(0)
            trees = list(yaml.safe_load_all(bench.out))
            assert trees == list(yaml.safe_load_all(written)), bench.out
            found = json.dumps(trees[0])
            marked = "skip-podgrouper" if policy == "kai.yaml" else "/group-name"
            assert found.count(marked) == 2, bench.out
            assert found.count("subgroup-name") == (2 if policy == "kai.yaml" else 0), bench.out


def test_transform_of_aliases_that_share_a_template(bench):
    """Aliases before it have multiplied the document by so much that the roles have one template."""
    bench.write("policy.yaml", VOLCANO)
    lists = ["x: &x0 [a]"] + [f"x{i}: &x{i} [{', '.join([f'*x{i - 1}'] * 8)}]" for i in range(1, 5)]
    job = "{spec: {parallelism: 1, completions: 1, template: {spec: {containers: [{name: c, image: i}]}}}}"
    text = "\n".join(lists) + f"""
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {{name: tune, namespace: ml}}
spec:
  replicatedJobs:
  - {{name: a, replicas: 2, template: &one {job}}}
  - {{name: b, replicas: 2, template: *one}}
"""
    bench.run("transform", "-p", "policy.yaml", "--objects", "none", stdin=text).expect(0)
    assert json.dumps(yaml.safe_load(bench.out)["spec"]).count("/group-name") == 2, bench.out


def marks(text):
    cluster = yaml.safe_load(text)["spec"]["rayClusterSpec"]
    templates = [cluster["headGroupSpec"]["template"]] + [
        one["template"] for one in cluster["workerGroupSpecs"]
    ]
    return [one["metadata"]["annotations"]["scheduling.k8s.io/group-name"] for one in templates]


def test_transform_needs_the_trees_of_one_document(bench):
    """Of a document whose aliases stand for 4,700 values they have several MB."""
    lists = ["a: &a [0, 0, 0, 0, 0, 0, 0, 0]"]
    lists += [f"{name}: &{name} [{', '.join([f'*{before}'] * 8)}]" for before, name in ("ab", "bc", "cd")]
    bomb = f"  x: {{{', '.join(lists)}}}\n"
    bench.write("policy.yaml", VOLCANO)
    inputs = ("-p", "policy.yaml", "-f", "many.yaml")
    ray = [RAYJOB.replace("tune", "llama") + bomb]
    hook = [ray[0].replace("{name", "{annotations: {helm.sh/hook: test}, name", 1)]
    for most, documents, *command in (
        (1024, ray, "transform", *inputs),
        (256, hook, "transform", *inputs),
        (1024, [RUNTIME + bomb, JOB], "transform", *inputs),
        (1024, ray, "render", "--target", "job", *inputs),
        (256, ray, "diff", "--live", "few.yaml", *inputs),
        (1024, ray, "diff", "few.yaml", "many.yaml"),
        (256, ray, "diff", "many.yaml", "many.yaml"),
    ):
        sizes = []
        for count in (4, 40):
            names = [(f"llama-{i}", f"torch-{i}") for i in range(count)]
            many = [
                text.replace("name: torch", f"name: {runtime}").replace("llama", job)
                for job, runtime in names
                for text in documents
            ]
            bench.write("many.yaml", *many)
            bench.write("few.yaml", *(text.replace(bomb, "") for text in many))
            sizes.append(bench.largest_resident_set(*command))
        growth = (sizes[1] - sizes[0]) // 36
        assert growth < most or "ASAN_OPTIONS" in os.environ, (command, growth)


def test_transform_as_a_function(bench):
    bench.run("transform", stdin=resource_list(FOREIGN, RAYJOB)).expect(0, err="")
    found = yaml.safe_load(bench.out)
    assert [one["kind"] for one in found["items"]] == [
        "ConfigMap",
        "RayJob",
        "PodGroup",
    ] and "results" not in found
    once = bench.out
    bench.run("transform", stdin=once).expect(0, out=once, err="")
    for config in (
        FOREIGN,
        json.dumps(
            {
                "kind": "ConfigMap",
                "apiVersion": "v1",
                "metadata": {"name": "c"},
                "data": {"policy.yaml": VOLCANO},
            }
        ),
    ):
        bench.run("transform", stdin=resource_list(FOREIGN, RAYJOB, config=config)).expect(
            0, err=""
        )
        kinds = [one["kind"] for one in yaml.safe_load(bench.out)["items"]]
        assert kinds == ["ConfigMap", "RayJob"] + (["PodGroup"] if config != FOREIGN else []), (
            bench.out
        )
    # what is no policy is told, and not left out
    broken = VOLCANO.replace("{name: volcano}", "{name: volcano")
    text = "apiVersion: v1\nkind: ConfigMap\ndata:\n  policy.yaml: "
    for config, complaint in (
        (VOLCANO.replace("GangPolicy", "GangPolcy"), 'kind: Unsupported value: "GangPolcy"'),
        (VOLCANO.replace("kind: GangPolicy\n", ""), "kind: Required value"),
        (text + json.dumps(broken), "[GANG1"),
        (text + json.dumps(VOLCANO.replace("GangPolicy", "GangPolcy")), 'value: "GangPolcy"'),
        ("apiVersion: example.com/v1\nkind: Transformer\n", 'kind: Unsupported value: "Transformer"'),
    ):
        bench.run("transform", stdin=resource_list(RAYJOB, config=config)).expect(1)
        assert complaint in bench.err, bench.err
    lines = "".join(f"      {line}\n" for line in broken.splitlines())
    head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n"
    block = f"{head}functionConfig:\n  kind: ConfigMap\n  data:\n    a: |\n{lines}"
    bench.run("transform", stdin=block).expect(1)
    assert "<stdin>:11:11: metadata: did not find expected ',' or '}'" in bench.err, bench.err
    # kpt has its functionConfig among the items, too; another policy there is told
    bench.run("transform", stdin=resource_list(VOLCANO, RAYJOB)).expect(0, err="")
    other = VOLCANO.replace("defaultBackend: volcano", "defaultBackend: kai")
    bench.run("transform", stdin=resource_list(other, RAYJOB)).expect(0)
    assert "this GangPolicy is not applied" in bench.err, bench.err
    # a policy is given once
    bench.write("policy.yaml", VOLCANO)
    bench.run("transform", "-p", "policy.yaml", stdin=resource_list(RAYJOB)).expect(1)
    assert "a second GangPolicy, besides that of functionConfig or of -p" in bench.err


def test_objects_of_a_function_have_no_file_of_their_own(bench):
    """KAI's PodGroup has the annotations of its PodGang, but is not in its file."""
    notes = {
        "config.kubernetes.io/path": "jobs.yaml",
        "config.kubernetes.io/index": "0",
        "internal.config.kubernetes.io/path": "jobs.yaml",
        "internal.config.kubernetes.io/index": "0",
        "internal.kpt.dev/resource-id": "1",
        "config.k8s.io/id": "1",
        "kustomize.config.k8s.io/id": "kind: PodGang",
        # sigs.k8s.io/kustomize/api@v0.20.1/internal/utils/annotations.go TransformerAnnotationKey
        "alpha.config.kubernetes.io/transformations": "- configuredIn: kustomization.yaml\n",
    }
    podgang = yaml.safe_load((ROOT / "examples/grove-kai/podgang.yaml").read_text())
    podgang["metadata"]["annotations"] |= notes | {"team": "a"}
    cliques = (ROOT / "examples/grove-kai/podcliqueset.yaml").read_text()
    given = resource_list(cliques, yaml.safe_dump(podgang), config=FOREIGN)
    bench.run("transform", stdin=given).expect(0)
    _, gang, *groups = yaml.safe_load(bench.out)["items"]
    assert gang == podgang and [one["kind"] for one in groups] == ["PodGroup"]
    annotations = groups[0]["metadata"]["annotations"]
    assert annotations["team"] == "a" and not notes.keys() & annotations.keys(), annotations
    # one that stands in a file stays there
    groups[0]["metadata"]["annotations"].update({name: "7" for name in notes})
    both = resource_list(cliques, *map(yaml.safe_dump, (podgang, groups[0])), config=FOREIGN)
    bench.run("transform", stdin=both).expect(0, out=both)


def test_results_of_a_function(bench):
    annotated = JOB.replace(
        "  name: llama\n",
        "  name: llama\n  annotations: {config.kubernetes.io/path: jobs/a.yaml, config.kubernetes.io/index: '3'}\n",
    )
    bench.run("transform", stdin=resource_list(FOREIGN, annotated, RAYJOB)).expect(1)
    found = yaml.safe_load(bench.out)
    assert [one["kind"] for one in found["items"]] == [
        "ConfigMap",
        "TrainJob",
        "RayJob",
    ]  # unchanged
    (result,) = found["results"]
    assert result["severity"] == "error" and result["message"].startswith(
        "spec.runtimeRef.name: Not found"
    ), result
    assert result["resourceRef"] == {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "name": "llama",
        "namespace": "ml",
    }
    assert result["file"] == {"path": "jobs/a.yaml", "index": 3}
    # also what is found for the first line of an item
    text = resource_list(FOREIGN, RAYJOB.replace("ray.io/v1", "ray.io/v9"))
    line = 1 + next(i for i, one in enumerate(text.splitlines()) if "ray.io/v9" in one)
    bench.run("transform", stdin=text).expect(0).says(f"warning: <stdin>:{line}: apiVersion: Unsupported")
    (result,) = yaml.safe_load(bench.out)["results"]
    assert result["resourceRef"]["kind"] == "RayJob", result
    # diagnostics in the policy have their place in the input
    policy = VOLCANO.replace("defaultBackend: volcano", "defaultBackend: slurm")
    config_map = "  kind: ConfigMap\n  apiVersion: v1\n  data:\n    policy: |\n"
    for config in (
        "  " + policy.replace("\n", "\n  ").rstrip(" "),
        config_map + "      " + policy.replace("\n", "\n      ").rstrip(" "),
    ):
        text = (
            "# functionConfig: a policy\n"
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n"
            + config
            + "items:\n"
        )
        text += "- " + RAYJOB.removeprefix("# tunes the model\n").replace("\n", "\n  ").rstrip(" ")
        bench.run("transform", stdin=text).expect(1)
        line = 1 + next(i for i, one in enumerate(text.splitlines()) if "defaultBackend" in one)
        assert f"<stdin>:{line}:" in bench.err, bench.err
        (result,) = yaml.safe_load(bench.out)["results"]
        assert (
            result["resourceRef"]["kind"] == "GangPolicy"
            and result["field"]["path"] == "spec.defaultBackend"
        ), result


def test_results_of_settings_that_have_no_lines(bench):
    """In JSON and in quotes, the place of settings is that of their key, whatever stands behind it."""
    policy = VOLCANO.replace("defaultBackend: volcano", "defaultBackend: slurm")
    config = {"apiVersion": "v1", "kind": "ConfigMap", "data": {"policy.yaml": policy}}
    notes = {"config.kubernetes.io/path": "a.yaml"}
    items = [
        yaml.safe_load(RAYJOB) | {"metadata": {"name": f"tune-{i}", "namespace": "ml", "annotations": notes}}
        for i in range(9)
    ]
    head = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList"}
    for function, key in ((config, '"policy.yaml"'), (yaml.safe_load(policy), '"functionConfig"')):
        parts = {"functionConfig": function}, {"items": items}
        for one, other in (parts, reversed(parts)):
            text = json.dumps(head | one | other)
            bench.run("transform", stdin=text).expect(1)
            assert f"<stdin>:1:{1 + text.index(key)}: spec.defaultBackend" in bench.err, bench.err
            (result,) = json.loads(bench.out)["results"]
            assert result["resourceRef"]["kind"] == "GangPolicy" and "file" not in result, result
    text = yaml.safe_dump(head | {"functionConfig": config, "items": []})
    line = 1 + next(i for i, one in enumerate(text.splitlines()) if "policy.yaml" in one)
    bench.run("transform", stdin=text).expect(1).says(f"<stdin>:{line}:5: spec.defaultBackend")


def test_render_targets_keep_comments(bench):
    bench.write("job.yaml", RAYJOB)
    bench.write("policy.yaml", VOLCANO)
    bench.run("render", "-p", "policy.yaml", "--target", "job", "-f", "job.yaml").expect(
        0, out=MARKED, err=""
    )
    bench.write(
        "train.yaml",
        "# runtime\n" + RUNTIME.replace("numNodes: 2", "numNodes: 2   # two"),
        "# job\n" + JOB,
    )
    bench.run(
        "render", "-p", "policy.yaml", "--target", "runtime", "-f", "train.yaml", "-f", "job.yaml"
    ).expect(0)
    runtime = RUNTIME.replace("numNodes: 2", "numNodes: 2   # two").replace(
        "  podGroupPolicy:\n    volcano: {}\n", ""
    )
    assert bench.out == "# runtime\n" + runtime + "                schedulerName: volcano\n", (
        bench.out
    )
    assert "RayJob ml/tune: it has no runtime" in bench.err
    bench.run("render", "-p", "policy.yaml", "--target", "job", "-f", "train.yaml").expect(0)
    assert bench.out.startswith(
        "# job\n" + JOB + "  runtimePatches:\n  - manager: libgang.dev/gang\n"
    ), bench.out
