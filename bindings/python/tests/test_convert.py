# SPDX-License-Identifier: Apache-2.0
"""What callers hold: mappings, models of the SDKs, text."""

import datetime
import decimal
import enum
import json
import types
import uuid

import pytest
from conftest import load

import libgang
from libgang._convert import to_bytes

kubernetes = pytest.importorskip("kubernetes.client")
pydantic = pytest.importorskip("pydantic")
models = pytest.importorskip("kubeflow_trainer_api.models")


def read(source):
    return json.loads(to_bytes(source))


def test_text_is_passed_as_it_is():
    for source in (
        "kind: Ä",
        "kind: Ä".encode(),
        bytearray("kind: Ä".encode()),
        memoryview("kind: Ä".encode()),
    ):
        assert to_bytes(source) == "kind: Ä".encode()


def test_lone_surrogates_are_refused_by_the_library():
    with pytest.raises(libgang.GangError):
        libgang.parse('kind: "\ud800"')
    with pytest.raises(libgang.GangError):
        libgang.parse({"kind": "\ud800"})


def test_values_that_json_does_not_know():
    class Color(enum.Enum):
        RED = "red"

    zone = datetime.timezone(datetime.timedelta(hours=2))
    assert read(
        {
            "aware": datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=zone),
            "naive": datetime.datetime(2026, 1, 2, 3, 4, 5),
            "micro": datetime.datetime(2026, 1, 2, 3, 4, 5, 600, tzinfo=datetime.timezone.utc),
            "date": datetime.date(2026, 1, 2),
            "decimal": decimal.Decimal("1E+3"),
            "enum": Color.RED,
            "uuid": uuid.UUID(int=1),
            "mapping": types.MappingProxyType({"a": 1}),
            "set": frozenset([1]),
        }
    ) == {
        "aware": "2026-01-02T01:04:05Z",
        "naive": "2026-01-02T03:04:05Z",
        "micro": "2026-01-02T03:04:05.000600Z",
        "date": "2026-01-02",
        "decimal": "1000",
        "enum": "red",
        "uuid": "00000000-0000-0000-0000-000000000001",
        "mapping": {"a": 1},
        "set": [1],
    }


def test_what_is_refused():
    for source, wrong in (
        ({"a": float("nan")}, ValueError),
        ({"a": object()}, TypeError),
        (object(), TypeError),
    ):
        with pytest.raises(wrong):
            to_bytes(source)
    with pytest.raises(TypeError, match="single value"):
        to_bytes(decimal.Decimal(1))
    nested: list = []
    for _ in range(100_000):
        nested = [nested]
    with pytest.raises(ValueError, match="nested too deep"):
        to_bytes({"a": nested})


def test_model_with_a_creation_timestamp(trainjob, runtime):
    trainjob["metadata"]["creationTimestamp"] = "2026-01-02T03:04:05Z"
    model = models.TrainerV1alpha1TrainJob.from_dict(trainjob)
    assert isinstance(model.to_dict()["metadata"]["creationTimestamp"], datetime.datetime)
    for source in (model, model.to_dict()):
        assert read(source)["metadata"]["creationTimestamp"] == "2026-01-02T03:04:05Z"
        assert libgang.plan(source, runtime).objects[0].manifest["spec"] == {"minMember": 4}


def test_quantities_of_the_trainer_api(runtime):
    model = models.TrainerV1alpha1ClusterTrainingRuntime.from_dict(runtime)
    trainjob = models.TrainerV1alpha1TrainJob.from_dict(
        {
            "apiVersion": "trainer.kubeflow.org/v1alpha1",
            "kind": "TrainJob",
            "metadata": {"name": "llama"},
            "spec": {
                "runtimeRef": {"name": runtime["metadata"]["name"]},
                "trainer": {
                    "numNodes": 2,
                    "resourcesPerNode": {"limits": {"nvidia.com/gpu": "3", "cpu": 2}},
                },
            },
        }
    )
    plan = libgang.plan(trainjob, model)
    assert plan.to_dict()["gang"]["resources"]["nvidia.com/gpu"] == "6"


def test_models_of_the_kubernetes_client():
    pod = kubernetes.V1Pod(
        api_version="v1",
        kind="Pod",
        metadata=kubernetes.V1ObjectMeta(
            name="a", creation_timestamp=datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc)
        ),
        spec=kubernetes.V1PodSpec(
            scheduler_name="volcano",
            containers=[
                kubernetes.V1Container(
                    name="c",
                    resources=kubernetes.V1ResourceRequirements(
                        limits={"cpu": decimal.Decimal("0.5")}
                    ),
                )
            ],
        ),
    )
    assert read(pod) == {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "a", "creationTimestamp": "2026-01-02T00:00:00Z"},
        "spec": {
            "schedulerName": "volcano",
            "containers": [{"name": "c", "resources": {"limits": {"cpu": "0.5"}}}],
        },
    }


@pytest.mark.parametrize("read_list", ["model", "mapping", "inside a list"])
def test_lists_of_the_kubernetes_client(read_list):
    """An API server writes no kind and no apiVersion into the items of typed lists:
    kubernetes/apimachinery:pkg/apis/meta/v1/unstructured/helpers.go, decodeToList."""
    answer = {
        "kind": "PodList",
        "apiVersion": "v1",
        "metadata": {"resourceVersion": "7"},
        "items": [{"metadata": {"name": "a", "namespace": "ml"}, "status": {"phase": "Pending"}}],
    }
    pod = {"apiVersion": "v1", "kind": "Pod", **answer["items"][0]}
    found = answer
    if read_list == "model":
        response = types.SimpleNamespace(data=json.dumps(answer))
        found = kubernetes.ApiClient().deserialize(response, "V1PodList")
    assert read(found) == {**answer, "items": [pod]}
    runtime, trainjob = (load(f"torch/{name}.yaml") for name in ("runtime", "trainjob"))
    plan = libgang.plan(trainjob, runtime)
    live = [found] if read_list == "inside a list" else found
    assert [one.action for one in plan.reconcile(live).objects] == ["Create"]
    assert read({"kind": "List", "items": [{"kind": "X"}, 1]})["items"] == [{"kind": "X"}, 1]


def test_plain_pydantic_models():
    class Meta(pydantic.BaseModel):
        api_version: str = pydantic.Field(alias="apiVersion")
        kind: str | None = None

    assert read(Meta(apiVersion="v1")) == {"apiVersion": "v1"}


def test_nul_characters_in_arguments():
    """C would end the text there, and another kind or uid would be used."""
    document = libgang.parse(load("torch/trainjob.yaml"))
    for call in (
        lambda: document.reference("ClusterTrainingRuntime\0"),
        lambda: libgang.schema("GangPolicy\0"),
        lambda: libgang.resolve(document, load("torch/runtime.yaml"), created_uid="u\0v"),
    ):
        with pytest.raises(ValueError, match=r"NUL|no schema"):
            call()


@pytest.mark.parametrize("value", [True, 1.0, 0, -1, 1 << 64, "5", None])
def test_limits_are_numbers(value):
    with pytest.raises(ValueError, match="out of range"):
        libgang.Context({libgang.Limit.NESTING_DEPTH: value})
