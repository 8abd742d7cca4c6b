import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import type { Duplex, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { TextFile } from "@microremed/catalogue/environment";
import { terminal } from "@microremed/core";
import { unzipSync } from "fflate";
import { extract, type Header } from "tar-stream";

interface Bounds {
  readonly mostFiles: number;
  /** Of one file; bigger ones are passed over. */
  readonly mostBytes: number;
  /** Of an archive, and of what is in it once it is unpacked. */
  readonly mostBytesInAll: number;
  readonly signal: AbortSignal;
}

interface Unpacked {
  readonly texts: readonly TextFile[];
  /** Files that were passed over, and why, a line each. */
  readonly left: readonly string[];
}

/** Says that a file is passed over, or refused. */
export const tooBig = (name: string, bytes: number, most: number): string =>
  `${name}: it has ${bytes} bytes, at most ${most} are read; leave out what is not needed`;

export const isArchive = (path: string): boolean => /\.(tar|tar\.gz|tgz|zip)$/.test(path);

/**
 * The files in an archive whose names `wanted` takes, without a folder that holds all of them. Throws `invalid-request` (terminal).
 */
export async function unpack(path: string, wanted: RegExp, bounds: Bounds): Promise<Unpacked> {
  const { mostBytesInAll } = bounds;
  if ((await stat(path)).size > mostBytesInAll)
    throw terminal(
      "invalid-request",
      `${path} is an archive of more than ${mostBytesInAll} bytes; ${smaller}`,
    );
  try {
    const { texts, left } = path.endsWith(".zip")
      ? await unzip(path, wanted, bounds)
      : await untar(path, wanted, bounds);
    return { texts: withoutCommonFolder(texts.toSorted((a, b) => (a.name < b.name ? -1 : 1))), left };
  } catch (error) {
    throw terminal(
      "invalid-request",
      error instanceof TooMuch
        ? `${path} ${error.message}; ${smaller}`
        : `${path} cannot be unpacked: ${error instanceof Error ? error.message : error}; expected a whole archive (tar, tar.gz, zip): make it again, or name the folder`,
    );
  }
}

const smaller = "make one of the folder with the manifests";

/** An archive holds more than is read of one. */
class TooMuch extends Error {}

/** Counts the files that are wanted, and the bytes that are unpacked for them. Throws `TooMuch`. */
function counter({ mostFiles, mostBytesInAll }: Bounds): { file(): void; bytes(count: number): void } {
  let files = 0;
  let bytes = 0;
  return {
    file() {
      if (++files > mostFiles) throw new TooMuch(`has more than ${mostFiles} files`);
    },
    bytes(count) {
      bytes += count;
      if (bytes > mostBytesInAll) throw new TooMuch(`holds more than ${mostBytesInAll} bytes`);
    },
  };
}

async function untar(path: string, wanted: RegExp, bounds: Bounds): Promise<Unpacked> {
  const texts: TextFile[] = [];
  const left: string[] = [];
  const count = counter(bounds);
  const read = async (entries: AsyncIterable<Readable & { readonly header: Header }>): Promise<void> => {
    // Each has to be read to its end before the next one comes.
    for await (const entry of entries) {
      const { name, type, size = 0 } = entry.header;
      const isWanted = type === "file" && wanted.test(name);
      if (isWanted) count.file();
      const isTaken = isWanted && size <= bounds.mostBytes;
      if (isWanted && !isTaken) left.push(tooBig(name, size, bounds.mostBytes));
      const parts: Buffer[] = [];
      for await (const part of entry as AsyncIterable<Buffer>) {
        count.bytes(part.length);
        if (isTaken) parts.push(part);
      }
      if (isTaken) texts.push({ name, text: Buffer.concat(parts).toString("utf8") });
    }
  };
  const source = createReadStream(path);
  // It is written to and gives entries, which its types do not say of one stream.
  const entries = extract() as unknown as Duplex;
  if (path.endsWith(".tar")) await pipeline(source, entries, read, bounds);
  else await pipeline(source, createGunzip(), entries, read, bounds);
  return { texts, left };
}

async function unzip(path: string, wanted: RegExp, bounds: Bounds): Promise<Unpacked> {
  const left: string[] = [];
  const count = counter(bounds);
  const entries = unzipSync(await readFile(path), {
    filter: ({ name, originalSize }) => {
      if (!wanted.test(name) || name.endsWith("/")) return false;
      count.file();
      if (originalSize > bounds.mostBytes) {
        left.push(tooBig(name, originalSize, bounds.mostBytes));
        return false;
      }
      // A few bytes may hold as much as this.
      count.bytes(originalSize);
      return true;
    },
  });
  const texts = Object.entries(entries).map(([name, bytes]) => ({
    name,
    text: Buffer.from(bytes).toString("utf8"),
  }));
  return { texts, left };
}

function withoutCommonFolder(files: readonly TextFile[]): TextFile[] {
  const [first] = files;
  const folder = first?.name.includes("/") ? `${first.name.split("/")[0]}/` : "";
  const isCommon = folder !== "" && files.every(({ name }) => name.startsWith(folder));
  return files.map(({ name, text }) => ({ name: isCommon ? name.slice(folder.length) : name, text }));
}
