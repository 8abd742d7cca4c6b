import { FileTree } from "./file-tree.ts";
import type { ContainerRuntime, PodSandbox } from "./machine.ts";

/** A path in a container, resolved to the tree that holds it. `key` starts with `/` and is relative to the tree. */
export interface Located {
  readonly tree: FileTree;
  readonly key: string;
}

const missing = new FileTree();

/** An absolute path in which no part begins with a dot or is empty. */
const plainPath = /^(?:\/[^/.][^/]*)+$/;

/** `.` and `..` resolved, no trailing slash; `/` for the root. */
export function normalized(path: string, cwd = "/"): string {
  if (plainPath.test(path)) return path;
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** The mount path that holds `path`, if any: the longest that matches. */
export function mountOf(container: ContainerRuntime, path: string): string | undefined {
  let best: string | undefined;
  for (const mount of container.mounts.keys())
    if ((path === mount || path.startsWith(`${mount}/`)) && mount.length > (best?.length ?? -1)) best = mount;
  return best;
}

/** The tree of a normalised path: a volume's below a mount, else the container's own layer. */
export function locate(sandbox: PodSandbox, container: ContainerRuntime, path: string): Located {
  const mount = mountOf(container, path);
  if (mount === undefined) return { tree: container.files, key: path };
  const volume = container.mounts.get(mount) ?? "";
  const sub = container.subPaths?.get(mount);
  const key = `${sub === undefined ? "" : normalized(`/${sub}`)}${path.slice(mount.length)}`;
  return { tree: sandbox.volumes.get(volume) ?? missing, key: key || "/" };
}

/** The content of the file at a place; undefined when there is none. */
export const fileAt = ({ tree, key }: Located): Uint8Array | undefined =>
  tree.get(key) ?? tree.get(key.slice(1));

/** Whether there is a directory: an empty one of its own, or one with files below it. */
export const isDirectory = ({ tree, key }: Located): boolean => key === "/" || tree.hasDirectory(key);

/** Targets of symbolic links, by their entries in a tree; an entry is never changed. */
const targets = new WeakMap<Uint8Array, string>();
/** Trees that have or had a link: in all others no path needs to be followed. */
const linked = new WeakSet<FileTree>();

/** Puts a symbolic link at a place. */
export function linkAt({ tree, key }: Located, target: string): void {
  const entry = new TextEncoder().encode(target);
  targets.set(entry, target);
  linked.add(tree);
  tree.set(key, entry);
}

/** Whether there is or was a symbolic link anywhere in a container: without one every path leads to itself. */
export const hasLinks = ({ volumes }: PodSandbox, { files }: ContainerRuntime): boolean =>
  linked.has(files) || volumes.values().some((volume) => linked.has(volume));

/** Where the symbolic link at a place leads; undefined: there is none. */
export function linkTargetAt(place: Located): string | undefined {
  if (!linked.has(place.tree)) return undefined;
  const entry = fileAt(place);
  return entry && targets.get(entry);
}

/** Names directly below a directory. */
export function childrenOf({ tree, key }: Located): readonly string[] {
  const prefix = key === "/" ? "/" : `${key}/`;
  const names = new Set<string>();
  for (const name of tree.keys()) {
    const full = name.startsWith("/") ? name : `/${name}`;
    if (!full.startsWith(prefix)) continue;
    const child = full.slice(prefix.length).split("/")[0];
    if (child) names.add(child);
  }
  return [...names];
}

/** Removes a file, or a directory with all below it. */
export function removeAt({ tree, key }: Located): void {
  for (const name of [...tree.keys()]) {
    const full = name.startsWith("/") ? name : `/${name}`;
    if (full === key || full.startsWith(`${key}/`)) tree.delete(name);
  }
}
