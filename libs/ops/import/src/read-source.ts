import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { promisify } from "node:util";
import type { TextFile } from "@microremed/catalogue/environment";
import { terminal } from "@microremed/core";
import { isArchive, unpack } from "./unpack.ts";

const run = promisify(execFile);

/** Files that are read of a folder or an archive, and bytes of one. */
const mostFiles = 5_000;
const mostBytes = 4 * 1024 * 1024;
const deepest = 12;
const builtWithinMs = 120_000;
/** What may hold manifests or configuration. */
const readable = /\.(ya?ml|json|properties|env|conf|cfg|ini|toml)$|^\.env$/;
const ignored = /^(\.git|\.github|node_modules|vendor|testdata)$/;
const kustomizations = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/**
 * The texts of a folder, an archive (tar, tar.gz, zip) or, for `-`, of `stdin`. A folder with a kustomization is built by kubectl,
 * one with a Helm chart by helm. Throws `invalid-request` (terminal) that says what was expected.
 */
export async function readSource(
  path: string,
  stdin: () => Promise<string>,
): Promise<{ readonly texts: readonly TextFile[]; readonly name: string }> {
  if (path === "-") return { texts: [{ name: "manifests.yaml", text: await stdin() }], name: "imported" };
  const found = await stat(path).catch(() => undefined);
  if (!found)
    throw terminal("invalid-request", `there is no ${path}; expected a folder, an archive, or - for stdin`);
  const name = basename(path).replace(/\.(tar(\.gz)?|tgz|zip|ya?ml|json)$/, "");
  if (found.isDirectory()) return { texts: await readFolder(path), name };
  if (!found.isFile()) throw terminal("invalid-request", `${path} is no regular file`);
  if (isArchive(path)) return { texts: await unpack(path, readable, { mostFiles, mostBytes }), name };
  return { texts: [{ name: basename(path), text: await readFile(path, "utf8") }], name };
}

async function readFolder(folder: string): Promise<TextFile[]> {
  if (kustomizations.some((name) => existsSync(join(folder, name))))
    return [await built("kubectl", ["kustomize", folder], "manifests.yaml")];
  if (existsSync(join(folder, "Chart.yaml")))
    return [await built("helm", ["template", basename(folder), folder], "manifests.yaml")];
  const texts: TextFile[] = [];
  for (const path of await filesBelow(folder, 0)) {
    if (texts.length >= mostFiles)
      throw terminal(
        "invalid-request",
        `${folder} has more than ${mostFiles} files; name the folder with the manifests`,
      );
    if ((await stat(path)).size <= mostBytes)
      texts.push({ name: relative(folder, path), text: await readFile(path, "utf8") });
  }
  return texts;
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

async function built(program: string, args: readonly string[], name: string): Promise<TextFile> {
  try {
    const { stdout } = await run(program, [...args], { timeout: builtWithinMs, maxBuffer: 16 * mostBytes });
    return { name, text: stdout };
  } catch (error) {
    const { code, stderr = "" } = error as { code?: unknown; stderr?: string };
    const why = code === "ENOENT" ? `${program} is not installed` : stderr.trim() || String(error);
    throw terminal(
      "invalid-request",
      `${program} ${args.join(" ")}: ${why}; render it yourself and import what was printed (${program} ${args[0]} ... | microremed environments import -)`,
    );
  }
}
