import type { Bus } from "@microremed/bus";
import { environmentOn } from "@microremed/catalogue";
import type { Clusters } from "@microremed/cluster";
import type { GradeCommand } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";
import { type FollowedClusters, followClusters, serveStage } from "@microremed/service-kit";
import type { State } from "@microremed/state";
import { askJudge } from "./ask-judge.ts";
import { grade } from "./handlers/grade.ts";

/** What a verifier works with. Nothing in it is closed when the verifier stops. */
export interface VerifierDeps {
  readonly bus: Bus;
  readonly state: State;
  readonly log: Logger;
  readonly clusters: Pick<Clusters, "get"> & FollowedClusters;
  readonly catalogue: Pick<Catalogue, "environments" | "faults" | "oracles" | "tasks">;
  /** Gradings at once in this process. */
  readonly concurrency: number;
}

const episodeOf = ({ episodeId, trial, attempt }: GradeCommand) => ({ episodeId, trial, attempt });

/** Starts a verifier: gradings in the arenas of every cluster. Disposing it finishes what is in flight. */
export async function startVerifier(deps: VerifierDeps): Promise<AsyncDisposable> {
  const { bus, state, log, clusters, catalogue, concurrency } = deps;
  await using starting = new AsyncDisposableStack();
  const stage = starting.use(
    await serveStage({
      bus,
      state,
      shards: [],
      concurrency,
      stage: "grade",
      run: async (command, { signal, assertHeld }) => {
        const cluster = await clusters.get(command.arena.cluster);
        return grade(
          {
            cluster,
            namespace: command.arena.namespace,
            environment: environmentOn(cluster, catalogue.environments.get(command.environment)),
            catalogue,
            askJudge: (request) => askJudge(bus, { ...request, episode: episodeOf(command) }),
            signal,
          },
          command,
          assertHeld,
        );
      },
    }),
  );
  starting.use(await followClusters({ clusters, state, log, serve: stage.follow }));
  return starting.move();
}
