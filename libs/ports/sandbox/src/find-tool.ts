import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** The location of a program. `path` is as found on the search path, `real` with all links resolved. */
export interface Tool {
  readonly path: string;
  readonly real: string;
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
