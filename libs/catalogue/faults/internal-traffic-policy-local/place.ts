import {
  type Environment,
  type FaultContext,
  isLoaded,
  kinds,
  type Pod,
  readArenaNote,
  removeArenaNote,
  selectorText,
  waitFor,
  writeArenaNote,
} from "@microremed/catalogue";

type Where = Pick<FaultContext, "cluster" | "namespace" | "environment" | "signal">;

/** Cluster time, ms: the scheduler has placed a pod long before. */
const placedWithinMs = 10_000;

/** Requests of users that reach a caller, at least, of one: below it no call fails in the time of an injection. */
const leastPerRequest = 0.01;

/** Names of the workloads that call another by its name when users ask for something. */
export const callersOf = (environment: Environment, name: string): string[] =>
  Object.entries(environment.workloads).flatMap(([caller, { calls }]) =>
    calls.some(({ to, discovery }) => to === name && discovery === "dns") &&
    isLoaded(environment, caller, leastPerRequest)
      ? [caller]
      : [],
  );

/** The pods of a workload that are not about to end. */
async function podsOf({ cluster, namespace, environment }: Where, name: string): Promise<readonly Pod[]> {
  const workload = environment.workloads[name];
  if (!workload) return [];
  const labelSelector = selectorText(workload.selector);
  const pods = await cluster.list(kinds.pod, { namespace, labelSelector });
  return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

const nodesOf = (pods: readonly Pod[]): Set<string> =>
  new Set(pods.flatMap(({ spec }) => spec?.nodeName ?? []));

/** Names of callers' pods on nodes without a pod of the workload. */
export async function farCallers(where: Where, name: string): Promise<string[]> {
  const own = nodesOf(await podsOf(where, name));
  const callers = await Promise.all(
    callersOf(where.environment, name).map((caller) => podsOf(where, caller)),
  );
  return callers
    .flat()
    .flatMap(({ metadata, spec }) => (own.has(spec?.nodeName ?? "") ? [] : [metadata.name]));
}

/** Which nodes take no pods while an arena's are moved, separated by spaces. */
const noteAbout = "closed-nodes";

const setClosed = ({ cluster }: Where, nodes: readonly string[], isClosed: boolean) =>
  Promise.all(
    nodes.map((node) =>
      cluster.patch(kinds.node, undefined, node, {
        type: "merge",
        body: { spec: { unschedulable: isClosed ? true : null } },
      }),
    ),
  );

/** Opens the nodes that a move has closed and not opened again. */
export async function reopen(where: Where): Promise<void> {
  const nodes = await readArenaNote(where, noteAbout);
  if (nodes === undefined) return;
  await setClosed(where, nodes.split(" ").filter(Boolean), false);
  await removeArenaNote(where, noteAbout);
}

/** Replaces the workload's pods by others on other nodes, as a drained node does: its own take no new ones meanwhile. */
export async function moveAway(where: Where, name: string): Promise<void> {
  const { cluster, namespace, signal } = where;
  const pods = await podsOf(where, name);
  const nodes = [...nodesOf(pods)];
  await writeArenaNote(where, noteAbout, nodes.join(" "));
  await setClosed(where, nodes, true);
  try {
    for (const { metadata } of pods) await cluster.delete(kinds.pod, namespace, metadata.name);
    await waitFor(
      {
        clock: cluster.clock,
        what: `new pods of ${name} to be placed`,
        timeoutMs: placedWithinMs,
        intervalMs: 500,
        ...(signal && { signal }),
      },
      async () => {
        const now = await podsOf(where, name);
        const isPlaced = now.length === pods.length && now.every(({ spec }) => spec?.nodeName !== undefined);
        return isPlaced ? true : undefined;
      },
    );
  } finally {
    await reopen(where);
  }
}
