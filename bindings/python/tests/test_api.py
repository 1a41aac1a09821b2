# SPDX-License-Identifier: Apache-2.0
import dataclasses
import json
import pickle

import pytest
import yaml
from conftest import EXAMPLES, load, read

import libgang
from libgang import (
    Action,
    DocumentType,
    Format,
    Limit,
    Outcome,
    Severity,
    Target,
    _context,
    _decision,
    _diagnostic,
)


def test_the_torchtune_job_of_the_quick_guide(runtime, trainjob):
    plan = libgang.plan(trainjob, runtime)
    (group,) = plan.objects
    assert (group.action, group.kind, group.name, group.namespace) == (
        Action.CREATE,
        "PodGroup",
        "llama",
        "ml",
    )
    assert group.manifest["spec"] == {"minMember": 4}
    by_role = {patch.role: patch for patch in plan.patches}
    assert by_role["node"].annotations == {"scheduling.k8s.io/group-name": "llama"}
    assert by_role["node"].spec == {"schedulerName": "volcano"}
    assert by_role["dataset-initializer"].annotations == {}
    assert by_role["node"].document["role"] == "node"
    assert by_role["node"].labels == {}
    decision = plan.decision
    assert (decision.outcome, decision.backend, decision.scheduler_name) == (
        Outcome.GANG,
        "volcano",
        "volcano",
    )
    assert (decision.minimum, decision.members, decision.pods, decision.queue) == (4, 4, 6, None)
    assert decision.reason
    assert not decision.is_refused
    assert plan.to_dict()["gang"]["minimum"] == 4
    assert yaml.safe_load(plan.to_yaml()) == plan.to_dict() == json.loads(plan.to_json())
    assert decision.to_dict()["kind"] == "GangDecision"
    assert plan.explain() == decision.explain()
    assert len(plan.explain(verbose=True)) > len(plan.explain())


def test_values_are_frozen_and_have_slots(runtime, trainjob):
    plan = libgang.plan(trainjob, runtime)
    for value in (plan, plan.decision, plan.objects[0], plan.patches[0], plan.diagnostics[0]):
        assert dataclasses.is_dataclass(value)
        assert not hasattr(value, "__dict__")
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, dataclasses.fields(value)[0].name, None)


def test_diagnostics(runtime, trainjob):
    plan = libgang.plan(yaml.safe_dump(trainjob), read("torchtune-llama/runtime.yaml"))
    (default,) = [one for one in plan.diagnostics if one.code == "GANG004"]
    assert default.severity is Severity.INFO
    assert default.document is DocumentType.RUNTIME
    assert default.path == "spec.template.spec.replicatedJobs[0]"
    assert (default.line, default.column) == (27, 9)
    assert default.kind == "ClusterTrainingRuntime"
    assert plan.diagnostics == plan.decision.diagnostics
    # what came as a mapping has no lines that the caller knows
    of_mappings = libgang.plan(trainjob, runtime)
    assert {one.line for one in of_mappings.diagnostics} == {None}


def test_errors_have_every_diagnostic():
    with pytest.raises(libgang.GangError) as raised:
        libgang.parse(
            {
                "apiVersion": "trainer.kubeflow.org/v1alpha1",
                "kind": "TrainJob",
                "metadata": {},
                "spec": {},
            }
        )
    error = raised.value
    assert isinstance(error, ValueError)
    assert [(one.path, one.severity) for one in error.diagnostics] == [
        ("metadata.name", Severity.ERROR),
        ("spec.runtimeRef", Severity.ERROR),
    ]
    assert str(error).splitlines()[0].startswith("trainjob: metadata.name: Required value [GANG")
    assert error.to_dicts()[0]["path"] == "metadata.name"
    copied = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (copied.diagnostics, str(copied)) == (error.diagnostics, str(error))


def test_names_of_python_get_a_hint():
    """The Kubernetes client's to_dict() has api_version."""
    with pytest.raises(libgang.GangError) as raised:
        libgang.parse({"api_version": "batch/v1", "kind": "Job", "metadata": {"name": "a"}})
    hints = {one.path: one.hint for one in raised.value.diagnostics}
    assert "not its to_dict()" in hints["apiVersion"]
    job = {
        "apiVersion": "policy.libgang.dev/v1alpha1",
        "kind": "GangJob",
        "metadata": {"name": "a"},
    }
    owner = {"api_version": "v1", "kind": "Pod", "name": "a"}
    with pytest.raises(libgang.GangError) as raised:
        libgang.parse(job | {"spec": {"owner": owner, "roles": []}})
    hints = {one.path: one.hint for one in raised.value.diagnostics}
    assert "to_dict" not in str(hints["spec.owner.apiVersion"])


