import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { terminal } from "@microremed/core";
import { findProgram } from "@microremed/servers";
import { execa } from "execa";
import { cacheRoot, keepBuild, limitCache, noteUse } from "./cache.ts";
import { exists } from "./exists.ts";

/** Programs of one Go module. */
export interface GoPrograms {
  readonly name: string;
  readonly module: string;
  readonly version: string;
  readonly packages: readonly string[];
  /** Values of string variables, by their full name: the versions that programs report. */
  readonly stamps?: Readonly<Record<string, string>>;
  /** Finds the versions that replace what the module's own go.mod asks for, by module; only called to build. */
  readonly replace?: () => Promise<Readonly<Record<string, string>>>;
}

const buildWithinMs = 3 * 3_600_000;
/** Where users get it. */
export const howToGetGo = "Install Go 1.24 or newer (https://go.dev/dl).";

/**
 * Builds programs from a Go module, without a checkout of its repository: a small module of our own requires it. Returns
 * the folder of the programs. They are built once and kept in `cacheRoot`; what they are built from is in the folder's name.
 */
export async function buildPrograms(programs: GoPrograms, say: (line: string) => void): Promise<string> {
  const key = createHash("sha256").update(JSON.stringify(programs)).digest("hex").slice(0, 12);
  const target = join(cacheRoot, "programs", `${programs.name}-${programs.version}-${key}`);
  if (await exists(target)) {
    await noteUse(target);
    return target;
  }
  const go = await findProgram("go", howToGetGo);
  await mkdir(join(cacheRoot, "programs"), { recursive: true });
  const dir = await mkdtemp(`${target}.building-`);
  try {
    await writeModule(dir, programs);
    const run = (...args: string[]) =>
      execa(go, args, {
        cwd: dir,
        env: { GOFLAGS: "-mod=mod", CGO_ENABLED: "0", GOTOOLCHAIN: "local" },
        timeout: buildWithinMs,
      });
    say(`${programs.name} ${programs.version}: its modules`);
    await run("mod", "tidy", "-e");
    for (const path of programs.packages) {
      const program = programName(path);
      say(`${programs.name} ${programs.version}: ${program}`);
      await run(
        "build",
        "-trimpath",
        "-ldflags",
        linkerFlags(programs),
        "-o",
        join(dir, "bin", program),
        path,
      );
    }
    await keepBuild(join(dir, "bin"), target);
    await noteUse(target);
    await limitCache(join(cacheRoot, "programs"));
    return target;
  } catch (error) {
    throw terminal(
      "invalid-config",
      `cannot build ${programs.name} ${programs.version}: ${lastLines(error)}`,
    );
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function writeModule(dir: string, { module, version, packages, replace }: GoPrograms): Promise<void> {
  const replaced = Object.entries((await replace?.()) ?? {}).map(
    ([name, other]) => `replace ${name} => ${name} ${other}`,
  );
  const lines = ["module microremed.test/programs", "go 1.24", `require ${module} ${version}`, ...replaced];
  await writeFile(join(dir, "go.mod"), `${lines.join("\n")}\n`);
  const imports = packages.map((path) => `import _ "${path}"`);
  await writeFile(
    join(dir, "programs.go"),
    `//go:build programs\n\npackage programs\n\n${imports.join("\n")}\n`,
  );
}

/** Older modules use names that newer linkers hide. */
function linkerFlags({ stamps = {} }: GoPrograms): string {
  const values = Object.entries(stamps).map(([name, value]) => `-X ${name}=${value}`);
  return ["-s", "-w", "-checklinkname=0", ...values].join(" ");
}

/** As `go build` names it: a last element like `v3` is the module's major version. */
function programName(path: string): string {
  const parts = path.split("/");
  return /^v\d+$/.test(parts.at(-1) ?? "") ? (parts.at(-2) ?? path) : basename(path);
}

function lastLines(error: unknown): string {
  return String(error instanceof Error ? error.message : error)
    .split("\n")
    .slice(-8)
    .join("\n");
}
