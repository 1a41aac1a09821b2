# SPDX-License-Identifier: Apache-2.0
"""`python -m libgang` beyond the goldens: files, streams, settings that are wrong."""

import importlib.machinery
import importlib.util
import io
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest
import yaml
from conftest import EXAMPLES, GOLDEN, ROOT, command_line

import libgang

TORCHTUNE = EXAMPLES / "torchtune-llama"
OWN_POLICY = (EXAMPLES / "policies/compatibility.yaml").read_text()


@pytest.fixture
def folder(tmp_path, runtime, trainjob):
    (tmp_path / "runtime.yaml").write_text(yaml.safe_dump(runtime))
    (tmp_path / "trainjob.yaml").write_text(yaml.safe_dump(trainjob))
    return tmp_path


def stdin_of(monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def both(module, gangctl, *arguments):
    expected, actual = gangctl(*arguments), module(*arguments)
    assert (actual.stdout, actual.stderr, actual.returncode) == (
        expected.stdout,
        expected.stderr.replace(b"'gangctl ", b"'python -m libgang "),
        expected.returncode,
    )
    return actual


def test_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "libgang", "render", "-o", "json", *command_line(TORCHTUNE)],
        capture_output=True,
        check=False,
    )
    assert (json.loads(done.stdout)["kind"], done.returncode) == ("PodGroup", 0)


@pytest.mark.parametrize("verb", ["render", "audit"])
def test_standard_output_that_cannot_be_written(verb):
    """A full disk is an error, and a reader that has enough, such as `head`, is none."""
    command = [sys.executable, "-m", "libgang", verb, "-f", EXAMPLES / "torch"]
    with pathlib.Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    last = done.stderr.splitlines()[-1]
    assert (done.returncode, last) == (2, b"error: standard output cannot be written")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert done.returncode == 2
    assert b"cannot be written" not in done.stderr
    assert b"Traceback" not in done.stderr


def test_version(module):
    assert module("--version").stdout.startswith(b"libgang ")


def test_wrong_usage(module):
    assert module("render").returncode == 2
    assert module("explode").returncode == 2


def test_standard_input(module, monkeypatch, runtime, trainjob):
    stdin_of(monkeypatch, yaml.safe_dump_all([runtime, trainjob]))
    assert b"minMember: 4" in module("render", "-f", "-").stdout


def test_lists(module, tmp_path, runtime, trainjob):
    listed = {"apiVersion": "v1", "kind": "List", "items": [runtime, trainjob]}
    (tmp_path / "list.json").write_text(json.dumps(listed))
    assert b"minMember: 4" in module("render", "-f", tmp_path).stdout


def test_places_of_lists(module, tmp_path, runtime, trainjob):
    """An item has the line of its List: its text is written again, so it has no place of its
    own."""
    trainjob["spec"]["unknown"] = 1
    listed = {"kind": "List", "items": [runtime, trainjob]}
    file = tmp_path / "list.yaml"
    file.write_text("# of kubectl\n---\n" + yaml.safe_dump(listed))
    found = module("lint", "-f", file).stdout.decode()
    assert f'warning: {file}:3: spec.unknown: unknown field "spec.unknown"' in found, found
    assert str(file) not in module("explain", "-v", "-f", file).stdout.decode()


def test_documents_that_are_ignored(module, gangctl, folder, volcano):
    texts = (
        "apiVersion: kubeflow.org/v2\nkind: PyTorchJob",
        "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJobs",
        "apiVersion: policy.libgang.dev/v1alpha1\nkind: Policy",
        "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangPlan",
        "apiVersion: v1\nkind: ConfigMap",
        volcano.read_text(),
    )
    (folder / "more.yaml").write_text("\n---\n".join(texts))
    for verb, applied in (("render", 2), ("explain", 2), ("lint", 0)):
        done = both(module, gangctl, verb, "-f", folder)
        told = done.stdout + done.stderr
        assert (told.count(b"is ignored"), told.count(b"is not applied")) == (3, applied), told
    assert module("audit", "-f", folder).stderr.count(b"warning: ") == 5
    (folder / "nameless.yaml").write_text("apiVersion: trainer.kubeflow.org/v1alpha1")
    assert module("audit", "-f", folder).returncode == 1
    for verb in ("render", "explain", "lint"):
        assert both(module, gangctl, verb, "-f", folder).returncode == 1


