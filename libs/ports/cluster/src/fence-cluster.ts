import type { Cluster } from "./cluster.types.ts";

/**
 * The cluster for a process whose right to change it may end: before every call that changes something `assertHeld` is
 * awaited, and what it throws is thrown instead. Calls that only read go through.
 */
export function fenceCluster(cluster: Cluster, assertHeld: () => Promise<void>): Cluster {
  const fenced =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      await assertHeld();
      return await call(...args);
    };
  return {
    ...cluster,
    apply: fenced(cluster.apply),
    create: fenced(cluster.create),
    replace: fenced(cluster.replace),
    patch: fenced(cluster.patch),
    delete: fenced(cluster.delete),
    exec: fenced(cluster.exec),
    ...(cluster.moments && {
      moments: { save: fenced(cluster.moments.save), goBack: fenced(cluster.moments.goBack) },
    }),
  };
}
