import { findWorkload, type Runbook, type RunbookCase, restartWorkload, waitForRollout } from "./runbook.ts";

const columns = `'{range .items[*]}{.kind}/{.metadata.name} {.spec.template.spec.containers[*].resources}{"\\n"}{end}'`;

/** Goes back to the revision before the wrong one. A second undo would bring the wrong one back, so that is a restart. */
export const revertConfiguration: Runbook = {
  observe: ({ namespace }) => `kubectl -n ${namespace} get deployment,statefulset -o jsonpath=${columns}`,
  act(found) {
    const { namespace, target, attempt } = found;
    const workload = workloadLine(found);
    if (attempt > 1) return { title: `Restart ${target}`, commands: [workload, ...restartWorkload(found)] };
    const undo = `kubectl -n ${namespace} rollout undo "$workload"`;
    // A StatefulSet waits for a broken pod to become ready before it replaces it.
    const selector = `selector=$(kubectl -n ${namespace} get "$workload" -o jsonpath='{.spec.selector.matchLabels}' | tr -d '{}"' | tr : =)`;
    const remove = `kubectl -n ${namespace} delete pod -l "\${selector:?}" --wait=false`;
    const replace = ['case "$workload" in statefulset*)', `  ${selector}`, `  ${remove} ;;`, "esac"];
    return {
      title: `Revert the configuration of ${target}`,
      commands: [workload, undo, ...replace, waitForRollout(found)],
    };
  },
};

/** The workload as the probe saw it, else as the playbook finds it. */
function workloadLine(found: RunbookCase): string {
  const line = new RegExp(`^(Deployment|StatefulSet)/${found.target} `, "m");
  const kind = found.observations.map((text) => line.exec(text)?.[1]).find((one) => one !== undefined);
  return kind ? `workload=${kind.toLowerCase()}/${found.target}` : findWorkload(found);
}
