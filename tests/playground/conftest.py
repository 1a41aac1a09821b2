# SPDX-License-Identifier: Apache-2.0
"""The built page in headless Chromium and Firefox, and gangctl to compare it with."""

import functools
import http.server
import os
import pathlib
import subprocess
import threading

import pytest
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "build" / "playground"


class Site:
    """The static files behind a server, as `./dev playground` serves them."""

    def __init__(self):
        self.asked = []
        asked = self.asked

        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *words):
                asked.append(self.path)

        handler = functools.partial(Handler, directory=PAGE)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Playground:
    """The page as a person uses it."""

    def __init__(self, page):
        self.page = page
        self.complaints = []
        self.requests = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def wait_for_complaint(self, part):
        """Firefox reports what the security policy refuses after the call has failed."""
        for _ in range(100):
            if any(part in text for text in self.complaints):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"no complaint has {part!r}: {self.complaints}")

    def open(self, address):
        self.page.goto(address)
        self.page.wait_for_selector("#answer[data-run]")
        return self

    @property
    def runs(self):
        return int(self.page.get_attribute("#answer", "data-run"))

    def wait_after(self, run):
        self.page.wait_for_function(
            "run => Number(document.getElementById('answer').dataset.run) > run", arg=run
        )

    def choose(self, select, value):
        run = self.runs
        if select.startswith("choose-"):
            self.unfold(select.removeprefix("choose-"))
        self.page.select_option(f"#{select}", value)
        self.wait_after(run)

    def unfold(self, part):
        """Opens the editor, if it is folded."""
        self.page.eval_on_selector(
            f"#edit-{part}", "(editor) => { (editor.closest('details') ?? {}).open = true; }"
        )

    def paste(self, part, text):
        """Replaces the text of an editor through the clipboard."""
        run = self.runs
        self.unfold(part)
        self.page.locator(f"#edit-{part} .cm-content").focus()
        self.page.keyboard.press("Control+a")
        if text:
            self.page.evaluate("text => navigator.clipboard.writeText(text)", text)
            self.page.keyboard.press("Control+v")
        else:
            self.page.keyboard.press("Delete")
        self.wait_after(run)

    def output(self, target="objects", output_format="yaml"):
        if self.page.input_value("#target") != target:
            self.choose("target", target)
        if self.page.input_value("#format") != output_format:
            self.choose("format", output_format)
        return self.page.text_content("#output")

    @property
    def status(self):
        return self.page.text_content("#status")

    def findings(self):
        """(severity, place, code) of each error and warning."""
        return [
            tuple(item.locator(f".{name}").text_content() for name in ("severity", "place", "code"))
            for item in self.page.locator("#findings > li").all()
        ]

    @property
    def tone(self):
        """The colour of the bar beside the status."""
        return self.page.get_attribute("#status", "data-tone")

    def ignored(self):
        """What the page says about each document that it ignored."""
        return self.page.locator("#ignored-list li").all_text_contents()

    @property
    def overflow(self):
        """By how many pixels the page is wider than the screen. Firefox keeps room for a scrollbar."""
        return self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )

    def selected(self, part):
        """The selected text of an editor. Firefox has the selection of a shadow root elsewhere."""
        return self.page.evaluate(
            """part => {
                const root = document.getElementById(`edit-${part}`).shadowRoot;
                return (root.getSelection ? root : document).getSelection().toString();
            }""",
            part,
        )

    def marked_lines(self, part, severity):
        """The numbers of the lines that have a mark beside them."""
        return self.page.evaluate(
            """([part, severity]) => {
                const root = document.getElementById(`edit-${part}`).shadowRoot;
                const top = (element) => Math.round(element.getBoundingClientRect().top);
                const numbers = [...root.querySelectorAll(".cm-lineNumbers .cm-gutterElement")];
                const marks = [...root.querySelectorAll(`.cm-lint-marker-${severity}`)];
                const tops = marks.map((mark) => top(mark.closest(".cm-gutterElement")));
                return numbers.filter((number) => tops.includes(top(number))
                    && number.style.visibility !== "hidden").map((number) => number.textContent);
            }""",
            [part, severity],
        )


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as started:
        yield started


class Chromium:
    """Opens contexts of the installed Chromium."""

    def __init__(self, playwright):
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        path = os.environ["CHROMIUM"]
        self.browser = playwright.chromium.launch(executable_path=path, args=arguments)

    def new_context(self, **options):
        permissions = ["clipboard-read", "clipboard-write"]
        return self.browser.new_context(permissions=permissions, **options)

    def close(self):
        self.browser.close()


class Firefox:
    """
    Opens contexts of the installed Firefox, which has no Chrome DevTools Protocol: the channel
    `moz-firefox` speaks WebDriver BiDi with it. Colours are a preference of the whole browser.
    """

    def __init__(self, playwright):
        self.playwright = playwright
        self.browsers = {}

    def launch(self, scheme):
        preferences = {
            "dom.events.testing.asyncClipboard": True,
            "layout.css.prefers-color-scheme.content-override": 0 if scheme == "dark" else 1,
        }
        path = os.environ["FIREFOX"]
        return self.playwright.firefox.launch(
            channel="moz-firefox", executable_path=path, firefox_user_prefs=preferences
        )

    def new_context(self, color_scheme="light", **options):
        if color_scheme not in self.browsers:
            self.browsers[color_scheme] = self.launch(color_scheme)
        kept = dict.fromkeys(("color_scheme", "reduced_motion", "forced_colors", "contrast"), "null")
        return self.browsers[color_scheme].new_context(**kept, **options)

    def close(self):
        for browser in self.browsers.values():
            browser.close()


@pytest.fixture(scope="session", params=[Chromium, Firefox], ids=["chromium", "firefox"])
def browser(request, playwright):
    opened = request.param(playwright)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def site():
    server = Site()
    yield server
    server.stop()


@pytest.fixture
def new_page(browser):
    """Opens pages; at the end, none may have complained, not even of its own security policy."""
    opened = []

    def opener(**options):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        opened.append((context, Playground(context.new_page())))
        return opened[-1][1]

    yield opener
    for context, playground in opened:
        context.close()
        assert playground.complaints == []


@pytest.fixture
def playground(new_page, site):
    return new_page().open(site.address)


@pytest.fixture(scope="session")
def gangctl():
    def run(*arguments, cwd=ROOT):
        command = [os.environ["GANGCTL"], *map(str, arguments)]
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False).stdout

    return run
