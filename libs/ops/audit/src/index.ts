export { type AuditedRemedy, type AuditRun, auditable, planAudit } from "./plan-audit.ts";
export { auditDocument, auditTable } from "./render-audit.ts";
export { type AuditOutcome, type RunEpisode, runAudit } from "./run-audit.ts";
export { tallyTotals } from "./tally.ts";
