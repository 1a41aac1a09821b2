# SPDX-License-Identifier: Apache-2.0
"""Tests of gangctl diff and of reconcile -v."""

import difflib
import json
import subprocess

import yaml
from bench import JOB, ROOT, RUNTIME, VOLCANO

OWNED_JOB = JOB.replace("  namespace: ml\n", "  namespace: ml\n  uid: u-1\n")


def live_group(**spec):
    owner = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "name": "llama",
        "uid": "u-1",
        "controller": True,
        "blockOwnerDeletion": True,
    }
    fields = {"f:spec": {"f:minMember": {}}}
    manager = {"manager": "kubectl", "operation": "Apply", "fieldsV1": fields}
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "PodGroup",
        "metadata": {
            "name": "llama",
            "namespace": "ml",
            "resourceVersion": "7",
            "ownerReferences": [owner],
            "managedFields": [manager],
        },
        "spec": {"minMember": 1, "queue": "default", **spec},
    }


def write_live(bench, *objects):
    bench.write("live.json", json.dumps({"kind": "List", "items": list(objects)}, indent=1))


def patched(bench, text, diff):
    """What patch(1) makes of a text."""
    bench.write("old.yaml", text)
    subprocess.run(["patch", "-s", "old.yaml"], cwd=bench.folder, input=diff, text=True, check=True)
    return (bench.folder / "old.yaml").read_text()


def test_diff(bench):
    bench.write("all.yaml", RUNTIME, OWNED_JOB)
    write_live(bench, live_group())
    diff = ("diff", "-f", "all.yaml", "--live", "live.json")
    bench.run(*diff).expect(1, err="")
    lines = bench.out.splitlines()
    assert lines[:2] == [
        "--- live scheduling.volcano.sh/v1beta1 PodGroup ml/llama",
        "+++ planned scheduling.volcano.sh/v1beta1 PodGroup ml/llama",
    ], lines
    changed = [line for line in lines[2:] if line[0] in "+-"]
    assert "-  minMember: 1" in changed and "+  minMember: 2" in changed, changed
    assert "managedFields" not in bench.out
    planned = json.loads(
        bench.run("reconcile", *diff[1:], "--target", "objects", "-o", "json").expect(0).out
    )
    write_live(bench, planned)
    bench.run(*diff).expect(0, out="", err="")


def test_diff_can_be_applied(bench):
    """A live object with many lines, of which several change far from one another."""
    bench.write("all.yaml", RUNTIME, OWNED_JOB)
    group = live_group(zone="z")
    del group["metadata"]["managedFields"]
    group["metadata"]["labels"] = {f"a{index:02}": "x" for index in range(30)}
    write_live(bench, group)
    bench.run("diff", "-f", "all.yaml", "--live", "live.json").expect(1, err="")
    shown = bench.out
    planned = json.loads(
        bench.run(
            "reconcile",
            "-f",
            "all.yaml",
            "--live",
            "live.json",
            "--target",
            "objects",
            "-o",
            "json",
        )
        .expect(0)
        .out
    )
    old = yaml.safe_dump(group, sort_keys=True)
    assert yaml.safe_load(patched(bench, old, shown)) == planned, shown


def test_diff_of_new_and_unneeded_objects(bench):
    bench.write("all.yaml", RUNTIME, OWNED_JOB)
    bench.write("live.yaml", "")
    bench.run("diff", "-f", "all.yaml", "--live", "live.yaml").expect(1, err="").prints(
        "@@ -0,0 +1,"
    )
    added = "".join(line[1:] + "\n" for line in bench.out.splitlines()[3:])
    made = yaml.safe_load(bench.run("render", "-f", "all.yaml").expect(0).out)
    assert yaml.safe_load(added) == made, added
    skip = RUNTIME.replace("  podGroupPolicy:\n    volcano: {}\n", "")
    bench.write("all.yaml", skip, OWNED_JOB)
    write_live(bench, live_group())
    bench.run("reconcile", "-f", "all.yaml", "--live", "live.json").expect(0).prints("Delete ")
    bench.run("diff", "-f", "all.yaml", "--live", "live.json").expect(1, err="").prints(
        " +0,0 @@\n"
    )
    assert all(line[0] in "-@+" for line in bench.out.splitlines()), bench.out