def test_a_file_that_is_not_there(module):
    done = module("render", "-f", "/there/is/none.yaml")
    assert (done.returncode, done.stderr) == (
        2,
        b"error: /there/is/none.yaml: No such file or directory\n",
    )


def test_directories(module, gangctl, folder):
    (folder / ".hidden.yaml").write_text("{")
    (folder / "notes.txt").write_text("{")
    deeper = folder / "deeper"
    deeper.mkdir()
    (deeper / "other.yaml").write_text("kind: ConfigMap\n")
    for flags in ((), ("-R",)):
        both(module, gangctl, "lint", "-f", folder, *flags)
        both(module, gangctl, "render", "-f", folder, *flags)


def test_no_runtime(module, gangctl, folder):
    trainjob = folder / "trainjob.yaml"
    for verb in ("render", "explain"):
        assert both(module, gangctl, verb, "-f", trainjob).returncode == 1
    both(module, gangctl, "lint", "-v", "-f", trainjob)
    both(module, gangctl, "lint", "-f", folder / "runtime.yaml", "-v")


def test_runtimes_without_jobs(module, gangctl, folder, policy):
    runtime = yaml.safe_load((folder / "runtime.yaml").read_text())
    runtime["spec"]["mlPolicy"]["numNodes"] = 0
    runtime["spec"]["template"]["spec"]["replicatedJobs"][0]["dependsOn"] = [
        {"name": "no-role", "status": "Ready"}
    ]
    (folder / "runtime.yaml").write_text(yaml.safe_dump(runtime))
    (folder / "policy.yaml").write_text(yaml.safe_dump(policy))
    lint = ("lint", "-f", folder / "runtime.yaml")
    done = both(module, gangctl, *lint)
    assert done.returncode == 1
    assert all(code in done.stdout for code in (b"[GANG029]", b"[GANG020]"))
    both(module, gangctl, *lint, "-v", "-p", folder / "policy.yaml")
    incomplete = yaml.safe_load((folder / "trainjob.yaml").read_text())
    del incomplete["spec"]["runtimeRef"]
    incomplete["spec"]["trainer"] = {"numNodes": 0}
    (folder / "trainjob.yaml").write_text(yaml.safe_dump(incomplete))
    done = both(module, gangctl, "lint", "-f", folder / "trainjob.yaml")
    assert all(path in done.stdout for path in (b"spec.trainer.numNodes", b"spec.runtimeRef"))


def test_no_jobs(module, gangctl, folder):
    (folder / "empty.yaml").write_text("")
    both(module, gangctl, "render", "-f", folder / "empty.yaml")
    both(module, gangctl, "render", "-f", folder / "runtime.yaml")
    done = module("lint", "-f", folder / "empty.yaml")
    assert (done.returncode, b"the input holds no runtime" in done.stdout) == (1, True)


def test_duplicates_and_ambiguous_runtimes(module, gangctl, folder, runtime):
    (folder / "second.yaml").write_text(yaml.safe_dump(runtime))
    both(module, gangctl, "render", "-f", folder)
    (folder / "second.yaml").unlink()
    for name in ("a", "b"):
        other = {
            **runtime,
            "kind": "TrainingRuntime",
            "metadata": {**runtime["metadata"], "namespace": name},
        }
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(other))
    trainjob = yaml.safe_load((folder / "trainjob.yaml").read_text())
    del trainjob["metadata"]["namespace"]
    trainjob["spec"]["runtimeRef"]["kind"] = "TrainingRuntime"
    (folder / "trainjob.yaml").write_text(yaml.safe_dump(trainjob))
    assert both(module, gangctl, "render", "-f", folder).returncode == 1


def test_documents_that_cannot_be_read(module, gangctl, folder):
    (folder / "broken.yaml").write_text("a: [")
    both(module, gangctl, "render", "-f", folder)
    (folder / "broken.yaml").unlink()
    wrong = yaml.safe_load((folder / "runtime.yaml").read_text())
    wrong["spec"]["template"] = 4
    (folder / "runtime.yaml").write_text(yaml.safe_dump(wrong))
    for verb in ("render", "lint", "explain"):
        assert both(module, gangctl, verb, "-f", folder).returncode == 1


