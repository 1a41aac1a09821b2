# SPDX-License-Identifier: Apache-2.0
"""The real Kubeflow SDK against a recorded API server."""

import json
import pickle
import re

import pytest
from conftest import load

import libgang

pytest.importorskip("kubeflow.trainer")
pytest.importorskip("pytest_httpserver")

from kubeflow.common.types import KubernetesBackendConfig
from kubeflow.trainer import CustomTrainerContainer, TrainerClient
from kubeflow.trainer.options import Name
from kubeflow.trainer.types.types import Runtime
from kubeflow_trainer_api import models
from kubernetes.client import ApiException, Configuration
from werkzeug import Response

from libgang.kubeflow import GangTrainerClient, PreflightError, fetch_runtime, preflight

CLUSTER_RUNTIMES = "/apis/trainer.kubeflow.org/v1alpha1/clustertrainingruntimes"
NAMESPACE = "/namespaces/ml"
TRAINER = "/apis/trainer.kubeflow.org/v1alpha1"
UID = "11111111-2222-3333-4444-555555555555"


class Server:
    """What an API server answers, and what was sent to it."""

    def __init__(self, http):
        self.http = http
        self.sent = []
        self.refused = None  # plural of objects that it refuses
        missing = {"kind": "Status", "status": "Failure", "code": 404}
        pattern = re.compile(rf"{TRAINER}{NAMESPACE}/trainingruntimes/.*|/api/v1/.*")
        http.expect_request(pattern).respond_with_json(missing, status=404)
        http.expect_request(re.compile(r"/apis/.*"), method="POST").respond_with_handler(
            self.create
        )
        http.expect_request(re.compile(r"/apis/.*"), method="DELETE").respond_with_handler(
            self.delete
        )

    def delete(self, request):
        self.sent.append((request.path, json.loads(request.data)))
        return Response("{}", content_type="application/json")

    def create(self, request):
        body = json.loads(request.data)
        if request.path.rpartition("/")[2] == self.refused:
            return Response('{"kind": "Status", "code": 403}', status=403)
        self.sent.append((request.path, body))
        body["metadata"] |= {"uid": UID, "namespace": "ml"}
        return Response(json.dumps(body), content_type="application/json", status=201)

    def serve(self, runtime):
        name = runtime["metadata"]["name"]
        self.http.expect_request(f"{CLUSTER_RUNTIMES}/{name}").respond_with_json(runtime)

    def config(self):
        configuration = Configuration()
        configuration.host = self.http.url_for("").rstrip("/")
        return KubernetesBackendConfig(namespace="ml", client_configuration=configuration)


@pytest.fixture
def server(httpserver):
    return Server(httpserver)


def custom_runtime():
    """The torchtune runtime for a custom trainer: two initializers, then the nodes; upstream's
    Volcano policy."""
    runtime = load("torchtune-llama/runtime.yaml")
    runtime["metadata"]["labels"]["trainer.kubeflow.org/framework"] = "torch"
    return runtime


def fixed(runtime):
    """What the message tells the administrator to apply."""
    job = load("torchtune-llama/trainjob.yaml")
    return json.loads(libgang.plan(job, runtime).serialize(libgang.Target.RUNTIME))


def train(client, nodes=4):
    return client.train(
        runtime="torchtune-llama3.2-1b",
        trainer=CustomTrainerContainer(
            image="image:1", num_nodes=nodes, resources_per_node={"gpu": 2}
        ),
        options=[Name("llama")],
    )


def test_a_deadlock_is_refused_before_it_is_sent(server):
    server.serve(custom_runtime())
    with pytest.raises(PreflightError) as raised:
        train(GangTrainerClient(server.config()))
    assert server.sent == []
    message = str(raised.value)
    assert (
        'the gang can never start: "node" waits for "dataset-initializer" to be Complete' in message
    )
    assert "which waits until 6 pods of the gang exist, but only 2 can exist before that" in message
    assert "fix: ask your platform administrator" in message
    assert isinstance(raised.value, ValueError)
    copied = pickle.loads(pickle.dumps(raised.value))  # noqa: S301
    assert type(copied) is PreflightError
    assert (copied.diagnostics, str(copied)) == (raised.value.diagnostics, message)


def test_the_plain_client_sends_it(server):
    server.serve(custom_runtime())
    assert train(TrainerClient(server.config())) == "llama"
    assert len(server.sent) == 1


def test_the_fixed_runtime_goes_through(server):
    server.serve(fixed(custom_runtime()))
    assert train(GangTrainerClient(server.config())) == "llama"
    ((path, body),) = server.sent
    assert path == f"{TRAINER}{NAMESPACE}/trainjobs"
    assert body["spec"]["trainer"]["numNodes"] == 4
    assert "runtimePatches" not in body["spec"]


