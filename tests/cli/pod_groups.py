# SPDX-License-Identifier: Apache-2.0
"""Tests of pods that name their group: gangctl puts them together, in whatever files they are."""

import json

import yaml
from bench import VOLCANO


def pod(name, group, key="policy.libgang.dev/group", **more):
    metadata = {"name": name, "namespace": "ml", "labels": {key: group}, **more.pop("metadata", {})}
    container = {"name": "c", "resources": {"requests": {"cpu": more.pop("cpu", "1")}}}
    spec = {"containers": [container], **more}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def texts(*pods):
    return [yaml.safe_dump(one, sort_keys=False) for one in pods]


def gangs_of(out):
    return {
        one["spec"]["groupName"]: [role["count"] for role in one["spec"]["roles"]]
        for one in yaml.safe_load_all(out)
    }


def test_pods_of_several_files_are_one_gang(bench):
    bench.write("a.yaml", *texts(pod("a", "g"), pod("b", "h", cpu="2")))
    items = [pod("c", "g", cpu="1000m"), pod("d", "g", cpu="3")]
    listed = {"apiVersion": "v1", "kind": "List", "items": items}
    bench.write("b.yaml", yaml.safe_dump(listed))
    bench.run("roles", "-f", "a.yaml", "-f", "b.yaml").expect(0, err="")
    assert gangs_of(bench.out) == {"g": [2, 1], "h": [1]}, bench.out
    bench.run("roles", "-f", "a.yaml", "-f", "b.yaml", "--job", "ml/h").expect(0, err="")
    assert gangs_of(bench.out) == {"h": [1]}, bench.out


def test_places_are_those_of_each_file(bench):
    wrong = pod("c", "g")
    wrong["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "x"
    bench.write("a.yaml", *texts(pod("a", "g")))
    bench.write("b.yaml", "# one\n# two\n", *texts(pod("b", "g"), wrong))
    lines = (bench.folder / "b.yaml").read_text().splitlines()
    line = lines.index("        cpu: x") + 1
    bench.run("lint", "-f", "a.yaml", "-f", "b.yaml").prints(f"b.yaml:{line}:14: ")
    bench.run("lint", "-f", "b.yaml", "-f", "a.yaml").prints(f"b.yaml:{line}:14: ")


def test_json_pods_of_one_line(bench):
    text = '{"apiVersion":"v1","kind":"PodList","items":[%s,%s]}'
    one = '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{"%s":"g"}},"spec":{}}'
    key = "scheduling.x-k8s.io/pod-group"
    both = text % (one % ("a", key), one % ("b", key))
    columns = [both.index("{}"), both.rindex("{}")]
    bench.write("pods.json", both)
    bench.run("lint", "-f", "pods.json")
    for item, column in enumerate(columns):
        bench.prints(f"pods.json:1:{column + 1}: items[{item}].spec.containers: Required value")
    bench.write("pods.json", text.replace("%s", "%s\n") % (one % ("a", key), one % ("b", key)))
    bench.run("lint", "-f", "pods.json").prints(
        "pods.json:2:", "items[1].spec.containers: Required"
    )


def test_keys_with_escapes(bench):
    """PHP writes a slash as `\\/`; YAML and JSON have more escapes."""
    plain, *escaped = "scheduling.x-k8s.io/pod-group", "scheduling.x-k8s.io\\/pod-group", "\\u0073cheduling.x-k8s.io/pod-group"
    for key in escaped:
        bench.write("pods.json", *[json.dumps(pod(name, "g", key=plain)).replace(plain, key) + "\n" for name in "ab"])
        bench.run("roles", "-f", "pods.json").expect(0, err="")
        assert gangs_of(bench.out) == {"g": [2]}, bench.out


def test_render_prints_the_marked_pods(bench):
    bench.write("policy.yaml", VOLCANO)
    bench.write("pods.yaml", *texts(pod("a", "g"), pod("b", "g")))
    bench.run("render", "-f", "pods.yaml", "-p", "policy.yaml").expect(0, err="")
    group, *pods = yaml.safe_load_all(bench.out)
    assert group["kind"] == "PodGroup" and group["spec"]["minMember"] == 2, group
    marks = [one["metadata"]["annotations"]["scheduling.k8s.io/group-name"] for one in pods]
    assert marks == ["g", "g"], pods
    assert [one["spec"]["schedulerName"] for one in pods] == ["volcano"] * 2, pods


def test_pods_of_jobs_and_pods_without_a_group_are_left_alone(bench):
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": "j", "uid": "u", "controller": True}
    owned = pod("a", "g", metadata={"ownerReferences": [owner]})
    bench.write("pods.yaml", *texts(owned, pod("b", "g", key="app")))
    bench.run("roles", "-f", "pods.yaml").refuses("no TrainJob, PodGang")
    bench.write("pods.yaml", *texts(owned, pod("b", "g")))
    bench.run("roles", "-f", "pods.yaml").expect(0, err="")
    assert gangs_of(bench.out) == {"g": [1]}, bench.out


def test_audit_has_a_row_for_each_group(bench):
    bench.write("policy.yaml", VOLCANO)
    bench.write("pods.yaml", *texts(pod("a", "g"), pod("b", "h"), pod("c", "g")))
    bench.run("audit", "-f", "pods.yaml", "-p", "policy.yaml").prints("2 jobs: 2 GANG")
    rows = [line.split() for line in bench.out.splitlines()[1:3]]
    shown = [(row[1], row[2], row[6]) for row in rows]
    assert shown == [("g", "GANG", "2"), ("h", "GANG", "1")], rows
