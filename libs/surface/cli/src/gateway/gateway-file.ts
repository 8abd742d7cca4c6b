import { existsSync, readFileSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson, terminal } from "@microremed/core";
import { z } from "zod";

const GatewayFile = z.object({ url: z.url(), pid: z.int().positive() });

const pathIn = (directory: string): string => join(directory, "gateway.json");

/** Says to commands in this directory where the gateway of its range is. Disposing it removes the file. */
export async function writeGatewayFile(directory: string, url: string): Promise<AsyncDisposable> {
  const path = pathIn(directory);
  await writeFile(path, `${JSON.stringify({ url, pid: process.pid })}\n`);
  return {
    [Symbol.asyncDispose]: async () => {
      const found = GatewayFile.safeParse(parseJson(await readFile(path, "utf8").catch(() => "")));
      if (found.data?.pid === process.pid) await rm(path, { force: true });
    },
  };
}

/** Two ranges in one directory would overwrite each other's tokens. Throws `invalid-config` that names the other process. */
export function refuseIfInUse(directory: string): void {
  const { pid } = readGatewayFile(directory) ?? {};
  if (pid === undefined || pid === process.pid || !isAlive(pid)) return;
  throw terminal(
    "invalid-config",
    `${directory} belongs to a local range that is running (process ${pid}); stop it, or use another directory`,
  );
}

/** The gateway of the range that runs in this directory; undefined: there is none. */
export function readGatewayFile(directory: string): z.output<typeof GatewayFile> | undefined {
  const path = pathIn(directory);
  if (!existsSync(path)) return undefined;
  return GatewayFile.safeParse(parseJson(readFileSync(path, "utf8"))).data;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
