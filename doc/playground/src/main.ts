// SPDX-License-Identifier: Apache-2.0
// The page: editors, choices and answer, held together.

import { type Answer, type Format, type Target, type Wish, decide } from "./decide";
import { byId, make } from "./dom";
import { Editor } from "./editor";
import { Examples, firstExample } from "./examples";
import { showFindings, showIgnored } from "./findings";
import { type Input, type Part, parts } from "./gather";
import { Library } from "./library";
import { fragmentOf, fromBase64, inputOf, stepOf, unzip } from "./link";
import { Module } from "./module";
import { showAnswer, showStatus } from "./show";
import { inputOfStep, listSteps, showStep } from "./story";

const pause = 150; // milliseconds without a key before the text is read
const longLink = 8000; // characters; some programs cut longer ones

// As in style.css: the answer is below the editors.
const isNarrow = window.matchMedia("(max-width: 60rem)");

const labels: Record<Part, string> = {
    job: "Job",
    runtime: "Runtime, or PodCliqueSet",
    policy: "GangPolicy",
    cluster: "GangCluster",
    live: "Existing objects",
};

class Page {
    readonly #compiled: WebAssembly.Module;
    readonly #examples: Examples;
    readonly #editors: Record<Part, Editor>;
    #module: Module;
    #timer = 0;
    #answer: Answer | null = null;
    #step = 0; // of the story, from 1

