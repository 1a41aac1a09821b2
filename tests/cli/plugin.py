# SPDX-License-Identifier: Apache-2.0
"""Tests of kubectl-gang, with what a real kubectl answered (tests/recorded/kubectl)."""

import json
import os
import re
import shutil
import subprocess

import yaml
from bench import GANGCTL, POLICY, ROOT, VOLCANO, WRAPPER

PLUGIN = ROOT / "tools" / "gangctl" / "kubectl-gang"
KUBECTL = ROOT / "tests" / "recorded" / "kubectl" / "kubectl"
ANSWERS = KUBECTL.parent / "answers.ndjson"
HOSTILE = "a b;'\"$(touch pwned)`touch pwned`"


class Ran:
    def __init__(self, done):
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr


def plugin(bench, *arguments, program=PLUGIN, stdin="", **env):
    """Runs the plugin in the folder of the bench; KUBECTL answers what was recorded."""
    script = bench.folder / "gangctl-of-the-build"
    script.write_text(f"#!/bin/sh\nexec {' '.join([*WRAPPER, GANGCTL])} \"$@\"\n")
    script.chmod(0o755)
    scratch = bench.folder / "scratch"
    scratch.mkdir(exist_ok=True)
    env = {"KUBECTL": str(KUBECTL), "GANGCTL": str(script), "TMPDIR": str(scratch), **env}
    done = subprocess.run(
        [program, *arguments],
        cwd=bench.folder,
        env=os.environ | env,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )
    assert list(scratch.iterdir()) == [], "files are left"
    assert not (bench.folder / "pwned").exists()
    return Ran(done)


def words_of(variable):
    text = re.search(rf"^{variable}='\n(.*?)'$", PLUGIN.read_text(), re.M | re.S)[1]
    return text.split("\n")[:-1]


def recorded_output(*words):
    """What kubectl printed for the one recorded command that has these words."""
    answers = [json.loads(line) for line in ANSWERS.read_text().splitlines()]
    (found,) = [one for one in answers if all(word in one["arguments"] for word in words)]
    return found


def jobs_of(*words):
    names = [one for one in words_of("jobs") if one in served()]
    return recorded_output(",".join(names), *words)["stdout"]


def served():
    return recorded_output("api-resources", "--context=c")["stdout"].split()


def test_plugin_reads_the_jobs_of_a_cluster(bench):
    bench.write("policy.yaml", VOLCANO)
    for verb in ("audit", "explain", "lint", "roles"):
        options = [] if verb == "roles" else ["-p", "policy.yaml"]
        ran = plugin(bench, verb, "--context", "c", "-A", *options)
        bench.run(verb, "-f", "-", *options, stdin=jobs_of("--all-namespaces", "--context=c"))
        assert (ran.status, ran.out, ran.err) == (bench.status, bench.out, bench.err), verb
        assert ran.out, verb
    assert "ml         mnist" in plugin(bench, "audit", "--context=c", "-A").out
    assert len(set(served()) & set(words_of("jobs"))) >= 6


def test_scheduler_that_the_server_wrote(bench):
    """The server writes default-scheduler where a Job names none, so it says nothing about the job."""
    bench.write("policy.yaml", VOLCANO)
    ran = plugin(bench, "audit", "--context=c", "-A", "-p", "policy.yaml", "-o", "json")
    (sweep,) = [one for one in json.loads(ran.out)["jobs"] if one["namespace"] == "batch"]
    assert (sweep["outcome"], sweep["backend"]) == ("Gang", "volcano"), sweep
    pods = yaml.safe_load((ROOT / "tests/golden/jobs/pod-list-stored/job.yaml").read_text())
    for pod in pods["items"]:
        pod["spec"]["schedulerName"] = "default-scheduler"
    stored = json.dumps(pods)
    bench.run("render", "-f", "-", "-p", "policy.yaml", stdin=stored).expect(1)
    assert bench.err.count("GANG008") == 1, bench.err  # pods that exist are of that scheduler
    for pod in pods["items"]:
        del pod["metadata"]["uid"]
    created = json.dumps(pods)
    bench.run("render", "-f", "-", "-p", "policy.yaml", "--target", "plan", stdin=created).expect(0)
    bench.prints("schedulerName: volcano")


