# SPDX-License-Identifier: Apache-2.0
"""Plays rounds of examples/embed/controller.py for one Sweep until none must follow, and prints how
many pods the last one created: sweep.py CONTROLLER POLICY CLUSTER NAMESPACE NAME."""

import importlib.util
import pathlib
import sys

from kubernetes import config, dynamic
from kubernetes.client import ApiClient

import libgang


def main(controller: str, policy: str, cluster: str, namespace: str, name: str) -> None:
    spec = importlib.util.spec_from_file_location("controller", controller)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    config.load_kube_config()
    client = dynamic.DynamicClient(ApiClient())
    kind = client.resources.get(api_version="cluster.test/v1", kind="Sweep")
    shared = [libgang.parse(pathlib.Path(file).read_text("utf-8")) for file in (policy, cluster)]
    for _ in range(5):
        sweep = client.get(kind, name, namespace).to_dict()
        created = module.reconcile(client, sweep, *shared)
        if created is not None:
            print(created)
            return
    sys.exit("more than five rounds")


main(*sys.argv[1:])