def test_text_has_places():
    with pytest.raises(libgang.GangError) as raised:
        libgang.parse(
            "kind: TrainJob\napiVersion: trainer.kubeflow.org/v1alpha1\nspec:\n  runtimeRef: 4\n"
        )
    places = {one.path: (one.line, one.column) for one in raised.value.diagnostics}
    assert places["spec.runtimeRef"] == (4, 15)
    assert "trainjob:4:15: spec.runtimeRef:" in str(raised.value)


POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "labels": 3}, "spec": {}}
SERVING = {
    "apiVersion": "leaderworkerset.x-k8s.io/v1",
    "kind": "LeaderWorkerSet",
    "metadata": {"name": "chat", "namespace": "ml"},
    "spec": {
        "replicas": 2,
        "leaderWorkerTemplate": {
            "size": 4,
            "workerTemplate": {"spec": {"containers": [{"name": "c", "image": "i"}]}},
        },
    },
}
VOLCANO = {
    "apiVersion": "policy.libgang.dev/v1alpha1",
    "kind": "GangPolicy",
    "metadata": {"name": "p"},
    "spec": {"backends": [{"name": "v", "type": "Volcano"}], "defaultBackend": "v"},
}
ELSEWHERE = {
    "apiVersion": "grove.io/v1alpha1",
    "kind": "ClusterTopologyBinding",
    "metadata": {"name": "t"},
    "spec": {
        "levels": [{"domain": "zone", "key": "topology.kubernetes.io/zone"}],
        "schedulerTopologyBindings": [
            {"schedulerName": "kai-scheduler", "topologyReference": "none"}
        ],
    },
}


@pytest.mark.parametrize(
    "call",
    [
        lambda form: libgang.plan(form(SERVING), VOLCANO).serialize("job"),
        lambda form: libgang.Inputs(VOLCANO).serialize(form(SERVING), "job"),
        lambda form: libgang.Inputs().serialize(form({**SERVING, "spec": {}})),
        lambda form: libgang.resolve(SERVING, VOLCANO).prepare_pod(form(POD)),
        lambda form: libgang.compare_topology(form(ELSEWHERE), None),
    ],
)
def test_only_text_has_places(call):
    for form, has_places in ((json.dumps, True), (dict, False)):
        with pytest.raises(libgang.GangError) as raised:
            call(form)
        errors = [one for one in raised.value.diagnostics if one.severity == "error"]
        assert all(bool(one.line and one.column) is has_places for one in errors)


def test_syntax_error():
    with pytest.raises(libgang.GangError) as raised:
        libgang.parse('{"a": }')
    assert raised.value.result == "Syntax"


def test_denied_by_the_policy(runtime, trainjob, policy):
    policy["spec"]["rules"][0]["match"]["minNodes"] = 2
    decision = libgang.resolve(trainjob, runtime, policy)
    assert decision.outcome is Outcome.DENIED
    assert decision.is_refused
    assert decision.render().objects == ()
    with pytest.raises(libgang.GangError) as raised:
        decision.raise_for_errors()
    assert raised.value.decision is decision
    assert raised.value.result == "Denied"
    with pytest.raises(libgang.GangError, match="at most 99 nodes"):
        libgang.plan(trainjob, runtime, policy)
    with pytest.raises(libgang.GangError, match="at most 99 nodes"):
        libgang.Inputs(runtime, policy).serialize(trainjob)


def test_no_gang(trainjob, runtime):
    del runtime["spec"]["podGroupPolicy"]
    plan = libgang.plan(trainjob, runtime)
    assert plan.decision.outcome is Outcome.NO_GANG
    assert plan.objects == ()
    assert "ml/llama: NoGang" in plan._repr_html_()


def test_missing_and_unusable_documents(trainjob, runtime):
    with pytest.raises(libgang.GangError) as raised:
        libgang.resolve(trainjob)
    assert raised.value.diagnostics[0].reason == "MissingInput" or raised.value.diagnostics
    assert raised.value.decision is None
    with pytest.raises(libgang.GangError):
        libgang.resolve(trainjob, runtime, runtime)


