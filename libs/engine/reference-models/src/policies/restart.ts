import { shellPlaybook } from "../playbook.ts";
import type { Policy } from "../policy.ts";
import { findWorkload, kubectl, restartWorkload } from "../workload-script.ts";

/** Restarts the failed service, whatever the failure; every service when none is named. */
export const restart: Policy = ({ report }) => {
  if (report.target !== undefined) {
    return {
      playbook: shellPlaybook(`Restart ${report.target}`, [findWorkload(report), ...restartWorkload(report)]),
    };
  }
  const all = ["deployment", "statefulset"].map(
    (kind) => `${kubectl(report)} rollout restart ${kind} || true`,
  );
  return { playbook: shellPlaybook("Restart everything", all) };
};
