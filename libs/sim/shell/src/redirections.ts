import { normalized } from "@microremed/sim-machine";
import type { Place } from "./container/command.types.ts";
import { FileError } from "./container/file-error.ts";
import { contentBytes } from "./container/file-writes.ts";
import { nowhere } from "./container/synthetic-files.ts";
import { mark, marked } from "./marks.ts";
import { ownOutput } from "./own-output.ts";

type Files = Place["files"];
type WriteOptions = Parameters<Files["writeFile"]>[2];
type Flavour = Place["flavour"];

/** What just-bash says of a file that it could not check. */
const complaint = /^bash: (.*)\/\.sent-(?:over|more): cannot open redirect target$/gm;

/** Files where a check of a marked one opens it, and what could not be opened so. */
export interface OpenedFirst {
  readonly files: Files;
  /** What was sent to `/dev/stderr` by a variable's value. */
  toStderr(): string;
  /** Text in which just-bash's complaints are those of the shell. */
  inWords(text: string): string;
}

export function openedFirst(files: Files, flavour: Flavour, shell: "sh" | "bash"): OpenedFirst {
  const opened = new Set<string>();
  const errors = new Map<string, FileError>();
  let toStderr = "";
  const plain = (path: string): string => path.replace(marked, "") || nowhere;

  async function open(path: string): Promise<boolean> {
    const place = plain(path);
    try {
      if ((await files.exists(place)) && (await files.stat(place)).isDirectory)
        throw new FileError("EISDIR", "open", place);
      await (path.endsWith(mark.more) ? files.appendFile(place, "") : files.writeFile(place, ""));
    } catch (error) {
      if (error instanceof FileError) errors.set(place, error);
      throw error;
    }
    opened.add(path);
    return false;
  }

  const write =
    (method: "appendFile" | "writeFile"): Files["writeFile"] =>
    async (path, content, options) => {
      // It is open.
      if (marked.test(path) && content.length === 0 && opened.delete(path)) return;
      const place = plain(path);
      const text = typeof content === "string" ? inWords(content) : content;
      if (place === "/dev/stdout") await files.appendFile(ownOutput, text, options);
      else if (place === "/dev/stderr") toStderr += contentText(text, options);
      else await files[method](place, text, options);
    };

  /** The target is as the script has it, and the error is of its whole path. */
  function inWords(text: string): string {
    return text.replace(complaint, (_, target: string) => {
      const path = normalized(target);
      const found = [...errors].find(([place]) => place === path || place.endsWith(path));
      return `bash: ${cannotCreate(target, found?.[1] ?? new FileError("ENOENT", "open", target), { flavour, shell })}`;
    });
  }

  return {
    files: {
      ...files,
      exists: (path) => (marked.test(path) ? open(path) : files.exists(path)),
      writeFile: write("writeFile"),
      appendFile: write("appendFile"),
    },
    inWords,
    toStderr: () => toStderr,
  };
}

const contentText = (content: string | Uint8Array, options: WriteOptions): string =>
  Buffer.from(contentBytes(content, options)).toString();

/** What a shell says of a file that it could not send output to. */
export function cannotCreate(
  target: string,
  error: FileError,
  { flavour, shell }: { readonly flavour: Flavour; readonly shell: "sh" | "bash" },
): string {
  const words = error.words(flavour);
  if (shell === "bash") return `${target}: ${words}`;
  if (flavour === "busybox")
    return `can't create ${target}: ${error.code === "ENOENT" ? "nonexistent directory" : words}`;
  return `cannot create ${target}: ${error.code === "ENOENT" ? "Directory nonexistent" : words}`;
}
