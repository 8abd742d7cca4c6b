import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** The location of a program. `path` is as found on the search path, `real` with all links resolved. */
export interface Tool {
  readonly path: string;
  readonly real: string;
  /** A program below /usr that this one is run instead of. */
  readonly insteadOf?: string;
}

/** Searches the system's directories first, so that a version manager's shim never wins over the real program. */
export async function findTool(name: string, searchPath: string): Promise<Tool | undefined> {
  const directories = ["/usr/bin", "/usr/local/bin", ...searchPath.split(delimiter)];
  for (const directory of directories) {
    const path = join(directory || ".", name);
    try {
      await access(path, constants.X_OK);
      return { path, real: await realpath(path) };
    } catch {
      // Not in this one.
    }
  }
  return undefined;
}

/**
 * The kubectl of a version of Kubernetes (`1.31`) where it is installed beside this one, else this one. Google Cloud's
 * `kubectl` only chooses: at every call it asks the API server for its version and starts the `kubectl.1.31` beside it.
 */
export async function kubectlOf(version: string, kubectl: Tool): Promise<Tool> {
  const real = `${kubectl.real}.${version}`;
  try {
    await access(real, constants.X_OK);
    return { path: kubectl.path, real, insteadOf: kubectl.real };
  } catch {
    return kubectl;
  }
}
