import type { ContainerRuntime } from "@microremed/sim-machine";
import type { FsStat, IFileSystem } from "just-bash";
import type { ContainerTree } from "./container-tree.ts";
import type { FileCalls } from "./file-calls.ts";
import { FileError } from "./file-error.ts";

const decoder = new TextDecoder();
const epoch = new Date(0);

/** What reads a container's files. */
export type FileReads = Pick<IFileSystem, "readFile" | "readFileBuffer" | "stat" | "lstat" | "exists"> & {
  readdir(path: string): Promise<string[]>;
};

export function createFileReads(
  { real, linkAt, contentAt, sizeAt, directoryAt, existsAt, requireDirectory, namesIn }: ContainerTree,
  { call }: FileCalls,
  container: ContainerRuntime,
): FileReads {
  async function readFileBuffer(given: string): Promise<Uint8Array> {
    const path = real(given, "open", true);
    await call(path, "open", "read");
    const content = contentAt(path);
    if (content) return content;
    throw new FileError(directoryAt(path) ? "EISDIR" : "ENOENT", "open", given);
  }

  async function lstat(given: string): Promise<FsStat> {
    const path = real(given, "lstat", false);
    const target = linkAt(path);
    if (target === undefined) return stat(given);
    await call(path, "getattr");
    const mtime = new Date(container.startedAt);
    const size = Buffer.byteLength(target);
    return { isFile: false, isDirectory: false, isSymbolicLink: true, mode: 0o777, size, mtime };
  }

  async function stat(given: string): Promise<FsStat> {
    const path = real(given, "stat", true);
    await call(path, "getattr");
    const size = sizeAt(path);
    const isFile = size !== undefined;
    if (!isFile && !directoryAt(path)) throw new FileError("ENOENT", "stat", given);
    return {
      isFile,
      isDirectory: !isFile,
      isSymbolicLink: false,
      mode: isFile && !/^\/((usr\/)?bin\/|opt\/kafka\/bin\/kafka-)/.test(path) ? 0o644 : 0o755,
      size: size ?? 4096,
      mtime: isFile ? new Date(container.startedAt) : epoch,
    };
  }

  return {
    readFileBuffer,
    readFile: async (path, options) => {
      const encoding = typeof options === "string" ? options : options?.encoding;
      const content = await readFileBuffer(path);
      return encoding && !/^utf-?8$/.test(encoding)
        ? Buffer.from(content).toString(encoding as BufferEncoding)
        : decoder.decode(content);
    },
    exists: async (path) => {
      try {
        return existsAt(real(path, "stat", true));
      } catch {
        // Links that lead to one another.
        return false;
      }
    },
    stat,
    lstat,
    readdir: async (given) => {
      const path = real(given, "scandir", true);
      await call(path, "opendir", "readdir");
      requireDirectory(path, "scandir");
      return namesIn(path);
    },
  };
}
