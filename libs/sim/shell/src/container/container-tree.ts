import {
  type ContainerRuntime,
  chaosDns,
  childrenOf,
  fileAt,
  hasLinks,
  isDirectory,
  lengthOf,
  linkAt,
  linkTargetAt,
  locate,
  type Machine,
  mountOf,
  normalized,
  type PodSandbox,
  readHosts,
  removeAt,
} from "@microremed/sim-machine";
import { FileError } from "./file-error.ts";
import {
  isReadOnly,
  isSyntheticDirectory,
  isSyntheticFile,
  nowhere,
  type SyntheticWorld,
  syntheticChildren,
  syntheticFile,
  syntheticSize,
} from "./synthetic-files.ts";

/** A tree (a volume, or a container's layer) takes no more than this, bytes. */
const maxTreeBytes = 512 << 20;
/** All running pods' trees together take no more than this, bytes: they are in memory. Files that are small go on. */
const maxBytes = 1 << 30;
const smallBytes = 1 << 20;
const decoder = new TextDecoder();

/** What is where in a container: its own layer, its volumes and generated files. Paths are normalized. */
export interface ContainerTree {
  /**
   * A path with its symbolic links followed, the last one only with `last`. Throws ELOOP, in the name of a system call.
   */
  real(path: string, call: string, last: boolean): string;
  /** Where a symbolic link leads; undefined: there is none at the path. */
  linkAt(path: string): string | undefined;
  makeLink(target: string, path: string): void;
  /** What a file holds; undefined: there is none. A device makes new bytes each time. */
  contentAt(path: string): Uint8Array | undefined;
  /** Length of a file, bytes: 0 for a device; undefined: there is none. What is kept of it may be less. */
  sizeAt(path: string): number | undefined;
  directoryAt(path: string): boolean;
  /** Whether there is a file or a directory. */
  existsAt(path: string): boolean;
  /** Throws ENOTDIR or ENOENT, in the name of a system call. */
  requireDirectory(path: string, call: string, child?: string): void;
  /** Names in a directory, sorted. */
  namesIn(path: string): string[];
  /** Whether there is room for a file of so many bytes at a path, in the place of what is there. */
  fits(path: string, bytes: number): boolean;
  /** Bytes that a file at a path may have in all, as its file system has a size; infinite: it has none. */
  roomFor(path: string): number;
  isInMemory(path: string): boolean;
  /** Whether two paths are on one file system. */
  areTogether(one: string, other: string): boolean;
  put(path: string, content: Uint8Array): void;
  makeDirectory(path: string): void;
  remove(path: string): void;
}

/** As Linux. */
const mostLinks = 40;

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";