def test_marks_and_objects(server):
    server.serve(fixed(custom_runtime()))
    client = GangTrainerClient(server.config(), marks=True, objects=True)
    train(client)
    (_, job), (path, group) = server.sent
    (entry,) = job["spec"]["runtimePatches"]
    assert entry["manager"] == "libgang.dev/gang"
    assert "scheduling.k8s.io/group-name" in json.dumps(entry)
    assert "dataset-initializer" not in json.dumps(entry)
    assert path == f"/apis/scheduling.volcano.sh/v1beta1{NAMESPACE}/podgroups"
    assert group["spec"] == {"minMember": 4}
    assert group["metadata"]["ownerReferences"][0]["uid"] == UID


def test_no_job_stays_without_its_objects(server):
    """Its pods would wait for the PodGroup forever."""
    server.serve(fixed(custom_runtime()))
    server.refused = "podgroups"
    with pytest.raises(RuntimeError, match="Failed to create TrainJob"):
        train(GangTrainerClient(server.config(), marks=True, objects=True))
    (created, _), (deleted, options) = server.sent
    assert deleted == f"{created}/llama"
    assert options == {"preconditions": {"uid": UID}}


def test_an_operator_with_libgang_needs_no_fix(server):
    server.serve(custom_runtime())
    assert train(GangTrainerClient(server.config(), operator_uses_libgang=True)) == "llama"


def test_a_job_that_the_policy_denies(server, policy):
    server.serve(fixed(custom_runtime()))
    client = GangTrainerClient(server.config(), policy=policy)
    with pytest.raises(PreflightError, match="at most 99 nodes") as raised:
        train(client, nodes=100)
    assert raised.value.decision.outcome == "Denied"
    assert server.sent == []
    assert train(client, nodes=99) == "llama"


def test_cluster_facts(server):
    facts = {
        "apiVersion": "policy.libgang.dev/v1alpha1",
        "kind": "GangCluster",
        "metadata": {"name": "c"},
        "spec": {"kubernetesVersion": "1.36"},
    }
    server.serve(fixed(custom_runtime()))
    assert train(GangTrainerClient(server.config(), cluster=facts)) == "llama"


def test_other_errors_stay_those_of_the_sdk(server):
    server.serve(fixed(custom_runtime()))
    client = GangTrainerClient(server.config())
    server.http.clear()
    server.serve(fixed(custom_runtime()))
    with pytest.raises(RuntimeError, match="Failed to"):
        train(client)


def test_other_objects_pass(server):
    client = GangTrainerClient(server.config())
    api = client.backend.custom_api
    body = {"metadata": {"name": "x"}}
    api.create_namespaced_custom_object("example.com", "v1", "ml", "things", body)
    assert server.sent[0][0] == f"/apis/example.com/v1{NAMESPACE}/things"


def test_fetch_runtime(server):
    runtime = custom_runtime()
    server.serve(runtime)
    client = TrainerClient(server.config())
    assert fetch_runtime(client, "torchtune-llama3.2-1b") == runtime
    with pytest.raises(ApiException):
        fetch_runtime(client, "torchtune-llama3.2-1b", "TrainingRuntime")
    of_namespace = {**runtime, "kind": "TrainingRuntime"}
    server.http.clear()
    path = f"{TRAINER}{NAMESPACE}/trainingruntimes/own"
    server.http.expect_request(path).respond_with_json(of_namespace)
    assert fetch_runtime(client, "own") == of_namespace


def test_the_runtime_of_the_sdk_is_not_enough(server, trainjob):
    runtime = custom_runtime()
    server.serve(runtime)
    of_sdk = TrainerClient(server.config()).get_runtime("torchtune-llama3.2-1b")
    assert isinstance(of_sdk, Runtime)
    with pytest.raises(TypeError, match="fetch_runtime"):
        preflight(trainjob, of_sdk)


def test_preflight_without_a_client(trainjob):
    runtime = fixed(custom_runtime())
    model = models.TrainerV1alpha1TrainJob.from_dict(trainjob)
    decision = preflight(model, models.TrainerV1alpha1ClusterTrainingRuntime.from_dict(runtime))
    assert decision.minimum == 4
    assert preflight(model, libgang.parse(runtime)).minimum == 4
    del trainjob["spec"]["runtimeRef"]
    with pytest.raises(libgang.GangError):
        preflight(trainjob, runtime)


def test_other_backends():
    from kubeflow.trainer import LocalProcessBackendConfig

    with pytest.raises(ValueError, match="backend for Kubernetes"):
        GangTrainerClient(LocalProcessBackendConfig())
