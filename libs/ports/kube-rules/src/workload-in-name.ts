/** Characters that Kubernetes makes the random parts of names of (`k8s.io/apimachinery/pkg/util/rand`): no vowels. */
const safe = "[bcdfghjklmnpqrstvwxz2456789]";

/**
 * A pod's whole name as a regular expression that JavaScript and RE2 (PromQL) read alike; its group is the name of the
 * workload. After it comes what controllers add: `-<hash>-<random>` of a Deployment, `-<minute>-<random>` of a CronJob,
 * `-<random>` of a DaemonSet or Job, `-<ordinal>` of a StatefulSet.
 */
export const podNamePattern = `(.+?)(?:(?:-${safe}{6,10}|-[0-9]{8})?-${safe}{5}|-[0-9]+)?`;

const podName = new RegExp(`^${podNamePattern}$`);

/**
 * The workload's name in the name of a pod, where only the name is known: the pod may be gone. A DaemonSet or Job whose own
 * name ends in six to ten of the random part's characters would lose them.
 */
export function workloadInName(pod: string): string {
  return podName.exec(pod)?.[1] ?? pod;
}
