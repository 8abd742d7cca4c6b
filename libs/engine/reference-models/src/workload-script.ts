import type { FailureReport } from "@microremed/catalogue";

/**
 * Wall clock, because kubectl knows no other. A rollout that takes longer goes on without the playbook, and the
 * verdict waits for it.
 */
const rolloutTimeout = "20s";

export const kubectl = (report: FailureReport): string => `kubectl -n ${report.namespace}`;

/** Sets $workload to the failed service's Deployment or StatefulSet. */
export const findWorkload = (report: FailureReport): string =>
  `workload=$(${kubectl(report)} get deployment/${report.target} statefulset/${report.target} --ignore-not-found -o name)`;

export const restartWorkload = (report: FailureReport): string[] => [
  `${kubectl(report)} rollout restart "$workload"`,
  waitForRollout(report),
];

export const waitForRollout = (report: FailureReport): string =>
  `${kubectl(report)} rollout status "$workload" --timeout=${rolloutTimeout} || echo "still rolling out"`;
