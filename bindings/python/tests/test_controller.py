# SPDX-License-Identifier: Apache-2.0
"""examples/embed/controller.py, with a fake API server that the official client talks to."""

import importlib.util
import json
import pathlib
import re

import pytest
from werkzeug import Request, Response

import libgang

dynamic = pytest.importorskip("kubernetes.dynamic")
client = pytest.importorskip("kubernetes.client")

FILE = pathlib.Path(__file__).resolve().parents[3] / "examples" / "embed" / "controller.py"
GROUP = "/apis/scheduling.volcano.sh/v1beta1"
VERBS = ["create", "delete", "get", "update"]
NATIVE = "/apis/scheduling.k8s.io/v1beta1"
POLICY = {
    "apiVersion": "policy.libgang.dev/v1alpha1",
    "kind": "GangPolicy",
    "metadata": {"name": "default"},
    "spec": {"backends": [{"name": "volcano", "type": "Volcano"}], "defaultBackend": "volcano"},
}


@pytest.fixture(scope="module")
def controller():
    spec = importlib.util.spec_from_file_location("controller", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class FakeServer:
    """Discovery, and objects by path. It answers as an API server does: 404, 409, a uid for what is
    created."""

    def __init__(self):
        self.objects = {}

    def __call__(self, request: Request) -> Response:
        found = DISCOVERY.get(request.path)
        if found is None:
            found = getattr(self, request.method.lower())(request.path, request)
        status = found.get("code", 200) if found.get("kind") == "Status" else 200
        return Response(json.dumps(found), status, content_type="application/json")

    def get(self, path, _):
        return self.objects.get(path) or {"kind": "Status", "code": 404}

    def post(self, path, request):
        given = request.get_json()
        path = f"{path}/{given['metadata']['name']}"
        if path in self.objects:
            return {"kind": "Status", "code": 409}
        given["metadata"]["uid"] = f"uid-{len(self.objects)}"
        self.objects[path] = given
        return given

    def put(self, path, request):
        self.objects[path] = request.get_json()
        return self.objects[path]

    def delete(self, path, request):
        if request.get_json()["preconditions"]["uid"] != self.objects[path]["metadata"]["uid"]:
            return {"kind": "Status", "code": 409}
        return self.objects.pop(path)


def group(name):
    version = {"groupVersion": f"{name}/v1beta1", "version": "v1beta1"}
    return {"name": name, "versions": [version], "preferredVersion": version}


def resources(version, *kinds):
    listed = [
        {"name": f"{kind.lower()}s", "singularName": "", "namespaced": True, "kind": kind}
        for kind in kinds
    ]
    for one in listed:
        one["verbs"] = VERBS
    return {"kind": "APIResourceList", "groupVersion": version, "resources": listed}


GROUPS = [group("scheduling.volcano.sh"), group("scheduling.k8s.io")]
DISCOVERY = {
    "/version": {"major": "1", "minor": "36"},
    "/api": {"kind": "APIVersions", "versions": ["v1"]},
    "/apis": {"kind": "APIGroupList", "groups": GROUPS},
    "/api/v1": resources("v1", "Pod"),
    GROUP: resources("scheduling.volcano.sh/v1beta1", "PodGroup"),
    NATIVE: resources("scheduling.k8s.io/v1beta1", "PodGroup", "Workload"),
}


@pytest.fixture
def server(httpserver, tmp_path):
    fake = FakeServer()
    httpserver.expect_request(re.compile("^/")).respond_with_handler(fake)
    configuration = client.Configuration(host=httpserver.url_for("").rstrip("/"))
    connection = client.ApiClient(configuration)
    fake.client = dynamic.DynamicClient(connection, cache_file=str(tmp_path / "discovery"))
    return fake


def sweep(workers):
    container = {"name": "c", "image": "none", "resources": {"requests": {"cpu": "2"}}}
    return {
        "apiVersion": "example.com/v1",
        "kind": "Sweep",
        "metadata": {"name": "lr", "namespace": "ml", "uid": "u-1"},
        "spec": {"workers": workers, "template": {"spec": {"containers": [container]}}},
    }


NAME = GROUP + "/namespaces/ml/podgroups/lr"


def test_the_gang_is_created_before_its_pods(controller, server):
    with libgang.parse(POLICY) as policy:
        assert controller.reconcile(server.client, sweep(3), policy) == 3
        first, *rest = server.objects
        assert first == NAME
        assert len(rest) == 3
        group = server.objects[NAME]
        assert group["spec"]["minMember"] == 3, "the coordinator waits for the workers"
        assert group["metadata"]["ownerReferences"][0]["uid"] == "u-1"
        for path in rest:
            pod = server.objects[path]
            assert pod["spec"]["schedulerName"] == "volcano"
            assert pod["metadata"]["annotations"]["scheduling.k8s.io/group-name"] == "lr"
        before = json.dumps(server.objects)
        assert controller.reconcile(server.client, sweep(3), policy) == 0
        assert json.dumps(server.objects) == before


def test_a_larger_job_has_a_larger_gang(controller, server):
    with libgang.parse(POLICY) as policy:
        controller.reconcile(server.client, sweep(3), policy)
        assert controller.reconcile(server.client, sweep(5), policy) == 2
    assert server.objects[NAME]["spec"]["minMember"] == 5


def test_the_group_of_another_owner_is_left_alone(controller, server):
    owner = {"apiVersion": "v1", "kind": "Pod", "name": "x", "uid": "u-9", "controller": True}
    kind = {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup"}
    metadata = {"name": "lr", "namespace": "ml", "uid": "u-8", "ownerReferences": [owner]}
    server.objects[NAME] = foreign = {**kind, "metadata": metadata, "spec": {"minMember": 1}}
    with libgang.parse(POLICY) as policy, pytest.raises(libgang.GangError):
        controller.reconcile(server.client, sweep(3), policy)
    assert server.objects == {NAME: foreign}


def test_a_podgroup_names_the_uid_of_its_workload(controller, server):
    backend = [{"name": "native", "type": "Workload"}]
    policy = {**POLICY, "spec": {"backends": backend, "defaultBackend": "native"}}
    with libgang.parse(policy) as native:
        assert controller.reconcile(server.client, sweep(2), native) is None
        assert controller.reconcile(server.client, sweep(2), native) == 2
    workload, group = list(server.objects.values())[:2]
    owner = {"kind": workload["kind"], "uid": workload["metadata"]["uid"]}
    owners = group["metadata"]["ownerReferences"]
    assert owner in [{key: one[key] for key in owner} for one in owners]


def test_a_round_leaves_the_sweep_as_it_was(controller, server):
    """The next round, and the coordinator, read its template again."""
    policy = {**POLICY, "spec": {"backends": [{"name": "yunikorn", "type": "YuniKorn"}]}}
    policy["spec"]["defaultBackend"] = "yunikorn"
    given, before = sweep(2), sweep(2)
    for one in (given, before):
        one["spec"]["template"]["metadata"] = {"annotations": {"a": "b"}, "labels": {"c": "d"}}
    with libgang.parse(policy) as yunikorn:
        assert controller.reconcile(server.client, given, yunikorn) == 2
        assert controller.reconcile(server.client, given, yunikorn) == 0
    assert given == before
