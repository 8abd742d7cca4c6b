import type { KubeObject } from "@microremed/cluster";

/** Cluster time, ms, at which a run of a CronJob was last completed; undefined: none was, or there is no such CronJob. */
export function lastSuccessOf(cronJob: KubeObject | undefined): number | undefined {
  const { lastSuccessfulTime } = (cronJob?.["status"] ?? {}) as { readonly lastSuccessfulTime?: string };
  return lastSuccessfulTime === undefined ? undefined : Date.parse(lastSuccessfulTime);
}
