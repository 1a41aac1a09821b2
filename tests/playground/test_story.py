# SPDX-License-Identifier: Apache-2.0
"""The five steps: what they say is what gangctl says of the same documents, changed or not."""

import json
import re

import pytest
from conftest import ROOT
from test_page import editor_text, focused, violations

LLAMA = ROOT / "examples" / "torchtune-llama"
JOB = (LLAMA / "trainjob.yaml").read_text()
RUNTIME = (LLAMA / "runtime.yaml").read_text()
PLAIN = RUNTIME.replace("  podGroupPolicy:\n    volcano: {}\n", "")
SCHEDULED = re.sub(r"^( +)containers:", r"\1schedulerName: volcano\n\g<0>", RUNTIME, flags=re.M)
WITHOUT_ORDER = re.sub(r" +dependsOn:\n( +- name: .*\n +status: .*\n)+", "", SCHEDULED)
COMPATIBILITY = (ROOT / "examples/policies/compatibility.yaml").read_text()
ONE_SCHEDULER = (ROOT / "examples/policies/one-scheduler.yaml").read_text()


def nodes(count):
    return JOB.replace("numNodes: 4", f"numNodes: {count}")


# The step, its documents, and the part that the reader changes to one of them.
CASES = [
    (1, JOB, PLAIN, "", None),
    (1, nodes(7), PLAIN, "", "job"),
    (1, JOB, PLAIN.replace("status: Complete", "status: Ready"), "", "runtime"),
    (2, JOB, SCHEDULED, COMPATIBILITY, None),
    (2, JOB, WITHOUT_ORDER, COMPATIBILITY, "runtime"),
    (2, JOB, SCHEDULED, "", "policy"),
    (3, JOB, SCHEDULED, "", None),
    (3, nodes(8), SCHEDULED, "", "job"),
    (4, JOB, PLAIN, ONE_SCHEDULER, None),
    (4, nodes(1), PLAIN, ONE_SCHEDULER, "job"),
    (4, JOB, PLAIN, ONE_SCHEDULER.replace("queue: {name: default}", "queue: {name: lab}"), "policy"),
    (5, JOB, PLAIN, ONE_SCHEDULER, None),
    (5, JOB, PLAIN, ONE_SCHEDULER.replace("type: Volcano", "type: KAI"), "policy"),
    (5, JOB, PLAIN, ONE_SCHEDULER.replace("type: Volcano", "type: Workload"), "policy"),
    (5, nodes(1), PLAIN, ONE_SCHEDULER, "job"),
]


@pytest.fixture
def explained(gangctl, tmp_path):
    """The plan that gangctl makes of three texts, and the reason that it prints."""

    def run(job, runtime, policy):
        (tmp_path / "job.yaml").write_text(job)
        (tmp_path / "runtime.yaml").write_text(runtime)
        (tmp_path / "policy.yaml").write_text(policy)
        files = ["-f", tmp_path / "job.yaml", "-f", tmp_path / "runtime.yaml"]
        files += ["-p", tmp_path / "policy.yaml"] if policy else []
        outcome = re.search(r"^OUTCOME +\w+(?:: (.*))? \(", gangctl("explain", *files), re.M)
        return json.loads(gangctl("explain", *files, "-o", "json")), outcome[1]

    return run


def pods(count):
    return f"{count} pod{'' if count == 1 else 's'}"


def must_say(step, plan, reason):
    """What a reader must learn in a step."""
    roles = {role["name"]: role for role in plan["roles"]}
    if step == 1:
        told = [f"{name} ({pods(role['count'])})" for name, role in roles.items()]
        told += [f"No gang: {reason}."] if reason and plan["outcome"] == "NoGang" else []
        return told + [f"{e['role']} is {e['status']}" for r in roles.values() for e in r["dependsOn"]]
    if plan["outcome"] != "Gang":
        return ["Nothing: there is no gang."] if step == 5 else [f"No gang: {reason}."]
    if step in (2, 3):
        gang = plan["gang"]
        stuck = [one["message"] for one in plan["diagnostics"] if one["code"] == "GANG012"]
        outcome = stuck[0][1:] if stuck else "No deadlock"
        return [f"Its minimum is {gang['minimum']} of {pods(gang['pods'])}.", outcome]
    if step == 4:
        told = ("backend", "schedulerName", "queue", "members")
        return [f"{c['attribute']} is {c['value']}: " for c in plan["trace"] if c["attribute"] in told]
    told = [f"{one['object']['kind']} {one['object']['metadata']['name']}" for one in plan["objects"]]
    told += [text for one in plan["objects"] for text in leaves(one["object"]["spec"])]
    for patch in plan["patches"]:
        told += [text for part in patch.get("metadata", {}).values() for text in leaves(part)]
        told += leaves(patch.get("spec", {}))
    return told