def test_policies(module, gangctl, folder, policy):
    path = folder / "policies"
    path.mkdir()
    (path / "policy.yaml").write_text(yaml.safe_dump(policy))
    both(module, gangctl, "explain", "-f", folder, "-p", path / "policy.yaml")
    both(module, gangctl, "lint", "-f", path / "policy.yaml", "-v")
    policy["spec"]["rules"][0]["match"]["minNodes"] = 2
    (path / "policy.yaml").write_text(yaml.safe_dump(policy))
    for verb in ("render", "lint", "explain"):
        assert both(module, gangctl, verb, "-f", folder, "-p", path / "policy.yaml").returncode == 1
    both(module, gangctl, "lint", "-f", folder / "trainjob.yaml", "-p", path / "policy.yaml")
    policy["spec"]["unknown"] = 1
    (path / "policy.yaml").write_text(yaml.safe_dump(policy))
    both(module, gangctl, "render", "-f", folder, "-p", path / "policy.yaml")
    both(module, gangctl, "lint", "-f", path / "policy.yaml")


SETTINGS = {
    "a ConfigMap": ["apiVersion: v1\nkind: ConfigMap"],
    "a ConfigMap before a policy": ["kind: ConfigMap", OWN_POLICY],
    "a ConfigMap after a policy": [OWN_POLICY, "kind: ConfigMap"],
    "two policies": [OWN_POLICY, OWN_POLICY],
    "an unknown version": ["apiVersion: policy.libgang.dev/v9\nkind: GangPolicy"],
    "no kind": ["metadata: {name: a}"],
    "no document": ["# none"],
    "no YAML": ["a: ["],
    "no YAML after a policy": [OWN_POLICY, "a: ["],
}


@pytest.mark.parametrize("documents", SETTINGS.values(), ids=SETTINGS)
def test_settings_that_are_none(module, gangctl, folder, tmp_path, documents):
    (tmp_path / "setting.yaml").write_text("\n---\n".join(documents))
    for option in ("-p", "--cluster"):
        for verb in ("render", "explain", "lint"):
            done = both(module, gangctl, verb, "-f", folder, option, tmp_path / "setting.yaml")
            assert done.returncode == 1


def test_warnings(module, gangctl, folder):
    trainjob = yaml.safe_load((folder / "trainjob.yaml").read_text())
    trainjob["spec"]["unknown%,"] = 1
    (folder / "trainjob.yaml").write_text(yaml.safe_dump(trainjob))
    assert both(module, gangctl, "lint", "-f", folder).returncode == 0
    assert both(module, gangctl, "lint", "-f", folder, "--fail-on-warn").returncode == 1
    assert both(module, gangctl, "lint", "-f", folder, "-o", "github").returncode == 0
    assert both(module, gangctl, "render", "-f", folder, "--strict").returncode == 1


def test_no_gang(module, gangctl, folder, runtime):
    del runtime["spec"]["podGroupPolicy"]
    (folder / "runtime.yaml").write_text(yaml.safe_dump(runtime))
    done = both(module, gangctl, "render", "-f", folder)
    assert (done.returncode, done.stdout) == (0, b"")


def test_topologies(module, gangctl, tmp_path):
    from test_api import BINDING

    (tmp_path / "binding.yaml").write_text(yaml.safe_dump(BINDING))
    both(module, gangctl, "render", "-f", tmp_path)
    binding = yaml.safe_load(yaml.safe_dump(BINDING))
    binding["spec"]["levels"] = 4
    (tmp_path / "binding.yaml").write_text(yaml.safe_dump(binding))
    both(module, gangctl, "render", "-f", tmp_path)


def test_explain_as_a_picture(module, gangctl):
    both(module, gangctl, "explain", "-o", "svg", *command_line(TORCHTUNE))


def test_explain_as_documents(module, gangctl):
    for format in ("yaml", "json"):
        both(module, gangctl, "explain", "-o", format, *command_line(TORCHTUNE))


