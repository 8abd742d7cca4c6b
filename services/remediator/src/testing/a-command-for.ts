import type { Bus } from "@microremed/bus";
import {
  Budgets,
  ExperimentRequest,
  plannedRecord,
  type SolveCommand,
  subjects,
} from "@microremed/contracts";
import { aPlannedEpisode, aRunningExperiment } from "@microremed/contracts/testing";
import type { Lease, State } from "@microremed/state";

const experimentId = "exp-1";

/** Episodes that hold an arena each, as a scheduler would have arranged it. */
export async function leaseArenas(state: State, count: number): Promise<Lease[]> {
  const request = ExperimentRequest.parse({ id: experimentId, environment: "shop", model: "reference/noop" });
  const episodes = Array.from({ length: count }, (_, index) =>
    plannedRecord(experimentId, aPlannedEpisode({ index })),
  );
  const record = aRunningExperiment(experimentId, request, count);
  await state.experiments.create(record, { wants: "shop@shop", episodes, messages: [] });
  await state.arenas.register([{ name: "sim-0", arenas: count }]);
  const leases: Lease[] = [];
  for (let index = 0; index < count; index++) {
    const lease = await state.arenas.leaseNext({ claimMs: 60_000 });
    if (lease) leases.push(lease);
  }
  return leases;
}

/** A turn on a leased arena. */
export function commandFor(lease: Lease | undefined, overrides: Partial<SolveCommand>): SolveCommand {
  if (!lease) throw new Error("no lease");
  const { cluster, slot, fence } = lease;
  return {
    experimentId,
    episodeId: lease.episodeId,
    trial: 1,
    attempt: 1,
    arena: { cluster, slot, namespace: "shop", fence },
    environment: "shop",
    failure: "cpu-stress",
    target: "cart",
    method: "ThinkRemed",
    model: "reference/runbook",
    maxAttempts: 2,
    maxProbes: 3,
    probeSeconds: 5,
    modelSeconds: 1,
    budgets: Budgets.parse({}),
    playbook: null,
    seed: "1",
    feedback: null,
    ...overrides,
  };
}

export const send = (bus: Bus, command: SolveCommand): Promise<void> =>
  bus.publish(subjects.command("solve", command.model), command);
