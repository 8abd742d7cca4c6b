export { type FailureReport, failureReport, parseFailureReport } from "./failure-report.ts";
export { defineMethod, type Method, type TurnContext, type TurnResult } from "./method.ts";
export { methodNamed, methods } from "./registry.ts";
export { toolNamed } from "./tool-named.ts";
