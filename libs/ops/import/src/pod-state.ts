import { type Cluster, kinds, type Pod } from "@microremed/cluster";

export const isReady = ({ status }: Pod): boolean =>
  (status?.conditions ?? []).some((one) => one.type === "Ready" && one.status === "True");

export const statusesOf = ({ status }: Pod) => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];

export const restartsOf = (pod: Pod): number =>
  statusesOf(pod).reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);

const endOf = (ended: { readonly reason?: string; readonly exitCode?: number } | undefined): string =>
  ended ? ` (ended with code ${ended.exitCode ?? "?"}, ${ended.reason ?? "without a reason"})` : "";

/** What a pod's containers wait for, with how they ended before, and the newest warning about it. */
export async function reasonOf(cluster: Cluster, namespace: string, pod: Pod): Promise<string> {
  const events = await cluster.list(kinds.event, {
    namespace,
    fieldSelector: `involvedObject.name=${pod.metadata.name}`,
  });
  const warnings = events.filter(({ type }) => type === "Warning").map(({ message }) => String(message));
  const waiting = statusesOf(pod).flatMap(({ name, state, lastState }) =>
    state?.waiting?.reason ? [`${name}: ${state.waiting.reason}${endOf(lastState?.terminated)}`] : [],
  );
  return [...waiting, ...warnings.slice(-1)].join("; ") || "it is not Ready";
}
