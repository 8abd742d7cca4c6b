import { drawnParameters, type IncidentFault, type Problem } from "@microremed/catalogue";
import { createRng } from "@microremed/core";
import type { Catalogue } from "../catalogue.types.ts";

/**
 * The incident of a problem with the values that its faults set in experiments of one seed: those that the problem says, and
 * drawn ones. The problem must be one that can be run.
 */
export function incidentOf(
  { id, environment, incident, drawnValues }: Problem,
  seed: number,
  { faults, environments }: Pick<Catalogue, "faults" | "environments">,
): readonly IncidentFault[] {
  if (!drawnValues) return incident;
  const system = environments.get(environment);
  return incident.map((one, i) => {
    const rng = createRng(seed, `values ${i} of ${id}`);
    const where = { environment: system, target: one.target };
    const parameters = drawnParameters(faults.get(one.fault), where, one.parameters, rng);
    return { ...one, ...(parameters && { parameters }) };
  });
}
