# SPDX-License-Identifier: Apache-2.0
"""A folder in which the tests of gangctl run, and the documents that most of them use."""

import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WRAPPER = shlex.split(os.environ.get("GANGCTL_WRAPPER", ""))
GANGCTL = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "gangctl")
TORCH = ROOT / "examples" / "torch"

RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: torch
spec:
  mlPolicy:
    numNodes: 2
    torch: {}
  podGroupPolicy:
    volcano: {}
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata:
            labels:
              trainer.kubeflow.org/trainjob-ancestor-step: trainer
          spec:
            template:
              spec:
                containers:
                - name: node
                  image: trainer:1
"""
JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: llama
  namespace: ml
spec:
  runtimeRef:
    name: torch
"""
FOREIGN = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: other
data:
  kind: TrainJob
"""
POLICY = """\
apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicy
metadata:
  name: upstream
spec:
  compatibility: KubeflowTrainer
"""
VOLCANO = """\
apiVersion: policy.libgang.dev/v1alpha1
kind: GangPolicy
metadata: {name: volcano}
spec: {defaultBackend: volcano}
"""
PODGANG = """\
apiVersion: scheduler.grove.io/v1alpha1
kind: PodGang
metadata:
  name: chat-0
  namespace: ml
  labels: {grove.io/scheduler-name: volcano}
spec:
  podgroups:
  - {name: chat-0-serve, minReplicas: 1, podReferences: []}
"""
PODCLIQUESET = """\
apiVersion: grove.io/v1alpha1
kind: PodCliqueSet
metadata: {name: chat, namespace: ml}
spec:
  template:
    cliques:
    - {name: serve, spec: {roleName: serve, podSpec: {containers: []}}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: chat-0-serve-x
  namespace: ml
  labels: {grove.io/podgang: chat-0, grove.io/podclique: chat-0-serve}
spec:
  containers: []
"""
PREPARED = """\
apiVersion: v1
kind: Pod
metadata:
  name: chat-0-serve-x
  namespace: ml
  labels:
    grove.io/podgang: chat-0
    grove.io/podclique: chat-0-serve
  annotations:
    scheduling.k8s.io/group-name: chat-0
    scheduling.volcano.sh/group-name: chat-0
spec:
  containers: []
  schedulerName: volcano
"""
NAMESPACED = RUNTIME.replace("ClusterTrainingRuntime", "TrainingRuntime")
NAMESPACED_JOB = JOB.replace("    name: torch", "    kind: TrainingRuntime\n    name: torch")


def named(job, name):
    return job.replace("name: llama", f"name: {name}")


def in_namespace(runtime, namespace):
    return runtime.replace("  name: torch\n", f"  name: torch\n  namespace: {namespace}\n", 1)


class Bench:
    """A folder of its own, and gangctl run in it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def write(self, name, *texts):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("---\n".join(texts))
        return name

    def run(self, *arguments, stdin="", env=None, timeout=None):
        done = subprocess.run(
            [*WRAPPER, GANGCTL, *arguments],
            cwd=self.folder,
            input=stdin,
            capture_output=True,
            text=True,
            env={**os.environ, **(env or {})},
            timeout=timeout,
        )
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        return self

    def largest_resident_set(self, *arguments):
        """Of one run, in KiB."""
        code = (
            "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=-3);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        )
        command = ["python3", "-c", code, GANGCTL, *arguments]
        # With it, memory counts that is allocated and not used.
        env = {name: value for name, value in os.environ.items() if name != "MALLOC_PERTURB_"}
        run = subprocess.run(command, cwd=self.folder, env=env, capture_output=True, check=True)
        return int(run.stdout)

    def expect(self, status, out=None, err=None):
        assert self.status == status, f"exits {self.status}, not {status}\n{self.out}{self.err}"
        if out is not None:
            assert self.out == out, f"prints {self.out!r}, not {out!r}"
        if err is not None:
            assert self.err == err, f"says {self.err!r}, not {err!r}"
        return self

    def says(self, *parts):
        for part in parts:
            assert part in self.err, f"does not say {part!r} but\n{self.err}"
        return self

    def prints(self, *parts):
        for part in parts:
            assert part in self.out, f"does not print {part!r} but\n{self.out}"
        return self

    def refuses(self, *parts):
        return self.expect(1, out="").says(*parts)

    def could_not_run(self, *parts):
        return self.expect(2, out="").says(*parts)

    def objects(self):
        return [json.loads(line) for line in self.out.splitlines()]
