import { idlePlaybook } from "../playbook.ts";
import type { Policy } from "../policy.ts";

/** Changes nothing: what it repairs was never broken. */
export const noop: Policy = () => ({ playbook: idlePlaybook("this policy repairs nothing") });
