import { type KubeObject, kinds } from "@microremed/cluster";

/** A Deployment of one pod, labelled `app=<name>`, as settings and noises add to a system. `spec`: of the pod. */
export function oneReplica(name: string, spec: object): KubeObject {
  const labels = { app: name };
  return {
    ...kinds.deployment,
    metadata: { name, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
    },
  };
}
