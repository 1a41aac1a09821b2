// SPDX-License-Identifier: Apache-2.0
// One instance of the library: the functions of gang.h, and text in its memory.

/** A pointer, size_t or int: each has 32 bits. A number of 64 bits is a bigint. */
export type Word = number;

type Functions = Record<string, (...words: (Word | bigint)[]) => Word>;

// Linear memory never shrinks. An instance that grew beyond this is replaced.
const largestIdleMemory = 64 << 20;
const wordBytes = 4;

export class Module {
    readonly #memory: WebAssembly.Memory;
    readonly #functions: Functions;
    readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });

    constructor(compiled: WebAssembly.Module) {
        // The module imports nothing: it can only compute.
        const { exports } = new WebAssembly.Instance(compiled, {});
        this.#memory = exports["memory"] as WebAssembly.Memory;
        this.#functions = exports as unknown as Functions;
        this.call("_initialize");
    }

    get isLarge(): boolean {
        return this.#memory.buffer.byteLength > largestIdleMemory;
    }

    /** Calls a function. A pointer comes back without a sign. */
    call(name: string, ...words: (Word | bigint)[]): Word {
        const run = this.#functions[name];
        if (run === undefined) {
            throw new Error(`the module has no function ${name}`);
        }
        const result = run(...words) as Word | undefined;
        return result ?? 0;
    }

    pointer(name: string, ...words: Word[]): Word {
        return this.call(name, ...words) >>> 0;
    }

    /** Calls a function that returns a text of C; null for NULL. */
    text(name: string, ...words: Word[]): string | null {
        const address = this.pointer(name, ...words);
        if (address === 0) {
            return null;
        }
        const end = new Uint8Array(this.#memory.buffer).indexOf(0, address);
        return this.read(address, end - address);
    }

    /** Passes a text, with a NUL behind it, to `use`. */
    withText<Made>(text: string, use: (address: Word, length: number) => Made): Made {
        const bytes = new TextEncoder().encode(text);
        return this.#withBlock(bytes.length + 1, (address) => {
            const block = new Uint8Array(this.#memory.buffer, address, bytes.length + 1);
            block.set(bytes);
            block[bytes.length] = 0;
            return use(address, bytes.length);
        });
    }

    /** Passes the address of `count` words to `use`, for results, and then reads them. */
    withResults(count: number, use: (address: Word) => Word): { result: Word; words: Word[] } {
        return this.#withBlock(count * wordBytes, (address) => {
            new Uint32Array(this.#memory.buffer, address, count).fill(0);
            const result = use(address);
            return { result, words: [...new Uint32Array(this.#memory.buffer, address, count)] };
        });
    }

    read(address: Word, length: number): string {
        return this.#decoder.decode(new Uint8Array(this.#memory.buffer, address, length));
    }

    #withBlock<Made>(size: number, use: (address: Word) => Made): Made {
        const address = this.pointer("malloc", size);
        if (address === 0) {
            throw new Error("no memory for the input");
        }
        const made = use(address);
        this.call("free", address);
        return made;
    }
}
