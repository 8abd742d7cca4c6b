import { shellWord } from "@microremed/core";
import type { Place } from "./container/command.types.ts";

/** Programs that execs may leave running in one container: no process limit of a container is modelled. */
const mostExecs = 64;

/**
 * Starts a command in the container that lives until it ends or the container does. What it prints goes nowhere. Returns
 * the exit code of starting it.
 */
export function startInBackground(
  { deps, sandbox, container }: Place,
  script: string,
  { cwd, variables }: { readonly cwd: string; readonly variables: Readonly<Record<string, string>> },
): number {
  if (container.processes.filter(({ kind }) => kind === "exec").length >= mostExecs) return 1;
  const known = Object.entries(variables).map(([name, value]) => `${name}=${shellWord(value)}`);
  deps.background({
    namespace: sandbox.namespace,
    pod: sandbox.name,
    container: container.name,
    command: ["sh", "-c", [...known, `cd ${shellWord(cwd)}`, script].join("\n")],
    stdin: undefined,
    tty: false,
    stdout: () => {},
    stderr: () => {},
    signal: new AbortController().signal,
    orphaned: true,
  });
  return 0;
}
