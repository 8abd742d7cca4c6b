import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Installation } from "./installation.ts";

const targetsFolder = "ansible_collections/kubernetes/core/tests/integration/targets";
/** A target takes no longer than this on a machine that is not overloaded, ms: one of them waits for ten minutes. */
const targetMs = 25 * 60_000;
const shownBytes = 4000;

const playbookOf = (target: string): string =>
  `- hosts: localhost\n  connection: local\n  gather_facts: true\n  roles: [${target}]\n`;

/**
 * A program with a /tmp of its own: targets write files of fixed names there, and delete what others have under these
 * names. It sees everything else, `home` and the collections included if they are in /tmp.
 */
async function apart(home: string, collections: string, command: readonly string[]): Promise<string[]> {
  const scratch = join(home, "scratch");
  await mkdir(scratch);
  const installed = dirname(collections);
  const binds = ["--dev-bind", "/", "/", "--bind", scratch, "/tmp", "--bind", installed, installed];
  // What is killed takes along all that it has started.
  const ends = ["--unshare-pid", "--proc", "/proc", "--die-with-parent"];
  return [...binds, "--bind", home, home, ...ends, ...command];
}

/** Names of the targets that a collection ships. */
export const shippedTargets = ({ collections }: Installation): Promise<string[]> =>
  readdir(join(collections, targetsFolder));

/**
 * Runs one target as it is, in a copy of the collections, with a home folder that has nothing but a kubeconfig and with a
 * /tmp of its own. Resolves to the end of what it printed when it failed; empty: it passed.
 */
export async function runTarget(
  { bin, python, collections }: Installation,
  target: string,
  kubeconfig: string,
): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "kubernetes-core-"));
  try {
    await mkdir(join(home, ".kube"));
    await writeFile(join(home, ".kube/config"), kubeconfig);
    const copy = join(home, "collections");
    // Targets write beside their own files, and into no other collection.
    const [own, others] = ["ansible_collections/kubernetes", "ansible_collections/community"];
    await cp(join(collections, own), join(copy, own), { recursive: true });
    await symlink(join(collections, others), join(copy, others));
    // Some of their tasks name another interpreter, which one given on the command line would replace.
    const inventory = join(home, "inventory");
    await writeFile(inventory, `localhost ansible_connection=local ansible_python_interpreter=${python}\n`);
    const folder = join(copy, targetsFolder, target);
    const hasScript = existsSync(join(folder, "runme.sh"));
    // Older targets are roles alone, which Ansible's own test runner puts into such a playbook.
    if (!hasScript) await writeFile(join(folder, "playbook.yaml"), playbookOf(target));
    const command = hasScript ? ["bash", "./runme.sh"] : ["ansible-playbook", "playbook.yaml"];
    const child = spawn("bwrap", await apart(home, collections, [...command, "-i", inventory]), {
      cwd: folder,
      env: {
        HOME: home,
        PATH: [...bin, process.env["PATH"]].join(":"),
        ANSIBLE_ROLES_PATH: "..",
        LANG: "C.UTF-8",
        ANSIBLE_COLLECTIONS_PATH: copy,
        ANSIBLE_COLLECTIONS_PATHS: copy,
        ANSIBLE_LOCAL_TEMP: join(home, "tmp"),
        ANSIBLE_NOCOLOR: "1",
      },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: targetMs,
    });
    let printed = "";
    const keep = (chunk: Buffer): void => {
      printed = `${printed}${chunk}`.slice(-shownBytes);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    return code === 0 ? "" : `exit code ${code}\n${printed}`;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
