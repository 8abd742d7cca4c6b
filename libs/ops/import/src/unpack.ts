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
}

/** Of an archive, and of what is in it once it is unpacked. */
const mostArchiveBytes = 256 * 1024 * 1024;

export const isArchive = (path: string): boolean => /\.(tar|tar\.gz|tgz|zip)$/.test(path);

/**
 * The files in an archive whose names `wanted` takes, without a folder that holds all of them. Throws `invalid-request` (terminal).
 */
export async function unpack(path: string, wanted: RegExp, bounds: Bounds): Promise<TextFile[]> {
  if ((await stat(path)).size > mostArchiveBytes)
    throw terminal("invalid-request", `${path} is an archive of more than ${mostArchiveBytes} bytes`);
  try {
    const files = path.endsWith(".zip")
      ? await unzip(path, wanted, bounds)
      : await untar(path, wanted, bounds);
    return withoutCommonFolder(files.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  } catch (error) {
    throw terminal(
      "invalid-request",
      `${path} cannot be unpacked: ${error instanceof Error ? error.message : error}`,
    );
  }
}

async function untar(path: string, wanted: RegExp, { mostFiles, mostBytes }: Bounds): Promise<TextFile[]> {
  const files: TextFile[] = [];
  let total = 0;
  const reader = extract();
  reader.on("entry", (header, stream, next) => {
    const { name, type, size = 0 } = header;
    const isTaken = type === "file" && size <= mostBytes && wanted.test(name) && files.length < mostFiles;
    const parts: Buffer[] = [];
    stream.on("data", (chunk) => {
      const part = chunk as Buffer;
      total += part.length;
      if (total > mostArchiveBytes) reader.destroy(new Error(`it holds more than ${mostArchiveBytes} bytes`));
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
  return files;
}

async function unzip(path: string, wanted: RegExp, { mostFiles, mostBytes }: Bounds): Promise<TextFile[]> {
  let count = 0;
  const entries = unzipSync(await readFile(path), {
    filter: ({ name, originalSize }) => originalSize <= mostBytes && wanted.test(name) && count++ < mostFiles,
  });
  return Object.entries(entries).map(([name, bytes]) => ({
    name,
    text: Buffer.from(bytes).toString("utf8"),
  }));
}

function withoutCommonFolder(files: readonly TextFile[]): TextFile[] {
  const [first] = files;
  const folder = first?.name.includes("/") ? `${first.name.split("/")[0]}/` : "";
  const isCommon = folder !== "" && files.every(({ name }) => name.startsWith(folder));
  return files.map(({ name, text }) => ({ name: isCommon ? name.slice(folder.length) : name, text }));
}
