import { readCorpus } from "@microremed/remedies";
import { catalogue, dirs } from "./entries.ts";

/** Our remedies and those of CATALOGUE_DIRS. */
export const corpus = readCorpus(dirs, {
  faults: catalogue.faults.names,
  environments: catalogue.environments.names,
});
