# SPDX-License-Identifier: Apache-2.0
"""Pre-flight for the Kubeflow SDK: a job that would deadlock or be denied is refused before it is
sent.

    from libgang.kubeflow import GangTrainerClient

    client = GangTrainerClient(policy=open("policy.yaml").read())   # otherwise a TrainerClient
    client.train(runtime="torchtune-llama3.2-1b", ...)              # PreflightError with the fix

`preflight()` checks one TrainJob without a client."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ._convert import Source, to_bytes
from ._decision import Decision, Inputs
from ._diagnostic import Diagnostic, GangError
from ._document import Document, parse
from ._names import Code, Result, Severity, Target

try:
    from kubeflow.trainer import TrainerClient
    from kubernetes.client import ApiException
except ImportError as error:  # pragma: no cover
    raise ImportError(
        "libgang.kubeflow needs the Kubeflow SDK: pip install 'libgang[kubeflow]'"
    ) from error

if TYPE_CHECKING:
    from ._plan import Plan

GROUP, VERSION = "trainer.kubeflow.org", "v1alpha1"
TRAINJOBS = "trainjobs"
RUNTIMES = {
    "TrainingRuntime": "trainingruntimes",
    "ClusterTrainingRuntime": "clustertrainingruntimes",
}
HTTP_NOT_FOUND = 404

# What the operator's own plugins do, as long as it does not use libgang.
AS_THE_OPERATOR = {
    "apiVersion": "policy.libgang.dev/v1alpha1",
    "kind": "GangPolicy",
    "metadata": {"name": "as-the-operator"},
    "spec": {"compatibility": "KubeflowTrainer"},
}
FIX = (
    "fix: ask your platform administrator to apply the output of `python -m libgang render "
    "--target runtime` for "
    "this runtime, which removes its podGroupPolicy and sets the scheduler, and send the job "
    "with marks=True"
)


class PreflightError(GangError):
    """The job would deadlock, is denied or is invalid. It was not sent."""

    def __init__(
        self, diagnostics: tuple[Diagnostic, ...], decision: Decision | None, fix: str = ""
    ) -> None:
        self.fix = fix
        super().__init__(Result.INVALID, diagnostics, decision=decision)
        reasons = [
            str(one)
            for one in diagnostics
            if one.severity is Severity.ERROR or one.reason in DEADLOCKS
        ]
        self.args = ("\n".join([*reasons, *([fix] if fix else [])]),)

    def __reduce__(self) -> Any:
        return PreflightError, (self.diagnostics, None, self.fix)


DEADLOCKS = (Code.STRUCTURAL_DEADLOCK,)


def _refuse_types_of_the_sdk(runtime: Any) -> None:
    if type(runtime).__module__.startswith("kubeflow.trainer.types"):
        raise TypeError(
            "the SDK's Runtime has no podGroupPolicy and no templates; pass the custom "
            "resource, which "
            "libgang.kubeflow.fetch_runtime(client, name) reads"
        )


def preflight(
    trainjob: Source,
    runtime: Document | Source,
    policy: Document | Source | None = None,
    cluster: Document | Source | None = None,
    *,
    operator_uses_libgang: bool = False,
) -> Decision:
    """Checks one TrainJob as it will be sent. Returns the decision with the policy.

    Raises PreflightError if the policy denies the job, if a document is invalid, or if the gang
    that the operator makes can never start. An operator that uses libgang makes no such gang."""
    _refuse_types_of_the_sdk(runtime)
    parsed = runtime if isinstance(runtime, Document) else parse(runtime)
    decision = Inputs(parsed, policy, cluster).resolve(trainjob)
    if decision.is_refused:
        raise PreflightError(decision.diagnostics, decision)
    if not operator_uses_libgang:
        upstream = Inputs(parsed, AS_THE_OPERATOR, cluster).resolve(trainjob)
        if any(one.reason in DEADLOCKS for one in upstream.diagnostics):
            raise PreflightError(upstream.diagnostics, upstream, FIX)
    return decision


def fetch_runtime(client: TrainerClient, name: str, kind: str | None = None) -> dict[str, Any]:
    """The runtime as the API server returns it, through the SDK's own connection: of the client's
    namespace, else of the cluster, as the SDK does."""
    backend: Any = client.backend
    return _fetch(backend.custom_api, backend.namespace, name, kind)


def _fetch(api: Any, namespace: str, name: str, kind: str | None) -> dict[str, Any]:
    runtime: dict[str, Any]
    if kind != "ClusterTrainingRuntime":
        try:
            plural = RUNTIMES["TrainingRuntime"]
            runtime = api.get_namespaced_custom_object(GROUP, VERSION, namespace, plural, name)
            return runtime
        except ApiException as error:
            failed: Any = error
            if failed.status != HTTP_NOT_FOUND or kind is not None:
                raise
    runtime = api.get_cluster_custom_object(
        GROUP, VERSION, RUNTIMES["ClusterTrainingRuntime"], name
    )
    return runtime


class _Guard:
    """The SDK's connection. It checks the TrainJobs that are created through it and passes
    everything else."""

    def __init__(self, api: Any, options: Mapping[str, Any]) -> None:
        self._api = api
        self._options = options

    def __getattr__(self, name: str) -> Any:
        return getattr(self._api, name)

    def create_namespaced_custom_object(
        self, group: str, version: str, namespace: str, plural: str, body: Any, **more: Any
    ) -> Any:
        if (group, plural) != (GROUP, TRAINJOBS):
            return self._api.create_namespaced_custom_object(
                group, version, namespace, plural, body, **more
            )
        job = json.loads(to_bytes(body))
        job["metadata"]["namespace"] = namespace
        reference = job["spec"]["runtimeRef"]
        runtime = parse(_fetch(self._api, namespace, reference["name"], reference.get("kind")))
        options = self._options
        decision = preflight(
            job,
            runtime,
            options["policy"],
            options["cluster"],
            operator_uses_libgang=options["operator_uses_libgang"],
        )
        sent = body
        if options["marks"] and decision.members:
            sent = _with_marks(decision.render(), body)
        created = self._api.create_namespaced_custom_object(
            group, version, namespace, plural, sent, **more
        )
        if options["objects"] and decision.members:
            try:
                self._create_objects(decision, job, created)
            except Exception:
                self._delete(created, plural)
                raise
        return created

    def _delete(self, created: dict[str, Any], plural: str) -> None:
        """A job with marks and without its PodGroup would wait forever. Where it cannot be deleted
        either, the first error says more."""
        metadata = created["metadata"]
        options = {"preconditions": {"uid": metadata["uid"]}}
        with suppress(Exception):
            self._api.delete_namespaced_custom_object(
                GROUP, VERSION, metadata["namespace"], plural, metadata["name"], body=options
            )

    def _create_objects(
        self, decision: Decision, job: dict[str, Any], created: dict[str, Any]
    ) -> None:
        """The PodGroup of the job, which its uid makes the API server delete together with the
        job."""
        job["metadata"]["uid"] = created["metadata"]["uid"]
        for one in Inputs(*decision.documents).plan(job).objects:
            group, _, version = one.api_version.rpartition("/")
            plural = f"{one.kind.lower()}s"
            self._api.create_namespaced_custom_object(
                group, version, one.namespace, plural, one.manifest
            )


def _with_marks(plan: Plan, body: Any) -> dict[str, Any]:
    marked: dict[str, Any] = json.loads(plan.serialize(Target.JOB))
    sent: dict[str, Any] = json.loads(to_bytes(body))
    patches = marked["spec"].get("runtimePatches")
    if patches:
        sent["spec"]["runtimePatches"] = patches
    return sent


class GangTrainerClient(TrainerClient):  # type: ignore[misc, unused-ignore]
    """The SDK's client with a pre-flight: train() raises PreflightError instead of sending a job
    that would deadlock or be denied.

    `marks` puts the gang's labels and annotations into the TrainJob. `objects` also creates the
    PodGroup, owned by the TrainJob; the user then needs the right to create it. Both are for
    operators that do not use libgang, with a runtime that has no podGroupPolicy."""

    def __init__(
        self,
        backend_config: Any = None,
        *,
        policy: Source | None = None,
        cluster: Source | None = None,
        marks: bool = False,
        objects: bool = False,
        operator_uses_libgang: bool = False,
    ) -> None:
        super().__init__(backend_config)
        backend: Any = self.backend
        if not hasattr(backend, "custom_api"):
            raise ValueError(
                "a pre-flight needs the backend for Kubernetes; other backends make no gangs"
            )
        options = {
            "policy": None if policy is None else parse(policy),
            "cluster": None if cluster is None else parse(cluster),
            "marks": marks,
            "objects": objects,
            "operator_uses_libgang": operator_uses_libgang,
        }
        backend.custom_api = _Guard(backend.custom_api, options)

    def train(self, *arguments: Any, **named: Any) -> str:
        """As TrainerClient.train(). Raises PreflightError; GangError if a document cannot be
        used."""
        try:
            client: Any = super()
            name: str = client.train(*arguments, **named)
            return name
        except RuntimeError as failed:  # the SDK wraps what its connection raises
            if isinstance(failed.__cause__, GangError):
                raise failed.__cause__ from None
            raise
