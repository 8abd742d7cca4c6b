import { isUtf8 } from "node:buffer";
import type { Place } from "./container/command.types.ts";
import { contentBytes } from "./container/file-writes.ts";
import { mostOutput } from "./limits.ts";
import { ownOutput } from "./own-output.ts";

/** What a script prints. */
export interface Output {
  add(chunk: Uint8Array): void;
  /** What `live` was not there to take. */
  taken(): Uint8Array;
  /** Aborted when there is more than a script may print. */
  readonly full: AbortSignal;
}

/** `live` takes it as it comes; without it, it is kept, up to a bound. */
export function collectOutput(live: ((chunk: Uint8Array) => void) | undefined): Output {
  const chunks: Uint8Array[] = [];
  const full = new AbortController();
  let size = 0;
  return {
    add(chunk) {
      if (chunk.byteLength === 0) return;
      if (live) return live(chunk);
      size += chunk.byteLength;
      if (size > mostOutput) return full.abort();
      chunks.push(chunk);
    },
    taken: () => Buffer.concat(chunks),
    full: full.signal,
  };
}

/** just-bash's printf hands the bytes of its escapes over as characters: a text of them is UTF-8 once more. */
function isTextOfBytes(content: string | Uint8Array, options: unknown): content is string {
  if (typeof content !== "string" || options === "binary" || options === "latin1") return false;
  return /[\x80-\xff]/.test(content) && !/[^\0-\xff]/.test(content) && isUtf8(Buffer.from(content, "latin1"));
}

/** Files of which one is the script's own output. */
export function withOutput(files: Place["files"], add: (chunk: Uint8Array) => void): Place["files"] {
  return {
    ...files,
    async appendFile(path, content, options) {
      if (path === ownOutput)
        add(
          isTextOfBytes(content, options) ? Buffer.from(content, "latin1") : contentBytes(content, options),
        );
      else await files.appendFile(path, content, options);
    },
  };
}
