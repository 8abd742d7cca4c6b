import type { Finding } from "./evidence/evidence.ts";

/** What an expert knows who has read the failure report and nothing else. */
export interface RunbookCase {
  readonly namespace: string;
  /** Name of the failed service's workload. */
  readonly target: string;
  /** 1 for the first attempt of the episode. */
  readonly attempt: number;
  /** What the command of `observe` printed; empty: it was not run. */
  readonly observations: readonly string[];
  /** What the fault's `evidence` found; absent: it was not asked. */
  readonly finding?: Finding;
}

/** An expert's procedure for a fault. */
export interface Runbook {
  /** A kubectl command to begin with, where commands that only read are allowed. */
  observe(where: Pick<RunbookCase, "namespace" | "target">): string;
  /** What to do then: a title and lines of a shell script. */
  act(found: RunbookCase): { readonly title: string; readonly commands: readonly string[] };
}

/** Sets $workload to the failed service's Deployment or StatefulSet. */
export const findWorkload = ({ namespace, target }: Pick<RunbookCase, "namespace" | "target">): string =>
  `workload=$(kubectl -n ${namespace} get deployment/${target} statefulset/${target} --ignore-not-found -o name)`;

/** Waits in wall clock, for kubectl knows no other; a rollout that takes longer goes on without the playbook. */
export const waitForRollout = ({ namespace }: Pick<RunbookCase, "namespace">): string =>
  `kubectl -n ${namespace} rollout status "$workload" --timeout=20s || echo "still rolling out"`;

/** Restarts what $workload names. */
export const restartWorkload = (where: Pick<RunbookCase, "namespace">): string[] => [
  `kubectl -n ${where.namespace} rollout restart "$workload"`,
  waitForRollout(where),
];

/**
 * Finds the cause of the failure, deletes it and waits until it is gone, which interrupts no requests. The service is
 * restarted where no cause is to be seen, and when removing it was not enough. `kind`: of Chaos Mesh, in lower case.
 */
export function removeCauseRunbook(kind: string): Runbook {
  const names = new RegExp(`^${kind}\\.chaos-mesh\\.org/[a-z0-9.-]+$`, "gm");
  const list = (namespace: string): string => `kubectl -n ${namespace} get ${kind} -o name`;
  return {
    observe: ({ namespace }) => list(namespace),
    act(found) {
      const { namespace, target, attempt, observations } = found;
      const remove = (objects: string): string =>
        `kubectl -n ${namespace} delete ${objects} --ignore-not-found --timeout=60s`;
      const restart = [findWorkload(found), ...restartWorkload(found)];
      const seen = observations.flatMap((text) => text.match(names) ?? []);
      const commands = (): readonly string[] => {
        if (seen.length > 0) return [remove(seen.join(" ")), ...(attempt > 1 ? restart : [])];
        if (observations.length > 0) return restart;
        if (attempt > 1) return [remove(`${kind} --all`), ...restart];
        return [`if ${list(namespace)} | grep -q .; then`, remove(`${kind} --all`), "else", ...restart, "fi"];
      };
      return { title: `Remove what disturbs ${target}`, commands: commands() };
    },
  };
}
