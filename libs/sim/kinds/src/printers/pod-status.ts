import type { KubeObject, Loose } from "@microremed/sim-objects";

/** What the STATUS, READY and RESTARTS columns of a pod are made of. */
export interface PodSummary {
  readonly reason: string;
  readonly ready: number;
  readonly total: number;
  readonly restarts: number;
  /** RFC 3339 of the last container end, if any. */
  readonly lastRestart: string | undefined;
}

function endText(terminated: Loose, prefix: string): string {
  if (terminated.reason) return prefix + terminated.reason;
  return terminated.signal
    ? `${prefix}Signal:${terminated.signal}`
    : `${prefix}ExitCode:${terminated.exitCode ?? 0}`;
}

function hasCondition(pod: KubeObject, type: string): boolean {
  return (pod.status?.conditions ?? []).some(
    (condition: Loose) => condition.type === type && condition.status === "True",
  );
}

function lastEnd(statuses: readonly Loose[]): string | undefined {
  return statuses
    .map((status) => status.lastState?.terminated?.finishedAt)
    .filter((at): at is string => typeof at === "string")
    .sort()
    .at(-1);
}

function sumRestarts(statuses: readonly Loose[]): number {
  return statuses.reduce((sum: number, status) => sum + (status.restartCount ?? 0), 0);
}

/** Why a pod is still initialising: the first init container that has not ended well. */
function initReason(pod: KubeObject): string | undefined {
  const statuses: Loose[] = pod.status?.initContainerStatuses ?? [];
  for (const [index, { state = {}, started }] of statuses.entries()) {
    if (state.terminated && (state.terminated.exitCode ?? 0) === 0) continue;
    const container = (pod.spec?.initContainers ?? [])[index];
    if (container?.restartPolicy === "Always" && started) continue;
    if (state.terminated) return endText(state.terminated, "Init:");
    const waiting = state.waiting?.reason;
    if (waiting && waiting !== "PodInitializing") return `Init:${waiting}`;
    return `Init:${index}/${pod.spec?.initContainers?.length ?? statuses.length}`;
  }
  return undefined;
}

function containersReason(pod: KubeObject, initial: string): { reason: string; ready: number } {
  let reason = initial;
  let ready = 0;
  for (const { state = {}, ready: isReady } of [...(pod.status?.containerStatuses ?? [])].reverse()) {
    if (state.waiting?.reason) reason = state.waiting.reason;
    else if (state.terminated) reason = endText(state.terminated, "");
    else if (isReady && state.running) ready += 1;
  }
  if (reason === "Completed" && ready > 0) reason = hasCondition(pod, "Ready") ? "Running" : "NotReady";
  return { reason, ready };
}

/** Sums a pod up the way `kubectl get pods` does. */
export function summarizePod(pod: KubeObject): PodSummary {
  const phase: string = pod.status?.phase ?? "Unknown";
  const sidecars = (pod.spec?.initContainers ?? []).filter(
    ({ restartPolicy }: Loose) => restartPolicy === "Always",
  );
  const total = (pod.spec?.containers?.length ?? 0) + sidecars.length;
  const sidecarsReady = (pod.status?.initContainerStatuses ?? []).filter(
    ({ name, ready: isReady, started, state }: Loose) =>
      isReady && started && state?.running && sidecars.some((each: Loose) => each.name === name),
  ).length;
  const waitingForInit = initReason(pod);
  const initializing = waitingForInit !== undefined && !hasCondition(pod, "Initialized");
  const gated = (pod.status?.conditions ?? []).some(
    (condition: Loose) => condition.type === "PodScheduled" && condition.reason === "SchedulingGated",
  );
  const initial = gated ? "SchedulingGated" : pod.status?.reason || phase;
  const counted: Loose[] =
    (initializing ? pod.status?.initContainerStatuses : pod.status?.containerStatuses) ?? [];
  const { reason, ready } = initializing
    ? { reason: waitingForInit, ready: 0 }
    : containersReason(pod, initial);
  const ended = phase === "Succeeded" || phase === "Failed";
  const terminating = pod.metadata.deletionTimestamp !== undefined && !ended;
  return {
    reason: terminating ? (pod.status?.reason === "NodeLost" ? "Unknown" : "Terminating") : reason,
    ready: ready + sidecarsReady,
    total,
    restarts: sumRestarts(counted),
    lastRestart: lastEnd(counted),
  };
}
