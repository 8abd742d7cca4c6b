import { type ContainerRuntime, lengthOf, longFile } from "@microremed/sim-machine";
import type { CpOptions, IFileSystem, MkdirOptions, RmOptions } from "just-bash";
import { type ContainerTree, parentOf } from "./container-tree.ts";
import type { FileCalls } from "./file-calls.ts";
import { FileError } from "./file-error.ts";
import type { FileReads } from "./file-reads.ts";
import { isDevice, isReadOnly } from "./synthetic-files.ts";

type Content = Parameters<IFileSystem["writeFile"]>[1];
type Encoding = Parameters<IFileSystem["writeFile"]>[2];

/** What is written: the shell hands bytes over as a text of bytes, and says so. */
export function contentBytes(content: Content, options?: Encoding): Uint8Array {
  if (typeof content !== "string") return content;
  const encoding = typeof options === "string" ? options : options?.encoding;
  return Buffer.from(content, (encoding ?? "utf8") as BufferEncoding);
}

/** What changes a container's files. */
type FileWrites = Pick<IFileSystem, "writeFile" | "appendFile" | "mkdir" | "rm" | "cp" | "mv">;

export function createFileWrites(
  tree: ContainerTree,
  { call }: FileCalls,
  { readFileBuffer, stat, readdir }: FileReads,
  container: ContainerRuntime,
): FileWrites {
  const { real, linkAt, contentAt, sizeAt, directoryAt, requireDirectory, put } = tree;

  async function writeFile(given: string, content: Content, options?: Encoding): Promise<void> {
    const path = real(given, "open", true);
    if (isDevice(path)) return;
    await call(path, sizeAt(path) === undefined ? "create" : "open", "write", "flush");
    put(path, contentBytes(content, options));
  }

  async function mkdir(given: string, options?: MkdirOptions): Promise<void> {
    const path = real(given, "mkdir", true);
    await call(path, "mkdir");
    if (directoryAt(path) || sizeAt(path) !== undefined) {
      if (options?.recursive && directoryAt(path)) return;
      throw new FileError("EEXIST", "mkdir", given);
    }
    if (isReadOnly(path)) throw new FileError("EROFS", "mkdir", given);
    if (options?.recursive) await mkdir(parentOf(path), options);
    else requireDirectory(parentOf(path), "mkdir", path);
    tree.makeDirectory(path);
  }

  async function rm(given: string, options?: RmOptions): Promise<void> {
    const path = real(given, "unlink", false);
    const isLink = linkAt(path) !== undefined;
    await call(path, !isLink && directoryAt(path) ? "rmdir" : "unlink");
    const isFile = isLink || sizeAt(path) !== undefined;
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
    const target = options?.recursive ? linkAt(real(src, "lstat", false)) : undefined;
    if (target !== undefined) {
      await rm(dest, { force: true });
      return tree.makeLink(target, real(dest, "symlink", false));
    }
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
    appendFile: async (path, content, options) => {
      const place = real(path, "open", true);
      if (isDevice(place)) return;
      const old = contentAt(place) ?? new Uint8Array();
      const added = contentBytes(content, options);
      // Of a long file the end is not kept.
      const isLong = lengthOf(old) > old.byteLength;
      await writeFile(
        place,
        isLong ? longFile(old, lengthOf(old) + added.byteLength) : Buffer.concat([old, added]),
      );
    },
    mv: async (src, dest) => {
      const [from, to] = [real(src, "rename", false), real(dest, "rename", true)];
      const content = contentAt(from);
      if (content && tree.areTogether(from, to) && linkAt(from) === undefined && !directoryAt(to)) {
        // A file that only gets another name needs no room.
        await call(from, "rename");
        if (isReadOnly(from) || isReadOnly(to)) throw new FileError("EROFS", "rename", src);
        requireDirectory(parentOf(to), "rename", to);
        tree.remove(from);
        put(to, content);
        return;
      }
      await cp(src, dest, { recursive: true });
      await rm(src, { recursive: true });
    },
  };
}