def test_diff_with_marks_that_no_document_can_have(bench):
    example = str(ROOT / "examples/torchtune-workload")
    bench.write("live.yaml", bench.run("render", "-f", example).expect(0).out)
    bench.run("reconcile", "-f", example, "--live", "live.yaml").expect(0).prints("Leave ")
    bench.run("diff", "-f", example, "--live", "live.yaml").expect(0, out="")
    assert "warning: " in bench.err and "neither a TrainJob nor its runtime can set it [GANG051]" in bench.err


def test_diff_of_what_cannot_be_compared(bench):
    bench.write("all.yaml", RUNTIME, OWNED_JOB)
    taken = live_group()
    taken["metadata"]["ownerReferences"][0].update(kind="RayCluster", uid="r-1")
    write_live(bench, taken)
    bench.run("diff", "-f", "all.yaml", "--live", "live.json").refuses("[GANG851]")
    bench.run("diff", "-f", "all.yaml", "--live", "live.json", "-o", "json").expect(1)
    assert json.loads(bench.out) == {
        "changes": [], "added": 0, "removed": 0, "changed": 0, "recreated": 0, "equal": 0
    }, bench.out  # fmt: skip
    bench.run("diff", "-f", "all.yaml").could_not_run("no objects to compare with; pass --live")
    bench.run("diff", "-f", "all.yaml", "--live", "nowhere").could_not_run("nowhere: No such file")


def test_reconcile_prints_the_fields_and_who_set_them(bench):
    bench.write("all.yaml", RUNTIME, OWNED_JOB)
    write_live(bench, live_group())
    reconcile = ("reconcile", "-f", "all.yaml", "--live", "live.json")
    head = "Apply     PodGroup ml/llama (scheduling.volcano.sh/v1beta1)\n"
    bench.run(*reconcile).expect(0, out=head, err="")
    bench.run(*reconcile, "-v").expect(0).prints(
        f"{head}            spec.minMember: 1 -> 2 (set by kubectl)\n"
    )
    group = live_group()
    del group["metadata"]["managedFields"]
    write_live(bench, group)
    bench.run(*reconcile, "-v").expect(0).prints(f"{head}            spec.minMember: 1 -> 2\n")


def test_diff_of_topologies(bench):
    binding = {
        "apiVersion": "grove.io/v1alpha1",
        "kind": "ClusterTopologyBinding",
        "metadata": {"name": "nodes", "uid": "u"},
        "spec": {"levels": [{"domain": "rack", "key": "rack"}, {"domain": "host", "key": "host"}]},
    }
    owner = {
        "apiVersion": "grove.io/v1alpha1",
        "kind": "ClusterTopologyBinding",
        "name": "nodes",
        "uid": "u",
        "controller": True,
        "blockOwnerDeletion": True,
    }
    live = {
        "apiVersion": "kai.scheduler/v1alpha1",
        "kind": "Topology",
        "metadata": {"name": "nodes", "ownerReferences": [owner]},
        "spec": {"levels": [{"nodeLabel": "rack"}]},
    }
    bench.write("binding.yaml", json.dumps(binding))
    diff = ("diff", "-f", "binding.yaml", "--live", "live.json")
    write_live(bench)
    bench.run(*diff).expect(1, err="").prints("+kind: Topology\n", "+  - nodeLabel: host\n")
    write_live(bench, live)
    bench.run(*diff).expect(1, err="")
    lines = bench.out.splitlines()
    assert lines[:2] == [
        "--- live kai.scheduler/v1alpha1 Topology nodes",
        "+++ recreated kai.scheduler/v1alpha1 Topology nodes",
    ], lines
    assert [line for line in lines[2:] if line[0] in "+-"] == ["+  - nodeLabel: host"], lines
    assert bench.run(*diff, "-o", "text").expect(1).out == "\n".join(lines) + "\n"
    bench.run("reconcile", *diff[1:], "-v").expect(0, err="").prints(
        "Recreate  Topology nodes (kai.scheduler/v1alpha1)\n            spec.levels"
    )
    live["spec"]["levels"].append({"nodeLabel": "host"})
    write_live(bench, live)
    bench.run(*diff).expect(0, "", "")


def test_diff_adopts_as_reconcile_does(bench):
    bench.write("all.yaml", RUNTIME, OWNED_JOB)
    group = live_group()
    del group["metadata"]["ownerReferences"]
    write_live(bench, group)
    diff = ("diff", "-f", "all.yaml", "--live", "live.json")
    bench.run(*diff).refuses("GANG")
    bench.run(*diff, "--adopt").expect(1).prints("+  minMember: 2\n", "+  ownerReferences:\n")


