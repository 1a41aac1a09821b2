# SPDX-License-Identifier: Apache-2.0
"""
The cases of `decisions`: policies before one small job, each with its whole trace. README.md explains their form.

The job's runtime has an initializer `data` and, behind it, the trainer `node` of two pods that ask for GPUs and memory. What
is special about it stands under `job` and goes into the line of TEMPLATES that names it.
"""

import json
import pathlib
import re

import yaml

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE / "decisions"

# A policy's spec starts on line 5, as a cluster's does.
TEMPLATES = {
    "runtime": """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: tune, labels: <runtime.labels>}
spec:
  mlPolicy: <ml>
  podGroupPolicy: <gang>
  template:
    metadata: <template>
    spec:
      replicatedJobs:
      - name: data
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer}}
          spec:
            backoffLimit: 0
            template:
              spec: <data>
      - name: node
        dependsOn: [{name: data, status: Complete}]
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec:
            backoffLimit: 0
            template:
              metadata: <pods>
              spec: <node>
""",
    "trainjob": """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: <metadata>
spec: <job>
""",
    "policy": "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangPolicy\nmetadata: {name: p}\nspec:\n",
    "cluster": "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangCluster\nmetadata: {name: c}\nspec:\n",
}
PODS = {
    "data": {"containers": [{"name": "dataset-initializer", "image": "i"}]},
    "node": {
        "containers": [
            {
                "name": "node",
                "image": "i",
                "resources": {"requests": {"memory": "1Gi"}, "limits": {"nvidia.com/gpu": 2}},
            }
        ]
    },
}
KEYS = {"policy", "cluster", "job", "members", "outcome", "findings", "trace"}
PLACES = {"runtime.labels", "ml", "gang", "template", "data", "pods", "node", "namespace", "labels", "job"}


def plain_word(text):
    return re.fullmatch(r"[A-Za-z0-9./_*-]+", text) and not text.startswith(("-", "*")) and yaml.safe_load(text) == text


def flow(value):
    """A value as YAML on one line, as a person would write it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow(key)}: {flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return value if isinstance(value, str) and plain_word(value) else json.dumps(value)


class Decision:
    """One case. Its documents are texts, so that a trace can name their lines."""

    def __init__(self, name, case):
        if set(case) - KEYS or set(case.get("job", {})) - PLACES:
            raise ValueError(f"{name}: unknown keys in {sorted(case)}, {sorted(case.get('job', {}))}")
        self.name, self.case = name, case

    def documents(self):
        job = self.case.get("job", {})
        metadata = {"name": "llama", "namespace": job.get("namespace", "ml"), "uid": "u-1"}
        if job.get("namespace") == "-":
            del metadata["namespace"]
        parts = {
            "runtime.labels": job.get("runtime.labels", {}),
            "ml": job.get("ml", {"numNodes": 2}),
            "gang": job.get("gang"),
            "template": job.get("template", {}),
            "data": {**job.get("data", {}), **PODS["data"]},
            "node": {**job.get("node", {}), **PODS["node"]},
            "pods": job.get("pods", {}),
            "metadata": {**metadata, **({"labels": job["labels"]} if "labels" in job else {})},
            "job": {**job.get("job", {}), "runtimeRef": {"name": "tune"}},
        }
        texts = {
            name: re.sub(r"<([a-z.]+)>", lambda found: flow(parts[found[1]]), TEMPLATES[name])
            for name in ("runtime", "trainjob")
        }
        for name in ("policy", "cluster"):
            if name in self.case:
                texts[name] = TEMPLATES[name] + "".join(f"  {line}\n" for line in self.case[name].splitlines())
        return texts

    def roles(self):
        """Who is in the gang."""
        members = self.case.get("members", ["node"])
        return [{"name": name, "membership": "Member" if name in members else "Outside"} for name in ("data", "node")]

    def trace(self, phrases):
        """Every line of it; `... words` stands for the lines of that phrase."""
        lines = []
        for line in self.case["trace"].splitlines():
            lines += phrases[line[4:]] if line.startswith("... ") else [line]
        return lines


def read_phrases():
    return {name: text.splitlines() for name, text in yaml.safe_load((FOLDER / "phrases.yaml").read_text()).items()}


def files():
    return [path for path in sorted(FOLDER.glob("*.yaml")) if path.name != "phrases.yaml"]


def decisions_of(path):
    """The cases of a file, named by what their group is about and their number in it."""
    for group in yaml.safe_load(path.read_text()):
        for number, case in enumerate(group["cases"], 1):
            yield Decision(f"decisions/{path.stem}: {group['about']} {number}", case)


def shorten(lines, phrases):
    """The same trace in as few lines as the phrases allow."""
    by_length = sorted(phrases.items(), key=lambda item: -len(item[1]))
    short, at = [], 0
    while at < len(lines):
        name, phrase = next(
            ((name, text) for name, text in by_length if lines[at : at + len(text)] == text), (None, lines[at : at + 1])
        )
        short.append(f"... {name}" if name else lines[at])
        at += len(phrase)
    return short


def block(indent, key, lines):
    return [f"{indent}{key}: |", *(f"{indent}  {line}" for line in lines)]


def dump_case(case, trace):
    """A case as it stands in its file."""
    lines = []
    for key in ("policy", "cluster"):
        if key in case:
            lines += block("    ", key, case[key].splitlines())
    for key in ("job", "members"):
        if case.get(key):
            lines.append(f"    {key}: {flow(case[key])}")
    lines.append(f"    outcome: {case['outcome']}")
    if case.get("findings"):
        lines.append(f"    findings: {flow(case['findings'])}")
    lines += block("    ", "trace", trace)
    return ["  -" + lines[0][3:], *lines[1:]]


def dump(groups, header, traces):
    """A whole file; `traces` are those of its cases in order."""
    lines = list(header)
    for group in groups:
        lines += [f"- about: {group['about']}", "  cases:"]
        for case in group["cases"]:
            lines += dump_case(case, next(traces))
    return "\n".join(lines) + "\n"
