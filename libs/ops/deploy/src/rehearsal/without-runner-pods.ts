import type { KubeObject } from "@microremed/cluster";
import type { PodSpec } from "../pods/pod.types.ts";

/**
 * An object as a rehearsal runs it: nothing makes pods where there is no API server of the range's own cluster, so its
 * executors confine playbooks with bubblewrap, as `components/executor-sandbox` has them do.
 */
export function withoutRunnerPods(object: KubeObject): KubeObject {
  if (object.kind !== "Deployment" || object.metadata.name !== "executor") return object;
  const { template, ...rest } = object["spec"] as { template: { spec: PodSpec } };
  const { containers, securityContext, ...spec } = template.spec;
  return {
    ...object,
    spec: {
      ...rest,
      template: {
        ...template,
        spec: {
          ...spec,
          securityContext: { ...securityContext, seccompProfile: { type: "Unconfined" } },
          containers: containers.map((container) => ({
            ...container,
            env: (container.env ?? [])
              .filter(({ name }) => !name.startsWith("RUNNER_"))
              .map((one) => (one.name === "SANDBOX" ? { name: one.name, value: "bubblewrap" } : one)),
          })),
        },
      },
    },
  };
}
