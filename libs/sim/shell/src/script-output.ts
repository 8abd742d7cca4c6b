import { isUtf8 } from "node:buffer";
import type { Language } from "@microremed/shell-text";
import type { Place } from "./container/command.types.ts";
import { contentBytes } from "./container/file-writes.ts";
import { ownOutput, withOwnOutput } from "./own-output.ts";
import { withMarks } from "./redirections.ts";
import { mostOutput } from "./run-plain.ts";

/** Where files are not to be written over, the shell checks them itself. */
const keepsFiles = /\bset\s+-\w*C|\bnoclobber\b/;

/**
 * A script whose commands write to `ownOutput`, and to files that are marked; the shell itself says what is wrong with one
 * that cannot be parsed.
 */
export function sentOn(script: string, { parse, serialize }: Language, shell: "sh" | "bash"): string {
  try {
    const parsed = parse(script);
    const sent = { ...parsed, statements: withOwnOutput(parsed.statements) };
    return serialize(keepsFiles.test(script) ? sent : withMarks(sent, shell));
  } catch {
    return script;
  }
}

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
