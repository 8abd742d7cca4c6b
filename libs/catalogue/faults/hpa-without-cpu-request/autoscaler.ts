import {
  type Environment,
  type KubeObject,
  kinds,
  neededMillis,
  type Place,
  parseQuantity,
} from "@microremed/catalogue";

/** How many replicas more than usual it may ask for. */
const more = 3;
/** Usual share of the request at which teams scale out, percent. */
const usualPercent = 80;
/** Times what the load needs, so that it asks for no more than there are. */
const room = 3;

/** The target's autoscaler: it keeps the replicas that are declared while the load is as usual. */
export function autoscalerOf(environment: Environment, place: Place): KubeObject {
  const { name, workload, container } = place;
  const request = 1000 * (parseQuantity(container.resources.requests.cpu) ?? 1);
  const used = (100 * neededMillis(environment, place)) / request;
  const averageUtilization = Math.ceil(Math.max(usualPercent, room * used));
  return {
    ...kinds.horizontalPodAutoscaler,
    metadata: { name },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: workload.kind, name },
      minReplicas: workload.replicas,
      maxReplicas: workload.replicas + more,
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
        },
      ],
    },
  };
}
