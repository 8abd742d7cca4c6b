import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const bin = join(import.meta.dirname, "..", "..", "bin", "microremed.mjs");

/** The command as a user starts it, in a directory where no range is known, with lines as long as they need to be. */
export async function runCommand(directory: string, ...args: string[]) {
  const { NATS_URL: _, ...env } = process.env;
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: directory,
    env: { COLUMNS: "10000", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}
