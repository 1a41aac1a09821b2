# SPDX-License-Identifier: Apache-2.0
"""Tests of the habits of command lines: suggestions, colours, limits, completion of kubectl."""

import hashlib
import json
import os
import pty
import re
import subprocess
import sys
import tarfile

import yaml
from bench import FOREIGN, GANGCTL, JOB, ROOT, RUNTIME


def test_mistyped_words_are_suggested(bench):
    bench.run("rendr").could_not_run("rendr: unknown command; did you mean 'gangctl render'?")
    bench.run("frobnicate").could_not_run("frobnicate: unknown command\n")
    bench.run("policy", "tst").could_not_run(
        "policy: needs one of init, schema, test; did you mean 'gangctl policy test'?"
    )
    meant = "polcy: unknown command; did you mean 'gangctl policy'?"
    bench.run("polcy", "init").could_not_run(meant)
    bench.run("policy").could_not_run("See 'gangctl help policy'.")
    bench.run("help", "lnt").could_not_run("did you mean 'gangctl lint'?", "See 'gangctl --help'.")
    bench.run("render", "--filname", "a").could_not_run(
        "--filname: unknown option; did you mean --filename?", "See 'gangctl help render'."
    )
    bench.run("policy", "init").could_not_run("See 'gangctl help policy init'.")


def test_every_help_fits_100_columns(bench):
    for topic in ("", "policy", "policy init", "policy schema", "policy test", "diff", "help"):
        bench.run("help", *topic.split()).expect(0, err="")
        assert max(map(len, bench.out.splitlines())) <= 100, bench.out
    lines = [line for line in bench.run("help").out.splitlines() if line.startswith("  gangctl ")]
    commands = lines[: lines.index(next(line for line in lines if " help " in line)) + 1]
    assert len({len(line) - len(line[26:]) for line in commands}) == 1, commands
    assert all(line[25] == " " and line[26] != " " for line in commands), commands


def on_terminal(bench, *arguments, **env):
    """What a terminal gets as standard output and error."""
    main, terminal = pty.openpty()
    names = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    subprocess.run(
        [GANGCTL, *arguments],
        cwd=bench.folder,
        stdout=terminal,
        stderr=terminal,
        env={**names, "TERM": "xterm", **env},
        check=False,
    )
    os.close(terminal)
    shown = b""
    try:
        while more := os.read(main, 4096):
            shown += more
    except OSError:
        pass
    os.close(main)
    return shown.decode().replace("\r\n", "\n")


def test_help_of_cluster_names_the_kinds_that_are_read(bench):
    read = (ROOT / "tools/gangctl/facts.c").read_text().split("} wanted_kinds[] = {")[1]
    kinds = re.findall(r'"(\w+)", \w+, true\}', read.split("};")[0])
    bench.run("help", "cluster").expect(0).prints(*kinds)


def test_every_help_lists_an_option_once(bench):
    topics = "render reconcile diff explain audit lint cluster backends version".split()
    for topic in (*topics, "policy init", "policy schema", "policy test"):
        out = bench.run("help", *topic.split()).expect(0, err="").out
        words = (line.split()[:2] for line in out.splitlines() if line.lstrip().startswith("-"))
        options = [word for pair in words for word in pair if word.startswith("--")]
        assert options, topic
        assert len(options) == len(set(options)), (topic, options)


def test_formats(bench):
    """Wherever JSON is written, YAML is; wherever text is the default, -o text asks for it."""
    bench.write("all.yaml", RUNTIME, JOB)
    bench.write("namespace.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: ml}\n")
    inputs = {
        "render": ("-f", "all.yaml"),
        "explain": ("-f", "all.yaml"),
        "audit": ("-f", "all.yaml"),
        "lint": ("-f", "all.yaml"),
        "reconcile": ("-f", "all.yaml", "--live", "-"),
        "diff": ("-f", "all.yaml", "--live", "-"),
        "cluster": ("-f", "namespace.yaml"),
        "policy test": (str(ROOT / "examples" / "policy-tests"),),
        "policy schema": (),
        "backends": (),
        "version": (),
    }
    with_text = {"explain", "audit", "lint", "reconcile", "diff", "policy test", "backends"}
    with_text.add("version")
    for command, rest in inputs.items():
        run = [*command.split(), *rest]
        plain = bench.run(*run)
        status, shown = plain.status, plain.out
        assert status == (1 if command == "diff" else 0), (command, bench.err)
        if command in with_text:
            assert bench.run(*run, "-o", "text").expect(status).out == shown, command
        values = {}
        for form, read in (("json", json_documents), ("yaml", yaml_documents)):
            values[form] = read(bench.run(*run, "-o", form).expect(status).out)
        assert values["json"] == values["yaml"], command


def json_documents(text):
    """One document, or one on each line."""
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.splitlines()]


def yaml_documents(text):
    return list(yaml.safe_load_all(text))