def test_plugin_chooses_namespaces_and_jobs(bench):
    for option in (["-n", "ml"], ["-nml"], ["--namespace=ml"], ["--namespace", "ml"]):
        ran = plugin(bench, "audit", "--context=c", *option, "-o", "json")
        names = {(one["namespace"], one["name"]) for one in json.loads(ran.out)["jobs"]}
        assert names == {("ml", "mnist"), ("ml", "pretrain")}, names
    ran = plugin(bench, "audit", "--context=c", "-A", "--job", "other/mnist", "-o=json")
    assert [one["namespace"] for one in json.loads(ran.out)["jobs"]] == ["other"]
    ran = plugin(bench, "audit", "--context=c", "-A", "-l", "tier in (test)")
    assert ran.status == 1 and "no job among the inputs has the name" in ran.err
    ran = plugin(bench, "audit", "--context=c", "-n", "nowhere")
    assert ran.status == 1 and "is among the inputs" in ran.err, ran.err


def test_plugin_compares_with_the_cluster(bench):
    bench.write("policy.yaml", VOLCANO)
    ran = plugin(bench, "diff", "--context=c", "-n", "ml", "-p", "policy.yaml", "-o", "json")
    assert ran.status == 1, ran.err
    changes = json.loads(ran.out)["changes"]
    found = {f"{one['kind']} {one['name']}": one["change"] for one in changes}
    assert found == {
        "PodGroup mnist": "Added",
        "PodGroup pretrain": "Added",
        "ClusterTrainingRuntime torch-distributed": "Changed",
        "TrainJob mnist": "Changed",
        "JobSet pretrain": "Changed",
    }, found
    ran = plugin(bench, "reconcile", "--context=c", "-n", "ml", "-p", "policy.yaml")
    assert ran.status == 0 and ran.out.count("Create    PodGroup ml/") == 2, ran.out + ran.err


def why(bench, *words, context="c"):
    ran = plugin(bench, "why", f"--context={context}", *words, "-o", "json")
    return ran, [json.loads(line) for line in ran.out.splitlines()]


def test_plugin_says_why_a_job_does_not_start(bench):
    ran, (llama,) = why(bench, "llama", "-n", "stuck")
    assert (ran.status, ran.err) == (1, ""), ran.err
    assert llama["job"] == {"kind": "Job", "namespace": "stuck", "name": "llama"}
    assert (llama["verdict"], llama["cause"]["reason"]) == ("Impossible", "NeverTogether"), llama
    assert llama["missing"] == [], llama["missing"]
    assert [llama["fit"][key] for key in ("nodes", "needed", "room")] == [1, 3, 2], llama["fit"]
    assert [one["reason"] for one in llama["also"]] == ["NoRoomNow"], llama["also"]
    ran, (wait,) = why(bench, "-n", "stuck", "--job=wait")
    assert wait["cause"]["reason"] == "QueueMissing", wait["cause"]
    ran, both = why(bench, "-n", "stuck", "--now", "2100-01-01T00:00:00Z")
    assert [one["job"]["name"] for one in both] == ["llama", "wait"], both
    ran, every = why(bench, "-A")
    assert {one["job"]["name"] for one in every} == {"llama", "wait", "sweep", "mnist", "pretrain"}
    assert len(every) == 6 and ran.status == 1, ran.err
    ran = plugin(bench, "why", "--context=c", "-A", "stuck/llama")
    assert ran.out.startswith("Job stuck/llama: Impossible: "), ran.out


def test_plugin_says_why_the_jobs_of_a_cluster_do_not_start(bench):
    """`--live` without a file is the cluster: the same causes as `why`, and totals."""
    every = {(one["job"]["namespace"], one["job"]["name"]): one for one in why(bench, "-A")[1]}
    for words in (["--live", "-A"], ["-A", "--live"], ["-A", "--live", "-o", "json"]):
        ran = plugin(bench, "audit", "--context=c", *words)
        assert (ran.status, ran.err) == (1, ""), (words, ran.err)
    rows = {(one["namespace"], one["name"]): one for one in json.loads(ran.out)["jobs"]}
    assert {key: one["reason"] for key, one in rows.items()} == {
        key: one["cause"]["reason"] for key, one in every.items()
    }
    assert rows["stuck", "llama"]["reason"] == "NeverTogether"
    ran = plugin(bench, "audit", "--live", "--context=c", "-n", "stuck", "-o=ndjson")
    assert [json.loads(line)["name"] for line in ran.out.splitlines()] == ["llama", "wait"]
    ran = plugin(bench, "audit", "--context=member", "-n", "stuck", "--live")
    assert ran.status == 1 and 'cannot list resource "nodes"' in ran.err, ran.err
    assert "the answer is without" in ran.err and "NoRoomNow" in ran.out, ran.out


