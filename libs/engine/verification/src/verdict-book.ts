import { type Fault, type FaultContext, isInconclusive, type Round } from "@microremed/catalogue";
import {
  type Change,
  isUnclean,
  type OracleVerdict,
  type RequestReading,
  type Verdict,
} from "@microremed/contracts";
import { observeArena } from "./arena-state.ts";
import { countEntry } from "./count-entry.ts";
import { disruptionOf } from "./disruption.ts";
import type { Evidence } from "./evidence.ts";
import type { FurtherRound } from "./judge-further.ts";
import { createMicroRemedJudge } from "./microremed/judge.ts";
import { observationOf } from "./observation.ts";

/** Keeps what a verification sees, check by check, and makes the verdict of it. */
export interface VerdictBook {
  /** `further`: the same check of the incident's other faults. */
  note(round: Round, verdicts: readonly OracleVerdict[], further?: readonly FurtherRound[]): Promise<void>;
  /** `recoveredAt`: cluster time, ms, from which on everything was in order; null: it was not. */
  close(at: number, recoveredAt: number | null, reason: string): Promise<Verdict>;
}

export function createVerdictBook(
  context: FaultContext,
  fault: Fault,
  { baseline, injection, remedyAt }: Evidence,
  startedAt: number,
): VerdictBook {
  const microremed = createMicroRemedJudge(fault, startedAt);
  const readings: RequestReading[] = [];
  let latest: readonly OracleVerdict[] = [];
  let mitigatedAt: number | null = null;
  let changes: readonly Change[] | undefined;
  return {
    async note(round, verdicts, further = []) {
      latest = [...verdicts, ...further.flatMap((one) => one.verdicts)];
      // Only where an oracle has asked for it: the comparison is of the whole arena.
      const isCompared = verdicts.some(({ oracle }) => oracle === "declared");
      changes = isCompared ? await round.changes() : undefined;
      const shown = [{ verdicts, symptom: fault.symptom }, ...further.map(symptomIn)];
      // One that judges the whole arena is asked once, with the first fault.
      const symptoms = shown.map((one) =>
        [...one.verdicts, ...verdicts].find(({ oracle }) => oracle === one.symptom),
      );
      if (symptoms.every((symptom) => symptom?.passed)) mitigatedAt ??= round.state.at;
      else if (symptoms.some((one) => one && !one.passed && !isInconclusive(one))) mitigatedAt = null;
      await microremed.check(round);
      const reading = await countEntry(context, baseline);
      if (reading) readings.push(reading);
    },
    async close(at, recoveredAt, reason) {
      const { pods } = await observeArena(context.cluster, context.namespace);
      const times = { injectedAt: injection.injectedAt, remedyAt, endedAt: at, mitigatedAt, recoveredAt };
      return {
        recovered: recoveredAt !== null,
        clean: recoveredAt !== null && changes !== undefined && !changes.some(isUnclean),
        ...(changes && { changes: [...changes] }),
        reason,
        oracles: [...latest],
        clusterSeconds: Math.round((at - startedAt) / 100) / 10,
        microremed: await microremed.verdict(),
        observation: observationOf(latest),
        disruption: disruptionOf(context.environment, baseline, injection, readings, pods, times),
      };
    },
  };
}

const symptomIn = ({ verdicts, part }: FurtherRound) => ({ verdicts, symptom: part.judged.fault.symptom });
