import { type ContainerRuntime, normalized, type PodSandbox } from "@microremed/sim-machine";
import type { IFileSystem } from "just-bash";
import { createContainerTree } from "./container-tree.ts";
import { createFileCalls, type FileCalls } from "./file-calls.ts";
import { FileError } from "./file-error.ts";
import { createFileReads } from "./file-reads.ts";
import { createFileWrites } from "./file-writes.ts";
import { programAt } from "./process-files.ts";
import type { ShellDeps } from "./shell-deps.types.ts";
import { nowhere } from "./synthetic-files.ts";

/** A container's files: its own layer, its volumes and generated ones. Calls on a faulted mount wait and fail. */
export interface ContainerFiles extends IFileSystem, Pick<FileCalls, "meets" | "waitedMs"> {
  /** Whether there is room for a file of so many bytes at a path, in the place of what is there. */
  fits(path: string, bytes: number): boolean;
  /** Bytes that a file at a path may have in all, as its file system has a size; infinite: it has none. */
  roomFor(path: string): number;
  /** Whether a path is on a tmpfs. */
  isInMemory(path: string): boolean;
}

export function createContainerFiles(
  deps: ShellDeps,
  sandbox: PodSandbox,
  container: ContainerRuntime,
  programs: readonly string[],
  signal: AbortSignal,
): ContainerFiles {
  const calls = createFileCalls(deps, container, signal);
  const tree = createContainerTree(sandbox, container, deps.machine, {
    sandbox,
    container,
    get now() {
      return deps.loop.now();
    },
    get nodeMemory() {
      return deps.nodeMemory(sandbox.nodeName);
    },
    get availableMemory() {
      return deps.availableMemory(sandbox.nodeName);
    },
    programs,
    random: () => deps.rng.int(2 ** 31),
  });
  const reads = createFileReads(tree, calls, container);
  const unsupported = (call: string, path: string): Promise<never> =>
    Promise.reject(new FileError("EPERM", call, path));

  return {
    ...reads,
    ...createFileWrites(tree, calls, reads, container),
    meets: calls.meets,
    waitedMs: calls.waitedMs,
    fits: (path, bytes) => tree.fits(tree.real(path, "open", true), bytes),
    roomFor: (path) => tree.roomFor(tree.real(path, "open", true)),
    isInMemory: (path) => tree.isInMemory(tree.real(path, "open", true)),
    resolvePath: (base, path) => (path === "" ? nowhere : normalized(path, base)),
    getAllPaths: () => [],
    chmod: async () => {},
    utimes: async () => {},
    symlink: async (target, path) => {
      await calls.call(normalized(path), "symlink");
      tree.makeLink(target, tree.real(path, "symlink", false));
    },
    link: (_existing, path) => unsupported("link", path),
    readlink: async (path) => {
      const place = tree.real(path, "readlink", false);
      const target = tree.linkAt(place) ?? programAt(place, container);
      if (target !== undefined) return target;
      throw new FileError((await reads.exists(place)) ? "EINVAL" : "ENOENT", "readlink", path);
    },
    realpath: async (path) => {
      const place = tree.real(path, "realpath", true);
      if (await reads.exists(place)) return place;
      throw new FileError("ENOENT", "realpath", path);
    },
  };
}