export function createContainerTree(
  sandbox: PodSandbox,
  container: ContainerRuntime,
  machine: Machine,
  world: SyntheticWorld,
): ContainerTree {
  const at = (path: string) => locate(sandbox, container, path);
  const contentAt = (path: string): Uint8Array | undefined => fileAt(at(path)) ?? syntheticFile(path, world);
  const lengthAt = (path: string): number | undefined => {
    const content = fileAt(at(path));
    return content && lengthOf(content);
  };
  const sizeAt = (path: string): number | undefined => lengthAt(path) ?? syntheticSize(path, world);
  const directoryAt = (path: string): boolean =>
    isSyntheticDirectory(path, world) ||
    isDirectory(at(path)) ||
    (mountOf(container, path) === path && fileAt(at(path)) === undefined) ||
    container.mounts.keys().some((mount) => mount.startsWith(`${path}/`));

  const existsAt = (path: string): boolean =>
    fileAt(at(path)) !== undefined || isSyntheticFile(path, world) || directoryAt(path);

  const targetAt = (path: string): string | undefined => linkTargetAt(at(path));

  function real(given: string, call: string, last: boolean): string {
    let path = normalized(given);
    if (!hasLinks(sandbox, container)) return path;
    for (let followed = 0; followed <= mostLinks; followed += 1) {
      const inner = [...ancestors(path), ...(last ? [path] : [])];
      const link = inner.find((one) => targetAt(one) !== undefined);
      if (link === undefined) return path;
      path = normalized(`${normalized(targetAt(link) ?? "", parentOf(link))}/${path.slice(link.length)}`);
    }
    throw new FileError("ELOOP", call, given);
  }

  function requireDirectory(path: string, call: string, child = path): void {
    if (directoryAt(path)) return;
    throw new FileError(sizeAt(path) === undefined ? "ENOENT" : "ENOTDIR", call, child);
  }

  const roomFor = (path: string): number => at(path).tree.free + (lengthAt(path) ?? 0);

  /** `kept`: how many of them are in memory. */
  function fits(path: string, bytes: number, kept = bytes): boolean {
    if (bytes > roomFor(path)) return false;
    const { tree, key } = at(path);
    const more = kept - (tree.get(key)?.byteLength ?? 0);
    if (tree.keptBytes + more > maxTreeBytes) return false;
    return more <= smallBytes || sizeOfAll(machine) + more <= maxBytes;
  }

  function put(path: string, content: Uint8Array): void {
    if (path === nowhere) throw new FileError("ENOENT", "open", "");
    if (isReadOnly(path)) throw new FileError("EROFS", "open", path);
    if (directoryAt(path)) throw new FileError("EISDIR", "open", path);
    requireDirectory(parentOf(path), "open", path);
    if (!fits(path, lengthOf(content), content.byteLength)) throw new FileError("ENOSPC", "write", path);
    if (path === "/etc/hosts") {
      // One file for all containers of the pod, which resolvers read at once.
      sandbox.hosts = readHosts(decoder.decode(content));
      return;
    }
    const { tree, key } = at(path);
    tree.delete(key.slice(1));
    tree.set(key, content);
    // Rewriting the sandbox's resolv.conf without the chaos DNS server ends a DNS fault.
    if (path !== "/etc/resolv.conf" || decoder.decode(content).includes(chaosDns)) return;
    delete sandbox.dnsFault;
    delete sandbox.asksChaosDns;
  }

  function namesIn(path: string): string[] {
    const prefix = path === "/" ? "/" : `${path}/`;
    const mounts = [...container.mounts.keys()].flatMap((mount) =>
      mount.startsWith(prefix) ? [mount.slice(prefix.length).split("/")[0] ?? ""] : [],
    );
    const own = mountOf(container, path) === undefined ? syntheticChildren(path, world) : [];
    return [...new Set([...childrenOf(at(path)), ...own, ...mounts])].filter((name) => name !== "").sort();
  }

  return {
    real,
    linkAt: targetAt,
    makeLink(target, path) {
      if (isReadOnly(path)) throw new FileError("EROFS", "symlink", path);
      if (targetAt(path) !== undefined || sizeAt(path) !== undefined || directoryAt(path))
        throw new FileError("EEXIST", "symlink", path);
      requireDirectory(parentOf(path), "symlink", path);
      linkAt(at(path), target);
    },
    contentAt,
    sizeAt,
    directoryAt,
    existsAt,
    requireDirectory,
    namesIn,
    fits,
    roomFor,
    isInMemory: (path) => at(path).tree.isInMemory,
    areTogether: (one, other) => at(one).tree === at(other).tree,
    put,
    makeDirectory(path) {
      const { tree, key } = at(path);
      tree.set(`${key}/`, new Uint8Array());
    },
    remove: (path) => removeAt(at(path)),
  };
}

function sizeOfAll({ sandboxes }: Machine): number {
  let sum = 0;
  for (const { containers, volumes } of sandboxes.values()) {
    for (const { files } of containers.values()) sum += files.keptBytes;
    for (const volume of volumes.values()) sum += volume.keptBytes;
  }
  return sum;
}

function ancestors(path: string): readonly string[] {
  const parts = path.split("/").slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`);
}
