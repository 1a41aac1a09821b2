# SPDX-License-Identifier: Apache-2.0
"""Which documents belong to one job."""

from conftest import load

import libgang
from libgang._collection import Collection


def test_parsed_documents(runtime):
    (item,) = Collection([libgang.parse(runtime)]).items
    assert (item.role, item.document.name) == ("runtime", runtime["metadata"]["name"])


def test_roles():
    collection = Collection(
        [
            {"kind": "TrainJob"},
            {"kind": "GangPolicy"},
            {"apiVersion": "policy.libgang.dev/v1alpha1", "kind": "GangPolicy"},
            {"apiVersion": "v1", "kind": "Pod"},
        ]
    )
    assert [item.role for item in collection.items] == ["job", None, "policy", None]


def test_siblings_of_a_podgang():
    podgang, cliques = (load(f"grove-kai/{name}.yaml") for name in ("podgang", "podcliqueset"))
    second = {**podgang, "metadata": {**podgang["metadata"], "name": "another"}}
    alone = {**podgang, "metadata": {**podgang["metadata"], "name": "alone", "ownerReferences": []}}
    collection = Collection(
        [podgang, cliques, second, alone, {**cliques, "metadata": {"name": "unused"}}]
    )
    jobs = list(collection.jobs())
    assert [item.part.name for item in jobs] == [
        podgang["metadata"]["name"],
        "another",
        "alone",
        "unused",
    ]
    companions = [[one.part.name for one in collection.companions_of(item)] for item in jobs]
    owner = cliques["metadata"]["name"]
    assert companions == [[owner, "another"], [owner, podgang["metadata"]["name"]], [], []]


def test_a_podgang_that_cannot_be_parsed():
    podgang, cliques = (load(f"grove-kai/{name}.yaml") for name in ("podgang", "podcliqueset"))
    podgang["spec"] = 4
    assert len(list(Collection([podgang, cliques]).jobs())) == 2


def test_inputs_are_made_once(runtime, trainjob):
    second = {**trainjob, "metadata": {"name": "b", "namespace": "ml"}}
    collection = Collection([runtime, trainjob, second])
    first, other = collection.jobs()
    assert collection.inputs_of(first) is collection.inputs_of(other)
    assert collection.inputs_of(first).resolve(other.document).minimum == 4
