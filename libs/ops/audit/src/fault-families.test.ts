import { createRng } from "@microremed/core";
import { families, proveFamilies } from "./testing/prove-families.ts";

/** `npm run prove` tries all of a fault; else it is a sample. */
const isWhole = process.env["WHOLE_PROOF"] === "true";
const sampled = 3;

const rng = createRng("families of faults");
const sample = new Set(Array.from({ length: sampled }, () => rng.pick(families)));

proveFamilies(isWhole ? families : [...sample]);
