# SPDX-License-Identifier: Apache-2.0
"""The modules of others in a Go program, as its linker noted them, and the licences that they carry."""

import pathlib
import re
import subprocess

LICENCES = re.compile(r"(LICEN[CS]E|NOTICE|COPYING|PATENTS)([.-](?!go$).*)?", re.I)


def told_by_go(*arguments):
    return subprocess.run(["go", *arguments], capture_output=True, text=True, check=True).stdout


def modules_of(program):
    """Name, name in the paths of a proxy and of the cache, and version of each. Source:
    https://go.dev/ref/mod#goproxy-protocol"""
    told = told_by_go("version", "-m", program)
    found = re.findall(r"^\tdep\t(?!libgang\.dev/)(\S+)\t(\S+)", told, re.M)
    return [(name, re.sub("[A-Z]", lambda one: "!" + one[0].lower(), name), at) for name, at in found]


def licences_of(program):
    """Name and bytes of each licence and notice of Go and of the modules in a program."""
    root, cache = told_by_go("env", "GOROOT", "GOMODCACHE").split()
    folders = [("go", pathlib.Path(root), "*")]
    for name, path, at in modules_of(program):
        folders.append((f"{name}@{at}", pathlib.Path(cache, f"{path}@{at}"), "**/*"))
    for name, folder, files in folders:
        found = [one for one in sorted(folder.glob(files)) if LICENCES.fullmatch(one.name) and one.is_file()]
        assert found, f"{name} has no licence in {folder}"
        yield from ((f"{name}/{one.relative_to(folder)}", one.read_bytes()) for one in found)
