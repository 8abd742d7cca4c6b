import type { Pod } from "@microremed/cluster";

/** How a pod ended before its time. */
export interface PodEnd {
  /**
   * `exhausted`: what ran in it used more than it may, and was ended for that. `late`: its deadline passed. `lost`: anything
   * else, which is no fault of what ran in it.
   */
  readonly how: "exhausted" | "late" | "lost";
  readonly why: string;
}

interface Terminated {
  readonly reason?: string;
  readonly message?: string;
  readonly exitCode?: number;
}

/** Why a pod no longer runs; undefined: it does, or will. */
export function endOfPod(pod: Pod | undefined): PodEnd | undefined {
  if (!pod) return { how: "lost", why: "it is gone" };
  const status = pod.status as (Pod["status"] & Terminated) | undefined;
  const { reason = "", message = "" } = status ?? {};
  const said = [reason, message].filter(Boolean).join(": ");
  if (reason === "DeadlineExceeded") return { how: "late", why: said };
  if (reason === "Evicted") {
    // A node in need says so in a condition; a pod that used more disk than it may is evicted without one.
    const isDisturbed = status?.conditions?.some(
      ({ type, status: value }) => type === "DisruptionTarget" && value === "True",
    );
    return { how: isDisturbed ? "lost" : "exhausted", why: said };
  }
  const ended = (status?.containerStatuses ?? []).flatMap(({ name, state }) => {
    const terminated = state?.terminated as Terminated | undefined;
    return terminated ? [{ name, ...terminated }] : [];
  });
  const [first] = ended;
  if (ended.some(({ name, reason: why }) => name === "run" && why === "OOMKilled"))
    return { how: "exhausted", why: "the kernel ended it for its memory" };
  if (first)
    return {
      how: "lost",
      why: `container ${first.name} ended (${first.reason}, exit code ${first.exitCode})`,
    };
  if (pod.metadata.deletionTimestamp !== undefined) return { how: "lost", why: "it is being deleted" };
  if (status?.phase === "Failed" || status?.phase === "Succeeded")
    return { how: "lost", why: said || `it is ${status.phase}` };
  return undefined;
}

/** Why a pod has not started yet, in the cluster's words. */
export function troubleOf(pod: Pod | undefined): string {
  const waiting = (pod?.status?.containerStatuses ?? []).flatMap(({ name, state }) => {
    const { reason, message } = (state?.waiting ?? {}) as Terminated;
    return reason === undefined ? [] : [`container ${name}: ${[reason, message].filter(Boolean).join(": ")}`];
  });
  const conditions = (pod?.status?.conditions ?? []).flatMap((condition) => {
    const { type, status, message } = condition as typeof condition & Terminated;
    return type === "PodScheduled" && status === "False" ? [message ?? "it is not scheduled"] : [];
  });
  return [...conditions, ...waiting].join("; ") || `its phase is ${pod?.status?.phase ?? "unknown"}`;
}
