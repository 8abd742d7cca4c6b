import type { Rng } from "@microremed/core";
import type { ContainerRuntime, IoFault } from "@microremed/sim-machine";

/** What one file system call meets. */
export interface IoOutcome {
  readonly delayMs: number;
  readonly errno: number | undefined;
}

const untouched: IoOutcome = { delayMs: 0, errno: undefined };

/** Delay and error that faulted mounts add to one call (`open`, `read`, `write`, ...) on a path of the container. */
export function ioOutcome(container: ContainerRuntime, path: string, method: string, rng: Rng): IoOutcome {
  if (container.ioFaults.length === 0) return untouched;
  const hits = container.ioFaults.filter(
    (fault) => concerns(fault, path, method) && rng.float() * 100 < fault.percent,
  );
  return {
    delayMs: hits.reduce((sum, fault) => sum + fault.delayMs, 0),
    errno: hits.find((fault) => fault.errno !== undefined)?.errno,
  };
}

/** Whether a fault acts on a call, chance aside. */
export function concerns(fault: IoFault, path: string, method: string): boolean {
  if (path !== fault.volumePath && !path.startsWith(`${fault.volumePath}/`)) return false;
  if (fault.methods && !fault.methods.includes(method)) return false;
  return !fault.path || globToRegExp(fault.path).test(path);
}

const globs = new Map<string, RegExp>();

/** toda's globs: `*` and `?` stay within a path segment, `**` crosses them. */
function globToRegExp(glob: string): RegExp {
  const known = globs.get(glob);
  if (known) return known;
  const source = glob.replace(/\*\*\/|\*\*|\*|\?|[.+^${}()|[\]\\]/g, (token) => {
    if (token === "**/") return "(?:.*/)?";
    if (token === "**") return ".*";
    if (token === "*") return "[^/]*";
    return token === "?" ? "[^/]" : `\\${token}`;
  });
  const pattern = new RegExp(`^${source}$`);
  if (globs.size > 1000) globs.clear();
  globs.set(glob, pattern);
  return pattern;
}
