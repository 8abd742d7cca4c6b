import { delimiter } from "node:path";
import { type Environment, type Fault, targetText } from "@microremed/catalogue";
import { loadCatalogue } from "@microremed/registry";

const dirs = (process.env["CATALOGUE_DIRS"] ?? "").split(delimiter).filter((dir) => dir !== "");

/** Our entries and those of CATALOGUE_DIRS. */
export const catalogue = await loadCatalogue({ dirs });

/** The smallest system on which a fault can be injected, and where. */
export function placeFor(fault: Fault): { environment: Environment; target: string } {
  const { names, get } = catalogue.environments;
  const smallFirst = ["simple-micro", ...names.filter((name) => name !== "simple-micro")];
  for (const environment of smallFirst.values().map(get)) {
    const [first] = fault.targets(environment);
    if (first) return { environment, target: targetText(first) };
  }
  throw new Error(`${fault.name} has a target in no environment: check its targets()`);
}
