import { runInAnyArena } from "@microremed/audit";
import { cleanOf, type EpisodeRecord, endSteps } from "@microremed/contracts";
import type { RangeClient } from "@microremed/range-client";
import { keyOf, type PlannedTrial, type Trial } from "./trials.ts";

/** How a trial ended on one cluster. */
export interface Ended {
  /** Of the episode. */
  readonly outcome: string;
  /** Null: not judged. */
  readonly clean: boolean | null;
  /** Classes of what was left different, with the object's kind; sorted. Null: not compared. */
  readonly damage: readonly string[] | null;
  /** Of cluster time from the remedy's start to the verdict's last measurement; null: no verdict. */
  readonly seconds: number | null;
  /** The outcome's, and what was left, in words. */
  readonly reason: string;
}

/** A trial on a real cluster and on an embedded one. */
export interface ComparedTrial extends Trial {
  readonly real: Ended | Omit<Ended, "reason">;
  readonly embedded: Ended | Omit<Ended, "reason">;
  readonly agrees: boolean;
  /** Of a difference that is no defect. */
  readonly why?: string;
}

/** Of the wall clock. */
const trialWithinMs = 1_800_000;

/** Runs each trial as an experiment of one episode, so many at once, and gives each one that has ended to `note`. */
export async function runTrials(
  client: RangeClient,
  trials: readonly PlannedTrial[],
  parallel: number,
  note: (trial: PlannedTrial, ended: Ended) => Promise<void>,
): Promise<void> {
  const queue = trials.values();
  const work = async (): Promise<void> => {
    for (const trial of queue) await note(trial, await endOf(client, trial));
  };
  await Promise.all(Array.from({ length: parallel }, work));
}

async function endOf(client: RangeClient, { request, playbookFor }: PlannedTrial): Promise<Ended> {
  const signal = AbortSignal.timeout(trialWithinMs);
  if (playbookFor) {
    const { episodes } = await runInAnyArena(client, request, playbookFor, signal);
    return endedOf(episodes[0]);
  }
  const reply = await client.submit(request);
  if (reply.status !== "accepted") throw new Error(`the request is refused: ${JSON.stringify(reply)}`);
  for await (const event of client.events(reply.experimentId, signal))
    if (event.type === "experiment-finished") break;
  return endedOf((await client.experiment(reply.experimentId)).episodes[0]);
}

function endedOf(record: EpisodeRecord | undefined): Ended {
  if (!record) throw new Error("an experiment has no episode");
  const { outcome, reason, damage, steps } = record;
  const last = endSteps(steps).at(-1);
  const measured = (last?.verdict?.oracles ?? []).flatMap(({ measurements }) =>
    measurements.map(({ at }) => at),
  );
  const changes = damage?.changes ?? [];
  const left = changes.map(
    ({ class: kind, what, object }) => `${kind ?? "unclassed"}: ${what} ${kindOf(object)}`,
  );
  const isTimed = measured.length > 0 && typeof last?.clusterTime === "number";
  const inWords = changes.map(({ what, object, detail }) => `${what} ${object} (${detail})`);
  return {
    outcome: outcome ?? "none",
    clean: cleanOf(record),
    damage: damage && [...new Set(left)].toSorted(),
    seconds: isTimed ? Math.round((Math.max(...measured) - (last.clusterTime ?? 0)) / 1000) : null,
    reason: [reason ?? "", last?.verdict?.reason ?? "", ...inWords].filter((one) => one !== "").join("; "),
  };
}

/** Names of pods and replica sets differ from run to run. */
const kindOf = (object: string): string => object.split("/")[0] ?? object;

/** Reasons are kept of trials that end differently. */
export function compareEnds(
  trial: Trial,
  real: Ended,
  embedded: Ended,
  explained: ReadonlyMap<string, string>,
): ComparedTrial {
  const { fault, target, remedy } = trial;
  const agrees =
    real.outcome === embedded.outcome &&
    real.clean === embedded.clean &&
    real.damage?.join() === embedded.damage?.join();
  const why = agrees ? undefined : explained.get(keyOf(trial));
  return {
    ...{ fault, target, remedy },
    real: agrees ? withoutReason(real) : real,
    embedded: agrees ? withoutReason(embedded) : embedded,
    agrees,
    ...(why !== undefined && { why }),
  };
}

const withoutReason = ({ reason: _, ...rest }: Ended): Omit<Ended, "reason"> => rest;
