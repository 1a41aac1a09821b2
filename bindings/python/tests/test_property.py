# SPDX-License-Identifier: Apache-2.0
"""Generated documents: the reader and writer against json and PyYAML, and text that is no document
at all."""

import json

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import libgang
from libgang import Format

settings.register_profile(
    "libgang", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=150
)
settings.load_profile("libgang")

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=30)
# PyYAML reads U+0085, U+2028 and U+2029 as line breaks (YAML 1.1) and no control characters.
PRINTABLE = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), max_size=20)
# PyYAML reads some plain words as text that are booleans and numbers for Kubernetes: y, 0E0.
PLAIN = ("y", "Y", "n", "N")
WORDS = PRINTABLE.filter(lambda word: word[:1].isalpha() and word not in PLAIN)
INTEGERS = st.integers(-(2**63), 2**63 - 1)


def trees(text):
    scalars = st.none() | st.booleans() | INTEGERS | text
    return st.recursive(
        scalars,
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(text.filter(bool), inner, max_size=4)
        ),
        max_leaves=25,
    )


def documents(text):
    return st.dictionaries(text.filter(bool), trees(text), min_size=1, max_size=5)


def through(text, format):
    with libgang.Stream(text) as stream:
        assert len(stream) == 1
        return stream.serialize(0, format)


@given(documents(TEXT))
def test_json_round_trip(document):
    text = json.dumps(document)
    assert json.loads(through(text, Format.JSON)) == document
    assert json.loads(through(json.dumps(document, ensure_ascii=False), Format.JSON)) == document


@given(documents(TEXT))
def test_yaml_that_libgang_writes_is_read_back(document):
    written = through(json.dumps(document), Format.YAML)
    assert json.loads(through(written, Format.JSON)) == document


@given(documents(PRINTABLE))
def test_pyyaml_reads_what_libgang_writes(document):
    assert yaml.safe_load(through(json.dumps(document), Format.YAML)) == document


@given(documents(WORDS))
def test_libgang_reads_what_pyyaml_writes(document):
    written = yaml.safe_dump(document, allow_unicode=True)
    assert json.loads(through(written, Format.JSON)) == document


@given(st.text(max_size=200) | st.binary(max_size=200) | documents(TEXT).map(json.dumps))
@settings(max_examples=400)
def test_no_text_crashes(source):
    for read in (libgang.parse, libgang.split, libgang.parse_live):
        try:
            read(source)
        except libgang.GangError as error:
            assert error.diagnostics


@given(st.dictionaries(st.sampled_from(["apiVersion", "kind", "metadata", "spec"]), trees(TEXT)))
def test_no_fields_crash(fields):
    head = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob"}
    try:
        libgang.resolve({**fields, **head})
    except libgang.GangError as error:
        assert error.diagnostics
