import { programOf } from "@microremed/core/bundle";
import { freePort } from "@microremed/servers";
import { type ServiceProcess, type ServiceSpec, startService } from "../service-process.ts";
import type { StackService, Variables } from "../stack.types.ts";
import { writeBeside } from "./beside.ts";

const main = new URL("./scheduling-main.ts", import.meta.url);

/** The environment variables and the log file of one of the two services. */
interface Part {
  readonly variables: Variables;
  readonly logFile: string;
}

export interface Scheduling extends AsyncDisposable {
  /** The remediator and the scheduler, in one process. */
  readonly services: readonly StackService[];
}

/**
 * Starts a scheduler and a remediator in one process, each with connections, rights, metrics and a log of its own. When the
 * process dies, both are started again. Throws as `startService`.
 */
export async function startScheduling(
  spec: Omit<ServiceSpec, "name" | "main" | "env" | "logFile">,
  { scheduler, remediator }: { readonly scheduler: Part; readonly remediator: Part },
): Promise<Scheduling> {
  const HEALTH_PORT = String(await freePort());
  const own = { ...differing(remediator.variables, scheduler.variables), HEALTH_PORT };
  const started: ServiceProcess = await startService({
    ...spec,
    name: "scheduler",
    main: programOf(main),
    // Keys of models, and the proxies to reach them, are the remediator's.
    env: {
      ...remediator.variables,
      ...scheduler.variables,
      ...writeBeside({ variables: own, logFile: remediator.logFile }),
    },
    logFile: scheduler.logFile,
  });
  const beside: StackService = {
    name: "remediator",
    logFile: remediator.logFile,
    healthUrl: `http://127.0.0.1:${HEALTH_PORT}`,
    get pid() {
      return started.pid;
    },
    get restarts() {
      return started.restarts;
    },
  };
  return { services: [beside, started], [Symbol.asyncDispose]: () => started[Symbol.asyncDispose]() };
}

const differing = (variables: Variables, from: Variables): Variables =>
  Object.fromEntries(
    Object.entries(variables).filter(([name, value]) => name in from && from[name] !== value),
  );