def test_plugin_says_why_without_what_is_denied(bench):
    """The nodes are of the cluster, and members of a team may not list them."""
    ran, (llama,) = why(bench, "llama", "-n", "stuck", context="member")
    assert (llama["verdict"], llama["cause"]["reason"]) == ("Stuck", "NoRoomNow"), llama
    assert [one["kind"] for one in llama["missing"]] == ["Node"], llama["missing"]
    assert 'cannot list resource "nodes"' in ran.err and "the answer is without" in ran.err
    assert ran.status == 1
    ran, (mnist,) = why(bench, "-n", "other", context="member")
    kinds = [one["kind"] for one in mnist["missing"]]
    assert kinds == ["Pod", "PodGroup", "Event", "Node"], mnist
    assert ran.status == 0 and 'cannot list resource "nodes"' in ran.err, ran.err
    ran, none = why(bench, "-A", context="reader")
    assert (ran.status, none) == (2, []) and "could not read the cluster" in ran.err, ran.err


def test_plugin_tells_what_is_denied(bench):
    """One kind is denied: the others are shown. All are: there is no answer."""
    ran = plugin(bench, "audit", "--context=reader", "-A")
    assert ran.status == 0 and "mnist" in ran.out and "pretrain" not in ran.out, ran.out
    assert 'cannot list resource "jobsets"' in ran.err and "the answer is without" in ran.err
    ran = plugin(bench, "audit", "--context=stranger", "-A")
    assert ran.status == 2 and ran.out == "" and "could not read the cluster" in ran.err, ran.err


def test_plugin_without_a_cluster(bench):
    for context in ("down", "nowhere"):
        ran = plugin(bench, "audit", f"--context={context}", "-A")
        assert ran.status == 2 and ran.out == "" and "could not list the kinds" in ran.err, ran.err
    ran = plugin(bench, "audit", KUBECTL="/nowhere/kubectl")
    assert ran.status == 2 and ran.out == "" and "could not list the kinds" in ran.err, ran.err
    ran = plugin(bench, "audit", "--context=c", "-A", GANGCTL="/nowhere/gangctl")
    assert ran.status not in (0, 1) and ran.out == "", ran.err


def test_plugin_takes_hostile_words_as_words(bench):
    """The namespace is refused by kubectl; nothing is run, and nothing else is asked."""
    ran = plugin(bench, "audit", "--context=c", "-n", HOSTILE)
    assert ran.status in (1, 2) and "not recorded" not in ran.err, ran.err
    for words in (["--context", HOSTILE], [f"--context={HOSTILE}"]):
        ran = plugin(bench, "audit", *words)
        assert ran.status == 2 and "does not exist" in ran.err, ran.err
    for words in (["--job", HOSTILE], [f"--job={HOSTILE}"], ["-l", HOSTILE], ["-p", HOSTILE]):
        ran = plugin(bench, "audit", "--context=c", "-A", *words)
        assert ran.status in (1, 2) and ran.out == "", (words, ran.out)
        assert "not recorded" not in ran.err, ran.err
    assert plugin(bench, HOSTILE).status == 2


def test_plugin_refuses_a_wrong_command_line(bench):
    for words, said in (
        (["audit", "-A", "-n", "ml"], "exclude each other"),
        (["audit", "-n", "a", "-n", "b"], "only once"),
        (["audit", "--context", "a", "--context=b"], "only once"),
        (["audit", "--context"], "needs a value"),
        (["audit", "-n"], "needs a value"),
        (["audit", "--as="], "needs a value"),
        (["audit", "jobs.yaml"], "unexpected word"),
        (["diff", "old", "new"], "unexpected word"),
        (["why", "-A", "-n", "ml"], "exclude each other"),
        (["audit", "--sel", "a=b"], "unexpected word"),
    ):
        ran = plugin(bench, *words, KUBECTL="/nowhere/kubectl")
        assert ran.status == 2 and said in ran.err and ran.out == "", (words, ran.err)