MARKED_JOBSET = """\
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: set, namespace: ml, uid: u-2}
spec:
  replicatedJobs:
  - name: a
    template:
      spec:
        parallelism: 2
        template: {spec: {containers: [{name: c, image: i}]}}
  - name: b
    template:
      spec:
        template: {spec: {containers: [{name: c, image: i}]}}
"""


def test_diff_of_values_that_no_server_writes(bench):
    """A list where a map belongs is a difference, as is a number where an item does."""
    bench.write("old.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: [a]\n")
    bench.write("new.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: [b]\n")
    bench.run("diff", "old.yaml", "new.yaml").expect(1, err="").prints("-- a\n+- b\n")
    wrapper = {
        "apiVersion": "workload.codeflare.dev/v1beta2",
        "kind": "AppWrapper",
        "metadata": {"name": "wrap", "namespace": "ml", "uid": "u-9"},
        "spec": {"components": [{"template": yaml.safe_load(MARKED_JOBSET)}]},
    }
    bench.write("job.yaml", json.dumps(wrapper))
    bench.write("policy.yaml", VOLCANO)
    wrapper["spec"]["components"] = [5]
    write_live(bench, wrapper)
    bench.run("diff", "-f", "job.yaml", "-p", "policy.yaml", "--live", "live.json", "-o", "json")
    bench.expect(1, err="")
    assert set(fields_of(bench)) == {"PodGroup set"}, bench.out


def test_diff_of_marks_in_items_without_names(bench):
    """Those at the same place are the same: components of an AppWrapper have no names."""
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}}
    wrapper = {
        "apiVersion": "workload.codeflare.dev/v1beta2",
        "kind": "AppWrapper",
        "metadata": {"name": "wrap", "namespace": "ml", "uid": "u-9"},
        "spec": {"components": [{"template": service}, {"template": yaml.safe_load(MARKED_JOBSET)}]},
    }
    bench.write("job.yaml", json.dumps(wrapper))
    bench.write("policy.yaml", VOLCANO)
    write_live(bench, wrapper)
    bench.run("diff", "-f", "job.yaml", "-p", "policy.yaml", "--live", "live.json", "-o", "json")
    bench.expect(1, err="")
    word, fields = fields_of(bench)["AppWrapper wrap"]
    template = "spec.components[1].template.spec.replicatedJobs[{}].template.spec.template."
    assert word == "Changed" and set(fields) == {
        template.format(i) + path for i in (0, 1) for path in ("metadata", "spec.schedulerName")
    }, fields


def fields_of(bench):
    """What -o json says of each document: its change, and the paths with both values."""
    shown = json.loads(bench.out)
    return {
        f"{one['kind']} {one['name']}": (
            one["change"],
            {
                field["path"]: (field.get("old"), field.get("new"))
                for field in one.get("fields", [])
            },
        )
        for one in shown["changes"]
    }


def test_diff_of_marks_in_live_jobs(bench):
    """A live job has fields that the input has not, and its roles in another order."""
    live = yaml.safe_load(MARKED_JOBSET)
    live["spec"]["replicatedJobs"].reverse()
    live["spec"]["replicatedJobs"][0]["replicas"] = 1
    live["metadata"]["resourceVersion"] = "9"
    live["status"] = {"restarts": 0}
    bench.write("job.yaml", MARKED_JOBSET)
    bench.write("policy.yaml", VOLCANO)
    write_live(bench, live)
    diff = ("diff", "-f", "job.yaml", "-p", "policy.yaml", "--live", "live.json")
    bench.run(*diff, "-o", "json").expect(1, err="")
    found = fields_of(bench)
    assert found["PodGroup set"][0] == "Added" and set(found) == {"PodGroup set", "JobSet set"}
    word, fields = found["JobSet set"]
    template = "spec.replicatedJobs[{}].template.spec.template."
    # Volcano marks a pod by an annotation and its schedulerName: doc/backends.md
    assert word == "Changed" and fields == {
        template.format(i) + path: (None, value)
        for i in (0, 1)
        for path, value in (
            ("metadata", {"annotations": {"scheduling.k8s.io/group-name": "set"}}),
            ("spec.schedulerName", "volcano"),
        )
    }, fields
    bench.run(*diff).expect(1, err="").prints("--- live jobset.x-k8s.io/v1alpha2 JobSet ml/set\n")
    removed = [line for line in bench.out.splitlines() if line[0] == "-" and line[:3] != "---"]
    assert removed == [] and "resourceVersion" not in bench.out, removed
    # with the marks of the plan nothing differs; one that another has written does
    marked = yaml.safe_load(bench.run("render", *diff[1:5], "--target", "job").expect(0).out)
    group = yaml.safe_load(bench.run("render", *diff[1:5]).expect(0).out)
    write_live(bench, marked, group)
    bench.run(*diff, "-o", "json").expect(0, err="")
    assert json.loads(bench.out)["equal"] == 2
    marked["spec"]["replicatedJobs"][1]["template"]["spec"]["template"]["spec"].update(
        schedulerName="other"
    )
    write_live(bench, marked, group)
    bench.run(*diff, "-o", "json").expect(1, err="")
    assert fields_of(bench) == {
        "JobSet set": (
            "Changed",
            {template.format(1) + "spec.schedulerName": ("other", "volcano")},
        )
    }


