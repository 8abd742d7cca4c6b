import { delimiter, join } from "node:path";
import { type Environment, type Fault, targetText, type WorkloadSpec } from "@microremed/catalogue";
import { readEnvironment } from "@microremed/environments";
import { loadCatalogue } from "@microremed/registry";
import { remedyContext } from "../remedy-context.ts";

/** Directories of users' entries that are tested too. */
export const dirs = (process.env["CATALOGUE_DIRS"] ?? "").split(delimiter).filter((dir) => dir !== "");

/** Our entries and those of CATALOGUE_DIRS. */
export const catalogue = await loadCatalogue({ dirs });

/** A small system that has what none of ours offers for every fault. */
export const ledger = readEnvironment(join(import.meta.dirname, "ledger"));

/** Where a fault is proven. */
export interface ProofPlace {
  readonly environment: Environment;
  readonly target: string;
  /** Kind of the workload that the target is or means. */
  readonly kind: WorkloadSpec["kind"];
}

/** Environments in which faults are proven where they can be; empty: wherever it is quickest. */
const only = (process.env["PROOF_ENVIRONMENTS"] ?? "").split(",").filter((name) => name !== "");

const sizeOf = ({ workloads }: Environment): number => Object.keys(workloads).length;

/**
 * For each kind of workload that a fault accepts, the smallest system that has one, and its first target there; of the
 * environments of PROOF_ENVIRONMENTS, if it accepts any of them.
 */
export function placesFor(fault: Fault): readonly [ProofPlace, ...ProofPlace[]] {
  const smallFirst = [...catalogue.environments.all(), ledger].toSorted((a, b) => sizeOf(a) - sizeOf(b));
  const everywhere = smallFirst.flatMap((environment) => targetsIn(fault, environment));
  const wanted = everywhere.filter(({ environment }) => only.includes(environment.name));
  const all = wanted.length > 0 ? wanted : everywhere;
  const [first, ...others] = all.filter(
    ({ kind }, index) => all.findIndex((one) => one.kind === kind) === index,
  );
  if (!first) throw new Error(`${fault.name} has a target in no environment: check its targets()`);
  return [first, ...others];
}

function targetsIn(fault: Fault, environment: Environment): ProofPlace[] {
  return fault.targets(environment).map((ref) => {
    const target = targetText(ref);
    const { workload } = remedyContext(fault, environment, environment.namespace, target);
    return { environment, target, kind: workload.kind };
  });
}
