import { setTimeout as delay } from "node:timers/promises";
import type { Probe } from "../../pods/pod.types.ts";
import { createThreshold, type Decision } from "./threshold.ts";

/**
 * Asks a probe in its period until the signal, or until `decided` says that it is enough. Kubernetes' defaults: every
 * 10 s, each answer within 1 s.
 */
export async function keepProbing(
  probe: Probe,
  ask: (withinMs: number) => Promise<boolean>,
  decided: (decision: Decision) => "go on" | "enough",
  signal: AbortSignal,
): Promise<void> {
  const { initialDelaySeconds = 0, periodSeconds = 10, timeoutSeconds = 1 } = probe;
  const judge = createThreshold(probe);
  await pause(initialDelaySeconds * 1000, signal);
  while (!signal.aborted) {
    const askedAt = performance.now();
    const decision = judge(await ask(timeoutSeconds * 1000));
    if (signal.aborted || (decision && decided(decision) === "enough")) return;
    await pause(periodSeconds * 1000 - (performance.now() - askedAt), signal);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  delay(Math.max(0, ms), undefined, { signal, ref: false }).catch(() => undefined);