def test_diff_of_live_runtimes(bench):
    bench.write("all.yaml", RUNTIME, OWNED_JOB)
    bench.write("policy.yaml", VOLCANO)
    write_live(bench, *yaml.safe_load_all(RUNTIME + "---\n" + OWNED_JOB))
    diff = ("diff", "-f", "all.yaml", "-p", "policy.yaml", "--live", "live.json")
    bench.run(*diff, "-o", "json").expect(1, err="")
    found = fields_of(bench)
    assert {name: word for name, (word, _) in found.items()} == {
        "PodGroup llama": "Added",
        "ClusterTrainingRuntime torch": "Changed",
        "TrainJob llama": "Changed",
    }, found
    fields = found["ClusterTrainingRuntime torch"][1]
    assert fields.pop("spec.podGroupPolicy") == ({"volcano": {}}, None)
    assert fields and all(path.endswith("schedulerName") for path in fields), fields
    job = found["TrainJob llama"][1]
    assert list(job) == ["spec.runtimePatches"], job
    # without a policy the operator needs podGroupPolicy, and the runtime stays
    bench.run("diff", "-f", "all.yaml", "--live", "live.json", "-o", "json").expect(1, err="")
    assert "spec.podGroupPolicy" not in fields_of(bench).get("ClusterTrainingRuntime torch", "")


def test_diff_leaves_a_job_that_has_ended(bench):
    bench.write("job.yaml", MARKED_JOBSET)
    bench.write("policy.yaml", VOLCANO)
    diff = ("diff", "-f", "job.yaml", "-p", "policy.yaml", "--live", "live.json", "-o", "json")
    for type in ("Completed", "Failed"):
        live = yaml.safe_load(MARKED_JOBSET)
        live["status"] = {"conditions": [{"type": type, "status": "True"}]}
        write_live(bench, live)
        bench.run(*diff).expect(0, err="")
        live["status"]["conditions"][0]["status"] = "False"
        write_live(bench, live)
        bench.run(*diff).expect(1, err="")
        assert set(fields_of(bench)) == {"PodGroup set", "JobSet set"}, bench.out


def test_diff_of_two_folders(bench):
    old, new = bench.folder / "old", bench.folder / "new"
    for folder in (old, new):
        folder.mkdir()
    gone = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: gone, namespace: ml}\n"
    (old / "a.yaml").write_text("# a comment\n---\n" + MARKED_JOBSET + "---\n" + gone)
    # another file, order, quotes and version; one value and one document differ
    changed = MARKED_JOBSET.replace("parallelism: 2", "parallelism: 3").replace(
        "v1alpha2", "v1alpha3"
    )
    listed = {"kind": "List", "apiVersion": "v1", "items": [yaml.safe_load(changed)]}
    (new / "z.json").write_text(json.dumps(listed))
    (new / "a.yaml").write_text(gone.replace("gone", "here"))
    bench.run("diff", "old", "new", "-o", "json").expect(1, err="")
    assert fields_of(bench) == {
        "ConfigMap gone": ("Removed", {}),
        "ConfigMap here": ("Added", {}),
        "JobSet set": (
            "Changed",
            {
                "apiVersion": ("jobset.x-k8s.io/v1alpha2", "jobset.x-k8s.io/v1alpha3"),
                "spec.replicatedJobs[0].template.spec.parallelism": (2, 3),
            },
        ),
    }
    totals = json.loads(bench.out)
    assert [totals[key] for key in ("added", "removed", "changed", "equal")] == [1, 1, 1, 0]
    bench.run("diff", "old", "new").expect(1, err="").prints(
        "--- old v1 ConfigMap ml/gone\n",
        "+++ new jobset.x-k8s.io/v1alpha3 JobSet ml/set\n",
        "-        parallelism: 2\n+        parallelism: 3\n",
    )
    text = bench.out
    bench.run("diff", "-f", "old", "-f", "new").expect(1, out=text, err="")
    bench.run("diff", "old", "old").expect(0, out="", err="")
    bench.run("diff", "old", "-", stdin="").expect(1, err="")
    assert bench.out.count("+++ new") == 2


