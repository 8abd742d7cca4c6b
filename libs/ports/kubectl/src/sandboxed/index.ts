export { createSandboxedProber, runProbe, runTelemetry } from "./run-probe.ts";
