# SPDX-License-Identifier: Apache-2.0
"""What the page does beside the answers: findings, links, keys, hostile input, no network."""

import base64
import json
import time
import zlib

import pytest
from PIL import Image
from conftest import PAGE, ROOT, Site

LLAMA = ROOT / "examples" / "torchtune-llama"
DEADLOCK = "deadlock (torchtune-llama)"
AXE = ROOT / "doc/playground/node_modules/axe-core/axe.min.js"
WRONG_NODES = (LLAMA / "trainjob.yaml").read_text().replace("numNodes: 4", "numNodes: -3")


def editor_text(playground, part):
    lines = playground.page.locator(f"#edit-{part} .cm-line").all_text_contents()
    return "\n".join(lines)


# --- findings ---


def test_error_is_marked_at_its_line(playground):
    playground.paste("job", WRONG_NODES)
    errors = [finding for finding in playground.findings() if finding[0] == "error"]
    assert [(place, code[:7]) for _, place, code in errors] == [("job:10:15", "GANG029")]
    assert playground.marked_lines("job", "error") == ["10"]
    assert "Invalid" in playground.status
    playground.paste("job", WRONG_NODES.replace("-3", "4"))
    assert playground.marked_lines("job", "error") == []
    assert playground.findings() == []


def test_finding_leads_to_its_line(playground):
    playground.paste("job", WRONG_NODES)
    playground.page.click("#findings button")
    assert playground.selected("job") == "-3"


def test_syntax_error_has_the_line_of_the_yaml_reader(playground):
    playground.paste("policy", "apiVersion: policy.libgang.dev/v1alpha1\nkind: [")
    severity, place, _ = playground.findings()[0]
    assert severity == "error"
    assert place.startswith("policy:2:") or place.startswith("policy:3:")
    assert playground.marked_lines("policy", "error") == ["2"]
    assert "Not decided" in playground.status


def test_column_counts_characters(playground):
    """A column is a character, a position in the editor a unit of UTF-16."""
    flow = WRONG_NODES[: WRONG_NODES.index("spec:")] + (
        'spec: {"suspend": false, "labels": {"a": "😀😀"}, "trainer": {"numNodes": -3},'
        ' "runtimeRef": {"name": torchtune-llama3.2-1b}}\n'
    )
    playground.paste("job", flow)
    place = next(place for _, place, code in playground.findings() if code.startswith("GANG029"))
    playground.page.get_by_role("button", name=place).first.click()
    assert playground.selected("job").startswith("-3}")


def test_deadlock(playground):
    playground.choose("example", DEADLOCK)
    assert "It can never start" in playground.status
    assert playground.findings()[0] == ("warning", "runtime:63:11", "GANG012 StructuralDeadlock")
    playground.page.get_by_role("button", name="runtime:63:11").click()
    assert "63" in playground.marked_lines("runtime", "warning")


def test_documents_of_one_stream(playground):
    """Lines count in the editor, not in the document; foreign kinds are told as ignored."""
    texts = [(LLAMA / "runtime.yaml").read_text(), "kind: Service\napiVersion: v1\n", WRONG_NODES]
    text = "---\n".join(texts)
    playground.paste("runtime", "")
    playground.paste("job", text)
    line = text[: text.index("numNodes: -3")].count("\n") + 1
    assert [place for severity, place, _ in playground.findings() if severity == "error"] == [
        f"job:{line}:15"
    ]
    line = text[: text.index("kind: Service")].count("\n") + 1
    assert playground.ignored() == [f"job:{line}:1 Service: libgang does not read this kind."]
    assert playground.status.endswith(", 1 ignored.")


RAYJOB = (ROOT / "examples/jobs/rayjob.yaml").read_text()


@pytest.mark.parametrize(
    ("part", "text", "told"),
    [
        ("runtime", (LLAMA / "runtime.yaml").read_text(), "torchtune-llama3.2-1b: no job uses it."),
        ("job", RAYJOB + "---\nkind: Jobb\n", "Jobb: libgang does not read this kind."),
        (
            "job",
            RAYJOB + "---\n" + RAYJOB.replace("ray.io/v1", "ray.io/v9"),
            'libgang does not read the apiVersion "ray.io/v9" of this kind.',
        ),
        (
            "live",
            "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangPolicy\nmetadata: {name: p}\n",
            "GangPolicy p: it is no object of a cluster; put it into an editor above.",
        ),
        ("live", "kind: Pod\n", "Existing objects: there is no plan to compare them with."),
    ],
)
def test_what_is_ignored_is_told(playground, part, text, told):
    for one in ("job", "runtime"):
        playground.paste(one, "")
    playground.paste(part, text)
    assert any(line.endswith(told) for line in playground.ignored()), playground.ignored()
    assert "ignored." in playground.status
    assert playground.tone != "good"
    playground.page.locator("#ignored-list button").first.click()
    assert focused(playground) == f"edit-{part}"