def test_colours_on_a_terminal_only(bench):
    hostile = "\x1b[31m"
    bench.write("all.yaml", RUNTIME, JOB + "  spare: 1\n  trainer:\n    numNodes: 0\n")
    lint = ("lint", "-f", "all.yaml")
    plain = bench.run(*lint).expect(1).out
    assert "\x1b" not in plain
    shown = on_terminal(bench, *lint)
    assert "\x1b[31merror\x1b[0m: all.yaml:" in shown, shown
    assert "\x1b[33mwarning\x1b[0m: all.yaml:" in shown, shown
    assert on_terminal(bench, *lint, NO_COLOR="1") == plain
    assert on_terminal(bench, *lint, TERM="dumb") == plain
    assert on_terminal(bench, *lint, NO_COLOR="") == shown
    said = on_terminal(bench, "render", "-f", f"no{hostile}where")
    assert said == "\x1b[31merror\x1b[0m: no\\x1b[31mwhere: No such file or directory\n", said
    assert "\x1b" not in on_terminal(bench, *lint, "-o", "json")


def test_limit_of_documents(bench):
    bench.write("all.yaml", RUNTIME, JOB, *[FOREIGN] * 1000)
    bench.run("render", "-f", "all.yaml").refuses("[GANG203]", "hint: pass --max-documents")
    bench.run("render", "-f", "all.yaml", "--max-documents", "1002").expect(0, err="")
    bench.run("render", "-f", "all.yaml", "--max-documents", "1001").refuses("[GANG203]")
    bench.run("audit", "-f", "all.yaml").expect(0, err="").prints("1 job: 1 GANG\n")
    for wrong in ("0", "10001", "x", "-1", "5x", ""):
        bench.run("lint", "-f", "all.yaml", "--max-documents", wrong).could_not_run(
            "must be a number from 1 to 10000"
        )


def config_map(index, **members):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"c{index}"}, **members}


