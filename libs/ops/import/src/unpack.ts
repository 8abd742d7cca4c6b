import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { TextFile } from "@microremed/catalogue/environment";
import { terminal } from "@microremed/core";
import { unzipSync } from "fflate";
import { extract } from "tar-stream";

interface Bounds {
  readonly mostFiles: number;
  /** Of one file; bigger ones are passed over. */
  readonly mostBytes: number;
  /** Of an archive, and of what is in it once it is unpacked. */
  readonly mostBytesInAll: number;
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
    throw terminal("invalid-request", `${path} is an archive of more than ${mostBytesInAll} bytes`);
  try {
    const { texts, left } = path.endsWith(".zip")
      ? await unzip(path, wanted, bounds)
      : await untar(path, wanted, bounds);
    return { texts: withoutCommonFolder(texts.toSorted((a, b) => (a.name < b.name ? -1 : 1))), left };
  } catch (error) {
    throw terminal(
      "invalid-request",
      `${path} cannot be unpacked: ${error instanceof Error ? error.message : error}`,
    );
  }
}

const tooMuch = (most: number): Error => new Error(`it holds more than ${most} bytes`);

async function untar(path: string, wanted: RegExp, bounds: Bounds): Promise<Unpacked> {
  const { mostFiles, mostBytes, mostBytesInAll } = bounds;
  const files: TextFile[] = [];
  const left: string[] = [];
  let total = 0;
  const reader = extract();
  reader.on("entry", (header, stream, next) => {
    const { name, type, size = 0 } = header;
    const isWanted = type === "file" && wanted.test(name);
    const isTaken = isWanted && size <= mostBytes && files.length < mostFiles;
    if (isWanted && size > mostBytes && left.length < mostFiles) left.push(tooBig(name, size, mostBytes));
    const parts: Buffer[] = [];
    stream.on("data", (chunk) => {
      const part = chunk as Buffer;
      total += part.length;
      if (total > mostBytesInAll) reader.destroy(tooMuch(mostBytesInAll));
      else if (isTaken) parts.push(part);
    });
    stream.on("end", () => {
      if (isTaken) files.push({ name, text: Buffer.concat(parts).toString("utf8") });
      next();
    });
    stream.resume();
  });
  const source = createReadStream(path);
  if (path.endsWith(".tar")) await pipeline(source, reader);
  else await pipeline(source, createGunzip(), reader);
  return { texts: files, left };
}

async function unzip(path: string, wanted: RegExp, bounds: Bounds): Promise<Unpacked> {
  const { mostFiles, mostBytes, mostBytesInAll } = bounds;
  const left: string[] = [];
  let count = 0;
  let total = 0;
  const entries = unzipSync(await readFile(path), {
    filter: ({ name, originalSize }) => {
      if (!wanted.test(name) || name.endsWith("/")) return false;
      if (originalSize > mostBytes) {
        if (left.length < mostFiles) left.push(tooBig(name, originalSize, mostBytes));
        return false;
      }
      if (++count > mostFiles) return false;
      // A few bytes may hold as much as this.
      total += originalSize;
      if (total > mostBytesInAll) throw tooMuch(mostBytesInAll);
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