    constructor(compiled: WebAssembly.Module, examples: Examples) {
        this.#compiled = compiled;
        this.#module = new Module(compiled);
        this.#examples = examples;
        const editors = parts.map((part) =>
            [part, new Editor(byId(`edit-${part}`), labels[part], () => this.#later())]);
        this.#editors = Object.fromEntries(editors) as Record<Part, Editor>;
        this.#fillChoices();
        this.#listen();
        byId("version").textContent = new Library(this.#module).version;
    }

    async start(): Promise<void> {
        if (!await this.#followLink()) {
            this.input = this.#examples.input(firstExample) ?? this.input;
            byId<HTMLSelectElement>("example").value = firstExample;
        }
        this.#now();
    }

    get input(): Input {
        const texts = parts.map((part) => [part, this.#editors[part].text]);
        return Object.fromEntries(texts) as Input;
    }

    set input(input: Input) {
        for (const part of parts) {
            this.#editors[part].text = input[part];
            this.#unfold(part, input[part] !== "" && !isNarrow.matches);
        }
    }

    get #wish(): Wish {
        return {
            job: Math.max(byId<HTMLSelectElement>("jobs").selectedIndex, 0),
            gang: Math.max(Math.trunc(byId<HTMLInputElement>("gang").valueAsNumber) || 0, 0),
            target: byId<HTMLSelectElement>("target").value as Target,
            format: byId<HTMLSelectElement>("format").value as Format,
        };
    }

    #fillChoices(): void {
        const fill = (id: string, names: string[]) =>
            byId(id).append(...names.map((name) => make("option", { value: name }, name)));
        fill("example", this.#examples.titles);
        fill("choose-policy", Object.keys(this.#examples.policies));
        fill("choose-cluster", Object.keys(this.#examples.clusters));
        byId("story-list").append(...listSteps());
    }

    #listen(): void {
        const onChoice = (id: string, chosen: (value: string) => void) =>
            byId<HTMLSelectElement>(id).addEventListener("change", (event) =>
                chosen((event.target as HTMLSelectElement).value));
        onChoice("example", (title) => {
            this.#closeStory();
            this.#choose(this.#examples.input(title));
        });
        onChoice("choose-policy", (name) => this.#put("policy", this.#examples.policies[name]));
        onChoice("choose-cluster", (name) => this.#put("cluster", this.#examples.clusters[name]));
        for (const id of ["jobs", "gang", "target", "format"]) {
            onChoice(id, () => this.#now());
        }
        byId("link").addEventListener("click", () => void this.#makeLink());
        byId("copy").addEventListener("click", () => void this.#copyOutput());
        byId("close-step").addEventListener("click", () => this.#leaveStory());
        byId("story").addEventListener("keydown", ({ key }) => key === "Escape" && this.#leaveStory());
        window.addEventListener("hashchange", () => void this.#followLink());
    }

    #choose(input: Input | undefined): void {
        if (input !== undefined) {
            const nameOf = (text: string, shipped: Record<string, string>) =>
                Object.keys(shipped).find((name) => shipped[name] === text) ?? "";
            const { policies, clusters } = this.#examples;
            this.input = input;
            byId<HTMLSelectElement>("choose-policy").value = nameOf(input.policy, policies);
            byId<HTMLSelectElement>("choose-cluster").value = nameOf(input.cluster, clusters);
            this.#now();
        }
    }

    #leaveStory(): void {
        byId("story").querySelectorAll("a")[this.#step - 1]?.focus();
        this.#closeStory();
    }

    /** Keeps the documents. */
    #closeStory(): void {
        this.#step = 0;
        window.history.replaceState(null, "", window.location.href.replace(/#.*/, ""));
        showStep(0, null);
    }

    #put(part: Part, text = ""): void {
        this.#editors[part].text = text;
        this.#unfold(part, text !== "");
        this.#now();
    }

    #later(): void {
        window.clearTimeout(this.#timer);
        this.#timer = window.setTimeout(() => this.#now(), pause);
    }

    #now(): void {
        window.clearTimeout(this.#timer);
        const answer = this.#decide();
        if (answer !== null) {
            this.#answer = answer;
            this.#show(answer);
        }
        showStep(this.#step, answer);
        byId("answer").dataset["run"] = String(Number(byId("answer").dataset["run"] ?? 0) + 1);
    }

    // A module that trapped is in an unknown state, so the next run gets a new instance.
    #decide(): Answer | null {
        try {
            const answer = decide(this.#module, this.input, this.#wish);
            if (this.#module.isLarge) {
                this.#module = new Module(this.#compiled);
            }
            return answer;
        } catch (error) {
            this.#module = new Module(this.#compiled);
            fail(`The library failed, please report it with the input: ${String(error)}`);
            return null;
        }
    }

    #show(answer: Answer): void {
        this.#showJobs(answer);
        showStatus(answer);
        showAnswer(answer);
        showFindings(answer.findings, (part, place) => this.#follow(part, place));
        showIgnored(answer.ignored, (part, place) => this.#follow(part, place));
        for (const part of parts) {
            this.#editors[part].mark(answer.findings.filter((place) => place.part === part));
        }
    }

    #follow(part: Part, place: { line: number; column: number }): void {
        this.#unfold(part, true);
        this.#editors[part].show(place);
    }

    #unfold(part: Part, isOpen: boolean): void {
        const folded = byId(`edit-${part}`).closest("details");
        if (folded !== null) {
            folded.open = isOpen;
        }
    }

    #showJobs(answer: Answer): void {
        const jobs = byId<HTMLSelectElement>("jobs");
        jobs.replaceChildren(...answer.jobs.map((name) => make("option", {}, name)));
        jobs.selectedIndex = answer.jobs.length === 0 ? -1 : answer.job;
        byId("choose-job").hidden = answer.jobs.length < 2;
        const gang = byId<HTMLInputElement>("gang");
        gang.max = String(Math.max(answer.gangs - 1, 0));
        gang.value = String(answer.gang);
        byId("gangs").textContent = `of 0 to ${gang.max}`;
        byId("choose-gang").hidden = answer.gangs < 2;
    }

    async #makeLink(): Promise<void> {
        let fragment = "";
        try {
            fragment = await fragmentOf(this.input, this.#step);
        } catch (error) {
            byId("link-status").textContent = `There is no link: ${String(error)}`;
            return;
        }
        window.history.replaceState(null, "", fragment);
        const address = window.location.href;
        const isCopied = await copy(address);
        const copied = isCopied ? "The link is copied" : "The link is in the address bar";
        byId("link-status").textContent = address.length < longLink
            ? `${copied}. It holds the whole input.`
            : `${copied}. It has ${address.length} characters, which some programs cut.`;
    }

    async #followLink(): Promise<boolean> {
        try {
            const step = stepOf(window.location.hash);
            const input = await inputOf(window.location.hash) ?? inputOfStep(this.#examples, step);
            if (input === undefined) {
                window.location.hash === "" && this.#closeStory();
                return false;
            }
            byId("link-status").textContent = ""; // what was said of another link
            this.#step = step;
            this.#choose(input);
            byId<HTMLSelectElement>("example").value = "";
            return true;
        } catch (error) {
            byId("link-status").textContent = `The link is damaged: ${String(error)}`;
            return false;
        }
    }

    async #copyOutput(): Promise<void> {
        const isCopied = await copy(this.#answer?.output ?? "");
        byId("copy-status").textContent = isCopied ? "Copied." : "The browser refused to copy.";
    }
}

async function copy(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return false;
    }
}

function fail(message: string): void {
    const status = byId("status");
    status.dataset["tone"] = "error";
    status.textContent = message;
}

async function start(): Promise<void> {
    const data = JSON.parse(byId("examples").textContent ?? "") as
        ConstructorParameters<typeof Examples>[0];
    const bytes = await unzip(fromBase64(byId("module").textContent ?? ""));
    const page = new Page(await WebAssembly.compile(bytes), new Examples(data));
    await page.start();
}

start().catch((error: unknown) => {
    fail(`This browser cannot run the page: ${String(error)}`);
});
