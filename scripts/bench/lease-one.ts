import { aRunningExperiment } from "@microremed/contracts/testing";
import { silentLogger as log } from "@microremed/core";
import { connectRedisState } from "@microremed/state/redis";
import { ExperimentRequest, plannedRecord, type SolveCommand } from "../../libs/contracts/src/index.ts";

/** Leases an arena as a scheduler would have, so that commands under it are taken. */
export async function leaseOne(redisUrl: string): Promise<Pick<SolveCommand, "experimentId" | "arena">> {
  const id = "bench";
  await using state = await connectRedisState({ url: redisUrl, log });
  const request = ExperimentRequest.parse({ id, environment: "shop", model: "slow" });
  const record = aRunningExperiment(id, request);
  const planned = {
    index: 0,
    failure: "cpu-stress",
    target: "cart",
    caseId: "1/0/cpu-stress/cart",
    model: "slow",
    method: "SoloGen",
    repeat: 1,
    alternatives: [],
  };
  await state.experiments.create(record, {
    wants: "shop@shop",
    episodes: [plannedRecord(id, planned)],
    messages: [],
  });
  await state.arenas.register([{ name: "bench", arenas: 1 }]);
  const lease = await state.arenas.leaseNext({ claimMs: 600_000 });
  if (!lease) throw new Error("no arena to lease");
  const { cluster, slot, fence } = lease;
  return { experimentId: id, arena: { cluster, slot, namespace: "shop", fence } };
}
