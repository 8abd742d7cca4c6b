import { readFileSync, rmSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { terminal } from "@microremed/core";

/** Says which process writes to a directory; it goes with the process. */
const claimFile = ".microremed-writes-here";
const claimed = new Set<string>();

/**
 * Makes this process the only one that saves episodes in a directory, until it ends. Throws `invalid-request` while another one
 * does: of two with the same names of files each would overwrite the other's. What a process that was killed has left does not count.
 */
export async function claimDirectory(directory: string): Promise<void> {
  const path = join(resolve(directory), claimFile);
  if (claimed.has(path)) return;
  const own = `${process.pid} ${hostname()}\n`;
  if (!(await isWritten(path, own))) {
    const [pid = "", host = ""] = readFileSync(path, "utf8").trim().split(" ");
    if (host !== hostname() || isAlive(Number(pid)))
      throw terminal(
        "invalid-request",
        `another command (process ${pid} on ${host}) saves episodes in ${directory} now; give another --save-path, or wait for it. If it has ended: rm ${path}`,
      );
    await rm(path, { force: true });
    if (!(await isWritten(path, own))) return await claimDirectory(directory);
  }
  claimed.add(path);
  process.once("exit", () => rmSync(path, { force: true }));
}

/** False: the file is there already. */
async function isWritten(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: "wx" });
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw thrown;
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}
