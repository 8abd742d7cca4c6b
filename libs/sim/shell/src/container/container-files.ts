import {
  type ContainerRuntime,
  chaosDns,
  childrenOf,
  fileAt,
  isDirectory,
  locate,
  mountOf,
  normalized,
  type PodSandbox,
  removeAt,
} from "@microremed/sim-machine";
import type { CpOptions, FsStat, IFileSystem, MkdirOptions, RmOptions } from "just-bash";
import { errnoName, FileError } from "./file-error.ts";
import { ioOutcome } from "./io-faults.ts";
import type { ShellDeps } from "./shell-deps.types.ts";
import {
  directories,
  isReadOnly,
  nullDevice,
  type SyntheticWorld,
  syntheticChildren,
  syntheticFile,
} from "./synthetic-files.ts";

/** A container's files: its own layer, its volumes and generated ones. Calls on a faulted mount wait and fail. */
export interface ContainerFiles extends IFileSystem {
  /** Delay and errno of one more call on a path, for programs that make many. */
  meets(path: string, method: string): { readonly delayMs: number; readonly errno: number | undefined };
  /** Cluster time that calls have waited so far, ms: exact, where the clock overshoots while time runs fast. */
  waitedMs(): number;
}

/** A tree (a volume, or a container's layer) takes no more than this, bytes. */
const maxTreeBytes = 256 << 20;
const decoder = new TextDecoder();
const encoder = new TextEncoder();
const epoch = new Date(0);

