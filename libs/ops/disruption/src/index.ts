export { untilEnded, untilFinished } from "./outcomes.ts";
export { type ChaosOptions, type ChaosReport, runChaos } from "./run-chaos.ts";
export { type StubStackOptions, startStubStack } from "./stub-stack.ts";
