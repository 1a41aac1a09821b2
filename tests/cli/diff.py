# SPDX-License-Identifier: Apache-2.0
"""Tests of gangctl diff and of reconcile -v."""

import json
import subprocess

import yaml
from bench import JOB, RUNTIME

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


def test_diff_of_what_cannot_be_compared(bench):
    bench.write("all.yaml", RUNTIME, OWNED_JOB)
    taken = live_group()
    taken["metadata"]["ownerReferences"][0].update(kind="RayCluster", uid="r-1")
    write_live(bench, taken)
    bench.run("diff", "-f", "all.yaml", "--live", "live.json").refuses("[GANG851]")
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