def test_document(trainjob, policy):
    document = libgang.parse(trainjob)
    assert (document.type, document.kind) == (DocumentType.TRAINJOB, "TrainJob")
    assert (document.namespace, document.name, document.uid) == ("ml", "llama", None)
    assert document.api_version == "trainer.kubeflow.org/v1alpha1"
    assert document.reference("ClusterTrainingRuntime") == "torchtune-llama3.2-1b"
    assert document.reference("TrainingRuntime") is None
    assert document.stamp is None
    assert {one.severity for one in document.diagnostics} == {Severity.INFO}
    assert repr(document) == "<Document TrainJob ml/llama>"
    parsed = libgang.parse(policy)
    assert parsed.stamp.startswith("demo@")
    assert repr(parsed) == "<Document GangPolicy demo>"


def test_strict(trainjob):
    trainjob["spec"]["unknown"] = 1
    assert libgang.parse(trainjob).diagnostics[0].severity is Severity.WARNING
    with pytest.raises(libgang.GangError):
        libgang.parse(trainjob, strict=True)


def test_closing(trainjob, runtime):
    with libgang.parse(runtime) as document, libgang.resolve(trainjob, document) as decision:
        plan = decision.render()
    assert document.closed
    assert decision.closed
    assert repr(document) == "<Document closed>"
    with pytest.raises(ValueError, match="this Document is closed"):
        _ = document.kind
    with pytest.raises(ValueError, match="this Decision is closed"):
        decision.render()
    # the plan keeps the decision that it was rendered from
    assert plan.to_dict()["outcome"] == "Gang"
    assert plan.decision.documents == (document,)
    assert plan.diagnostics
    plan.close()
    plan.close()
    with pytest.raises(ValueError, match="this Plan is closed"):
        plan.to_json()


def test_handles_are_not_pickled(trainjob, runtime):
    for value in (libgang.parse(trainjob), libgang.plan(trainjob, runtime)):
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(value)
    assert pickle.loads(pickle.dumps(Outcome.NO_GANG)) is Outcome.NO_GANG  # noqa: S301


def test_context(trainjob, runtime):
    with libgang.Context({Limit.NESTING_DEPTH: 3}) as shallow:
        assert "nesting depth: 3" in repr(shallow)
        with pytest.raises(libgang.GangError) as raised:
            libgang.parse(runtime, context=shallow)
        assert raised.value.result == "Limit"
        with pytest.raises(libgang.GangError):
            libgang.split('{"a":{"b":{"c":{"d":1}}}}', context=shallow)
    assert repr(libgang.Context()) == "<Context default limits>"
    assert libgang.plan(trainjob, runtime, context=libgang.Context()).objects
    for value in (0, -1, 1 << 70, "4"):
        with pytest.raises(ValueError, match="nesting depth"):
            libgang.Context({Limit.NESTING_DEPTH: value})
    with pytest.raises(ValueError, match="closed"):
        libgang.parse(trainjob, context=shallow)
    small = libgang.Context({Limit.OUTPUT_BYTES: 16})
    decision = libgang.resolve(trainjob, runtime, context=small)
    for write in (
        decision.serialize,
        decision.render().serialize,
        lambda: decision.prepare_pod({}),
    ):
        with pytest.raises(libgang.GangError):
            write()


def test_stream():
    text = (
        "---\nkind: A\nmetadata: {name: a, namespace: b}\n---\n# empty\n---\napiVersion: "
        "v1\nkind: B\n"
    )
    first, second = libgang.split(text)
    assert (first.kind, first.name, first.namespace, first.line) == ("A", "a", "b", 2)
    assert (second.api_version, second.kind, second.name) == ("v1", "B", None)
    with libgang.Stream(text) as stream:
        assert len(stream) == 2
        assert stream[-1] == second
        assert json.loads(stream.serialize(0)) == {
            "kind": "A",
            "metadata": {"name": "a", "namespace": "b"},
        }
        assert stream.serialize(1, Format.YAML) == b"apiVersion: v1\nkind: B\n"
        with pytest.raises(IndexError):
            stream[2]
    with pytest.raises(ValueError, match="closed"):
        len(stream)
    with pytest.raises(libgang.GangError):
        libgang.split("a: [")
    assert libgang.split("") == ()


def test_enumerators_are_strings(trainjob, runtime):
    plan = libgang.plan(trainjob, runtime)
    inputs, serving = libgang.Inputs(runtime), libgang.parse(SERVING)
    with libgang.Stream("kind: A") as stream:
        calls = (
            lambda *names: plan.serialize(Target.PLAN, *names),
            lambda *names: plan.decision.serialize(*names),
            lambda *names: inputs.serialize(trainjob, Target.PLAN, *names),
            lambda *names: serving.gang_job(0, *names),
            lambda *names: stream.serialize(0, *names),
        )
        for call in calls:
            assert call("yaml") == call(Format.YAML) != call()
            with pytest.raises(ValueError, match="'xml' is not a valid Format"):
                call("xml")
    assert plan.serialize("objects") == plan.serialize(Target.OBJECTS)
    assert inputs.serialize(trainjob, "plan") == plan.serialize()
    with pytest.raises(ValueError, match="'pods' is not a valid Target"):
        plan.serialize("pods")


