# SPDX-License-Identifier: Apache-2.0
"""The decision is the table of the library, as `gangctl explain -v -o html` prints it."""

import html.parser

import pytest
from conftest import ROOT
from test_answers import EXAMPLES, FOLDERS, cluster_arguments

PARTS = {"job": ("trainjob", "podgang"), "runtime": ("runtime", "podcliqueset")}
FINDINGS = ("error", "warning", "info")


class Table(html.parser.HTMLParser):
    """Its caption, and its rows: of each cell the element, its attributes and its text."""

    def __init__(self, text):
        super().__init__()
        self.caption, self.rows, self.at = "", [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        elif tag in ("th", "td"):
            self.at = [tag, dict(attrs), ""]
            self.rows[-1].append(self.at)
        elif tag == "caption":
            self.at = [tag, {}, ""]

    def handle_endtag(self, tag):
        if tag == "caption":
            self.caption = self.at[2]
        if tag in ("th", "td", "caption"):
            self.at = None

    def handle_data(self, data):
        if self.at is not None:
            self.at[2] += data


SHOWN = """() => [...document.querySelectorAll("#decision tr")].map((row) =>
    [...row.children].map((cell) => [cell.localName, Object.fromEntries([...cell.attributes]
        .filter(({ name }) => name !== "role").map(({ name, value }) => [name, value])),
        cell.textContent]))"""


def check(playground, gangctl, folder, texts, *arguments):
    """Returns the words of the table. The files have the names of the editors."""
    for name, text in texts.items():
        (folder / name).write_text(text)
    files = [word for name in texts for word in ("-p" if name == "policy" else "-f", name)]
    expected = Table(gangctl("explain", *files, *arguments, "-v", "-o", "html", cwd=folder))
    rows = [row for row in expected.rows if row[0][2] not in FINDINGS]
    assert rows and playground.page.evaluate(SHOWN) == rows
    assert playground.page.text_content("#decision caption") == expected.caption
    return " ".join(cell[2] for row in rows for cell in row)


def texts_of(folder):
    paths = {part: [EXAMPLES / folder / f"{name}.yaml" for name in PARTS[part]] for part in PARTS}
    return {
        part: path.read_text() for part, every in paths.items() for path in every if path.exists()
    }


@pytest.mark.parametrize("folder", FOLDERS)
def test_explanation(playground, gangctl, tmp_path, folder):
    playground.choose("example", folder)
    cluster = [str(ROOT / word) if "/" in word else word for word in cluster_arguments(folder)]
    texts = texts_of(folder)
    told = check(playground, gangctl, tmp_path, texts, *cluster)
    assert "OUTCOME GANG" in told and "objects Create" in told, told
    playground.choose("choose-policy", "one-scheduler")
    texts["policy"] = (EXAMPLES / "policies/one-scheduler.yaml").read_text()
    told = check(playground, gangctl, tmp_path, texts, *cluster)
    assert "[policy:" in told, told


def test_explanation_of_a_refused_job(playground, gangctl, tmp_path):
    """The lines are those of the editor, also of a document that follows others."""
    texts = texts_of("torchtune-llama")
    texts["job"] = "kind: Service\napiVersion: v1\n---\n" + texts["job"]
    texts["policy"] = (EXAMPLES / "policies/one-scheduler.yaml").read_text() + (
        "  constraints:\n  - {name: small, match: {}, maxMembers: 2}\n"
    )
    for part, text in texts.items():
        playground.paste(part, text)
    told = check(playground, gangctl, tmp_path, texts)
    assert "OUTCOME DENIED" in told, told
    assert playground.status.startswith("Denied by the policy"), playground.status


def test_nothing_but_cells_enters_the_page(new_page, site):
    """Even if the library wrote something else, it does not enter the page."""
    playground = new_page()
    playground.page.add_init_script(
        """const parse = DOMParser.prototype.parseFromString;
        DOMParser.prototype.parseFromString = function (text, type) {
            return parse.call(this, text.replace("<td", "<td onclick='wrong()' style='color: red'")
                .replace("</td>", "<img src='x' onerror='wrong()'><a href='javascript:wrong()'>link"
                    + "</a><script>wrong()</scr" + "ipt></td>"), type);
        };"""
    )
    playground.open(site.address)
    assert "link" in playground.page.text_content("#decision")
    playground.complaints.clear()  # the policy of the page refuses the style, even there
    found = playground.page.evaluate(
        """[...document.querySelectorAll("#decision *")].flatMap((one) => [one.localName,
            ...[...one.attributes].map(({ name }) => name)])"""
    )
    assert set(found) <= {
        *("table", "caption", "b", "tbody", "tr", "th", "td", "code", "br"),
        *("role", "scope", "rowspan", "colspan"),
    }, found
