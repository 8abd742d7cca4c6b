export { type ChaosOptions, type ChaosReport, runChaos } from "./run-chaos.ts";
