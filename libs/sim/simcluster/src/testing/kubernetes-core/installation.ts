import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** An Ansible with the collection kubernetes.core and that collection's own tests. */
export interface Installation {
  /** Folders with `ansible-playbook`, and with `virtualenv`, for `PATH`. */
  readonly bin: readonly string[];
  readonly python: string;
  /** Folder with `ansible_collections`. */
  readonly collections: string;
}

/** What is installed from Python's package index: the bundle has the collections and their tests. */
interface Release {
  readonly bundle: string;
  readonly packages: readonly string[];
}

const current: Release = {
  bundle: "12.3.0",
  packages: [
    "ansible-core==2.19.14",
    "kubernetes==34.1.0",
    "kubernetes-validate==1.37.0",
    "jsonpatch==1.47",
    "requests-oauthlib==2.0.0",
    "setuptools==65.5.0",
    "virtualenv==20.29.3",
    "wheel==0.48.0",
  ],
};
/** Beside Debian 12's own packages `ansible` and `python3-kubernetes`. */
const debian: Release = { bundle: "7.7.0", packages: ["jsonpatch==1.47", "virtualenv==20.29.3"] };
/** The ansible-core that the tests of Debian's collections are for. */
const debianCore = /^ansible-playbook \[core 2\.14\./;
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

/** A virtual environment with a release's packages: made where it stays, for its scripts name their folder. */
async function virtualEnvironment(
  { bundle, packages }: Release,
  ...python: readonly string[]
): Promise<string> {
  const folder = join(root, `venv-${bundle}`);
  const [program = "", ...options] = python;
  const as = createHash("sha256")
    .update([...python, ...packages].join(" "))
    .digest("hex")
    .slice(0, 8);
  await once(`python-${bundle}-${as}`, async (draft) => {
    await rm(folder, { recursive: true, force: true });
    await run(program, ["-m", "venv", ...options, folder], { timeout: installMs });
    await run(join(folder, "bin/pip"), ["install", "-q", ...packages], { timeout: installMs });
    await mkdir(join(draft, "done"));
  });
  return folder;
}

/** The collections of a bundle's source package, which has their tests. `venv` has setuptools. */
const collectionsOf = (bundle: string, venv: string): Promise<string> =>
  once(`collections-${bundle}`, async (draft) => {
    const pip = ["download", "-q", "--no-deps", "--no-binary", ":all:", "--no-build-isolation"];
    await run(join(venv, "bin/pip"), [...pip, "-d", draft, `ansible==${bundle}`], { timeout: installMs });
    const [archive = ""] = (await readdir(draft)).filter((name) => name.endsWith(".tar.gz"));
    const wanted = collectionFolders.map((name) => `ansible-${bundle}/ansible_collections/${name}`);
    await run("tar", ["xzf", join(draft, archive), "-C", draft, "--strip-components=1", ...wanted]);
    await rm(join(draft, archive));
  });

/** Why a program cannot be started or says something else; empty: it says what it should. */
async function whyNot(
  what: string,
  program: string,
  args: readonly string[],
  says = /(?:)/,
): Promise<string> {
  try {
    const { stdout } = await run(program, args);
    return says.test(stdout) ? "" : `needs ${what}, and there is ${stdout.split("\n")[0]}`;
  } catch (thrown) {
    return `needs ${what}: ${whyOf(thrown)}`;
  }
}

/** Why targets cannot have a /tmp of their own here. */
const whyNotApart = (): Promise<string> =>
  whyNot("bubblewrap", "bwrap", ["--dev-bind", "/", "/", "--bind", "/var", "/tmp", "true"]);

async function installed(make: () => Promise<Installation>): Promise<Installation | string> {
  try {
    return await make();
  } catch (thrown) {
    return `needs Python's package index: ${whyOf(thrown)}`;
  }
}

/** Current Ansible, in a virtual environment of its own. A text: why it cannot be had here. */
export async function currentAnsible(): Promise<Installation | string> {
  const why =
    (await whyNotApart()) ||
    (await whyNot("python3 with venv and pip", "python3", ["-c", "import venv, ensurepip"]));
  if (why) return why;
  return await installed(async () => {
    const venv = await virtualEnvironment(current, "python3");
    const collections = await collectionsOf(current.bundle, venv);
    return { bin: [join(venv, "bin")], python: join(venv, "bin/python3"), collections };
  });
}

/** Debian's Ansible with Debian's Python client. A text: why it cannot be had here. */
export async function debianAnsible(): Promise<Installation | string> {
  const [python, playbook] = ["/usr/bin/python3", "/usr/bin/ansible-playbook"];
  const modules = "import venv, ensurepip, kubernetes";
  const why =
    (await whyNotApart()) ||
    (await whyNot("Debian 12's Ansible", playbook, ["--version"], debianCore)) ||
    (await whyNot("Debian's python3-venv and python3-kubernetes", python, ["-c", modules]));
  if (why) return why;
  return await installed(async () => {
    const setuptools = await virtualEnvironment(current, "python3");
    const venv = await virtualEnvironment(debian, python, "--system-site-packages");
    const collections = await collectionsOf(debian.bundle, setuptools);
    return { bin: ["/usr/bin", join(venv, "bin")], python: join(venv, "bin/python3"), collections };
  });
}