def test_inputs_serialize_is_the_plan(trainjob, runtime):
    inputs = libgang.Inputs(runtime, None)
    plan = inputs.plan(trainjob)
    for target in Target:
        for format in (Format.JSON, Format.YAML):  # only a decision is drawn
            assert plan.serialize(target, format)
            assert inputs.serialize(trainjob, target, format) == plan.serialize(target, format)
    assert inputs.serialize(json.dumps(trainjob).encode()) == inputs.serialize(trainjob)
    with pytest.raises(libgang.GangError):
        inputs.serialize(b"{}")


def test_created_uid():
    runtime, trainjob = (
        load(f"torchtune-workload/{name}.yaml") for name in ("runtime", "trainjob")
    )
    trainjob["metadata"]["uid"] = "11111111-2222-3333-4444-555555555555"
    cluster = EXAMPLES / "torchtune-workload" / "cluster.yaml"
    documents = [runtime, *([cluster.read_text()] if cluster.exists() else [])]
    owned = libgang.plan(trainjob, *documents, created_uid="66666666-7777-8888-9999-000000000000")
    assert "66666666-7777" in owned.to_json()
    assert "66666666-7777" not in libgang.plan(trainjob, *documents).to_json()


def test_run_number(trainjob, runtime):
    """YuniKorn never starts other pods under the name of a gang that it knows."""
    policy = {
        "apiVersion": "policy.libgang.dev/v1alpha1",
        "kind": "GangPolicy",
        "metadata": {"name": "lab"},
        "spec": {
            "backends": [{"name": "yunikorn", "type": "YuniKorn"}],
            "defaultBackend": "yunikorn",
        },
    }
    del runtime["spec"]["podGroupPolicy"]
    runs = [libgang.plan(trainjob, runtime, policy, run_number=number) for number in (1, 2, 2)]
    assert runs[0].patches != runs[1].patches
    assert runs[1].patches == runs[2].patches
    for number in (-1, 1 << 63):
        with pytest.raises(ValueError, match=r"run_number: .* is out of range"):
            libgang.resolve(trainjob, runtime, run_number=number)


def test_grove():
    podgang, cliques = (load(f"grove-kai/{name}.yaml") for name in ("podgang", "podcliqueset"))
    decision = libgang.resolve(podgang, cliques, fall_back=True)
    assert decision.outcome is Outcome.GANG
    assert "podcliqueset" in decision.explain()
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "other"},
        "spec": {},
    }
    with pytest.raises(libgang.GangError) as raised:
        decision.prepare_pod(pod)
    assert raised.value.diagnostics[0].document is DocumentType.POD


def test_prepare_pod():
    podgang, cliques = (load(f"grove-kai/{name}.yaml") for name in ("podgang", "podcliqueset"))
    decision = libgang.resolve(podgang, cliques)
    group = podgang["spec"]["podgroups"][0]
    labels = {
        "grove.io/podgang": podgang["metadata"]["name"],
        "grove.io/podclique": group["name"],
        "app.kubernetes.io/part-of": cliques["metadata"]["name"],
    }
    namespace = podgang["metadata"].get("namespace")
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": namespace, "labels": labels},
    }
    pod["spec"] = {"containers": [{"name": "c", "image": "i"}]}
    prepared = decision.prepare_pod(pod)
    assert prepared["spec"]["schedulerName"] == "kai-scheduler"
    assert prepared["spec"]["containers"] == pod["spec"]["containers"]


BINDING = {
    "apiVersion": "grove.io/v1alpha1",
    "kind": "ClusterTopologyBinding",
    "metadata": {"name": "racks"},
    "spec": {
        "levels": [
            {"domain": "rack", "key": "example.com/rack"},
            {"domain": "host", "key": "kubernetes.io/hostname"},
        ]
    },
}


def test_topology(policy):
    topology = libgang.topology(BINDING)
    assert topology["kind"] == "Topology"
    assert [one["nodeLabel"] for one in topology["spec"]["levels"]] == [
        "example.com/rack",
        "kubernetes.io/hostname",
    ]
    assert libgang.compare_topology(BINDING, None) is Action.CREATE
    assert libgang.compare_topology(BINDING, [topology]) is Action.LEAVE
    libgang.check_topology(BINDING)
    elsewhere = json.loads(json.dumps(BINDING))
    elsewhere["spec"]["schedulerTopologyBindings"] = [
        {"schedulerName": "kai-scheduler", "topologyReference": "other"}
    ]
    assert libgang.topology(elsewhere) is None
    with pytest.raises(libgang.GangError):
        libgang.check_topology(elsewhere, policy)
    with pytest.raises(libgang.GangError):
        libgang.compare_topology(elsewhere, None)
    with pytest.raises(ValueError, match="ClusterTopologyBinding"):
        libgang.topology(policy)