export function createContainerFiles(
  deps: ShellDeps,
  sandbox: PodSandbox,
  container: ContainerRuntime,
  programs: readonly string[],
  signal: AbortSignal,
): ContainerFiles {
  const world = (): SyntheticWorld => ({
    sandbox,
    container,
    now: deps.loop.now(),
    nodeMemory: deps.nodeMemory(sandbox.nodeName),
    programs,
  });

  const meets = (path: string, method: string) => ioOutcome(container, normalized(path), method, deps.rng);

  let waited = 0;
  async function call(path: string, ...methods: string[]): Promise<void> {
    for (const method of methods) {
      const { delayMs, errno } = meets(path, method);
      waited += delayMs;
      if (delayMs > 0) await deps.loop.sleep(delayMs, signal);
      if (errno !== undefined) throw new FileError(errnoName(errno), method, path);
    }
  }

  const at = (path: string) => locate(sandbox, container, path);
  const contentAt = (path: string): Uint8Array | undefined =>
    fileAt(at(path)) ?? syntheticFile(path, world());
  const directoryAt = (path: string): boolean =>
    directories.includes(path) ||
    isDirectory(at(path)) ||
    mountOf(container, path) === path ||
    mountParents().has(path);
  const mountParents = (): ReadonlySet<string> =>
    new Set([...container.mounts.keys()].flatMap((mount) => ancestors(mount)));

  function requireDirectory(path: string, call: string): void {
    if (directoryAt(path)) return;
    throw new FileError(contentAt(path) ? "ENOTDIR" : "ENOENT", call, path);
  }

  function put(path: string, content: Uint8Array): void {
    if (isReadOnly(path)) throw new FileError("EROFS", "open", path);
    if (directoryAt(path)) throw new FileError("EISDIR", "open", path);
    requireDirectory(parentOf(path), "open");
    const { tree, key } = at(path);
    const used = [...tree.values()].reduce((sum, file) => sum + file.byteLength, 0);
    if (used - (tree.get(key)?.byteLength ?? 0) + content.byteLength > maxTreeBytes)
      throw new FileError("ENOSPC", "write", path);
    tree.delete(key.slice(1));
    tree.set(key, content);
    // Rewriting the sandbox's resolv.conf without the chaos DNS server ends a DNS fault.
    if (path !== "/etc/resolv.conf" || decoder.decode(content).includes(chaosDns)) return;
    delete sandbox.dnsFault;
    delete sandbox.asksChaosDns;
  }

  async function readFileBuffer(given: string): Promise<Uint8Array> {
    const path = normalized(given);
    await call(path, "open", "read");
    const content = contentAt(path);
    if (content) return content;
    throw new FileError(directoryAt(path) ? "EISDIR" : "ENOENT", "open", given);
  }

  async function writeFile(given: string, content: string | Uint8Array): Promise<void> {
    const path = normalized(given);
    if (path === nullDevice) return;
    await call(path, contentAt(path) ? "open" : "create", "write", "flush");
    put(path, typeof content === "string" ? encoder.encode(content) : content);
  }

  async function stat(given: string): Promise<FsStat> {
    const path = normalized(given);
    await call(path, "getattr");
    const content = contentAt(path);
    if (!content && !directoryAt(path)) throw new FileError("ENOENT", "stat", given);
    const isFile = content !== undefined;
    return {
      isFile,
      isDirectory: !isFile,
      isSymbolicLink: false,
      mode: isFile && !/^\/(usr\/)?bin\//.test(path) ? 0o644 : 0o755,
      size: content?.byteLength ?? 4096,
      mtime: isFile ? new Date(container.startedAt) : epoch,
    };
  }

  const readdir = async (given: string): Promise<string[]> => {
    const path = normalized(given);
    await call(path, "opendir", "readdir");
    requireDirectory(path, "scandir");
    const prefix = path === "/" ? "/" : `${path}/`;
    const mounts = [...container.mounts.keys()].flatMap((mount) =>
      mount.startsWith(prefix) ? [mount.slice(prefix.length).split("/")[0] ?? ""] : [],
    );
    const own = mountOf(container, path) === undefined ? syntheticChildren(path, world()) : [];
    return [...new Set([...childrenOf(at(path)), ...own, ...mounts])].filter((name) => name !== "").sort();
  };

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
    const { tree, key } = at(path);
    tree.set(`${key}/`, new Uint8Array());
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
    removeAt(at(path));
  }

  async function cp(src: string, dest: string, options?: CpOptions): Promise<void> {
    if ((await stat(src)).isFile) return writeFile(dest, await readFileBuffer(src));
    if (!options?.recursive) throw new FileError("EISDIR", "cp", src);
    await mkdir(dest, { recursive: true });
    for (const name of await readdir(src)) await cp(`${src}/${name}`, `${dest}/${name}`, options);
  }

  const unsupported = (call: string, path: string): Promise<never> =>
    Promise.reject(new FileError("EPERM", call, path));

  return {
    meets,
    waitedMs: () => waited,
    readFileBuffer,
    readFile: async (path, options) => {
      const encoding = typeof options === "string" ? options : options?.encoding;
      const content = await readFileBuffer(path);
      return encoding && !/^utf-?8$/.test(encoding)
        ? Buffer.from(content).toString(encoding as BufferEncoding)
        : decoder.decode(content);
    },
    writeFile,
    appendFile: async (path, content) => {
      const old = contentAt(normalized(path)) ?? new Uint8Array();
      const added = typeof content === "string" ? encoder.encode(content) : content;
      await writeFile(path, Buffer.concat([old, added]));
    },
    exists: async (path) => {
      const full = normalized(path);
      return contentAt(full) !== undefined || directoryAt(full);
    },
    stat,
    lstat: stat,
    mkdir,
    readdir,
    rm,
    cp,
    mv: async (src, dest) => {
      await cp(src, dest, { recursive: true });
      await rm(src, { recursive: true });
    },
    resolvePath: (base, path) => normalized(path, base),
    getAllPaths: () => [],
    chmod: async () => {},
    utimes: async () => {},
    symlink: (_target, path) => unsupported("symlink", path),
    link: (_existing, path) => unsupported("link", path),
    readlink: (path) => unsupported("readlink", path),
    realpath: async (path) => normalized(path),
  };
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";

function ancestors(path: string): readonly string[] {
  const parts = path.split("/").slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`);
}
