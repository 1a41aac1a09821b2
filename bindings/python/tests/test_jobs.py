# SPDX-License-Identifier: Apache-2.0
"""Jobs of other kinds, and jobs with several gangs."""

import inspect
import json
import types

import pytest
import yaml
from conftest import ROOT

import libgang

PODS = {
    "spec": {
        "containers": [
            {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}},
        ]
    }
}
EDGE = [{"name": "prepare", "status": "Complete"}]
JOBSET = {
    "apiVersion": "jobset.x-k8s.io/v1alpha2",
    "kind": "JobSet",
    "metadata": {"name": "bert", "namespace": "ml", "uid": "u-1"},
    "spec": {
        "replicatedJobs": [
            {"name": "prepare", "replicas": 2, "template": {"spec": {"template": PODS}}},
            {
                "name": "train",
                "replicas": 8,
                "dependsOn": EDGE,
                "template": {"spec": {"template": PODS}},
            },
        ]
    },
}
SIZES = {
    "apiVersion": "policy.libgang.dev/v1alpha1",
    "kind": "GangPolicy",
    "metadata": {"name": "sizes"},
    "spec": {
        "rules": [
            {"name": "large", "match": {"kinds": ["JobSet"], "minNodes": 8}, "backend": "volcano"},
            {"name": "rest", "match": {"kinds": ["*"]}, "backend": "coscheduling"},
        ]
    },
}


def serving(replicas):
    return {
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": "chat", "namespace": "ml", "uid": "u-2"},
        "spec": {
            "replicas": replicas,
            "leaderWorkerTemplate": {"size": 4, "workerTemplate": PODS},
        },
    }


def test_jobs_have_gangs():
    assert libgang.parse(JOBSET).num_gangs == 2
    assert libgang.parse(serving(1000000)).num_gangs == 1000000
    assert libgang.parse(serving(0)).num_gangs == 0
    assert libgang.parse(SIZES).num_gangs == 0
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "a"}}
    pods = {"template": {"spec": {"containers": [{"name": "c", "image": "i"}]}}}
    document = libgang.parse({**job, "spec": pods})
    assert (document.num_gangs, libgang.resolve(document).outcome) == (1, "NoGang")


def test_each_gang_has_a_row():
    class Broken:
        def to_dict(self):
            raise ValueError("no text")

    jobs = [JOBSET, Broken(), serving(3), serving(1)]
    rows = list(libgang.audit(jobs, [], policy=SIZES, workers=1))
    several = [(0, 2, 2), (1, 2, 8), (0, 1, 0), *((gang, 3, 4) for gang in range(3)), (0, 1, 4)]
    assert [(row.gang, row.gangs, row.minimum) for row in rows] == several
    assert libgang.Auditor([], SIZES).row(JOBSET) == rows[0]
    second = libgang.resolve(JOBSET, SIZES, gang=1).serialize(libgang.Format.ROW)
    assert second.splitlines() == [rows[1].text]


class Model:
    """As the models of the Kubeflow SDK."""

    def __init__(self, fields):
        self.fields = fields

    def to_dict(self):
        return self.fields


class Pydantic(Model):
    to_dict = None

    def model_dump(self, *, by_alias, exclude_none):
        assert (by_alias, exclude_none) == (True, True)
        return self.fields


def encoded(tree):
    return json.dumps(tree).encode()


# The one rule of the README: what every function takes for a document.
FORMS = {
    "mapping": dict,
    "another mapping": types.MappingProxyType,
    "JSON": json.dumps,
    "YAML": lambda tree: yaml.safe_dump(tree, sort_keys=False),
    "bytes": encoded,
    "bytearray": lambda tree: bytearray(encoded(tree)),
    "memoryview": lambda tree: memoryview(encoded(tree)),
    "model": Model,
    "pydantic model": Pydantic,
    "parsed": libgang.parse,
}
BINDING = {
    "apiVersion": "grove.io/v1alpha1",
    "kind": "ClusterTopologyBinding",
    "metadata": {"name": "nodes", "uid": "u"},
    "spec": {"levels": [{"domain": "rack", "key": "rack"}]},
}
EXISTING = {
    "apiVersion": "scheduling.volcano.sh/v1beta1",
    "kind": "PodGroup",
    "metadata": {"name": "other", "namespace": "ml"},
}


def live(form):
    """Existing objects have a parser of their own; a PodGroup is no document by itself."""
    return libgang.parse_live(EXISTING) if form is libgang.parse else form(EXISTING)


def actions(plan):
    return [(one.action, one.name) for one in plan.objects]


