import { shellPlaybook } from "../playbook.ts";
import type { Policy, Situation } from "../policy.ts";
import { findWorkload, kubectl, restartWorkload, waitForRollout } from "../workload-script.ts";

const columns = `'{range .items[*]}{.kind}/{.metadata.name} {.spec.template.spec.containers[*].resources}{"\\n"}{end}'`;

/** Goes back to the revision before the wrong one. A second undo would bring the wrong one back, so that is a restart. */
export const revertConfiguration: Policy = (situation) => {
  const { report, attempt, canProbe, observations } = situation;
  if (canProbe && observations.length === 0) {
    return { probe: `${kubectl(report)} get deployment,statefulset -o jsonpath=${columns}` };
  }
  const workload = workloadLine(situation);
  if (attempt > 1) {
    return { playbook: shellPlaybook(`Restart ${report.target}`, [workload, ...restartWorkload(report)]) };
  }
  const undo = `${kubectl(report)} rollout undo "$workload"`;
  // A StatefulSet waits for a broken pod to become ready before it replaces it.
  const replace = `case "$workload" in statefulset*) ${kubectl(report)} delete pod -l app=${report.target} --wait=false;; esac`;
  const script = [workload, undo, replace, waitForRollout(report)];
  return { playbook: shellPlaybook(`Revert the configuration of ${report.target}`, script) };
};

/** The workload as the probe saw it, else as the playbook finds it. */
function workloadLine({ report, observations }: Situation): string {
  const line = new RegExp(`^(Deployment|StatefulSet)/${report.target} `, "m");
  const kind = observations.map((text) => line.exec(text)?.[1]).find((found) => found !== undefined);
  return kind ? `workload=${kind.toLowerCase()}/${report.target}` : findWorkload(report);
}