def leaves(tree, path=""):
    """"a.b 1" for {a: {b: 1}}; lists are left out."""
    if isinstance(tree, dict):
        return [text for key, value in tree.items() for text in leaves(value, f"{path}.{key}")]
    return [] if isinstance(tree, list) else [f"{path[1:]} {tree}"]


def claims(playground):
    return playground.page.locator("#claims li").all_text_contents()


def open_step(playground, number):
    run = playground.runs
    playground.page.click(f"#story a[href='#step-{number}']")
    playground.wait_after(run)


@pytest.mark.parametrize(("step", "job", "runtime", "policy", "changed"), CASES)
def test_a_step_says_what_gangctl_says(
    playground, explained, step, job, runtime, policy, changed
):
    open_step(playground, step)
    if changed is not None:
        before = claims(playground)
        playground.paste(changed, {"job": job, "runtime": runtime, "policy": policy}[changed])
        assert claims(playground) != before
    plan, reason = explained(job, runtime, policy)
    assert json.loads(playground.output("plan", "json")) == plan
    said = " ".join(claims(playground))
    for words in must_say(step, plan, reason):
        assert words in said
    assert ("can never start" in said) == any(one["code"] == "GANG012" for one in plan["diagnostics"])


def test_a_step_with_broken_documents(playground):
    open_step(playground, 3)
    playground.paste("job", nodes(-3))
    assert claims(playground)[0].startswith("No gang: ")
    playground.paste("job", JOB + "[")
    assert claims(playground) == ["The documents cannot be decided."]
    playground.paste("job", JOB)
    assert "Its minimum is 4 of 6 pods." in claims(playground)[0]


def test_the_steps_in_a_row(playground):
    open_step(playground, 1)
    titles = [playground.page.text_content("#step-title")]
    while playground.page.locator("#next-step").is_visible():
        run = playground.runs
        playground.page.click("#next-step")
        playground.wait_after(run)
        titles.append(playground.page.text_content("#step-title"))
        assert playground.page.locator("#story [aria-current='step']").count() == 1
    assert [title[:2] for title in titles] == ["1.", "2.", "3.", "4.", "5."]


def test_each_step_has_a_link(new_page, site):
    for number in range(1, 6):
        playground = new_page().open(f"{site.address}#step-{number}")
        assert playground.page.text_content("#step-title").startswith(f"{number}. ")
        assert claims(playground)


def test_a_link_keeps_step_and_changes(playground, new_page):
    open_step(playground, 3)
    playground.paste("job", nodes(8))
    playground.page.click("#link")
    playground.page.wait_for_function("() => location.hash.startsWith('#step-3.v1.')")
    other = new_page().open(playground.page.url)
    assert "numNodes: 8" in editor_text(other, "job")
    assert claims(other) == claims(playground)


def test_an_example_closes_the_story(playground):
    open_step(playground, 2)
    playground.choose("example", "jax")
    assert playground.page.locator("#step").is_hidden()
    assert "#" not in playground.page.url
    open_step(playground, 2)
    assert "can never start" in " ".join(claims(playground))


def test_back_leads_to_the_step_before(playground):
    open_step(playground, 2)
    open_step(playground, 3)
    run = playground.runs
    playground.page.go_back()
    playground.wait_after(run)
    assert playground.page.text_content("#step-title").startswith("2. ")


def test_story_by_keys(playground):
    """A step is opened by Enter, and closed by Escape, which leads back to its link."""
    press = playground.page.keyboard.press
    for _ in range(3):
        press("Tab")
    run = playground.runs
    press("Enter")
    playground.wait_after(run)
    assert playground.page.text_content("#step-title").startswith("2. ")
    for _ in range(4):
        press("Tab")
    assert focused(playground) == "next-step"
    press("Escape")
    assert playground.page.locator("#step").is_hidden()
    assert playground.page.evaluate("document.activeElement.getAttribute('href')") == "#step-2"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_story_is_accessible(new_page, site, scheme, width):
    playground = new_page(color_scheme=scheme, viewport={"width": width, "height": 844})
    playground.open(f"{site.address}#step-2")
    assert violations(playground) == []
    for number in range(1, 6):
        open_step(playground, number)
        assert playground.overflow == 0