def test_kind_that_is_wrong(playground):
    for part in ("job", "runtime"):
        playground.paste(part, "")
    playground.paste("job", "apiVersion: batch/v1\nkind: Jobb\n")
    assert [code[:7] for _, _, code in playground.findings()] == ["GANG119"]
    assert playground.tone == "error"
    playground.paste("job", "")
    playground.paste("policy", (ROOT / "examples/policies/safe.yaml").read_text())
    assert playground.status.startswith("Nothing is decided: there is no job.")
    assert playground.tone == "none"


def test_several_jobs(playground):
    job = (LLAMA / "trainjob.yaml").read_text()
    playground.paste("job", job + "---\n" + job.replace("name: llama\n", "name: second\n"))
    names = playground.page.locator("#jobs option").all_text_contents()
    assert names == ["TrainJob ml/llama", "TrainJob ml/second"]
    run = playground.runs
    playground.page.select_option("#jobs", index=1)
    playground.wait_after(run)
    assert "name: second" in playground.output()


def test_no_input(playground):
    for part in ("job", "runtime"):
        playground.paste(part, "")
    assert playground.status.startswith("Paste a job")
    assert playground.findings() == []
    assert playground.tone == "none"


# --- size ---


def padded(size):
    """A job with a comment, so that it has `size` bytes."""
    text = (LLAMA / "trainjob.yaml").read_text()
    line = "# " + "x" * 97 + "\n"
    return text + line * ((size - len(text)) // len(line))


def test_large_paste(playground):
    start = time.monotonic()
    playground.paste("job", padded(1_000_000))
    seconds = time.monotonic() - start
    assert playground.status.startswith("Gang: 4 of 6")
    print(f"1 MB: {seconds:.1f} s")
    assert seconds < 10


def test_too_large_paste(playground):
    playground.paste("job", padded(1_200_000))
    assert playground.findings()[0][0] == "error"
    assert "1048576" in playground.page.text_content("#findings")
    playground.paste("job", (LLAMA / "trainjob.yaml").read_text())
    assert playground.status.startswith("Gang: 4 of 6")


def test_large_document_of_values(playground):
    """1 MB that the library keeps, not only reads."""
    lines = "".join(f"    key{i}: {'v' * 240}\n" for i in range(4000))
    job = (LLAMA / "trainjob.yaml").read_text()
    text = job.replace("  namespace: ml\n", f"  namespace: ml\n  annotations:\n{lines}")
    playground.paste("job", text)
    assert playground.page.locator("#status[data-tone]").count() == 1
    playground.choose("example", "jax")
    assert playground.status.startswith("Gang")


# --- keys and accessibility ---


def focused(playground):
    return playground.page.evaluate(
        "[document.activeElement].map((at) => at.id || at.className || at.tagName)[0]"
    )


def test_keyboard_only(playground):
    """From the top of the page to an example, through all editors, to a finding and its line."""
    press = playground.page.keyboard.press
    press("Tab")
    assert focused(playground) == "skip"
    for number in range(1, 6):
        press("Tab")
        assert playground.page.evaluate("document.activeElement.hash") == f"#step-{number}"
    press("Tab")
    assert focused(playground) == "example"
    run = playground.runs
    playground.page.keyboard.type("deadlock")
    playground.wait_after(run)
    assert "It can never start" in playground.status
    seen = []
    while len(seen) < 40 and focused(playground) != "place":
        press("Tab")
        seen.append(focused(playground))
    assert [name for name in seen if name.startswith("edit-")] == [
        "edit-job",
        "edit-runtime",
        "edit-policy",
    ]
    assert seen.count("SUMMARY") == 4  # the cluster and the existing objects are folded
    press("Enter")
    assert focused(playground) == "edit-runtime"
    press("F8")
    assert focused(playground) == "edit-runtime"
    press("Shift+Tab")
    assert focused(playground) == "SUMMARY"
    press("Shift+Tab")
    assert focused(playground) == "edit-job"


# An editor shows that it has the focus a moment later.
FOCUS = """async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const at = document.activeElement;
    const shown = at.shadowRoot?.querySelector(".cm-editor") ?? at;
    const { outlineStyle, outlineWidth } = getComputedStyle(shown);
    const { left, right, top, bottom } = at.getBoundingClientRect();
    return {
        name: at === document.body ? "" : at.id || at.textContent.trim().slice(0, 30),
        hasOutline: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
        isOnScreen: right > 0 && left < innerWidth && bottom > 0 && top < innerHeight,
        place: [...document.querySelectorAll("*")].indexOf(at),
    };
}"""


@pytest.mark.parametrize("width", [1280, 390])
def test_focus_is_visible(new_page, site, width):
    """Tab goes through the page in the order of its text, and one always sees where it is."""
    playground = new_page(viewport={"width": width, "height": 844}).open(site.address + "#step-2")
    stops = []
    while len(stops) < 80 and (not stops or stops[-1]["name"]):
        playground.page.keyboard.press("Tab")
        stops.append(playground.page.evaluate(FOCUS))
    names = [stop["name"] for stop in stops]
    # Firefox starts again at the top, Chromium goes to its own bar first.
    stops = stops[: names.index("Skip to the answer", 1) if "Skip to the answer" in names[1:] else -1]
    assert {"next-step", "example", "edit-job", "frame", "output", "copy"} <= {s["name"] for s in stops}
    assert [s["name"] for s in stops if not (s["hasOutline"] and s["isOnScreen"])] == []
    assert [s["place"] for s in stops] == sorted(s["place"] for s in stops)


def test_skip_link(playground):
    playground.page.keyboard.press("Tab")
    playground.page.keyboard.press("Enter")
    assert focused(playground) == "answer"


def test_status_is_announced(playground):
    assert playground.page.get_attribute("#status", "role") == "status"


def violations(playground):
    playground.page.evaluate(AXE.read_text())
    result = playground.page.evaluate("axe.run(document)")
    return [
        (rule["id"], [node["html"] for node in rule["nodes"]]) for rule in result["violations"]
    ]


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible(new_page, site, scheme, width):
    playground = new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
    playground.open(site.address)
    assert violations(playground) == []
    playground.choose("example", DEADLOCK)
    for summary in playground.page.locator("summary:visible").all():
        summary.click()
    assert violations(playground) == []
    playground.paste("job", WRONG_NODES + "---\n" + WRONG_NODES)
    assert violations(playground) == []


# --- links ---


def test_link_carries_the_input(playground, new_page, site):
    playground.paste("job", WRONG_NODES + "# ü 😀 </script>\n")
    playground.choose("choose-policy", "compatibility")
    playground.page.click("#link")
    playground.page.wait_for_function("() => location.hash.startsWith('#v1.')")
    address = playground.page.url
    assert len(address) < 2500
    other = new_page().open(address)
    for part in ("job", "policy", "cluster"):
        assert editor_text(other, part) == editor_text(playground, part)
    assert other.findings() == playground.findings()
    assert all("#" not in path and "v1." not in path for path in site.asked)


def link_of(texts):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(json.dumps(texts).encode()) + packer.flush()
    return "#v1." + base64.urlsafe_b64encode(packed).decode().rstrip("=")


@pytest.mark.parametrize(
    ("fragment", "words"),
    [
        ("#v1.!!!", "damaged"),
        ("#v1.AAAA", "damaged"),
        (link_of({"job": 1}), "holds no texts"),
        (link_of(["x" * 50_000_000]), "more than 8 MiB"),
    ],
)
def test_damaged_link(new_page, site, fragment, words):
    playground = new_page().open(site.address + fragment)
    assert words in playground.page.text_content("#link-status")
    assert playground.status.startswith("Gang: 4 of 6")
    run = playground.runs
    playground.page.evaluate("link => { location.hash = link; }", link_of([WRONG_NODES]))
    playground.wait_after(run)
    assert editor_text(playground, "job") == WRONG_NODES
    assert playground.page.text_content("#link-status") == ""


def test_no_link_that_the_page_would_refuse(playground):
    playground.paste("job", "# " + "x" * (8 << 20))
    playground.page.click("#link")
    playground.page.wait_for_function("document.getElementById('link-status').textContent !== ''")
    words = playground.page.text_content("#link-status")
    assert words == "There is no link: Error: the input has more than 8 MiB"
    assert "#" not in playground.page.url


# --- hostile input, no network ---


def test_markup_stays_text(playground):
    markup = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    playground.page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    images = playground.page.locator("img").count()
    playground.paste("job", WRONG_NODES.replace("name: llama\n", f"name: '{markup}'\n"))
    assert markup in playground.page.text_content("#answer")
    playground.paste(
        "runtime",
        (LLAMA / "runtime.yaml").read_text().replace("name: node\n", f"name: '{markup}'\n"),
    )
    assert playground.page.locator("img").count() == images
    assert playground.page.locator("#answer script").count() == 0


def test_page_cannot_connect(new_page, site):
    playground = new_page().open(site.address)
    refused = playground.page.evaluate(
        "fetch(location.href).then(() => 'connected', (error) => error.name)"
    )
    assert refused == "TypeError"
    playground.wait_for_complaint("default-src 'none'")
    playground.complaints.clear()


def is_own(address):
    return address.startswith(("blob:", "data:"))


def test_works_without_its_server(new_page):
    site = Site()
    playground = new_page().open(site.address)
    assert site.asked == ["/"]
    playground.page.context.set_offline(True)
    site.stop()
    asked = len(playground.requests)
    for example in ("jax", "grove-kai", DEADLOCK):
        playground.choose("example", example)
        assert playground.status.startswith("Gang")
    playground.page.click("#link")
    playground.page.wait_for_function("() => location.hash.startsWith('#v1.')")
    assert all(is_own(address) for address in playground.requests[asked:])


def test_works_as_a_file(new_page):
    address = (PAGE / "index.html").as_uri()
    playground = new_page().open(address)
    playground.choose("example", "mpi-volcano")
    assert playground.status.startswith("Gang")
    playground.page.click("#link")
    playground.page.wait_for_function("() => location.hash.startsWith('#v1.')")
    # Firefox reports no request for a file.
    assert {path for path in playground.requests if not is_own(path)} <= {address}


def test_size():
    assert (PAGE / "index.html").stat().st_size < 1 << 20
    assert "less than 1 MiB" in " ".join((ROOT / "doc/playground/README.md").read_text().split())


def test_phone(new_page, site):
    """The answer is right below the job, and nothing is wider than the screen."""
    playground = new_page(viewport={"width": 390, "height": 844}).open(site.address)
    playground.choose("example", DEADLOCK)
    assert playground.page.evaluate("window.scrollY") == 0
    for example in ("torchtune-llama", "jobs/rayjob", "existing objects (torch)"):
        playground.choose("example", example)
        assert playground.overflow == 0, example
    for example in ("jobs/jobset", "torchtune-llama"):
        playground.choose("example", example)
        job = playground.page.locator("#edit-job").bounding_box()
        answer = playground.page.locator("#answer").bounding_box()
        assert 0 < answer["y"] - job["y"] - job["height"] < 40
        assert playground.page.locator("#status").bounding_box()["y"] < 700
        assert playground.page.locator("#edit-runtime").is_hidden()
    playground.paste("runtime", "")
    assert playground.page.locator("#edit-runtime").is_visible()


# --- pictures of the page, for the documentation ---


HEIGHTS = {"light": 900, "dark": 1200}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_screenshot(new_page, browser, site, scheme):
    """Writes build/playground-pictures; doc/playground has copies of those of Chromium."""
    playground = new_page(color_scheme=scheme, viewport={"width": 1200, "height": HEIGHTS[scheme]})
    playground.open(site.address + ("" if scheme == "light" else "#step-2"))
    playground.page.evaluate("document.getElementById('picture').decode()")
    folder = PAGE.parent / "playground-pictures" / type(browser).__name__.lower()
    folder.mkdir(parents=True, exist_ok=True)
    picture = folder / f"{scheme}.png"
    assert playground.complaints == []
    playground.page.screenshot(path=picture)
    playground.complaints.clear()  # Playwright adds a style, which the policy of the page refuses
    # The page has few colours, and rare ones matter.
    colours = Image.open(picture).convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE)
    colours.save(picture, optimize=True)
    assert picture.stat().st_size < 150_000
