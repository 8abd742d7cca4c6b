export { inItsWords, type Language } from "./in-its-words.ts";
export { justBash } from "./just-bash.ts";
export { mostSteps, type StepBound, stepBound } from "./step-bound.ts";
