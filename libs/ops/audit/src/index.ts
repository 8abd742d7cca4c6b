export { auditTasks, isAsExpected, type TaskAudit } from "./audit-tasks.ts";
export type { AuditedRemedy } from "./candidates.ts";
export { type AuditRun, auditable, planAudit, playbookIn, type Setting, settings } from "./plan-audit.ts";
export { auditDocument, auditTable } from "./render-audit.ts";
export { taskAuditTable } from "./render-task-audit.ts";
export { openResults } from "./results-file.ts";
export { type AuditOutcome, type RunEpisode, runAudit } from "./run-audit.ts";
export { runInAnyArena } from "./run-in-any-arena.ts";
export { tallyTotals } from "./tally.ts";
