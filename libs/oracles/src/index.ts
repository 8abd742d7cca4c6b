export { measureBaseline } from "./measure-baseline.ts";
export type { Oracle } from "./oracle.ts";
export type { OracleContext } from "./oracle-context.ts";
export { ensureProber } from "./prober.ts";
export { type InjectionProof, proveInjection } from "./prove-injection.ts";
export { oracles } from "./registry.ts";
export { isPodReady } from "./target-state.ts";
export { verifyRecovery } from "./verify-recovery.ts";
