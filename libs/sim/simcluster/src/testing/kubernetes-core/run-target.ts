import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Installation } from "./installation.ts";

const targetsFolder = "ansible_collections/kubernetes/core/tests/integration/targets";
/** A target takes no longer than this on a machine that is not overloaded, ms: one of them waits for ten minutes. */
const targetMs = 25 * 60_000;
const shownBytes = 4000;

/** Names of the targets that a collection ships. */
export const shippedTargets = ({ collections }: Installation): Promise<string[]> =>
  readdir(join(collections, targetsFolder));

/**
 * Runs one target as it is, in a copy of the collections, with a home folder that has nothing but a kubeconfig. Resolves
 * to the end of what it printed when it failed; empty: it passed.
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
    await cp(collections, copy, { recursive: true });
    const child = spawn(
      "bash",
      ["./runme.sh", "-i", "localhost,", "-e", `ansible_python_interpreter=${python}`],
      {
        cwd: join(copy, targetsFolder, target),
        env: {
          HOME: home,
          PATH: `${bin}:${process.env["PATH"]}`,
          LANG: "C.UTF-8",
          ANSIBLE_COLLECTIONS_PATH: copy,
          ANSIBLE_COLLECTIONS_PATHS: copy,
          ANSIBLE_LOCAL_TEMP: join(home, "tmp"),
          ANSIBLE_NOCOLOR: "1",
        },
        stdio: ["ignore", "pipe", "pipe"],
        timeout: targetMs,
      },
    );
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
