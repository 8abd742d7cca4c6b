import { type AppError, terminal } from "@microremed/core";

const words: Readonly<Record<string, string>> = {
  EACCES: "this user has no right to read or write it",
  EPERM: "this user has no right to read or write it",
  EROFS: "the disk is read-only; name another place",
  ENOSPC: "no space is left on the disk; free some, or name another place",
  EDQUOT: "the disk quota is used up; free some space, or name another place",
  EEXIST: "there is a file of this name; name another place, or remove it",
  ENOTDIR: "a part of this path is a file, and a folder is needed",
  EISDIR: "it is a folder, and a file is needed",
  ENOENT: "there is no such file or folder",
};

/** What an error of the file system says, to be read after the path: `there is no such file or folder (ENOENT)`. */
export function fileWords(error: unknown): string {
  const { code = "" } = error as NodeJS.ErrnoException;
  return Object.hasOwn(words, code) ? `${words[code]} (${code})` : code || String(error);
}

/**
 * An error of the file system that a command met, as `invalid-request` with the path and what to do; undefined: it is another
 * error. A program that cannot be started is none.
 */
export function fileTrouble(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = "", path, dest, syscall = "" } = error as NodeJS.ErrnoException & { dest?: unknown };
  if (!Object.hasOwn(words, code) || syscall.startsWith("spawn")) return undefined;
  const places = [path, dest].filter((place) => typeof place === "string");
  if (places.length === 0 && code !== "ENOSPC" && code !== "EDQUOT") return undefined;
  return terminal("invalid-request", `${places.join(" -> ") || "a file"}: ${fileWords(error)}`);
}