def test_plugin_is_gangctl_where_files_are_named(bench):
    """No cluster is asked: kubectl cannot be run."""
    bench.write("policy.yaml", POLICY)
    bench.write("job.yaml", "a: b\n")
    for words in (
        ["version"],
        ["backends", "-o", "json"],
        ["lint", "-p", "policy.yaml", "-f", "job.yaml"],
        ["lint", "-Rf", "job.yaml"],
        ["lint", "-fjob.yaml"],
        ["lint", "--filename=job.yaml"],
        ["render", "-f", "job.yaml"],
        ["diff", "-f", "job.yaml", "--live", "job.yaml"],
        ["why", "llama", "--live", "job.yaml"],
        ["why", "--from", "."],
        ["why", "--from=."],
        ["audit", "--live", "job.yaml"],
        ["audit", "--live", "-"],
        ["audit", "--live=job.yaml"],
        ["audit", "--help"],
        ["help", "GANG012"],
        ["nonsense"],
        [],
    ):
        ran = plugin(bench, *words, KUBECTL="/nowhere/kubectl")
        bench.run(*words)
        assert (ran.status, ran.out, ran.err) == (bench.status, bench.out, bench.err), words


def test_plugin_finds_the_gangctl_beside_it(bench):
    """krew links to the plugin from a folder of its own; folders have any name."""
    store = bench.folder / "a store's $folder"
    store.mkdir()
    shutil.copy(PLUGIN, store)
    (store / "gangctl").write_text('#!/bin/sh\necho "beside $*"\n')
    (store / "gangctl").chmod(0o755)
    link, second = bench.folder / "kubectl-gang", bench.folder / "second"
    link.symlink_to("a store's $folder/kubectl-gang")
    second.symlink_to(link)
    for program in (store / "kubectl-gang", link, second):
        ran = plugin(bench, "render", "-f", "x", program=program, GANGCTL="")
        assert ran.out == "beside render -f x\n", ran.err
    ran = plugin(bench, "audit", "-A", "--context=c", program=link, GANGCTL="")
    assert ran.out == "beside audit -f -\n", ran.err


def test_tables_of_the_plugin(bench):
    """They name what gangctl reads, writes and takes."""
    header = (ROOT / "libgang/catalog/job_names.h").read_text()
    tables = "".join(re.findall(r"#define JOB_KINDS\w*\(ROW\)(.*?)\n\n", header, re.S))
    kinds = re.findall(r'ROW\(\w+, "(\w+)", "([\w.-]+)"\)', tables)
    wanted = {f"{kind.lower()}s.{group}" for kind, group in kinds} - {"podlists.v1"}
    more = {"trainingruntimes.trainer.kubeflow.org", "clustertrainingruntimes.trainer.kubeflow.org"}
    assert set(words_of("jobs")) == wanted | more | {"clustertopologybindings.grove.io"}
    objects = {"topologies.kai.scheduler", "workloads.kueue.x-k8s.io", "pods"}
    queues = set()
    for backend in json.loads(bench.run("backends", "-o", "json").expect(0).out)["backends"]:
        if "queueParent" in backend:
            queues |= {f"queues.{one['apiVersion'].split('/')[0]}" for one in backend["versions"]}
        for version in backend["versions"]:
            group = (version.get("apiVersion") or "").split("/")[0]
            objects |= {f"{kind.lower()}s.{group}" for kind in version["objects"] if group}
    assert set(words_of("live")) == objects, set(words_of("live")) ^ objects
    queues |= {"localqueues.kueue.x-k8s.io", "clusterqueues.kueue.x-k8s.io"}
    owned = {"podcliques.grove.io", "podcliquescalinggroups.grove.io"}
    assert set(words_of("waits")) == queues | owned | {"events", "nodes"}, words_of("waits")
    valued = set(re.search(r"^valued='(.*)'$", PLUGIN.read_text(), re.M)[1].split())
    taken = set()
    for line in words_of("verbs"):
        help_text = bench.run("help", line.split()[0]).expect(0).out
        taken |= set(re.findall(r"^ {2}(?:-\w, | {4})--([\w-]+) [A-Z]", help_text, re.M))
    assert valued == taken - {"filename", "from", "live", "namespace"}, valued ^ taken


def test_plugin_is_clean_in_every_shell(bench):
    for check in (["shellcheck", "-s", "sh"], ["dash", "-n"], ["bash", "--posix", "-n"]):
        if shutil.which(check[0]):
            done = subprocess.run([*check, PLUGIN], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
