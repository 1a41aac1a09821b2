# SPDX-License-Identifier: Apache-2.0
"""Threads, memory and the GIL."""

import pathlib
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import load

import libgang
from libgang import _calls

THREADS = 16


def resident_bytes():
    pages = pathlib.Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * 4096


@pytest.mark.parametrize("rounds", [40, pytest.param(2000, marks=pytest.mark.long)])
def test_threads_share_everything(runtime, trainjob, rounds):
    inputs = libgang.Inputs(runtime)
    document = libgang.parse(trainjob)
    expected = inputs.plan(document).to_json()
    shared = inputs.resolve(document)
    plan = shared.render()
    start = threading.Barrier(THREADS)

    def hammer(_):
        start.wait()
        for _ in range(rounds):
            assert inputs.plan(document).to_json() == expected
            assert inputs.serialize(trainjob, libgang.Target.PLAN).decode() == expected
            assert shared.render().to_json() == expected
            assert len(shared.diagnostics) == len(plan.diagnostics)
        return True

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            assert all(pool.map(hammer, range(THREADS)))
    finally:
        sys.setswitchinterval(before)


def test_closing_under_other_threads(runtime, trainjob):
    """A closed document is a ValueError in other threads, never a crash."""
    for _ in range(200):
        document = libgang.parse(runtime)
        closer = threading.Thread(target=document.close)
        closer.start()
        with pytest.raises(ValueError, match="closed"):
            while True:
                libgang.resolve(trainjob, document)
        closer.join()


@pytest.mark.parametrize("calls", [20_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_memory_does_not_grow(calls):
    runtime, trainjob = (load(f"torch/{name}.yaml") for name in ("runtime", "trainjob"))
    inputs, job = libgang.Inputs(runtime), libgang.parse(trainjob)
    wrong = b'{"kind":"TrainJob"}'

    def once(number):
        if number % 4:
            inputs.resolve(job).render()
        elif number % 8:
            _ = inputs.resolve(trainjob).diagnostics
        else:
            with pytest.raises(libgang.GangError):
                inputs.serialize(wrong)

    for number in range(4000):
        once(number)
    before = resident_bytes()
    for number in range(calls):
        once(number)
    grown = resident_bytes() - before
    print(f"{calls} calls: {grown} bytes more")
    assert grown < 2 << 20


def test_the_gil_is_released():
    """While the library reads a large text, another thread goes on."""
    filler = [{"name": f"e{number}", "value": "x" * 60} for number in range(9_000)]
    text = yaml_of(filler)
    gaps = [0.0]
    stop = threading.Event()

    def heartbeat():
        last = time.perf_counter()
        while not stop.is_set():
            time.sleep(0.0005)
            now = time.perf_counter()
            gaps.append(now - last)
            last = now

    beating = threading.Thread(target=heartbeat)
    beating.start()
    start = time.perf_counter()
    try:
        for _ in range(5):
            libgang.split(text)
    finally:
        stop.set()
        beating.join()
    call = (time.perf_counter() - start) / 5
    beats = len(gaps) - 1
    print(f"one call {call * 1e3:.1f} ms, {beats} beats, longest gap {max(gaps) * 1e3:.1f} ms")
    # A held GIL lets a beat through between the calls only: one for each.
    assert beats > 10


def yaml_of(items):
    lines = [f"- name: {one['name']}\n  value: {one['value']}" for one in items]
    return "items:\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize("function", [_calls.check, _calls.made])
def test_another_thread_may_close_the_context_during_a_call(function):
    """Closing releases nothing that a running call reads."""
    context, released = libgang.Context(), []
    context._handle._release = released.append

    def call(pointer, out, *_):
        context.close()
        assert released == []
        out._obj.value = 0 if function is _calls.check else pointer
        return 0

    function(context, call)
    assert len(released) == 1
