export { awaitBaseline } from "./await-baseline.ts";
export { countEntry } from "./count-entry.ts";
export type { Evidence } from "./evidence.ts";
export { hideTraces } from "./hide-traces.ts";
export { type JudgedFault, judgedFault } from "./judged-fault.ts";
export { measureBaseline } from "./measure-baseline.ts";
export { ensureProber } from "./prober.ts";
export { type InjectionProof, proveInjection } from "./prove-injection.ts";
export { verifyRecovery } from "./verify-recovery.ts";
