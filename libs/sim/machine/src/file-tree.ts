/** Names of the directories that a file or directory is in, each with a slash before it and none behind. */
function directoriesAbove(key: string): readonly string[] {
  const parts = key.split("/").filter((part) => part !== "");
  if (!key.endsWith("/")) parts.pop();
  return parts.map((_, at) => `/${parts.slice(0, at + 1).join("/")}`);
}

/** Lengths of files of which only the beginning is kept. What an entry holds is never changed. */
const lengths = new WeakMap<Uint8Array, number>();

/** An entry for a file of so many bytes of which this is the beginning; the rest is kept by nothing. */
export function longFile(beginning: Uint8Array, bytes: number): Uint8Array {
  if (bytes <= beginning.byteLength) return beginning;
  const entry = beginning.subarray();
  lengths.set(entry, bytes);
  return entry;
}

/** Length of a file, bytes. */
export const lengthOf = (content: Uint8Array): number => lengths.get(content) ?? content.byteLength;

/**
 * One tree of files and directories, of a volume or of a container's own layer: path -> content. A file is `/dir/file` (a
 * kubelet may leave out the first slash), an empty directory `/dir/`. What would take a walk through all of it for each
 * write is counted as it changes.
 */
export class FileTree extends Map<string, Uint8Array> {
  /** Size of the file system, bytes; undefined: nothing bounds it. */
  capacity: number | undefined;
  /** It is a tmpfs: what is in it is memory of the container that mounts it. */
  isInMemory = false;
  #bytes = 0;
  #keptBytes = 0;
  /** How many entries are in each directory and below it, its own one included. */
  readonly #inside = new Map<string, number>();

  constructor(entries: Iterable<readonly [string, Uint8Array]> = []) {
    super();
    for (const [key, content] of entries) this.set(key, content);
  }

  /** Size of all files together, bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What of them is in memory, bytes. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** Room for more, bytes. */
  get free(): number {
    return Math.max(0, (this.capacity ?? Number.POSITIVE_INFINITY) - this.#bytes);
  }

  /** Whether there is a directory at a path with a slash before it and none behind: an empty one, or one of files. */
  hasDirectory(path: string): boolean {
    return this.#inside.has(path);
  }

  override set(key: string, content: Uint8Array): this {
    const old = this.get(key);
    if (!old) for (const above of directoriesAbove(key)) this.#inside.set(above, this.#below(above) + 1);
    this.#count(content, 1);
    if (old) this.#count(old, -1);
    return super.set(key, content);
  }

  override delete(key: string): boolean {
    const old = this.get(key);
    if (!old) return false;
    this.#count(old, -1);
    for (const above of directoriesAbove(key)) {
      const left = this.#below(above) - 1;
      if (left > 0) this.#inside.set(above, left);
      else this.#inside.delete(above);
    }
    return super.delete(key);
  }

  override clear(): void {
    this.#bytes = 0;
    this.#keptBytes = 0;
    this.#inside.clear();
    super.clear();
  }

  #count(content: Uint8Array, times: 1 | -1): void {
    this.#bytes += times * lengthOf(content);
    this.#keptBytes += times * content.byteLength;
  }

  #below(directory: string): number {
    return this.#inside.get(directory) ?? 0;
  }
}