def job_of(roles, containers=1):
    """A JobSet, in JSON, because PyYAML writes what is equal with an alias."""
    pod = {"containers": [{"name": f"c{i}", "image": "x"} for i in range(containers)]}
    jobs = [
        {"name": f"r{i}", "template": {"spec": {"template": {"spec": pod}}}} for i in range(roles)
    ]
    head = {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": {"name": "a"}}
    return json.dumps(head | {"spec": {"replicatedJobs": jobs}})


def test_other_limits_are_the_ceilings_of_the_library(bench):
    """Those of doc/limits.md: roles, containers, anchors, aliases and pods of one role."""
    numbers = ", ".join(f"{{a: &a{i} 1}}" for i in range(1024))
    aliases = ", ".join(["*a0"] * 1024)
    for name, most, above in (
        ("roles", job_of(1024), job_of(1025)),
        ("containers", job_of(1, 1024), job_of(1, 1025)),
        ("anchors", f"{JOB}x: [{numbers}]\n", f"{JOB}x: [{numbers}, &b 1]\n"),
        ("aliases", f"{JOB}x: [&a0 1, {aliases}]\n", f"{JOB}x: [&a0 1, {aliases}, *a0]\n"),
    ):
        bench.write(f"{name}.yaml", RUNTIME, most)
        bench.run("audit", "-f", f"{name}.yaml").expect(0)
        bench.write(f"{name}.yaml", RUNTIME, above)
        ran = bench.run("audit", "-f", f"{name}.yaml").expect(1)
        assert "1025" in ran.out + ran.err and "1024" in ran.out + ran.err, name
    bench.write("pods.yaml", RUNTIME, f"{JOB}  trainer: {{numNodes: 2147483647}}\n")
    bench.run("audit", "-f", "pods.yaml").expect(0)


def test_existing_objects_have_the_ceilings_of_the_library(bench):
    """A ConfigMap may have a megabyte, and a cluster any number of objects."""
    large = config_map("large", data={"model": "x" * 1000000})
    for name, items in ("large", [large]), ("many", map(config_map, range(100001))):
        objects = {"apiVersion": "v1", "kind": "List", "items": list(items)}
        bench.write("job.yaml", RUNTIME, JOB)
        bench.write(f"{name}.json", json.dumps(objects))
        live = ("-f", "job.yaml", "--live", f"{name}.json")
        bench.run("reconcile", *live).expect(0, err="").prints("Create    PodGroup ml/llama ")
        bench.run("why", *live).expect(3, err="")


def test_too_many_existing_objects(bench):
    """No option raises that limit."""
    bench.write("job.yaml", RUNTIME, JOB)
    items = ",".join(['{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"}}'] * 500001)
    bench.write("live.json", f'{{"apiVersion":"v1","kind":"List","items":[{items}]}}')
    ran = bench.run("reconcile", "-f", "job.yaml", "--live", "live.json")
    ran.refuses("live objects: 500001 is more than the limit of 500000")
    assert "hint" not in ran.err


def test_cluster_writes_what_it_reads(bench):
    """A GangCluster above the default limits of the library, which --cluster reads."""
    labels = {f"example.com/label-{i}": "x" * 60 for i in range(3)}
    spaces = [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": f"n{i}", "labels": labels}}
        for i in range(6000)
    ]
    bench.write("spaces.json", json.dumps({"apiVersion": "v1", "kind": "List", "items": spaces}))
    ran = bench.run("cluster", "-f", "spaces.json").expect(0)
    assert 1 << 20 < len(ran.out) < 3 << 20
    bench.write("cluster.yaml", ran.out)
    bench.write("job.yaml", RUNTIME, JOB)
    bench.run("audit", "-f", "job.yaml", "--cluster", "cluster.yaml").expect(0)


def test_a_list_needs_the_steps_of_its_size(bench):
    """In YAML in block style, where a value costs most; a larger one is read item by item."""
    lines = "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: j{}\nspec:\n  template:\n    spec:\n"
    item = f"{lines}      containers:\n      - name: c\n        image: x\n".replace("\n", "\n  ")
    items = [f"- {item.format(i)}".rstrip() for i in range(10000)]
    bench.write("list.yaml", "\n".join(["apiVersion: v1\nkind: List\nitems:", *items, ""]))
    assert 1 << 20 < os.path.getsize(bench.folder / "list.yaml") < 3 << 20
    bench.run("lint", "-f", "list.yaml").expect(0, err="").prints("10000 documents checked, ")


def test_completion_of_the_kubectl_plugin(bench):
    """kubectl reads candidates and the directive of Cobra: 4 offers no files."""
    script = ROOT / "tools" / "gangctl" / "kubectl_complete-gang"
    cases = {("lint", "-o", "js"): "json\n:4\n", ("lint", "-f", ""): ":0\n", ("why", "-o", "j"): "json\n:4\n"}
    for words, expected in cases.items():
        done = subprocess.run(
            [script, *words],
            env={**os.environ, "GANGCTL": GANGCTL},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == expected, done.stdout


def krew(bench, *arguments, status=0):
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "krew", *arguments],
        cwd=bench.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout if status == 0 else done.stderr


KREW_FILES = {"kubectl-gang", "gangctl", "LICENSE", "NOTICE"}


def program_of(bench, name):
    """In place of gangctl, which the build may have linked with its library."""
    path = bench.folder / name
    path.write_text("#!/bin/sh\necho '{\"gangctl\":\"0.1.0\"}'\n")
    path.chmod(0o755)
    return path


def test_krew_archive(bench):
    """Regular files only, as krew unpacks them, and the same bytes each time."""
    program = program_of(bench, "gangctl")
    (path,) = krew(bench, "archive", program, "out").split()
    with tarfile.open(bench.folder / path) as archive:
        files = {entry.name: entry for entry in archive}
        assert archive.extractfile("gangctl").read() == program.read_bytes()
    assert set(files) == KREW_FILES
    assert all(one.isreg() for one in files.values())
    assert files["kubectl-gang"].mode == files["gangctl"].mode == 0o755
    first = (bench.folder / path).read_bytes()
    os.utime(program, (0, 0))
    krew(bench, "archive", program, "out")
    assert (bench.folder / path).read_bytes() == first


def test_krew_manifest(bench):
    """The fields that krew requires (kubernetes-sigs/krew:pkg/index/types.go and validation)."""
    (path,) = krew(bench, "archive", program_of(bench, "gangctl"), "out").split()
    other = path.rsplit("_", 1)[0] + "_other.tar.gz"
    (bench.folder / other).write_bytes((bench.folder / path).read_bytes())
    text = krew(bench, "manifest", "https://example.com/v0.1.0/", path, other)
    assert "@" not in text, text
    manifest = yaml.safe_load(text)
    assert manifest["kind"] == "Plugin" and manifest["metadata"]["name"] == "gang"
    spec = manifest["spec"]
    assert spec["version"] == "v0.1.0" and len(spec["shortDescription"]) <= 50
    digest = hashlib.sha256((bench.folder / path).read_bytes()).hexdigest()
    assert len(spec["platforms"]) == 2
    for platform in spec["platforms"]:
        assert {"selector", "uri", "sha256", "bin", "files"} == set(platform), platform
        assert platform["sha256"] == digest and platform["bin"] == "kubectl-gang"
        assert {one["from"] for one in platform["files"]} == KREW_FILES
        labels = platform["selector"]["matchLabels"]
        name = f"kubectl-gang_v0.1.0_{labels['os']}_{labels['arch']}.tar.gz"
        assert platform["uri"] == f"https://example.com/v0.1.0/{name}", platform


def test_krew_refuses_what_it_cannot_unpack(bench):
    (path,) = krew(bench, "archive", program_of(bench, "gangctl"), "out").split()
    (bench.folder / "link").symlink_to("LICENSE")
    bench.write("LICENSE", "")
    with tarfile.open(bench.folder / path, "w:gz") as archive:
        archive.add(bench.folder / "link", "kubectl-gang")
    assert "does not unpack kubectl-gang" in krew(bench, "manifest", "https://a", path, status=1)
    with tarfile.open(bench.folder / path, "w:gz") as archive:
        archive.add(bench.folder / "LICENSE", "LICENSE")
    said = krew(bench, "manifest", "https://a", path, status=1)
    assert "must hold LICENSE, NOTICE, kubectl-gang and gangctl" in said, said
    assert "is not named" in krew(bench, "manifest", "https://a", "LICENSE", status=1)
