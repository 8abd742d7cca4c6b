export { createInProcessRunner } from "./create-in-process-runner.ts";
