# SPDX-License-Identifier: Apache-2.0
"""The benchmark's peer follows the same rules: its results are those of libgang."""

import json
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "bindings" / "python" / "bench"))

import compare
import peer


@pytest.mark.parametrize("runtime", compare.RUNTIMES)
@pytest.mark.parametrize("job", compare.JOBS)
def test_the_peer_agrees(runtime, job):
    for make in (compare.case, compare.case_of_files):
        ours, theirs = make(runtime, job)
        assert json.loads(ours()) == json.loads(theirs())
    ours, theirs, batch = compare.case_of_a_batch(runtime, job)
    assert {json.dumps(compare.columns_of(line)) for line in ours()} == {
        json.dumps(json.loads(theirs()))
    }
    assert len(ours()) == batch


def test_a_job_that_the_peer_refuses():
    job = compare.load("trainjobs", "mini")
    job["spec"]["unknown"] = 1
    job["spec"]["trainer"]["numNodes"] = "4"
    with pytest.raises(ValueError, match=r"numNodes: must be a int; spec.unknown: unknown field"):
        peer.decide({}, json.dumps(job))


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("1.5Gi", "1536Mi"),
        ("0.5", "500m"),
        ("1000", "1k"),
        ("0.1n", "1n"),
        ("512", "512"),
        ("2048Mi", "2Gi"),
        ("0", "0"),
    ],
)
def test_quantities_of_the_peer(text, printed):
    assert peer.print_quantity(*peer.parse_quantity(text)) == printed
