import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { repositoryFiles, root } from "./pages.ts";

/** Longer than any copy; it ends what hangs. */
const withinMs = 10 * 60_000;

/** A copy of the repository in a directory of its own, removed when it is disposed. */
export interface FreshCopy extends AsyncDisposable {
  readonly dir: string;
}

/**
 * The repository's files as a clone has them, changes that are not committed included. With `packages`, the installed npm
 * packages too.
 */
export async function freshCopy({ packages }: { readonly packages: boolean }): Promise<FreshCopy> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-docs-"));
  for (const path of repositoryFiles())
    await cp(join(root, path), join(dir, path), { verbatimSymlinks: true });
  // As in a clone: `npm pack` asks git which files there are.
  await execa("git", ["init", "--quiet"], { cwd: dir, timeout: withinMs });
  if (packages) for (const folder of await installed()) await copyFolder(folder, dir);
  return { dir, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Every node_modules of the repository, by path from its root. */
async function installed(): Promise<string[]> {
  const listed = await execa(
    "git",
    [
      "ls-files",
      "--others",
      "--ignored",
      "--exclude-standard",
      "--directory",
      "--",
      ":(glob)**/node_modules/",
    ],
    { cwd: root, timeout: withinMs },
  );
  const folders = listed.stdout.split("\n").filter((path) => path.endsWith("node_modules/"));
  return folders.filter((path) => !path.startsWith("docs/site/"));
}

/** By hard links where the file system allows them: a copy takes a second and no space. */
async function copyFolder(path: string, dir: string): Promise<void> {
  const [from, to] = [join(root, path), join(dir, path)];
  const linked = await execa("cp", ["-al", from, to], { reject: false, timeout: withinMs });
  if (linked.exitCode !== 0) await cp(from, to, { recursive: true, verbatimSymlinks: true });
}

/** Programs that a machine with nothing but Node does not have. */
const notEverywhere = /^(ansible.*|bwrap|kubectl|nats-server|redis-server)$/;

/** A directory for PATH in `dir` with every program of this machine's PATH that any machine with Node has. */
export async function plainPath(dir: string): Promise<string> {
  const folder = join(dir, ".plain-path");
  await mkdir(folder);
  for (const from of (process.env["PATH"] ?? "").split(delimiter)) {
    const names = from === "" ? [] : await readdir(from).catch(() => []);
    for (const name of names.filter((one) => !notEverywhere.test(one)))
      await symlink(join(from, name), join(folder, name)).catch(() => undefined);
  }
  return folder;
}
