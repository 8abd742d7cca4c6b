import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { promisify } from "node:util";
import type { TextFile } from "@microremed/catalogue/environment";
import { terminal } from "@microremed/core";
import { isArchive, tooBig, unpack } from "./unpack.ts";

const run = promisify(execFile);

/** Files that are read of a folder or an archive, bytes of one, and of all. */
const mostFiles = 5_000;
const mostBytes = 4 * 1024 * 1024;
const mostBytesInAll = 256 * 1024 * 1024;
const deepest = 12;
const builtWithinMs = 120_000;
/** What may hold manifests or configuration. */
const readable = /\.(ya?ml|json|properties|env|conf|cfg|ini|toml)$|^\.env$/;
const ignored = /^(\.git|\.github|node_modules|vendor|testdata)$/;
const kustomizations = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/** What was read of a source. */
interface ReadSource {
  readonly texts: readonly TextFile[];
  /** Of the environment, if it gets no other. */
  readonly name: string;
  /** Files that were passed over, and why, a line each. */
  readonly left: readonly string[];
}

/**
 * The texts of a folder, an archive (tar, tar.gz, zip) or, for `-`, of `stdin`. A folder with a kustomization is built by kubectl,
 * one with a Helm chart by helm. Throws `invalid-request` (terminal) that says what was expected, and `signal`'s reason once it is aborted.
 */
export async function readSource(
  path: string,
  stdin: () => Readable,
  signal: AbortSignal = new AbortController().signal,
): Promise<ReadSource> {
  try {
    return await readFrom(path, stdin, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

async function readFrom(path: string, stdin: () => Readable, signal: AbortSignal): Promise<ReadSource> {
  if (path === "-")
    return {
      texts: [{ name: "manifests.yaml", text: await boundedText(addAbortSignal(signal, stdin())) }],
      name: "imported",
      left: [],
    };
  const found = await stat(path).catch(() => undefined);
  if (!found)
    throw terminal("invalid-request", `there is no ${path}; expected a folder, an archive, or - for stdin`);
  const name = basename(path).replace(/\.(tar(\.gz)?|tgz|zip|ya?ml|json)$/, "");
  if (found.isDirectory()) return { ...(await readFolder(path, signal)), name };
  if (!found.isFile()) throw terminal("invalid-request", `${path} is no regular file`);
  if (isArchive(path))
    return { ...(await unpack(path, readable, { mostFiles, mostBytes, mostBytesInAll, signal })), name };
  if (found.size > mostBytes) throw terminal("invalid-request", tooBig(path, found.size, mostBytes));
  return { texts: [{ name: basename(path), text: await readFile(path, "utf8") }], name, left: [] };
}

/** No more is read of what goes on and on. */
async function boundedText(stream: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const part = Buffer.from(chunk as Buffer);
    size += part.length;
    if (size > mostBytes)
      throw terminal(
        "invalid-request",
        `stdin has more than ${mostBytes} bytes; write the manifests to several files of a folder`,
      );
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

async function readFolder(folder: string, signal: AbortSignal): Promise<Omit<ReadSource, "name">> {
  if (kustomizations.some((name) => existsSync(join(folder, name))))
    return { texts: [await built("kubectl", ["kustomize", folder], signal)], left: [] };
  if (existsSync(join(folder, "Chart.yaml")))
    return {
      texts: [await built("helm", ["template", basename(folder), folder], signal)],
      left: [],
    };
  const texts: TextFile[] = [];
  const left: string[] = [];
  let total = 0;
  for (const path of await filesBelow(folder, 0)) {
    if (texts.length >= mostFiles)
      throw terminal(
        "invalid-request",
        `${folder} has more than ${mostFiles} files; name the folder with the manifests`,
      );
    signal.throwIfAborted();
    const { size } = await stat(path);
    const name = relative(folder, path);
    if (size > mostBytes) {
      left.push(tooBig(name, size, mostBytes));
      continue;
    }
    total += size;
    if (total > mostBytesInAll)
      throw terminal(
        "invalid-request",
        `${folder} has more than ${mostBytesInAll} bytes of manifests and configuration; name the folder with the manifests`,
      );
    texts.push({ name, text: await readFile(path, "utf8") });
  }
  return { texts, left };
}

async function filesBelow(folder: string, depth: number): Promise<string[]> {
  if (depth > deepest) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !ignored.test(entry.name)) found.push(...(await filesBelow(path, depth + 1)));
    else if (entry.isFile() && readable.test(entry.name)) found.push(path);
  }
  return found;
}

async function built(program: string, args: readonly string[], signal: AbortSignal): Promise<TextFile> {
  try {
    const bounds = { timeout: builtWithinMs, maxBuffer: 16 * mostBytes, signal };
    const { stdout } = await run(program, [...args], bounds);
    return { name: "manifests.yaml", text: stdout };
  } catch (error) {
    const { code, stderr = "" } = error as { code?: unknown; stderr?: string };
    const why = code === "ENOENT" ? `${program} is not installed` : stderr.trim() || String(error);
    throw terminal(
      "invalid-request",
      `${program} ${args.join(" ")}: ${why}; render it yourself and import what was printed (${program} ${args[0]} ... | microremed environments import -)`,
    );
  }
}
