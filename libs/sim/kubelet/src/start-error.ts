import {
  type ContainerRuntime,
  corednsStartError,
  mongoStartError,
  type PodSandbox,
  policyServerStartError,
} from "@microremed/sim-machine";
import { listen, portTaken } from "./port-conflict.ts";

/** Lets a program that has started listen. Returns what it says before it ends because it cannot; undefined: it goes on. */
export function startError(
  sandbox: PodSandbox,
  container: ContainerRuntime,
  now: number,
): string | undefined {
  if (!container.isListening && !container.init && container.startupLeft <= 0) {
    const refused =
      mongoStartError(sandbox, container, now) ??
      corednsStartError(sandbox, container, now) ??
      policyServerStartError(sandbox, container);
    if (refused !== undefined) return refused;
  }
  const port = listen(sandbox, container);
  return port === undefined ? undefined : portTaken(container, port);
}