def test_reconcile(trainjob, runtime):
    trainjob["metadata"]["uid"] = "11111111-2222-3333-4444-555555555555"
    plan = libgang.plan(trainjob, runtime)
    assert [one.action for one in plan.reconcile(None).objects] == [Action.CREATE]
    existing = plan.objects[0].manifest
    live = libgang.parse_live([existing])
    for wake in (False, True):
        assert [one.action for one in plan.reconcile(live, wake=wake).objects] == [Action.LEAVE]
    existing["metadata"]["ownerReferences"][0]["uid"] = "another"
    with pytest.raises(libgang.GangError) as raised:
        plan.reconcile([existing])
    assert [one.action for one in raised.value.plan.objects] == [Action.CONFLICT]
    with pytest.raises(libgang.GangError):
        plan.reconcile("[1, 2")
    del existing["metadata"]["ownerReferences"]
    with pytest.raises(libgang.GangError):
        plan.reconcile([existing])
    assert [one.action for one in plan.reconcile([existing], adopt=True).objects] == [Action.APPLY]


def test_library():
    assert libgang.version() == ".".join(map(str, libgang.version_info()))
    assert libgang.has_yaml()
    assert "volcano" in libgang.backend_names()
    assert [one["name"] for one in libgang.backends()] == list(libgang.backend_names())
    assert libgang.schema()["type"] == "object"
    with pytest.raises(ValueError, match="no schema"):
        libgang.schema("Pod")


def test_names():
    assert Outcome.NO_GANG == "NoGang"
    assert f"{Outcome.NO_GANG}" == str(Outcome.NO_GANG) == "NoGang"
    assert Outcome.at(2) is Outcome.NO_GANG
    assert Outcome.of(0) is None
    assert libgang.Code.at(12).name == "STRUCTURAL_DEADLOCK"
    assert libgang.Result.at(-7).number == -7


class Failing:
    """The library, some of whose functions fail."""

    def __init__(self, **functions):
        self._functions = functions

    def __getattr__(self, name):
        return self._functions.get(name) or getattr(libgang._library.LIBRARY, name)


def test_out_of_memory(monkeypatch, trainjob, runtime):
    """A failed allocation is a MemoryError."""
    with pytest.raises(MemoryError):
        raise _diagnostic.take_error(libgang.Result.NO_MEMORY.number, _diagnostic.c_void_p())
    inputs = libgang.Inputs(runtime, created_uid="a")
    for library in (
        Failing(gang_inputs_new=lambda: None),
        Failing(gang_inputs_add=lambda *_: -1),
        Failing(gang_inputs_set_created_uid=lambda *_: -1),
    ):
        monkeypatch.setattr(_decision, "LIBRARY", library)
        with pytest.raises(MemoryError):
            inputs.resolve(trainjob)
    for library in (Failing(gang_config_new=lambda: None), Failing(gang_context_new=lambda *_: -1)):
        monkeypatch.setattr(_context, "LIBRARY", library)
        with pytest.raises(MemoryError):
            libgang.Context()
    monkeypatch.setattr(_context, "LIBRARY", Failing(gang_backends_serialize=lambda *_: -1))
    with pytest.raises(MemoryError):
        libgang.backends()


def test_items_of_a_list_without_their_kind():
    class V1Pod:
        attribute_map = {"kind": "kind", "metadata": "metadata"}  # noqa: RUF012
        kind = None

    with pytest.raises(ValueError, match="pass the list itself, not its items"):
        libgang.parse_live([V1Pod()])


def test_marks_in_the_job_and_in_the_runtime(trainjob, runtime):
    plan = libgang.plan(trainjob, runtime)
    marked = json.loads(plan.serialize(Target.JOB))
    (entry,) = marked["spec"]["runtimePatches"]
    assert entry["manager"] == "libgang.dev/gang"
    patched = json.loads(plan.serialize(Target.RUNTIME))
    assert "podGroupPolicy" not in patched["spec"]
    assert libgang.parse_live(None).type is DocumentType.LIVE
    assert repr(libgang.parse_live(None)) == "<Document live>"
