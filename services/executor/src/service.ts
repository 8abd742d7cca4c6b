import type { Bus } from "@microremed/bus";
import { ProbeRequest, subjects } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import {
  createServedShards,
  type FollowedClusters,
  followClusters,
  serveStage,
} from "@microremed/service-kit";
import type { State } from "@microremed/state";
import { assertLeased } from "./assert-leased.ts";
import { type ActDeps, act } from "./handlers/act.ts";
import { type ProbeDeps, probe } from "./handlers/probe.ts";

/** What an executor works with. Nothing in it is closed when the executor stops. */
export interface ExecutorDeps extends Omit<ActDeps, "clusters">, Omit<ProbeDeps, "clusters"> {
  readonly bus: Bus;
  readonly state: State;
  readonly log: Logger;
  readonly clusters: ActDeps["clusters"] & ProbeDeps["clusters"] & FollowedClusters;
  /** Playbooks at once in this process. */
  readonly concurrency: number;
}

/** Starts an executor: playbooks and probes of every cluster. Disposing it finishes what is in flight. */
export async function startExecutor(deps: ExecutorDeps): Promise<AsyncDisposable> {
  const { bus, state, log, clusters, concurrency } = deps;
  await using starting = new AsyncDisposableStack();
  const probes = starting.use(
    createServedShards((cluster) =>
      bus.serve(subjects.probe(cluster), "executor", ProbeRequest, (request, context) =>
        probe(request, deps, { ...context, assertHeld: () => assertLeased(request, state.arenas) }),
      ),
    ),
  );
  const stage = starting.use(
    await serveStage({
      stage: "act",
      shards: [],
      concurrency,
      bus,
      state,
      run: (command, context) => {
        const begin = () => state.starts.begin({ ...command, stage: "act" });
        return act(command, deps, { ...context, begin });
      },
    }),
  );
  const serve = async (names: readonly string[]): Promise<void> => {
    await Promise.all([stage.follow(names), probes.follow(names)]);
  };
  starting.use(await followClusters({ clusters, state, log, serve }));
  return starting.move();
}
