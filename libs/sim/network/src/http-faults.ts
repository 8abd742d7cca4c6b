import type { HttpFault, PodSandbox } from "@microremed/sim-machine";

/** What a proxy in front of a pod's port does to a request. */
export interface HttpEffect {
  /** The connection is cut before an answer came. */
  readonly aborted: boolean;
  readonly delayMs: number;
  /** The status that the caller sees instead of the server's. */
  readonly code: number | undefined;
}

const untouched: HttpEffect = { aborted: false, delayMs: 0, code: undefined };
const none: readonly HttpFault[] = [];

/** The faults on requests to a port of a pod. */
export function httpFaultsOn(sandbox: PodSandbox, port: number): readonly HttpFault[] {
  let found = none;
  for (const { httpFaults } of sandbox.containers.values())
    if (httpFaults.length > 0) found = [...found, ...httpFaults.filter((fault) => fault.port === port)];
  return found;
}

/** chaos-tproxy's path filter: `*` matches any text. */
function matchesPath(pattern: string | undefined, path: string): boolean {
  if (pattern === undefined || pattern === "*") return true;
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  return new RegExp(`^${escaped}$`).test(path);
}

/** What happens to a GET of a path that the server would answer with `status`. */
export function httpEffect(faults: readonly HttpFault[], path: string, status: number): HttpEffect {
  if (faults.length === 0) return untouched;
  let effect = untouched;
  for (const fault of faults) {
    const met =
      matchesPath(fault.path, path) &&
      (fault.method === undefined || fault.method === "GET") &&
      (fault.target === "Request" || fault.code === undefined || fault.code === status);
    if (!met) continue;
    effect = {
      aborted: effect.aborted || fault.abort,
      delayMs: effect.delayMs + fault.delayMs,
      code: (fault.target === "Response" ? fault.replaceCode : undefined) ?? effect.code,
    };
  }
  return effect;
}
