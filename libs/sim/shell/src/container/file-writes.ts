import { type ContainerRuntime, normalized } from "@microremed/sim-machine";
import type { CpOptions, IFileSystem, MkdirOptions, RmOptions } from "just-bash";
import { type ContainerTree, parentOf } from "./container-tree.ts";
import type { FileCalls } from "./file-calls.ts";
import { FileError } from "./file-error.ts";
import type { FileReads } from "./file-reads.ts";
import { isReadOnly, nullDevice } from "./synthetic-files.ts";

const encoder = new TextEncoder();

/** What changes a container's files. */
type FileWrites = Pick<IFileSystem, "writeFile" | "appendFile" | "mkdir" | "rm" | "cp" | "mv">;

export function createFileWrites(
  tree: ContainerTree,
  { call }: FileCalls,
  { readFileBuffer, stat, readdir }: FileReads,
  container: ContainerRuntime,
): FileWrites {
  const { contentAt, directoryAt, requireDirectory, put } = tree;

  async function writeFile(given: string, content: string | Uint8Array): Promise<void> {
    const path = normalized(given);
    if (path === nullDevice) return;
    await call(path, contentAt(path) ? "open" : "create", "write", "flush");
    put(path, typeof content === "string" ? encoder.encode(content) : content);
  }

  async function mkdir(given: string, options?: MkdirOptions): Promise<void> {
    const path = normalized(given);
    await call(path, "mkdir");
    if (directoryAt(path) || contentAt(path)) {
      if (options?.recursive && directoryAt(path)) return;
      throw new FileError("EEXIST", "mkdir", given);
    }
    if (isReadOnly(path)) throw new FileError("EROFS", "mkdir", given);
    if (options?.recursive) await mkdir(parentOf(path), options);
    else requireDirectory(parentOf(path), "mkdir");
    tree.makeDirectory(path);
  }

  async function rm(given: string, options?: RmOptions): Promise<void> {
    const path = normalized(given);
    await call(path, directoryAt(path) ? "rmdir" : "unlink");
    const isFile = contentAt(path) !== undefined;
    if (!isFile && !directoryAt(path)) {
      if (options?.force) return;
      throw new FileError("ENOENT", "rm", given);
    }
    if (isReadOnly(path)) throw new FileError("EROFS", "rm", given);
    if (container.mounts.has(path)) throw new FileError("EBUSY", "rm", given);
    if (!isFile && !options?.recursive && (await readdir(path)).length > 0)
      throw new FileError("ENOTEMPTY", "rm", given);
    tree.remove(path);
  }

  async function cp(src: string, dest: string, options?: CpOptions): Promise<void> {
    if ((await stat(src)).isFile) return writeFile(dest, await readFileBuffer(src));
    if (!options?.recursive) throw new FileError("EISDIR", "cp", src);
    await mkdir(dest, { recursive: true });
    for (const name of await readdir(src)) await cp(`${src}/${name}`, `${dest}/${name}`, options);
  }

  return {
    writeFile,
    mkdir,
    rm,
    cp,
    appendFile: async (path, content) => {
      const old = contentAt(normalized(path)) ?? new Uint8Array();
      const added = typeof content === "string" ? encoder.encode(content) : content;
      await writeFile(path, Buffer.concat([old, added]));
    },
    mv: async (src, dest) => {
      await cp(src, dest, { recursive: true });
      await rm(src, { recursive: true });
    },
  };
}
