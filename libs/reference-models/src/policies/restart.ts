import { shellPlaybook } from "../playbook.ts";
import type { Policy } from "../policy.ts";
import { findWorkload, restartWorkload } from "../workload-script.ts";

/** Restarts the failed service, whatever the failure. */
export const restart: Policy = ({ report }) => ({
  playbook: shellPlaybook(`Restart ${report.target}`, [findWorkload(report), ...restartWorkload(report)]),
});
