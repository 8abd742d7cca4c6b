import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";

/** The release whose protocol the gym speaks. */
const release = "openenv-core==0.3.0";
const installMs = 15 * 60_000;
const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "microremed");

/** A Python with OpenEnv's own package, installed once for all runs; or why there is none. */
export async function installOpenEnv(): Promise<{ readonly python: string } | { readonly why: string }> {
  const folder = join(cache, release.replace("==", "-"));
  const python = join(folder, "bin/python");
  const done = join(folder, "installed");
  if (existsSync(done)) return { python };
  await mkdir(cache, { recursive: true });
  await rm(folder, { recursive: true, force: true });
  const how = { reject: false, timeout: installMs, all: true } as const;
  for (const [program, ...args] of [
    ["python3", "-m", "venv", folder],
    [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", release],
  ] as const) {
    const { exitCode, all = "" } = await execa(program, args, how);
    if (exitCode !== 0)
      return {
        why: `${release} cannot be installed: ${all.trim().split("\n").at(-1) || `${program} did not start`}`,
      };
  }
  const made = join(folder, "installing");
  await mkdir(made, { recursive: true });
  await rename(made, done);
  return { python };
}
