import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isRefused, kinds, type Pod } from "@microremed/cluster";
import type { ExecStream } from "@microremed/cluster/kubeconfig";
import { AppError, type Logger, retryable } from "@microremed/core";
import { gateway } from "./gateway.ts";
import { endOfPod, type PodEnd, troubleOf } from "./pod-trouble.ts";
import { loaded, loader } from "./programs.ts";
import type { RunnerHost } from "./runner-host.types.ts";
import { gatewayContainer, runContainer, runnerPod, untilAnnotation } from "./runner-pod.ts";
import type { RunnerSettings } from "./runner-settings.ts";
import { openTunnel, type Tunnel } from "./tunnel.ts";

/** A runner pod that waits for its one run, or has it. */
export interface Runner {
  readonly name: string;
  /** Names that resolve to the pod itself. */
  readonly names: readonly string[];
  readonly tunnel: Tunnel;
  /** Ms since it was asked for. */
  age(): number;
  /** Whether a run of so many ms would end before the pod's deadline. */
  lasts(timeoutMs: number): boolean;
  /** Has other executors leave it alone for so many ms. */
  vouch(forMs: number): Promise<void>;
  /** Moves its deadline to the end of a run of so many ms, as its executor vouches for it. */
  claim(timeoutMs: number): Promise<void>;
  /** Starts the loader in the run's container. */
  exec(): Promise<ExecStream>;
  /** Why it ended; undefined: it has not. */
  end(): Promise<PodEnd | undefined>;
  /** Deletes it. What fails is logged: the janitor deletes it then. */
  remove(): Promise<void>;
}

/** What a run needs of its pod. */
export interface RunnerNeed {
  /** Names that must resolve to the pod itself. */
  readonly names: readonly string[];
  /** Of the run, ms. */
  readonly timeoutMs: number;
}

/** From the creation of a pod to its programs' start, images included, ms. */
const startWithinMs = 300_000;
/** Network plug-ins may take a moment until a policy holds for a new pod, ms. */
const confinedWithinMs = 30_000;
const checkEveryMs = 250;
const execWithinMs = 15_000;
const checkAgainMs = 1000;
/** Added to a run's time, ms: it starts late, and ends late. */
const slackMs = 60_000;
/** Least life of a pod, ms: half of it is for waiting. */
export const leastLifeMs = 3_600_000;
/** How long a waiting pod is another executor's business no more, ms; vouched for again before that. */
export const vouchMs = 300_000;
const firstUser = 1_000_000;
const lastUser = 2_000_000_000;

/**
 * Makes a pod and returns when it is confined and can take its run. Throws `sandbox-unavailable` (retryable) that says
 * what the cluster says of the pod, or what the pod can reach; nothing is left of it then.
 */
export async function startRunner(
  host: RunnerHost,
  settings: RunnerSettings,
  { names, timeoutMs }: RunnerNeed,
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
): Promise<Runner> {
  const name = `run-${randomBytes(5).toString("hex")}`;
  const { namespace } = settings;
  const { cluster } = host;
  const madeAt = performance.now();
  const lifeMs = Math.max(leastLifeMs, timeoutMs + startWithinMs + slackMs);
  const user = firstUser + 2 * randomInt((lastUser - firstUser) / 2);
  const pod = runnerPod(settings, { name, names, deadlineSeconds: Math.ceil(lifeMs / 1000), user });
  const age = (): number => performance.now() - madeAt;
  let tunnel: Tunnel | undefined;
  let stream: ExecStream | undefined;
  const open = (container: string): Promise<ExecStream> =>
    host.openExec({ namespace, pod: name, container, command: loader, openWithinMs: execWithinMs });
  const patch = (body: object): Promise<unknown> =>
    cluster.patch(kinds.pod, namespace, name, { type: "merge", body });
  const until = (forMs: number) => ({
    metadata: { annotations: { [untilAnnotation]: new Date(Date.now() + forMs).toISOString() } },
  });
  const remove = async (): Promise<void> => {
    tunnel?.[Symbol.dispose]();
    stream?.[Symbol.dispose]();
    try {
      await cluster.delete(kinds.pod, namespace, name);
    } catch (thrown) {
      log.warn({ pod: name, why: AppError.from(thrown).message }, "a runner pod could not be deleted");
    }
  };
  try {
    await cluster.create({
      ...pod,
      metadata: { ...pod.metadata, ...until(startWithinMs + vouchMs).metadata },
    });
    await untilItRuns(host, namespace, name, signal);
    stream = await open(gatewayContainer);
    tunnel = openTunnel(stream);
    stream.stdin.write(loaded(gateway));
    await untilConfined(tunnel, settings, signal);
  } catch (thrown) {
    await remove();
    signal.throwIfAborted();
    throw unavailable(thrown);
  }
  return {
    name,
    names,
    tunnel,
    age,
    lasts: (runMs) => lifeMs - age() > runMs + slackMs,
    vouch: async (forMs) => void (await patch(until(forMs))),
    async claim(runMs) {
      const ends = Math.min(lifeMs, age() + runMs + slackMs);
      await patch({ ...until(runMs + slackMs), spec: { activeDeadlineSeconds: Math.ceil(ends / 1000) } });
    },
    exec: () => open(runContainer),
    end: async () => endOfPod(await cluster.get(kinds.pod, namespace, name)),
    remove,
  };
}

/** Anything thrown, as a fault of the sandbox: never one of what is run in it. */
export function unavailable(thrown: unknown): AppError {
  const error = AppError.from(thrown);
  if (error.code === "sandbox-unavailable") return error;
  const hint = isRefused(error, 403) ? "; the executor's rights and the quota are in k8s/base/runners" : "";
  return retryable("sandbox-unavailable", `no runner pod: ${error.message}${hint}`, error.details, error);
}

async function untilItRuns(
  { cluster }: RunnerHost,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const pod = await cluster.get(kinds.pod, namespace, name);
    const end = endOfPod(pod);
    if (end) throw retryable("sandbox-unavailable", `runner pod ${namespace}/${name}: ${end.why}`);
    if (isRunning(pod)) return;
    if (performance.now() - startedAt > startWithinMs) {
      const why = troubleOf(pod);
      throw retryable(
        "sandbox-unavailable",
        `runner pod ${namespace}/${name} did not start within ${startWithinMs / 1000} s: ${why}`,
      );
    }
    await delay(checkEveryMs, undefined, { signal });
  }
}

function isRunning(pod: Pod | undefined): boolean {
  const states = pod?.status?.containerStatuses ?? [];
  return states.length > 0 && states.every(({ state }) => state?.running !== undefined);
}

/** Policies are not everywhere enforced. So each pod tries, before it takes a run, what it must not reach. */
async function untilConfined(
  tunnel: Tunnel,
  { network, unreachable, namespace }: RunnerSettings,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    // Asked in any case: its answer shows that the gateway is ready.
    const reached = await tunnel.check(unreachable);
    if (reached.length === 0 || network === "unenforced") return;
    if (performance.now() - startedAt > confinedWithinMs) {
      throw retryable(
        "sandbox-unavailable",
        `a runner pod reaches ${reached.join(" and ")}, so network policies are not enforced in namespace ${namespace}, or it has none that denies all. Apply k8s/base/runners on a cluster whose network plug-in enforces policies (Calico, Cilium, ...), or set SANDBOX_NETWORK=unenforced to run playbooks in pods that reach other machines`,
      );
    }
    await delay(checkAgainMs, undefined, { signal });
  }
}
