// SPDX-License-Identifier: Apache-2.0
// Writes the page: one file with styles, program, examples and module in it.
//
//     node build.mjs MODULE.wasm OUTPUT.html

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const root = path.join(here, "../..");
const read = (...names) => readFileSync(path.join(...names), "utf8");
const largestPage = 1 << 20;
const die = (message) => {
    console.error(`doc/playground: ${message}`);
    process.exit(1);
};

// --- the interface of the module ----------------------------------------------------------------

/** src/enums.ts repeats gang.h. */
function checkEnums() {
    const header = read(root, "include/gang/gang.h");
    for (const [, name, value] of read(here, "src/enums.ts").matchAll(/(GANG_\w+): (\d+)/g)) {
        if (!new RegExp(`\\b${name} = ${value}\\b`).test(header)) {
            die(`src/enums.ts: ${name} differs from include/gang/gang.h`);
        }
    }
}

/** The module has each function that src/library.ts calls, and needs none from outside. */
function checkModule(bytes) {
    const module = new WebAssembly.Module(bytes);
    const exported = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
    for (const [, name] of read(here, "src/library.ts").matchAll(/"(gang_\w+)"/g)) {
        if (!exported.has(name)) {
            die(`the module has no function ${name}`);
        }
    }
    if (WebAssembly.Module.imports(module).length > 0) {
        die("the module imports functions");
    }
}

// --- what is in the page ------------------------------------------------------------------------

const bundle = async (entry) => {
    const built = await esbuild.build({
        entryPoints: [path.join(here, "src", entry)],
        bundle: true,
        write: false,
        minify: true,
        format: "iife",
        target: "es2022",
        charset: "utf8",
        legalComments: "none",
        metafile: true,
    });
    return { text: built.outputFiles[0].text.trim(), inputs: Object.keys(built.metafile.inputs) };
};

/** NOTICE has the licence of each package in the bundle. */
function checkNotice(inputs, notice) {
    const nameOf = (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
    const packages = new Set(inputs.map(nameOf));
    packages.delete(undefined);
    for (const name of packages) {
        if (!notice.includes(`${name}\n`)) {
            die(`NOTICE does not name ${name}`);
        }
        const licence = read(here, "node_modules", name, "LICENSE");
        const copyright = /^Copyright.*$/m.exec(licence)[0].trim();
        if (!notice.includes(copyright)) {
            die(`NOTICE lacks "${copyright}" of ${name}`);
        }
    }
}

function examples() {
    const folder = path.join(root, "examples");
    const files = (name) => Object.fromEntries(readdirSync(path.join(folder, name)).sort()
        .map((file) => [file.replace(/\.yaml$/, ""), read(folder, name, file)]));
    const pairs = [["trainjob", "runtime"], ["podgang", "podcliqueset"]];
    const shipped = {};
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const found = entry.isDirectory() ? readdirSync(path.join(folder, entry.name)) : [];
        const pair = pairs.find(([job]) => found.includes(`${job}.yaml`));
        if (pair) {
            const [job, runtime] = pair.map((name) => read(folder, entry.name, `${name}.yaml`));
            shipped[entry.name] = { job, runtime };
        }
    }
    for (const [name, job] of Object.entries(files("jobs"))) {
        shipped[`jobs/${name}`] = { job, runtime: "" };
    }
    return {
        examples: shipped,
        policies: files("policies"),
        clusters: files("clusters"),
        live: files("live"),
    };
}

/** The kinds of job that the library reads. */
function kinds() {
    const rows = read(root, "libgang/catalog/job_names.h").matchAll(/ROW\(\w+, "(\w+)", "/g);
    return [...rows].map(([, kind]) => kind).sort();
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Only this style and this program; no connection to any place. */
const policyOf = (style, script) => [
    "default-src 'none'",
    `script-src ${hash(script)} 'wasm-unsafe-eval'`,
    `style-src ${hash(style)}`,
    "img-src blob: data:",
    "base-uri 'none'",
    "form-action 'none'",
].join("; ");

const escapeText = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
/** Inside <script>, where only the end of the element has a meaning. */
const inScript = (text) => text.replaceAll("<", "\\u003c");

async function main(file, output) {
    const module = readFileSync(file);
    checkEnums();
    checkModule(module);
    const notice = read(here, "NOTICE");
    const style = await bundle("style.css");
    const script = await bundle("main.ts");
    checkNotice(script.inputs, notice);
    if (/<\/script|<!--/i.test(script.text)) {
        die("the program holds the end of a script element");
    }
    const contents = {
        policy: policyOf(style.text, script.text),
        style: style.text,
        notice: escapeText(notice),
        kinds: kinds().join(", "),
        examples: inScript(JSON.stringify(examples())),
        module: gzipSync(module, { level: 9 }).toString("base64"),
        script: script.text,
    };
    const page = read(here, "src/page.html").replace(/\{\{(\w+)\}\}/g, (_, name) => contents[name]);
    writeFileSync(output, page);
    const kib = (text) => `${Math.ceil(Buffer.byteLength(text) / 1024)} KiB`;
    if (Buffer.byteLength(page) >= largestPage) {
        die(`the page has ${kib(page)}, and README.md says less than 1 MiB`);
    }
    const parts = `module ${kib(contents.module)}, program ${kib(script.text)}`;
    console.log(`${output}: ${kib(page)} (${parts})`);
}

if (process.argv.length !== 4) {
    die("usage: node build.mjs MODULE.wasm OUTPUT.html");
}
await main(process.argv[2], process.argv[3]);
