export { checkPlaybook, type Violation } from "./guard/check-playbook.ts";
export { PlaybookPolicy } from "./guard/policy.ts";
export type { GuardContext } from "./guard/rule.ts";
export { type ParsedPlaybook, parsePlaybook } from "./parse-playbook.ts";
export type { PlaybookRun, PlaybookRunner } from "./runner.types.ts";
