// SPDX-License-Identifier: Apache-2.0
// The input as the fragment of a link: JSON, deflated, base64url. A fragment is sent to no server.

import { type Input, parts } from "./gather";

const prefix = "v1.";
// A small link could otherwise unpack to any size.
const largestInput = 8 << 20;

async function throughStream(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream) {
    const reader = new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair)
        .getReader() as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) {
            return new Uint8Array(await new Blob(chunks).arrayBuffer());
        }
        size += value.length;
        if (size > largestInput) {
            await reader.cancel();
            throw new Error("the link unpacks to more than 8 MiB");
        }
        chunks.push(value);
    }
}

const toBase64 = (bytes: Uint8Array): string => {
    let text = "";
    for (const byte of bytes) {
        text += String.fromCharCode(byte);
    }
    return btoa(text);
};

export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
    Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

export const unzip = (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
    throughStream(bytes, new DecompressionStream("gzip"));

/** Throws if the page would not open the link. */
export async function fragmentOf(input: Input, step: number): Promise<string> {
    const text = JSON.stringify(parts.map((part) => input[part]));
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > largestInput) {
        throw new Error("the input has more than 8 MiB");
    }
    const packed = await throughStream(bytes, new CompressionStream("deflate-raw"));
    const base64 = toBase64(packed);
    const start = step === 0 ? "#" : `#step-${step}.`;
    return start + prefix + base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The step of the story that a link opens, "#step-2" or "#step-2.v1.…"; 0 without one. */
export const stepOf = (fragment: string): number =>
    Number(/^#step-([1-5])(\.|$)/.exec(fragment)?.[1] ?? 0);

/** The input of a link; null if the fragment has none. Throws if it is damaged. */
export async function inputOf(link: string): Promise<Input | null> {
    const fragment = link.replace(/^#(step-\d\.)?/, "");
    if (!fragment.startsWith(prefix)) {
        return null;
    }
    const base64 = fragment.slice(prefix.length).replaceAll("-", "+").replaceAll("_", "/");
    const bytes = await throughStream(fromBase64(base64), new DecompressionStream("deflate-raw"));
    const texts: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!Array.isArray(texts) || texts.some((text) => typeof text !== "string")) {
        throw new Error("the link holds no texts");
    }
    const input = parts.map((part, i) => [part, texts[i] as string | undefined ?? ""]);
    return Object.fromEntries(input) as Input;
}
