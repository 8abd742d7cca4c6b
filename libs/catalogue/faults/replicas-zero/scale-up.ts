import { findWorkload, type Runbook, type RunbookCase, waitForRollout } from "@microremed/catalogue";

/**
 * Reads messages of events, the oldest first, and prints how many replicas there were: of a Deployment before it was scaled
 * down last, of a StatefulSet one more than the highest number of a pod. Where nothing says so, there was one.
 */
const replicasBefore = [
  `/Scaled down replica set/ { for (i = 1; i < NF; i++) if ($i == "from") before = $(i + 1) + 0 }`,
  `/(create|delete) Pod .* in StatefulSet/ { number = $3; sub(/.*-/, "", number); if (number + 1 > most) most = number + 1 }`,
  `END { if (!before) before = most; if (!before) before = 1; print before }`,
].join(" ");

const fromEvents = ({ namespace, target }: RunbookCase): string =>
  `replicas=$(kubectl -n ${namespace} get events --field-selector=involvedObject.name=${target} --sort-by=.lastTimestamp -o jsonpath='{range .items[*]}{.message}{"\\n"}{end}' | awk '${replicasBefore}')`;

/** To as many replicas as there were. */
export const scaleUp: Runbook = {
  observe: ({ namespace, target }) =>
    `kubectl -n ${namespace} get deployment/${target} statefulset/${target} --ignore-not-found`,
  act(found) {
    const known = /^[1-9]\d?$/.exec(found.finding?.right ?? "")?.[0];
    return {
      title: `Scale ${found.target} up`,
      commands: [
        findWorkload(found),
        known === undefined ? fromEvents(found) : `replicas=${known}`,
        `kubectl -n ${found.namespace} scale "$workload" --replicas="$replicas"`,
        waitForRollout(found),
      ],
    };
  },
};
