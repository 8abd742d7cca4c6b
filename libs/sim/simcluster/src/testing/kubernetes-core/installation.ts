import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** An Ansible with the collection kubernetes.core and that collection's own tests. */
export interface Installation {
  /** Folder with `ansible-playbook`. */
  readonly bin: string;
  readonly python: string;
  /** Folder with `ansible_collections`. */
  readonly collections: string;
}

/** Versions of what is installed from Python's package index. */
const current = {
  bundle: "12.3.0",
  packages: [
    "ansible-core==2.19.14",
    "kubernetes==34.1.0",
    "kubernetes-validate==1.37.0",
    "jsonpatch==1.47",
    "requests-oauthlib==2.0.0",
    "setuptools==65.5.0",
    "wheel==0.48.0",
  ],
};
const collectionFolders = ["kubernetes/core", "community/general"];
const installMs = 15 * 60_000;

const run = promisify(execFile);
/** What is installed once for all runs. */
const root = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "microremed",
  "kubernetes-core",
);

/** The last line that a program printed when it failed: it says why. */
const whyOf = (thrown: unknown): string => {
  const text = thrown instanceof Error && "stderr" in thrown ? String(thrown.stderr) : String(thrown);
  return text.trim().split("\n").at(-1) ?? "";
};

/** Makes a folder once: what is begun and does not come to its end leaves nothing. */
async function once(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(root, name);
  if (existsSync(folder)) return folder;
  await mkdir(root, { recursive: true });
  const draft = await mkdtemp(join(root, "draft-"));
  try {
    await make(draft);
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

/** A virtual environment with current Ansible: made where it stays, for its scripts name their folder. */
async function virtualEnvironment(): Promise<string> {
  const done = await once(`python-${current.bundle}`, async (draft) => {
    const folder = join(root, `venv-${current.bundle}`);
    await rm(folder, { recursive: true, force: true });
    await run("python3", ["-m", "venv", folder], { timeout: installMs });
    await run(join(folder, "bin/pip"), ["install", "-q", ...current.packages], { timeout: installMs });
    await mkdir(join(draft, "done"));
  });
  return done.replace(/python-([^/]*)$/, "venv-$1");
}

/** The collections of a bundle's source package, which has their tests. */
const collectionsOf = (bundle: string, venv: string): Promise<string> =>
  once(`collections-${bundle}`, async (draft) => {
    const pip = ["download", "-q", "--no-deps", "--no-binary", ":all:", "--no-build-isolation"];
    await run(join(venv, "bin/pip"), [...pip, "-d", draft, `ansible==${bundle}`], { timeout: installMs });
    const [archive = ""] = (await readdir(draft)).filter((name) => name.endsWith(".tar.gz"));
    const wanted = collectionFolders.map((name) => `ansible-${bundle}/ansible_collections/${name}`);
    await run("tar", ["xzf", join(draft, archive), "-C", draft, "--strip-components=1", ...wanted]);
    await rm(join(draft, archive));
  });

/** Current Ansible, in a virtual environment of its own. A text: why it cannot be had here. */
export async function currentAnsible(): Promise<Installation | string> {
  try {
    await run("python3", ["-c", "import venv, ensurepip"]);
  } catch (thrown) {
    return `needs python3 with venv and pip: ${whyOf(thrown)}`;
  }
  try {
    const venv = await virtualEnvironment();
    const collections = await collectionsOf(current.bundle, venv);
    return { bin: join(venv, "bin"), python: join(venv, "bin/python3"), collections };
  } catch (thrown) {
    return `needs Python's package index: ${whyOf(thrown)}`;
  }
}
