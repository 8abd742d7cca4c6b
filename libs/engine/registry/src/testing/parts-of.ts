import type { Catalogue } from "../catalogue.types.ts";
import type { ProblemParts } from "../problems/problem-issues.ts";

/** What problems may refer to in a catalogue. */
export function partsOf(catalogue: Catalogue): ProblemParts {
  return {
    faults: new Map(catalogue.faults.all().map((one) => [one.name, one])),
    noises: new Map(catalogue.noises.all().map((one) => [one.name, one])),
    environments: new Map(catalogue.environments.all().map((one) => [one.name, one])),
    tasks: new Set(catalogue.tasks.names),
    watches: new Set(catalogue.tasks.all().flatMap((one) => (one.watch ? [one.name] : []))),
    repairs: new Set(catalogue.tasks.all().flatMap((one) => (one.mayAct ? [one.name] : []))),
  };
}
