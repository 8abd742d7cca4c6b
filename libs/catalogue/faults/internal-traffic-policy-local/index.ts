import {
  defineFault,
  deletePods,
  fieldFault,
  kinds,
  offeredBehindServices,
  patchCommand,
  type Remedy,
  restartEverything,
  serviceEvidence,
  serviceOf,
  serviceRunbook,
  targetName,
  z,
} from "@microremed/catalogue";
import { callersOf, farCallers, moveAway, reopen } from "./place.ts";

const { inject, status, remove, ...parts } = fieldFault({
  parameters: z.object({}),
  changes: (context) => [
    {
      kind: kinds.service,
      name: serviceOf(context)?.name ?? "",
      path: "/spec/internalTrafficPolicy",
      wrong: "Local",
    },
  ],
  explanation: (context) =>
    `the Service ${serviceOf(context)?.name} drops connections from nodes on which none of its pods runs`,
  mechanism: "wrong-route",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
  evidence: (labels) =>
    serviceEvidence(labels, ({ field, is }) => field === "spec.internalTrafficPolicy" && is === '"Local"'),
});

const externalPolicy: Remedy = {
  name: "external-policy",
  doc: "makes the Service a NodePort and sets the policy for traffic from outside of the cluster",
  commands: (context) => [
    patchCommand(context, kinds.service, serviceOf(context)?.name ?? "", [
      { op: "add", path: "/spec/type", value: "NodePort" },
      { op: "add", path: "/spec/externalTrafficPolicy", value: "Cluster" },
    ]),
  ],
};

const passToAll = serviceRunbook(
  (target) => `Let the Service of ${target} pass connections to all its pods`,
  ({ namespace }) => [
    `kubectl -n ${namespace} patch service "$service" -p '{"spec":{"internalTrafficPolicy":"Cluster"}}'`,
  ],
);

/** A Service passes connections only to pods on the caller's own node: callers elsewhere get no answer. */
export default defineFault({
  name: "internal-traffic-policy-local",
  title: "Service that keeps to the caller's node",
  description: "internal-traffic-policy-local: some connections to the service time out",
  withoutDraw: "the field has two values",
  withoutLookalike:
    "whether every caller has a pod on its own node is another thing each time that a pod is placed",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  rightActions: [],
  ...offeredBehindServices(({ name, workload }, environment) => {
    if (callersOf(environment, name).length === 0)
      return `no workload that users reach calls ${name} by its name`;
    return workload.replicas === 1 ? undefined : `callers may each find a pod of ${name} on their own node`;
  }),
  ...parts,
  endedByPodsOf: (environment, target) => [target, ...callersOf(environment, target)],
  /** Where every caller happens to be on the target's node, the target is moved: it would serve them all. */
  async inject(context) {
    const name = targetName(context);
    await reopen(context);
    if ((await farCallers(context, name)).length === 0) await moveAway(context, name);
    await inject(context);
  },
  async status(context) {
    const found = await status(context);
    const pods = await farCallers(context, targetName(context));
    return {
      ...found,
      injected: found.injected && pods.length > 0,
      note: `${found.note}; callers on other nodes: ${pods.length}`,
    };
  },
  async remove(context) {
    await reopen(context);
    await remove(context);
  },
  runbook: passToAll,
  shortcuts: [externalPolicy, restartEverything, deletePods],
});
