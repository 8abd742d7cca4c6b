import type { Environment } from "@microremed/catalogue";
import { createInProcessClusters, type InProcessClusters } from "@microremed/cluster/in-process";
import type { Logger } from "@microremed/core";
import type { ActDeps } from "@microremed/service-executor/act";
import type { LocalCluster } from "@microremed/simcluster";
import { beforeAbort } from "./before-abort.ts";
import type { Playbooks } from "./playbooks.ts";

/** A moment of one system: it can be gone back to any number of times. It is kept as long as something refers to it. */
export type Moment = ReturnType<LocalCluster["snapshot"]>;

/** The system while one piece of work has it. Its connections know nothing of other moments. */
export interface SystemNow {
  readonly clusters: InProcessClusters;
  /** Cluster time, ms. */
  readonly now: () => number;
  readonly runPlaybook: ActDeps["runPlaybook"];
}

/** One embedded cluster with one system. Episodes take turns on it: each goes back to its own moment first. */
export interface System extends AsyncDisposable {
  /** The only cluster's name. */
  readonly cluster: string;
  /**
   * Does the work at the moment, or where the cluster is when it is undefined; resolves to the moment after it, or to none where
   * `isLast` says that nothing will go on from there. One after the other: work whose `signal` is aborted while it waits for
   * its turn is not begun, and rejects at once with the signal's reason.
   */
  at<T>(
    moment: Moment | undefined,
    work: (system: SystemNow) => Promise<T>,
    options?: { readonly isLast?: (value: T) => boolean; readonly signal?: AbortSignal },
  ): Promise<{ readonly value: T; readonly moment: Moment | undefined }>;
}

const cluster = "embedded";
const never = new AbortController().signal;

/**
 * Opens a cluster in this process. A moment is gone back to before every piece of work, also where the cluster is at it by
 * chance: what a step finds does not depend on which episodes came between.
 */
export function openSystem(environment: Environment, playbooks: Playbooks, log: Logger): System {
  const opening = playbooks.open(environment, log);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const next = last.then(() => {
      begin();
      signal.throwIfAborted();
      return work();
    });
    last = next.catch(() => {});
    // Work that has begun ends by itself; the next has the cluster after that.
    return beforeAbort(begun, signal).then(() => next);
  };
  return {
    cluster,
    at: (moment, work, { isLast = () => false, signal = never } = {}) =>
      inTurn(async () => {
        const { api, adminToken, now, restore, snapshot, runner } = await opening;
        if (moment) restore(moment);
        // New for each: a connection keeps tokens, which are of no use at another moment. Only the first goes back by itself.
        const clusters = createInProcessClusters([
          { name: cluster, api, adminToken, goesBack: moment === undefined },
        ]);
        const value = await work({ clusters, now, runPlaybook: runner(clusters) });
        return { value, moment: isLast(value) ? undefined : snapshot() };
      }, signal),
    [Symbol.asyncDispose]: async () => (await opening).close(),
  };
}
