export { inItsWords, type Language } from "./in-its-words.ts";
export { justBash } from "./just-bash.ts";
export { type StepBound, stepBound, tooManySteps } from "./step-bound.ts";