def test_jobs_that_need_different_runtimes(module, gangctl, folder, policy):
    """One runtime, two jobs, and a policy that gives them two schedulers."""
    trainjob = yaml.safe_load((folder / "trainjob.yaml").read_text())
    trainjob["metadata"]["name"] = "second"
    (folder / "second.yaml").write_text(yaml.safe_dump(trainjob))
    assert (
        both(
            module, gangctl, "render", "--target", "runtime", "-o", "json", "-f", folder
        ).returncode
        == 0
    )
    assert (
        both(module, gangctl, "render", "--target", "job", "-o", "json", "-f", folder).returncode
        == 0
    )
    path = folder / "policies"
    path.mkdir()
    labels = {"matchLabels": {"kind": "other"}}
    rule = {
        "name": "other",
        "match": {"trainJobSelector": labels},
        "priorityClassName": {"name": "high", "override": "Always"},
    }
    policy["spec"]["rules"] = [rule]
    (path / "policy.yaml").write_text(yaml.safe_dump(policy))
    trainjob["metadata"]["labels"] = {"kind": "other"}
    (folder / "second.yaml").write_text(yaml.safe_dump(trainjob))
    done = both(
        module,
        gangctl,
        "render",
        "--target",
        "runtime",
        "-o",
        "json",
        "-f",
        folder,
        "-p",
        path / "policy.yaml",
    )
    assert (done.returncode, b"a runtime of its own" in done.stderr) == (1, True)


# ---- jobs of other kinds ----

# Only gangctl puts single pods together.
OTHER_JOBS = [
    path
    for path in sorted((GOLDEN / "jobs").glob("*/job.yaml"))
    if not path.parent.name.startswith("pod-list")
]
VOLCANO = {
    "apiVersion": "policy.libgang.dev/v1alpha1",
    "kind": "GangPolicy",
    "metadata": {"name": "volcano"},
    "spec": {"defaultBackend": "volcano"},
}


@pytest.fixture
def volcano(tmp_path):
    path = tmp_path / "volcano.yaml"
    path.write_text(yaml.safe_dump(VOLCANO))
    return path


@pytest.mark.parametrize("job", OTHER_JOBS, ids=lambda path: path.parent.name)
def test_jobs_of_other_kinds(module, gangctl, volcano, job):
    for verb in ("render", "explain", "lint"):
        both(module, gangctl, verb, "-f", job, "-p", volcano, "-v")
    both(module, gangctl, "render", "-f", job, "-p", volcano, "--target", "job", "-o", "json")
    both(module, gangctl, "render", "-f", job, "-p", volcano, "--target", "plan", "-o", "json")


def serving(replicas):
    pod = {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}]}
    return {
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": "chat", "namespace": "ml"},
        "spec": {
            "replicas": replicas,
            "leaderWorkerTemplate": {"size": 4, "workerTemplate": {"spec": pod}},
        },
    }


def test_one_gang_of_a_job(module, gangctl, tmp_path, volcano):
    job = tmp_path / "job.yaml"
    for replicas in (3, 1000000):
        job.write_text(yaml.safe_dump(serving(replicas)))
        for gang in ("0", "2", "chat-2", "chat-7", "1000000", "chat", "other"):
            for verb in ("render", "explain"):
                both(module, gangctl, verb, "-f", job, "-p", volcano, "--gang", gang)
        both(module, gangctl, "lint", "-f", job, "-p", volcano, "-v")
    assert both(module, gangctl, "render", "-f", job, "-p", volcano).returncode == 1


def test_jobs_without_a_gang(module, gangctl, tmp_path, volcano):
    job = tmp_path / "job.yaml"
    job.write_text(yaml.safe_dump(serving(0)))
    for verb in ("render", "explain", "lint"):
        both(module, gangctl, verb, "-f", job, "-p", volcano)


def test_gang_jobs_of_one_owner(module, gangctl, tmp_path, volcano):
    job, roles = tmp_path / "job.yaml", tmp_path / "roles.yaml"
    job.write_text(yaml.safe_dump(serving(3)))
    printed = gangctl("roles", "-f", job).stdout
    roles.write_bytes(printed)
    both(module, gangctl, "render", "-f", roles, "-p", volcano)
    roles.write_bytes(printed + b"---\n" + printed)
    assert both(module, gangctl, "render", "-f", roles, "-p", volcano).returncode == 1


def test_jobs_of_other_kinds_that_are_wrong(module, gangctl, tmp_path, volcano):
    job = tmp_path / "job.yaml"
    wrong = serving(2)
    wrong["spec"]["leaderWorkerTemplate"]["size"] = "many"
    job.write_text(yaml.safe_dump(wrong))
    for verb in ("render", "explain", "lint"):
        assert both(module, gangctl, verb, "-f", job, "-p", volcano).returncode == 1


