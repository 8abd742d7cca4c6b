import { shellPlaybook } from "../playbook.ts";
import type { Policy } from "../policy.ts";
import { findWorkload, kubectl, restartWorkload } from "../workload-script.ts";

/**
 * Looks for what causes the failure, deletes it and waits until it is gone, which interrupts nobody. The service is
 * restarted where no cause is to be seen, and when removing it was not enough.
 */
export const removeChaos =
  (kind: string): Policy =>
  ({ report, attempt, canProbe, observations }) => {
    const all = `${kubectl(report)} get ${kind} -o name`;
    if (canProbe && observations.length === 0) return { probe: all };
    const remove = (objects: string): string =>
      `${kubectl(report)} delete ${objects} --ignore-not-found --timeout=60s`;
    const restart = [findWorkload(report), ...restartWorkload(report)];
    const playbook = (script: readonly string[]) => ({
      playbook: shellPlaybook(`Remove what disturbs ${report.target}`, script),
    });
    const found = observations.flatMap((text) => text.match(objectNames(kind)) ?? []);
    if (found.length > 0) return playbook([remove(found.join(" ")), ...(attempt > 1 ? restart : [])]);
    if (observations.length > 0) return playbook(restart);
    if (attempt > 1) return playbook([remove(`${kind} --all`), ...restart]);
    return playbook([`if ${all} | grep -q .; then`, remove(`${kind} --all`), "else", ...restart, "fi"]);
  };

/** Lines of `kubectl get -o name`. */
function objectNames(kind: string): RegExp {
  return new RegExp(`^${kind}\\.chaos-mesh\\.org/[a-z0-9.-]+$`, "gm");
}