def test_diff_joins_hunks_as_others_do(bench):
    """Changes with six equal lines between them are one hunk, and with seven two."""
    for apart in range(4, 10):
        texts = [
            yaml.safe_dump({"apiVersion": "v1", "data": {f"a{i:02}": str(i) for i in range(30)},
                            "kind": "ConfigMap", "metadata": {"name": "m"}})
        ]  # fmt: skip
        texts.append(texts[0].replace("'5'", "'x'").replace(f"'{6 + apart}'", "'x'"))
        bench.write("old.yaml", texts[0])
        bench.write("new.yaml", texts[1])
        bench.run("diff", "old.yaml", "new.yaml").expect(1, err="")
        lines = [text.splitlines() for text in texts]
        expected = [line for line in difflib.unified_diff(*lines, lineterm="") if line[:2] == "@@"]
        shown = [line for line in bench.out.splitlines() if line[:2] == "@@"]
        assert shown == expected, (apart, shown)


def test_diff_tells_namespaces_apart(bench):
    one = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, namespace: %s}\n"
    bench.write("old.yaml", one % "a", one % "b")
    bench.write("new.yaml", one % "b")
    bench.run("diff", "old.yaml", "new.yaml", "-o", "json").expect(1, err="")
    totals = json.loads(bench.out)
    assert [totals[key] for key in ("removed", "changed", "equal")] == [1, 0, 1], bench.out
    assert totals["changes"][0]["namespace"] == "a"


def test_diff_of_equal_names_and_of_what_cannot_be_read(bench):
    one = "apiVersion: v1\nkind: Pod\nmetadata: {generateName: p-}\nspec: {a: %d}\n"
    bench.write("old.yaml", one % 1, one % 2)
    bench.write("new.yaml", one % 1, one % 3)
    bench.run("diff", "old.yaml", "new.yaml", "-o", "json").expect(1, err="")
    assert json.loads(bench.out)["changes"][0]["fields"] == [
        {"path": "spec.a", "old": 2, "new": 3}
    ]
    bench.write("bad.yaml", "a: [\n")
    bench.run("diff", "old.yaml", "bad.yaml").expect(2, out="")
    assert "bad.yaml:" in bench.err, bench.err
    bench.run("diff", "old.yaml", "nowhere").could_not_run("nowhere: No such file")
    bench.run("diff", "old.yaml").could_not_run("two files or directories")
    bench.run("diff", "old.yaml", "new.yaml", "bad.yaml").could_not_run("two files or directories")
    for option in ("-p nowhere", "--cluster nowhere", "--job x", "-n x", "-l a=b", "--run-number 1",
                   "--wake", "--adopt", "--fall-back", "--strict", "--max-documents 1"):  # fmt: skip
        bench.run("diff", "old.yaml", "new.yaml", *option.split()).could_not_run(
            f"{option.split()[0]} can be used with --live only, not with two files"
        )


def test_diff_chooses_jobs(bench):
    other = MARKED_JOBSET.replace("name: set", "name: other").replace("u-2", "u-3")
    bench.write("jobs.yaml", MARKED_JOBSET, other)
    bench.write("policy.yaml", VOLCANO)
    write_live(bench)
    arguments = ("-f", "jobs.yaml", "-p", "policy.yaml", "--live", "live.json")
    for option in (("--job", "set"), ("--job", "ml/set")):
        bench.run("diff", *arguments, *option).expect(1, err="")
        assert bench.out.count("+++ planned") == 1 and "PodGroup ml/set\n" in bench.out
        bench.run("reconcile", *arguments, *option).expect(0, err="")
        assert bench.out == "Create    PodGroup ml/set (scheduling.volcano.sh/v1beta1)\n"
    for option in (("-n", "none"), ("-l", "team=a")):
        bench.run("diff", *arguments, *option).refuses("")