def same_audit(module, gangctl, *arguments):
    """The rows and the totals of gangctl, in order. Returns their number."""
    expected = gangctl("audit", *arguments, "-o", "ndjson")
    actual = module("audit", *arguments)
    assert actual.returncode == expected.returncode
    rows = [json.loads(line) for line in actual.stdout.splitlines()]
    wanted = [json.loads(line) for line in expected.stdout.splitlines()]
    for row, want in zip(rows, wanted, strict=True):
        row.pop("gangs", None)
        only_of_files = {key: want.pop(key) for key in ("file", "line", "runtime")}
        given = {key: value for key, value in want.items() if value is not None}
        assert row == given, only_of_files
    table = gangctl("audit", *arguments).stdout.splitlines()
    assert actual.stderr.splitlines()[-1] == table[-1]
    return len(rows)


def test_audit_of_documents_with_errors(module, tmp_path, runtime, trainjob):
    """The other jobs have their rows."""
    wrong = {**runtime, "metadata": {"name": "wrong"}, "spec": {"template": 1}}
    of_wrong = {**trainjob, "metadata": {"name": "b"}}
    of_wrong["spec"] = {**trainjob["spec"], "runtimeRef": {"name": "wrong"}}
    podgang = {"apiVersion": "scheduler.grove.io/v1alpha1", "kind": "PodGang"}
    trees = [runtime, wrong, trainjob, of_wrong, {**podgang, "metadata": {"name": 1}}]
    jobs = tmp_path / "jobs.yaml"
    jobs.write_text(yaml.safe_dump_all(trees))
    done = module("audit", "-f", jobs)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["outcome"] for row in rows] == ["Gang", "Invalid", "Invalid"]
    assert re.search(rb"jobs.yaml:\d+:\d+: spec.template: Invalid value: 1", done.stderr)
    assert done.stderr.endswith(b"3 jobs: 1 GANG, 2 INVALID\n")
    assert done.returncode == 1
    jobs.write_text(yaml.safe_dump(runtime))
    assert module("audit", "-f", jobs).returncode == 1


@pytest.mark.parametrize(
    ("name", "text", "rows", "message"),
    [
        ("a.json", b'{"a": ', 0, b"unexpected end of the text"),
        ("a.json", b"\xff\xfe\x00", 0, b"UTF-16"),
        ("a.json", b'{"kind": "List", "items": 3}', 0, b"items: Invalid value: must be a list"),
        ("a.json", b'{"kind": "TrainJob"}{"kind": "TrainJob"}', 2, b""),
        ("a.json", b'{"kind": "List", "items": [1, {"kind": "TrainJob"}]}', 2, b""),
        ("a.yaml", b"a: [", 0, b"did not find expected node content"),
        ("a.yaml", b"kind: List\nitems: [1]", 0, b"items[0]: Invalid value: the document must be"),
        ("a.ndjson", b'{"kind": "TrainJob"}\n[\n\xff\n', 3, b""),
        ("a.parquet", b"", 0, b""),
    ],
)
def test_jobs_that_cannot_be_read(module, tmp_path, folder, name, text, rows, message):
    jobs = tmp_path / name
    jobs.write_bytes(text)
    done = module("audit", "-f", folder / "runtime.yaml", "--jobs", jobs)
    has_reader = any(map(importlib.util.find_spec, ("pyarrow", "duckdb")))
    assert done.returncode == (1 if has_reader or name != "a.parquet" else 2), done
    assert (done.stdout.count(b"\n"), message in done.stderr) == (rows, True), done


def test_lists_that_cannot_be_read(module, tmp_path):
    file = tmp_path / "list.yaml"
    for items, path in (("3", "items"), ("{a: 1}", "items"), ("[{}, 1]", "items[1]")):
        file.write_text(f"---\nkind: List\nitems: {items}\n")
        for verb in ("render", "explain", "lint", "audit"):
            done = module(verb, "-f", file)
            assert f"error: {file}:2: {path}: Invalid value: ".encode() in b"".join(
                (done.stdout, done.stderr)
            )
            assert done.returncode == 1


