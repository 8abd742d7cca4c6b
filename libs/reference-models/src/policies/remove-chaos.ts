import { shellPlaybook } from "../playbook.ts";
import type { Policy } from "../policy.ts";
import { findWorkload, kubectl, restartWorkload } from "../workload-script.ts";

/** Deletes what causes the failure and waits until it is gone; restarts the service too when that was not enough. */
export const removeChaos =
  (kind: string): Policy =>
  ({ report, attempt, canProbe, observations }) => {
    if (canProbe && observations.length === 0) return { probe: `${kubectl(report)} get ${kind} -o name` };
    const found = observations.flatMap((text) => text.match(objectNames(kind)) ?? []);
    const objects = found.length > 0 ? found.join(" ") : `${kind} --all`;
    const remove = `${kubectl(report)} delete ${objects} --ignore-not-found --timeout=60s`;
    const again = attempt > 1 ? [findWorkload(report), ...restartWorkload(report)] : [];
    return { playbook: shellPlaybook(`Remove what disturbs ${report.target}`, [remove, ...again]) };
  };

/** Lines of `kubectl get -o name`. */
function objectNames(kind: string): RegExp {
  return new RegExp(`^${kind}\\.chaos-mesh\\.org/[a-z0-9.-]+$`, "gm");
}
