export { inItsWords, type Language, writtenOut } from "./in-its-words.ts";
export { justBash } from "./just-bash.ts";
export { type StepBound, stepBound, tooManySteps } from "./step-bound.ts";
export { runInThread, ScriptEnded, type ThreadHost } from "./threads/run-in-thread.ts";
export { SaidFailure, serveThread } from "./threads/serve-thread.ts";