def test_strict_audit(module, gangctl, tmp_path, runtime, trainjob):
    trainjob["spec"]["unknown"] = 1
    (tmp_path / "jobs.yaml").write_text(yaml.safe_dump_all([runtime, trainjob]))
    (row,) = module("audit", "-f", tmp_path).stdout.splitlines()
    assert (json.loads(row)["outcome"], json.loads(row)["diagnostics"]) == ("Gang", ["GANG301"])
    assert same_audit(module, gangctl, "--strict", "-f", tmp_path) == 1
    assert module("audit", "--strict", "-f", tmp_path).returncode == 1
    (row,) = libgang.audit([trainjob], [runtime], strict=True)
    assert (row.outcome, row.diagnostics) == ("Invalid", ["GANG301"])


def crossed():
    """The generator of tests/golden/crossed, which crosses the documents of all golden cases."""
    sys.path.insert(0, str(GOLDEN))
    loader = importlib.machinery.SourceFileLoader("crossed", str(GOLDEN / "crossed"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("crossed", loader))
    loader.exec_module(module)
    return module


def forms_of(trees, dump, rng):
    yield dump(trees)
    yield "---\n".join(dump([tree], default_flow_style=True) for tree in trees)
    yield "\n".join(map(json.dumps, trees))
    yield dump([*trees, {**rng.choice(trees), "metadata": {"name": "other", "namespace": "ml"}}])
    yield dump([*trees, rng.choice(trees)])
    yield dump(rng.sample(trees, len(trees) - 1))


# Pods are only in gangctl.
ONLY_IN_GANGCTL = re.compile('"kind": "Pod(List)?"')
CASES = 60


def test_crossed_documents(module, gangctl, tmp_path):
    generator = crossed()
    corpus = generator.Corpus()
    compared = 0
    for seed in range(CASES):
        case = generator.Case(None, corpus, seed, tmp_path)
        trees = generator.load(pathlib.Path(case.job))
        if ONLY_IN_GANGCTL.search(json.dumps(trees)):
            continue
        text = case.rng.choice(list(forms_of(trees, generator.dump, case.rng)))
        job = case.write("form.yaml", text)
        for verb in ("render", "explain", "lint", "lint -o json -v", "render --target plan"):
            arguments = (*verb.split(), "-f", job, *case.options)
            both(module, gangctl, *arguments)
            compared += 1
    assert compared > CASES


POLICIES = sorted((EXAMPLES / "policies").glob("*.yaml"))


@pytest.mark.parametrize("policy", POLICIES, ids=lambda path: path.stem)
def test_audit_as_gangctl(module, gangctl, tmp_path, policy):
    """On jobs of all kinds: those of the examples, of the golden cases, and the recorded ones. Of
    pods, gangctl puts those of all documents together."""
    recorded = []
    for path in sorted((ROOT / "tests/recorded/kinds").glob("*.ndjson")):
        if path.stem != "podlist":
            recorded += [json.loads(line)["object"] for line in path.open()][:70]
    for index, job in enumerate(recorded):  # names are those of each kind
        job["metadata"]["name"] = f"{job['metadata'].get('name', 'j')[:40]}-{index}"
    (tmp_path / "jobs.json").write_text(json.dumps({"kind": "List", "items": recorded}))
    rows = same_audit(module, gangctl, "-f", tmp_path / "jobs.json", "-p", policy)
    for path in OTHER_JOBS:
        rows += same_audit(module, gangctl, "-f", path, "-p", policy)
    for folder in sorted(EXAMPLES.iterdir()):
        if any((folder / name).exists() for name in ("trainjob.yaml", "podgang.yaml")):
            rows += same_audit(module, gangctl, "-f", folder, "-p", policy)
    rows += same_audit(module, gangctl, "-f", EXAMPLES / "jobs", "-p", policy)
    assert rows > 1000


def test_audit_of_jobs_of_other_kinds(module, tmp_path, volcano):
    jobs = [serving(2), {"kind": "ConfigMap"}, {"apiVersion": "v1", "kind": "Secret"}]
    listed = {"apiVersion": "v1", "kind": "List", "items": jobs}
    (tmp_path / "jobs.yaml").write_text(yaml.safe_dump_all(jobs))
    (tmp_path / "jobs.json").write_text(json.dumps(listed))
    for name in ("jobs.yaml", "jobs.json"):
        done = module("audit", "-f", volcano, "--jobs", tmp_path / name, "-p", volcano)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        assert [(row["kind"], row["minimum"]) for row in rows] == [("LeaderWorkerSet", 4)] * 2
        assert done.stderr == b"1 job, 2 gangs: 2 GANG\n"
