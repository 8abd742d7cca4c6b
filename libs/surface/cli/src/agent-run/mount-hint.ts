import { realpath } from "node:fs/promises";
import { isAbsolute, relative } from "node:path";
import type { Sandbox } from "@microremed/sandbox";

/** Most arguments that are searched for files. */
const mostArguments = 100;

/** Says which argument of a program is a file or folder of this machine that its sandbox does not have; empty: none is. */
export async function mountHint({
  argv,
  sandbox,
  mounts,
}: {
  readonly argv: readonly string[];
  readonly sandbox: Pick<Sandbox, "kind">;
  readonly mounts: readonly string[];
}): Promise<string> {
  if (sandbox.kind === "none") return "";
  for (const argument of argv.slice(1, mostArguments)) {
    const real = await realpath(argument).catch(() => undefined);
    if (real === undefined || ["/usr", ...mounts].some((folder) => isWithin(folder, real))) continue;
    return `${argument.slice(0, 100)} is here and not in the sandbox: pass --mount, and its whole path`;
  }
  return "";
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}
