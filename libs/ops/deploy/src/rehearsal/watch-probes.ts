import type { Container, Probe } from "../pods/pod.types.ts";
import { askProbe } from "./kubelet/ask-probe.ts";
import { keepProbing } from "./kubelet/keep-probing.ts";
import type { RunningContainer } from "./run-container.ts";

/** What a pod's probes change. */
interface WatchedPod {
  readonly container: Container;
  readonly ip: string;
  setReady(now: boolean): void;
  /** A probe failed for good: the container is to be started again. */
  unhealthy(which: "startup" | "liveness", running: RunningContainer): void;
}

/** Probes a container until it ends, as its manifest says. */
export async function watchProbes(
  { container, ip, setReady, unhealthy }: WatchedPod,
  running: RunningContainer,
  signal: AbortSignal,
): Promise<void> {
  const { startupProbe, readinessProbe, livenessProbe } = container;
  const ask = (one: Probe) => (withinMs: number) =>
    askProbe(one, { container, ip, exec: running.exec }, withinMs);
  let started = !startupProbe;
  if (startupProbe)
    await keepProbing(
      startupProbe,
      ask(startupProbe),
      (decision) => {
        started = decision === "succeeded";
        if (!started) unhealthy("startup", running);
        return "enough";
      },
      signal,
    );
  if (!started || signal.aborted) return;
  if (!readinessProbe) setReady(true);
  await Promise.all([
    readinessProbe &&
      keepProbing(
        readinessProbe,
        ask(readinessProbe),
        (decision) => {
          setReady(decision === "succeeded");
          return "go on";
        },
        signal,
      ),
    livenessProbe &&
      keepProbing(
        livenessProbe,
        ask(livenessProbe),
        (decision) => {
          if (decision !== "failed") return "go on";
          unhealthy("liveness", running);
          return "enough";
        },
        signal,
      ),
  ]);
}
