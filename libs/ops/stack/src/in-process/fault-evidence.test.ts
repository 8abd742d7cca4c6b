import { proveEvidence } from "./testing/prove-evidence.ts";

/** `npm run prove` tries every environment that has a target, first and last; else the smallest and its first, of a sample. */
const isWhole = process.env["WHOLE_PROOF"] === "true";

proveEvidence({ choose: (all) => (isWhole ? all : all.slice(0, 1)) });
