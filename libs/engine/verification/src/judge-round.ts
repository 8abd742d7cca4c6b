import type { Fault, FaultContext, OracleContext, RequestsReading, Round } from "@microremed/catalogue";
import type { Baseline, OracleVerdict } from "@microremed/contracts";
import type { JudgedFault } from "./judged-fault.ts";
import { subjectOf } from "./subject-of.ts";

/** What the oracles of one check compare with; samples count from `since` on, cluster time, ms. */
export function roundContext(
  context: FaultContext,
  fault: Fault,
  { values, edges = [], load }: Baseline,
  requestsBefore: RequestsReading | undefined,
  since: number,
): OracleContext {
  return {
    ...context,
    ...subjectOf(fault, context),
    baseline: values,
    edges,
    ...(load && { load }),
    requestsBefore,
    since,
    resourcesMayDiffer: fault.resourcesMayDiffer === true,
  };
}

/** Readiness and the symptom always; the others, in the order of their cost, until one fails. */
export async function judgeRound(round: Round, { fault, oracles }: JudgedFault): Promise<OracleVerdict[]> {
  const verdicts: OracleVerdict[] = [];
  const isFirst = (name: string): boolean => name === "ready" || name === fault.symptom;
  for (const oracle of oracles.filter(({ name }) => isFirst(name)))
    verdicts.push(await oracle.measure(round));
  for (const oracle of oracles.filter(({ name }) => !isFirst(name))) {
    if (verdicts.some(({ passed }) => !passed)) break;
    verdicts.push(await oracle.measure(round));
  }
  return verdicts;
}
