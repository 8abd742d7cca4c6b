export { untilEnded, untilFinished } from "./outcomes.ts";
export { type DisruptionOptions, type DisruptionReport, runDisruption } from "./run-disruption.ts";
export { type StubStackOptions, startStubStack } from "./stub-stack.ts";
