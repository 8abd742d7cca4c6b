/** Names of the directories that a file or directory is in, each with a slash before it and none behind. */
function directoriesAbove(key: string): readonly string[] {
  const parts = key.split("/").filter((part) => part !== "");
  if (!key.endsWith("/")) parts.pop();
  return parts.map((_, at) => `/${parts.slice(0, at + 1).join("/")}`);
}

/**
 * One tree of files and directories, of a volume or of a container's own layer: path -> content. A file is `/dir/file` (a
 * kubelet may leave out the first slash), an empty directory `/dir/`. What would take a walk through all of it for each
 * write is counted as it changes.
 */
export class FileTree extends Map<string, Uint8Array> {
  #bytes = 0;
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

  /** Whether there is a directory at a path with a slash before it and none behind: an empty one, or one of files. */
  hasDirectory(path: string): boolean {
    return this.#inside.has(path);
  }

  override set(key: string, content: Uint8Array): this {
    const old = this.get(key);
    if (!old) for (const above of directoriesAbove(key)) this.#inside.set(above, this.#below(above) + 1);
    this.#bytes += content.byteLength - (old?.byteLength ?? 0);
    return super.set(key, content);
  }

  override delete(key: string): boolean {
    const old = this.get(key);
    if (!old) return false;
    this.#bytes -= old.byteLength;
    for (const above of directoriesAbove(key)) {
      const left = this.#below(above) - 1;
      if (left > 0) this.#inside.set(above, left);
      else this.#inside.delete(above);
    }
    return super.delete(key);
  }

  override clear(): void {
    this.#bytes = 0;
    this.#inside.clear();
    super.clear();
  }

  #below(directory: string): number {
    return this.#inside.get(directory) ?? 0;
  }
}