# Each gets a form, and passes its documents in that form.
FUNCTIONS = {
    "parse": lambda form: libgang.parse(form(JOBSET)).num_gangs,
    "resolve": lambda form: libgang.resolve(form(JOBSET), form(SIZES), gang=1).to_dict(),
    "plan": lambda form: libgang.plan(form(JOBSET), form(SIZES), gang=1).to_dict(),
    "Inputs.resolve": lambda form: libgang.Inputs(form(SIZES)).resolve(form(JOBSET)).to_dict(),
    "Inputs.plan": lambda form: libgang.Inputs(form(SIZES)).plan(form(JOBSET)).to_dict(),
    "Inputs.serialize": lambda form: libgang.Inputs(form(SIZES)).serialize(form(JOBSET)),
    "audit": lambda form: list(libgang.audit([form(JOBSET)], [], form(SIZES), workers=1)),
    "Auditor.row": lambda form: libgang.Auditor([], form(SIZES)).row(form(JOBSET)),
    "compare": lambda form: list(libgang.compare(None, form(SIZES), [form(JOBSET)], [])),
    "parse_live": lambda form: libgang.parse_live(live(form)).type,
    "Plan.reconcile": lambda form: actions(libgang.plan(JOBSET, SIZES).reconcile(live(form))),
    "a list of objects": lambda form: actions(
        libgang.plan(JOBSET, SIZES).reconcile([live(form), live(form)])
    ),
    "topology": lambda form: libgang.topology(form(BINDING)),
    "check_topology": lambda form: libgang.check_topology(form(BINDING), form(SIZES)),
    "compare_topology": lambda form: libgang.compare_topology(form(BINDING), live(form)),
}


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("form", FORMS)
def test_every_function_takes_every_form_of_a_document(function, form):
    answer = FUNCTIONS[function](FORMS[form])
    expected = FUNCTIONS[function](FORMS["mapping"])
    assert answer == expected or without_places(answer) == without_places(expected)


def without_places(answer):
    """Texts have lines and columns, which diagnostics and sources name; mappings have none."""
    if isinstance(answer, dict):
        return {k: without_places(v) for k, v in answer.items() if k not in ("line", "column")}
    if isinstance(answer, list):
        return [without_places(one) for one in answer]
    return answer


def test_every_function_is_in_the_table():
    takes = {
        name
        for name in libgang.__all__
        if callable(value := getattr(libgang, name))
        and not isinstance(value, type)
        and {"source", "job", "jobs", "binding"} & inspect.signature(value).parameters.keys()
    }
    assert takes - {"split"} <= FUNCTIONS.keys(), takes  # split() takes text alone


def test_each_gang_is_decided_by_itself():
    inputs = libgang.Inputs(SIZES)
    small, large = (inputs.resolve(JOBSET, gang) for gang in range(2))
    assert (small.backend, small.minimum, small.gang) == ("coscheduling", 2, 0)
    assert (large.backend, large.minimum, large.gang) == ("volcano", 8, 1)
    assert [one.name for one in large.render().objects] == ["bert-s1"]
    # the inputs do not keep the gang
    assert inputs.resolve(JOBSET).minimum == 2
    assert libgang.plan(JOBSET, SIZES, gang=1).objects[0].name == "bert-s1"
    assert libgang.resolve(JOBSET, SIZES, gang=1).backend == "volcano"
    assert "gang #1 of 2" in large.explain().splitlines()[0]
    assert "no match  rule large: match.minNodes: the job has 2 pods\n" in small.explain()


def test_a_gang_that_the_job_does_not_have():
    with pytest.raises(libgang.GangError):
        libgang.resolve(JOBSET, SIZES, gang=2)
    for gang in (-1, 1 << 64):
        with pytest.raises(ValueError, match="out of range"):
            libgang.resolve(JOBSET, SIZES, gang=gang)
        with pytest.raises(ValueError, match="out of range"):
            libgang.parse(JOBSET).gang_job(gang)
    for gang in ("1", 1.0, None):
        with pytest.raises(TypeError, match=rf"^gang: {gang!r} is not an integer$"):
            libgang.resolve(JOBSET, SIZES, gang=gang)


def test_the_gang_job_has_the_same_gang():
    job = libgang.parse(JOBSET)
    for gang in range(job.num_gangs):
        printed = job.gang_job(gang)
        read = libgang.parse(printed)
        assert (read.type, read.kind, read.num_gangs) == ("job", "GangJob", 1)
        assert read.gang_job() == printed
        expected = libgang.plan(JOBSET, SIZES, gang=gang).objects
        assert libgang.plan(read, SIZES).objects == expected
    with pytest.raises(libgang.GangError):
        job.gang_job(2)
    last = json.loads(libgang.parse(serving(1000000)).gang_job(999999))
    assert last["spec"]["groupName"] == "chat-999999"


def test_types_of_documents():
    assert libgang.type_of("jobset.x-k8s.io/v1alpha2", "JobSet") == "job"
    assert libgang.type_of(None, "RayJob") == "job"
    assert libgang.type_of("trainer.kubeflow.org/v1alpha1", "TrainJob") == "trainjob"
    assert libgang.type_of("ray.io/v2", "RayJob") is None
    assert libgang.type_of("v1", "ConfigMap") is None


@pytest.mark.parametrize("select", [0, 1])
def test_golden_of_two_gangs(select):
    folder = ROOT / "tests" / "golden" / "jobs" / "jobset-sizes"
    yaml = pytest.importorskip("yaml")
    case = folder / ("large-stage" if select else "small-stage") / "expected.yaml"
    expected = yaml.safe_load(case.read_text())
    job = yaml.safe_load((folder / "job.yaml").read_text())
    policy = yaml.safe_load((folder / "policy.yaml").read_text())
    plan = libgang.plan(job, policy, gang=select)
    assert expected["select"] == select
    assert [one.manifest for one in plan.objects] == expected["objects"]
